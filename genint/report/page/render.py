"""HTML rendering: one file that needs nothing else, and under whose policy nothing else runs.

The template prints what can be read without scripts, escaped; the rest are data islands
(:mod:`genint.report.page.render`) that the page's one script shows as text. The policy names the
digests of that script and of the one style sheet: whatever a name in the input says, nothing
but these two is ever in force.
"""

from __future__ import annotations

import base64
import gzip
import json
import re
from collections.abc import Iterable, Sequence
from functools import cache
from html import unescape
from pathlib import Path
from typing import Final, NamedTuple

from jinja2 import Template
from markupsafe import Markup

from genint.report.overview import (
    has_few_records,
    place_text,
    remarks,
    usual_search,
    usual_search_text,
)
from genint.report.page.bases import MOST_BASES, packed_bases
from genint.report.page.data import all_shown, page_data
from genint.report.page.many_contigs import MOST_GENES, render_contigs
from genint.report.page.view import view_of
from genint.report.result import GeneItem, GenintResult
from genint.report.result_gene import NoveltyItem
from genint.report.summaries import next_steps
from genint.report.templates import content_hash, template_environment
from genint.report.tsv import render_tsv
from genint.report.wording import (
    Alternatives,
    alternatives_of,
    rna_score,
    shown_text,
    spacer_text,
    stated,
)

_PLACES: Final = (
    (r"PF\d{5}", "https://www.ebi.ac.uk/interpro/entry/pfam/{}/"),
    (r"IPR\d{6}", "https://www.ebi.ac.uk/interpro/entry/InterPro/{}/"),
    (r"PTHR\d{5}", "https://www.ebi.ac.uk/interpro/entry/panther/{}/"),
    (r"G3DSA:\d{1,2}(?:\.\d{1,5}){3}", "https://www.ebi.ac.uk/interpro/entry/cathgene3d/{}/"),
    (r"SSF\d{4,6}", "https://www.ebi.ac.uk/interpro/entry/ssf/{}/"),
    (r"(?:NF|TIGR)\d{5,6}", "https://www.ebi.ac.uk/interpro/entry/ncbifam/{}/"),
    (r"cd\d{5}", "https://www.ebi.ac.uk/interpro/entry/cdd/{}/"),
    (r"PIRSF\d{6}", "https://www.ebi.ac.uk/interpro/entry/pirsf/{}/"),
    (r"MF_\d{5}", "https://www.ebi.ac.uk/interpro/entry/hamap/{}/"),
    (r"SM\d{5}", "https://www.ebi.ac.uk/interpro/entry/smart/{}/"),
    (r"PR\d{5}", "https://www.ebi.ac.uk/interpro/entry/prints/{}/"),
    (r"ANF\d{5}", "https://www.ebi.ac.uk/interpro/entry/antifam/{}/"),
    (r"GO:\d{7}", "https://www.ebi.ac.uk/QuickGO/term/{}"),
    (r"ECO:\d{7}", "https://www.ebi.ac.uk/QuickGO/term/{}"),
    (
        r"(?:[ANXWY]P_\d{6,9}|[A-Z]{3}\d{5,7})(?:\.\d{1,3})?",
        "https://www.ncbi.nlm.nih.gov/protein/{}",
    ),
    (
        r"[OPQ]\d[A-Z0-9]{3}\d|[A-NR-Z]\d(?:[A-Z][A-Z0-9]{2}\d){1,2}",
        "https://www.uniprot.org/uniprotkb/{}/entry",
    ),
    (
        r"(?:N[CTWZ]_[A-Z]{0,4}\d{6,9}|[A-Z]{1,2}\d{5,6})(?:\.\d{1,3})?",
        "https://www.ncbi.nlm.nih.gov/nuccore/{}",
    ),
)
"""Form of an identifier and the page about it, the first that fits. UniProt's form is
before the old one of nucleotide records, which it overlaps: see ``link_to_record``. Signatures
of InterPro are before proteins of INSDC, which look alike.

Source: identifiers.org patterns of pfam, interpro, go, eco, uniprot, refseq and insdc."""
_COMPILED: Final = tuple((re.compile(form, re.ASCII), page) for form, page in _PLACES)
_RECORD: Final = _COMPILED[-1]

