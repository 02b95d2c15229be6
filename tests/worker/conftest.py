"""Fixtures for tests of the worker: caches, storages, supervisors."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))  # workers import worker_works by this name


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Pressed profiles of this test run."""
    return tmp_path_factory.mktemp("cache")
