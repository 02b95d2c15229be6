"""The arithmetic of a score as reports print it, so that a reader can redo it by hand.

Addends are rounded before they are summed: the printed sum is the sum of what is printed.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from genint.report.result import GeneItem, HypothesisItem

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
        """The reason with the evidence that it stands for."""
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
    """Such as ``+1.20`` and ``-0.35``."""
    return f"{log_odds:+.{_DECIMALS}f}"


def weight_words(gene: GeneItem, place: int) -> str | None:
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
            return "adds nothing, what it rests on is counted already"
        to = "" if rank == 0 else f" to “{hypothesis.function}”"
        return f"adds {signed(sum(weights))}{to}"
    return None
