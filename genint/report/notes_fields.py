"""Fields of a gene's notes in the terms of SEA-PHAGES annotators.

What genint does not compute is said to be not computed; nothing stands in for it.
"""

from __future__ import annotations

from collections.abc import Iterable
from types import MappingProxyType
from typing import Final

from genint.model.genome import CalledBy
from genint.model.shares import percent
from genint.model.vocabulary import ConfidenceLevel, EvidenceSource
from genint.report.neighbours import Neighbour, Neighbours, Placed
from genint.report.places import first_base, transcribed
from genint.report.result import EvidenceItem, GeneItem, GenintResult, Span
from genint.report.statements import UNNAMED, context_words, program_of
from genint.report.texts import shown_text

NOT_COMPUTED: Final = "not computed"
_OF_FILE: Final = frozenset({CalledBy.GENBANK, CalledBy.GENBANK_GENE})
_COUPLED_BP: Final = -4
"""A start codon and a stop codon that share three bases, such as ATGA."""
_MOST_STARTS: Final = 3
_SOURCES: Final = MappingProxyType(
    {
        EvidenceSource.GENBANK: "product of the file",
        EvidenceSource.GENINT_FAMILY: "genint family",
        EvidenceSource.PFAM: "Pfam",
        EvidenceSource.SWISSPROT: "Swiss-Prot",
        EvidenceSource.USER_PROTEINS: "proteins of the user",
        EvidenceSource.UNIPROT: "UniProt",
        EvidenceSource.INTERPRO: "InterPro",
        EvidenceSource.GENE_CONTEXT: "gene context",
        EvidenceSource.SEQUENCE_FEATURE: "sequence feature",
        EvidenceSource.GENE_CALL: "gene call",
    }
)
_MODEL: Final = "the profile"
NONE: Final = "none"


def coordinates(gene: GeneItem) -> str:
    """SSC: base of the start codon's first and of the last codon's last base."""
    last = transcribed(gene)[-1]
    stop = last.end if last.strand == "+" else last.start
    cut = (">" if last.strand == "+" else "<") if gene.partial_3 else ""
    return f"{first_base(gene)}-{cut}{stop}"


def location(gene: GeneItem) -> str:
    """The line that opens a block: CDS with its parts, as DNA Master writes them."""
    if len(gene.parts) == 1:
        place = _span(gene.parts[0])
        return f"CDS complement ({place})" if gene.strand == "-" else f"CDS {place}"
    parts = (
        f"complement ({_span(one)})" if one.strand == "-" else _span(one)
        for one in transcribed(gene)
    )
    return f"CDS join ({', '.join(parts)})"


def _span(part: Span) -> str:
    return f"{part.start} - {part.end}"


def coding_potential(gene: GeneItem, result: GenintResult) -> str:
    """CP: what the gene finder measured."""
    call = gene.call
    if call is None:
        return _not_measured(gene)
    return (
        f"{program_of(gene, result)} coding score {call.coding:.1f}, total score "
        f"{call.total:.1f}, confidence {call.confidence:.3f}; GeneMark: {NOT_COMPUTED}"
    )


def start_source(gene: GeneItem, result: GenintResult) -> str:
    """SCS: who chose the start."""
    if gene.called_by in _OF_FILE:
        return "file"
    told = program_of(gene, result) or str(gene.called_by)
    if gene.compared is None:
        return told
    same = "the file has the same start" if gene.compared.same_start else "another start in file"
    return f"{told} ({same})"


def gap(gene: GeneItem, neighbours: Neighbours) -> str:
    """GAP: bases to the upstream gene, or shared with it."""
    found = neighbours.upstream
    if found is None:
        return "no upstream gene"
    name = found.gene.name or found.gene.id
    if found.holds:
        return f"lies inside {name}"
    if found.gap_bp >= 0:
        return f"{found.gap_bp} bp gap to {name}"
    return f"{-found.gap_bp} bp overlap with {name}{_coupled(gene, found)}"


def _coupled(gene: GeneItem, found: Neighbour) -> str:
    """The four bases of a stop codon TGA in a start codon; no other stop fits there."""
    same_strand = found.gene.strand == gene.strand
    if found.gap_bp != _COUPLED_BP or not same_strand or gene.start_choice is None:
        return ""
    codon = gene.start_choice.codon
    return f" ({codon}A)" if codon.endswith("TG") else ""


def longest_orf(gene: GeneItem) -> str:
    """LO: whether no start codon lies in front of the called one, and where others do."""
    found = gene.start_choice
    if found is None:
        return NOT_COMPUTED
    if not found.upstream:
        return "yes"
    nearest = ", ".join(str(place) for place in found.upstream[:_MOST_STARTS])
    more = len(found.upstream) - _MOST_STARTS
    return f"no (further starts upstream: {nearest}{f' and {more} more' if more > 0 else ''})"


