"""What reports for programs say of a gene, in the wording of the INSDC where it has one.

One statement has one wording: GenBank and GFF3 call the same functions. Text comes back on
one line and without control or direction characters; escaping is the format's business.

Source: INSDC feature table definition (qualifiers ``/inference``, ``/db_xref``, ``/note``).
"""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import Final, NamedTuple

from genint.formats.genbank.features import NOTE_START
from genint.formats.genbank.flatfile import RawPart
from genint.formats.genbank.writer import location_text
from genint.model.genome import CalledBy
from genint.model.interpretation import NameVerdict
from genint.model.rescue import percent
from genint.model.vocabulary import ConfidenceLevel, EvidenceSource
from genint.report.result import GeneItem, GenintResult, RnaGeneItem
from genint.report.result_gene import ContextItem, EvidenceItem, FeatureItem, SimilarItem
from genint.report.summaries import NOT_RECOGNISED, level_text
from genint.report.wording import shown_text, unanswered_text

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

_AMINO_ACID: Final = re.compile(r"tRNA-f?([A-Z][a-z]{2})(?![a-z])")
_SUPPRESSOR: Final = "Sup"
"""A tRNA that reads a stop codon; as what, its sequence does not say."""


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
        EvidenceSource.GENINT_FAMILY: Reference(_PROTEIN_MOTIF, "genint-families", None),
        EvidenceSource.SWISSPROT: Reference(_SIMILAR_PROTEIN, _SWISS_PROT, _SWISS_PROT),
        EvidenceSource.USER_PROTEINS: Reference(_SIMILAR_PROTEIN, "user-proteins", None),
        EvidenceSource.PHAROKKA: Reference(_PROTEIN_MOTIF, "PHROGs", None),
        EvidenceSource.PHOLD: Reference(_PROTEIN_MOTIF, "PHROGs", None),
        EvidenceSource.EGGNOG_MAPPER: Reference(_PROTEIN_MOTIF, "eggNOG", None),
    }
)


def reference_of(item: EvidenceItem) -> Reference | None:
    """The database of an observation; None where it has no accession that can be looked up."""
    if not is_accession(item.accession):
        return None
    match item.source:
        case EvidenceSource.INTERPRO | EvidenceSource.INTERPROSCAN:
            return _of_signature(item)
        case EvidenceSource.BAKTA if (item.accession or "").startswith("UniRef"):
            return Reference(_SIMILAR_PROTEIN, "UniRef", None)
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
    """What online services know by this very sequence, whichever hypothesis it supports."""
    online = (EvidenceSource.UNIPROT, EvidenceSource.INTERPRO)
    found = (cross_reference(item) for item in gene.evidence if item.source in online)
    return tuple(dict.fromkeys(one for one in found if one))


def is_protein_entry(reference: str) -> bool:
    """Whether a cross-reference is to an entry of UniProtKB, of which a protein has one."""
    return reference.casefold().startswith("uniprotkb/")


def is_accession(text: str | None) -> bool:
    """Whether a text can be the accession of a database entry."""
    return text is not None and _ACCESSION.fullmatch(text) is not None


UNNAMED: Final = "hypothetical protein"
VERDICTS: Final = MappingProxyType(
    {
        NameVerdict.AGREES: "named by both, alike",
        NameVerdict.DIFFERS: "named by both, differently",
        NameVerdict.ONLY_HERE: "named here only",
        NameVerdict.ONLY_IN_FILE: "the file names it, this run does not",
        NameVerdict.NEITHER: "named by neither",
    }
)
"""How the name of a gene compares with the one in the file, where that was set aside."""

_FINDERS: Final = MappingProxyType(
    {CalledBy.PYRODIGAL: "pyrodigal", CalledBy.PYRODIGAL_GV: "pyrodigal-gv"}
)
_OWN_CALLS: Final = frozenset(
    {CalledBy.GENINT_NESTED, CalledBy.GENINT_OVERLAPPING, CalledBy.GENINT_INTERNAL_START}
)
OWN_NAMED: Final = frozenset({ConfidenceLevel.HIGH, ConfidenceLevel.MODERATE})
"""Levels of hypotheses that are sure enough to be the product of a gene without one."""


def program_of(gene: GeneItem, result: GenintResult) -> str | None:
    """Name and version of the program that predicted a gene; None for genes of the file.

    The version is left out where the result does not hold it (schema 1.0).
    """
    if gene.called_by in _OWN_CALLS:
        return f"genint {shown_text(result.genint_version)}"
    name = _FINDERS.get(gene.called_by)
    if name is None:
        return None
    versions = (item.version for item in result.programs if item.name == name)
    return f"{name} {shown_text(next(versions, ''))}".strip()


def inferences(gene: GeneItem, result: GenintResult) -> tuple[str, ...]:
    """Values of ``/inference``: how the gene was found, then what supports its function.

    Such as ``ab initio prediction:pyrodigal:3.6.3`` or ``protein motif:Pfam:PF01343``. The
    product of the file is no inference of ours and is not among them.
    """
    program = program_of(gene, result)
    found = [f"ab initio prediction:{program.replace(' ', ':')}"] if program else []
    for item in _leading(gene):
        if (named := reference_of(item)) is not None:
            found.append(f"{named.kind}:{named.database}:{item.accession}")
    return tuple(dict.fromkeys(found))


