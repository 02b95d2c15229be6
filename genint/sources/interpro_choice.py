"""Of findings that speak of the same residues, the one that says most."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from genint.sources.domains import STRENGTH_FAR_FAMILY, STRENGTH_PARTIAL
from genint.sources.interpro_findings import Kind, naming_rank
from genint.sources.interpro_measures import evalue_of
from genint.sources.interpro_reading import Reading

_WEAK: Final = frozenset({STRENGTH_FAR_FAMILY, STRENGTH_PARTIAL})


class Chosen(NamedTuple):
    """What is told of a protein: names, then parts, then sites; and what is no claim."""

    claims: tuple[Reading, ...]
    unknown: tuple[Reading, ...]


def chosen(readings: Sequence[Reading]) -> Chosen:
    """Leave out what a better finding on the same stretch stands for.

    Names compete with names, parts with parts: a protein is of one family and has domains.
    A part of no entry, and a family that covers a part only, give way to names too. Sites
    stand where they are. What is of unknown function, or a fold, gives way to all claims.
    """
    above = _above(readings)
    names = _best([one for one in readings if one.names], (), above)
    parts = [one for one in readings if one.is_claim and not one.names and not _is_site(one)]
    standing = _best([one for one in parts if not _gives_way(one)], (), above)
    sure = [one for one in names if one.finding.entry is not None]
    yielding = _best([one for one in parts if _gives_way(one)], (*sure, *standing), above)
    sites = [one for one in readings if one.is_claim and _is_site(one)]
    sites.sort(key=lambda one: _order(one, above))
    claims = (*names, *standing, *yielding, *sites)
    unknown = [one for one in readings if not one.is_claim]
    return Chosen(claims, tuple(_best(unknown, claims, above)))


def _is_site(reading: Reading) -> bool:
    return reading.finding.kind is Kind.SITE


def _gives_way(reading: Reading) -> bool:
    return reading.finding.entry is None or reading.finding.kind is Kind.FAMILY


def _best(
    readings: Sequence[Reading], against: Sequence[Reading], above: frozenset[str]
) -> list[Reading]:
    """Best first, without those that compete with a better one or with one of ``against``."""
    kept: list[Reading] = []
    for reading in sorted(readings, key=lambda one: _order(one, above)):
        if not any(_compete(reading, better) for better in (*against, *kept)):
            kept.append(reading)
    return kept


def _compete(one: Reading, other: Reading) -> bool:
    first, second = one.figures.stretch, other.figures.stretch
    return first is not None and second is not None and first.competes(second)


def _above(readings: Sequence[Reading]) -> frozenset[str]:
    """Entries that another one, which was matched too, is a kind of."""
    entries = {
        one.finding.entry.accession: one.finding.entry for one in readings if one.finding.entry
    }
    return frozenset(
        entry.parent for entry in entries.values() if entry.parent and entry.parent in entries
    )


def _order(reading: Reading, above: frozenset[str]) -> tuple[object, ...]:
    """Of an entry, sure, the narrowest, of a Pfam family or made for naming, by figures."""
    finding, match = reading.finding, reading.figures.match
    entry, evalue = finding.entry, evalue_of(match)
    stretch = reading.figures.stretch
    return (
        finding.kind is Kind.FOLD,
        entry is None,
        reading.evidence.strength in _WEAK or not reading.figures.is_complete,
        entry is not None and entry.accession in above,
        naming_rank(match.library) if reading.names else finding.pfam is None,
        1.0 if evalue is None else evalue,
        -(stretch.protein_share if stretch else 0.0),
        entry.accession if entry else match.accession,
    )