_SEARCHES: Final = ("toolkit.tuebingen.mpg.de", "search.foldseek.com", "blast.ncbi.nlm.nih.gov")
"""Where the drawer offers to search the protein of a dark gene."""
HOSTS: Final = frozenset(page.split("/")[2] for _, page in _PLACES) | frozenset(_SEARCHES)
"""All hosts that a report can point to."""


def link_to(accession: str) -> str | None:
    """Page about an accession of a protein database or an ontology; None without one."""
    for form, page in _COMPILED[:-1]:
        if form.fullmatch(accession):
            return page.format(accession)
    return None


def link_to_record(record: str) -> str | None:
    """Page about a nucleotide record of INSDC or RefSeq; None for any other name."""
    form, page = _RECORD
    return page.format(record) if form.fullmatch(record) else None


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
    next_steps: tuple[str, ...]


class DataBlock(NamedTuple):
    """Data in the page, compressed and base64 unless it is bases.

    ``first`` is the number of its first item.
    """

    kind: str
    first: int
    content: str


class DataBlocks(NamedTuple):
    """Data that the scripts read."""

    page: str
    packed: tuple[DataBlock, ...]


def data_blocks(result: GenintResult) -> DataBlocks:
    """The data islands of a result.

    Cost: about 0.2 ms a gene (0.8 s for a bacterium), most of it compression.
    """
    packed = [*_details(result), *_dark(result.genes), _table(result), *_bases(result)]
    return DataBlocks(page=embedded_json(page_data(result)._asdict()), packed=tuple(packed))


def embedded_json(value: object) -> str:
    """JSON that is safe in a ``script`` element: no character of it ends or opens one."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return _IN_ISLAND.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def _details(result: GenintResult) -> Iterable[DataBlock]:
    """All of every gene as in the JSON result, and the pages that its accessions lead to.

    ``others`` has the other starts and products of the chunk's genes, by their place in it;
    ``online`` what services answered about them, in words.
    """
    genes, alternatives = result.genes, alternatives_of(result)
    for first in range(0, len(genes), CHUNK_GENES):
        chunk = genes[first : first + CHUNK_GENES]
        links = sorted({name: page for gene in chunk for name, page in _links(gene)}.items())
        shown = ",".join(_cleaned_json(gene) for gene in chunk)
        found = [(at, alternatives[gene.id]) for at, gene in enumerate(chunk)]
        others = [(at, _alternative_values(one)) for at, one in found if any(one)]
        products = json.dumps(others, ensure_ascii=False)
        answers = [(at, [stated(one) for one in gene.online]) for at, gene in enumerate(chunk)]
        online = json.dumps([one for one in answers if one[1]], ensure_ascii=False)
        text = (
            f'{{"genes":[{shown}],"links":{json.dumps(links)},"others":{products},'
            f'"online":{online}}}'
        )
        yield _packed("details", first, text)


def _alternative_values(alternatives: Alternatives) -> object:
    """Other starts and products as the result has them, every text as it may be shown."""
    return {
        kind: [_cleaned(one.model_dump(mode="json")) for one in items]
        for kind, items in alternatives._asdict().items()
    }


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

    Most genes are clean, as one look at their JSON shows; only others are parsed.
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


def _dark(genes: Sequence[GeneItem]) -> Iterable[DataBlock]:
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
        next_steps=all_shown(next_steps(novelty)),
    )


def _table(result: GenintResult) -> DataBlock:
    """The lines of ``--format tsv``: what the page exports are these lines."""
    return _packed("table", 0, render_tsv(result))


def _bases(result: GenintResult) -> Iterable[DataBlock]:
    """The bases of every record with genes: from them the page cuts those of a gene."""
    with_genes = {gene.record for gene in result.genes}
    held = [
        (at, record.sequence)
        for at, record in enumerate(result.records)
        if record.sequence and record.id in with_genes
    ]
    if sum(len(bases) for _, bases in held) <= MOST_BASES:
        for at, bases in held:
            yield DataBlock("bases", at, packed_bases(bases))


def _packed(kind: str, first: int, text: str) -> DataBlock:
    content = gzip.compress(text.encode(), _COMPRESSION, mtime=0)
    return DataBlock(kind, first, base64.b64encode(content).decode("ascii"))


_HERE: Final = Path(__file__).parent

STYLES: Final = (
    *(
        "colours",
        "page",
        "overview",
        "controls",
        "table",
        "charts",
        "drawer",
        "dark",
        "map",
        "print",
    ),
)
"""Style sheets in the order in which they are joined."""

_MAIN: Final = "main"
_IMPORT: Final = re.compile(r'^import \{[^}]*\} from "\./(\w+)\.js";\n', re.MULTILINE)
_EXPORT: Final = re.compile(r"^export ", re.MULTILINE)


def _joined_styles() -> str:
    return "\n".join((_HERE / "styles" / f"{name}.css").read_text("utf-8") for name in STYLES)


def script_modules() -> tuple[tuple[str, str], ...]:
    """Name and text of the page's modules: each follows those that it imports."""
    found: dict[str, str] = {}

    def take(name: str, importing: tuple[str, ...]) -> None:
        text = (_HERE / "scripts" / f"{name}.js").read_text("utf-8")
        for other in _IMPORT.findall(text):
            if other not in found and other not in importing:
                take(other, (*importing, name))
        found[name] = text

    take(_MAIN, ())
    return tuple(found.items())


