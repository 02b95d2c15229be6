"""Nothing of a hundred hostile texts runs, loads or breaks out, wherever it stands."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from genint.formats import read_genome
from genint.knowledge import load_confidence
from genint.report import (
    GenintResult,
    build_result,
    parse_result,
    render_html,
    render_json,
    shown_text,
)
from tests.browser.hostile_texts import HOSTILE_TEXTS
from tests.browser.report_pages import STILL, download
from tests.builders.results import summarise

OURS = frozenset(
    """basis format topology mode strand called_by confidence category cog_source source type aspect
    specificity level topic outcome schema_version genint_version verdict record service
    state""".split()
)
"""Keys of closed vocabularies, and names that bind parts of a result together."""

OPEN_GENES = """async (ids) => {
  for (const id of ids) {
    // As the page itself does it on a click, and as a link from elsewhere does.
    location.hash = `gene=${encodeURIComponent(id)}`;
    const drawer = document.getElementById("drawer");
    while (!drawer.textContent.includes(id.slice(0, 200)))
      await new Promise((resolve) => setTimeout(resolve));
  }
}"""
COUNT_ELEMENTS = "document.querySelectorAll('*').length"
TEXT_OF_DRAWER = "document.getElementById('drawer').textContent"


def annotated(examples: Path) -> dict[str, Any]:
    """phiX174 on its annotations alone, as JSON."""
    summary = summarise(read_genome(examples / "phiX174.gbk"))
    value: dict[str, Any] = json.loads(render_json(build_result(summary, load_confidence())))
    return value


def replaced(value: Any, text: str, key: str = "") -> Any:
    """The same JSON with one text in every place that holds words."""
    if isinstance(value, dict):
        return {
            name: inner if name in OURS else replaced(inner, text, name)
            for name, inner in value.items()
        }
    if isinstance(value, list):
        return [replaced(inner, text, key) for inner in value]
    return text if isinstance(value, str) else value


def with_texts(value: dict[str, Any], texts: tuple[str, ...]) -> GenintResult:
    """A named and a dark gene for each text, which stands in all of their words."""
    named = next(gene for gene in value["genes"] if not gene["is_dark"])
    dark = next(gene for gene in value["genes"] if gene["is_dark"])
    genes = []
    for at, text in enumerate(texts):
        for gene in (named, dark):
            changed = replaced(gene, text)
            changed["online"] = answers_of(text)
            if gene["statement"]:
                changed["statement"] |= {"kind": gene["statement"]["kind"]}
            changed["id"] = f"{text}{' dark' if gene is dark else ''}"
            changed["start"], changed["end"] = 10 + 30 * at, 30 + 30 * at
            changed["parts"] = [{"start": 10 + 30 * at, "end": 30 + 30 * at, "strand": "+"}]
            if changed["novelty"]:
                changed["novelty"]["rank"] = at + 1
            genes.append(changed)
    loud = " ".join(texts[:40])
    counts = dict.fromkeys(value["summary"], 0)
    counts |= {"total_genes": 2 * len(texts), "interpreted_genes": len(texts)}
    counts |= {named["confidence"].lower(): len(texts), "dark": len(texts)}
    beyond = named["basis"] == "evidence"
    counts |= {"supported_genes" if beyond else "file_only_genes": len(texts)}
    return parse_result(
        json.dumps(
            value
            | {
                "summary": counts,
                "genes": genes,
                "input": value["input"] | {"filename": loud},
                "records": [
                    record | {"description": loud, "organism": loud, "gene_calling": loud}
                    for record in value["records"]
                ],
                "warnings": [
                    {"code": "x", "text": text, "record": None, "line": 1} for text in texts
                ],
                "unavailable": list(texts),
                "databases": [{"name": loud, "version": loud, "licence": loud}],
                "rna_genes": [
                    {"id": text, "record": value["records"][0]["id"], "start": 5, "end": 80}
                    | {"strand": "-", "kind": text, "product": text, "name": text}
                    | {"locus_tag": text, "pseudo": False}
                    | ({"method": text, "note": text, "score": 1.5} if at % 2 else {})
                    | {"anticodon": text, "score_unit": text, "accession": text}
                    for at, text in enumerate(texts)
                ],
                **asked_of_services(value, loud, len(genes)),
                **found_besides(value["records"][0]["id"], genes, texts),
                "overview": said_of_the_genome(value["records"][0]["id"], genes, texts),
                "other_features": [
                    {"id": text, "record": value["records"][0]["id"], "start": 5, "end": 80}
                    | {"strand": "-", "kind": text, "name": text, "reason": text}
                    for text in texts
                ],
            }
        ).encode()
    )


def answers_of(text: str) -> list[dict[str, Any]]:
    """What two services answered about a gene, one of them with an error."""
    found = {"service": "uniprot", "state": "hit", "release": text, "reason": ""}
    lost = {"service": "interpro", "state": "error", "release": None, "reason": text}
    return [
        found | {"is_stale": True, "accessions": [text, "P03631"]},
        lost | {"is_stale": False, "accessions": []},
    ]


def asked_of_services(value: dict[str, Any], text: str, genes: int) -> dict[str, Any]:
    """Online mode, with problems in which the text stands."""
    used = {"mode": "online", "online_services": ["uniprot", "interpro"], "online_timeout_s": 9}
    return {
        "parameters": value["parameters"] | used,
        "online": [
            {"service": service, "releases": [text], "problem": text, "proteins": genes}
            | {"answered": answered}
            for service, answered in (("uniprot", genes), ("interpro", 0))
        ],
    }


def said_of_the_genome(
    record: str, genes: list[dict[str, Any]], texts: tuple[str, ...]
) -> list[dict[str, Any]]:
    """A statement for each text, all of whose words it is."""
    return [
        {"topic": "module", "record": record, "subject": text, "value": text, "text": text}
        | {"outcome": "not found", "probability": 0.5, "level": "MODERATE", "right": 1}
        | {"judged": 2, "start": 5, "end": 80, "missing": [text], "reasoning": [text]}
        | {"searched": [text], "uncertainties": [text]}
        | {"genes": [{"gene": gene["id"], "role": text, "level": "NONE", "reason": text}]}
        for gene, text in zip(genes[::2], texts, strict=True)
    ]


def found_besides(
    record: str, genes: list[dict[str, Any]], texts: tuple[str, ...]
) -> dict[str, Any]:
    """Arrays, searches, near misses, other starts and products in which the texts stand."""
    named = [gene for gene in genes if not gene["is_dark"]]
    place = {"record": record, "start": 10, "end": 30}
    for gene, text in zip(named, texts, strict=True):
        term = {"reason": text, "log_odds": 0.0}
        gene["strand"] = "+"
        gene["rescue"] = {"kind": "nested", "probability": 0.5, "threshold": 0.5, "terms": [term]}
        gene["rescue"] |= {"host": gene["id"], "host_overlap": 1, "same_strand": True}
    return {
        "crispr_arrays": [
            place | {"id": text, "repeat": text, "repeats": 2, "spacers": [text], "method": text}
            for text in texts
        ],
        "searches": [
            {"what": f"CRISPR {texts[0]}", "method": "x", "found": len(texts), "reason": texts[0]},
            {"what": "RNA", "method": texts[1], "found": len(texts) // 2, "reason": ""},
            *({"what": text, "method": None, "found": None, "reason": text} for text in texts),
        ],
        "rejected": [
            place | {"id": text, "strand": "+", "length_aa": 5, "rescue": None, "reason": text}
            for text in texts
        ],
        "alternative_starts": [
            {"gene": gene["id"], "record": gene["record"], "start": gene["start"] + 3}
            | {"end": gene["end"], "strand": "+", "length_aa": 1, "codon": text}
            | {"rbs_motif": text, "start_score": 1, "share": 0.5, "probability": 0.5}
            | {"reason": text}
            for gene, text in zip(named, texts, strict=True)
        ],
        "alternative_products": [
            {"id": text, "gene": gene["id"], "joined": gene["id"], "record": gene["record"]}
            | {"parts": gene["parts"], "length_aa": 1, "translation": "M", "shift": -1}
            | {"heptamer": text, "site_start": 10, "site_end": 16, "probability": 0.5}
            | {"reason": text}
            for gene, text in zip(named, texts, strict=True)
        ],
    }


async def opened(watched: Any, result: GenintResult, file: Path) -> Any:
    file.write_text(render_html(result), encoding="utf-8")
    visit = await watched(file.as_uri(), **STILL)
    await visit.page.goto(file.as_uri())
    await visit.page.locator("#gene-table tbody tr").first.wait_for()
    return visit


@pytest.fixture(scope="module")
def value(examples) -> dict[str, Any]:
    return annotated(examples)


def test_there_are_a_hundred_hostile_texts_and_all_differ():
    assert len(set(HOSTILE_TEXTS)) == len(HOSTILE_TEXTS) >= 100


async def test_nothing_of_a_hundred_hostile_texts_runs(watched, tmp_path, value):
    """Every gene is opened, hovered and filtered for; the page reports what it notices."""
    visit = await opened(watched, with_texts(value, HOSTILE_TEXTS), tmp_path / "hostile.html")
    page = visit.page
    for text in HOSTILE_TEXTS:
        async with asyncio.timeout(20):
            await page.evaluate(OPEN_GENES, [shown_text(text), shown_text(f"{text} dark")])
        await page.fill("#find", text[:200])
    await page.fill("#find", "")
    for row in (await page.locator("#gene-table tbody tr").all())[:20]:
        await row.hover()
    assert [request for request in visit.requests if not request.startswith("data:")] == [
        visit.home
    ]


async def test_hostile_texts_add_no_element_to_the_page(watched, tmp_path, value):
    """As many elements as the same page has with plain words in their place."""
    plain = tuple(f"word{at}" for at in range(len(HOSTILE_TEXTS)))
    counts = []
    for name, texts in (("plain", plain), ("hostile", HOSTILE_TEXTS)):
        visit = await opened(watched, with_texts(value, texts), tmp_path / f"{name}.html")
        # The map leaves out labels that do not fit, so it is counted without them.
        await visit.page.evaluate("document.getElementById('map').remove()")
        counts.append(await visit.page.evaluate(COUNT_ELEMENTS))
    assert counts[0] == counts[1]


async def test_saved_tables_and_pictures_of_hostile_names_are_tame(watched, tmp_path, value):
    """No cell of the table is a formula; the picture is one drawing without scripts or links."""
    visit = await opened(watched, with_texts(value, HOSTILE_TEXTS), tmp_path / "hostile.html")
    table = await download(visit.page.locator("#save-table"))
    saved = Path(await table.path()).read_text("utf-8")
    cells = [cell for line in saved.splitlines() for cell in line.split("\t")]
    assert len(cells) % len(saved.splitlines()) == 0
    assert [cell for cell in cells if cell[:1] in set("=@\uff1d\uff20\r") and cell[:1]] == []
    assert [cell for cell in cells if cell[:1] in set("+-") and len(cell) > 1] == []
    await visit.page.locator("#maps").scroll_into_view_if_needed()  # it is drawn when it is seen
    button = visit.page.get_by_role("button", name="Save this view as SVG").first
    drawn = Path(await (await download(button)).path()).read_text("utf-8")
    assert "<script" not in drawn.lower()
    assert "<a " not in drawn.lower()
    assert "<foreignobject" not in drawn.lower()
    names = await visit.page.evaluate(
        """text => {
          const found = new DOMParser().parseFromString(text, "image/svg+xml");
          return [...new Set([...found.querySelectorAll("*")].map((one) => one.localName))];
        }""",
        drawn,
    )
    assert set(names) <= set("svg title desc g path rect line circle text tspan style defs".split())
