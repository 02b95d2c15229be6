"""Matches of InterPro put together: signatures of one entry are one finding.

Where each signature lies, what kind of finding it is, its name, and the evidence made of it. What
findings claim, and which of them are kept, :mod:`genint.sources.interpro` decides.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from typing import Final, NamedTuple

from genint.knowledge.interpro_names import ANTIFAM, heading_of, is_fold, is_signature, untitled
from genint.knowledge.pfam import EntryType, Family, FamilyTable, informative_name, is_superfamily
from genint.knowledge.pfam import InterProEntry as KnownEntry
from genint.model.evidence import WHOLE_PROFILE, WHOLE_PROTEIN, Evidence, GoTerm, Measurements
from genint.model.online import InterProAnswer, InterProEntry, InterProMatch, MatchPlace
from genint.model.rescue import percent
from genint.model.vocabulary import EvidenceSource, EvidenceType, Specificity
from genint.sources.pfam import DENSE, ECO_SEQUENCE_MODEL, SAME_PLACE


class Stretch(NamedTuple):
    """Where a signature lies on its protein, and how much of both it covers.

    Attributes:
        first, last: Residues, 1-based, inclusive, over all places.
        covered_aa: Residues in places.
        protein_share: The same of the protein, 0..1.
        model_share: Of the model's positions, 0..1; None where the library does not state it.
    """

    first: int
    last: int
    covered_aa: int
    protein_share: float
    model_share: float | None

    @property
    def is_complete(self) -> bool:
        """Whether it is no fragment of the model, as far as the library states it."""
        return self.model_share is None or self.model_share >= WHOLE_PROFILE

    @property
    def is_whole(self) -> bool:
        """Whether it is complete and leaves no room for a second domain in the protein."""
        return self.is_complete and self.protein_share >= WHOLE_PROTEIN

    def competes(self, other: Stretch) -> bool:
        """Whether both cover the same residues; a match with large gaps leaves room."""
        if not (self._is_dense and other._is_dense):
            return False
        shared = min(self.last, other.last) - max(self.first, other.first) + 1
        return shared >= SAME_PLACE * min(self._span_aa, other._span_aa)

    @property
    def _span_aa(self) -> int:
        return self.last - self.first + 1

    @property
    def _is_dense(self) -> bool:
        return self.covered_aa >= DENSE * self._span_aa


def stretch_of(match: InterProMatch, length_aa: int) -> Stretch | None:
    """Where a signature lies; None where no place is on the protein."""
    places = [place for place in match.places if place.start <= length_aa]
    if not places:
        return None
    first = min(place.start for place in places)
    last = min(max(place.end for place in places), length_aa)
    if match.library == "prints":
        # Its fingerprints are motifs; what lies between them belongs to the family too.
        covered = last - first + 1
    else:
        covered = _union((place.start, min(place.end, length_aa)) for place in places)
    return Stretch(first, last, covered, covered / max(length_aa, 1), _model_share(places))


def _model_share(places: Iterable[MatchPlace]) -> float | None:
    spans, length = [], 0
    for place in places:
        if place.model_start is None or place.model_end is None or not place.model_length:
            return None
        spans.append((place.model_start, place.model_end))
        length = max(length, place.model_length)
    return min(_union(spans) / length, 1.0) if length else None


def _union(spans: Iterable[tuple[int, int]]) -> int:
    """Positions in at least one of the spans."""
    total, reached = 0, 0
    for first, last in sorted(spans):
        total += max(0, last - max(first, reached + 1) + 1)
        reached = max(reached, last)
    return total


def evalue_of(match: InterProMatch) -> float | None:
    """Of the match; some libraries have it for places only, then the best of these."""
    if match.evalue is not None:
        return match.evalue
    return min((place.evalue for place in match.places if place.evalue is not None), default=None)


def measurements(match: InterProMatch, stretch: Stretch | None) -> Measurements:
    """The figures of a match as evidence has them."""
    if stretch is None:
        return Measurements(evalue=evalue_of(match), score_bits=match.score_bits)
    return Measurements(
        evalue=evalue_of(match),
        score_bits=match.score_bits,
        protein_from=stretch.first,
        protein_to=stretch.last,
        protein_coverage=stretch.protein_share,
        target_coverage=stretch.model_share,
    )


class Kind(Enum):
    """What a finding can mean."""

    FAMILY = auto()
    """Whole proteins of common descent."""
    DOMAIN = auto()
    REPEAT = auto()
    SITE = auto()
    FOLD = auto()
    """Common descent, many functions: never a claim."""
    UNSTATED = auto()
    """The source does not state it: a part of the protein at most."""


_KINDS: Final = {
    "family": Kind.FAMILY,
    "domain": Kind.DOMAIN,
    "repeat": Kind.REPEAT,
    "homologous_superfamily": Kind.FOLD,
    "active_site": Kind.SITE,
    "binding_site": Kind.SITE,
    "conserved_site": Kind.SITE,
    "ptm": Kind.SITE,
    "": Kind.UNSTATED,
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
    matches: Iterable[InterProMatch], length_aa: int, *, are_types_stated: bool = True
) -> tuple[Finding, ...]:
    """The findings of a protein, entry by entry.

    Left out are predictions, features of residues, models of spurious proteins, and rules for
    single residues (PIRSR), which belong to the family that they are rules of.

    Args:
        matches: Of one protein.
        length_aa: Its residues.
        are_types_stated: Whether the source states the types of signatures without entry.
    """
    grouped: dict[str, list[InterProMatch]] = {}
    for match in matches:
        if is_signature(match) and match.library not in (ANTIFAM, "pirsr"):
            key = match.entry.accession if match.entry else match.accession
            grouped.setdefault(key, []).append(match)
    return tuple(
        _finding(of_one, length_aa, are_types_stated=are_types_stated)
        for of_one in grouped.values()
    )


def _finding(
    matches: Sequence[InterProMatch], length_aa: int, *, are_types_stated: bool
) -> Finding:
    unique = {match.accession: match for match in reversed(matches)}
    signatures = [Signature(match, stretch_of(match, length_aa)) for match in unique.values()]
    signatures.sort(key=lambda one: one.order)
    best = signatures[0].match
    kind = _kind_of_loose(best) if best.entry is None else _kind_of_entry(best, best.entry)
    if not are_types_stated and kind not in (Kind.FOLD, Kind.SITE):
        kind = Kind.UNSTATED
    return Finding(best.entry, kind, tuple(signatures))


def _kind_of_entry(match: InterProMatch, entry: InterProEntry) -> Kind:
    if is_fold(match.library):
        return Kind.FOLD
    kind = _KINDS.get(entry.type, Kind.UNSTATED)
    if kind is Kind.UNSTATED and match.library == "prositepatterns":
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


_TYPES: Final = {item.value: item for item in EntryType}


def pfam_family(
    match: InterProMatch, terms: tuple[GoTerm, ...] | None, families: FamilyTable
) -> Family:
    """A Pfam family, with the entry that it is in now.

    Its names are those of the table where it has it: both routes word it alike.

    Args:
        match: Of Pfam.
        terms: Of its entry; None where they are not available.
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
    """The name to claim; None where it names no function, or a superfamily."""
    family = _family(finding, families)
    name = informative_name(family)
    if name is None or is_superfamily(family) or "superfamily" in name.lower():
        return None
    return name


