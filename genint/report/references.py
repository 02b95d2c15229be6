"""Databases behind observations as the INSDC writes them, for inferences and cross-references.

Source: INSDC feature table definition (``/inference``) and its controlled vocabulary of
``/db_xref`` databases.
"""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import Final, NamedTuple

from genint.model.vocabulary import EvidenceSource
from genint.report.result import EvidenceItem, GeneItem

_PROTEIN_MOTIF: Final = "protein motif"
_SIMILAR_PROTEIN: Final = "similar to AA sequence"
_SWISS_PROT: Final = "UniProtKB/Swiss-Prot"
_TREMBL: Final = "UniProtKB/TrEMBL"
_ACCESSION: Final = re.compile(r"[A-Za-z0-9_.\-]+")
"""What an accession is made of; anything else would break the fields of an inference."""
_LIBRARY: Final = re.compile(r"[a-z][a-z0-9]*", re.ASCII)
_INTERPRO_ENTRY: Final = re.compile(r"IPR\d{6}", re.ASCII)
_PFAM_FAMILY: Final = re.compile(r"PF\d{5}", re.ASCII)
_BY_PERSONS: Final = frozenset(
    {"uniprot_experiment", "uniprot_curated", "uniprot_similarity", "uniprot_rule"}
)
"""Classes of reviewed entries: curators gave the name, or looked at the rule that did."""
_TITLES: Final = MappingProxyType(
    {
        "cathfunfam": "CATH-FunFam",
        "cathgene3d": "CATH-Gene3D",
        "cdd": "CDD",
        "hamap": "HAMAP",
        "ncbifam": "NCBIfam",
        "panther": "PANTHER",
        "pirsf": "PIRSF",
        "prints": "PRINTS",
        "prositepatterns": "PROSITE",
        "prositeprofiles": "PROSITE",
        "sfld": "SFLD",
        "smart": "SMART",
        "superfamily": "SUPERFAMILY",
    }
)
"""Collections of signatures as they write themselves."""


class Reference(NamedTuple):
    """Where an observation can be looked up.

    Attributes:
        kind: Type of the inference.
        database: As an inference names it.
        cross_reference: As ``/db_xref`` names it; None where the INSDC has no name for it, or
            what was found is not of this sequence.
    """

    kind: str
    database: str
    cross_reference: str | None


_OF_SOURCE: Final = MappingProxyType(
    {
        EvidenceSource.PFAM: Reference(_PROTEIN_MOTIF, "Pfam", "PFAM"),
        EvidenceSource.GENINT_FAMILY: Reference(_PROTEIN_MOTIF, "genint families", None),
        EvidenceSource.SWISSPROT: Reference(_SIMILAR_PROTEIN, _SWISS_PROT, _SWISS_PROT),
        EvidenceSource.USER_PROTEINS: Reference(_SIMILAR_PROTEIN, "user-proteins", None),
    }
)


def reference_of(item: EvidenceItem) -> Reference | None:
    """The database of an observation; None where it has no accession that can be looked up."""
    if not is_accession(item.accession):
        return None
    match item.source:
        case EvidenceSource.INTERPRO:
            return _of_signature(item)
        case EvidenceSource.UNIPROT:
            section = _SWISS_PROT if item.strength in _BY_PERSONS else _TREMBL
            if is_the_same(item):
                return Reference(_SIMILAR_PROTEIN, section, section)
            return Reference(_SIMILAR_PROTEIN, "UniProtKB", None)
        case _:
            return _OF_SOURCE.get(item.source)


def _of_signature(item: EvidenceItem) -> Reference | None:
    """InterPro's own entries, families of Pfam, and signatures by their library."""
    accession = item.accession or ""
    if _INTERPRO_ENTRY.fullmatch(accession):
        return Reference(_PROTEIN_MOTIF, "InterPro", "InterPro")
    if _PFAM_FAMILY.fullmatch(accession):
        return _OF_SOURCE[EvidenceSource.PFAM]
    library, _, name = item.origin.partition(":")
    if name == accession and _LIBRARY.fullmatch(library):
        return Reference(_PROTEIN_MOTIF, _TITLES.get(library, library), None)
    return None


def is_the_same(item: EvidenceItem) -> bool:
    """Whether an observation is of this very protein or family, not of a similar protein."""
    similar = item.similar
    if similar is None:
        return item.source is not EvidenceSource.UNIPROT
    return similar.identity == item.coverage == item.target_coverage == 1.0


def cross_reference(item: EvidenceItem) -> str | None:
    """Value of ``/db_xref`` for what an observation is of; None where it is only similar."""
    found = reference_of(item)
    if found is None or found.cross_reference is None or not is_the_same(item):
        return None
    return f"{found.cross_reference}:{item.accession}"


def online_references(gene: GeneItem) -> tuple[str, ...]:
    """What online services know by this very sequence, whichever hypothesis it speaks for."""
    online = (EvidenceSource.UNIPROT, EvidenceSource.INTERPRO)
    found = (cross_reference(item) for item in gene.evidence if item.source in online)
    return tuple(dict.fromkeys(one for one in found if one))


def is_protein_entry(reference: str) -> bool:
    """Whether a cross-reference is to an entry of UniProtKB, of which a protein has one."""
    return reference.casefold().startswith("uniprotkb/")


def is_accession(text: str | None) -> bool:
    """Whether a text can stand for an entry of a database."""
    return text is not None and _ACCESSION.fullmatch(text) is not None
