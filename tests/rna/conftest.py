"""What the tests of RNA genes share."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))  # for written_rna

from written_rna import random_bases


@pytest.fixture
def within() -> Callable[..., str]:
    """Puts something between random bases."""

    def put(middle: str, *, before: int = 500, behind: int = 700) -> str:
        return random_bases(before, seed=8) + middle + random_bases(behind, seed=9)

    return put
