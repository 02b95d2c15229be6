"""What the prefilter of genint's own families loses and saves, beside the full search.

    python -m benchmarks.search.prefilter [GENBANK ...] [--pack phage|bacteria|pfam] [--times N]
        [--write FILE]

Searches the annotated proteins of records with all families of each pack, once with every profile
and once with those that the prefilter chooses, and prints hits at the thresholds, how many of them
were lost, and CPU seconds of both with the packs pressed and indexed before. Hits of genint's own
families are those that matter beside the best of a protein: where that one is lost, a weaker one
may be found in its place (other). With ``--times 4`` the pack has four times as many families:
three backwards copies of each, which are like no protein. ``--write`` keeps the lines in a file;
``benchmarks/search/prefilter.md`` is one of them, of records that the limits were chosen on,
``prefilter_held_out.md`` another, of records that they were not.
"""

from __future__ import annotations

import argparse
import gzip
import io
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
from Bio import SeqIO
from pyhmmer.plan7 import HMM

from benchmarks.speed.measured import DATA, verdict
from genint.knowledge import FamilyPack, press, profile_pack
from genint.model.evidence import ProfileHit
from genint.pipeline.searches import indexed
from genint.sources.profiles import ProfileDatabase, Protein, search_chunk

GENOMES = (
    "E_coli_K12_MG1655_NC_000913.gbk.gz",
    "S_pyogenes_M1_NC_002737.gb.gz",
    "lambda_NC_001416.gb",
    "T7_NC_001604.gb",
    "phageK_NC_005880.gbk",
    "prophages/Neisseria_meningitidis_MC58.gb.gz",
)
PFAM = "pfam"
MOST_LOST = "<= 0.01"
_HEADING = "What filters lose of hits that matter, beside the full search, and CPU seconds"
_CHUNK = 500
"""Proteins that are searched together, about as many as in a run of a bacterium."""
_STEPS_PER_BIT = 6


class Searched(NamedTuple):
    """Hits by protein and family, and what finding them took."""

    hits: dict[tuple[str, str], ProfileHit]
    cpu_s: float


class Compared(NamedTuple):
    """Hits of the full search, those of them that were found with the filter, and a line."""

    hits: int
    kept: int
    line: str


def main() -> None:
    """Print all figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("records", nargs="*", type=Path, help="GenBank files, also gzipped")
    parser.add_argument("--data", type=Path, default=DATA, help="folder of real data")
    parser.add_argument("--pack", choices=(*FamilyPack, PFAM), help="only this one")
    parser.add_argument("--write", type=Path, help="file for the lines")
    parser.add_argument("--times", type=int, default=1, help="so many times as many families")
    options = parser.parse_args()
    records = options.records or [options.data / "genomes" / name for name in GENOMES]
    compared: list[Compared] = []
    lines: list[str] = []
    for pack in [options.pack] if options.pack else (*FamilyPack, PFAM):
        with tempfile.TemporaryDirectory() as place:
            for one in _of_pack(pack, records, options.times, Path(place)):
                print(f"{pack:8s} {one.line}", flush=True)
                compared.append(one)
                lines.append(f"{pack:8s} {one.line}")
    expected = sum(one.hits for one in compared)
    if expected:
        lost = expected - sum(one.kept for one in compared)
        verdict(f"lost, share of {expected} hits", lost / expected, MOST_LOST)
        lines.append(f"all      {expected} hits, {lost} lost ({lost / expected:.4f})")
    if options.write:
        text = "\n".join(f"    {line}" for line in lines)
        options.write.write_text(f"{_HEADING}\n\n{text}\n", encoding="utf-8")


def _of_pack(pack: str, records: Sequence[Path], times: int, folder: Path) -> Iterator[Compared]:
    """For each record hits of the full search and those that the filter kept."""
    database = (
        replace(ProfileDatabase.shipped(), is_prefiltered=False)
        if pack == PFAM
        else _pack(FamilyPack(pack), times, folder)
    )
    filtered = indexed(replace(database, is_prefiltered=True), folder / "cache")
    press(database.rebuild(), folder / database.file)
    all_of_it = replace(database, pressed=folder / database.file, is_filtered=False)
    for record in records:
        yield compare(record, all_of_it, filtered)


def compare(record: Path, all_of_it: ProfileDatabase, filtered: ProfileDatabase) -> Compared:
    """Search the proteins of a record both ways."""
    proteins = list(annotated(record))
    residues = sum(len(text) for _, text in proteins)
    full, chosen = _searched(proteins, all_of_it), _searched(proteins, filtered)
    kept = sum(full.hits.get(key) == hit for key, hit in chosen.hits.items())
    other = len(chosen.hits) - kept
    ratio = full.cpu_s / chosen.cpu_s if chosen.cpu_s else 0.0
    line = (
        f"{record.name:44s} {len(proteins):5d} proteins {residues:8d} aa {len(full.hits):5d} hits, "
        f"{len(full.hits) - kept} lost, {other} other; full {full.cpu_s:.1f} s CPU, "
        f"filtered {chosen.cpu_s:.1f} s, {ratio:.1f} times"
    )
    return Compared(len(full.hits), kept, line)


def annotated(record: Path) -> Iterator[Protein]:
    """Proteins of the coding sequences of a GenBank file, as it gives them."""
    content = record.read_bytes()
    text = (gzip.decompress(content) if record.suffix == ".gz" else content).decode()
    for sequence in SeqIO.parse(io.StringIO(text), "genbank"):
        for number, feature in enumerate(sequence.features):
            for residues in feature.qualifiers.get("translation", ()):
                yield f"{sequence.id}:{number}", residues


def _searched(proteins: Sequence[Protein], database: ProfileDatabase) -> Searched:
    hits: dict[tuple[str, str], ProfileHit] = {}
    search_chunk(proteins[:1], database)  # opens the index
    started = time.process_time()
    for first in range(0, len(proteins), _CHUNK):
        for hit in search_chunk(proteins[first : first + _CHUNK], database):
            hits[hit.gene_id, hit.accession] = hit
    return Searched(hits, time.process_time() - started)


def _pack(pack: FamilyPack, times: int, folder: Path) -> ProfileDatabase:
    """The pack that ships, or one with so many times as many families."""
    file = pack.file
    database = ProfileDatabase.of(file)
    if times == 1:
        return database
    profiles = list(database.rebuild())
    copies = (_backwards(profile, turn) for turn in range(1, times) for profile in profiles)
    (folder / file).write_bytes(profile_pack.encode([*profiles, *copies], _STEPS_PER_BIT))
    return ProfileDatabase.of(file, folder)


def _backwards(profile: HMM, turn: int) -> HMM:
    """The profile with its columns in another order: backwards, and turned by some."""
    copy = profile.copy()
    emissions = np.asarray(copy.match_emissions)
    emissions[1:] = np.roll(emissions[:0:-1].copy(), 7 * (turn - 1), axis=0)
    copy.name = copy.accession = f"{profile.name}R{turn}"
    return copy


if __name__ == "__main__":
    main()
