"""Which genes there are in the end: calls, candidates and evidence brought together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from genint.model.genome import Genome
from genint.steps.calling import Called
from genint.steps.gathering import Findings

if TYPE_CHECKING:
    from genint.knowledge.loading import Knowledge


def decided(called: Called, findings: Findings, knowledge: Knowledge) -> Genome:
    """The genome with the genes that are to be interpreted.

    Genes of the user's file stand as they are. Where genes were predicted, candidates
    are accepted or refused by what was found of them.

    Args:
        called: Genes and candidates.
        findings: What their proteins are like.
        knowledge: What families are called.

    Cost: O(genes + hits).
    """
    del knowledge
    if called.calls is None:
        return called.annotated
    from genint.genes import decide  # noqa: PLC0415 - lazy

    return decide(called.calls, findings.profiles).genome
