"""Fit how phages lay out their genes, measure it on what was left out, write ``contig_kinds.toml``.

    python -m training.kinds --data ../shared/data

The same data give the same file, byte for byte, and the same table of what was measured
(``layouts.tsv``). Cost: 1 min on one core.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from genint.errors import GenintError
from genint.knowledge.contig_kinds import ContigKinds, GeneLayout
from genint.knowledge.table_files import CONTIG_KINDS
from training.kinds.material import LAYOUTS, Piece, pieces_of, read_stretches, table_of
from training.pfam.pack import OUTPUT

VERSION = "1"
PHAGE_FROM = 2.0
"""Chosen, for pieces of bacteria are far more common than phages in most files."""
RIDGE = 1.0
_ROUNDS = 40
_DIGITS = 3
_HEAD = """\
# How phages lay out their genes, unlike bacteria. Fitted, not written by hand:
# python -m training.kinds
#
# Log-odds for one unit of each trait: share of neighbours on different strands, of genes below
# 300 bp, of spaces above 100 bp, and genes per kb. `taken_for_phages`: pieces of bacteria without
# prophages, prophages, phages whole and cut, each judged by a model that was fitted without its
# genus or its phage: [taken for phages, all].
"""


def main(arguments: Sequence[str] | None = None) -> None:
    """Read, measure, fit, write; exit status 2 and one line where a file is missing."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=Path("../shared/data"), help="data folder")
    parser.add_argument("--output", type=Path, default=OUTPUT, help="folder for the file")
    parser.add_argument("--layouts", type=Path, default=LAYOUTS, help="table of what was measured")
    options = parser.parse_args(arguments)
    try:
        pieces = pieces_of(read_stretches(options.data))
        text = text_of(fit(pieces), measure(pieces))
        options.layouts.write_text(table_of(pieces), encoding="utf-8")
        (options.output / CONTIG_KINDS).write_text(text, encoding="utf-8")
    except (GenintError, OSError, ValueError) as error:
        print(f"error: {error}", file=sys.stderr)
        raise SystemExit(2) from error
    print(text)


def fit(pieces: Sequence[Piece]) -> ContigKinds:
    """Logistic regression with a ridge on standardised traits, both kinds of equal weight.

    Source: le Cessie & van Houwelingen 1992 (doi:10.2307/2347628).
    """
    if len({one.is_phage for one in pieces}) < 2:
        raise ValueError("phages and pieces of bacteria are needed, both")
    values = np.array([one.layout for one in pieces])
    mean, spread = values.mean(axis=0), values.std(axis=0) + 1e-9
    matrix = np.hstack([np.ones((len(pieces), 1)), (values - mean) / spread])
    phage = np.array([one.is_phage for one in pieces], dtype=np.float64)
    shares = np.where(phage == 1, 0.5 / phage.mean(), 0.5 / (1 - phage.mean()))
    ridge = np.diag([0.0, *[RIDGE] * values.shape[1]])
    weights = np.zeros(matrix.shape[1])
    for _ in range(_ROUNDS):
        told = 1.0 / (1.0 + np.exp(-(matrix @ weights)))
        slope = matrix.T @ (shares * (phage - told)) - ridge @ weights
        curve = (matrix.T * (shares * told * (1.0 - told))) @ matrix + ridge
        weights = weights + np.linalg.solve(curve, slope)
    by_unit = weights[1:] / spread
    start = float(weights[0] - by_unit @ mean)
    rounded = GeneLayout(*(_rounded(float(one)) for one in by_unit))
    return ContigKinds(VERSION, _rounded(start), rounded, PHAGE_FROM)


def _rounded(value: float) -> float:
    """Three digits: more would say more than the pieces do, and differ between machines."""
    return float(f"{value:.{_DIGITS}g}")


def left_out(pieces: Sequence[Piece]) -> Iterator[tuple[Piece, bool]]:
    """Each piece, and whether a model without its group takes it for a phage's."""
    for group in dict.fromkeys(one.group for one in pieces):
        model = fit([one for one in pieces if one.group != group])
        for one in pieces:
            if one.group == group:
                yield one, model.is_phage(one.layout)


def measure(pieces: Sequence[Piece]) -> dict[str, tuple[int, int]]:
    """By source: how many are taken for phages, and how many there are."""
    taken, all_ = Counter[str](), Counter[str]()
    for one, is_phage in left_out(pieces):
        taken[one.source] += is_phage
        all_[one.source] += 1
    return {source: (taken[source], number) for source, number in all_.items()}


def text_of(model: ContigKinds, measured: Mapping[str, tuple[int, int]]) -> str:
    """The file: the same model gives the same bytes."""
    weights = zip(GeneLayout._fields, model.weights, strict=True)
    lines = [
        _HEAD,
        f'version = "{model.version}"',
        f"phage_from = {model.phage_from}",
        "",
        "[log_odds]",
        f"start = {model.start}",
        *(f"{name} = {weight}" for name, weight in weights),
        "",
        "[taken_for_phages]",
        *(f'"{source}" = [{taken}, {number}]' for source, (taken, number) in measured.items()),
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
