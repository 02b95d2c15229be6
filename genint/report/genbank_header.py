"""The LOCUS line of GenBank: the division that a record is of, and dates."""

from __future__ import annotations

import datetime
import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from genint.model.kinds import kind_in_words
from genint.model.vocabulary import Category, ConfidenceLevel, GenomeKind
from genint.report.result import GenintResult, Record

_MONTHS: Final = "JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC".split()
_DIVISIONS: Final[Mapping[GenomeKind | None, str]] = MappingProxyType(
    {GenomeKind.PHAGE: "PHG", GenomeKind.BACTERIUM: "BCT"}
)
"""Divisions of GenBank for what is interpreted."""
_UNKNOWN_DIVISION: Final = "UNK"
_OF_VIRION: Final = frozenset(
    {Category.PACKAGING, Category.HEAD, Category.CONNECTOR, Category.TAIL}
)
_SURE: Final = frozenset({ConfidenceLevel.HIGH, ConfidenceLevel.MODERATE})
_FEWEST_VIRION_GENES: Final = 3
_VIRION_SHARE: Final = 0.25
"""Of the genes with a function: lambda has 0.46, phage K 0.39, phiX174 0.67; a bacterial contig
with a prophage has many others."""
_LOCUS: Final = re.compile(
    r"(?P<front>LOCUS .*?)(?P<division> [A-Z]{3})?(?P<behind> +\d{1,2}-[A-Za-z]{3}-\d{4}\s*|\s*)"
)
_NO_DIVISIONS: Final = frozenset({"", "UNK", "UNC", "UNA", "CON"})
"""What says nothing of the organism. CON is for records that are only joined from others."""


def division_of(result: GenintResult, record: Record) -> str:
    """The division of GenBank, where more than the length of a file decides it.

    Files below 500 kb are interpreted as phages whatever they are. That is an assumption, which no
    database should have as a fact: the words of the file, genes of the virion, or bacteria beside
    it, are needed.
    """
    said = kind_in_words(f"{record.organism or ''} {record.description}")
    kinds = {one.genome_kind for one in result.records}
    if said is not None or record.genome_kind is not GenomeKind.PHAGE or len(kinds) > 1:
        return _DIVISIONS.get(said or record.genome_kind, _UNKNOWN_DIVISION)
    return _DIVISIONS[GenomeKind.PHAGE] if _makes_virions(result, record) else _UNKNOWN_DIVISION


def _makes_virions(result: GenintResult, record: Record) -> bool:
    """Whether several genes, and no few of those with a function, are of a virion.

    A bacterial contig with a prophage has many others.
    """
    named = [gene for gene in result.genes if gene.record == record.id and not gene.is_dark]
    virion = sum(gene.category in _OF_VIRION and gene.confidence in _SURE for gene in named)
    return virion >= _FEWEST_VIRION_GENES and virion >= _VIRION_SHARE * len(named)


def insdc_date(day: datetime.date) -> str:
    """A date as the INSDC writes it, whatever the locale: ``25-NOV-2026``."""
    return f"{day.day:02d}-{_MONTHS[day.month - 1]}-{day.year:04d}"


def with_division(line: str, result: GenintResult, record: Record) -> str:
    """The LOCUS line of a file with a division, if it has none and that of the record is known."""
    found = _LOCUS.fullmatch(line)
    stated = (found["division"] or "").strip() if found else None
    if found is None or stated not in _NO_DIVISIONS:
        return line
    known, day = division_of(result, record), found["behind"].lstrip()
    if stated:
        says_more = known != _UNKNOWN_DIVISION or stated == "CON"
        return f"{found['front']} {known}{found['behind']}" if says_more else line
    if known == _UNKNOWN_DIVISION or not day:
        return line
    blanks = len(found["behind"]) - len(day) - len(known) - 1
    return f"{found['front']}{' ' * max(blanks, 1)}{known} {day}"
