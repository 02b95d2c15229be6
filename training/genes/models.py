"""The models: what they may use, how hard they are drawn towards nothing, and their fits."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from genint.genes.orf_features import FrameClass
from genint.knowledge.rescue import FrameModel
from training.genes.examples import Frames
from training.genes.fitting import (
    DECOY_WEIGHT,
    Table,
    first_of_each,
    fit,
    log_odds,
    offset,
)
from training.genes.internal import internal_examples

OUTSIDE: Final = (
    *("site", "upstream", "codon", "coding", "coding_density", "usage", "length", "not_short"),
    *("stop_free", "new", "fill", "gap", "same", "opposite", "density"),
    *("up_coupled", "up_near", "down_coupled", "down_near", "flanked"),
)
NESTED: Final = ("weaker", "opposite", "stop_free")
INTERNAL: Final = ("score", "strong")
COLUMNS: Final = MappingProxyType(
    {FrameClass.OUTSIDE: OUTSIDE, FrameClass.NESTED: NESTED, FrameClass.FILTERED: ()}
)
_RIDGE_OUTSIDE, _RIDGE_NESTED, _RIDGE_INTERNAL = 2.0, 1.0, 1.0
"""Of 0.5, 1, 2 and 4 those with the least loss, or nearly so, on groups left out."""
THRESHOLD_OUTSIDE, THRESHOLD_NESTED, THRESHOLD_INTERNAL = 0.6, 0.3, 0.6
"""Probabilities from which a frame is a gene. Beside genes: three in five, since a wrong gene is
worse than none. Inside genes: less is asked for, since these are the genes that were asked for
and hardly any frame gets so far: with each group left out one wrong one does. Starts inside
genes: only where the function of the gene speaks for one too, as strong starts are found in
shuffled genes as well. Decoys bound all (see ``figures.md``)."""
_THRESHOLD_FILTERED = 0.5
LEAST: Final = 0.02
_MOST_IN_BACTERIA = 0.0


class Models(NamedTuple):
    """Fits.

    Attributes:
        nested: For frames mostly inside a gene.
        outside: For the others.
        filtered: For frames that score like genes and are left out for a limit alone.
        internal: For starts inside a gene, in its own frame.
        in_bacteria: Log-odds added there.
    """

    nested: FrameModel
    outside: FrameModel
    filtered: FrameModel
    internal: FrameModel
    in_bacteria: float


def table_of(frames: Sequence[Frames], which: FrameClass) -> tuple[Table, NDArray[np.int64]]:
    """Frames of one model as a table, and which of the genomes each row comes from."""
    names = COLUMNS[which]
    kept = [(one.described.model == which) & one.is_known for one in frames]
    columns = {
        name: np.concatenate(
            [one.described.columns[name][rows] for one, rows in zip(frames, kept, strict=True)]
        )
        for name in names
    }
    source = np.concatenate([np.full(int(rows.sum()), at) for at, rows in enumerate(kept)])
    apart = 2 * max(len(one.settled.contig) for one in frames) + 2
    stop = np.concatenate([one.stop[rows] for one, rows in zip(frames, kept, strict=True)])
    is_gene = np.concatenate([one.is_gene[rows] for one, rows in zip(frames, kept, strict=True)])
    weights = [DECOY_WEIGHT if one.is_decoy else 1.0 for one in frames]
    weight = np.concatenate(
        [np.full(int(rows.sum()), one) for rows, one in zip(kept, weights, strict=True)]
    )
    return Table(columns, stop + apart * source, is_gene, weight), source


def fit_models(frames: Sequence[Frames], bacteria: Sequence[Frames]) -> Models:
    """All models from some genomes.

    Args:
        frames: Of phages.
        bacteria: Of bacteria, for the offset.

    Cost: 1 s without bacteria.
    """
    genomes = [one for one in frames if not one.is_decoy]
    # A shuffled gene has frames inside as real ones have: decoys teach nothing of them.
    nested = fit(table_of(genomes, FrameClass.NESTED)[0], NESTED, _RIDGE_NESTED, THRESHOLD_NESTED)
    outside = fit(
        table_of(frames, FrameClass.OUTSIDE)[0], OUTSIDE, _RIDGE_OUTSIDE, THRESHOLD_OUTSIDE
    )
    internal = fit(internal_examples(frames).table, INTERNAL, _RIDGE_INTERNAL, THRESHOLD_INTERNAL)
    filtered = _counted(table_of(frames, FrameClass.FILTERED)[0])
    fitted = Models(nested, outside, filtered, internal, 0.0)
    return fitted._replace(in_bacteria=_in_bacteria(fitted, bacteria))


def _counted(table: Table) -> FrameModel:
    """The share of genes among frames, half a frame added on either side."""
    rows = first_of_each(table, np.zeros(len(table)))
    rows = rows[table.weight[rows] == 1]
    genes = int(table.is_gene[rows].sum())
    odds = (genes + 0.5) / (len(rows) - genes + 0.5)
    return FrameModel(round(math.log(odds), 4), _THRESHOLD_FILTERED, {})


def columns_of(models: Models, which: FrameClass) -> FrameModel:
    """One of the models."""
    return {
        FrameClass.OUTSIDE: models.outside,
        FrameClass.NESTED: models.nested,
        FrameClass.FILTERED: models.filtered,
    }[which]


def _in_bacteria(models: Models, bacteria: Sequence[Frames]) -> float:
    """By how much less likely frames are genes there, all together."""
    if not bacteria:
        return _MOST_IN_BACTERIA
    odds, is_gene = [], []
    for which in FrameClass:
        table, _ = table_of(bacteria, which)
        said = log_odds(columns_of(models, which), table.columns, len(table))
        rows = first_of_each(table, said)
        odds.append(said[rows])
        is_gene.append(table.is_gene[rows])
    return min(_MOST_IN_BACTERIA, offset(np.concatenate(odds), np.concatenate(is_gene)))


def without_each(frames: Sequence[Frames], bacteria: Sequence[Frames]) -> Mapping[str, Models]:
    """The models fitted without each group, by its name."""
    groups = sorted({one.group.name for one in (*frames, *bacteria)})
    return {
        name: fit_models(
            [one for one in frames if one.group.name != name],
            [one for one in bacteria if one.group.name != name],
        )
        for name in groups
    }
