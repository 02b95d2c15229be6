"""MMseqs2 for tests that cluster a few made-up proteins."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import missing


@pytest.fixture(scope="module")
def mmseqs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The program itself, which clusters by words of 13 groups of residues instead of 21 residues.

    It begins each of the three steps of a clustering with a table of all pairs of words, which
    takes 3 s at its full size, however few the proteins are.
    """
    found = shutil.which("mmseqs") or missing("MMseqs2")
    program = tmp_path_factory.mktemp("mmseqs") / "mmseqs"
    program.write_text(
        f'#!/bin/sh\ncase "$1" in\neasy-cluster) exec "{found}" "$@" --alph-size 13 ;;\n'
        f'*) exec "{found}" "$@" ;;\nesac\n'
    )
    program.chmod(0o755)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", str(program.parent), prepend=os.pathsep)
        yield program
