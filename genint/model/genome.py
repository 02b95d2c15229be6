"""A genome: contigs, protein-coding genes, RNA genes, CRISPR arrays, other features, warnings."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from genint.model.interval import Interval, Location, Strand
from genint.model.rescue import AlternativeProduct, AlternativeStart, RejectedFrame, Rescue
from genint.model.sequence import extract
from genint.model.vocabulary import GenomeKind


class Topology(StrEnum):
    """Shape of a contig."""

    LINEAR = "linear"
    CIRCULAR = "circular"


class CalledBy(StrEnum):
    """Who says that there is a gene here."""

    GENBANK = "genbank"
    """The user's file (a CDS feature)."""
    GENBANK_GENE = "genbank_gene"
    """The user's file (a gene feature without CDS whose span is a clean open reading frame)."""
    PYRODIGAL = "pyrodigal"
    PYRODIGAL_GV = "pyrodigal_gv"
    GENINT_NESTED = "genint_nested"
    """A gene nested in another reading frame that the base caller drops by design."""
    GENINT_OVERLAPPING = "genint_overlapping"
    """A small gene, overlapping others or between them, that the base caller drops."""
    GENINT_INTERNAL_START = "genint_internal_start"
    """A gene of its own with the frame and stop of another and a start further in."""


class Qualifier(NamedTuple):
    """One qualifier of a feature as the file has it; value None for bare flags."""

    name: str
    value: str | None


@dataclass(frozen=True, slots=True)
class CallScores:
    """What the gene finder measured; all scores are log-odds in its own units.

    Attributes:
        total: Sum of coding and start score.
        coding: Likeness of the codons to coding sequence.
        start: Start codon, ribosome binding site and upstream bases together.
        start_codon: Such as ATG.
        rbs_motif: Ribosome binding site, None where none was seen.
        confidence: Gene finder's own probability, 0..1.
        rbs_spacer: Bases between that site and the start codon, such as ``5-10bp``.
        rbs_score: What the site adds to ``start``; None where it was not kept.
    """

    total: float
    coding: float
    start: float
    start_codon: str
    rbs_motif: str | None
    confidence: float
    rbs_spacer: str | None = None
    rbs_score: float | None = None


class GenePeptide(NamedTuple):
    """A peptide of a gene's protein that a mass spectrometer saw, and that no other place encodes.

    Attributes:
        residues: As it was read.
        first: Its first residue in the protein, 1-based.
        last: Its last one, inclusive.
        spectra: How often it was seen.
        shows_start: It begins where the protein does, as only its beginning can.
    """

    residues: str
    first: int
    last: int
    spectra: int
    shows_start: bool = False


@dataclass(frozen=True, slots=True)
class Gene:
    """A protein-coding gene.

    Attributes:
        id: Unique in the genome; never changed once given.
        contig: Id of the contig that it lies on.
        location: Parts in the order of transcription.
        protein: Translation by us, M first, without the final stop; ``*`` where a
            stop lies inside. Empty where nothing can be translated.
        translation_table: NCBI genetic code used.
        codon_start: 1, 2 or 3, the first base of the first whole codon.
        product: Product name of the file, None for predicted genes.
        pseudo: The file says that it is a pseudogene.
        qualifiers: Everything else that the file says, in its order.
        scores: What a gene finder measured; None for genes of the file.
        note: Why the gene is there, where that is not evident (rescued genes).
        rescue: What a rescued gene scored, addend by addend; None for others.
        peptides: Of its protein that a mass spectrometer saw, by position.
        new_tag: Locus tag by the prefix that the run was given, where the file has none or
            another; None where there is no such tag.
        line: 1-based line of the file's text that its feature starts on; None for
            predicted genes.
        gene_line: That of the ``gene`` feature over it; None where there is none.
    """

    id: str
    contig: str
    location: Location
    protein: str
    translation_table: int
    called_by: CalledBy
    codon_start: int = 1
    locus_tag: str | None = None
    protein_id: str | None = None
    symbol: str | None = None
    product: str | None = None
    pseudo: bool = False
    qualifiers: tuple[Qualifier, ...] = ()
    scores: CallScores | None = None
    note: str | None = None
    rescue: Rescue | None = None
    peptides: tuple[GenePeptide, ...] = ()
    new_tag: str | None = None
    line: int | None = field(default=None, compare=False)
    gene_line: int | None = field(default=None, compare=False)

    @property
    def name(self) -> str:
        """Gene symbol where there is one, else the id."""
        return self.symbol or self.id

    @property
    def strand(self) -> Strand:
        """Strand of the first part."""
        return self.location.strand

    @property
    def span(self) -> Interval:
        """Outer span, unrolled over the origin."""
        return self.location.span

    def rejected(self, reason: str, rescue: Rescue | None = None) -> RejectedFrame:
        """This call as a frame that is no gene, and why."""
        return RejectedFrame(
            id=self.id,
            contig=self.contig,
            interval=self.span,
            strand=self.strand,
            length_aa=len(self.protein),
            rescue=rescue,
            reason=reason,
        )

    def values(self, name: str) -> tuple[str, ...]:
        """All values of a qualifier, in file order; () where it is absent."""
        return tuple(q.value for q in self.qualifiers if q.name == name and q.value is not None)


