"""Product names of the genomes and training proteins beside the project."""

from __future__ import annotations

import functools
import gzip
import re
from collections.abc import Iterator
from pathlib import Path

_BACTERIUM_GENES = 800
_GENE = re.compile(r"^     CDS  .*\n(?:^ {21}.*\n)+", re.MULTILINE)
_PRODUCT = re.compile(r'/product="([^"]+)"')
_LINE_BREAK = re.compile(r"\s*\n\s*")


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
    """Products of each annotated genome, one for each gene; the reader would take 40 s."""
    return tuple(
        [
            _LINE_BREAK.sub(" ", product)
            for gene in _GENE.findall(_text(file))
            for product in _PRODUCT.findall(gene)
        ]
        for file in sorted((shared_data / "genomes").rglob("*.gb*"))
    )


def _text(file: Path) -> str:
    content = file.read_bytes()
    if file.suffix in {".gz", ".bgz"}:
        content = gzip.decompress(content)
    return content.decode(errors="replace").replace("\r\n", "\n")
