"""Product names of the genomes and training proteins beside the project."""

from __future__ import annotations

import functools
import gzip
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from genint.errors import GenintError
from genint.formats import read_genome

_BACTERIUM_GENES = 800


def all_names(shared_data: Path) -> frozenset[str]:
    """Distinct products of all training proteins and all annotated genomes: some 71,000."""
    files = sorted((shared_data / "train").glob("*.faa.gz"))
    names = {name for file in files for name in _of_proteins(file)}
    names.update(*_of_genomes(shared_data))
    assert len(names) > 60_000
    return frozenset(names)


def bacterial_names(shared_data: Path) -> frozenset[str]:
    """Distinct products of whole bacterial genomes and proteomes."""
    names = set(_of_proteins(shared_data / "train" / "bacterial_proteins.faa.gz"))
    names.update(*(own for own in _of_genomes(shared_data) if len(own) > _BACTERIUM_GENES))
    assert len(names) > 20_000
    return frozenset(names)


def _of_proteins(file: Path) -> Iterator[str]:
    with gzip.open(file, "rt", encoding="utf-8", errors="replace") as lines:
        for line in lines:
            if line.startswith(">"):
                yield line[1:].partition("\t")[0].partition(" ")[2].strip()


@functools.cache
def _of_genomes(shared_data: Path) -> tuple[list[str], ...]:
    """Products of each annotated genome, one for each gene."""
    found = []
    for file in sorted((shared_data / "genomes").rglob("*.gb*")):
        with suppress(GenintError):
            found.append([gene.product for gene in read_genome(file).genes if gene.product])
    return tuple(found)
