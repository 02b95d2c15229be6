"""Building of the index that :mod:`genint.knowledge.protein_index` reads.

Proteins are written as they come; seeds are then counted and sorted in blocks of residues, so
that memory does not grow with the reference.
"""

from __future__ import annotations

import hashlib
import json
from array import array
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from genint.errors import InputError
from genint.knowledge.protein_index import (
    ARRAYS,
    END_CODE,
    ENTRIES,
    ENTRY_OFFSETS,
    HEADER_FILE,
    INDEX_FORMAT,
    MOST_BESIDE,
    OFFSETS,
    PADDING,
    RANKS,
    RESIDUES,
    SEED_KINDS,
    ArrayFile,
    IndexInfo,
    SeedKind,
    Words,
    comparable,
    encode,
    seed_files,
    seed_words,
    starts_file,
    surroundings,
    write_entry,
)
from genint.model.evidence import ReferenceProtein

MOST_RESIDUES: Final = 2**32 - 2**20
"""Residues and ends of proteins: places have 32 bits."""

_BLOCK: Final = 4_000_000
"""Residues whose seeds are put into place at a time: 250 MB."""
_COPIED_BYTES: Final = 1 << 20
Progress = Callable[[float], None]
"""Called with the share that is done, 0..1, now and then."""


def build_index(
    proteins: Iterable[ReferenceProtein], folder: Path, *, progress: Progress | None = None
) -> IndexInfo:
    """Write the index of proteins into an empty folder.

    Args:
        proteins: In any order; empty ones are left out. The same proteins in the same
            order give the same bytes.
        folder: Exists and is empty.
        progress: Called with the share of the seeds that are in place, 0..1.

    Raises:
        InputError: more than :data:`MOST_RESIDUES` residues.
        OSError: the disk is full or the folder closed.

    Cost: see ``benchmarks/similarity.py``; about 21 bytes a residue and 250 an entry on disk.
    """
    report = progress or (lambda share: None)
    count, total = _write_proteins(proteins, folder)
    for number, kind in enumerate(SEED_KINDS):
        _write_seeds(folder, kind, _part_of(report, number, len(SEED_KINDS)))
    digest = _digest(folder)
    header = {
        "format": INDEX_FORMAT,
        "proteins": count,
        "residues": total,
        "digest": digest,
        "arrays": {file.name: (folder / file.name).stat().st_size for file in ARRAYS},
    }
    (folder / HEADER_FILE).write_text(json.dumps(header, indent=1) + "\n", encoding="utf-8")
    report(1.0)
    return IndexInfo(count, total, digest)


def _part_of(report: Progress, number: int, parts: int) -> Progress:
    """Progress of one of several parts, which counts from 0 to 1 itself."""
    return lambda share: report((number + share) / parts)


def _write_proteins(proteins: Iterable[ReferenceProtein], folder: Path) -> tuple[int, int]:
    """Write residues, entries and their offsets; how many proteins and residues."""
    offsets, entry_offsets = array("q", [PADDING]), array("q", [0])
    end = bytes([END_CODE])
    accessions: list[str] = []
    with (
        (folder / RESIDUES.name).open("wb") as residues,
        (folder / ENTRIES.name).open("wb") as entries,
    ):
        residues.write(end * PADDING)
        for entry, sequence in proteins:
            letters = comparable(sequence)
            if not letters:
                continue
            offsets.append(offsets[-1] + residues.write(encode(letters) + end))
            entry_offsets.append(entry_offsets[-1] + entries.write(write_entry(entry)))
            accessions.append(entry.accession)
            if offsets[-1] > MOST_RESIDUES:
                raise InputError(f"an index holds at most {MOST_RESIDUES:,} residues")
        residues.write(end * PADDING)
    _write(folder, OFFSETS, np.asarray(offsets))
    _write(folder, ENTRY_OFFSETS, np.asarray(entry_offsets))
    order = sorted(range(len(accessions)), key=accessions.__getitem__)
    ranks = np.empty(len(accessions), np.uint32)
    ranks[order] = np.arange(len(accessions), dtype=np.uint32)
    _write(folder, RANKS, ranks)
    return len(accessions), offsets[-1] - PADDING - len(accessions)


