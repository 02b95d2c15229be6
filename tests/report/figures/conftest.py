"""Results to draw: real genomes on their annotations alone, and the SVG of a figure by its text."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from genint.report import GenintResult
from tests.report.real_genomes import interpreted


@pytest.fixture(scope="session")
def result_of(shared_data: Path) -> Callable[[str], GenintResult]:
    """The result of a real genome, made once."""
    return cache(lambda name: interpreted(shared_data / "genomes" / name).result)


@pytest.fixture(scope="session")
def phix(examples: Path) -> GenintResult:
    return interpreted(examples / "phiX174.gbk").result
