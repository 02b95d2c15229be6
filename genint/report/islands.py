"""Data islands of the page: what its scripts read, escaped or compressed.

One island of plain JSON has what the first view needs. All else about the genes stands in
compressed chunks that are opened when somebody looks; so the page of a bacterium has 6 MB
instead of 25, and opens at once.
"""

from __future__ import annotations

import base64
import gzip
import json
import re
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from genint.report.found_words import Others, others_of
from genint.report.links import link_to, link_to_record
from genint.report.online_words import told
from genint.report.page_data import all_shown, page_data
from genint.report.result import GeneItem, GenintResult, NoveltyItem
from genint.report.texts import shown_text
from genint.report.tsv import render_tsv

CHUNK_GENES: Final = 100
"""Genes whose details are opened together: some 150 kB of JSON, read in 10 ms."""

_COMPRESSION: Final = 6  # 9 takes twice the time and saves 1 %
_ESCAPED: Final = re.compile(r"\\[bfnrtu]")
_IN_ISLAND: Final = re.compile("[<>&\u2028\u2029]")


class DarkRow(NamedTuple):
    """What is known of a dark gene besides its row."""

    gene: int
    reasons: tuple[str, ...]
    observations: tuple[str, ...]
    neighbours: tuple[str, ...]
    next_step: str


class Island(NamedTuple):
    """Compressed data in the page, base64; ``first`` is the number of its first item."""

    kind: str
    first: int
    content: str


class Islands(NamedTuple):
    """Data that the scripts read."""

    page: str
    packed: tuple[Island, ...]


def islands_of(result: GenintResult) -> Islands:
    """The data islands of a result.

    Cost: about 0.2 ms a gene (0.8 s for a bacterium), most of it compression.
    """
    packed = [*_details(result), *_dark(result.genes), _table(result)]
    return Islands(page=island_json(page_data(result)._asdict()), packed=tuple(packed))


def island_json(value: object) -> str:
    """JSON that can stand in a ``script`` element: no character of it ends or opens one."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return _IN_ISLAND.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def _details(result: GenintResult) -> Iterable[Island]:
    """All of every gene as in the JSON result, and the pages that its accessions lead to.

    ``others`` has the other starts and products of the chunk's genes, by their place in it;
    ``online`` what services answered about them, in words.
    """
    genes, others = result.genes, others_of(result)
    for first in range(0, len(genes), CHUNK_GENES):
        chunk = genes[first : first + CHUNK_GENES]
        links = sorted({name: page for gene in chunk for name, page in _links(gene)}.items())
        shown = ",".join(_cleaned_json(gene) for gene in chunk)
        other = [(at, others[gene.id]) for at, gene in enumerate(chunk) if gene.id in others]
        products = json.dumps([(at, _told(found)) for at, found in other], ensure_ascii=False)
        answers = [(at, [told(one) for one in gene.online]) for at, gene in enumerate(chunk)]
        online = json.dumps([one for one in answers if one[1]], ensure_ascii=False)
        text = (
            f'{{"genes":[{shown}],"links":{json.dumps(links)},"others":{products},'
            f'"online":{online}}}'
        )
        yield _packed("details", first, text)


def _told(others: Others) -> object:
    """Other starts and products as the result has them, every text as it may be shown."""
    items = (*others.starts, *others.products)
    starts = len(others.starts)
    shown = [_cleaned(one.model_dump(mode="json")) for one in items]
    return {"starts": shown[:starts], "products": shown[starts:]}


def _links(gene: GeneItem) -> Iterable[tuple[str, str]]:
    names = {gene.protein_id, gene.pfam_id, *gene.go_terms}
    for item in gene.evidence:
        names |= {item.accession, item.eco}
    for answer in gene.online:
        names |= set(answer.accessions)
    for name in names:
        if name and (page := link_to(name)):
            yield name, page
    if page := link_to_record(gene.record):
        yield f"record:{gene.record}", page


def _cleaned_json(gene: GeneItem) -> str:
    """JSON of a gene with every text as it may be shown.

    Most genes are clean, which one look at their JSON tells; only others are taken apart.
    The joined chain and the bare GO ids are left out: both are there in parts.
    """
    text = gene.model_dump_json(exclude={"reasoning", "go_terms"})
    if text.isprintable() and not _ESCAPED.search(text):
        return text
    return json.dumps(_cleaned(json.loads(text)), ensure_ascii=False, separators=(",", ":"))


def _cleaned(value: object) -> object:
    match value:
        case str():
            return shown_text(value)
        case list():
            return [_cleaned(inner) for inner in value]
        case dict():
            return {key: _cleaned(inner) for key, inner in value.items()}
        case _:
            return value


def _dark(genes: Sequence[GeneItem]) -> Iterable[Island]:
    """What is known of dark genes, in the order of their ranks."""
    found = [(gene.novelty, at) for at, gene in enumerate(genes) if gene.novelty is not None]
    rows = [_dark_row(*one) for one in sorted(found, key=lambda one: one[0].rank)]
    for first in range(0, len(rows), CHUNK_GENES):
        chunk = rows[first : first + CHUNK_GENES]
        yield _packed("dark", first, json.dumps(chunk, ensure_ascii=False, separators=(",", ":")))


def _dark_row(novelty: NoveltyItem, gene: int) -> DarkRow:
    return DarkRow(
        gene=gene,
        reasons=all_shown(novelty.reasons),
        observations=all_shown(novelty.observations),
        neighbours=all_shown(novelty.neighbours),
        next_step=shown_text(novelty.next_step),
    )


def _table(result: GenintResult) -> Island:
    """The lines of ``--format tsv``: what is exported are these lines and no others."""
    return _packed("table", 0, render_tsv(result))


def _packed(kind: str, first: int, text: str) -> Island:
    content = gzip.compress(text.encode(), _COMPRESSION, mtime=0)
    return Island(kind, first, base64.b64encode(content).decode("ascii"))
