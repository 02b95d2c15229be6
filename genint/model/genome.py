"""What a genome file holds: genome, contigs, genes, other features, warnings."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, NamedTuple

from genint.model.interval import Interval, Location, Part, Strand
from genint.model.rescue import AlternativeProduct, AlternativeStart, RejectedFrame, Rescue
from genint.model.rna import CrisprArray, FeatureSearch, RnaGene
from genint.model.sequence import extract, reverse_complement, stop_codons

START_CODONS: Final = frozenset({"ATG", "GTG", "TTG"})
"""Those that gene finders call in bacteria and phages."""


class StartSites(NamedTuple):
    """The start of a gene, and those in front of it.

    Attributes:
        codon: Its first codon.
        upstream: First bases of start codons of the same frame, up to the stop codon or
            the end of the sequence in front of it, nearest first; 1-based positions on the
            forward strand. Without any the gene is the longest that the frame allows.
    """

    codon: str
    upstream: tuple[int, ...]


def start_sites(bases: str, location: Location, table: int, *, circular: bool) -> StartSites | None:
    """The starts that a gene could have had besides its own, if it were longer.

    Args:
        bases: Of the contig, upper case.
        location: Of the gene.
        table: NCBI genetic code.
        circular: The contig has no ends.

    Returns:
        None where the 5' end is cut off or the contig has no bases.

    Raises:
        KeyError: no such genetic code.

    Cost: O(length of the open frame in front of the gene).
    """
    if location.partial_5 or not bases:
        return None
    stops = stop_codons(table)
    codons = _codons_backwards(bases, location.parts[0], circular=circular)
    _, codon = next(codons)
    upstream = []
    for first_base, read in codons:
        if read in stops:
            break
        if read in START_CODONS:
            upstream.append(first_base)
    return StartSites(codon, tuple(upstream))


def _codons_backwards(bases: str, part: Part, *, circular: bool) -> Iterator[tuple[int, str]]:
    """Codons from the first one of a part against the direction of reading.

    Yields:
        The 1-based position of the codon's first base, and the codon.
    """
    length_bp = len(bases)
    forward = part.strand is Strand.FORWARD
    for step in range(length_bp // 3):
        start = part.interval.start - 3 * step if forward else part.interval.end - 3 + 3 * step
        if not circular and not 0 <= start <= length_bp - 3:
            return
        start %= length_bp
        read = bases[start : start + 3]
        if len(read) < 3:  # noqa: PLR2004 - a codon over the origin
            read += bases[: 3 - len(read)]
        if forward:
            yield start + 1, read
        else:
            yield (start + 2) % length_bp + 1, reverse_complement(read)


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
        note: Why the gene is there, where that needs a word (rescued genes).
        rescue: What a rescued gene scored, addend by addend; None for others.
        line: 1-based line of the file's text that its feature starts on; None for
            predicted genes.
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
    line: int | None = field(default=None, compare=False)

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

    def values(self, name: str) -> tuple[str, ...]:
        """All values of a qualifier, in file order; () where it is absent."""
        return tuple(q.value for q in self.qualifiers if q.name == name and q.value is not None)


@dataclass(frozen=True, slots=True)
class OtherFeature:
    """A gene feature of the file that codes for nothing we interpret."""

    id: str
    contig: str
    location: Location
    kind: str
    symbol: str | None
    reason: str


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

    def __len__(self) -> int:
        return len(self.bases)

    def coding_bases(self, gene: Gene) -> str:
        """Bases of ``gene`` as transcribed, from its first whole codon."""
        return extract(self.bases, gene.location)[gene.codon_start - 1 :]


class FileFormat(StrEnum):
    """Formats that are read."""

    GENBANK = "genbank"
    FASTA = "fasta"


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

    def contig(self, contig_id: str) -> Contig:
        """The contig of that id; KeyError where there is none."""
        for contig in self.contigs:
            if contig.id == contig_id:
                return contig
        raise KeyError(contig_id)
