"""Resources with the made-up families: profiles pressed once, results kept by each test."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from genint.model import Genome, Parameters
from genint.pipeline.gene_calling import read
from genint.pipeline.resources import Folders, Resources, load_resources
from genint.pipeline.searches import prepare


@pytest.fixture(scope="session")
def genome(examples: Path) -> Genome:
    """Phage lambda; of it only the length plays a part."""
    return read(examples / "lambda.fasta")


@pytest.fixture(scope="session")
def pressed_once(
    pressed: Path, tmp_path_factory: pytest.TempPathFactory, family_build: Path, genome: Genome
) -> Path:
    """A cache folder with indexed profiles and nothing else."""
    folder = tmp_path_factory.mktemp("pressed")
    linked(pressed, folder)
    resources = load_resources(Parameters(), Folders(cache=folder, families=family_build))
    prepare(genome, resources, Parameters())
    return folder


@pytest.fixture
def resources(family_build: Path, tmp_path: Path, pressed_once: Path) -> Resources:
    """What ships and the made-up families, with a cache of results of its own."""
    cache = tmp_path / "cache"
    linked(pressed_once, cache)
    return load_resources(Parameters(), Folders(cache=cache, families=family_build))


def linked(cache: Path, folder: Path) -> None:
    """Give a folder the indexed profiles of a cache: not its results, which each test keeps."""
    shutil.copytree(
        cache,
        folder,
        copy_function=os.link,
        dirs_exist_ok=True,
        ignore=shutil.ignore_patterns("*.sqlite3*", "*.lock"),
    )