def _joined_scripts() -> str:
    """The modules as one classic script: their top-level names are unique, a test sees to it."""
    bodies = (_EXPORT.sub("", _IMPORT.sub("", text)) for _, text in script_modules())
    return '(() => {\n"use strict";\n' + "\n".join(bodies) + "})();\n"


_STYLE: Final = _joined_styles()
_SCRIPT: Final = _joined_scripts()

HTML_POLICY: Final = (
    f"default-src 'none'; script-src '{content_hash(_SCRIPT)}'; "
    f"style-src '{content_hash(_STYLE)}'; img-src data:; base-uri 'none'; form-action 'none'"
)
"""Content-Security-Policy of a report. It is in the report itself too, for readers who
open it from disk; ``frame-ancestors`` works in a header only and is added there."""


POLICY_WITHIN: Final = 2048
"""Bytes from the start of a page that contain its policy."""
_POLICY_OF_PAGE: Final = re.compile(
    rb'<meta http-equiv="Content-Security-Policy" '
    rb'content="(default-src &#39;none&#39;;[^"]{0,600})">'
)


def policy_of(start: bytes) -> str:
    """The policy that a page was made with, of this version or another.

    Args:
        start: The first :data:`POLICY_WITHIN` bytes of it; nothing of the input comes
            in front of the policy.

    A page without one gets that of this version, under which none of its scripts would run.
    """
    found = _POLICY_OF_PAGE.search(start)
    return unescape(found[1].decode("ascii", "replace")) if found else HTML_POLICY


def render_html(result: GenintResult) -> str:
    """The whole result as one HTML page; the same result gives the same bytes.

    Of more than :data:`genint.report.page.many_contigs.MOST_GENES` genes the page has a line each.

    Cost: about 0.25 ms a gene (1 s and 9.6 MB for Escherichia coli), once a process 0.1 s
    more for the template.
    """
    if len(result.genes) > MOST_GENES:
        return render_contigs(result)
    islands = data_blocks(result)
    return _template().render(
        result=result,
        view=view_of(result),
        policy=HTML_POLICY,
        style=Markup(_STYLE),  # noqa: S704 - our own file, not input
        script=Markup(_SCRIPT),  # noqa: S704 - our own file, not input
        page_data=Markup(islands.page),  # noqa: S704 - JSON without any of < > &
        packed=islands.packed,
    )


@cache
def _template() -> Template:
    environment = template_environment(_HERE / "templates")
    environment.filters |= {
        "thousands": "{:,}".format,
        "rna_score": rna_score,
        "spacer_text": spacer_text,
    }
    environment.globals |= {"link_to": link_to, "link_to_record": link_to_record}
    environment.globals |= {
        "has_few_records": has_few_records,
        "place_text": place_text,
        "remarks": remarks,
        "usual_search": usual_search,
        "usual_search_text": usual_search_text,
    }
    return environment.get_template("report.html")
