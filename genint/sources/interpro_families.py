"""Names of what InterPro found, taken from the same tables as for the local search."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from genint.knowledge.families import EntryType, Family, FamilyTable
from genint.knowledge.families import InterProEntry as KnownEntry
from genint.knowledge.family_names import is_superfamily, telling_name
from genint.knowledge.signature_names import heading_of, untitled
from genint.model.evidence import GoTerm
from genint.model.online import InterProEntry, InterProMatch
from genint.sources.interpro_findings import Finding

_TYPES: Final = {item.value: item for item in EntryType}


def pfam_family(
    match: InterProMatch, terms: tuple[GoTerm, ...] | None, families: FamilyTable
) -> Family:
    """A Pfam family, with the entry that it is in now.

    Its names are those of the table where it has it: both routes word it alike.

    Args:
        match: Of Pfam.
        terms: Of its entry; None where they are not to be had.
        families: Those that the local search knows.
    """
    entry, known = match.entry, families.families.get(match.accession)
    if known is None:
        description = match.description or (entry.description if entry else "") or match.name
        known = _made(match.accession, match.name or match.accession, description)
    if entry is None:
        return known
    is_same = known.interpro is not None and known.interpro.accession == entry.accession
    kind = _TYPES.get(entry.type)
    name = (
        known.interpro.name
        if known.interpro and is_same
        else untitled(entry.description or entry.name)
    )
    if terms is None:
        terms = known.go if is_same else ()
    return replace(
        known, interpro=KnownEntry(entry.accession, kind, name) if kind else None, go=terms
    )


def heading(finding: Finding, families: FamilyTable) -> str | None:
    """The name to claim; None where it tells no function, or is of a superfamily."""
    family = _family(finding, families)
    told = telling_name(family)
    return None if told is None or is_superfamily(family) or "superfamily" in told.lower() else told


def _family(finding: Finding, families: FamilyTable) -> Family:
    """What was found in the form that names are made of."""
    entry, pfam = finding.entry, finding.pfam
    if pfam is not None:
        return pfam_family(pfam.match, None, families)
    if entry is None:
        return _made("", "", heading_of(finding.best.match))
    name = untitled(entry.description or entry.name)
    kind = _TYPES.get(entry.type)
    family = _made("", entry.name, name)
    return replace(family, interpro=KnownEntry(entry.accession, kind, name)) if kind else family


def title(entry: InterProEntry | None, match: InterProMatch) -> tuple[str, str]:
    """Short and long name, as InterPro has them; the long one may be empty."""
    of = entry or match
    short, long = of.name or of.accession, of.description.rstrip(".")
    return short, "" if long == short else long


def _made(accession: str, name: str, description: str) -> Family:
    return Family(
        accession=accession,
        version=0,
        name=name,
        description=description,
        length_aa=0,
        gathering_bits=0.0,
        interpro=None,
        go=(),
        cog=None,
    )
