"""A made-up Pfam-A of full size, as its publisher lays it out.

Real profiles are repeated under new accessions until there are as many as Pfam has. What
costs time and memory (lengths, filters that pass or not) is thereby that of real families.
"""

from __future__ import annotations

import gzip
import hashlib
import io
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, NamedTuple, cast

from pyhmmer.plan7 import HMM, HMMFile

FOLDER = "ftp.ebi.ac.uk/pub/databases/Pfam/current_release"
RELEASE = "99.0"
FIRST_COPY = 50_000
"""Accession number of the first copy; real families have lower ones in the file used."""
_LEVEL = 1
"""Of gzip: two gigabytes of text are to be written in a minute."""


class Tile(NamedTuple):
    """One family of the made-up release: a profile with an accession and a name of its own."""

    profile: HMM
    accession: str
    name: str


def read_profiles(file: Path) -> list[HMM]:
    """All profiles of a gzipped HMMER file."""
    with gzip.open(file) as stream, HMMFile(cast(IO[bytes], io.BytesIO(stream.read()))) as opened:
        return list(opened)


def tiles(profiles: Sequence[HMM], families: int) -> Iterator[Tile]:
    """Families in the order of the release, the real ones first."""
    for number in range(families):
        profile = profiles[number % len(profiles)]
        name, accession = _text(profile.name), _text(profile.accession)
        turn = number // len(profiles)
        if not turn:
            yield Tile(profile, accession, name)
        else:
            copy = FIRST_COPY + number - len(profiles)
            yield Tile(profile, f"PF{copy:05d}.1", f"{name}_copy{turn}")


def write_mirror(profiles: Sequence[HMM], families: int, mirror: Path, binary: Path) -> None:
    """Write a folder from which ``genint db install pfam --mirror`` can install.

    Args:
        profiles: Real ones, each with a gathering threshold.
        families: How many the release is to have.
        mirror: Folder to be made.
        binary: Where the same profiles go in HMMER's binary form, for its own programs.
    """
    folder = mirror / FOLDER
    folder.mkdir(parents=True)
    texts = [_written(profile) for profile in profiles]
    with (
        gzip.open(folder / "Pfam-A.hmm.gz", "wb", _LEVEL) as ascii_profiles,
        gzip.open(folder / "Pfam-A.hmm.dat.gz", "wt", _LEVEL) as descriptions,
        gzip.open(folder / "Pfam-A.clans.tsv.gz", "wt", _LEVEL) as clans,
        binary.open("wb") as binary_profiles,
    ):
        for number, tile in enumerate(tiles(profiles, families)):
            ascii_profiles.write(renamed(texts[number % len(texts)], tile))
            descriptions.write(described(tile))
            base = tile.accession.partition(".")[0]
            clans.write(f"{base}\t\t\t{tile.name}\t{_text(tile.profile.description)}\n")
            profile = tile.profile.copy()
            profile.name, profile.accession = tile.name, tile.accession
            profile.write(binary_profiles, binary=True)
    (folder / "relnotes.txt").write_text(f"Pfam Release {RELEASE}\n1 January 2026\n")
    names = ("Pfam-A.hmm.gz", "Pfam-A.hmm.dat.gz", "Pfam-A.clans.tsv.gz")
    lines = [f"{_md5(folder / name)}  {name}\n" for name in names]
    (folder / "md5_checksums").write_text("".join(lines))


def renamed(text: bytes, tile: Tile) -> bytes:
    """A profile in HMMER's text form with the name and accession of a tile."""
    head, marker, rest = text.partition(b"\nLENG ")
    lines = [
        line for line in head.split(b"\n") if not line.startswith((b"NAME ", b"ACC ", b"DESC "))
    ]
    lines.append(f"NAME  {tile.name}".encode())
    lines.append(f"ACC   {tile.accession}".encode())
    lines.append(f"DESC  {_text(tile.profile.description) or tile.name}".encode())
    return b"\n".join(lines) + marker + rest


def described(tile: Tile) -> str:
    """The family in ``Pfam-A.hmm.dat``."""
    gathering = tile.profile.cutoffs.gathering
    if gathering is None:
        raise ValueError(f"{tile.name} has no gathering threshold")
    return (
        "# STOCKHOLM 1.0\n"
        f"#=GF ID   {tile.name}\n"
        f"#=GF AC   {tile.accession}\n"
        f"#=GF DE   {_text(tile.profile.description) or tile.name}\n"
        f"#=GF GA   {gathering[0]:.2f}; {gathering[1]:.2f};\n"
        "#=GF TP   Family\n"
        f"#=GF ML   {tile.profile.M}\n"
        "//\n"
    )


def _written(profile: HMM) -> bytes:
    stream = io.BytesIO()
    profile.write(stream, binary=False)
    return stream.getvalue()


def _text(value: str | bytes | None) -> str:
    return value.decode() if isinstance(value, bytes) else value or ""


def _md5(file: Path) -> str:
    digest = hashlib.md5(usedforsecurity=False)
    with file.open("rb") as stream:
        while block := stream.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()