def _family(finding: Finding, families: FamilyTable) -> Family:
    """The finding as a Pfam family, from which names are made."""
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


_LISTED: Final = 4
_WITH_TERMS: Final = frozenset({Kind.FAMILY, Kind.DOMAIN})


@dataclass(frozen=True, slots=True)
class ProteinContext:
    """A protein, and the tables for reading its findings.

    Attributes:
        gene_id: Of its gene.
        length_aa: Its residues.
        answer: Of the service.
        go: Terms of entries.
        families: Pfam families by accession.
        found_here: Entry, or Pfam family -> the Pfam family that the local search found.
        lineage: Entry -> itself and those above it, as far as they were matched too.
    """

    gene_id: str
    length_aa: int
    answer: InterProAnswer
    go: Mapping[str, tuple[GoTerm, ...]]
    families: FamilyTable
    found_here: Mapping[str, str]
    lineage: Mapping[str, tuple[str, ...]]

    @property
    def database(self) -> str:
        """Name and release of what the answer is from."""
        release = self.answer.release or ""
        name = "InterPro through UniParc" if self.answer.through_uniparc else "InterPro"
        return f"{name} {release}".rstrip()


def evidence_of(  # noqa: PLR0913 - a record
    finding: Finding,
    figures: Signature,
    context: ProteinContext,
    *,
    claim: str,
    subject: str,
    specificity: Specificity,
    strength: str,
    aliases: Iterable[str] = (),
    cog: str | None = None,
) -> Evidence:
    """Evidence of a finding.

    Args:
        finding: All signatures.
        figures: The one whose figures are reported.
        context: The protein.
        claim: What it says.
        subject: The bare name in it.
        specificity: How much it claims.
        strength: Class of reliability.
        aliases: Other names of the subject, beside those of InterPro.
        cog: Letter that members have.
    """
    entry, pfam = finding.entry, finding.pfam
    return Evidence(
        gene_id=context.gene_id,
        source=EvidenceSource.INTERPRO,
        type=EvidenceType.DOMAIN,
        specificity=specificity,
        claim=claim,
        subject=subject,
        label=_label(finding, figures),
        strength=strength,
        origin=_origin(finding, context),
        eco=ECO_SEQUENCE_MODEL,
        database=context.database,
        accession=entry.accession if entry else figures.match.accession,
        measured=measurements(figures.match, figures.stretch),
        pfam=pfam.match.accession if pfam else None,
        cog=cog,
        go=_terms(finding, figures, context),
        aliases=_aliases(aliases, entry, pfam),
    )


