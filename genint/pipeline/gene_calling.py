"""The first steps: bytes to a genome, a genome to its genes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from genint.compute import balanced_chunks
from genint.errors import InputError
from genint.formats import read_genome, read_genome_bytes, refuse_too_many
from genint.formats.compression import MAX_BYTES
from genint.knowledge.contig_kinds import load_contig_kinds
from genint.model.genome import CalledBy, Contig, GeneCalling, Genome, Topology
from genint.model.imported import ReadPeptide
from genint.model.interpretation import Parameters
from genint.model.kinds import with_kinds
from genint.model.locus_tags import with_new_tags
from genint.model.vocabulary import GenomeKind

if TYPE_CHECKING:
    from genint.genes import ContigCalls, GeneCalls


_MANY_CONTIGS = 20
_PART_BP = 1_000_000
"""Bases whose genes are found in one go where a file has many contigs: 3 s."""
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


class CallPart(NamedTuple):
    """Contigs of a file whose genes are found apart from those of its others.

    Attributes:
        genome: Those contigs.
        longest_bp: Of all contigs of the file.
        phage: Propose frames inside genes too.
    """

    genome: Genome
    longest_bp: int
    phage: bool


def call_or_split(
    annotated: Genome, parameters: Parameters, peptides: Sequence[ReadPeptide] = ()
) -> tuple[Called, tuple[CallPart, ...]]:
    """Find genes, or cut a file of many contigs into parts whose genes are found side by side.

    Args:
        annotated: As the file has it.
        parameters: Options.
        peptides: See :func:`call`; with any nothing is cut.

    Returns:
        What was called, and no parts; or the genome without calls, and its parts, whose calls
        :func:`join_calls` puts together.
    """
    parts = () if peptides else _parts(annotated, parameters)
    if not parts:
        return call(annotated, parameters, peptides), ()
    return Called(annotated, None, ()), parts


def _parts(annotated: Genome, parameters: Parameters) -> tuple[CallPart, ...]:
    """Parts of a file of many contigs; none for any other, nor where numbers run over them."""
    is_many = len(annotated.contigs) >= _MANY_CONTIGS and annotated.length_bp >= 2 * _PART_BP
    if not is_many or parameters.locus_tag_prefix or not needs_finder(annotated, parameters):
        return ()
    judged = _judged(annotated)
    together = [one for one in judged.contigs if one.kind is GenomeKind.BACTERIUM]
    apart = [one for one in judged.contigs if one.kind is not GenomeKind.BACTERIUM]
    chunks = balanced_chunks([len(one) for one in apart], _PART_BP) if apart else ()
    groups = [together, *([apart[at] for at in chunk] for chunk in chunks)]
    longest_bp = max(map(len, judged.contigs))
    parts = tuple(
        CallPart(replace(judged, contigs=tuple(group), warnings=()), longest_bp, parameters.phage)
        for group in groups
        if group
    )
    return parts if len(parts) > 1 else ()


def call_part(part: CallPart) -> tuple[ContigCalls, ...]:
    """Find the genes of a part."""
    from genint.genes import call_contigs  # noqa: PLC0415 - loads numpy

    return call_contigs(part.genome, phage=part.phage, longest_bp=part.longest_bp)


def join_calls(uncalled: Called, *answers: tuple[ContigCalls, ...]) -> Called:
    """The calls of all parts, in the order of the file."""
    from genint.genes import with_remarks  # noqa: PLC0415 - loads numpy

    by_id = {calls.contig.id: calls for answer in answers for calls in answer}
    found = tuple(by_id[contig.id] for contig in uncalled.annotated.contigs)
    kinds = {contig_id: calls.contig.kind for contig_id, calls in by_id.items()}
    judged = replace(
        uncalled.annotated,
        contigs=tuple(replace(one, kind=kinds[one.id]) for one in uncalled.annotated.contigs),
    )
    calls = with_remarks(judged, found)
    return Called(judged, calls, calls.proteins, kinds=_kinds(judged.contigs, calls))


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
    """A contig whose genes are those of the file, with a note to that effect, and its ends."""
    from genint.genes.topology import terminal_repeat_bp  # noqa: PLC0415 - loads numpy

    calling = GeneCalling(
        method=CalledBy.GENBANK.value,
        translation_table=contig.translation_table or _STANDARD_CODE,
        code_reason="as the file says" if contig.translation_table else "not given in the file",
        topology_reason="as the file says"
        if contig.topology_stated
        else f"assumed {contig.topology}: topology not given",
    )
    is_linear = contig.topology is Topology.LINEAR
    repeat_bp = terminal_repeat_bp(contig.bases) if is_linear else 0
    return replace(contig, calling=calling, terminal_repeat_bp=repeat_bp)


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
