"""What was found besides ordinary gene calls, in words and figures that all formats share.

Rescued genes, near misses, alternative starts and products, RNA genes, CRISPR arrays and what
was searched for. Text comes back as it may be shown; escaping is the format's business.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from genint.model.online import AnswerState, OnlineService
from genint.model.rescue import HeldOut, place_words, probability_words, shift_words, start_words
from genint.report.result import (
    AlternativeProductItem,
    AlternativeStartItem,
    CrisprArrayItem,
    GeneItem,
    GenintResult,
    OnlineAnswerItem,
    OnlineUseItem,
    Record,
    RnaGeneItem,
    SearchItem,
)
from genint.report.result_gene import RescueItem, Span, StatementItem
from genint.report.score import signed


def parts_text(gene: GeneItem) -> str:
    """Places of all parts in the order of the forward strand, such as ``12-78,134-202``.

    1-based, both ends included; an end smaller than its start lies behind the origin. Each
    part has its strand in brackets where not all are on the same.
    """
    mixed = on_both_strands(gene)
    return ",".join(
        f"{part.start}-{part.end}" + (f"({part.strand})" if mixed else "") for part in gene.parts
    )


def on_both_strands(gene: GeneItem) -> bool:
    """Whether parts lie on both strands, as those of trans-spliced genes may."""
    return len({part.strand for part in gene.parts}) > 1


def statement_text(statement: StatementItem) -> str:
    """A statement with its kind, and how often such statements held."""
    held = f"{statement.right:,} of {statement.judged:,} such statements held"
    return f"{statement.text} ({statement.kind}; {held} for genes left out of the fit)"


def transcribed(gene: GeneItem) -> tuple[Span, ...]:
    """The parts of a gene from 5' to 3'.

    Where a result lists parts on both strands without their order (schema 1.0), or with one
    that leaves parts out or says them twice, those on the strand of its 5' part come first.
    """
    if gene.part_order and sorted(gene.part_order) == list(range(len(gene.parts))):
        return tuple(gene.parts[at] for at in gene.part_order)
    first = [part for part in gene.parts if part.strand == gene.strand]
    rest = [part for part in gene.parts if part.strand != gene.strand]
    return tuple(
        part
        for parts in (first, rest)
        for part in (reversed(parts) if parts and parts[0].strand == "-" else parts)
    )


def first_base(gene: GeneItem) -> str:
    """The base of the 5' end, 1-based on the forward strand, with ``<`` or ``>`` where cut."""
    part = transcribed(gene)[0]
    if part.strand == "+":
        return f"{'<' if gene.partial_5 else ''}{part.start}"
    return f"{'>' if gene.partial_5 else ''}{part.end}"


def yes_or_no(value: bool) -> str:
    """``yes`` or ``no``."""
    return "yes" if value else "no"


UNSHOWN: Final = "\N{REPLACEMENT CHARACTER}"
"""Replaces a character that cannot be shown."""


def shown_text(value: str) -> str:
    """A text on one line, without characters that hide, reorder or drive something.

    Line breaks, tabs and other blanks become spaces; control and direction characters,
    surrogates and unassigned code points become U+FFFD. What is printable stays as it is.

    Cost: O(length); next to nothing for printable text.
    """
    if value.isprintable():
        return value
    line = " ".join(value.split())
    return "".join(c if c.isprintable() else UNSHOWN for c in line)


SENT: Final = (
    "Only checksums of the proteins (MD5, CRC64) and identifiers from the file were sent, no "
    "sequences."
)
"""What left the machine."""

_MOST_ACCESSIONS: Final = 12
"""More than these are for the JSON result and the table."""
_KNOWN_WITHOUT: Final = MappingProxyType(
    {
        OnlineService.UNIPROT: "has the sequence, but no entry for it",
        OnlineService.INTERPRO: "has the sequence, but no signature matches it",
    }
)
_UNKNOWN: Final = "does not have the sequence, which says nothing about the protein"
_NOT_QUERIED: Final = "was not queried"
_NO_ANSWER: Final = "could not be queried"
_NO_REASON: Final = "no reason given"


class Statement(NamedTuple):
    """What a service answered about a gene: the service, what it has, and words behind that.

    Attributes:
        service: As it writes itself.
        accessions: Of what it has.
        words: Follows the accessions where there are any (its release), else the name of the
            service (the outcome of its query); may be empty.
    """

    service: str
    accessions: tuple[str, ...]
    words: str

    @property
    def text(self) -> str:
        """All of it in one line."""
        if not self.accessions:
            return f"{self.service} {self.words}"
        listed = self.accessions[:_MOST_ACCESSIONS]
        left = len(self.accessions) - len(listed)
        more = f" and {left} more" if left else ""
        return f"{self.service}: {', '.join(listed)}{more} {self.words}".rstrip()


