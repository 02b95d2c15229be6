r"""Notes of every gene as SEA-PHAGES annotators write them: one block of text a gene.

A block opens with the place of the CDS; below are ``/gene``, ``/product`` (that of the
file), ``/function`` and ``/locus tag``, one compact ``/note=SSC: ... CP: ...`` line whose
fields are in the order of DNA Master notes, and lines of reasons. ``SIF-FAMILY``,
``SIF-PFAM`` and, where InterPro was queried, ``SIF-INTERPRO`` replace ``SIF-HHPRED``,
which is not run. Programs that genint does not run (Glimmer, GeneMark,
Starterator, Phamerator, HHpred) are named as not computed.

RNA genes that a search found have blocks of their own behind the genes of their record; what
was searched for besides protein-coding genes is at the top.

The text is ASCII with ``\n`` line ends; whatever comes from the input stays on its line.

Source: complete notes of annotated phages at phagesdb.org; SEA-PHAGES Bioinformatics Guide.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from types import MappingProxyType
from typing import Final, NamedTuple, TypeAlias

from genint.formats.genbank.writer import ascii_text, one_word
from genint.model.genome import CalledBy, Topology
from genint.model.rescue import percent
from genint.model.vocabulary import ConfidenceLevel, EvidenceSource
from genint.report.insdc import UNNAMED, context_text, feature_text, program_of
from genint.report.locus_tags import tag_of
from genint.report.result import GeneItem, GenintResult, Record, RnaGeneItem
from genint.report.result_gene import EvidenceItem, HypothesisItem, Span
from genint.report.score import level_sentences, printed_sum, printed_terms, signed
from genint.report.summaries import NOT_RECOGNISED, level_text, next_steps, summary_of
from genint.report.wording import (
    SENT,
    Alternatives,
    alternatives_of,
    answer_texts,
    array_text,
    first_base,
    near_misses,
    product_text,
    repeat_text,
    rescue_arithmetic,
    rescue_place,
    rna_facts,
    search_text,
    shown_text,
    start_text,
    transcribed,
    use_texts,
)

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
        EvidenceSource.USER_PROTEINS: "user's proteins",
        EvidenceSource.UNIPROT: "UniProt",
        EvidenceSource.INTERPRO: "InterPro",
        EvidenceSource.BAKTA: "Bakta",
        EvidenceSource.PHAROKKA: "Pharokka",
        EvidenceSource.PHOLD: "Phold",
        EvidenceSource.EGGNOG_MAPPER: "eggNOG-mapper",
        EvidenceSource.INTERPROSCAN: "InterProScan",
        EvidenceSource.GENE_CONTEXT: "gene context",
        EvidenceSource.SEQUENCE_FEATURE: "sequence feature",
        EvidenceSource.GENE_CALL: "gene call",
    }
)
_MODEL: Final = "the profile"
NONE: Final = "none"
_NAMED_LEVELS: Final = frozenset({ConfidenceLevel.HIGH, ConfidenceLevel.MODERATE})
_INDENT: Final = " " * 5
_LEGEND: Final = (
    "SSC start and stop coordinates; CP coding potential; SCS start choice source; "
    "ST Starterator; GAP to the upstream gene; LO longest open reading frame; "
    "RBS ribosome binding site; F function; FS function source; SIF supporting information for "
    "the function, by BLAST (most similar protein), genint families, Pfam domains and synteny.",
    "Not run by genint, so not computed: Glimmer, GeneMark, Starterator, Phamerator, HHpred, "
    "Kibler and Karlin scores of binding sites.",
    "F is a function where its confidence is HIGH or MODERATE, else hypothetical protein; what "
    "else was considered is in the function call.",
)

Placed: TypeAlias = GeneItem | RnaGeneItem


class Neighbour(NamedTuple):
    """A gene beside another one.

    Attributes:
        gene: The neighbour.
        gap_bp: Bases between the two; negative where they overlap.
        holds: The other one lies wholly inside it, and the gap says nothing.
    """

    gene: Placed
    gap_bp: int
    holds: bool


class Neighbours(NamedTuple):
    """The neighbours at both ends of a gene; None where there are none."""

    upstream: Neighbour | None
    downstream: Neighbour | None


class _Place(NamedTuple):
    """Where a gene is on an unrolled record: 0-based, half-open."""

    start: int
    end: int
    number: int


def render_notes(result: GenintResult) -> str:
    """Notes of all genes in the order of the result.

    Cost: about 60 microseconds and 1.5 kB a gene.
    """
    neighbours = neighbours_of(result)
    blocks: dict[str, list[str]] = {
        record.id: [_comment(_record_words(record))] for record in result.records
    }
    alternatives = alternatives_of(result)
    for number, gene in enumerate(result.genes, start=1):
        block = _block(number, gene, neighbours[gene.id], result, alternatives[gene.id])
        blocks[gene.record].append(block)
    for rna in result.rna_genes:
        if rna.method is not None:
            blocks[rna.record].append(_rna_block(rna))
    for array in result.crispr_arrays:
        place = f"CRISPR array {array.id}, {array.start} - {array.end}"
        blocks[array.record].append(_comment(f"{place}: {array_text(array)}"))
    return "\n\n".join((_head(result), *chain.from_iterable(blocks.values()))) + "\n"


def _head(result: GenintResult) -> str:
    programs = ", ".join(f"{one.name} {one.version}" for one in result.programs)
    databases = "; ".join(f"{one.name} {one.version}" for one in result.databases)
    return _comment(
        f"Gene notes of {result.input.filename}, made by genint {result.genint_version}; "
        "a curator has to review and sign them.",
        *_LEGEND,
        f"Programs: {programs or 'none'}.",
        f"Databases: {databases or 'none'}.",
        *level_sentences(result.parameters),
        *(f"{search_text(search)}." for search in result.searches),
        *((*use_texts(result), SENT) if result.online else ()),
        *filter(None, [near_misses(result)]),
    )


def _comment(*paragraphs: str) -> str:
    return "\n".join(f"# {ascii_text(text)}" for text in paragraphs)


def _record_words(record: Record) -> str:
    code = record.translation_table
    repeat = record.terminal_repeat_bp
    return (
        f"Record {record.id}, {record.length} bp, {record.topology}"
        f"{'' if code is None else f', genetic code {code}'}; genes: "
        f"{record.gene_calling or 'none'}{f'; {repeat_text(repeat)}' if repeat else ''}"
    )


def _block(
    number: int,
    gene: GeneItem,
    neighbours: Neighbours,
    result: GenintResult,
    alternatives: Alternatives,
) -> str:
    values = [
        ("gene", str(number)),
        ("product", gene.product),
        ("function", function(gene)),
        ("locus tag", tag_of(gene) or gene.id),
    ]
    lines = [location(gene)]
    lines += [f'{_INDENT}/{name}="{_quoted(value)}"' for name, value in values if value]
    notes = (_compact(gene, neighbours, result), *_reasons(gene, result, alternatives))
    lines += [f"{_INDENT}/note={ascii_text(note)}" for note in notes]
    return "\n".join(lines)


def _rna_block(rna: RnaGeneItem) -> str:
    """An RNA gene that a search found."""
    place = f"{rna.start} - {rna.end}"
    kind = one_word(rna.kind)
    lines = [f"{kind} complement ({place})" if rna.strand == "-" else f"{kind} {place}"]
    values = [("gene", rna.name or rna.id), ("product", rna.product), ("locus tag", tag_of(rna))]
    lines += [f'{_INDENT}/{name}="{_quoted(value)}"' for name, value in values if value]
    lines.append(f"{_INDENT}/note={ascii_text('; '.join(rna_facts(rna)))}")
    return "\n".join(lines)


def _quoted(value: str) -> str:
    return ascii_text(value).replace('"', "'")


def _compact(gene: GeneItem, neighbours: Neighbours, result: GenintResult) -> str:
    """The fields that annotators fill in, on one line."""
    blast_start, blast = similar_protein(gene, result)
    interpro = signatures(gene)
    fields = (
        ("SSC", coordinates(gene)),
        ("CP", coding_potential(gene, result)),
        ("SCS", start_source(gene, result)),
        ("ST", NOT_COMPUTED),
        ("BLAST-Start", blast_start),
        ("GAP", gap(gene, neighbours)),
        ("LO", longest_orf(gene)),
        ("RBS", binding_site(gene)),
        ("F", function(gene)),
        ("FS", function_sources(gene)),
        ("SIF-BLAST", blast),
        ("SIF-HHPRED", NOT_COMPUTED),
        ("SIF-FAMILY", families(gene)),
        ("SIF-PFAM", domains(gene)),
        *([("SIF-INTERPRO", interpro)] if interpro != NONE else []),
        ("SIF-Syn", synteny(gene, neighbours)),
    )
    return " ".join(f"{name}: {value}" for name, value in fields)


def _reasons(gene: GeneItem, result: GenintResult, alternatives: Alternatives) -> Iterator[str]:
    """Why there is a gene, what its residues show, and how its function was called."""
    yield f"Location call: {_location_call(gene, result)}"
    if gene.rescue is not None:
        why = f"{rescue_place(gene.rescue)}: {rescue_arithmetic(gene.rescue)}"
        yield f"Not called by the gene finder; {why}."
    if alternatives.starts:
        starts = "; ".join(start_text(one) for one in alternatives.starts)
        yield f"Alternative starts, not called as genes: {starts}."
    for product in alternatives.products:
        yield f"Alternative product, not called as a gene: {product_text(product)}."
    seen = "; ".join(feature_text(one) for one in gene.features)
    yield f"Transmembrane domains and other sequence features: {seen or 'none in this result'}."
    yield f"Summary: {summary_of(gene)}"
    yield f"Function call: {_function_call(gene)}"
    for rival in gene.hypotheses[1:]:
        yield f"Also considered: {rival.function} ({rival.score:.2f}); {rival.verdict}."
    yield from _sentences("Conflict", gene.conflicts)
    yield from _sentences("Uncertain", gene.uncertainties)
    yield from _sentences("Online services", answer_texts(gene))
    if gene.novelty is not None:
        yield f"Next steps: {'; then '.join(next_steps(gene.novelty))}"
    yield "Annotator: genint, automatic. Reviewed by: "


def _sentences(title: str, texts: Iterable[str]) -> Iterator[str]:
    joined = "; ".join(texts)
    if joined:
        yield f"{title}: {joined}."


def _location_call(gene: GeneItem, result: GenintResult) -> str:
    program = program_of(gene, result)
    if gene.call_note:
        return gene.call_note
    return f"predicted by {program}." if program else "as in the file, not predicted again."


def _function_call(gene: GeneItem) -> str:
    """The hypothesis with its level, and the arithmetic of its score."""
    if not gene.hypotheses:
        return f"none, {NOT_RECOGNISED} (confidence NONE)."
    best = gene.hypotheses[0]
    return (
        f"{best.function} ({best.specificity}), confidence {level_text(gene)}: {best.verdict}. "
        f"Log-odds: {_sum_of(best)}."
    )


def _sum_of(hypothesis: HypothesisItem) -> str:
    addends = ", ".join(
        f"{signed(term.log_odds)} {term.what}" for term in printed_terms(hypothesis)
    )
    return f"{addends}; together {signed(printed_sum(hypothesis))}"


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
    source = program_of(gene, result) or str(gene.called_by)
    if gene.compared is None:
        return source
    same = "the file has the same start" if gene.compared.same_start else "another start in file"
    return f"{source} ({same})"


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
    seen = f"{call.rbs_motif}, spacer {call.rbs_spacer}" if call.rbs_motif else "none found"
    score = "" if call.rbs_score is None else f", RBS score {call.rbs_score:.1f}"
    return (
        f"{seen}{score}, start score {call.start:.1f}, start codon {call.start_codon}; "
        f"Kibler/Karlin Z-value and final score: {NOT_COMPUTED}"
    )


def _not_measured(gene: GeneItem) -> str:
    return f"{NOT_COMPUTED} (gene of the file)" if gene.called_by in _OF_FILE else NOT_COMPUTED


def function(gene: GeneItem) -> str:
    """F: what the evidence says, where the level can be signed; never what it does not."""
    if gene.pseudo:
        return "none, a pseudogene"
    signed = gene.function is not None and gene.confidence in _NAMED_LEVELS
    return shown_text(gene.function) if signed and gene.function else UNNAMED


def function_sources(gene: GeneItem) -> str:
    """FS: what kinds of evidence the leading hypothesis has."""
    places = gene.hypotheses[0].evidence if gene.hypotheses else ()
    named = (_SOURCES.get(gene.evidence[at].source, "") for at in places)
    return ", ".join(dict.fromkeys(name for name in named if name)) or "none"


def similar_protein(gene: GeneItem, result: GenintResult) -> tuple[str, str]:
    """BLAST-Start and SIF-BLAST: the most similar protein with an informative name.

    Returns:
        Where its alignment starts, and what it is called.
    """
    at = next((at for at, item in enumerate(gene.evidence) if item.similar), None)
    if at is None:
        searched = any(_is_reference(one.name, one.licence) for one in result.databases)
        none = "no similar protein with an informative name" if searched else NOT_COMPUTED
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
    """SIF-INTERPRO: the signatures that InterPro reports, of its member databases."""
    return _listed(gene, frozenset({EvidenceSource.INTERPRO, EvidenceSource.INTERPROSCAN}))


def _listed(gene: GeneItem, sources: frozenset[EvidenceSource]) -> str:
    found = [
        f"{', '.join((f'{item.accession} {item.claim}{_support(item)}', *_figures(item, _MODEL)))} "
        f"[evidence {at}]"
        for at, item in enumerate(gene.evidence, start=1)
        if item.source in sources
    ]
    return "; ".join(found) or NONE


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
    texts = [
        f"{side} {one.gene.name or one.gene.id} ({one.gene.strand}): {_called(one.gene)}"
        for side, one in sides
        if one is not None
    ]
    if gene.context is not None:
        texts.append(context_text(gene.context))
    return "; ".join(texts) or "no neighbours"


def _called(gene: Placed) -> str:
    if isinstance(gene, GeneItem):
        return function(gene)
    return gene.product or gene.kind


def neighbours_of(result: GenintResult) -> Mapping[str, Neighbours]:
    """Neighbours by id of the gene.

    Upstream is the side of the 5' end, on either strand. A neighbour is the gene that reaches
    nearest, or farthest into it; RNA genes are neighbours too.

    Cost: O(genes log genes), about 10 microseconds a gene.
    """
    of_record: defaultdict[str, list[Placed]] = defaultdict(list)
    items: tuple[Placed, ...] = (*result.genes, *result.rna_genes)
    for item in items:
        of_record[item.record].append(item)
    found: dict[str, Neighbours] = {}
    for record in result.records:
        found |= _in_record(of_record[record.id], record)
    return found


def _in_record(items: Sequence[Placed], record: Record) -> Mapping[str, Neighbours]:
    places = [_place(item, number, record.length) for number, item in enumerate(items)]
    left = _nearest_before(places, _turn_bp(record))
    mirrored = [_Place(-place.end, -place.start, place.number) for place in places]
    right = _nearest_before(mirrored, _turn_bp(record))
    found = {}
    for place, item in zip(places, items, strict=True):
        if not isinstance(item, GeneItem):
            continue
        before = _neighbour(left.get(place.number), place, items)
        after = _neighbour(right.get(place.number), mirrored[place.number], items)
        forward = item.strand == "+"
        found[item.id] = Neighbours(before, after) if forward else Neighbours(after, before)
    return found


def _place(item: Placed, number: int, length_bp: int) -> _Place:
    """Over the origin it ends behind the circle."""
    end = item.end if item.end >= item.start else item.end + length_bp
    return _Place(item.start - 1, end, number)


def _turn_bp(record: Record) -> int | None:
    return record.length if record.topology == Topology.CIRCULAR else None


def _nearest_before(places: Sequence[_Place], turn_bp: int | None) -> Mapping[int, _Place]:
    """For each place the one that starts before it and reaches farthest, itself left out."""
    turns = (0,) if turn_bp is None else (-turn_bp, 0)
    around = [
        _Place(place.start + turn, place.end + turn, place.number)
        for turn in turns
        for place in places
    ]
    around.sort(key=lambda place: (place.start, -place.end, place.number))
    original = {(place.start, place.end, place.number) for place in places}
    found: dict[int, _Place] = {}
    farthest: list[_Place] = []  # two, of different genes: one may be the gene itself
    for place in around:
        if place in original:
            others = [one for one in farthest if one.number != place.number]
            if others:
                found[place.number] = others[0]
        best = {one.number: one for one in sorted((*farthest, place), key=_end)}
        farthest = sorted(best.values(), key=_end, reverse=True)[:2]
    return found


def _end(place: _Place) -> int:
    return place.end


def _neighbour(found: _Place | None, place: _Place, items: Sequence[Placed]) -> Neighbour | None:
    if found is None:
        return None
    gap_bp = place.start - found.end
    return Neighbour(items[found.number], gap_bp, found.end >= place.end)
