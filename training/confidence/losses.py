"""Where names get lost: what genes that are not named in full got instead.

Each gene whose record says something has one outcome. What could be won without more knowledge
are genes whose evidence has the right name in full, which does not lead or is only a part's.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from enum import StrEnum

from genint.knowledge.confidence import Setting
from genint.model.vocabulary import Specificity
from training.confidence.measuring import Told


class Outcome(StrEnum):
    """What a gene got; the first that fits."""

    NOTHING = "no hypothesis"
    UNJUDGED = "a claim that the record cannot judge"
    NAMED = "a name as precise as the record"
    CLASS = "a class, and the record says no more"
    PART = "a region like a protein of the right name"
    WIDER = "a wider name, class or part that holds"
    WRONG = "another function"


def outcome(told: Told) -> Outcome:
    """What a gene got, held against its record."""
    best, judged = told.best, told.judged
    if best is None:
        return Outcome.NOTHING
    if judged is None:
        return Outcome.UNJUDGED
    if judged.full and told.names_protein:
        return Outcome.NAMED
    if best.specificity is Specificity.DOMAIN and (judged.full or told.subject_is_full):
        return Outcome.PART
    if judged.full:
        return Outcome.CLASS
    return Outcome.WIDER if judged.true else Outcome.WRONG


def losses_table(told: Iterable[Told]) -> Iterator[str]:
    """Lines of Markdown: by setting and outcome, genes and those whose evidence has the name."""
    found: defaultdict[Setting, defaultdict[Outcome, list[Told]]] = defaultdict(
        lambda: defaultdict(list)
    )
    for one in told:
        found[one.setting][outcome(one)].append(one)
    yield "| mode | kind | outcome | genes | share | right name in the evidence |"
    yield "|---|---|---|---|---|---|"
    for setting, by_outcome in sorted(found.items()):
        genes = sum(map(len, by_outcome.values()))
        for kind in Outcome:
            listed = by_outcome[kind]
            if listed:
                known = sum(one.evidence_is_full for one in listed)
                yield (
                    f"| {setting.mode} | {setting.kind.value} | {kind.value} | {len(listed):,} "
                    f"| {len(listed) / genes:.3f} | {known:,} |"
                )
