"""Closed vocabularies: every label that a result can carry."""

from __future__ import annotations

from enum import StrEnum


class ConfidenceLevel(StrEnum):
    """Level of a score; :meth:`of` is the only place that knows the borders."""

    HIGH = "HIGH"
    MODERATE = "MODERATE"
    LOW = "LOW"
    SPECULATIVE = "SPECULATIVE"
    NONE = "NONE"

    @classmethod
    def of(cls, score: float | None) -> ConfidenceLevel:
        """Level of a score in 0..1 as it is shown (two decimals); None is NONE."""
        if score is None:
            return cls.NONE
        shown = round(score, 2)
        for floor, level in _LEVEL_FLOORS:
            if shown >= floor:
                return level
        return cls.NONE

    @property
    def is_supported(self) -> bool:
        """Whether the evidence supports what has this level sufficiently to be passed on."""
        return self in _SUPPORTED

    @property
    def meaning(self) -> str:
        """One line for readers of a report."""
        return _LEVEL_MEANINGS[self]


_SUPPORTED = frozenset({ConfidenceLevel.HIGH, ConfidenceLevel.MODERATE})
_LEVEL_FLOORS = (
    (0.80, ConfidenceLevel.HIGH),
    (0.50, ConfidenceLevel.MODERATE),
    (0.30, ConfidenceLevel.LOW),
    (0.00, ConfidenceLevel.SPECULATIVE),
)
_LEVEL_MEANINGS = {
    ConfidenceLevel.HIGH: "0.80 and more: independent types of evidence agree",
    ConfidenceLevel.MODERATE: "0.50 to 0.79: some agreement, or one strong source",
    ConfidenceLevel.LOW: "0.30 to 0.49: one weak signal, a hypothesis only",
    ConfidenceLevel.SPECULATIVE: "below 0.30: minimal signal, to be reviewed",
    ConfidenceLevel.NONE: "no evidence: dark matter",
}


BACTERIUM_BP = 500_000
"""Total length from which a genome is taken for that of a bacterium: the smallest known
ones that live on their own are larger, and nearly all phages are smaller."""


class GenomeKind(StrEnum):
    """What a genome is taken for; confidence is measured for each apart."""

    PHAGE = "phage"
    BACTERIUM = "bacterium"

    @classmethod
    def of(cls, length_bp: int) -> GenomeKind:
        """By the total length of the records."""
        return cls.BACTERIUM if length_bp >= BACTERIUM_BP else cls.PHAGE


class EvidenceSource(StrEnum):
    """Where a piece of evidence was read."""

    GENBANK = "genbank"
    GENINT_FAMILY = "genint_family"
    PFAM = "pfam"
    SWISSPROT = "swissprot"
    USER_PROTEINS = "user_proteins"
    UNIPROT = "uniprot"
    INTERPRO = "interpro"
    BAKTA = "bakta"
    PHAROKKA = "pharokka"
    PHOLD = "phold"
    EGGNOG_MAPPER = "eggnog_mapper"
    INTERPROSCAN = "interproscan"
    GENE_CONTEXT = "gene_context"
    SEQUENCE_FEATURE = "sequence_feature"
    GENE_CALL = "gene_call"

    @property
    def is_imported(self) -> bool:
        """Whether another program found it, whose results the user gave."""
        return self in _IMPORTED

    @property
    def program(self) -> str:
        """Name of the other program; KeyError for sources of genint's own."""
        return _IMPORTED[self]


_IMPORTED = {
    EvidenceSource.BAKTA: "Bakta",
    EvidenceSource.PHAROKKA: "Pharokka",
    EvidenceSource.PHOLD: "Phold",
    EvidenceSource.EGGNOG_MAPPER: "eggNOG-mapper",
    EvidenceSource.INTERPROSCAN: "InterProScan",
}


class EvidenceType(StrEnum):
    """Kind of argument; two different independent kinds are needed for HIGH."""

    ANNOTATION = "annotation"
    FAMILY = "family"
    DOMAIN = "domain"
    HOMOLOGY = "homology"
    GENE_CONTEXT = "gene_context"
    SEQUENCE_FEATURE = "sequence_feature"
    GENE_CALL = "gene_call"

    @property
    def independent(self) -> bool:
        """Whether agreement with another type counts towards HIGH."""
        return self not in (EvidenceType.SEQUENCE_FEATURE, EvidenceType.GENE_CALL)


