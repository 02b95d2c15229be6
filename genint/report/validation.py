"""Reading of stored results, and the checks that one does not contradict itself.

:func:`parse_result` is the way back from ``render_json``. A result that was edited by hand may
refer to genes or evidence that it does not have; it is refused with the first such fault, so
that renderers need not expect any.
"""

from __future__ import annotations

import json
import math
import re
from codecs import BOM_UTF8
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from pydantic import BaseModel, ValidationError

from genint.errors import FormatError
from genint.model.genome import CalledBy, Topology
from genint.model.online import AnswerState, OnlineService
from genint.model.vocabulary import ConfidenceLevel, NameBasis
from genint.report.result import (
    SCHEMA_VERSION,
    AlternativeProductItem,
    AlternativeStartItem,
    Counts,
    CrisprArrayItem,
    GeneItem,
    GenintResult,
    OnlineAnswerItem,
    OnlineUseItem,
    OtherFeatureItem,
    RejectedItem,
    RnaGeneItem,
)
from genint.report.result_gene import RescueItem
from genint.report.wording import shown_text

_READABLE: Final = re.compile(r"1\.\d+", re.ASCII)
_LINE: Final = re.compile(r"at line (\d+)")
_CURE: Final = "give a file that genint wrote with --format json"
_ROUNDING: Final = 0.005
"""By how much the probability may differ from that of the sum of the rounded addends."""
_ARRAYS: Final = "CRISPR"
"""What the search for arrays is called after; all others are for RNA genes."""
_LONGEST_SHOWN: Final = 60
_Placed: TypeAlias = GeneItem | RnaGeneItem | OtherFeatureItem | RejectedItem | CrisprArrayItem


class _Head(BaseModel):
    """The fields that decide which reader a file needs."""

    schema_version: str


def parse_result(content: bytes, *, source: str = "result") -> GenintResult:
    """The result in a JSON file of any schema 1.x; keys that it does not know are ignored.

    Args:
        content: The file, UTF-8; a byte order mark is passed over.
        source: How the file is called in errors.

    Raises:
        FormatError: it is no JSON, no result, of another schema, or contradicts itself.

    Cost: about 0.4 s for 20 MB (a bacterium).
    """
    content = content.removeprefix(BOM_UTF8)
    try:
        result = GenintResult.model_validate_json(content)
    except ValidationError as problem:
        _refuse_other_schemas(content, source)
        raise _explained(problem, source) from problem
    _refuse_version(result.schema_version, source)
    for fault in contradictions(result):
        reason = f"no result of genint: {fault}"
        raise FormatError(source=source, line=None, reason=reason, cure=_CURE)
    return result


def _refuse_other_schemas(content: bytes, source: str) -> None:
    """Say that the schema is another, where that is why the content does not fit."""
    try:
        head = _Head.model_validate_json(content)
    except ValidationError:
        return
    _refuse_version(head.schema_version, source)


def _refuse_version(version: str, source: str) -> None:
    if not _READABLE.fullmatch(version):
        raise FormatError(
            source=source,
            line=None,
            reason=f"schema {version[:20]!r} of the result is not 1.x",
            cure="read it with the version of genint that wrote it",
        )


def _explained(problem: ValidationError, source: str) -> FormatError:
    """The first fault in words, without the value that it found (it may be huge)."""
    first = problem.errors(include_input=False, include_url=False)[0]
    message = first["msg"]
    if first["type"] == "json_invalid":
        line = _LINE.search(message)
        return FormatError(
            source=source, line=int(line[1]) if line else None, reason="no valid JSON", cure=_CURE
        )
    place = ".".join(str(step) for step in first["loc"]) or "the whole"
    return FormatError(
        source=source, line=None, reason=f"no result of genint: {place}: {message}", cure=_CURE
    )


def render_json(result: GenintResult) -> str:
    """The result as JSON text: two spaces of indent, ends with a newline.

    Keys are in the order of the models; the same result gives the same bytes.
    """
    return result.model_dump_json(indent=2) + "\n"


def json_schema() -> str:
    """JSON Schema (draft 2020-12) of the result file, as text."""
    schema = GenintResult.model_json_schema(mode="serialization")
    head = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"genint result {SCHEMA_VERSION}",
    }
    schema.pop("title", None)
    return json.dumps(head | schema, indent=2, ensure_ascii=False) + "\n"


