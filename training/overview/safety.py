"""Judge the safety panel: known toxins must be found, virulent phages raise no alarm.

    python -m training.overview.safety --data ../shared/data --cache FOLDER

Genomes are interpreted without their annotation; their families and names may be among those that
genint was trained on. Writes ``safety.md`` beside this file. Cost: 3 min CPU.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from genint import interpret_genome
from genint.errors import GenintError
from genint.formats import read_genome
from genint.model import GenomeKind, InterpretationSummary
from genint.model.overview import GenomeStatement, Outcome, Topic

REPORT: Final = Path(__file__).with_suffix(".md")
_PHAGES: Final = (
    "T7_NC_001604.gb",
    "phiX174_NC_001422.gb",
    "phageK_NC_005880.gbk",
    "SAOMS1_MW460250.fasta",
    "AcinetobacterApostate_NC_049491.gbk",
    "SpV4_NC_003438.fa",
    "crAss_BK025033.fa",
    "SodalisSO1_NC_013600.gbk",
    "table4_phage_SRR1747055_scaffold7.fa",
    "SMA6_HG315669.gbk",
    "B3_NC_006548.gbk",
    "L5_Z18946.gb",
    "Yersinia201_16_NC_070914.gbk",
    "lambda_NC_001416.gb",
    "DE3_EU078592.gbk",
    "VT2Sakai_NC_000902.gbk",
)
_LYSOGENS: Final = (
    "S_pyogenes_M1_NC_002737.gb.gz",
    "Streptococcus_pyogenes_MGAS315.gb.gz",
    "Streptococcus_pyogenes_MGAS8232.gb.gz",
)
"""Bacteria whose prophage genes carry ``/is_phage``."""
_TOXIC: Final = re.compile(
    r"exotoxin|superantigen|streptodornase|mitogenic factor|extracellular nuclease"
    r"|phospholipase a2",
    re.IGNORECASE,
)
"""Products of such genes, in the words of those records."""
_SUBJECTS: Final[tuple[str, ...]] = (
    "lysogeny",
    "toxins",
    "antimicrobial resistance",
    "virulence factors",
)


class Judged(NamedTuple):
    """A genome with its panel.

    Attributes:
        name: File.
        said: Answers by subject.
        expected: Products of annotated toxin genes of prophages.
        missed: Those of them that were not found.
    """

    name: str
    said: dict[str, str]
    expected: tuple[str, ...] = ()
    missed: tuple[str, ...] = ()


def main(arguments: Sequence[str] | None = None) -> None:
    """Interpret, judge, write; exit status 2 and one line where a file is missing."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=Path("../shared/data"), help="data folder")
    parser.add_argument("--cache", type=Path, help="folder where searches are kept")
    options = parser.parse_args(arguments)
    try:
        phages = [_judged(_place(options.data, name), options.cache) for name in _PHAGES]
        lysogens = [_judged(_place(options.data, name), options.cache) for name in _LYSOGENS]
        REPORT.write_text("\n".join(_report(phages, lysogens)) + "\n", encoding="utf-8")
    except (GenintError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        raise SystemExit(2) from error


def _place(data: Path, name: str) -> Path:
    found = next((data / "genomes").rglob(name), None)
    if found is None:
        raise FileNotFoundError(f"{name}: not in {data / 'genomes'}")
    return found


def _judged(file: Path, cache: Path | None) -> Judged:
    summary = interpret_genome(file, ignore_annotations=True, cache_folder=cache)
    panel = {
        one.subject: one
        for one in summary.overview
        if one.topic in (Topic.SAFETY, Topic.PATHOGENICITY)
    }
    said = {subject: _answer(panel[subject]) for subject in _SUBJECTS if subject in panel}
    if summary.genome.kind is not GenomeKind.BACTERIUM:
        return Judged(file.name, said)
    wanted = {
        gene.id: gene.product or ""
        for gene in read_genome(file).genes
        if gene.values("is_phage") and _TOXIC.search(gene.product or "")
    }
    seen = _seen(summary, panel.values())
    missed = tuple(product for id_, product in wanted.items() if id_ not in seen)
    return Judged(file.name, said, tuple(wanted.values()), missed)


def _answer(one: GenomeStatement) -> str:
    if one.outcome is Outcome.NOT_FOUND:
        return "-"
    names = ", ".join(dict.fromkeys(role.role for role in one.genes))
    return names if one.outcome is Outcome.FOUND else f"({names})"


def _seen(summary: InterpretationSummary, panel: Iterable[GenomeStatement]) -> set[str]:
    """Ids in the file of the genes that the panel names."""
    named = {role.gene_id for one in panel for role in one.genes}
    return {
        result.compared.id
        for result in summary.results
        if result.compared and result.gene_id in named
    }


def _report(phages: Sequence[Judged], lysogens: Sequence[Judged]) -> Iterator[str]:
    yield "# The safety panel on known genomes"
    yield ""
    yield "Made by `python -m training.overview.safety`; annotations hidden. `-`: not found by what"
    yield "was searched (what ships); in brackets: cannot tell, to be checked."
    yield ""
    yield "| genome | lysogeny | toxins | resistance | virulence factors |"
    yield "| --- | --- | --- | --- | --- |"
    for one in phages:
        yield f"| {one.name} | " + " | ".join(one.said[subject] for subject in _SUBJECTS) + " |"
    yield ""
    yield "| bacterium | annotated toxin genes of its prophages | found | missed |"
    yield "| --- | --- | --- | --- |"
    for one in lysogens:
        found = len(one.expected) - len(one.missed)
        yield f"| {one.name} | {len(one.expected)} | {found} | {', '.join(one.missed) or '-'} |"


if __name__ == "__main__":
    main()
