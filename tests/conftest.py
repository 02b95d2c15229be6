"""Fixtures that all tests share: where real genomes lie."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SHARED_DATA = ROOT.parent / "shared" / "data"


@pytest.fixture(scope="session")
def examples() -> Path:
    """The example genomes that the project carries."""
    return ROOT / "examples"


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Folder of real genomes and reference data beside the project.

    Not part of the project: skipped visibly where it is absent, never under CI.
    """
    if SHARED_DATA.is_dir():
        return SHARED_DATA
    if os.environ.get("CI"):
        pytest.fail(f"the shared data folder is missing under CI: {SHARED_DATA.name}")
    pytest.skip("needs the folder of real genomes beside the project (shared/data)")
