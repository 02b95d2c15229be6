"""What was found besides ordinary gene calls, in words and figures that all formats share.

Rescued genes, near misses, alternative starts and products, RNA genes, CRISPR arrays and what
was searched for. Text comes back as it may be shown; escaping is the format's business.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from genint.model.rescue import HeldOut
from genint.model.rescue_words import place_words, probability_words, shift_words, start_words
from genint.report.arithmetic import signed
from genint.report.result import (
    AlternativeProductItem,
    AlternativeStartItem,
    CrisprArrayItem,
    GeneItem,
    GenintResult,
    RescueItem,
    RnaGeneItem,
    SearchItem,
    Span,
)
from genint.report.texts import shown_text

_VERSION: Final = re.compile(r"\d[\w.+\-]*", re.ASCII)
_PROGRAM: Final = re.compile(r"[A-Za-z][\w.+\-]*", re.ASCII)
_RFAM: Final = re.compile(r"RF\d{5}", re.ASCII)
_DECIMALS: Final = 2
_NOT_SEARCHED: Final = "not searched"


class Others(NamedTuple):
    """What a gene may make besides its protein."""

    starts: tuple[AlternativeStartItem, ...] = ()
    products: tuple[AlternativeProductItem, ...] = ()


NO_OTHERS: Final = Others()


def others_of(result: GenintResult) -> Mapping[str, Others]:
    """Alternative starts and products by id of their gene; genes without any are not in it."""
    starts: defaultdict[str, list[AlternativeStartItem]] = defaultdict(list)
    products: defaultdict[str, list[AlternativeProductItem]] = defaultdict(list)
    for start in result.alternative_starts:
        starts[start.gene].append(start)
    for product in result.alternative_products:
        products[product.gene].append(product)
    return {
        gene: Others(tuple(starts[gene]), tuple(products[gene]))
        for gene in dict.fromkeys((*starts, *products))
    }


def rescued(result: GenintResult) -> tuple[tuple[GeneItem, RescueItem], ...]:
    """Genes that the gene finder leaves out, with what they scored."""
    return tuple((gene, gene.rescue) for gene in result.genes if gene.rescue is not None)


def rescue_place(rescue: RescueItem) -> str:
    """How a frame lies to the genes that the gene finder calls."""
    return shown_text(
        place_words(rescue.kind, rescue.host, rescue.host_overlap, same_strand=rescue.same_strand)
    )


def rescue_meaning(rescue: RescueItem) -> str:
    """Its probability and what that means."""
    held_out = HeldOut(**rescue.held_out.model_dump()) if rescue.held_out else None
    told = probability_words(rescue.probability, held_out)
    return f"{told}; called from {rescue.threshold:.2f} on"


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
    frames, is_none = ("frame", "is none") if count == 1 else ("frames", "are none")
    return (
        f"{count:,} more {frames} came near to being genes and {is_none} here; the JSON result "
        "lists each with its reason, under the key rejected."
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
    """Anticodon, search, score, model and what else is to be said of a found RNA gene."""
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


def spacer_words(array: CrisprArrayItem) -> str:
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
        f"{spacer_words(array)}; found by {array.method}"
    )


def search_text(search: SearchItem) -> str:
    """What was searched for and what came of it, or why nothing was searched."""
    if search.method is None:
        why = search.reason.removeprefix(f"{_NOT_SEARCHED}: ") or "no reason given"
        return shown_text(f"{search.what}: {_NOT_SEARCHED} ({why})")
    found = "none" if not search.found else f"{search.found:,}"
    aside = f" ({search.reason})" if search.reason else ""
    return shown_text(f"{search.what}: searched with {search.method}, {found} found{aside}")


def repeat_text(length_bp: int) -> str:
    """What a terminal repeat is."""
    return (
        f"its first {length_bp:,} bases are its last ones too (a direct terminal repeat of the "
        "sequence as it is in the file)"
    )
