"""The page of a result with very many genes: a table of contigs, genes and details on demand.

A page with all that is known of each gene would have over 100 MB for a virome of 100,000 genes.
This one has a row for each contig, readable without scripts, and one line for each gene, packed
by contigs and opened in the browser when a contig is opened or genes are looked for. Reasoning,
all evidence and next steps of a gene are in the JSON result, of which the page says so.
"""

from __future__ import annotations

import base64
import gzip
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from jinja2 import Template
from markupsafe import Markup

from genint.model.vocabulary import ConfidenceLevel
from genint.report.result import GeneItem, GenintResult, Record
from genint.report.result_gene import EvidenceItem
from genint.report.summaries import headline
from genint.report.templates import content_hash, template_environment
from genint.report.wording import shown_text

MOST_GENES: Final = 20_000
"""Of a result whose page has everything; the largest bacteria have half as many."""
_CONTIGS_TOGETHER: Final = 50
"""Contigs whose genes are packed together: some 20 kB."""
_HERE: Final = Path(__file__).parent / "contigs"
_CLAIM_CHARACTERS: Final = 90


class ContigRow(NamedTuple):
    """A contig in the table.

    Attributes:
        record: As the result has it.
        counts: Genes by level.
        genes: All of them.
        best: Functions of the most certain genes, to show what it may be.
    """

    record: Record
    counts: Counter[ConfidenceLevel]
    genes: int
    best: tuple[str, ...]


def render_contigs(result: GenintResult) -> str:
    """The page; the same result gives the same bytes.

    Cost: 40 us and 120 bytes a gene, 400 bytes a contig.
    """
    by_record: dict[str, list[GeneItem]] = {record.id: [] for record in result.records}
    for gene in result.genes:
        by_record[gene.record].append(gene)
    style, script = ((_HERE / name).read_text("utf-8") for name in ("page.css", "page.js"))
    return _template().render(
        result=result,
        headline=headline(result.summary),
        rows=[_row(record, by_record[record.id]) for record in result.records],
        levels=tuple(ConfidenceLevel),
        blocks=_blocks([by_record[record.id] for record in result.records]),
        together=_CONTIGS_TOGETHER,
        style=Markup(style),  # noqa: S704 - files of ours
        script=Markup(script),  # noqa: S704
        policy=f"default-src 'none'; script-src '{content_hash(script)}'; "
        f"style-src '{content_hash(style)}'; img-src data:; base-uri 'none'; form-action 'none'",
    )


def _row(record: Record, genes: Sequence[GeneItem]) -> ContigRow:
    named = [gene for gene in genes if not gene.is_dark and gene.function]
    named.sort(key=lambda gene: -gene.score)
    best = dict.fromkeys(gene.function for gene in named if gene.function)
    return ContigRow(
        record, Counter(gene.confidence for gene in genes), len(genes), tuple(best)[:3]
    )


def _blocks(genes: Sequence[Sequence[GeneItem]]) -> Iterator[str]:
    """Lines of the genes of so many contigs at a time, compressed, base64."""
    for first in range(0, len(genes), _CONTIGS_TOGETHER):
        some = genes[first : first + _CONTIGS_TOGETHER]
        lines = [[_line(gene) for gene in contig] for contig in some]
        text = json.dumps(lines, ensure_ascii=False, separators=(",", ":"))
        yield base64.b64encode(gzip.compress(text.encode(), 9, mtime=0)).decode("ascii")


def _line(gene: GeneItem) -> tuple[str | int | float, ...]:
    """What is shown of a gene: the order is that of the columns in ``page.js``."""
    return (
        shown_text(gene.locus),
        gene.start,
        gene.end,
        gene.strand,
        gene.length_aa,
        "" if gene.is_dark else shown_text(gene.function or ""),
        list(ConfidenceLevel).index(gene.confidence),
        gene.score,
        shown_text(gene.product or ""),
        _strongest(gene.evidence),
        gene.novelty.rank if gene.novelty is not None else 0,
    )


def _strongest(evidence: Sequence[EvidenceItem]) -> str:
    """The first piece of evidence, in a few words."""
    for item in evidence:
        claim = shown_text(item.claim)
        cut = claim if len(claim) <= _CLAIM_CHARACTERS else f"{claim[:_CLAIM_CHARACTERS]}…"
        return f"{item.accession}: {cut}" if item.accession else cut
    return ""


@cache
def _template() -> Template:
    environment = template_environment(_HERE)
    environment.filters["thousands"] = "{:,}".format
    return environment.get_template("page.html")
