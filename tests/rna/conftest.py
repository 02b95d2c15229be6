"""What the tests of RNA genes share."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.builders.rna import random_bases


@pytest.fixture
def within() -> Callable[..., str]:
    """Puts something between random bases."""

    def put(middle: str, *, before: int = 500, behind: int = 700) -> str:
        return random_bases(before, seed=8) + middle + random_bases(behind, seed=9)

    return put
