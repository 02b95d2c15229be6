"""Which proteins all bacteria at hand have, and how many of them a bacterium left out has.

    python -m training.overview.universal --results FOLDER

Reads JSON results of bacteria, made by ``genint interpret --ignore-annotations --format json``, and
writes ``universal_proteins.toml`` and ``universal.md``. Cost: 10 s.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from genint.knowledge.table_files import UNIVERSAL_PROTEINS
from training.pfam.pack import OUTPUT

FIGURES = Path(__file__).with_name("universal.md")
_GROUPS: Final = {
    "E_coli_K12_MG1655_NC_000913": "Escherichia and Shigella",
    "Shigella_flexneri_2a_str_301": "Escherichia and Shigella",
    "Streptococcus_pyogenes_M1_GAS": "Streptococcus",
    "Streptococcus_pyogenes_MGAS315": "Streptococcus",
    "Streptococcus_pyogenes_MGAS8232": "Streptococcus",
    "Brucella_melitensis_16M": "Brucella",
    "Neisseria_meningitidis_MC58": "Neisseria",
    "Paracoccus_sp_SCN_68-21": "Paracoccus",
    "B_quintana": "Bartonella",
    "M_mycoides_GM12_NZ_CP001668": "Mollicutes",
    "syn3A_CP016816": "Mollicutes",
}
"""Result -> what is left out together."""
_REDUCED: Final = "Mollicutes"
_SURE: Final = frozenset({"HIGH", "MODERATE"})


class LeftOut(NamedTuple):
    """A genome judged by what all other groups have."""

    name: str
    group: str
    expected: int
    found: int

    @property
    def share(self) -> float:
        """Of what was expected, 0..1."""
        return self.found / self.expected


def products_of(result: Mapping[str, Any]) -> frozenset[str]:
    """Terms that the genes of a JSON result are surely taken for."""
    return frozenset(
        term
        for gene in result["genes"]
        if gene["confidence"] in _SURE and (term := _term(gene)) is not None
    )


def _term(gene: Mapping[str, Any]) -> str | None:
    lead = gene["hypotheses"][0]
    if lead["specificity"] == "domain":
        return None
    terms = (gene["evidence"][at]["product"] for at in lead["evidence"])
    return next((term for term in terms if term), None)


def left_out(genomes: Mapping[str, frozenset[str]]) -> Iterator[LeftOut]:
    """Each genome, by what the genomes of all other groups have in common."""
    for name, products in genomes.items():
        group = _GROUPS[name]
        others = [found for other, found in genomes.items() if _GROUPS[other] != group]
        core = frozenset.intersection(*others)
        yield LeftOut(name, group, len(core), len(core & products))


def main(arguments: Sequence[str] | None = None) -> None:
    """Read, count, judge, write; exit status 2 and one line where a file is missing."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--results", type=Path, required=True, help="folder of JSON results")
    parser.add_argument("--output", type=Path, default=OUTPUT, help="folder for the table")
    options = parser.parse_args(arguments)
    try:
        genomes = {
            name: products_of(json.loads((options.results / f"{name}_report.json").read_bytes()))
            for name in _GROUPS
        }
    except (OSError, ValueError) as error:
        print(f"error: {error}", file=sys.stderr)
        raise SystemExit(2) from error
    judged = tuple(left_out(genomes))
    core = frozenset.intersection(*genomes.values())
    (options.output / UNIVERSAL_PROTEINS).write_text(text_of(core, judged), encoding="utf-8")
    FIGURES.write_text(figures_of(core, judged), encoding="utf-8")


def text_of(core: frozenset[str], judged: Sequence[LeftOut]) -> str:
    """The table that ships."""
    reduced = min(one.share for one in judged if one.group == _REDUCED)
    least = min(one.share for one in judged if one.group != _REDUCED)
    lines = (
        "# Terms of the vocabulary of products that every bacterium at hand has. Counted, not",
        "# written by hand: python -m training.overview.universal",
        'version = "1"',
        f"genomes = {len(judged)}",
        f"least = {least:.3f}",
        f"least_reduced = {reduced:.3f}",
        "products = [",
        *(f'    "{term}",' for term in sorted(core)),
        "]",
    )
    return "\n".join(lines) + "\n"


def figures_of(core: frozenset[str], judged: Sequence[LeftOut]) -> str:
    """What was measured, as Markdown."""
    rows = (
        f"| {one.name} | {one.group} | {one.expected} | {one.found} | {one.share:.3f} |"
        for one in judged
    )
    return "\n".join(
        (
            "# Proteins that bacteria at hand have in common",
            "",
            "Made by `python -m training.overview.universal`. Annotations hidden; names of levels",
            f"HIGH and MODERATE. All {len(judged)} genomes have {len(core)} in common. Each genome",
            "is judged here by what the genomes of all other groups have in common.",
            "",
            "| genome | group | expected | found | share |",
            "|---|---|---|---|---|",
            *rows,
            "",
        )
    )


if __name__ == "__main__":
    main()
