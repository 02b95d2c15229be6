"""What other programs and experiments found: results that the user gives beside a genome."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from genint.model.evidence import NO_MEASUREMENTS, GoTerm, Measurements, ProfileHit
from genint.model.interval import Strand
from genint.model.online import InterProMatch
from genint.model.vocabulary import EvidenceSource


class NamedBy(StrEnum):
    """What another program took a name from; how reliable it is depends on that."""

    EXPERT = "expert"
    """A curated system for one kind of gene (resistance, virulence), or the user's own proteins."""
    SAME_PROTEIN = "same_protein"
    """A cluster of UniProt that holds this very sequence."""
    CLUSTER_90 = "cluster_90"
    """A cluster of proteins that are 90 % identical to its representative."""
    CLUSTER_50 = "cluster_50"
    """The same at 50 %."""
    FAMILY = "family"
    """A family of phage proteins, by a significant E-value."""
    FAMILY_UNSCORED = "family_unscored"
    """The same, and the file does not say how significant it was."""
    STRUCTURE_HIGH = "structure_high"
    """A predicted structure, with high confidence as the program states it."""
    STRUCTURE_MEDIUM = "structure_medium"
    STRUCTURE_LOW = "structure_low"
    STRUCTURE_UNSCORED = "structure_unscored"
    """The file does not state how confident the program was."""
    ORTHOLOGS = "orthologs"
    """A group of orthologous proteins."""


class GeneEnd(NamedTuple):
    """Where a gene ends, which it keeps when its start moves.

    Attributes:
        record: Id of the record in the file of the other program.
        strand: It is read from.
        base: Last base of the stop codon as transcribed, 1-based on the forward strand.
    """

    record: str
    strand: Strand
    base: int


class ImportedName(NamedTuple):
    """A name that another program gave a gene.

    Attributes:
        text: Product name as the file has it.
        by: What it was taken from.
        accession: Of that; empty where the file has none.
        origin: What it rests on in the end; observations of one origin count once. Empty where
            the file does not say.
        symbol: Gene symbol; empty where there is none.
        ec, cog: Identifiers that came with it; ``cog`` is a letter or empty.
        proteins: UniProt accessions that the name came from, also those of clusters.
        measured: Figures.
    """

    text: str
    by: NamedBy
    accession: str = ""
    origin: str = ""
    symbol: str = ""
    ec: tuple[str, ...] = ()
    cog: str = ""
    proteins: tuple[str, ...] = ()
    measured: Measurements = NO_MEASUREMENTS


class ImportedGene(NamedTuple):
    """What another program says of one gene.

    Attributes:
        ids: That the gene or its protein goes by in the file.
        end: Where it ends; None where the file has no places.
        protein: Residues without the final stop; empty where the file has none.
        md5: Of those, lower-case hexadecimal; empty likewise.
        name: None where none was given.
        matches: Signatures of InterPro.
        domains: Families of Pfam, with an empty ``gene_id``.
        line: 1-based line of the file; None where it has no lines of its own.
    """

    ids: tuple[str, ...]
    end: GeneEnd | None = None
    protein: str = ""
    md5: str = ""
    name: ImportedName | None = None
    matches: tuple[InterProMatch, ...] = ()
    domains: tuple[ProfileHit, ...] = ()
    line: int | None = None


class ImportedRecord(NamedTuple):
    """A record of the genome that the other program read.

    Attributes:
        ids: All that it goes by in the file.
        digest: SHA-256 of its upper-case bases; empty where the file does not hold them.
    """

    ids: tuple[str, ...]
    digest: str = ""


@dataclass(frozen=True, slots=True)
class ImportedResults:
    """Results of another program, as one file holds them.

    Attributes:
        filename: Without folders.
        sha256: Of its bytes as given.
        source: The program.
        version: Of the program; empty where the file does not say.
        database: Name and version of what it searched; empty likewise.
        genes: All that the file has, with and without a name.
        records: Empty where the file says nothing of them.
        go: Terms of InterPro entries among the matches.
        are_types_stated: Whether matches have the types of their entries.
    """

    filename: str
    sha256: str
    source: EvidenceSource
    version: str
    database: str
    genes: tuple[ImportedGene, ...]
    records: tuple[ImportedRecord, ...] = ()
    go: Mapping[str, tuple[GoTerm, ...]] = field(default_factory=dict)
    are_types_stated: bool = True

    @property
    def title(self) -> str:
        """Program and version."""
        return f"{self.source.program} {self.version}".rstrip()


class ReadPeptide(NamedTuple):
    """A peptide that a mass spectrometer saw.

    Attributes:
        residues: Upper case, without modifications.
        spectra: How often; at least 1.
        is_n_terminal: Its first residue carries a formyl or acetyl group, as the first residue of
            a protein may.
    """

    residues: str
    spectra: int = 1
    is_n_terminal: bool = False


@dataclass(frozen=True, slots=True)
class PeptideTable:
    """The peptides of one experiment.

    Attributes:
        filename: Without folders.
        sha256: Of its bytes as given.
        peptides: Each once.
        left_out: How many rows were no peptides of this genome, by reason.
    """

    filename: str
    sha256: str
    peptides: tuple[ReadPeptide, ...]
    left_out: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class QueryProteins:
    """The proteins that another program was given, for tables that name them by id only.

    Attributes:
        filename: Without folders.
        sha256: Of its bytes as given.
        residues: By id, upper case without the final stop.
    """

    filename: str
    sha256: str
    residues: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class ImportedEvidence:
    """All that the user gives beside the genome.

    Attributes:
        results: Of other programs.
        peptides: Of experiments.
        queries: Proteins that the programs were given.
    """

    results: tuple[ImportedResults, ...] = ()
    peptides: tuple[PeptideTable, ...] = ()
    queries: tuple[QueryProteins, ...] = ()

    @property
    def all_peptides(self) -> tuple[ReadPeptide, ...]:
        """Those of all experiments, each once."""
        found: dict[str, ReadPeptide] = {}
        for one in (peptide for table in self.peptides for peptide in table.peptides):
            known = found.get(one.residues, one._replace(spectra=0))
            found[one.residues] = one._replace(
                spectra=one.spectra + known.spectra,
                is_n_terminal=one.is_n_terminal or known.is_n_terminal,
            )
        return tuple(found.values())


NO_IMPORTS = ImportedEvidence()
