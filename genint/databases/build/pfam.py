"""Pfam-A: its profiles pressed in blocks, and a table of its families."""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Final, NamedTuple

import pyhmmer
from pyhmmer.plan7 import HMM, HMMFile

from genint.databases.build import Built, Report, Step, malformed, opened, quoted, text_lines
from genint.databases.installed import pressed_kind
from genint.knowledge.profile_pack import press

_ACCESSION = re.compile(r"PF\d{5,7}(\.\d+)?")
_CLAN = re.compile(r"CL\d{4,6}")
_NO_CLAN = frozenset({"", r"\N", "-", "No_clan"})
_CLAN_COLUMNS = 4


class PfamFamily(NamedTuple):
    """A family as ``Pfam-A.hmm.dat`` describes it.

    Attributes:
        type: Family, Domain, Repeat, Motif, Coiled-coil or Disordered.
        clan: Accession; empty where it belongs to none.
    """

    type: str
    clan: str


def read_families(file: Path) -> Mapping[str, PfamFamily]:
    """Families by accession without version.

    Raises:
        FormatError: a line cannot be read, or the file ends within a block.
    """
    families: dict[str, PfamFamily] = {}
    for number, tags in _blocks(file):
        accession = tags.get("AC", "")
        if not _ACCESSION.fullmatch(accession):
            raise malformed(file, number, f"{quoted(accession)} is no accession of Pfam")
        clan = tags.get("CL", "").partition(".")[0]
        if clan and not _CLAN.fullmatch(clan):
            raise malformed(file, number, f"{accession} has the clan {quoted(clan)}")
        if not tags.get("TP"):
            raise malformed(file, number, f"{accession} has no type")
        stem = accession.partition(".")[0]
        if stem in families:
            raise malformed(file, number, f"{stem} appears twice")
        families[stem] = PfamFamily(tags["TP"], clan)
    if not families:
        raise malformed(file, None, "there is no family in it")
    return families


def read_clans(file: Path) -> Mapping[str, str]:
    """Clan by accession without version; families of none are left out.

    Raises:
        FormatError: a line cannot be read.
    """
    clans: dict[str, str] = {}
    for number, line in text_lines(file):
        columns = [column.strip() for column in line.split("\t")]
        if len(columns) < _CLAN_COLUMNS or not _ACCESSION.fullmatch(columns[0]):
            raise malformed(file, number, "a family, its clan and names are expected")
        clan = columns[1]
        if clan in _NO_CLAN:
            continue
        if not _CLAN.fullmatch(clan):
            raise malformed(file, number, f"{quoted(clan)} is no clan")
        clans[columns[0].partition(".")[0]] = clan
    return clans


def _blocks(file: Path) -> Iterator[tuple[int, dict[str, str]]]:
    """Line of the end and tags of each block; of tags that repeat, the last."""
    tags: dict[str, str] = {}
    number = 0
    for number, line in text_lines(file):
        if line.startswith("//"):
            yield number, tags
            tags = {}
        elif line.startswith("#=GF"):
            _, tag, value, *_ = *line.split(maxsplit=2), "", ""
            tags[tag] = value.strip()
        elif not line.startswith("# STOCKHOLM"):
            raise malformed(file, number, f"{quoted(line)} is no line of this format")
    if tags:
        raise malformed(file, number, "the file ends within a family")


BLOCK_PROFILES: Final = 3_000
"""Families of a block: what a search holds in memory at once."""

BLOCKS = "blocks"
FAMILIES = "families.tsv"
COLUMNS = ("accession", "name", "length", "gathering_bits", "type", "clan", "description")

_REPORT_EVERY = 250
_STRANGERS_ALLOWED = 0.01
"""Share of families that the files of one release may differ in; more, and they are of
different releases."""


def build(sources: Mapping[str, Path], target: Path, progress: Report) -> Built:
    """Press the profiles into ``blocks/`` and write ``families.tsv``.

    Raises:
        FormatError: a published file cannot be read, a profile has no gathering
            thresholds, or the files are not of one release.

    Cost: 1.1 ms CPU and 57 kB of disk a family (24,000: half a minute, 1.4 GB); memory of
    one profile and the table of families (35 MB).
    """
    families = read_families(sources["Pfam-A.hmm.dat.gz"])
    clans = read_clans(sources["Pfam-A.clans.tsv.gz"])
    progress(Step("reading families", len(families), len(families)))
    profiles = _Profiles(sources["Pfam-A.hmm.gz"], families, clans)
    (target / BLOCKS).mkdir()
    with (target / FAMILIES).open("w", encoding="utf-8", newline="\n") as table:
        table.write("\t".join(COLUMNS) + "\n")

        def note(row: tuple[str, ...]) -> None:
            table.write("\t".join(row) + "\n")
            if profiles.count % _REPORT_EVERY == 0:
                progress(Step("pressing profiles", profiles.count, len(families)))

        blocks = _press(profiles.read(note), target / BLOCKS)
    profiles.check_complete()
    progress(Step("pressing profiles", profiles.count, profiles.count))
    by = f"pyhmmer {pyhmmer.__version__} {platform.machine()}"
    return Built(
        profiles.count,
        facts=(
            ("blocks", str(blocks)),
            ("pressed_by", by),
            ("pressed_kind", pressed_kind()),
            ("profiles", str(profiles.count)),
        ),
    )


