"""What is measured of frames that the gene finder leaves out, for the models of rescue.

The columns are those of ``genint/knowledge/data/rescue.toml``: numbers that are cut off
where they stop meaning anything, so that none of them outweighs all others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

import numpy as np

from genint.genes import codon_usage
from genint.genes.layout import Placed
from genint.genes.starts import Integers, Reals, Starts
from genint.genes.surroundings import (
    Calls,
    Distances,
    Overlaps,
    between,
    covered_share,
    distances,
    gaps,
    overlaps,
)

NESTED_SHARE = 0.70
"""Share of a frame inside one call from which it counts as nested in it."""
_TOTAL_BELOW_START = 12
"""By so much the total score of nested genes lies below that of their start: the codons are
the host's. 5 and 20 were tried too, and fitted held-out genomes less well."""
_DENSE = 0.9
"""Share of a contig inside genes above which nothing more is said of a gap that is left."""
_AT_HOME = 0.7
"""Share of a contig inside genes from which the finder's scores are taken at their word: the
annotated phages measured have 0.76 and more, reversed ones 0.28 to 0.68."""
_SHORT_BP = 90
"""Prodigal's own least length of a gene."""
_SQUEEZED_BP = 75
_SQUEEZED_SCORE = 2.0
_COUPLED_BP = (-4, -1)
"""Stop and start codon that share bases: ATGA, TAATG."""
_NEAR_BP = (-30, 20)
"""Between the stop of one gene and the start of the next in an operon: most lie so near."""


class Which(IntEnum):
    """The model that a frame is judged by."""

    BESIDE = 0
    """It overlaps genes less, or lies between them."""
    NESTED = 1
    """Mostly inside one gene."""
    SQUEEZED = 2
    """It scores like a gene of the finder, which refuses overlaps above 60 bases on a strand and
    genes below 90 bases; phages break both."""


@dataclass(frozen=True, slots=True, eq=False)
class Described:
    """Frames with what was measured of them.

    Attributes:
        frames: Frames with a stop codon of their own, several starts for each.
        host: Number of the call that each shares most bases with; -1: none.
        host_share: Share of its bases inside that call, 0..1.
        model: Which of the models a frame is for: one of ``Which``.
        columns: By name, one number a frame.
    """

    frames: Starts
    host: Integers
    host_share: Reals
    model: Integers
    columns: dict[str, Reals]

    def take(self, rows: Integers) -> Described:
        """Some of the rows."""
        return Described(
            self.frames.take(rows),
            self.host[rows],
            self.host_share[rows],
            self.model[rows],
            {name: column[rows] for name, column in self.columns.items()},
        )


def describe(
    bases: str, code: int, calls: Sequence[Placed], starts: Starts, *, circle: bool
) -> Described:
    """Measure all frames of a contig that end in a stop codon which no call has.

    Args:
        bases: The contig.
        code: NCBI genetic code.
        calls: Base calls, by position.
        starts: Of all frames.
        circle: The contig has no ends.

    Cost: 15 ms for lambda (2,600 starts), 3 s for E. coli.
    """
    codons = codon_usage.Codons.of(bases, code, circle=circle)
    taken = {2 * end + (strand > 0) for end, strand in (c.stop(len(bases)) for c in calls)}
    free = ~np.isin(starts.stops(len(bases)), np.array(sorted(taken), dtype=np.int64))
    starts = starts.take(free)
    starts = starts.take(codons.is_stop[codons.last(starts.start, starts.end, starts.strand)])
    columns = Calls.of(calls, len(bases), circle=circle)
    chances = np.array([codon_usage.stop_chances(codons, call) for call in calls]).reshape(-1, 6)
    over = overlaps(starts, columns, chances, codon_usage.chance_outside(codons))
    free_bases = gaps(starts, columns, len(bases), circle=circle)
    near = distances(starts, columns)
    ratio = codon_usage.usage(codons, calls)
    likeness = codon_usage.likeness(codons, ratio, starts.start, starts.end, starts.strand)
    length_bp = starts.length_bp
    measured = {
        "site": np.clip(starts.site, -12, 14) / 10,
        "upstream": np.clip(starts.upstream, -6, 3) / 5,
        "codon": np.clip(starts.kind, -12, 5) / 5,
        "start": np.clip(starts.score, -15, 20) / 10,
        "coding": np.clip(starts.coding, -25, 15) / 10,
        "coding_density": np.clip(100 * starts.coding / length_bp, -15, 15) / 10,
        "weaker": _weaker(starts, over.opposite_share),
        "usage": np.clip(likeness, -15, 15) / 10,
        "length": np.log(length_bp / 100),
        "not_short": (length_bp >= _SHORT_BP).astype(np.float64),
        "stop_free": np.clip(over.nats, 0, 8) / 3,
        "new": free_bases.new_share,
        "fill": free_bases.fill,
        "gap": np.log(np.maximum(free_bases.gap_bp, 30) / 100),
        "density": np.full(len(starts), min(covered_share(columns, len(bases)), _DENSE)),
        "same": over.same_share,
        "opposite": over.opposite_share,
        **_coupling(near, free_bases.gap_bp),
    }
    model = _models(starts, over, covered_share(columns, len(bases)))
    return Described(starts, over.host, over.host_share, model, measured)


def _models(starts: Starts, over: Overlaps, density: float) -> Integers:
    model = np.where(over.host_share >= NESTED_SHARE, Which.NESTED, Which.BESIDE)
    squeezed = (
        (over.host >= 0)
        & (over.host_share < NESTED_SHARE)
        & (over.opposite_share == 0)
        & (starts.length_bp >= _SQUEEZED_BP)
        & (starts.total >= 0)
        & (starts.score >= _SQUEEZED_SCORE)
        & (density >= _AT_HOME)
    )
    return np.where(squeezed, Which.SQUEEZED, model)


def _weaker(starts: Starts, opposite_share: Reals) -> Reals:
    """The lesser of start and total score, each from where frames begin to be genes.

    Inside a gene a strong start on codons that no gene would use is as little worth as
    gene-like codons behind a start that no ribosome finds: the weaker of both decides. On
    the strand opposite to a gene both mirror that gene: 0.
    """
    both = np.clip(np.minimum(starts.score, starts.total + _TOTAL_BELOW_START), -10, 20) / 10
    return np.where(opposite_share == 0, both, 0.0)


def _coupling(near: Distances, gap_bp: Integers) -> dict[str, Reals]:
    """Neighbours in the operon: touching (ATGA, TAATG), close, on both sides."""
    reach = np.maximum(60, gap_bp)
    columns = {
        "up_coupled": np.isin(near.up_bp, _COUPLED_BP),
        "up_near": between(near.up_bp, *_NEAR_BP),
        "down_coupled": np.isin(near.down_bp, _COUPLED_BP),
        "down_near": between(near.down_bp, *_NEAR_BP),
        "flanked": (near.up_bp <= reach) & (near.down_bp <= reach),
    }
    return {name: column.astype(np.float64) for name, column in columns.items()}