def stated(answer: OnlineAnswerItem) -> Statement:
    """What a service answered, as it may be shown."""
    service = answer.service.label
    accessions = tuple(shown_text(one) for one in answer.accessions)
    since = _since(answer)
    match answer.state:
        case AnswerState.HIT if accessions:
            return Statement(service, accessions, since)
        case AnswerState.HIT:  # only in a result that was edited
            words = "has an answer"
        case AnswerState.NO_MATCH:
            words = _KNOWN_WITHOUT[answer.service]
        case AnswerState.NOT_IN_DATABASE:
            words = _UNKNOWN
        case AnswerState.NOT_ASKED:
            words = f"{_NOT_QUERIED}: {shown_text(answer.reason) or _NO_REASON}"
        case AnswerState.ERROR:
            words = f"{_NO_ANSWER}: {shown_text(answer.reason) or _NO_REASON}"
    return Statement(service, (), f"{words} {since}".rstrip())


def _since(answer: OnlineAnswerItem) -> str:
    """Of which release an answer is; empty where there is none, or it is not known."""
    release = shown_text(answer.release or "")
    if not answer.state.is_answer:
        return ""
    if answer.is_stale:
        of = f", release {release}" if release else ""
        return f"(from the cache{of}; the current one could not be checked)"
    return f"({release})" if release else ""


def answer_texts(gene: GeneItem) -> tuple[str, ...]:
    """What each service answered about a gene, one line each; none but in online mode."""
    return tuple(stated(answer).text for answer in gene.online)


def is_unanswered(gene: GeneItem) -> bool:
    """Whether a service that was to be queried about a gene gave no answer."""
    return any(not answer.state.is_answer for answer in gene.online)


def unanswered_text(gene: GeneItem) -> str | None:
    """Which services gave no answer about a gene and why; None where all did."""
    texts = [stated(answer).text for answer in gene.online if not answer.state.is_answer]
    return "; ".join(texts) or None


def dark_text(result: GenintResult) -> str | None:
    """How many dark genes may be known to a service that gave no answer; None without any."""
    genes = sum(gene.is_dark and is_unanswered(gene) for gene in result.genes)
    if not genes:
        return None
    return (
        f"For {genes:,} of them a service gave no answer, so more may be known than is shown here."
    )


def cell(gene: GeneItem, service: OnlineService) -> str | None:
    """Accessions that a service has for a gene, else the word for the outcome of its query."""
    for answer in gene.online:
        if answer.service is service:
            return "; ".join(answer.accessions) or answer.state.value
    return None


def problem_texts(result: GenintResult) -> tuple[str, ...]:
    """What did not work, one sentence without a full stop for each service."""
    return tuple(problem_text(use) for use in result.online if use.problem)


def not_used(result: GenintResult) -> tuple[str, ...]:
    """What was not used, apart from the services of :func:`use_texts`."""
    problems = problem_texts(result)
    return tuple(text for text in result.unavailable if not text.startswith(problems))


def problem_text(use: OnlineUseItem) -> str:
    """What did not work with a service, one sentence without a full stop."""
    return shown_text(f"{use.service.label} {use.problem}").rstrip(".")


def use_texts(result: GenintResult) -> tuple[str, ...]:
    """What was queried and what came of it, one paragraph for each service."""
    states = _states(result)
    return tuple(
        shown_text(" ".join(_use_sentences(use, states[use.service]))) for use in result.online
    )


def _states(result: GenintResult) -> dict[OnlineService, Counter[AnswerState]]:
    found = {use.service: Counter[AnswerState]() for use in result.online}
    for gene in result.genes:
        for answer in gene.online:
            found.setdefault(answer.service, Counter())[answer.state] += 1
    return found


def _use_sentences(use: OnlineUseItem, genes: Counter[AnswerState]) -> Iterator[str]:
    name = use.service.label
    releases = " and ".join(use.releases)
    of = f" (release{'s' if len(use.releases) > 1 else ''} {releases})" if releases else ""
    if use.proteins:
        yield f"{name}{of} answered for {use.answered:,} of {use.proteins:,} distinct proteins."
    else:
        yield f"{name}: there was no protein to query."
    if genes:
        yield f"Genes: {', '.join(_counted(use.service, genes))}."
    if use.problem:
        yield f"{problem_text(use)}."


