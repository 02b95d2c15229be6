"""Starts inside annotated genes, and whether the record has their product as a gene too."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from genint.genes.orf_candidates import measure_internal_starts
from training.genes.examples import Frames, frames_of
from training.genes.fitting import DECOY_WEIGHT, Table


class Internal(NamedTuple):
    """Starts of several genomes.

    Attributes:
        table: As the model sees them; each start stands for itself.
        group: Name of the group of each.
    """

    table: Table
    group: NDArray[np.object_]


def internal_examples(frames: Sequence[Frames]) -> Internal:
    """All starts inside calls whose stop codon the record has too.

    A start that the record has as the only one of the gene is no example: there the call
    is too long.
    """
    columns: dict[str, list[float]] = defaultdict(list)
    is_product: list[bool] = []
    groups: list[str] = []
    weights: list[float] = []
    for one in frames:
        contig_bp = len(one.settled.contig)
        found = measure_internal_starts([frames_of(one.settled)])
        stops = found.starts.stops(contig_bp).tolist()
        for row, (stop, length_bp) in enumerate(
            zip(stops, found.starts.length_bp.tolist(), strict=True)
        ):
            lengths = sorted(one.lengths.get(stop, ()))
            shorter = lengths[:-1]
            if not lengths or (length_bp in lengths and length_bp not in shorter):
                continue
            for name, column in found.columns.items():
                columns[name].append(float(column[row]))
            is_product.append(length_bp in shorter)
            groups.append(one.group.name)
            weights.append(DECOY_WEIGHT if one.is_decoy else 1.0)
    listed = np.empty(len(groups), dtype=np.object_)
    listed[:] = groups
    table = Table(
        {name: np.array(column) for name, column in columns.items()},
        np.arange(len(groups), dtype=np.int64),
        np.array(is_product, dtype=np.bool_),
        np.array(weights),
    )
    return Internal(table, listed)
