"""An endless answer costs neither memory nor time."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

HUGE_ANSWER = Path(__file__).with_name("huge_answer.py")


@pytest.fixture(scope="module")
def costs():
    done = subprocess.run(
        [sys.executable, HUGE_ANSWER], capture_output=True, text=True, timeout=60, check=True
    )
    return json.loads(done.stdout)


@pytest.mark.parametrize(
    ("kind", "reason", "most_mb"),
    [
        ("declared", "an answer of more than 64 MB", 20),
        ("chunked", "an answer of more than 64 MB", 85),
        ("bomb", "an answer of more than 64 MB", 85),
        ("bomb_of_an_error", "refused with 400", 20),
    ],
)
def test_a_gigabyte_takes_no_more_memory_than_the_largest_answer(costs, kind, reason, most_mb):
    found = costs[kind]
    assert found["reason"] == reason
    assert found["more_mb"] < most_mb
    assert found["requests"] == 1
    assert found["sent_mb"] < 100
    assert found["seconds"] < 10
