"""What an entry of UniProt says of a protein, and how far that is to be trusted.

By the evidence of its name, which UniProt gives as codes of the Evidence and Conclusion
Ontology, and by whether it has the very sequence. The classes stand in ``confidence.toml``.

Source: "Evidences" in the help of UniProt.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from genint.knowledge.products import ProductVocabulary
from genint.model.genome import Gene
from genint.model.online import NameOrigin, UniProtEntry
from genint.model.vocabulary import EvidenceType
from genint.sources.homology_strength import (
    WHOLE,
    WHOLE_OF_A_PIECE,
    ReferenceName,
    read_name,
)

EXPERIMENT: Final = "uniprot_experiment"
CURATED: Final = "uniprot_curated"
SIMILARITY: Final = "uniprot_similarity"
RULE: Final = "uniprot_rule"
OTHER_SEQUENCE: Final = "uniprot_other_sequence"
AUTOMATIC: Final = "uniprot_automatic"
OTHER_AUTOMATIC: Final = "uniprot_other_automatic"
SUBMITTED: Final = "uniprot_submitted"
_ORDER: Final = (
    EXPERIMENT,
    CURATED,
    SIMILARITY,
    RULE,
    OTHER_SEQUENCE,
    AUTOMATIC,
    OTHER_AUTOMATIC,
    SUBMITTED,
)
"""Most trusted first."""
_BY_PERSONS: Final = frozenset({EXPERIMENT, CURATED, SIMILARITY, RULE})
_CLASSES: Final = {
    "ECO:0000269": EXPERIMENT,
    "ECO:0000305": CURATED,
    "ECO:0000303": CURATED,
    "ECO:0000250": SIMILARITY,
    "ECO:0000255": RULE,
    "ECO:0007744": RULE,
    "ECO:0000312": RULE,
    "ECO:0000256": AUTOMATIC,
    "ECO:0000259": AUTOMATIC,
    "ECO:0007829": AUTOMATIC,
    "ECO:0000313": SUBMITTED,
}
"""Best code first."""
CODES: Final = frozenset(_CLASSES)
"""All that are known, of names that have one."""
_BY_SIGNATURES: Final = frozenset({"ECO:0000255", "ECO:0000256", "ECO:0000259"})
"""Codes of names that a rule gave to whatever has certain signatures."""
ECO_MANUAL: Final = "ECO:0000352"
"""Evidence used in manual assertion: of a reviewed entry whose name has no code."""
ECO_AUTOMATIC: Final = "ECO:0000501"
"""Evidence used in automatic assertion: the same of an unreviewed one."""
ECO_IMPORTED: Final = "ECO:0000313"


class Grade(NamedTuple):
    """An entry and what its name is worth for a gene.

    Attributes:
        entry: Of UniProtKB.
        name: Its name.
        strength: Class of reliability.
        eco: Best code of the name.
        piece: The gene is cut off, and the entry is longer.
    """

    entry: UniProtEntry
    name: ReferenceName
    strength: str
    eco: str
    piece: bool = False

    @property
    def rank(self) -> int:
        """0 for the most trusted class."""
        return _ORDER.index(self.strength)

    def may_contest(self, lead: Grade) -> bool:
        """Whether another name of its weighs against that of an entry before it.

        Nobody looked at the names of unreviewed entries: they contest no reviewed one. Nor
        does an entry of another sequence contest one of the very sequence.
        """
        reviewed = self.entry.reviewed - lead.entry.reviewed
        same = self.entry.same_sequence - lead.entry.same_sequence
        return reviewed > 0 or same > 0 or (reviewed == 0 and same == 0)


def graded(gene: Gene, entry: UniProtEntry, products: ProductVocabulary) -> Grade | None:
    """What an entry says of a gene; None where it says nothing."""
    name = read_name(entry.name, products)
    if not name.telling:
        return None
    eco, strength = _told_by(entry)
    if entry.same_sequence:
        return Grade(entry, name, strength, eco)
    alike = length_ratio(gene, entry)
    cut_off = gene.location.partial_5 or gene.location.partial_3
    if alike < (WHOLE_OF_A_PIECE if cut_off else WHOLE):
        return None  # such a part of a locus may do anything
    return Grade(entry, name, _of_other_sequence(entry, strength), eco, piece=alike < WHOLE)


def type_of(grade: Grade) -> EvidenceType:
    """Which kind of argument the name is.

    A name that a rule gave rests on signatures of the protein, and those are what InterPro
    says: the two are one type of evidence, however the fact came here.
    """
    return EvidenceType.DOMAIN if grade.eco in _BY_SIGNATURES else EvidenceType.HOMOLOGY


def length_ratio(gene: Gene, entry: UniProtEntry) -> float:
    """Length of the shorter of the two proteins, as share of the longer one, 0..1."""
    ours, theirs = len(gene.protein), entry.length_aa
    return min(ours, theirs) / max(ours, theirs, 1)


def _told_by(entry: UniProtEntry) -> tuple[str, str]:
    """Best code of the name, and the class that it stands for."""
    eco = next((code for code in _CLASSES if code in entry.name_eco), None)
    if eco is None:
        if entry.reviewed:
            return ECO_MANUAL, RULE
        if entry.name_origin is NameOrigin.RECOMMENDED:
            return ECO_AUTOMATIC, AUTOMATIC
        return ECO_IMPORTED, SUBMITTED
    strength = _CLASSES[eco]
    if strength in _BY_PERSONS and not entry.reviewed:
        return eco, AUTOMATIC
    return eco, strength


def _of_other_sequence(entry: UniProtEntry, strength: str) -> str:
    if strength == SUBMITTED:
        return SUBMITTED
    return OTHER_SEQUENCE if entry.reviewed else OTHER_AUTOMATIC