class NameBasis(StrEnum):
    """What the leading hypothesis of a gene rests on."""

    EVIDENCE = "evidence"
    """Evidence beyond the file names it too: a family, a domain, a similar protein."""
    FILE = "file"
    """It only repeats the product of the file; what else there is names its class at most."""

    @property
    def remark(self) -> str:
        """What stands beside a level; empty where nothing needs to be said."""
        return "only repeats the file's name" if self is NameBasis.FILE else ""


class Specificity(StrEnum):
    """How much a claim says, from most to least; see :attr:`rank`."""

    PROTEIN = "protein"
    FAMILY = "family"
    DOMAIN = "domain"
    CATEGORY = "category"

    @property
    def rank(self) -> int:
        """0 for the most specific."""
        return _RANKS[self]


_RANKS = {specificity: rank for rank, specificity in enumerate(Specificity)}


class CogSource(StrEnum):
    """What a COG letter rests on."""

    ANNOTATION = "annotation"
    """The file says so (a COG cross-reference or note)."""
    GENINT_FAMILY = "genint_family"
    """Members of that family of genint's own have it, as far as their COG is known."""
    HOMOLOGY = "homology"
    """A protein that is similar over its whole length has it."""
    IMPORTED = "imported"
    """Another program, whose results the user gave, found it."""
    PFAM = "pfam"
    """Learned from proteins with that Pfam family and a known COG."""
    PRODUCT_ROLE = "product_role"
    """The role that the product name denotes."""


class GoAspect(StrEnum):
    """The three ontologies of the Gene Ontology, as its files name them."""

    FUNCTION = "molecular_function"
    PROCESS = "biological_process"
    COMPONENT = "cellular_component"


class Category(StrEnum):
    """Functional category of a gene, for maps and tables."""

    PACKAGING = "DNA packaging"
    HEAD = "head and capsid"
    CONNECTOR = "head-tail connection"
    TAIL = "tail"
    LYSIS = "lysis"
    INTEGRATION = "integration and excision"
    LYSOGENY = "lysogeny control"
    HOST_TAKEOVER = "host takeover and defence"
    MOBILE = "mobile elements"
    REPLICATION = "replication, recombination and repair"
    NUCLEOTIDES = "nucleotide metabolism"
    TRANSCRIPTION = "transcription and its regulation"
    TRANSLATION = "translation"
    PROTEIN_FATE = "protein folding and turnover"
    METABOLISM = "metabolism"
    TRANSPORT = "transport"
    ENVELOPE = "cell envelope"
    CELL_PROCESSES = "cell division, motility and signalling"
    DEFENCE = "defence and resistance"
    OTHER = "other"
    UNKNOWN = "unknown function"


COG_NAMES: dict[str, str] = {
    "J": "Translation, ribosomal structure and biogenesis",
    "A": "RNA processing and modification",
    "K": "Transcription",
    "L": "Replication, recombination and repair",
    "B": "Chromatin structure and dynamics",
    "D": "Cell cycle control, cell division, chromosome partitioning",
    "Y": "Nuclear structure",
    "V": "Defense mechanisms",
    "T": "Signal transduction mechanisms",
    "M": "Cell wall/membrane/envelope biogenesis",
    "N": "Cell motility",
    "Z": "Cytoskeleton",
    "W": "Extracellular structures",
    "U": "Intracellular trafficking, secretion, and vesicular transport",
    "O": "Posttranslational modification, protein turnover, chaperones",
    "X": "Mobilome: prophages, transposons",
    "C": "Energy production and conversion",
    "G": "Carbohydrate transport and metabolism",
    "E": "Amino acid transport and metabolism",
    "F": "Nucleotide transport and metabolism",
    "H": "Coenzyme transport and metabolism",
    "I": "Lipid transport and metabolism",
    "P": "Inorganic ion transport and metabolism",
    "Q": "Secondary metabolites biosynthesis, transport and catabolism",
    "R": "General function prediction only",
    "S": "Function unknown",
}
"""Letter -> name of the functional categories of the COG collection (NCBI, 2024)."""

