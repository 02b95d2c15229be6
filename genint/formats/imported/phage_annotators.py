"""Results of Pharokka and Phold: GenBank records and tables of genes with their PHROG.

Both name genes after families of phage proteins (PHROGs): Pharokka by sequence, Phold by predicted
structure. Phold keeps what Pharokka named and says so in its table. What only other collections
recognise there (toxins, resistance) is read as a name without a family.

Source: the ``docs/output.md`` of both programs, and files that they wrote (Pharokka 1.2 to 1.7,
Phold 1.2).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from hashlib import sha256

from genint.formats.imported.tables import Row, rows_of
from genint.formats.reader import read_genome_bytes
from genint.model.evidence import NO_MEASUREMENTS, Measurements
from genint.model.genome import Contig, Gene
from genint.model.imported import (
    GeneEnd,
    ImportedGene,
    ImportedName,
    ImportedRecord,
    NamedBy,
)
from genint.model.interval import Strand
from genint.model.vocabulary import EvidenceSource

PHAROKKA_COLUMN = "mmseqs_phrog"
PHOLD_COLUMN = "annotation_method"
_PHOLD_COMMENT = re.compile(r"Annotated with Phold v?([\w.]+?)\.?\s")
_PHROG = re.compile(r"(?:phrog_)?(\d+)", re.IGNORECASE)
_CONFIDENCES = {
    "high": NamedBy.STRUCTURE_HIGH,
    "medium": NamedBy.STRUCTURE_MEDIUM,
    "low": NamedBy.STRUCTURE_LOW,
}
_STRANDS = {"+": Strand.FORWARD, "-": Strand.REVERSE}


def phold_version(text: str) -> str | None:
    """The version of Phold in the comment of a GenBank record; None where Phold did not write it.

    Cost: O(length).
    """
    found = _PHOLD_COMMENT.search(text)
    return found[1] if found else None


def read_record(
    raw: bytes, source: str, program: EvidenceSource
) -> tuple[tuple[ImportedGene, ...], tuple[ImportedRecord, ...]]:
    """Genes and records of a GenBank file of either program.

    Raises:
        FormatError: as :func:`genint.formats.reader.read_genome_bytes`.
    """
    genome = read_genome_bytes(raw, source)
    genes = tuple(
        _gene(gene, contig, program) for contig in genome.contigs for gene in contig.genes
    )
    return genes, tuple(map(_record, genome.contigs))


def _record(contig: Contig) -> ImportedRecord:
    return ImportedRecord((contig.id,), sha256(contig.bases.encode()).hexdigest())


def _gene(gene: Gene, contig: Contig, program: EvidenceSource) -> ImportedGene:
    first, last = gene.span.one_based(len(contig))
    base = last if gene.strand is Strand.FORWARD else first
    by = (
        NamedBy.FAMILY_UNSCORED
        if program is EvidenceSource.PHAROKKA
        else NamedBy.STRUCTURE_UNSCORED
    )
    phrog = _phrog(next(iter(gene.values("phrog")), ""))
    ids = (gene.id, gene.locus_tag, *gene.values("ID"))
    return ImportedGene(
        ids=tuple(dict.fromkeys(filter(None, ids))),
        end=GeneEnd(contig.id, gene.strand, base),
        protein=gene.protein,
        name=_name(gene.product or "", by, phrog, NO_MEASUREMENTS),
        line=gene.line,
    )


def _phrog(text: str) -> str:
    """Number of a PHROG; empty where there is none."""
    found = _PHROG.fullmatch(text.strip())
    return found[1] if found else ""


def _name(text: str, by: NamedBy, phrog: str, measured: Measurements) -> ImportedName | None:
    if not text:
        return None
    accession = f"phrog_{phrog}" if phrog else ""
    return ImportedName(text, by, accession, f"phrog:{phrog}" if phrog else "", measured=measured)


def read_pharokka_table(text: str, source: str) -> tuple[ImportedGene, ...]:
    """Genes of ``*_cds_final_merged_output.tsv``.

    Raises:
        FormatError: a row is damaged.
    """
    return tuple(map(_pharokka_gene, rows_of(text, source)))


def _pharokka_gene(row: Row) -> ImportedGene:
    phrog = _phrog(row.text("phrog"))
    measured = Measurements()
    if phrog and _phrog(row.text("mmseqs_phrog")) == phrog:
        identity = row.real("mmseqs_seqIdentity")
        measured = Measurements(evalue=row.real("mmseqs_eVal"), identity=identity)
    elif phrog:
        bits = row.real("pyhmmer_bitscore")
        measured = Measurements(evalue=row.real("pyhmmer_evalue"), score_bits=bits)
    by = NamedBy.FAMILY_UNSCORED if measured.evalue is None else NamedBy.FAMILY
    return ImportedGene(
        ids=(row.text("gene"),),
        end=_end(row, "contig", ("start", "stop"), ("strand", "frame")),
        name=_name(row.text("annot"), by, phrog, measured),
        line=row.line,
    )


def _end(
    row: Row, record: str, places: tuple[str, str], strands: tuple[str, ...]
) -> GeneEnd | None:
    """The end of a gene; both programs write the first base of the reverse strand first."""
    if not row.text(record):
        return None
    strand = _STRANDS.get(row.fields.get(next(filter(row.fields.get, strands), ""), "").strip())
    if strand is None:
        raise row.fault("has no strand, + or -")
    bases = [row.whole(column) for column in places]
    # Over the origin of a circle the last base has the smaller number on the forward strand too.
    base = bases[-1] if strand is Strand.FORWARD else min(bases)
    return GeneEnd(row.text(record), strand, base)


def read_phold_table(text: str, source: str) -> Iterator[tuple[EvidenceSource, ImportedGene]]:
    """Genes of ``*_per_cds_predictions.tsv``, each with the program that named it.

    Raises:
        FormatError: a row is damaged.
    """
    for row in rows_of(text, source):
        method = row.text(PHOLD_COLUMN)
        program = EvidenceSource.PHAROKKA if method == "pharokka" else EvidenceSource.PHOLD
        yield program, _phold_gene(row, program)


def _phold_gene(row: Row, program: EvidenceSource) -> ImportedGene:
    confidence = row.text("annotation_confidence")
    by = _CONFIDENCES.get(confidence, NamedBy.STRUCTURE_UNSCORED)
    if program is EvidenceSource.PHAROKKA:
        by = NamedBy.FAMILY_UNSCORED
    first, last = row.real("qStart"), row.real("qEnd")
    measured = Measurements(
        evalue=row.real("evalue"),
        identity=row.real("fident"),
        protein_from=int(first) if first and last else None,
        protein_to=int(last) if first and last else None,
        protein_coverage=row.real("qCov"),
        target_coverage=row.real("tCov"),
    )
    return ImportedGene(
        ids=(row.text("cds_id"),),
        end=_end(row, "contig_id", ("start", "end"), ("strand",)),
        name=_name(row.text("product"), by, _phrog(row.text("phrog")), measured),
        line=row.line,
    )


def of_program(
    found: Iterable[tuple[EvidenceSource, ImportedGene]], program: EvidenceSource
) -> tuple[ImportedGene, ...]:
    """The genes that one of the two programs named."""
    return tuple(gene for named_by, gene in found if named_by is program)
