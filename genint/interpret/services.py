"""What online services say of a gene besides naming it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final, NamedTuple

from genint.interpret.judgement import Judgement
from genint.model.evidence import Evidence
from genint.model.interpretation import ScoreTerm
from genint.model.online import ServiceAnswer


class FromServices(NamedTuple):
    """What services say of one gene, but for evidence of its function.

    Attributes:
        answers: What became of asking each service.
        spurious: Models of translations that are no proteins, which its protein matches.
        remarks: Predictions that are no evidence, in plain words.
    """

    answers: tuple[ServiceAnswer, ...] = ()
    spurious: tuple[Evidence, ...] = ()
    remarks: tuple[str, ...] = ()


NOTHING_ASKED: Final = FromServices()


def spurious_terms(spurious: Sequence[Evidence], judgement: Judgement) -> list[ScoreTerm]:
    """What it takes from every hypothesis that the gene may be none.

    A protein that is not made does nothing: the odds of each function are multiplied by the
    probability that the strongest of the models is wrong. More models say no more.
    """
    if not spurious:
        return []
    item = max(spurious, key=lambda one: judgement.parameters.reliability[one.strength])
    wrong = 1.0 - judgement.parameters.reliability[item.strength]
    return [ScoreTerm(f"the gene may be none: {item.accession}", math.log(wrong))]


def spurious_doubts(spurious: Sequence[Evidence]) -> tuple[str, ...]:
    """The same as doubts, one for each model."""
    return tuple(f"the gene may be none: {item.label}" for item in spurious)


def spurious_conflicts(claim: str, spurious: Sequence[Evidence]) -> tuple[str, ...]:
    """That a function is claimed of what may be no protein."""
    return tuple(
        f"“{claim}” against “{item.claim}” ({item.source.value}): what is not made has no function"
        for item in spurious
    )
