"""What tests of commands share: a folder to stand in, and profiles that are pressed once."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def session_cache(pressed: Path) -> Path:
    """Indexed profiles of this test run."""
    return pressed


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, session_cache: Path
) -> None:
    """Every command runs in a new folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GENINT_CACHE_DIR", str(session_cache))
