"""Fit the ranking of dark genes, measure it on what was left out, write ``dark_ranking.toml``.

    python -m training.dark_ranking --data ../shared/data

The same data and the same families give the same file, byte for byte, and the same table of the
genes that it was fitted on (``dark_genes.tsv``). Cost: 2 min on two cores at
first, 10 s with the searches in the cache; memory 500 MB.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from genint.errors import GenintError
from genint.knowledge.dark_ranking import DarkRanking
from genint.knowledge.table_files import DARK_RANKING
from training.dark_ranking.fitting import FIRST, Ranked, fit, left_out
from training.dark_ranking.material import (
    DARK_GENES,
    DarkGene,
    Regime,
    read_material,
    table_of,
)
from training.pfam.pack import OUTPUT

_HEAD = """\
# How likely a dark gene is unknown to science. Fitted, not written by hand:
# python -m training.dark_ranking
#
# Log-odds: where the sum begins, for each natural logarithm of the residues (shorter genes count
# as of `shortest_aa`), where all neighbours are genes of packaging, virion or lysis, and where the
# gene has a domain of unknown function. `target_from`: priority from which a gene is called a
# research target. `measured`: genomes that were left out of the fit with their relatives; `known`
# counts genes whose record names a function, `order` how often an unknown gene ranks above a known
# one. Hidden: families say nothing of proteins that they were made of. Shipped: as users meet
# these very genomes.
"""


def main(arguments: Sequence[str] | None = None) -> None:
    """Read, measure, fit, write; exit status 2 and one line where a file is missing."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=Path("../shared/data"), help="data folder")
    parser.add_argument("--output", type=Path, default=OUTPUT, help="folder for the file")
    parser.add_argument(
        "--cache", type=Path, default=Path("build/dark_ranking"), help="folder for searches"
    )
    parser.add_argument("--genes", type=Path, default=DARK_GENES, help="table of what was found")
    options = parser.parse_args(arguments)
    try:
        material = read_material(options.data, options.cache)
        measured = measure(material)
        text = text_of(fit(material[Regime.HIDDEN], basis=basis_of(material)), measured)
        options.genes.write_text(table_of(material), encoding="utf-8")
        (options.output / DARK_RANKING).write_text(text, encoding="utf-8")
    except (GenintError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        raise SystemExit(2) from error
    for regime, genomes in measured.items():
        print("\n".join(said(regime, genomes)))
    print(f"{DARK_RANKING}: {len(text.encode()):,} bytes")


def measure(
    material: Mapping[Regime, Sequence[DarkGene]],
) -> dict[Regime, tuple[Ranked, ...]]:
    """Each genome by a model that was fitted without its group."""
    fitted_on = material[Regime.HIDDEN]
    return {regime: tuple(left_out(fitted_on, genes)) for regime, genes in material.items()}


def basis_of(material: Mapping[Regime, Sequence[DarkGene]]) -> str:
    """What the model was fitted on."""
    genes = material[Regime.HIDDEN]
    genomes = {one.genome for one in genes}
    unknown = sum(one.unknown for one in genes)
    return (
        f"Fitted on {len(genes):,} dark genes of {len(genomes)} annotated phages whose annotation "
        f"and own proteins were hidden; {unknown:,} of them have no function in their record."
    )


def text_of(model: DarkRanking, measured: Mapping[Regime, Sequence[Ranked]]) -> str:
    """The file: the same model gives the same bytes."""
    lines = [
        _HEAD,
        f'version = "{model.version}"',
        f'basis = "{model.basis}"',
        f"shortest_aa = {model.shortest_aa}",
        f"target_from = {model.target_from}",
        "",
        "[log_odds]",
        f"start = {model.start}",
        f"per_log_length = {model.per_log_length}",
        f"of_virion = {model.of_virion}",
        f"conserved = {model.conserved}",
    ]
    for regime, genomes in measured.items():
        lines += ["", f"[measured.{regime}]", *(_measured(one) for one in genomes)]
    return "\n".join(lines) + "\n"


def _measured(one: Ranked) -> str:
    order = "" if one.order is None else f", order = {one.order:.2f}"
    return (
        f"{one.genome} = {{ dark = {one.dark}, known = {one.known}, "
        f"first_{FIRST}_known = {one.first_known}, targets = {one.targets}, "
        f"targets_known = {one.targets_known}{order} }}"
    )


def said(regime: Regime, genomes: Sequence[Ranked]) -> Iterator[str]:
    """Figures for a reader."""
    yield f"{regime}: left out with their relatives, of the first {FIRST} dark genes"
    for one in genomes:
        order = "-" if one.order is None else f"{one.order:.2f}"
        yield (
            f"  {one.genome}: {one.first_known} known; {one.targets} targets, of which "
            f"{one.targets_known} known ({one.known} of {one.dark} dark genes known, order {order})"
        )
    total = sum(one.first_known for one in genomes)
    targets, known = sum(g.targets for g in genomes), sum(g.targets_known for g in genomes)
    loss = sum(one.loss for one in genomes) / len(genomes)
    yield f"  all: {total} known; {targets} targets, of which {known} known; log-loss {loss:.3f}"


if __name__ == "__main__":
    main()
