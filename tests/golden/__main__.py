"""Renews the golden files: ``python -m tests.golden``."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from tests.golden.making import FILES, GENOMES, keep, outputs

if __name__ == "__main__":
    os.environ["GENINT_CACHE_MB"] = "0"  # every run computes
    made: dict[str, bytes] = {}
    for name in GENOMES:
        with tempfile.TemporaryDirectory() as folder:
            made |= outputs(name, Path(folder))
    keep(made)
    print(f"{len(made)} golden files in {FILES}")
