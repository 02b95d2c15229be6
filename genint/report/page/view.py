"""What the template of the page prints besides the result itself: counts and shares.

All of it is there without any script: levels, scores, COG letters, categories.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from genint.model.interpretation import NameVerdict
from genint.model.vocabulary import COG_NAMES, ConfidenceLevel
from genint.report.audit import AuditView, audit_view
from genint.report.overview import RecordOverview, overviews
from genint.report.page.data import VERDICTS, verdict_of
from genint.report.result import GeneItem, GenintResult
from genint.report.score import level_sentences
from genint.report.summaries import headline
from genint.report.wording import (
    SENT,
    dark_text,
    near_misses,
    not_used,
    problem_texts,
    product_text,
    repeat_text,
    rescue_addends,
    rescue_place,
    rescued,
    search_text,
    services_text,
    start_text,
    use_texts,
)

HISTOGRAM_BINS: Final = 20
"""Steps of 0.05, so that no bin spans two levels."""


class LevelShare(NamedTuple):
    """How many genes have a level."""

    level: ConfidenceLevel
    genes: int
    percent: str
    meaning: str
    before: int
    """Genes of better levels: where its piece of the bar starts."""


class ScoreBin(NamedTuple):
    """How many genes have a score of this range."""

    first: float
    level: ConfidenceLevel
    genes: int


class Group(NamedTuple):
    """Genes that share a COG letter or a category; an empty key is those without."""

    key: str
    name: str
    genes: int


class NamedCount(NamedTuple):
    """A count and what is counted."""

    name: str
    number: int


class PageView(NamedTuple):
    """What the template prints besides the result itself."""

    headline: str
    levels: tuple[LevelShare, ...]
    levels_meaning: tuple[str, ...]
    """What was measured, then a sentence for each level."""
    scores: tuple[ScoreBin, ...]
    highest_bin: int
    cogs: tuple[Group, ...]
    most_cog: int
    """Genes of the longest bar; those without a letter have none."""
    categories: tuple[Group, ...]
    most_category: int
    organisms: tuple[str, ...]
    bases: int
    verdicts: tuple[NamedCount, ...]
    audit: AuditView
    found: CallsView
    online: OnlineView
    overview: tuple[RecordOverview, ...]
    standings: tuple[Group, ...]
    """Genes per verdict, the key being its position in ``VERDICTS``; empty where nothing was
    compared."""


class OnlineView(NamedTuple):
    """What online services answered, in words; empty but in online mode.

    Attributes:
        services: Which ones were to be queried, and for how long.
        results: What they answered, one paragraph for each, then what was sent.
        problems: What did not work, one sentence each.
        dark: Of how many dark genes a service may know something.
        not_used: What else was not used; in any mode.
    """

    services: str | None
    results: tuple[str, ...]
    problems: tuple[str, ...]
    dark: str | None
    not_used: tuple[str, ...]


class RescuedRow(NamedTuple):
    """A gene that the gene finder leaves out."""

    gene: GeneItem
    probability: str
    lies: str
    addends: str


class CallsView(NamedTuple):
    """What was found besides ordinary gene calls, in words."""

    rescued: tuple[RescuedRow, ...]
    near_misses: str | None
    starts: tuple[tuple[str, str, str], ...]
    """Gene, start, reason."""
    products: tuple[tuple[str, str, str], ...]
    """Gene, product, reason."""
    searches: tuple[str, ...]
    repeats: Mapping[str, str]
    """What a terminal repeat is, by record."""


def view_of(result: GenintResult) -> PageView:
    """Counts and shares for the template."""
    scores = _scores(result.genes)
    cogs, categories = _cogs(result.genes), _categories(result.genes)
    verdicts = Counter(gene.compared.verdict for gene in result.genes if gene.compared)
    return PageView(
        headline=headline(result.summary),
        levels=_levels(result),
        levels_meaning=level_sentences(result.parameters),
        scores=scores,
        highest_bin=max((one.genes for one in scores), default=0),
        cogs=cogs,
        most_cog=_most_genes(cogs),
        categories=categories,
        most_category=_most_genes(categories),
        organisms=tuple(dict.fromkeys(r.organism for r in result.records if r.organism)),
        bases=sum(record.length for record in result.records),
        verdicts=tuple(
            NamedCount(verdict.replace("_", " "), verdicts[verdict]) for verdict in NameVerdict
        ),
        audit=audit_view(result),
        found=_found(result),
        online=_online(result),
        overview=overviews(result),
        standings=_standings(result),
    )


def _online(result: GenintResult) -> OnlineView:
    texts = use_texts(result)
    return OnlineView(
        services=services_text(result),
        results=(*texts, SENT) if texts else (),
        problems=problem_texts(result),
        dark=dark_text(result),
        not_used=not_used(result),
    )


def _found(result: GenintResult) -> CallsView:
    return CallsView(
        rescued=tuple(
            RescuedRow(
                gene, f"{rescue.probability:.2f}", rescue_place(rescue), rescue_addends(rescue)
            )
            for gene, rescue in rescued(result)
        ),
        near_misses=near_misses(result),
        starts=tuple((one.gene, start_text(one), one.reason) for one in result.alternative_starts),
        products=tuple(
            (one.gene, product_text(one), one.reason) for one in result.alternative_products
        ),
        searches=tuple(search_text(one) for one in result.searches),
        repeats={
            record.id: repeat_text(record.terminal_repeat_bp)
            for record in result.records
            if record.terminal_repeat_bp
        },
    )


def _levels(result: GenintResult) -> tuple[LevelShare, ...]:
    summary = result.summary
    counts = (summary.high, summary.moderate, summary.low, summary.speculative, summary.dark)
    shares, before = [], 0
    for level, genes in zip(ConfidenceLevel, counts, strict=True):
        percent = f"{genes / summary.total_genes:.1%}" if summary.total_genes else ""
        shares.append(LevelShare(level, genes, percent, level.meaning, before))
        before += genes
    return tuple(shares)


def _scores(genes: Sequence[GeneItem]) -> tuple[ScoreBin, ...]:
    """Genes per range of scores; scores count as they are shown, with two decimals."""
    last = HISTOGRAM_BINS - 1
    counted = Counter(
        min(round(gene.score * 100) * HISTOGRAM_BINS // 100, last)
        for gene in genes
        if not gene.is_dark
    )
    return tuple(
        ScoreBin(at / HISTOGRAM_BINS, ConfidenceLevel.of(at / HISTOGRAM_BINS), counted[at])
        for at in range(HISTOGRAM_BINS)
    )


def _cogs(genes: Sequence[GeneItem]) -> tuple[Group, ...]:
    counted = Counter(gene.cog_category or "" for gene in genes)
    known = [letter for letter in COG_NAMES if counted[letter]]
    other = sorted(counted.keys() - COG_NAMES.keys() - {""})
    groups = [
        Group(letter, COG_NAMES.get(letter, ""), counted[letter]) for letter in (*known, *other)
    ]
    return _with_rest(groups, "no COG letter", counted[""])


def _categories(genes: Sequence[GeneItem]) -> tuple[Group, ...]:
    counted = Counter(str(gene.category or "") for gene in genes)
    rest = counted.pop("", 0)
    groups = [Group(name, name, count) for name, count in sorted(counted.items(), key=_most)]
    return _with_rest(groups, "no category", rest)


def _standings(result: GenintResult) -> tuple[Group, ...]:
    counted = Counter(verdict_of(gene, result) for gene in result.genes)
    return tuple(
        Group(str(at), name.replace("_", " "), counted[at])
        for at, name in enumerate(VERDICTS)
        if name and counted[at]
    )


def _most_genes(groups: Sequence[Group]) -> int:
    return max((group.genes for group in groups if group.key), default=1)


def _most(counted: tuple[str, int]) -> tuple[int, str]:
    return (-counted[1], counted[0])


def _with_rest(groups: list[Group], name: str, rest: int) -> tuple[Group, ...]:
    return (*groups, Group("", name, rest)) if rest else tuple(groups)
