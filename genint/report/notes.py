r"""Notes of every gene as SEA-PHAGES annotators write them: one block of text a gene.

A block opens with the place of the CDS; below stand ``/gene``, ``/product`` (that of the
file), ``/function`` and ``/locus tag``, one compact ``/note=SSC: ... CP: ...`` line whose
fields stand in the order of DNA Master notes, and lines of reasons. ``SIF-FAMILY``,
``SIF-PFAM`` and, where InterPro was asked, ``SIF-INTERPRO`` stand where ``SIF-HHPRED`` is
asked for, which is not run. Programs that genint does not run (Glimmer, GeneMark,
Starterator, Phamerator, HHpred) are named as not computed.

RNA genes that a search found have blocks of their own behind the genes of their record; what
was searched for besides protein-coding genes stands at the top.

The text is ASCII with ``\n`` line ends; whatever comes from the input stays on its line.

Source: complete notes of annotated phages at phagesdb.org; SEA-PHAGES Bioinformatics Guide.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Final

from genint.formats.wrapping import ascii_text, one_word
from genint.report import notes_fields as fields
from genint.report.arithmetic import printed_sum, printed_terms, signed
from genint.report.found_words import (
    NO_OTHERS,
    Others,
    array_text,
    near_misses,
    others_of,
    product_text,
    repeat_text,
    rescue_arithmetic,
    rescue_place,
    rna_facts,
    search_text,
    start_text,
)
from genint.report.levels import levels_in_words
from genint.report.neighbours import Neighbours, neighbours_of
from genint.report.online_words import SENT, answer_texts, use_texts
from genint.report.result import GeneItem, GenintResult, HypothesisItem, Record, RnaGeneItem
from genint.report.statements import feature_words, program_of

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


def render_notes(result: GenintResult) -> str:
    """Notes of all genes in the order of the result.

    Cost: about 60 microseconds and 1.5 kB a gene.
    """
    neighbours = neighbours_of(result)
    blocks: dict[str, list[str]] = {
        record.id: [_comment(_record_words(record))] for record in result.records
    }
    others = others_of(result)
    for number, gene in enumerate(result.genes, start=1):
        told = others.get(gene.id, NO_OTHERS)
        blocks[gene.record].append(_block(number, gene, neighbours[gene.id], result, told))
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
        *levels_in_words(result.parameters),
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
    number: int, gene: GeneItem, neighbours: Neighbours, result: GenintResult, others: Others
) -> str:
    values = [
        ("gene", str(number)),
        ("product", gene.product),
        ("function", fields.function(gene)),
        ("locus tag", gene.locus if not gene.locus.startswith(f"{gene.record}:") else gene.id),
    ]
    lines = [fields.location(gene)]
    lines += [f'{_INDENT}/{name}="{_quoted(value)}"' for name, value in values if value]
    notes = (_compact(gene, neighbours, result), *_reasons(gene, result, others))
    lines += [f"{_INDENT}/note={ascii_text(note)}" for note in notes]
    return "\n".join(lines)


def _rna_block(rna: RnaGeneItem) -> str:
    """An RNA gene that a search found."""
    place = f"{rna.start} - {rna.end}"
    kind = one_word(rna.kind)
    lines = [f"{kind} complement ({place})" if rna.strand == "-" else f"{kind} {place}"]
    values = [("gene", rna.name or rna.id), ("product", rna.product), ("locus tag", rna.locus_tag)]
    lines += [f'{_INDENT}/{name}="{_quoted(value)}"' for name, value in values if value]
    lines.append(f"{_INDENT}/note={ascii_text('; '.join(rna_facts(rna)))}")
    return "\n".join(lines)


def _quoted(value: str) -> str:
    return ascii_text(value).replace('"', "'")


def _compact(gene: GeneItem, neighbours: Neighbours, result: GenintResult) -> str:
    """The fields that annotators fill in, on one line."""
    blast_start, blast = fields.similar_protein(gene, result)
    signatures = fields.signatures(gene)
    told = (
        ("SSC", fields.coordinates(gene)),
        ("CP", fields.coding_potential(gene, result)),
        ("SCS", fields.start_source(gene, result)),
        ("ST", fields.NOT_COMPUTED),
        ("BLAST-Start", blast_start),
        ("GAP", fields.gap(gene, neighbours)),
        ("LO", fields.longest_orf(gene)),
        ("RBS", fields.binding_site(gene)),
        ("F", fields.function(gene)),
        ("FS", fields.function_sources(gene)),
        ("SIF-BLAST", blast),
        ("SIF-HHPRED", fields.NOT_COMPUTED),
        ("SIF-FAMILY", fields.families(gene)),
        ("SIF-PFAM", fields.domains(gene)),
        *([("SIF-INTERPRO", signatures)] if signatures != fields.NONE else []),
        ("SIF-Syn", fields.synteny(gene, neighbours)),
    )
    return " ".join(f"{name}: {value}" for name, value in told)


def _reasons(gene: GeneItem, result: GenintResult, others: Others) -> Iterator[str]:
    """Why there is a gene, what its residues show, and how its function was called."""
    yield f"Location call: {_location_call(gene, result)}"
    if gene.rescue is not None:
        why = f"{rescue_place(gene.rescue)}: {rescue_arithmetic(gene.rescue)}"
        yield f"Left out by the gene finder; {why}."
    if others.starts:
        told = "; ".join(start_text(one) for one in others.starts)
        yield f"Alternative starts, no genes of their own: {told}."
    for product in others.products:
        yield f"Alternative product, no gene of its own: {product_text(product)}."
    seen = "; ".join(feature_words(one) for one in gene.features)
    yield f"Transmembrane domains and other sequence features: {seen or 'none in this result'}."
    yield f"Function call: {_function_call(gene)}"
    for rival in gene.hypotheses[1:]:
        yield f"Also considered: {rival.function} ({rival.score:.2f}); {rival.verdict}."
    yield from _sentences("Conflict", gene.conflicts)
    yield from _sentences("Uncertain", gene.uncertainties)
    yield from _sentences("Online services", answer_texts(gene))
    if gene.novelty is not None:
        yield f"Next step: {gene.novelty.next_step}"
    yield "Annotator: genint, automatic. Reviewed by: "


def _sentences(title: str, texts: Iterable[str]) -> Iterator[str]:
    joined = "; ".join(texts)
    if joined:
        yield f"{title}: {joined}."


def _location_call(gene: GeneItem, result: GenintResult) -> str:
    program = program_of(gene, result)
    if gene.call_note:
        return gene.call_note
    return f"predicted by {program}." if program else "as in the file, not called anew."


def _function_call(gene: GeneItem) -> str:
    """The hypothesis with its level, and the arithmetic of its score."""
    if not gene.hypotheses:
        return "none, no functional claim from any source (confidence NONE)."
    best = gene.hypotheses[0]
    return (
        f"{best.function} ({best.specificity}), confidence {gene.confidence} "
        f"({gene.score:.2f}): {best.verdict}. Log-odds: {_sum_of(best)}."
    )


def _sum_of(hypothesis: HypothesisItem) -> str:
    addends = ", ".join(
        f"{signed(term.log_odds)} {term.what}" for term in printed_terms(hypothesis)
    )
    return f"{addends}; together {signed(printed_sum(hypothesis))}"