def contradictions(result: GenintResult) -> Iterator[str]:
    """Everything in a result that contradicts the rest of it, in words.

    Cost: about 5 microseconds a gene.
    """
    lengths = {record.id: record.length for record in result.records}
    yield from _repeated("record", (record.id for record in result.records))
    yield from _repeated("gene", (gene.id for gene in result.genes))
    for gene in result.genes:
        yield from _misplaced(gene, lengths, [(part.start, part.end) for part in gene.parts])
        if any(not 0 <= at < len(gene.evidence) for h in gene.hypotheses for at in h.evidence):
            yield f"gene {_shown(gene.id)}: a hypothesis rests on evidence that is not there"
        if gene.audit and any(not 0 <= at < len(gene.evidence) for at in gene.audit.evidence):
            yield f"gene {_shown(gene.id)}: its audit rests on evidence that is not there"
        yield from _half_dark(gene)
        yield from _disordered(gene)
    yield from _misplaced_others(result, lengths)
    for name, fault in (*_contradictions_of_calls(result), *_contradictions_of_services(result)):
        yield f"{_shown(name)}: {fault}"
    yield from _turned(result)
    if any(one.sequence is not None and len(one.sequence) != one.length for one in result.records):
        yield "the sequence of a record does not have the record's length"
    if any(not 0 <= one.terminal_repeat_bp < max(one.length, 1) for one in result.records):
        yield "a terminal repeat is not shorter than its record"
    yield from _misranked(result.genes)
    yield from _miscounted(result.summary, result.genes)


def _turned(result: GenintResult) -> Iterator[str]:
    """Only on a circle does anything end before it starts, unless the user's file says so."""
    lines = {record.id for record in result.records if record.topology is Topology.LINEAR}
    placed: tuple[GeneItem | RnaGeneItem | CrisprArrayItem | RejectedItem, ...] = (
        *result.genes,
        *result.rna_genes,
        *result.crispr_arrays,
        *result.rejected,
    )
    for item in placed:
        if item.record in lines and item.end < item.start and not _is_of_file(item):
            yield f"{_shown(item.id)} ends before it starts, on a linear record"
    for array in result.crispr_arrays:
        if array.repeats != len(array.spacers) + 1:
            yield f"{_shown(array.id)} has {array.repeats} repeats, {len(array.spacers)} spacers"
    for gene in result.genes:
        if gene.rescue is not None and gene.rescue.probability < gene.rescue.threshold:
            yield f"gene {_shown(gene.id)} is less probable than a gene has to be"


def _is_of_file(item: GeneItem | RnaGeneItem | CrisprArrayItem | RejectedItem) -> bool:
    """Whether the file itself has a gene in this place: some join the ends of a linear record."""
    if isinstance(item, GeneItem):
        return item.called_by in (CalledBy.GENBANK, CalledBy.GENBANK_GENE) and len(item.parts) > 1
    return isinstance(item, RnaGeneItem) and item.method is None


def _repeated(kind: str, ids: Iterator[str]) -> Iterator[str]:
    for name, count in Counter(ids).items():
        if count > 1:
            yield f"{kind} {_shown(name)} is there {count} times"


def _misplaced_others(result: GenintResult, lengths: Mapping[str, int]) -> Iterator[str]:
    """All that is no gene; names of what genint itself found are not given twice."""
    others: tuple[_Placed, ...] = (
        *result.rna_genes,
        *result.other_features,
        *result.crispr_arrays,
        *result.rejected,
    )
    for other in others:
        yield from _misplaced(other, lengths, [])
    for start in result.alternative_starts:
        name = f"alternative start of {start.gene}"
        yield from _beyond(name, start.record, lengths, [(start.start, start.end)])
    for product in result.alternative_products:
        yield from _beyond(product.id, product.record, lengths, _places(product))
    yield from _repeated("CRISPR array", (array.id for array in result.crispr_arrays))
    yield from _repeated("product", (product.id for product in result.alternative_products))


def _places(product: AlternativeProductItem) -> list[tuple[int, int]]:
    parts = [(part.start, part.end) for part in product.parts]
    return [(product.site_start, product.site_end), *parts]


def _misplaced(
    item: _Placed, lengths: Mapping[str, int], parts: list[tuple[int, int]]
) -> Iterator[str]:
    yield from _beyond(item.id, item.record, lengths, [(item.start, item.end), *parts])