def _aliases(
    known: Iterable[str], entry: InterProEntry | None, pfam: Signature | None
) -> tuple[str, ...]:
    short = (entry.name if entry else "", pfam.match.name if pfam else "")
    names = (*known, *(name.replace("_", " ") for name in short))
    return tuple(dict.fromkeys(filter(None, names)))


def _terms(finding: Finding, figures: Signature, context: ProteinContext) -> tuple[GoTerm, ...]:
    """Terms of the entry and of those above it, which hold for it too; none of fragments."""
    if finding.entry is None or finding.kind not in _WITH_TERMS or not figures.is_complete:
        return ()
    terms = (
        term
        for accession in context.lineage.get(finding.entry.accession, ())
        for term in context.go.get(accession, ())
    )
    return tuple({term.id: term for term in terms}.values())


def _origin(finding: Finding, context: ProteinContext) -> str:
    """What rests on one Pfam family counts once with it, from whichever source."""
    ours = (one.match.accession for one in finding.signatures if one.match.library == "pfam")
    here = next((one for one in ours if one in context.found_here), None)
    if here is not None:
        return f"pfam:{here}"
    if finding.pfam is not None:
        return f"pfam:{finding.pfam.match.accession}"
    if finding.entry is None:
        match = finding.best.match
        return f"{match.library}:{match.accession}"
    pfam = context.found_here.get(finding.entry.accession)
    return f"pfam:{pfam}" if pfam else f"interpro:{finding.entry.accession}"


def _label(finding: Finding, figures: Signature) -> str:
    entry, match, stretch = finding.entry, figures.match, figures.stretch
    short, long = title(entry, match)
    accession = entry.accession if entry else match.accession
    name = accession if short == accession else f"{accession} {short}"
    evalue = evalue_of(match)
    details = [f"E {evalue:.1e}" if evalue else "E 0"] if evalue is not None else []
    if stretch is not None and stretch.model_share is not None:
        details.append(f"{percent(stretch.model_share)} of the model")
    if stretch is not None:
        details.append(f"{percent(stretch.protein_share)} of the protein")
    sources = _sources(finding, figures) if entry else match.library_title
    aside = "; ".join(filter(None, (sources, ", ".join(details))))
    return f"{name}: {long} ({aside})" if long else f"{name} ({aside})"


def _sources(finding: Finding, figures: Signature) -> str:
    """The signatures, that of the figures first."""
    listed = (figures, *(one for one in finding.signatures if one is not figures))
    titles = [f"{one.match.library_title} {one.match.accession}" for one in listed[:_LISTED]]
    if len(listed) > _LISTED:
        titles.append(f"{len(listed) - _LISTED} more")
    return ", ".join(titles)
