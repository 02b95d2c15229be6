"""What the levels of confidence were measured to mean, in plain sentences.

Every report and the self-test say it in these words, so that they say the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from types import MappingProxyType
from typing import Final, Protocol

from genint.model.shares import percent, wilson
from genint.model.vocabulary import ConfidenceLevel, GenomeKind
from genint.report.result import UsedParameters

NOVEL: Final = "novel"
"""Measured with relatives hidden; the other regime is ``shipped``."""

_GENES: Final = MappingProxyType(
    {
        NOVEL: "genes that it had never seen",
        "shipped": "genes with everything that ships, relatives among it",
    }
)
_KINDS: Final = MappingProxyType({GenomeKind.PHAGE: "phages", GenomeKind.BACTERIUM: "bacteria"})
_OLD_RESULT: Final = (
    "What the levels mean is not told: the result is of a format that had no place for it."
)


class Counted(Protocol):
    """How often claims of a level were right, as parameters and results hold it."""

    @property
    def level(self) -> ConfidenceLevel: ...  # noqa: D102 - said above

    @property
    def regime(self) -> str: ...  # noqa: D102 - said above

    @property
    def right(self) -> int: ...  # noqa: D102 - said above

    @property
    def full(self) -> int: ...  # noqa: D102 - said above

    @property
    def judged(self) -> int: ...  # noqa: D102 - said above


_STATED = (
    "These figures are of genes without evidence of UniProt and InterPro, whose weights are "
    "stated, not fitted: with such evidence the levels were not measured."
)


def levels_in_words(used: UsedParameters) -> tuple[str, ...]:
    """What the levels of a result mean: what was measured, then a sentence for each level.

    A single sentence where nothing was measured for this mode and kind of genome; where
    services were asked, one more on what their evidence weighs.
    """
    if used.genome_kind is None:
        return (_OLD_RESULT,)
    told = told_levels(used.confidence_mode or used.mode, used.genome_kind, used.levels)
    return (*told, _STATED) if used.online_services else told


def told_levels(mode: str, kind: GenomeKind, measured: Sequence[Counted]) -> tuple[str, ...]:
    """The same for a mode and a kind of genome.

    Args:
        mode: ``offline``, ``local`` or ``online``.
        kind: Of the genome.
        measured: For these two, any regimes.
    """
    if not measured:
        return (f"What the levels mean has not been measured for {_KINDS[kind]} in {mode} mode.",)
    intro = (
        f"What the levels were measured to mean for {_KINDS[kind]} in {mode} mode, on genomes "
        "held out of the fit and without their annotation; right is what holds as far as it "
        "goes: the function of the record, or a wider class that it belongs to:"
    )
    return (intro, *_by_regime(measured))


def _by_regime(measured: Iterable[Counted]) -> Iterable[str]:
    """Genes that were never seen first: new genomes are like them."""
    return map(level_sentence, sorted(measured, key=lambda one: one.regime != NOVEL))


def level_sentence(one: Counted) -> str:
    """How often a level was right, with the interval that this many genes allow.

    Such as ``HIGH was right for 312 of 325 genes that it had never seen (96%, 95% interval
    93% to 98%), 290 of them as precise as the record.``
    """
    if not one.judged:
        return f"{one.level} was given to none of the {_GENES[one.regime]} that can be judged."
    low, high = wilson(one.right, one.judged)
    return (
        f"{one.level} was right for {one.right:,} of {one.judged:,} {_GENES[one.regime]} "
        f"({percent(one.right / one.judged)}, 95% interval {percent(low)} to {percent(high)}), "
        f"{one.full:,} of them as precise as the record."
    )