def _counted(service: OnlineService, genes: Counter[AnswerState]) -> Iterator[str]:
    what = "an entry" if service is OnlineService.UNIPROT else "a signature"
    words = {
        AnswerState.HIT: f"with {what}",
        AnswerState.NO_MATCH: f"in the service without {what}",
        AnswerState.NOT_IN_DATABASE: "not in the service (which says nothing about them)",
        AnswerState.NOT_ASKED: "not queried",
        AnswerState.ERROR: "not answered",
    }
    for state, text in words.items():
        if genes[state]:
            yield f"{genes[state]:,} {text}"


def services_text(result: GenintResult) -> str | None:
    """Which services were to be queried and for how long at most; None but in online mode."""
    used = result.parameters
    if not used.online_services:
        return None
    named = " and ".join(service.label for service in used.online_services)
    if used.online_timeout_s is None:
        return f"queries {named}"
    return f"queries {named} for at most {used.online_timeout_s:g} s"


_VERSION: Final = re.compile(r"\d[\w.+\-]*", re.ASCII)
_PROGRAM: Final = re.compile(r"[A-Za-z][\w.+\-]*", re.ASCII)
_RFAM: Final = re.compile(r"RF\d{5}", re.ASCII)
_DECIMALS: Final = 2
_NOT_SEARCHED: Final = "not searched"


class Alternatives(NamedTuple):
    """What a gene may make besides its protein."""

    starts: tuple[AlternativeStartItem, ...] = ()
    products: tuple[AlternativeProductItem, ...] = ()


def alternatives_of(result: GenintResult) -> Mapping[str, Alternatives]:
    """Alternative starts and products by id of their gene."""
    starts: defaultdict[str, list[AlternativeStartItem]] = defaultdict(list)
    products: defaultdict[str, list[AlternativeProductItem]] = defaultdict(list)
    for start in result.alternative_starts:
        starts[start.gene].append(start)
    for product in result.alternative_products:
        products[product.gene].append(product)
    return {
        gene.id: Alternatives(tuple(starts.get(gene.id, ())), tuple(products.get(gene.id, ())))
        for gene in result.genes
    }


def alternative_texts(alternatives: Alternatives) -> tuple[str, ...]:
    """Each alternative start, then each alternative product of a gene, for notes."""
    return (
        *(f"alternative start at {start_text(one)}" for one in alternatives.starts),
        *(f"alternative product {product_text(one)}" for one in alternatives.products),
    )


def rescued(result: GenintResult) -> tuple[tuple[GeneItem, RescueItem], ...]:
    """Genes that the gene finder leaves out, with what they scored."""
    return tuple((gene, gene.rescue) for gene in result.genes if gene.rescue is not None)


def rescue_place(rescue: RescueItem) -> str:
    """Position of a frame relative to the genes that the gene finder calls."""
    return shown_text(
        place_words(rescue.kind, rescue.host, rescue.host_overlap, same_strand=rescue.same_strand)
    )


def rescue_meaning(rescue: RescueItem) -> str:
    """Its probability and what that means."""
    held_out = HeldOut(**rescue.held_out.model_dump()) if rescue.held_out else None
    meaning = probability_words(rescue.probability, held_out)
    return f"{meaning}; called from {rescue.threshold:.2f} on"


def rescue_terms(rescue: RescueItem) -> tuple[tuple[str, float], ...]:
    """Addends as they are printed, with two decimals."""
    return tuple((shown_text(one.reason), round(one.log_odds, _DECIMALS)) for one in rescue.terms)


def rescue_sum(rescue: RescueItem) -> float:
    """The sum of the printed addends."""
    return round(sum(log_odds for _, log_odds in rescue_terms(rescue)), _DECIMALS)


def rescue_addends(rescue: RescueItem) -> str:
    """Addends and their sum in one line."""
    addends = ", ".join(f"{signed(value)} {reason}" for reason, value in rescue_terms(rescue))
    return f"{addends}; together {signed(rescue_sum(rescue))}"


def rescue_arithmetic(rescue: RescueItem) -> str:
    """Addends, their sum, its probability and what that means in one line."""
    return f"{rescue_addends(rescue)} log-odds, {rescue_meaning(rescue)}"


def near_misses(result: GenintResult) -> str | None:
    """How many frames came near to being genes; None where none did."""
    count = len(result.rejected)
    if not count:
        return None
    candidates = "candidate was" if count == 1 else "candidates were"
    return (
        f"{count:,} more gene {candidates} rejected; the JSON result lists each with its reason, "
        "under the key rejected."
    )


