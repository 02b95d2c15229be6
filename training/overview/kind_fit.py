"""What the genes of a record tell of its kind: fitted, and judged on groups that were left out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np

from genint.knowledge.prophages import Judged
from genint.knowledge.record_kinds import KindTraits, RecordKinds, Sureness
from training.overview.kind_material import SIZES_BP, Piece

VERSION = "1"
CLEAR = 0.8
"""Chosen: below, the kind is called unknown."""
RIDGE: Final = 1.0
_NEITHER: Final = 0.5
"""Where no gene of the likelier kind is recognised."""
_ROUNDS: Final = 40
_DIGITS: Final = 3
_HEAD = """\
# What the genes of a record tell of its kind. Fitted, not written by hand:
# python -m training.overview.record_kinds
#
# Log-odds of a phage against a piece of a bacterium for one unit of each share of the genes.
# `judged`: pieces of such a length of groups that were left out of the fit: those that were named
# rightly, and all that were named, by the kind that they were taken for.
"""


class Answer(NamedTuple):
    """A piece, and the probability of a phage by a model that knows nothing of its group."""

    piece: Piece
    phage: float


def fit(pieces: Sequence[Piece]) -> RecordKinds:
    """Logistic regression with a ridge on standardised shares, all groups of a kind equal.

    Source: le Cessie & van Houwelingen 1992 (doi:10.2307/2347628).
    """
    if len({one.is_phage for one in pieces}) < 2:
        raise ValueError("phages and pieces of bacteria are needed, both")
    values = np.array([one.traits for one in pieces])
    mean, spread = values.mean(axis=0), values.std(axis=0) + 1e-9
    matrix = np.hstack([np.ones((len(pieces), 1)), (values - mean) / spread])
    phage = np.array([one.is_phage for one in pieces], dtype=np.float64)
    shares = _weights(pieces)
    ridge = np.diag([0.0, *[RIDGE] * values.shape[1]])
    weights = np.zeros(matrix.shape[1])
    for _ in range(_ROUNDS):
        told = 1.0 / (1.0 + np.exp(-(matrix @ weights)))
        slope = matrix.T @ (shares * (phage - told)) - ridge @ weights
        curve = (matrix.T * (shares * told * (1.0 - told))) @ matrix + ridge
        weights = weights + np.linalg.solve(curve, slope)
    by_unit = weights[1:] / spread
    start = float(weights[0] - by_unit @ mean)
    rounded = KindTraits(*(_rounded(float(one)) for one in by_unit))
    return RecordKinds(VERSION, _rounded(start), rounded, CLEAR, ())


def _weights(pieces: Sequence[Piece]) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Each group of a kind weighs the same, and both kinds do; all together as many as pieces."""
    groups = [(one.is_phage, one.group) for one in pieces]
    sizes = {group: groups.count(group) for group in set(groups)}
    of_kind = {kind: sum(k is kind for k, _ in sizes) for kind in (True, False)}
    return np.array([len(pieces) / (2 * of_kind[g[0]] * sizes[g]) for g in groups])


def _rounded(value: float) -> float:
    """Three digits: more would say more than the pieces do, and differ between machines."""
    return float(f"{value:.{_DIGITS}g}")


def left_out(pieces: Sequence[Piece]) -> Iterator[Answer]:
    """Each piece, by a model without its group."""
    for group in dict.fromkeys(one.group for one in pieces):
        model = fit([one for one in pieces if one.group != group])
        for one in pieces:
            if one.group == group:
                phage = model.phage_probability(one.traits)
                shown = one.traits.shows_phage if phage > _NEITHER else one.traits.bacterial
                yield Answer(one, phage if shown else _NEITHER)


def sureness_of(answers: Sequence[Answer]) -> tuple[Sureness, ...]:
    """By length: of the pieces that were taken for a kind, those that are of it."""
    found = []
    for least_bp, size_bp in zip((0, *SIZES_BP[1:]), SIZES_BP, strict=True):
        here = [one for one in answers if one.piece.size_bp == size_bp]
        phages = [one.piece.is_phage for one in here if one.phage >= CLEAR]
        bacteria = [not one.piece.is_phage for one in here if one.phage <= 1 - CLEAR]
        judged = Judged(sum(phages), len(phages)), Judged(sum(bacteria), len(bacteria))
        found.append(Sureness(least_bp, *judged))
    return tuple(found)


def text_of(model: RecordKinds, sureness: Sequence[Sureness]) -> str:
    """The file: the same model gives the same bytes."""
    lines = [f'\nversion = "{model.version}"', f"clear = {model.clear}", "\n[log_odds]"]
    lines.append(f"start = {model.start}")
    pairs = zip(KindTraits._fields, model.weights, strict=True)
    lines += [f"{name} = {weight}" for name, weight in pairs]
    for one in sureness:
        lines.append(f"\n[[judged]]\nleast_bp = {one.least_bp}")
        lines.append(f"phage = {list(one.phage)}\nbacterium = {list(one.bacterium)}")
    return _HEAD + "\n".join(lines) + "\n"


def figures_of(answers: Sequence[Answer]) -> str:
    """The text of ``kinds.md``."""
    rows = "\n".join(_rows(answers))
    return f"""\
# Kind of a contig by its genes

Made by `python -m training.overview.record_kinds`; not written by hand. Phages, and bacteria
without their prophages, cut into pieces; annotations hidden, and the families hidden that have
their names from proteins of the genome itself alone. Each piece is judged by a model that knows
nothing of its genus, or of its phage and its near relatives. A kind is named from a probability
of {CLEAR} on, where at least one gene is recognised as one of that kind.
Plasmids take no part: there is one at hand, too few to measure.

| kind | size | pieces | phage | bacterium | unknown |
|---|---|---|---|---|---|
{rows}
"""


def _rows(answers: Sequence[Answer]) -> Iterator[str]:
    for is_phage, kind in ((True, "phage"), (False, "bacterium")):
        for size_bp in SIZES_BP:
            here = [
                one.phage
                for one in answers
                if one.piece.is_phage is is_phage and one.piece.size_bp == size_bp
            ]
            phages = sum(one >= CLEAR for one in here)
            bacteria = sum(one <= 1 - CLEAR for one in here)
            unknown = len(here) - phages - bacteria
            size = f"{size_bp // 1000} kb"
            yield f"| {kind} | {size} | {len(here)} | {phages} | {bacteria} | {unknown} |"
