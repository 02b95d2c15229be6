import base64
import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from genint.report.html import HTML_POLICY, anchor, render_html, shown
from genint.report.json_format import render_json
from genint.report.links import HOSTS, link_to, link_to_record
from genint.report.reading import parse_result

CLOSED = frozenset(
    """format topology mode strand called_by confidence category cog_source source type
    specificity level schema_version translation aspect""".split()
)
"""Keys whose values come from closed vocabularies, not from the input."""

HOSTILE = (
    "<script>alert(1)</script>",
    "\"'><img src=x onerror=alert(1)>",
    "</style></title></details><svg onload=alert(1)>",
    "javascript:alert(1)",
    "//evil.example/x",
    "https://evil.example/{{ 7*7 }}{% raw %}",
    "&lt;b&gt; &amp;",
    "<!-- -->]]>",
    "\u202egnp.exe\u2066",
    "\x1b[31mred\x07",
    "-->\u2028<iframe srcdoc='<script>alert(1)</script>'>",
)


@dataclass
class Page:
    """A page as its reader gets it."""

    elements: Counter[str] = field(default_factory=Counter)
    attributes: list[tuple[str, str, str]] = field(default_factory=list)
    text: str = ""
    style: str = ""

    def values(self, attribute: str) -> list[str]:
        return [value for _, name, value in self.attributes if name == attribute]


class Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.page, self.pieces, self.inside = Page(), [], ""

    def handle_starttag(self, tag, attrs):
        self.inside = tag
        self.page.elements[tag] += 1
        self.page.attributes += [(tag, name, value or "") for name, value in attrs]

    def handle_endtag(self, tag):
        self.inside = ""

    def handle_data(self, data):
        if self.inside == "style":
            self.page.style += data
        else:
            self.pieces.append(data)


def page_of(html: str) -> Page:
    reader = Reader()
    reader.feed(html)
    reader.close()
    reader.page.text = " ".join("".join(reader.pieces).split())
    return reader.page


def leaves(value: Any, key: str = "") -> Iterator[tuple[str, str]]:
    """Every text of a JSON value with the key that it stands under."""
    if isinstance(value, str):
        yield key, value
    elif isinstance(value, dict):
        for name, inner in value.items():
            yield from leaves(inner, name)
    elif isinstance(value, list):
        for inner in value:
            yield from leaves(inner, key)


def poisoned(value: Any, poison: str, key: str = "") -> Any:
    """The same JSON with a poison in every text that an upload could have a part in."""
    if isinstance(value, dict):
        closed = CLOSED | ({"verdict"} if "same_start" in value else set())
        return {
            name: inner if name in closed else poisoned(inner, poison, name)
            for name, inner in value.items()
        }
    if isinstance(value, list):
        return [poisoned(inner, poison, key) for inner in value]
    return value + poison if isinstance(value, str) else value


def rendered(value: Any) -> str:
    return render_html(parse_result(json.dumps(value).encode()))


