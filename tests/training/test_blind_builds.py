"""A blind build is used again only where it is whole and of today's sources."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from training.blind.builds import ROOT, is_current, sources

FILES = ("phage_families.bin", "bacterial_families.bin", "families.tsv", "family_members.tsv")
EXCLUSION = "record NC_1\n"


@pytest.fixture
def source(tmp_path: Path) -> Path:
    file = tmp_path / "products.toml"
    file.touch()
    os.utime(file, (1_000, 1_000))
    return file


@pytest.fixture
def output(tmp_path: Path) -> Path:
    """A build that began at second 2,000."""
    folder = tmp_path / "blind"
    folder.mkdir()
    for name in FILES:
        (folder / name).touch()
    (folder / "exclusion.txt").write_text(EXCLUSION)
    os.utime(folder / "exclusion.txt", (2_000, 2_000))
    return folder


def test_a_whole_build_of_the_same_exclusion_is_used_again(output: Path, source: Path) -> None:
    assert is_current(output, EXCLUSION, [source])
    assert not is_current(output, "record NC_2\n", [source])


@pytest.mark.parametrize("missing", [*FILES, "exclusion.txt"])
def test_a_build_that_did_not_end_is_not_used(output: Path, source: Path, missing: str) -> None:
    (output / missing).unlink()
    assert not is_current(output, EXCLUSION, [source])


def test_a_source_that_changed_after_the_build_began_makes_it_stale(
    output: Path, source: Path
) -> None:
    os.utime(source, (2_001, 2_001))
    assert not is_current(output, EXCLUSION, [source])


@pytest.mark.parametrize(
    "path",
    [
        "training/vocabulary/products_phage.toml",
        "training/families/corrections.toml",
        "training/families/thresholds.py",
        "genint/knowledge/products.py",
        "genint/knowledge/data/products.tsv",
    ],
)
def test_builds_depend_on_vocabulary_corrections_and_names(path: str) -> None:
    assert ROOT / path in sources()


@pytest.mark.parametrize("name", FILES)
def test_builds_do_not_depend_on_the_families_that_ship(name: str) -> None:
    assert ROOT / "genint" / "knowledge" / "data" / name not in sources()
