"""Renews the golden files and the schema of results: ``python -m tests.golden``."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import genint.report
from genint.report import json_schema
from tests.golden.making import FILES, GENOMES, keep, outputs

SCHEMA = Path(genint.report.__file__).with_name("result.schema.json")

if __name__ == "__main__":
    os.environ["GENINT_CACHE_MB"] = "0"  # every run computes
    made: dict[str, bytes] = {}
    for name in GENOMES:
        with tempfile.TemporaryDirectory() as folder:
            made |= outputs(name, Path(folder))
    keep(made)
    SCHEMA.write_text(json_schema(), "utf-8")
    print(f"{len(made)} golden files in {FILES}, and {SCHEMA}")