@dataclass(frozen=True, slots=True)
class OtherFeature:
    """A gene feature of the file that codes for nothing we interpret.

    ``new_tag`` and ``line`` are those of :class:`Gene`.
    """

    id: str
    contig: str
    location: Location
    kind: str
    symbol: str | None
    reason: str
    locus_tag: str | None = None
    new_tag: str | None = None
    line: int | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class RnaGene:
    """An RNA gene: never counted among the protein-coding genes.

    Attributes:
        kind: The INSDC feature key (tRNA, rRNA, tmRNA, ncRNA, ...).
        product: Such as ``tRNA-Met`` or ``16S ribosomal RNA``.
        anticodon: Of a tRNA, 5' to 3' as DNA, such as ``CAT``; None where not known.
        anticodon_place: Where it lies; None where not known, or where an intron parts it.
        method: Which search found it; None for those of the user's file.
        score: Of that search; None where it gives none.
        score_unit: What the score is, such as ``bits``.
        accession: Of the model that recognises it, such as ``RF00177``.
        note: A remark, in one plain sentence.
        insdc_class: INSDC's ``/ncRNA_class`` of an ncRNA, of the file or found, or the
            ``/regulatory_class`` of a regulatory stretch (kind ``regulatory``).
        new_tag, line, gene_line: As those of :class:`Gene`.
    """

    id: str
    contig: str
    location: Location
    kind: str
    product: str | None = None
    locus_tag: str | None = None
    symbol: str | None = None
    pseudo: bool = False
    anticodon: str | None = None
    method: str | None = None
    score: float | None = None
    score_unit: str | None = None
    accession: str | None = None
    note: str | None = None
    insdc_class: str | None = None
    anticodon_place: Interval | None = None
    new_tag: str | None = None
    line: int | None = field(default=None, compare=False)
    gene_line: int | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class CrisprArray:
    """An array of direct repeats with spacers between them.

    Attributes:
        repeat: Consensus of the repeats, forward strand.
        repeats: How many.
        spacers: Their bases, in forward order.
        method: Which search found it.
    """

    id: str
    contig: str
    location: Location
    repeat: str
    repeats: int
    spacers: tuple[str, ...]
    method: str


class FeatureSearch(NamedTuple):
    """What was searched for besides protein-coding genes, or why it was not.

    Attributes:
        what: Such as ``tRNA and tmRNA``, ``rRNA``, ``other RNA``, ``CRISPR arrays``.
        method: Program and version; None where nothing was searched.
        found: How many; None where nothing was searched.
        reason: Why not, and what to do; empty where it was searched.
    """

    what: str
    method: str | None
    found: int | None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class GeneCalling:
    """How the genes of a contig came to be, for the report.

    Attributes:
        method: Such as ``genbank`` or ``pyrodigal meta``.
        translation_table: NCBI genetic code used.
        code_reason: Why this genetic code, in plain words.
        topology_reason: Why linear or circular, in plain words.
    """

    method: str
    translation_table: int
    code_reason: str
    topology_reason: str