def _beyond(
    name: str, record: str, lengths: Mapping[str, int], places: list[tuple[int, int]]
) -> Iterator[str]:
    length = lengths.get(record)
    if length is None:
        yield f"{_shown(name)} lies on {_shown(record)}, which is not among the records"
    elif any(not (1 <= start <= length and 1 <= end <= length) for start, end in places):
        yield f"{_shown(name)} does not lie on {_shown(record)}"


def _half_dark(gene: GeneItem) -> Iterator[str]:
    """A gene is dark, has no level and has no function all at once, or none of these."""
    has_no_level = gene.confidence is ConfidenceLevel.NONE
    has_no_function = gene.function is None
    if not gene.is_dark == has_no_level == has_no_function:
        yield (
            f"gene {_shown(gene.id)}: is_dark, confidence and function do not say the same"
            " of whether anything is known of it"
        )
    elif gene.is_dark and gene.basis is not None:
        yield f"gene {_shown(gene.id)}: nothing is known of it, but it has a basis"
    elif gene.is_dark and gene.score:
        yield f"gene {_shown(gene.id)}: nothing is known of it, but it has a score"


def _disordered(gene: GeneItem) -> Iterator[str]:
    if gene.part_order and sorted(gene.part_order) != list(range(len(gene.parts))):
        yield f"gene {_shown(gene.id)}: part_order is no order of its parts"


def _misranked(genes: Sequence[GeneItem]) -> Iterator[str]:
    ranks = sorted(gene.novelty.rank for gene in genes if gene.novelty is not None)
    if ranks != list(range(1, len(ranks) + 1)):
        yield f"the ranks of its dark genes are not 1 to {len(ranks)}, each once"


def _miscounted(stated: Counts, genes: Sequence[GeneItem]) -> Iterator[str]:
    levels = Counter(gene.confidence for gene in genes)
    bases = Counter(gene.basis for gene in genes)
    counted = Counts(
        total_genes=len(genes),
        interpreted_genes=len(genes) - levels[ConfidenceLevel.NONE],
        high=levels[ConfidenceLevel.HIGH],
        moderate=levels[ConfidenceLevel.MODERATE],
        low=levels[ConfidenceLevel.LOW],
        speculative=levels[ConfidenceLevel.SPECULATIVE],
        dark=levels[ConfidenceLevel.NONE],
        supported_genes=bases[NameBasis.EVIDENCE],
        file_only_genes=bases[NameBasis.FILE],
    )
    for (name, number), (_, found) in zip(stated, counted, strict=True):
        if number is not None and number != found:
            yield f"summary.{name} is {number}, but by its genes it is {found}"


def _shown(name: str) -> str:
    return shown_text(name)[:_LONGEST_SHOWN]


def _contradictions_of_services(result: GenintResult) -> Iterator[tuple[str, str]]:
    """What contradicts itself, as the id of the item and what is wrong with it.

    Cost: O(answers + residues of the genes with one).
    """
    uses = {use.service: use for use in result.online}
    chosen = frozenset(result.parameters.online_services)
    if result.parameters.mode != "online" and chosen:
        yield "parameters", "services are queried in online mode only"
    if len(uses) != len(result.online) or uses.keys() != chosen:
        yield "online", "lists other services than the parameters"
    for use in result.online:
        if use.answered > use.proteins:
            yield use.service, "has more answers than proteins"
    for gene in result.genes:
        for fault in _of_gene(gene, chosen):
            yield gene.id, fault
    yield from _miscounted_uses(result, uses)


def _of_gene(gene: GeneItem, chosen: frozenset[OnlineService]) -> Iterator[str]:
    services = [answer.service for answer in gene.online]
    if len(services) != len(chosen) or set(services) != chosen:
        yield "does not have one answer for each service"
    for answer in gene.online:
        yield from _of_answer(answer)


def _of_answer(answer: OnlineAnswerItem) -> Iterator[str]:
    name = answer.service.label
    if (answer.state is AnswerState.HIT) != bool(answer.accessions):
        yield f"{name}: a hit without accessions, or accessions without a hit"
    if not answer.state.is_answer and not answer.reason:
        yield f"{name}: no answer, and no reason for that"


