"""What tests of the cache share: a clock that says the day it is told."""

from __future__ import annotations

import pytest

DAY_S = 86_400


class Clock:
    """Says the day that it is told, in seconds since 1970."""

    def __init__(self):
        self.day = 20_000.0

    def __call__(self):
        return self.day * DAY_S


@pytest.fixture
def clock():
    """The day 20,000 until it is set."""
    return Clock()
