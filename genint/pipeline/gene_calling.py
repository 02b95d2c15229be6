"""The first steps: bytes to a genome, a genome to its genes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from genint.errors import InputError
from genint.formats import read_genome, read_genome_bytes, refuse_too_many
from genint.formats.compression import MAX_BYTES
from genint.knowledge.contig_kinds import load_contig_kinds
from genint.model.genome import CalledBy, Contig, GeneCalling, Genome
from genint.model.imported import ReadPeptide
from genint.model.interpretation import Parameters
from genint.model.kinds import with_kinds
from genint.model.locus_tags import with_new_tags
from genint.model.vocabulary import GenomeKind

if TYPE_CHECKING:
    from genint.genes import GeneCalls


_STANDARD_CODE = 11
"""NCBI genetic code of bacteria and phages where the file states none."""


@dataclass(frozen=True, slots=True)
class Called:
    """A genome, the genes found in it, and the proteins to be searched.

    Attributes:
        annotated: The genome as the file has it.
        calls: What the gene finder proposes; None where the genes of the file are kept.
        proteins: Id and residues of every gene and candidate.
        locus_tag_prefix: Stem of the ids of predicted features; None for the record's id.
        locus_tags_before: Numbers behind it that earlier files took up, in steps of ten.
        kinds: By protein, what its record is taken for; empty where all are of one kind.
    """

    annotated: Genome
    calls: GeneCalls | None
    proteins: tuple[tuple[str, str], ...]
    locus_tag_prefix: str | None = None
    locus_tags_before: int = 0
    kinds: Mapping[str, GenomeKind] = field(default_factory=dict)

    def kind_of(self, protein_id: str) -> GenomeKind:
        """What the record of a protein is taken for."""
        return self.kinds.get(protein_id, self.annotated.kind)


def needs_finder(genome: Genome, parameters: Parameters) -> bool:
    """Whether genes have to be predicted: the file has none, or they are to be ignored."""
    from genint.genes import needs_calling  # noqa: PLC0415 - loads numpy

    return parameters.ignore_annotations or needs_calling(genome)


def call(annotated: Genome, parameters: Parameters, peptides: Sequence[ReadPeptide] = ()) -> Called:
    """Find genes where the file has none, or where its annotation is to be ignored.

    Args:
        annotated: As the file has it.
        parameters: Options.
        peptides: Of mass spectrometry, which settle starts and show genes.
    """
    annotated = _judged(annotated)
    if not needs_finder(annotated, parameters):
        prefix, before = parameters.locus_tag_prefix, parameters.locus_tags_before
        kept = replace(annotated, contigs=tuple(map(_as_annotated, annotated.contigs)))
        kept = with_new_tags(kept, prefix, before=before) if prefix else kept
        proteins = tuple((gene.id, gene.protein) for gene in kept.genes)
        return Called(kept, None, proteins, kinds=_kinds(kept.contigs))
    from genint.genes import call_genes, with_peptides  # noqa: PLC0415 - loads numpy

    calls = call_genes(
        annotated,
        phage=parameters.phage,
        locus_tag_prefix=parameters.locus_tag_prefix,
        locus_tags_before=parameters.locus_tags_before,
    )
    calls = with_peptides(calls, peptides) if peptides else calls
    return Called(
        annotated,
        calls,
        calls.proteins,
        parameters.locus_tag_prefix,
        parameters.locus_tags_before,
        _kinds(annotated.contigs, calls),
    )


def _judged(genome: Genome) -> Genome:
    """The genome with what each record is taken for: by the file, composition, layout of genes."""
    known = with_kinds(genome)
    if len(known.contigs) == 1 or GenomeKind.BACTERIUM not in known.kinds:
        return known
    from genint.genes import with_phages  # noqa: PLC0415 - loads numpy

    return with_phages(known, load_contig_kinds())


def _kinds(contigs: Sequence[Contig], calls: GeneCalls | None = None) -> Mapping[str, GenomeKind]:
    """What the record of each gene and candidate is taken for, where the records differ in it."""
    if len({contig.kind for contig in contigs}) < 2:  # noqa: PLR2004 - there are two kinds
        return {}
    if calls is None:
        return {gene.id: c.kind for c in contigs if c.kind for gene in c.genes}
    return {
        gene.id: kind
        for of_contig in calls.contigs
        if (kind := of_contig.contig.kind)
        for gene in (*of_contig.contig.genes, *(one.gene for one in of_contig.candidates))
    }


def _as_annotated(contig: Contig) -> Contig:
    """A contig whose genes are those of the file, with a note to that effect."""
    calling = GeneCalling(
        method=CalledBy.GENBANK.value,
        translation_table=contig.translation_table or _STANDARD_CODE,
        code_reason="as the file says" if contig.translation_table else "not given in the file",
        topology_reason="as the file says"
        if contig.topology_stated
        else f"assumed {contig.topology}: topology not given",
    )
    return replace(contig, calling=calling)


class Payload(NamedTuple):
    """Bytes of a file and the name it goes by."""

    content: bytes
    filename: str


def read(
    source: Payload | Path, *, max_text_bytes: int | None = None, max_bases: int | None = None
) -> Genome:
    """Read a genome file; raises FormatError, or InputError where it cannot be opened.

    Args:
        source: Path of the file, or its bytes.
        max_text_bytes: Largest size of its text; None: what the readers take.
        max_bases: Most bases of all records together; None: any number.
    """
    limit = MAX_BYTES if max_text_bytes is None else max_text_bytes
    if isinstance(source, Path):
        genome = read_genome(source, max_bytes=limit)
    else:
        genome = read_genome_bytes(source.content, source.filename, max_bytes=limit)
    if max_bases is not None:
        bases = sum(len(contig.bases) for contig in genome.contigs)
        refuse_too_many(bases, source=genome.source.filename, max_bases=max_bases)
    return genome


def as_payload(source: Payload | Path) -> Payload:
    """The bytes of a file that may be given by its path.

    Raises:
        InputError: it cannot be opened.
    """
    if isinstance(source, Payload):
        return source
    try:
        return Payload(source.read_bytes(), source.name)
    except (OSError, ValueError) as cause:
        reason = getattr(cause, "strerror", None) or "the path cannot be used"
        raise InputError(f"{source.name or source}: cannot be read: {reason}") from cause
