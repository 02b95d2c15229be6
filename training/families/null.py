"""How often chance reaches a family: ``python -m training.families.null --help``.

Searches reversed proteins with the families of a finished build. Reversed, a protein
keeps its composition and its low-complexity stretches, and loses its homology. Whatever
reaches a threshold is a false hit.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from pyhmmer.plan7 import HMM

from genint.knowledge import profile_pack, table_files
from training.families import inputs
from training.families.corpus import read_corpus
from training.families.profiles import in_processes
from training.families.thresholds import block, score
from training.families.values import Corpus, TrainingProtein

PACKS = ("phage_families.bin", "bacterial_families.bin")
LEVELS_BITS = (15.0, 20.0, 25.0, 30.0)
AT_RICH = ("NZ_CP001668", "NC_005880")
"""Mycoplasma mycoides (24 % GC) and Staphylococcus phage K (30 % GC)."""
PROTEINS = 5000

_PROFILES_PER_TASK = 700


class _Task(NamedTuple):
    path: Path
    first: int
    residues: tuple[str, ...]


class Reached(NamedTuple):
    """A reversed protein and what it scores with a family."""

    family: str
    protein: int
    bits: float
    threshold_bits: float


def main() -> None:
    """Search and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--families", type=Path, required=True, help="folder of a finished build")
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args()
    corpus = read_corpus(options.data, inputs.load_inputs()).corpus
    chosen = proteins(corpus, PROTEINS)
    reversed_residues = tuple(protein.residues[::-1] for protein in chosen)
    at_rich = {at for at, protein in enumerate(chosen) if _is_at_rich(protein)}
    print(f"{len(chosen)} reversed proteins, {len(at_rich)} of AT-rich genomes")
    found = list(_searched(options.families, reversed_residues, options.processes))
    for level in LEVELS_BITS:
        hits = [hit for hit in found if hit.bits >= level]
        rich = sum(hit.protein in at_rich for hit in hits)
        print(f">= {level} bits: {len(hits)} hits, {rich} of AT-rich genomes")
    for hit in sorted((hit for hit in found if hit.bits >= hit.threshold_bits), reverse=True):
        print(f"false: {hit.family} {hit.bits:.1f} of {hit.threshold_bits:.1f} bits")


def proteins(corpus: Corpus, most: int) -> tuple[TrainingProtein, ...]:
    """All of the AT-rich genomes and the first of the others by hash, which is chance."""
    rich = [protein for protein in corpus.proteins.values() if _is_at_rich(protein)]
    others = [protein for protein in corpus.proteins.values() if not _is_at_rich(protein)]
    return tuple((rich + others)[:most])


def _is_at_rich(protein: TrainingProtein) -> bool:
    return not protein.records.isdisjoint(AT_RICH)


def _searched(folder: Path, residues: Sequence[str], processes: int) -> Iterator[Reached]:
    tasks = []
    for name in PACKS:
        profiles = table_files.read_header((folder / name).read_bytes()).profiles
        tasks += [
            _Task(folder / name, first, tuple(residues))
            for first in range(0, profiles, _PROFILES_PER_TASK)
        ]
    for some in in_processes(_search, tasks, processes):
        yield from some


def _search(task: _Task) -> list[Reached]:
    profiles: list[HMM] = list(profile_pack.decode(task.path.read_bytes()))
    searched = block(task.residues)
    return [
        Reached(profile.name, int(protein), float(bits), profile.cutoffs.gathering1)
        for profile in profiles[task.first : task.first + _PROFILES_PER_TASK]
        for protein, bits in score(profile, searched).tolist()
    ]


if __name__ == "__main__":
    main()
