"""What the levels of confidence were measured to mean, in plain sentences.

Every report and the self-test say it in these words, so that they say the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from types import MappingProxyType
from typing import Final, NamedTuple, Protocol

from genint.model.rescue import percent, wilson
from genint.model.vocabulary import ConfidenceLevel, GenomeKind
from genint.report.result import GeneItem
from genint.report.result_gene import HypothesisItem
from genint.report.result_run import RecordKindItem, UsedParameters

_DECIMALS: Final = 2


class PrintedTerm(NamedTuple):
    """One addend of a score.

    Attributes:
        reason: What it is for.
        log_odds: As printed, with two decimals.
        number: Of the evidence that it is the weight of, from 1; None for other addends.
    """

    reason: str
    log_odds: float
    number: int | None

    @property
    def what(self) -> str:
        """The reason with the evidence that it rests on."""
        return self.reason if self.number is None else f"{self.reason} (evidence {self.number})"


def printed_terms(hypothesis: HypothesisItem) -> tuple[PrintedTerm, ...]:
    """The addends of a score."""
    return tuple(
        PrintedTerm(
            term.reason,
            round(term.log_odds, _DECIMALS),
            None if term.evidence is None else term.evidence + 1,
        )
        for term in hypothesis.terms
    )


def printed_sum(hypothesis: HypothesisItem) -> float:
    """The sum of the printed addends."""
    return round(sum(term.log_odds for term in printed_terms(hypothesis)), _DECIMALS)


def signed(log_odds: float) -> str:
    """Such as ``+1.20`` and ``-0.35``; what rounds to nothing is ``+0.00``."""
    return f"{round(log_odds, _DECIMALS) + 0.0:+.{_DECIMALS}f}"


def weight_text(gene: GeneItem, place: int) -> str | None:
    """What an observation adds, and to which function, in words.

    Args:
        gene: With its evidence and hypotheses.
        place: Position of the observation in its evidence.

    Returns:
        None where the result does not tell (schema below 1.4).
    """
    for rank, hypothesis in enumerate(gene.hypotheses):
        numbered = [term for term in printed_terms(hypothesis) if term.number is not None]
        if place not in hypothesis.evidence or not numbered:
            continue
        weights = [term.log_odds for term in numbered if term.number == place + 1]
        if not weights:
            return "adds nothing, its source is counted already"
        to = "" if rank == 0 else f" to “{hypothesis.function}”"
        return f"adds {signed(sum(weights))}{to}"
    return None


NOVEL: Final = "novel"
"""Measured with relatives hidden; the other regime is ``shipped``."""

_KINDS: Final = MappingProxyType({GenomeKind.PHAGE: "phages", GenomeKind.BACTERIUM: "bacteria"})
_TAKEN_FOR: Final = MappingProxyType(
    {
        GenomeKind.PHAGE: "phages or pieces of them",
        GenomeKind.BACTERIUM: "bacteria or pieces of them",
    }
)
_OLD_RESULT: Final = (
    "What the levels mean is not known: the result has an older format without these figures."
)


class Counted(Protocol):
    """How often claims of a level were right, as parameters and results hold it."""

    @property
    def level(self) -> ConfidenceLevel: ...  # noqa: D102 - described above

    @property
    def regime(self) -> str: ...  # noqa: D102 - described above

    @property
    def right(self) -> int: ...  # noqa: D102 - described above

    @property
    def full(self) -> int: ...  # noqa: D102 - described above

    @property
    def judged(self) -> int: ...  # noqa: D102 - described above


_FEWEST_CALLS: Final = 20
"""Fewer calls than these say too little for a percentage."""
_STATED = (
    "These figures are for genes without evidence from UniProt and InterPro. The weights of "
    "such evidence were set, not fitted, and the levels were not measured with it."
)


def level_sentences(used: UsedParameters) -> tuple[str, ...]:
    """What the levels of a result mean: what was measured, then a sentence for each level.

    A single sentence where nothing was measured for this mode and kind of genome; where
    services were queried, one more on what their evidence weighs.
    """
    if used.genome_kind is None:
        return (_OLD_RESULT,)
    mode = used.confidence_mode or used.mode
    if used.record_kinds:
        total = sum(len(one.records) for one in used.record_kinds)
        sentences: tuple[str, ...] = (_MIXED,)
        for one in used.record_kinds:
            told = measured_level_sentences(mode, one.genome_kind, one.levels)
            sentences += (_records_sentence(one, total), *told)
    else:
        sentences = measured_level_sentences(mode, used.genome_kind, used.levels)
    return (*sentences, _STATED) if used.online_services else sentences


_MIXED: Final = (
    "The file holds records of bacteria and of phages; each was judged by the figures of its kind."
)
_MOST_RECORDS: Final = 12
"""More ids than these are in the JSON result."""
_PLAIN_ID: Final = re.compile(r"[\w.:+-]{1,60}", re.ASCII)
"""What is the same text in every format; other ids are in the JSON result."""


def _records_sentence(one: RecordKindItem, total: int) -> str:
    """How many records were taken for a kind, and which."""
    shown = [name for name in one.records if _PLAIN_ID.fullmatch(name)][:_MOST_RECORDS]
    count = len(one.records)
    left = count - len(shown)
    names = " and ".join((*filter(None, [", ".join(shown)]), *([f"{left} more"] if left else [])))
    were = "was" if count == 1 else "were"
    return f"{count} of {total} records {were} taken for {_TAKEN_FOR[one.genome_kind]}: {names}."


def measured_level_sentences(
    mode: str, kind: GenomeKind, measured: Sequence[Counted]
) -> tuple[str, ...]:
    """The same for a mode and a kind of genome.

    Args:
        mode: ``offline``, ``local`` or ``online``.
        kind: Of the genome.
        measured: For these two, any regimes.
    """
    if not measured:
        return (f"What the levels mean has not been measured for {_KINDS[kind]} in {mode} mode.",)
    intro = (
        f"What the levels mean, tested for {_KINDS[kind]} in {mode} mode on annotated genomes "
        "with their annotation hidden. A call is correct if it names the function in the record, "
        "or a wider class that this belongs to:"
    )
    return (intro, *_by_regime(measured, kind))


def _by_regime(measured: Iterable[Counted], kind: GenomeKind) -> Iterable[str]:
    """Unseen genomes first: a user's genome is like them."""
    ordered = sorted(measured, key=lambda one: one.regime != NOVEL)
    return (level_sentence(one, kind) for one in ordered)


def level_sentence(one: Counted, kind: GenomeKind) -> str:
    """How often calls of a level were correct, with the interval that this many genes allow.

    Such as ``In tests on unseen phages 96% of HIGH calls were correct (312 of 325; 95% interval
    93% to 98%); 89% were as precise as the record.``
    """
    genomes = f"unseen {_KINDS[kind]}"
    if one.regime != NOVEL:
        genomes = f"{_KINDS[kind]} with relatives that genint knows"
    if not one.judged:
        return f"In tests on {genomes} no {one.level} call could be judged."
    if one.judged < _FEWEST_CALLS:
        were, calls = ("was", "call") if one.judged == 1 else ("were", "calls")
        return (
            f"In tests on {genomes} there {were} only {one.judged} {one.level} {calls}, too few "
            "tests to say how often such calls are correct."
        )
    low, high = wilson(one.right, one.judged)
    return (
        f"In tests on {genomes} {percent(one.right / one.judged)} of {one.level} calls were "
        f"correct ({one.right:,} of {one.judged:,}; 95% interval {percent(low)} to "
        f"{percent(high)}); {percent(one.full / one.judged)} were as precise as the record."
    )
