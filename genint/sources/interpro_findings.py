"""Matches of one protein put together: signatures of one entry of InterPro are one finding."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final, NamedTuple

from genint.knowledge.interpro_libraries import ANTIFAM, is_fold, is_signature
from genint.model.online import InterProEntry, InterProMatch
from genint.sources.interpro_measures import Stretch, evalue_of, stretch_of


class Kind(Enum):
    """What a finding can mean."""

    FAMILY = auto()
    """Whole proteins of common descent."""
    DOMAIN = auto()
    REPEAT = auto()
    SITE = auto()
    FOLD = auto()
    """Common descent, many functions: never a claim."""
    UNTOLD = auto()
    """The source does not say which: a part of the protein at most."""


_KINDS: Final = {
    "family": Kind.FAMILY,
    "domain": Kind.DOMAIN,
    "repeat": Kind.REPEAT,
    "homologous_superfamily": Kind.FOLD,
    "active_site": Kind.SITE,
    "binding_site": Kind.SITE,
    "conserved_site": Kind.SITE,
    "ptm": Kind.SITE,
    "": Kind.UNTOLD,
}
_IS_SITE: Final = re.compile(r"\bsite(?: profile)?$")
_FAMILIES: Final = frozenset({"hamap", "pirsf", "panther"})
_NAMING_ORDER: Final = ("hamap", "ncbifam", "pirsf", "pfam", "sfld", "cdd", "smart")
"""Collections made to name proteins come first; PANTHER's families are the widest."""


class Signature(NamedTuple):
    """A match, and where it lies; None where no place is known."""

    match: InterProMatch
    stretch: Stretch | None

    @property
    def is_whole(self) -> bool:
        """Whether it covers the protein as one that may name it.

        A fingerprint of PRINTS does not: it is motifs, some of which may be missing.
        """
        return self.match.library != "prints" and bool(self.stretch and self.stretch.is_whole)

    @property
    def is_complete(self) -> bool:
        """Whether it is no fragment of its model."""
        return self.match.library != "prints" and bool(self.stretch and self.stretch.is_complete)

    @property
    def order(self) -> tuple[object, ...]:
        """Best first: by what it covers, then by collection, figures and name."""
        evalue = evalue_of(self.match)
        return (
            not self.is_whole,
            not self.is_complete,
            naming_rank(self.match.library),
            -(self.stretch.protein_share if self.stretch else 0.0),
            1.0 if evalue is None else evalue,
            self.match.accession,
        )


@dataclass(frozen=True, slots=True)
class Finding:
    """Signatures of one entry, or one that belongs to none.

    Attributes:
        entry: Of InterPro.
        kind: What it can mean.
        signatures: Best first, each once.
    """

    entry: InterProEntry | None
    kind: Kind
    signatures: tuple[Signature, ...]

    @property
    def best(self) -> Signature:
        """The signature that covers most."""
        return self.signatures[0]

    @property
    def pfam(self) -> Signature | None:
        """The best of Pfam."""
        return next((one for one in self.signatures if one.match.library == "pfam"), None)

    @property
    def others(self) -> tuple[Signature, ...]:
        """Those of other collections."""
        return tuple(one for one in self.signatures if one.match.library != "pfam")


def naming_rank(library: str) -> int:
    """How much a collection is made for naming proteins; 0 is most."""
    if library == "panther":
        return len(_NAMING_ORDER) + 1
    return _NAMING_ORDER.index(library) if library in _NAMING_ORDER else len(_NAMING_ORDER)


def findings_of(
    matches: Iterable[InterProMatch], length_aa: int, *, are_types_told: bool = True
) -> tuple[Finding, ...]:
    """What a protein matches, entry by entry.

    Left out are predictions, features of residues, models of spurious proteins, and rules for
    single residues (PIRSR), which stand under the family that they are rules of.

    Args:
        matches: Of one protein.
        length_aa: Its residues.
        are_types_told: Whether the source says what signatures without entry stand for.
    """
    grouped: dict[str, list[InterProMatch]] = {}
    for match in matches:
        if is_signature(match) and match.library not in (ANTIFAM, "pirsr"):
            key = match.entry.accession if match.entry else match.accession
            grouped.setdefault(key, []).append(match)
    return tuple(
        _finding(of_one, length_aa, are_types_told=are_types_told) for of_one in grouped.values()
    )


def _finding(matches: Sequence[InterProMatch], length_aa: int, *, are_types_told: bool) -> Finding:
    unique = {match.accession: match for match in reversed(matches)}
    signatures = [Signature(match, stretch_of(match, length_aa)) for match in unique.values()]
    signatures.sort(key=lambda one: one.order)
    best = signatures[0].match
    kind = _kind_of_loose(best) if best.entry is None else _kind_of_entry(best, best.entry)
    if not are_types_told and kind not in (Kind.FOLD, Kind.SITE):
        kind = Kind.UNTOLD
    return Finding(best.entry, kind, tuple(signatures))


def _kind_of_entry(match: InterProMatch, entry: InterProEntry) -> Kind:
    if is_fold(match.library):
        return Kind.FOLD
    kind = _KINDS.get(entry.type, Kind.UNTOLD)
    if kind is Kind.UNTOLD and match.library == "prositepatterns":
        return Kind.SITE
    return kind


def _kind_of_loose(match: InterProMatch) -> Kind:
    if is_fold(match.library):
        return Kind.FOLD
    if match.library == "sfld":
        # Its superfamilies (SFLDS) and subgroups (SFLDG) have many functions.
        return Kind.FAMILY if match.accession.startswith("SFLDF") else Kind.FOLD
    if match.library in _FAMILIES:
        return Kind.FAMILY
    if match.library == "pfam":
        return Kind.DOMAIN
    if match.library == "prositepatterns" or _IS_SITE.search(match.description):
        return Kind.SITE
    return _KINDS.get(match.type, Kind.FOLD)