@dataclass(frozen=True, slots=True)
class Contig:
    """One record of a genome file.

    Attributes:
        id: Unique in the genome.
        bases: Upper-case IUPAC DNA; U of RNA records is T here.
        topology: As the file says; linear where it says nothing.
        topology_stated: The file (LOCUS line, FASTA header) says which.
        translation_table: As the file's CDS features say, None where they don't.
        taxon_id: NCBI taxon, as the file says; None where it says none, or several.
        rejected: Frames and calls that came near to being genes, by position.
        alternative_starts: Shorter products of the genes, by position.
        alternative_products: What slipping ribosomes make, by position.
        terminal_repeat_bp: Length of the stretch that is both its start and its end; 0: none.
        kind: What it is taken for; None until that is judged (:func:`genint.model.kinds.kinds_of`).
        host: That the file names (``/host``); None where it names none.
    """

    id: str
    bases: str
    description: str = ""
    topology: Topology = Topology.LINEAR
    topology_stated: bool = False
    translation_table: int | None = None
    molecule_type: str | None = None
    organism: str | None = None
    lineage: tuple[str, ...] = ()
    taxon_id: int | None = None
    genes: tuple[Gene, ...] = ()
    rna_genes: tuple[RnaGene, ...] = ()
    other_features: tuple[OtherFeature, ...] = ()
    calling: GeneCalling | None = None
    rejected: tuple[RejectedFrame, ...] = ()
    alternative_starts: tuple[AlternativeStart, ...] = ()
    alternative_products: tuple[AlternativeProduct, ...] = ()
    crispr_arrays: tuple[CrisprArray, ...] = ()
    terminal_repeat_bp: int = 0
    kind: GenomeKind | None = None
    host: str | None = None

    def __len__(self) -> int:
        return len(self.bases)

    def coding_bases(self, gene: Gene) -> str:
        """Bases of ``gene`` as transcribed, from its first whole codon."""
        return extract(self.bases, gene.location)[gene.codon_start - 1 :]


class FileFormat(StrEnum):
    """Formats that are read."""

    GENBANK = "genbank"
    FASTA = "fasta"
    GFF3 = "gff3"


@dataclass(frozen=True, slots=True)
class ReadWarning:
    """Something in the input that was mended or is doubtful.

    ``code`` is stable for programs; ``text`` is one plain sentence.
    """

    code: str
    text: str
    contig: str | None = None
    line: int | None = None


@dataclass(frozen=True, slots=True)
class GenomeSource:
    """Where a genome came from: file name (no folder), digest of its bytes, format."""

    filename: str
    sha256: str
    format: FileFormat


@dataclass(frozen=True, slots=True)
class Genome:
    """A whole input file: its records in file order.

    ``searches`` says what was searched for besides protein-coding genes.
    """

    contigs: tuple[Contig, ...]
    source: GenomeSource
    warnings: tuple[ReadWarning, ...] = ()
    searches: tuple[FeatureSearch, ...] = ()

    @property
    def genes(self) -> tuple[Gene, ...]:
        """Genes of all contigs, in file order of contigs."""
        return tuple(gene for contig in self.contigs for gene in contig.genes)

    @property
    def length_bp(self) -> int:
        """Bases of all contigs together."""
        return sum(len(contig) for contig in self.contigs)

    @property
    def kind(self) -> GenomeKind:
        """What most of its bases are taken for; by its length where records are not judged."""
        bacterial_bp = sum(len(c) for c in self.contigs if c.kind is GenomeKind.BACTERIUM)
        if any(contig.kind is None for contig in self.contigs):
            return GenomeKind.of(self.length_bp)
        mostly = 2 * bacterial_bp >= self.length_bp and bacterial_bp > 0
        return GenomeKind.BACTERIUM if mostly else GenomeKind.PHAGE

    @property
    def kinds(self) -> tuple[GenomeKind, ...]:
        """All kinds that its records are taken for, that of most bases first."""
        most = self.kind
        return (most, *(k for k in GenomeKind if k is not most and self.has_kind(k)))

    def has_kind(self, kind: GenomeKind) -> bool:
        """Whether a record is taken for that."""
        return any(contig.kind is kind for contig in self.contigs)

    def contig(self, contig_id: str) -> Contig:
        """The contig of that id; KeyError where there is none."""
        for contig in self.contigs:
            if contig.id == contig_id:
                return contig
        raise KeyError(contig_id)