def _write(folder: Path, file: ArrayFile, values: NDArray[np.generic]) -> None:
    values.astype(file.dtype).tofile(folder / file.name)


def _write_seeds(folder: Path, kind: SeedKind, report: Progress) -> None:
    """Count the seeds, then put each of their places behind the last one of its seed."""
    size = (folder / RESIDUES.name).stat().st_size
    counts = np.zeros(kind.seeds, np.int64)
    for first in range(0, size, _BLOCK):
        words = seed_words(_block(folder, first, kind), kind)
        counts += np.bincount(words.seeds, minlength=kind.seeds)
        report(0.3 * first / size)
    starts = np.zeros(kind.seeds + 1, np.int64)
    np.cumsum(counts, out=starts[1:])
    _write(folder, starts_file(kind), starts)
    total = int(starts[-1])
    if not total:
        for file in seed_files(kind)[1:]:
            (folder / file.name).touch()
        return
    places, *beside = (_made(folder, file, total) for file in seed_files(kind)[1:])
    behind = starts[:-1].copy()
    for first in range(0, size, _BLOCK):
        to, at = _place(behind, seed_words(_block(folder, first, kind), kind))
        places[to] = at + first
        for values in beside:
            values[to] = surroundings(_around(folder, first), at + MOST_BESIDE, kind)
        report(0.3 + 0.7 * first / size)
    for values in (places, *beside):
        values.flush()


def _made(folder: Path, file: ArrayFile, items: int) -> np.memmap[Any, np.dtype[np.uint32]]:
    """An array of so many items, to be filled."""
    return np.memmap(folder / file.name, dtype=file.dtype, mode="w+", shape=(items,))


def _block(folder: Path, first: int, kind: SeedKind) -> NDArray[np.uint8]:
    """Residues of a block and as many behind as its last seed needs."""
    return np.fromfile(folder / RESIDUES.name, np.uint8, count=_BLOCK + kind.span - 1, offset=first)


def _around(folder: Path, first: int) -> NDArray[np.uint8]:
    """Residues of a block, and those before and behind it that may be beside its seeds."""
    before = min(first, MOST_BESIDE)
    count = before + _BLOCK + MOST_BESIDE
    codes = np.fromfile(folder / RESIDUES.name, np.uint8, count=count, offset=first - before)
    # Of the first block the padding of the file itself is before every seed.
    return np.pad(codes, (MOST_BESIDE - before, MOST_BESIDE), constant_values=END_CODE)


def _place(behind: NDArray[np.int64], words: Words) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Where the seeds of one block go, and where in the block they are; ``behind`` moves on."""
    # Seed and place in one number: sorted by seed, then by place, without a stable sort.
    both = (words.seeds.astype(np.uint64) << np.uint64(32)) | words.at.astype(np.uint64)
    both.sort()
    seeds = (both >> np.uint64(32)).astype(np.int64)
    at = (both & np.uint64(0xFFFFFFFF)).astype(np.int64)
    runs = np.flatnonzero(np.diff(seeds, prepend=-1))
    counts = np.diff(runs, append=len(seeds))
    within = np.arange(len(seeds)) - np.repeat(runs, counts)
    to: NDArray[np.int64] = behind[seeds] + within
    behind[seeds[runs]] += counts
    return to, at


def _digest(folder: Path) -> str:
    """SHA-256 of the names and bytes of all arrays."""
    digest = hashlib.sha256()
    for file in ARRAYS:
        digest.update(file.name.encode() + b"\0")
        with (folder / file.name).open("rb") as stream:
            while block := stream.read(_COPIED_BYTES):
                digest.update(block)
    return digest.hexdigest()
