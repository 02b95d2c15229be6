"""A finding of InterPro as evidence: figures, label, origin, terms."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from genint.knowledge.families import FamilyTable
from genint.model.evidence import Evidence, GoTerm
from genint.model.online import InterProAnswer, InterProEntry
from genint.model.shares import percent
from genint.model.vocabulary import EvidenceSource, EvidenceType, Specificity
from genint.sources.domains import ECO_SEQUENCE_MODEL
from genint.sources.interpro_families import title
from genint.sources.interpro_findings import Finding, Kind, Signature
from genint.sources.interpro_measures import evalue_of, measurements

_LISTED: Final = 4
_WITH_TERMS: Final = frozenset({Kind.FAMILY, Kind.DOMAIN})


@dataclass(frozen=True, slots=True)
class About:
    """What the findings of a gene are read with.

    Attributes:
        gene_id: Of whom.
        length_aa: Of its protein.
        answer: Where they are from.
        go: Terms of entries.
        families: What Pfam accessions mean.
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
    about: About,
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
        figures: The one whose figures are told.
        about: Whose it is.
        claim: What it says.
        subject: The bare name in it.
        specificity: How much it claims.
        strength: Class of reliability.
        aliases: Other names of the subject, beside those of InterPro.
        cog: Letter that members have.
    """
    entry, pfam = finding.entry, finding.pfam
    return Evidence(
        gene_id=about.gene_id,
        source=EvidenceSource.INTERPRO,
        type=EvidenceType.DOMAIN,
        specificity=specificity,
        claim=claim,
        subject=subject,
        label=_label(finding, figures),
        strength=strength,
        origin=_origin(finding, about),
        eco=ECO_SEQUENCE_MODEL,
        database=about.database,
        accession=entry.accession if entry else figures.match.accession,
        measured=measurements(figures.match, figures.stretch),
        pfam=pfam.match.accession if pfam else None,
        cog=cog,
        go=_terms(finding, figures, about),
        aliases=_aliases(aliases, entry, pfam),
    )


def _aliases(
    known: Iterable[str], entry: InterProEntry | None, pfam: Signature | None
) -> tuple[str, ...]:
    short = (entry.name if entry else "", pfam.match.name if pfam else "")
    names = (*known, *(name.replace("_", " ") for name in short))
    return tuple(dict.fromkeys(filter(None, names)))


def _terms(finding: Finding, figures: Signature, about: About) -> tuple[GoTerm, ...]:
    """Terms of the entry and of those above it, which hold for it too; none of fragments."""
    if finding.entry is None or finding.kind not in _WITH_TERMS or not figures.is_complete:
        return ()
    terms = (
        term
        for accession in about.lineage.get(finding.entry.accession, ())
        for term in about.go.get(accession, ())
    )
    return tuple({term.id: term for term in terms}.values())


def _origin(finding: Finding, about: About) -> str:
    """What rests on one Pfam family counts once with it, whichever way it came."""
    ours = (one.match.accession for one in finding.signatures if one.match.library == "pfam")
    here = next((one for one in ours if one in about.found_here), None)
    if here is not None:
        return f"pfam:{here}"
    if finding.pfam is not None:
        return f"pfam:{finding.pfam.match.accession}"
    if finding.entry is None:
        match = finding.best.match
        return f"{match.library}:{match.accession}"
    pfam = about.found_here.get(finding.entry.accession)
    return f"pfam:{pfam}" if pfam else f"interpro:{finding.entry.accession}"


def _label(finding: Finding, figures: Signature) -> str:
    entry, match, stretch = finding.entry, figures.match, figures.stretch
    short, long = title(entry, match)
    accession = entry.accession if entry else match.accession
    name = accession if short == accession else f"{accession} {short}"
    evalue = evalue_of(match)
    told = [f"E {evalue:.1e}" if evalue else "E 0"] if evalue is not None else []
    if stretch is not None and stretch.model_share is not None:
        told.append(f"{percent(stretch.model_share)} of the model")
    if stretch is not None:
        told.append(f"{percent(stretch.protein_share)} of the protein")
    sources = _sources(finding, figures) if entry else match.library_title
    aside = "; ".join(filter(None, (sources, ", ".join(told))))
    return f"{name}: {long} ({aside})" if long else f"{name} ({aside})"


def _sources(finding: Finding, figures: Signature) -> str:
    """The signatures, that of the figures first."""
    listed = (figures, *(one for one in finding.signatures if one is not figures))
    titles = [f"{one.match.library_title} {one.match.accession}" for one in listed[:_LISTED]]
    if len(listed) > _LISTED:
        titles.append(f"{len(listed) - _LISTED} more")
    return ", ".join(titles)