def _miscounted_uses(
    result: GenintResult, uses: Mapping[OnlineService, OnlineUseItem]
) -> Iterator[tuple[str, str]]:
    """Genes of one sequence are one protein; frames that are no genes are queried too."""
    for service, use in uses.items():
        states: dict[str, set[AnswerState]] = {}
        for gene in result.genes:
            for answer in gene.online:
                if answer.service is service:
                    states.setdefault(_residues(gene), set()).add(answer.state)
        answered = sum(any(state.is_answer for state in found) for found in states.values())
        failed = sum(AnswerState.ERROR in found for found in states.values())
        if any(len(found) > 1 for found in states.values()):
            yield service, "did not say the same of genes with one sequence"
        elif answered > use.answered or failed > use.proteins - use.answered:
            yield service, "answered about more proteins, or fewer, than by the genes"


def _residues(gene: GeneItem) -> str:
    return gene.translation.upper().removesuffix("*") or gene.id


def _contradictions_of_calls(result: GenintResult) -> Iterator[tuple[str, str]]:
    """What contradicts itself, as the id of the item and what is wrong with it.

    Cost: O(items).
    """
    genes = {gene.id: gene for gene in result.genes}
    known = genes.keys() | {frame.id for frame in result.rejected}
    for gene in result.genes:
        if gene.rescue is not None:
            yield from _of_rescue(gene.id, gene.rescue, known)
    for frame in result.rejected:
        if frame.rescue is not None:
            yield from _of_rescue(frame.id, frame.rescue, known)
    for start in result.alternative_starts:
        yield from _of_start(start, genes)
    for product in result.alternative_products:
        yield from _of_product(product, genes)
    yield from _of_searches(result)


def _of_rescue(name: str, rescue: RescueItem, known: set[str]) -> Iterator[tuple[str, str]]:
    if rescue.host is not None and rescue.host not in known:
        yield name, "shares bases with a gene that is not there"
    if rescue.terms:
        total = sum(term.log_odds for term in rescue.terms)
        if abs(_probability(total) - rescue.probability) > _ROUNDING:
            yield name, "the addends of its probability do not give it"


def _probability(log_odds: float) -> float:
    """The same as ``1 / (1 + exp(-x))``, without overflow."""
    return 0.5 * (1.0 + math.tanh(0.5 * log_odds))


def _of_start(
    start: AlternativeStartItem, genes: Mapping[str, GeneItem]
) -> Iterator[tuple[str, str]]:
    gene = genes.get(start.gene)
    if gene is None:
        yield start.gene, "an alternative start is of a gene that is not there"
        return
    same = (gene.record, gene.strand) == (start.record, start.strand)
    stops = (gene.end, start.end) if gene.strand == "+" else (gene.start, start.start)
    if not same or stops[0] != stops[1]:
        yield start.gene, "an alternative start does not lead to the stop of its gene"
    elif start.length_aa > gene.length_aa:
        yield start.gene, "an alternative start makes more than the whole gene"


def _of_product(
    product: AlternativeProductItem, genes: Mapping[str, GeneItem]
) -> Iterator[tuple[str, str]]:
    gene = genes.get(product.gene)
    if gene is None or (product.joined is not None and product.joined not in genes):
        yield product.id, "is a product of genes that are not there"
    elif gene.record != product.record:
        yield product.id, "lies on another record than its gene"
    if product.length_aa != len(product.translation):
        yield product.id, "its length is not that of its translation"


def _of_searches(result: GenintResult) -> Iterator[tuple[str, str]]:
    """What was found is listed, unless the user's file has it in the same place."""
    for search in result.searches:
        if (search.method is None) != (search.found is None):
            yield search.what, "was searched and was not searched"
    if not result.searches:
        return
    arrays = sum(s.found or 0 for s in result.searches if _ARRAYS in s.what)
    genes = sum(s.found or 0 for s in result.searches if _ARRAYS not in s.what)
    listed = sum(gene.method is not None for gene in result.rna_genes)
    if arrays != len(result.crispr_arrays):
        yield "searches", f"found {arrays} CRISPR arrays, {len(result.crispr_arrays)} are listed"
    # what the file has in the same place is found, but not listed again
    known = any(gene.method is None for gene in result.rna_genes)
    if genes < listed or (genes > listed and not known):
        yield "searches", f"found {genes} RNA genes, {listed} are listed"