@pytest.fixture(scope="module")
def full(phix_result) -> dict[str, Any]:
    """JSON of a result that has a value in every place where there can be one."""
    value = json.loads(render_json(phix_result))
    gene, dark = value["genes"][0], next(gene for gene in value["genes"] if gene["is_dark"])
    gene |= {"call_note": "nested in gene A", "pfam_id": "PF02305", "pseudo": True}
    gene |= {"cog_category": "X", "cog_name": "Mobilome", "cog_source": "pfam", "category": "tail"}
    gene |= {"go_terms": ["GO:0019069"], "go": [{"id": "GO:0019069", "name": "capsid assembly"}]}
    gene |= {"conflicts": ["the file says lysis"], "uncertainties": ["a single source"]}
    gene["compared"] = {
        "id": "phiX_01", "product": "old name", "same_start": False, "verdict": "only_here"
    }  # fmt: skip
    gene["evidence"][0] |= {"evalue": 1.5e-31, "bits": 120.25, "threshold_bits": 22.5}
    gene["evidence"][0] |= {"coverage": 0.875, "target_coverage": 0.96, "accession": "PF02305"}
    gene["evidence"][0] |= {"protein_start": 7, "protein_end": 171, "database": "Pfam 35.0"}
    gene["hypotheses"].append(gene["hypotheses"][0] | {"function": "rival", "verdict": "weaker"})
    gene["parts"].append({"start": 9, "end": 99, "strand": "-"})
    dark |= {"uncertainties": ["never seen expressed"], "conflicts": ["two readings"]}
    place = {"record": gene["record"], "start": 5, "end": 77, "strand": "-"}
    value["rna_genes"] = [
        place
        | {"id": "r1", "kind": "tRNA", "product": "tRNA-Met", "name": "trnM", "locus_tag": "p_r1"}
        | {"pseudo": False}
    ]
    value["other_features"] = [
        place | {"id": "o1", "kind": "gene", "name": "K2", "reason": "no clean open reading frame"}
    ]
    value["warnings"] = [
        {"code": "bad_translation", "text": "differs", "record": gene["record"], "line": 12}
    ]
    value["unavailable"] = ["InterPro did not answer"]
    value["comparison"] = {
        "genes_in_file": 11, "same_stop": 10, "same_start": 9, "missed": ["A*"], "extra": ["x1"]
    }  # fmt: skip
    value["parameters"]["locus_tag_prefix"] = "PHIX"
    return value


def test_every_text_of_the_result_stands_in_the_page(full):
    text = page_of(rendered(full)).text
    for key, leaf in leaves(full):
        for line in leaf.split("\n"):
            said = line.replace("_", " ") if key == "verdict" else line
            assert " ".join(said.split()) in text, (key, leaf)


def test_the_figures_of_evidence_and_hypotheses_stand_in_the_page(full):
    text = page_of(rendered(full)).text
    for figure in [
        "1.5e-31",
        "120.2",
        "needs 22.5",
        "88% of protein",
        "96% of profile",
        "residues 7",
    ]:
        assert figure in text
    for hypothesis in full["genes"][0]["hypotheses"]:
        assert f"{hypothesis['level']} {hypothesis['score']:.2f}" in text
        for term in hypothesis["terms"]:
            assert f"{term['log_odds']:+.2f} {term['reason']}" in text


def test_every_gene_has_a_place_of_its_own_that_the_table_leads_to(full):
    page = page_of(rendered(full))
    ids = page.values("id")
    assert len(ids) == len(set(ids))
    targets = [href.removeprefix("#") for href in page.values("href") if href.startswith("#")]
    assert set(targets) <= set(ids)
    for gene in full["genes"]:
        assert anchor(gene["id"]) in targets


@pytest.mark.parametrize("poison", HOSTILE)
def test_hostile_names_stay_text(full, poison):
    clean = page_of(rendered(poisoned(full, "harmless")))
    page = page_of(rendered(poisoned(full, poison)))
    assert page.elements == clean.elements
    assert [name for _, name, _ in page.attributes] == [name for _, name, _ in clean.attributes]
    assert page.style == clean.style
    seen = shown(poison)
    for key, leaf in leaves(poisoned(full, "")):
        if key in {"id", "function", "label"}:
            assert " ".join((leaf + seen).split()) in page.text


@pytest.mark.parametrize("poison", ["", *HOSTILE])
def test_links_lead_to_fixed_hosts_only(full, poison):
    page = page_of(rendered(poisoned(full, poison) if poison else full))
    outside = [href for href in page.values("href") if not href.startswith(("#", "data:,"))]
    assert bool(outside) == (not poison)
    for href in outside:
        scheme, _, host, *_ = href.split("/")
        assert scheme == "https:"
        assert host in HOSTS
    assert page.values("rel").count("noopener noreferrer") == len(outside)


