"""What Pfam says about its families besides the profiles.

Format: ``Pfam-A.hmm.dat`` has blocks of ``#=GF <tag>   <value>`` that end in ``//``;
``Pfam-A.clans.tsv`` has accession, clan, name of the clan, name and description.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from genint.databases.building.lines import malformed, quoted, text_lines

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
            raise malformed(file, number, f"{stem} stands here twice")
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
