"""Which hypothesis leads, why the others lost, and names that exclude one another.

Within a level the ceilings of scores tell nothing apart, so hypotheses are compared by
their log-odds as they were before.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from enum import IntEnum
from typing import Final

from genint.model.evidence import Evidence
from genint.model.interpretation import Hypothesis
from genint.model.vocabulary import ConfidenceLevel, EvidenceType, Specificity

CEILING: Final = "ceiling"
"""Start of the reason of the addend that brings a sum down to its ceiling."""
BORNE_OUT: Final = frozenset({ConfidenceLevel.HIGH, ConfidenceLevel.MODERATE})
"""Levels of names that the evidence bears out."""
_PARTS = frozenset({Specificity.DOMAIN, Specificity.CATEGORY})
_STATED = frozenset({"annotation", "annotation_experiment"})
"""Classes of names that the file gives outright."""
_SAME_STRETCH = 0.5
"""Share of the shorter of two stretches that lies in the other."""


class _Place(IntEnum):
    """Names that the evidence bears out, then everything else."""

    HIGH = 0
    STATED = 1
    NAMED = 2
    UNPROVEN = 3


def ranked(hypotheses: Sequence[Hypothesis]) -> tuple[Hypothesis, ...]:
    """Best first, each with the reason for its place."""
    if not hypotheses:
        return ()
    best, *others = sorted(hypotheses, key=_rank)
    judged = [replace(best, verdict=_why_first(alone=not others))]
    judged.extend(replace(rival, verdict=_why_behind(rival, best)) for rival in others)
    return tuple(judged)


def uncapped_log_odds(hypothesis: Hypothesis) -> float:
    """The sum of what speaks for a hypothesis and against it, before any ceiling."""
    terms = (term for term in hypothesis.terms if not term.reason.startswith(CEILING))
    return round(sum(term.log_odds for term in terms), 4)


def excluded_name(hypotheses: Sequence[Hypothesis], conflicts: Sequence[str]) -> Hypothesis | None:
    """The next hypothesis that names the whole protein as the leading one does, otherwise.

    Args:
        hypotheses: Best first.
        conflicts: Contradictions that are told anyway.

    Returns:
        None unless both rest on sound evidence of the same stretch, at least one of them on
        a similar protein: of the file's names and those of families the rules are older,
        and names of the two that differ are mostly wordings of one thing.
    """
    best = hypotheses[0]
    if best.specificity is not Specificity.PROTEIN or not best.types:
        return None
    for rival in hypotheses[1:]:
        told = any(f"“{rival.claim}”" in text and f"“{best.claim}”" in text for text in conflicts)
        if (
            rival.specificity is Specificity.PROTEIN
            and rival.types
            and EvidenceType.HOMOLOGY in best.types | rival.types
            and not told
            and _same_stretch(best.evidence[0], rival.evidence[0])
        ):
            return rival
    return None


def _same_stretch(one: Evidence, other: Evidence) -> bool:
    """Whether two observations are of the same residues; the file's name is of all of them."""
    ours, theirs = one.measured, other.measured
    if ours.protein_from is None or ours.protein_to is None:
        return True
    if theirs.protein_from is None or theirs.protein_to is None:
        return True
    first = max(ours.protein_from, theirs.protein_from)
    last = min(ours.protein_to, theirs.protein_to)
    shorter = min(ours.protein_to - ours.protein_from, theirs.protein_to - theirs.protein_from)
    return last - first + 1 >= _SAME_STRETCH * (shorter + 1)


def _rank(hypothesis: Hypothesis) -> tuple[int, float, int, str]:
    """What names a function first, where it is sure enough; then whatever is surest.

    A domain and the function of the protein that it sits in are both right, and the
    function says more. So a name that the evidence bears out comes before what is surer but
    says less, and a name that it does not bear out comes behind it. Within a level the name
    that the file gives to this very protein comes before what relatives are called.
    """
    level = ConfidenceLevel.of(hypothesis.score)
    if hypothesis.specificity in _PARTS or level not in BORNE_OUT:
        place = _Place.UNPROVEN
    elif level is ConfidenceLevel.HIGH:
        place = _Place.HIGH
    else:
        place = _Place.STATED if _is_stated(hypothesis) else _Place.NAMED
    return (
        place,
        -uncapped_log_odds(hypothesis),
        hypothesis.specificity.rank,
        hypothesis.claim,
    )


def _is_stated(hypothesis: Hypothesis) -> bool:
    """Whether the file names this function without a hedge."""
    return any(item.strength in _STATED for item in hypothesis.evidence)


def _why_first(*, alone: bool) -> str:
    if alone:
        return "the only hypothesis that the evidence proposes"
    return "says most of the protein among what is sound"


def _why_behind(rival: Hypothesis, best: Hypothesis) -> str:
    behind = f"{best.score:.2f} against {rival.score:.2f}"
    ours, theirs = uncapped_log_odds(best), uncapped_log_odds(rival)
    if theirs >= ours:
        if rival.specificity in _PARTS and best.specificity not in _PARTS:
            return f"says less of the protein ({behind})"
        if _is_stated(best):
            return f"at the same level as the name that the file gives ({behind})"
    if len(rival.types) < len(best.types):
        return f"fewer independent types of evidence support it ({behind})"
    if theirs < ours:
        if f"{best.score:.2f}" == f"{rival.score:.2f}":
            behind = f"log-odds {ours:.2f} against {theirs:.2f} before any ceiling"
        return f"weaker evidence ({behind})"
    if rival.specificity.rank > best.specificity.rank:
        return f"says less of the protein at the same level ({behind})"
    return f"as well founded, so that the order of the two says nothing ({behind})"