def test_no_script_no_inline_style_and_nothing_to_load(full):
    page = page_of(rendered(full))
    assert not page.elements.keys() & {"script", "iframe", "object", "embed", "form", "img", "base"}
    names = {name for _, name, _ in page.attributes}
    assert not {name for name in names if name == "style" or name.startswith("on")}
    assert not names & {"src", "srcset", "srcdoc", "background", "action"}
    assert "url(" not in page.style
    assert "@import" not in page.style


def test_the_policy_allows_the_own_style_sheet_and_nothing_else(full):
    page = page_of(rendered(full))
    (policy,) = [value for value in page.values("content") if "default-src" in value]
    assert policy == HTML_POLICY
    digest = base64.b64encode(hashlib.sha256(page.style.encode()).digest()).decode()
    assert f"style-src 'sha256-{digest}';" in policy
    assert policy.startswith("default-src 'none';")
    assert "unsafe" not in policy


def test_levels_are_told_in_words_as_well_as_in_colour(full):
    text = page_of(rendered(full)).text
    for level in ("HIGH", "MODERATE", "LOW", "SPECULATIVE", "NONE"):
        assert level in text
    for gene in full["genes"]:
        stated = gene["confidence"] if gene["is_dark"] else f"MODERATE {gene['score']:.2f}"
        assert stated in text


def test_dark_genes_stand_in_the_order_of_their_rank(full):
    text = page_of(rendered(full)).text
    dark = [gene for gene in full["genes"] if gene["is_dark"]]
    dark.sort(key=lambda gene: gene["novelty"]["rank"])
    titles = [f"NONE {gene['novelty']['rank']}. {gene['name']} priority" for gene in dark]
    places = [text.index(title) for title in titles]
    assert places == sorted(places)


def test_the_same_result_gives_the_same_bytes(full):
    assert rendered(full) == rendered(full)


def test_a_file_without_genes_has_a_page_too(full):
    empty = full | {"genes": [], "rna_genes": [], "other_features": [], "comparison": None}
    empty["summary"] = dict.fromkeys(full["summary"], 0)
    assert "No protein-coding gene was found" in page_of(rendered(empty)).text


@given(st.text(), st.text())
def test_anchors_are_plain_and_differ_where_ids_differ(one, other):
    assert re.fullmatch(r"gene-[A-Za-z0-9_.:~-]*", anchor(one))
    assert (anchor(one) == anchor(other)) == (one == other)


@given(st.text())
def test_only_identifiers_of_known_form_become_links(text):
    for address in (link_to(text), link_to_record(text)):
        assert address is None or re.fullmatch(r"[A-Za-z0-9_.:]+", text)


@pytest.mark.parametrize(
    ("identifier", "page"),
    [
        ("PF02305", "www.ebi.ac.uk/interpro/entry/pfam/PF02305/"),
        ("IPR003513", "www.ebi.ac.uk/interpro/entry/InterPro/IPR003513/"),
        ("GO:0019069", "www.ebi.ac.uk/QuickGO/term/GO:0019069"),
        ("NP_040585.1", "www.ncbi.nlm.nih.gov/protein/NP_040585.1"),
        ("AAA96533.1", "www.ncbi.nlm.nih.gov/protein/AAA96533.1"),
        ("P03711", "www.uniprot.org/uniprotkb/P03711/entry"),
        ("A0A023GPI8", "www.uniprot.org/uniprotkb/A0A023GPI8/entry"),
    ],
)
def test_accessions_lead_to_the_page_of_their_database(identifier, page):
    assert link_to(identifier) == f"https://{page}"


@pytest.mark.parametrize("record", ["NC_001416", "NC_001416.1", "J02459.1", "MW460250", "L5"])
def test_records_of_public_databases_lead_to_them(record):
    expected = None if record == "L5" else f"https://www.ncbi.nlm.nih.gov/nuccore/{record}"
    assert link_to_record(record) == expected