def start_base(item: AlternativeStartItem) -> int:
    """First base of the start codon, 1-based on the forward strand."""
    return item.start if item.strand == "+" else item.end


def start_text(item: AlternativeStartItem) -> str:
    """An alternative start with what is seen of it and how probable its product is."""
    words = start_words(start_base(item), item.length_aa, item.codon, item.rbs_motif, item.share)
    return shown_text(f"{words}; probability {item.probability:.2f} that it is made too")


def product_text(item: AlternativeProductItem) -> str:
    """An alternative product with its site, its length and how probable it is."""
    on = f", on in the frame of {item.joined}" if item.joined else ""
    return shown_text(
        f"{item.id}: ribosomes may slip {shift_words(item.shift)} at {item.heptamer} (bases "
        f"{item.site_start}-{item.site_end}){on}; {item.length_aa} amino acids at "
        f"{spans_text(item.parts)}; probability {item.probability:.2f} that it is made"
    )


def spans_text(parts: Iterable[Span]) -> str:
    """Places of parts in the order of the forward strand."""
    return ",".join(f"{part.start}-{part.end}" for part in parts)


def rna_score(gene: RnaGeneItem) -> str:
    """Score with its unit, empty where there is none."""
    if gene.score is None:
        return ""
    return shown_text(f"{gene.score:g} {gene.score_unit or ''}".strip())


def rna_facts(gene: RnaGeneItem) -> tuple[str, ...]:
    """Anticodon, search, score, model and further details of a found RNA gene."""
    facts = (
        (gene.insdc_class or "").replace("_", " "),
        f"anticodon {gene.anticodon}" if gene.anticodon else "",
        f"found by {gene.method}" if gene.method else "",
        f"score {rna_score(gene)}" if gene.score is not None else "",
        f"model {gene.accession}" if gene.accession else "",
        gene.note or "",
    )
    return tuple(shown_text(fact) for fact in facts if fact)


def rna_inference(gene: RnaGeneItem) -> str | None:
    """Value of ``/inference`` of an RNA gene that a search found.

    Such as ``COORDINATES:profile:aragorn:1.2.41``; None where the search has no plain name.
    """
    program = method_parts(gene.method)
    return f"COORDINATES:profile:{':'.join(program)}" if program else None


def rna_reference(gene: RnaGeneItem) -> str | None:
    """Value of ``/db_xref`` for its Rfam family; None without one."""
    found = gene.accession
    return f"RFAM:{found}" if found and _RFAM.fullmatch(found) else None


def method_parts(method: str | None) -> tuple[str, ...]:
    """Name and version of a search, each one plain word; () where it has no such name."""
    words = (method or "").split()
    if not words or not _PROGRAM.fullmatch(words[0]):
        return ()
    # a version further on is that of something else
    has_version = len(words) > 1 and _VERSION.fullmatch(words[1])
    return (words[0], words[1]) if has_version else (words[0],)


def spacer_text(array: CrisprArrayItem) -> str:
    """How many spacers there are and how long."""
    lengths = sorted(len(spacer) for spacer in array.spacers)
    if not lengths:
        return "no spacers"
    size = f"{lengths[0]}" if lengths[0] == lengths[-1] else f"{lengths[0]}-{lengths[-1]}"
    return f"{len(lengths)} spacer{'s' if len(lengths) > 1 else ''} of {size} bp"


def array_text(array: CrisprArrayItem) -> str:
    """A CRISPR array in one line."""
    return shown_text(
        f"{array.repeats} repeats of {array.repeat} ({len(array.repeat)} bp), "
        f"{spacer_text(array)}; found by {array.method}"
    )


def search_text(search: SearchItem) -> str:
    """What was searched for and what came of it, or why nothing was searched."""
    if search.method is None:
        why = search.reason.removeprefix(f"{_NOT_SEARCHED}: ") or "no reason given"
        return shown_text(f"{search.what}: {_NOT_SEARCHED} ({why})")
    found = "none" if not search.found else f"{search.found:,}"
    aside = f" ({search.reason})" if search.reason else ""
    return shown_text(f"{search.what}: searched with {search.method}, {found} found{aside}")


def topology_text(record: Record) -> str:
    """Linear or circular, and why: such as ``assumed linear: topology not given``."""
    reason = shown_text(record.topology_reason or "as the file says")
    return reason if reason.startswith("assumed ") else f"{record.topology}: {reason}"


def repeat_text(length_bp: int) -> str:
    """What a terminal repeat is."""
    return (
        f"its first {length_bp:,} bases are its last ones too (a direct terminal repeat of the "
        "sequence as it is in the file)"
    )
