"""What tests of commands share: a folder to stand in, and profiles that are pressed once."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(scope="module")
def cache_of_commands(searched: Path) -> Path:
    """What this test run found for a protein is found once: searches are tested elsewhere."""
    return searched


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cache_of_commands: Path
) -> None:
    """Every command runs in a new folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GENINT_CACHE_DIR", str(cache_of_commands))