def _press(profiles: Iterator[HMM], folder: Path) -> int:
    """Blocks of at most :data:`BLOCK_PROFILES` in ``00``, ``01``...; how many."""
    blocks = 0
    while first := next(profiles, None):
        rest = islice(profiles, BLOCK_PROFILES - 1)
        press(_with_first(first, rest), folder / f"{blocks:02}")
        blocks += 1
    return blocks


def _with_first(first: HMM, rest: Iterator[HMM]) -> Iterator[HMM]:
    yield first
    yield from rest


class _Profiles:
    """The profiles of a release, one at a time, each checked."""

    def __init__(
        self, file: Path, families: Mapping[str, PfamFamily], clans: Mapping[str, str]
    ) -> None:
        self.count = 0
        self._file = file
        self._families = families
        self._clans = clans
        self._strangers = 0
        self._seen = set[str]()

    def read(self, note: Callable[[tuple[str, ...]], None]) -> Iterator[HMM]:
        """Every profile; its row of the table of families goes to ``note``."""
        for profile in _read_profiles(self._file):
            accession = self._checked(profile)
            self.count += 1
            note(self._row(accession, profile))
            yield profile

    def check_complete(self) -> None:
        """Refuse files that are not of one release, or cut off between two profiles.

        Raises:
            FormatError: they are.
        """
        if not self.count:
            raise malformed(self._file, None, "there is no profile in it")
        missing = len(self._families.keys() - self._seen)
        allowed = _STRANGERS_ALLOWED * len(self._families)
        if missing > allowed or self._strangers > allowed:
            raise malformed(
                self._file,
                None,
                f"it lacks {missing:,} of the {len(self._families):,} families that "
                f"Pfam-A.hmm.dat.gz describes, and {self._strangers:,} of its own differ from "
                "what the other files say: they are not of one release",
            )

    def _checked(self, profile: HMM) -> str:
        """Accession with version.

        Raises:
            FormatError: the profile cannot be used.
        """
        name = profile.accession or profile.name or f"number {self.count + 1}"
        if not profile.accession:
            raise malformed(self._file, None, f"profile {name} has no accession")
        if not profile.alphabet.is_amino():
            raise malformed(self._file, None, f"profile {name} is not one of proteins")
        if profile.cutoffs.gathering is None:
            raise malformed(self._file, None, f"profile {name} has no gathering thresholds")
        stem = profile.accession.partition(".")[0]
        if stem in self._seen:
            raise malformed(self._file, None, f"profile {name} appears in it twice")
        self._seen.add(stem)
        return str(profile.accession)

    def _row(self, accession: str, profile: HMM) -> tuple[str, ...]:
        stem = accession.partition(".")[0]
        family = self._families.get(stem)
        clan = self._clans.get(stem, "")
        if family is None or (clan and clan != family.clan):
            self._strangers += 1
        return (
            accession,
            str(profile.name),
            str(profile.M),
            f"{profile.cutoffs.gathering[0]:.2f}",
            family.type if family else "",
            family.clan if family else clan,
            " ".join((profile.description or "").split()),
        )


def _read_profiles(file: Path) -> Iterator[HMM]:
    """Profiles of a file as a stream.

    Raises:
        FormatError: it is none, or cut off.
    """
    count = 0
    with opened(file) as stream:
        try:
            with HMMFile(stream) as profiles:
                for profile in profiles:
                    count += 1
                    yield profile
        except ValueError as problem:
            # HMMER's own words may end in raw bytes of the file.
            raise malformed(
                file, None, f"this is no file of HMMER3 profiles, behind profile {count:,}"
            ) from problem
        except EOFError as problem:
            if count == 0 and os.path.getsize(file) == 0:
                raise malformed(file, None, "the file is empty") from problem
            raise
