"""What is remembered while a genome is interpreted: comparisons of claims, which recur.

The claims of a gene are compared with one another when they are grouped, weighed, audited and
explained, each time by the same questions. Answers are kept in caches of :mod:`functools`, of
limited size, and forgotten when the genome is done: so its evidence goes with it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Final, TypeVar, cast

_Function = TypeVar("_Function", bound=Callable[..., object])

CLAIMS_KEPT: Final = 16_384
"""Those of a bacterium, whose genes are gone through twice."""
GROUPS_KEPT: Final = 16_384
"""Groups of its claims."""
PAIRS_KEPT: Final = 4_096
"""Pairs of claims: those of the latest genes."""
_FORGETTING: Final[list[Callable[[], None]]] = []
"""Of every function that is decorated, filled while modules are loaded."""


def remembered(most: int) -> Callable[[_Function], _Function]:
    """Make a pure function answer from memory what it was asked lately.

    Args:
        most: Answers that are kept.
    """

    def decorate(function: _Function) -> _Function:
        cached = lru_cache(maxsize=most)(function)
        _FORGETTING.append(cached.cache_clear)
        return cast(_Function, cached)

    return decorate


def forget() -> None:
    """Forget all answers. Another thread that interprets meanwhile computes some again."""
    for forgetting in _FORGETTING:
        forgetting()