def binding_site(gene: GeneItem) -> str:
    """RBS: motif, spacer and scores of the gene finder, which are no Z-values."""
    call = gene.call
    if call is None:
        return _not_measured(gene)
    seen = f"{call.rbs_motif}, spacer {call.rbs_spacer}" if call.rbs_motif else "none seen"
    score = "" if call.rbs_score is None else f", RBS score {call.rbs_score:.1f}"
    return (
        f"{seen}{score}, start score {call.start:.1f}, start codon {call.start_codon}; "
        f"Kibler/Karlin Z-value and final score: {NOT_COMPUTED}"
    )


def _not_measured(gene: GeneItem) -> str:
    return f"{NOT_COMPUTED} (gene of the file)" if gene.called_by in _OF_FILE else NOT_COMPUTED


_SIGNED: Final = frozenset({ConfidenceLevel.HIGH, ConfidenceLevel.MODERATE})


def function(gene: GeneItem) -> str:
    """F: what the evidence says, where the level can be signed; never what it does not."""
    if gene.pseudo:
        return "none, a pseudogene"
    signed = gene.function is not None and gene.confidence in _SIGNED
    return shown_text(gene.function) if signed and gene.function else UNNAMED


def function_sources(gene: GeneItem) -> str:
    """FS: what kinds of evidence the leading hypothesis has."""
    places = gene.hypotheses[0].evidence if gene.hypotheses else ()
    named = (_SOURCES.get(gene.evidence[at].source, "") for at in places)
    return ", ".join(dict.fromkeys(name for name in named if name)) or "none"


def similar_protein(gene: GeneItem, result: GenintResult) -> tuple[str, str]:
    """BLAST-Start and SIF-BLAST: the most similar protein with a telling name.

    Returns:
        Where its alignment starts, and what it is called.
    """
    at = next((at for at, item in enumerate(gene.evidence) if item.similar), None)
    if at is None:
        searched = any(_is_reference(one.name, one.licence) for one in result.databases)
        none = "no similar protein with a telling name" if searched else NOT_COMPUTED
        return none, none
    item = gene.evidence[at]
    similar = item.similar
    if similar is None:  # pragma: no cover - chosen by it
        return NOT_COMPUTED, NOT_COMPUTED
    organism = f" [{similar.organism}]" if similar.organism else ""
    name = f"[{similar.name}{organism}], {item.accession}, {item.database}"
    start = (
        f"{name}, q{item.protein_start}:s{similar.start}"
        if similar.start is not None and item.protein_start is not None
        else name
    )
    return start, f"{name}, {_similarity(item)} [evidence {at + 1}]"


def _is_reference(name: str, licence: str) -> bool:
    """Whether a database is searched for similar proteins."""
    return "Swiss-Prot" in name or licence == "the user's own file"


def _similarity(item: EvidenceItem) -> str:
    similar = item.similar
    identity = similar.identity if similar else None
    facts = (
        None if identity is None else f"{percent(identity)} identical",
        *_figures(item, "that protein"),
    )
    return ", ".join(fact for fact in facts if fact)


def families(gene: GeneItem) -> str:
    """SIF-FAMILY: families of genint's own, and what their names rest on."""
    return _listed(gene, frozenset({EvidenceSource.GENINT_FAMILY}))


def domains(gene: GeneItem) -> str:
    """SIF-PFAM: domains with accession, E-value and coverage."""
    return _listed(gene, frozenset({EvidenceSource.PFAM}))


def signatures(gene: GeneItem) -> str:
    """SIF-INTERPRO: what InterPro tells of signatures of its member databases."""
    return _listed(gene, frozenset({EvidenceSource.INTERPRO}))


def _listed(gene: GeneItem, sources: frozenset[EvidenceSource]) -> str:
    told = [
        f"{', '.join((f'{item.accession} {item.claim}{_support(item)}', *_figures(item, _MODEL)))} "
        f"[evidence {at}]"
        for at, item in enumerate(gene.evidence, start=1)
        if item.source in sources
    ]
    return "; ".join(told) or NONE


def _support(item: EvidenceItem) -> str:
    found = item.support
    if found is None or not found.named_members:
        return ""
    return f" ({found.agreeing} of {found.named_members} named members)"


def _figures(item: EvidenceItem, target: str) -> Iterable[str]:
    if item.evalue is not None:
        yield f"E {item.evalue:.1e}"
    if item.bits is not None:
        yield f"{item.bits:.1f} bits"
    if item.coverage is not None:
        yield f"{percent(item.coverage)} of the protein"
    if item.target_coverage is not None:
        yield f"{percent(item.target_coverage)} of {target}"


def synteny(gene: GeneItem, neighbours: Neighbours) -> str:
    """SIF-Syn: the genes on both sides, and what gene order says of this one."""
    sides = (("upstream", neighbours.upstream), ("downstream", neighbours.downstream))
    told = [
        f"{side} {one.gene.name or one.gene.id} ({one.gene.strand}): {_called(one.gene)}"
        for side, one in sides
        if one is not None
    ]
    if gene.context is not None:
        told.append(context_words(gene.context))
    return "; ".join(told) or "no neighbours"


def _called(gene: Placed) -> str:
    if isinstance(gene, GeneItem):
        return function(gene)
    return gene.product or gene.kind
