"""How probable it is that a frame is a gene, addend by addend."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

import numpy as np

from genint.genes.features import Described, Which
from genint.genes.starts import Reals
from genint.knowledge.confidence import logistic
from genint.knowledge.rescue import FrameModel, RescueParameters
from genint.model.rescue import RescueKind, RescueTerm

_LIMIT = 0.999
"""No frame is surer than that: the models were fitted on some hundred genes."""
_PLACES = 3
_LEAST_SHOWN = 0.01


def log_odds(described: Described, parameters: RescueParameters, *, bacterium: bool) -> Reals:
    """What the models say of each frame, before its protein was searched.

    Returns:
        Natural log-odds that it is a gene.

    Cost: O(frames) per column.
    """
    summed = np.zeros(len(described.frames))
    for which in Which:
        mine = described.model == which
        summed[mine] = _summed(model_of(which, parameters), described)[mine]
    return summed + (parameters.in_bacteria if bacterium else 0.0)


def model_of(which: Which, parameters: RescueParameters) -> FrameModel:
    """The parameters of one model."""
    return {
        Which.BESIDE: parameters.beside,
        Which.NESTED: parameters.nested,
        Which.SQUEEZED: parameters.squeezed,
    }[which]


def _summed(model: FrameModel, described: Described) -> Reals:
    total = np.full(len(described.frames), model.prior)
    for name, column in model.columns.items():
        total += column.weight * (described.columns[name] - column.mean)
    return total


class Row(NamedTuple):
    """One frame and what was measured of it: what the words of an addend are made of."""

    described: Described
    row: int

    def column(self, name: str) -> float:
        """One measured number."""
        return float(self.described.columns[name][self.row])


def _start(seen: Row) -> str:
    frames, row = seen.described.frames, seen.row
    motif = frames.motif[row]
    site = f" behind the ribosome binding site {motif}" if motif else " without a binding site"
    scores = f"start score {frames.score[row]:.1f}, total {frames.total[row]:.1f}"
    return f"start {frames.codon[row]}{site}, {scores}"


def _coding(seen: Row) -> str:
    coding = seen.described.frames.coding[seen.row]
    usage = 10 * seen.column("usage")
    return (
        f"codons: coding score {coding:.1f}, {usage:+.1f} nats by the usage of this contig's genes"
    )


def _length(seen: Row) -> str:
    length_bp = int(seen.described.frames.length_bp[seen.row])
    chance = float(np.exp(-3 * seen.column("stop_free")))
    share = f"{chance:.0%}" if chance >= _LEAST_SHOWN else "fewer than 1%"
    return f"{length_bp} bp without a stop codon, as {share} of such stretches are by chance"


def _place(seen: Row) -> str:
    share = float(seen.described.host_share[seen.row])
    fill = seen.column("fill")
    strand = " on the other strand" if seen.column("opposite") > seen.column("same") else ""
    if fill > 0:
        inside = f", {share:.0%} of it inside a gene{strand}" if share else ""
        return f"it fills {fill:.0%} of a gap between genes{inside}"
    return f"{share:.0%} of it lie inside another gene{strand}"


def _coupling(seen: Row) -> str:
    if seen.column("up_coupled"):
        return "its start overlaps the stop codon of the gene before it, as in operons"
    if seen.column("up_near") or seen.column("down_near"):
        return "it lies close to its neighbours on the strand, as in operons"
    return "it lies apart from its neighbours on the strand"


_GROUPS: Final[Mapping[str, tuple[Callable[[Row], str], tuple[str, ...]]]] = MappingProxyType(
    {
        "start": (_start, ("site", "upstream", "codon", "weaker")),
        "codons": (_coding, ("coding", "coding_density", "usage")),
        "length": (_length, ("length", "not_short", "stop_free")),
        "place": (_place, ("new", "fill", "gap", "same", "opposite", "density")),
        "operon": (
            _coupling,
            ("up_coupled", "up_near", "down_coupled", "down_near", "flanked"),
        ),
    }
)
"""Columns that are told together, because they say one thing in several numbers."""


_PRIORS: Final = MappingProxyType(
    {
        Which.BESIDE: "a frame beside or between genes that is like those which are genes",
        Which.NESTED: "a frame mostly inside a gene that is like those which are genes",
        Which.SQUEEZED: "a frame that scores like a gene and is left out for its overlap or length"
        " alone",
    }
)


def terms(seen: Row, parameters: RescueParameters, *, bacterium: bool) -> tuple[RescueTerm, ...]:
    """The same for one frame as addends with their reasons, the prior first."""
    which = Which(int(seen.described.model[seen.row]))
    model = model_of(which, parameters)
    told = [RescueTerm(_PRIORS[which], round(model.prior, _PLACES))]
    if bacterium and parameters.in_bacteria:
        said = "in a bacterium fewer such frames are genes"
        told.append(RescueTerm(said, round(parameters.in_bacteria, _PLACES)))
    for words, names in _GROUPS.values():
        value = sum(
            model.columns[name].weight * (seen.column(name) - model.columns[name].mean)
            for name in names
            if name in model.columns
        )
        if value:
            told.append(RescueTerm(words(seen), round(value, _PLACES)))
    return tuple(told)


def probability(addends: Iterable[RescueTerm]) -> float:
    """Probability of a sum of addends, at most 0.999."""
    return min(_LIMIT, logistic(sum(one.log_odds for one in addends)))


def threshold_of(seen: Row, parameters: RescueParameters) -> float:
    """Probability from which a frame is a gene."""
    return model_of(Which(int(seen.described.model[seen.row])), parameters).threshold


def kind_of(described: Described, row: int) -> RescueKind:
    """How a frame lies to the calls."""
    if described.model[row] == Which.NESTED:
        return RescueKind.NESTED
    return RescueKind.OVERLAPPING if described.host[row] >= 0 else RescueKind.INTERGENIC
