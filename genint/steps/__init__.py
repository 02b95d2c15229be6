"""The steps of an interpretation, each a plain function that a worker can run.

They stand apart from :mod:`genint.api` because worker processes import them and nothing
of the event loop. What goes in and out can be pickled and is frozen; what is costly to
import is imported inside.

    read -> call -> equip -> plan_search -> search (in parts) -> gather -> observe -> conclude
"""

from genint.steps.calling import Called, call, needs_finder
from genint.steps.concluding import conclude
from genint.steps.equipment import Equipment, Folders, equip, holding
from genint.steps.gathering import Findings, gather
from genint.steps.observing import Observations, observe
from genint.steps.reading import Payload, read
from genint.steps.rendering import as_result, render_report
from genint.steps.searching import (
    SearchKit,
    SearchPlan,
    plan_search,
    prepare,
    search,
)

__all__ = [
    "Called",
    "Equipment",
    "Findings",
    "Folders",
    "Observations",
    "Payload",
    "SearchKit",
    "SearchPlan",
    "as_result",
    "call",
    "conclude",
    "equip",
    "gather",
    "holding",
    "needs_finder",
    "observe",
    "plan_search",
    "prepare",
    "read",
    "render_report",
    "search",
]