COG_CATEGORIES: dict[str, Category] = {
    "J": Category.TRANSLATION,
    "A": Category.TRANSCRIPTION,
    "K": Category.TRANSCRIPTION,
    "L": Category.REPLICATION,
    "B": Category.REPLICATION,
    "D": Category.CELL_PROCESSES,
    "Y": Category.OTHER,
    "V": Category.DEFENCE,
    "T": Category.CELL_PROCESSES,
    "M": Category.ENVELOPE,
    "N": Category.CELL_PROCESSES,
    "Z": Category.CELL_PROCESSES,
    "W": Category.ENVELOPE,
    "U": Category.TRANSPORT,
    "O": Category.PROTEIN_FATE,
    "X": Category.MOBILE,
    "C": Category.METABOLISM,
    "G": Category.METABOLISM,
    "E": Category.METABOLISM,
    "F": Category.NUCLEOTIDES,
    "H": Category.METABOLISM,
    "I": Category.METABOLISM,
    "P": Category.METABOLISM,
    "Q": Category.METABOLISM,
    "R": Category.OTHER,
    "S": Category.UNKNOWN,
}
"""The category of a gene of which no more than its COG letter is known."""

_COG_OPEN = frozenset("RSX")
"""Letters that contradict nothing: two say nothing of the function, and whatever a phage or a
transposon makes may be of the mobilome."""
_COG_OF_CATEGORY: dict[Category, frozenset[str]] = {
    Category.PACKAGING: frozenset("L"),
    Category.HEAD: frozenset("OM"),
    Category.CONNECTOR: frozenset(),
    Category.TAIL: frozenset("MGNW"),
    Category.LYSIS: frozenset("MVU"),
    Category.INTEGRATION: frozenset("LK"),
    Category.LYSOGENY: frozenset("KTLP"),
    Category.MOBILE: frozenset("LV"),
    Category.REPLICATION: frozenset("LBDKVJ"),
    Category.NUCLEOTIDES: frozenset("FEGHLTVO"),
    Category.TRANSCRIPTION: frozenset("KTLAJPFGH"),
    Category.TRANSLATION: frozenset("JAHOKED"),
    Category.PROTEIN_FATE: frozenset("OEJMUTNK"),
    Category.METABOLISM: frozenset("CGEFHIPQMTOJV"),
    Category.TRANSPORT: frozenset("UPEGCFHIMQVNTJO"),
    Category.ENVELOPE: frozenset("MIDVUWNGEOTCH"),
    Category.CELL_PROCESSES: frozenset("TDNWMUOKVZ"),
}
"""Letters that proteins of a category may have, besides the open ones. Wide, as one protein may
well have two functions: RuvX resolves Holliday junctions (L) and matures 16S rRNA (J). Categories
that are not listed take in proteins of any letter (toxins and defence, takeover of the host)."""


def cog_fits(letters: str, category: Category | None) -> bool:
    """Whether a COG letter can be that of a protein of a functional category.

    Args:
        letters: One letter, or several of which the first counts.
        category: None where none is known.
    """
    allowed = _COG_OF_CATEGORY.get(category) if category is not None else None
    return allowed is None or letters[:1] in allowed | _COG_OPEN


ECO_NAMES: dict[str, str] = {
    "ECO:0000027": "structural similarity evidence",
    "ECO:0000177": "genomic context evidence",
    "ECO:0000249": "sequence similarity evidence used in automatic assertion",
    "ECO:0000250": "sequence similarity evidence used in manual assertion",
    "ECO:0000255": "match to sequence model evidence used in manual assertion",
    "ECO:0000256": "match to sequence model evidence used in automatic assertion",
    "ECO:0000259": "match to InterPro member signature evidence used in automatic assertion",
    "ECO:0000265": "sequence orthology evidence used in automatic assertion",
    "ECO:0000269": "experimental evidence used in manual assertion",
    "ECO:0000303": "author statement without traceable support used in manual assertion",
    "ECO:0000305": "curator inference used in manual assertion",
    "ECO:0000312": "imported information used in manual assertion",
    "ECO:0000313": "imported information used in automatic assertion",
    "ECO:0000352": "evidence used in manual assertion",
    "ECO:0000501": "evidence used in automatic assertion",
    "ECO:0007744": (
        "combinatorial computational and experimental evidence used in manual assertion"
    ),
    "ECO:0007829": (
        "combinatorial computational and experimental evidence used in automatic assertion"
    ),
}
"""Code -> name in the Evidence and Conclusion Ontology (CC0), of the codes that sources give."""