def cross_references(gene: GeneItem) -> tuple[str, ...]:
    """Values of ``/db_xref``: families and proteins that support the leading hypothesis.

    The gene's Pfam family is among them, and what UniProt and InterPro have for this very
    sequence; GO terms are not: they are written with their aspect. Nor are proteins that are
    merely similar: a cross-reference says that this is the protein.
    """
    found = [one for item in _leading(gene) if (one := cross_reference(item))]
    if is_accession(gene.pfam_id):
        found.append(f"PFAM:{gene.pfam_id}")
    return tuple(dict.fromkeys((*found, *online_references(gene))))


def note(gene: GeneItem) -> str:
    """The interpretation in one line for a curator; begins with ``genint:``."""
    if gene.function is None:
        text = f"dark matter, {NOT_RECOGNISED}"
        if gene.compared is not None and gene.compared.verdict is NameVerdict.ONLY_IN_FILE:
            text += "; the product in the file was set aside"
        if gene.novelty is not None:
            priority, rank = gene.novelty.priority, gene.novelty.rank
            text += f"; research priority {priority:.2f}, rank {rank}"
        if (unasked := unanswered_text(gene)) is not None:
            text += f"; {unasked}"
        return NOTE_START + text
    facts = [gene.function, f"confidence {level_text(gene)}"]
    if gene.cog_category:
        facts.append(f"COG {gene.cog_category}")
    evidence = [_named(item) for item in _leading(gene)]
    if evidence:
        facts.append("evidence: " + ", ".join(dict.fromkeys(evidence)))
    return NOTE_START + shown_text("; ".join(facts))


STOPS_INSIDE: Final = (
    "the bases have stop codons inside the reading frame, so no protein is made as written"
)
"""Why a coding sequence of the file is written as that of a pseudogene."""


def has_stops_inside(gene: GeneItem) -> bool:
    """Whether a gene that is no pseudogene by the file cannot be read from end to end."""
    return not gene.pseudo and "*" in gene.translation


def product_name(gene: GeneItem) -> str:
    """The product of a gene that has none: a wrong name is worse than no name.

    Never meant to replace a product of the file.
    """
    if gene.confidence in OWN_NAMED and gene.normalized_product:
        return shown_text(gene.normalized_product)
    return UNNAMED


def eco_codes(gene: GeneItem) -> tuple[str, ...]:
    """Evidence and Conclusion Ontology codes behind the leading hypothesis, each once."""
    return tuple(dict.fromkeys(item.eco for item in _leading(gene) if item.eco))


def feature_text(item: FeatureItem) -> str:
    """A sequence feature with its place and by what it was seen."""
    score = f"score {item.score:g}"
    return shown_text(f"{item.kind}, residues {item.start} to {item.end} ({item.method}, {score})")


def feature_names(gene: GeneItem) -> tuple[str, ...]:
    """Sequence features in short, such as ``transmembrane segment 7-25``."""
    return tuple(f"{one.kind} {one.start}-{one.end}" for one in gene.features)


def context_text(item: ContextItem) -> str:
    """What the neighbours say, how often that is right, and which they are."""
    right = f"such predictions are right for {percent(item.probability)} of genes"
    neighbours = "; ".join(item.neighbours)
    return shown_text(f"category {item.category} predicted from neighbours ({right}): {neighbours}")


def _leading(gene: GeneItem) -> tuple[EvidenceItem, ...]:
    """Evidence of the leading hypothesis."""
    if not gene.hypotheses:
        return ()
    return tuple(gene.evidence[at] for at in gene.hypotheses[0].evidence)


def _named(item: EvidenceItem) -> str:
    """An observation in a few words, with its code."""
    if item.source is EvidenceSource.GENBANK:
        name = "product in the file"
    elif item.database and item.accession:
        name = f"{item.database} {item.accession}{_likeness(item.similar)}"
    else:
        name = item.label
    return f"{name} ({item.eco})" if item.eco else name


def _likeness(similar: SimilarItem | None) -> str:
    """What a similar protein is called, whose it is, and how similar."""
    if similar is None:
        return ""
    identity = "" if similar.identity is None else f"{percent(similar.identity)} identical"
    facts = (similar.name, similar.organism, identity)
    return f" [{', '.join(fact for fact in facts if fact)}]"


def anticodon_value(rna: RnaGeneItem, record_bp: int) -> str | None:
    """Value of ``/anticodon``; None where its place or the amino acid is not known.

    Such as ``(pos:complement(72664..72666),aa:Trp,seq:cca)``.
    """
    found = _AMINO_ACID.match(rna.product or "")
    if rna.anticodon_start is None or rna.anticodon_end is None or found is None:
        return None
    if found[1] == _SUPPRESSOR:
        return None
    span = RawPart(rna.anticodon_start, rna.anticodon_end, rna.strand == "-")
    bases = f",seq:{rna.anticodon.lower()}" if rna.anticodon else ""
    return f"(pos:{location_text([span], record_bp)},aa:{found[1]}{bases})"
