"""What online services answered as the models of the result file."""

from __future__ import annotations

from collections.abc import Iterable

from genint.model.online import ServiceAnswer, ServiceUse
from genint.report import result as r


def answer_items(answers: Iterable[ServiceAnswer]) -> tuple[r.OnlineAnswerItem, ...]:
    """What became of asking each service about one gene."""
    return tuple(r.OnlineAnswerItem(**one._asdict()) for one in answers)


def use_items(uses: Iterable[ServiceUse]) -> tuple[r.OnlineUseItem, ...]:
    """How each service answered, without what that cost."""
    return tuple(
        r.OnlineUseItem(
            service=use.service,
            releases=use.releases,
            problem=use.problem,
            proteins=use.proteins,
            answered=use.answered,
        )
        for use in uses
    )
