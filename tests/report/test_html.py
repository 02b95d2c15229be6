import base64
import gzip
import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import genint.report.page.render
from genint.report import (
    HOSTS,
    HTML_POLICY,
    POLICY_WITHIN,
    link_to,
    link_to_record,
    parse_result,
    policy_of,
    render_html,
    render_json,
    render_tsv,
    script_modules,
    shown,
)

CLOSED = frozenset(
    """basis format topology mode strand called_by confidence category cog_source source type
    specificity level schema_version translation aspect genome_kind regime
    confidence_mode service state online_services sequence""".split()
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
    scripts: list[tuple[dict[str, str], str]] = field(default_factory=list)
    text: str = ""
    style: str = ""

    def values(self, attribute: str) -> list[str]:
        return [value for _, name, value in self.attributes if name == attribute]

    @property
    def programs(self) -> list[str]:
        return [content for attributes, content in self.scripts if "type" not in attributes]

    @property
    def data(self) -> dict[str, Any]:
        (island,) = [text for kept, text in self.scripts if kept.get("id") == "page-data"]
        return json.loads(island)

    def unpacked(self, kind: str) -> list[str]:
        """Contents of the compressed islands of a kind."""
        packed = [text for kept, text in self.scripts if kept.get("class") == kind]
        return [gzip.decompress(base64.b64decode(text)).decode() for text in packed]

    @property
    def details(self) -> list[dict[str, Any]]:
        return [gene for chunk in self.unpacked("details") for gene in json.loads(chunk)["genes"]]

    @property
    def everything(self) -> str:
        """Whatever a reader can come to see: what is printed, and what scripts show."""
        islands = [self.data, *map(json.loads, self.unpacked("details") + self.unpacked("dark"))]
        said = [leaf for island in islands for _, leaf in leaves(island)]
        return "\n".join([self.text, *said])


class Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.page, self.pieces, self.inside = Page(), [], ""

    def handle_starttag(self, tag, attrs):
        self.inside = tag
        self.page.elements[tag] += 1
        self.page.attributes += [(tag, name, value or "") for name, value in attrs]
        if tag == "script":
            self.page.scripts.append((dict(attrs), ""))

    def handle_endtag(self, tag):
        self.inside = ""

    def handle_data(self, data):
        if self.inside == "style":
            self.page.style += data
        elif self.inside == "script":
            attributes, content = self.page.scripts[-1]
            self.page.scripts[-1] = (attributes, content + data)
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
        closed = CLOSED | ({"verdict"} if {"same_start", "found"} & value.keys() else set())
        closed |= {"kind"} if {"method", "judged"} & value.keys() else set()
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
    gene["audit"] = {
        "verdict": "contradicts", "product": "old name", "found": "tail fiber", "score": 0.83,
        "level": "HIGH", "reason": "a fiber is no coat", "evidence": [0],
    }  # fmt: skip
    gene["hypotheses"].append(gene["hypotheses"][0] | {"function": "rival", "verdict": "weaker"})
    gene["parts"].append({"start": 9, "end": 99, "strand": "-"})
    for one in (gene, dark):
        one["features"] = [
            {"kind": "coiled coil", "start": 7, "end": 25, "score": 0.9, "method": "heptads"}
        ]
        one["context"] = {"category": "tail", "probability": 0.8, "neighbours": ["gpF upstream"]}
    value["parameters"]["levels"] = [
        {"level": "HIGH", "regime": "novel", "right": 312, "full": 290, "judged": 325}
    ]
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
    value["unavailable"] = ["Pfam: not installed"]
    value["parameters"] |= {"mode": "online", "online_services": ["uniprot"]}
    value["online"] = [
        {"service": "uniprot", "releases": ["2026_03"], "problem": "could not be queried: 503"}
        | {"proteins": 11, "answered": 1}
    ]
    for one in value["genes"]:
        answer = {"service": "uniprot", "state": "error", "release": None, "reason": "503 in all"}
        one["online"] = [answer | {"is_stale": False, "accessions": []}]
    gene["online"][0] |= {"state": "hit", "accessions": ["P03631"], "release": "2026_03"}
    gene["online"][0]["reason"] = ""
    value["comparison"] = {
        "genes_in_file": 11, "same_stop": 10, "same_start": 9, "missed": ["A*"], "extra": ["x1"],
        "missed_genes": [
            {"id": "A*", "record": gene["record"], "start": 5, "end": 77, "strand": "-",
             "protein_id": "NP_1.1", "product": "blocks the host"},
        ],
    }  # fmt: skip
    value["parameters"]["locus_tag_prefix"] = "PHIX"
    value["programs"] = [{"name": "pyrodigal", "version": "3.6.3"}]
    return value


def test_every_text_of_the_result_stands_in_the_page(full):
    everything = page_of(rendered(full)).everything
    for key, leaf in leaves(full):
        # Told in words, or the bases of a whole record.
        if key in {"regime", "service", "online_services", "sequence"}:
            continue
        for line in leaf.split("\n"):
            assert " ".join(line.split()) in everything, (key, leaf)


def test_the_details_of_a_gene_are_those_of_the_json_result(full):
    details = page_of(rendered(full)).details
    assert len(details) == len(full["genes"])
    for gene, shown_gene in zip(full["genes"], details, strict=True):
        whole = json.loads(render_json(parse_result(json.dumps(full).encode())))
        expected = next(one for one in whole["genes"] if one["id"] == gene["id"])
        left_out = {"reasoning", "go_terms"}  # both are there in parts
        assert shown_gene == {key: expected[key] for key in expected if key not in left_out}


def test_what_is_above_the_map_needs_no_script(full):
    text = page_of(rendered(full)).text
    for said in [
        full["input"]["filename"],
        full["records"][0]["organism"],
        full["parameters"]["confidence_basis"],
        "11 genes: ",
        "In tests on unseen phages 96% of HIGH calls were correct (312 of 325; 95% interval",
        f"line 12; {full['warnings'][0]['code']}",
        "Predicted with the same stop10",
        "Not predicted: 1",
        full["input"]["sha256"],
        "ranking aid, not a probability",
    ]:
        assert " ".join(said.split()) in text
    for program in full["programs"]:
        assert f"{program['name']} {program['version']}" in text


def test_the_plain_table_has_every_gene(full):
    html = rendered(full)
    plain = page_of(html[html.index("<noscript>") : html.index("</noscript>")])
    assert plain.elements["tr"] == len(full["genes"]) + 1
    for gene in full["genes"]:
        place = f"{gene['start']:,}\N{EN DASH}{gene['end']:,} ({gene['strand']})"
        assert place in plain.text
        assert (gene["function"] or "dark matter") in plain.text


@pytest.mark.parametrize("poison", HOSTILE)
def test_hostile_names_stay_text(full, poison):
    clean = page_of(rendered(poisoned(full, "harmless")))
    page = page_of(rendered(poisoned(full, poison)))
    assert page.elements == clean.elements
    assert [name for _, name, _ in page.attributes] == [name for _, name, _ in clean.attributes]
    assert page.style == clean.style
    assert page.programs == clean.programs
    seen = shown(poison)
    for key, leaf in leaves(poisoned(full, "")):
        if key in {"id", "function", "label"}:
            assert " ".join((leaf + seen).split()) in page.everything


@pytest.mark.parametrize("poison", HOSTILE)
def test_nothing_in_the_islands_hides_or_reorders_text(full, poison):
    page = page_of(rendered(poisoned(full, poison)))
    for _, leaf in leaves([page.data, page.details]):
        assert leaf.isprintable()
    (island,) = [text for kept, text in page.scripts if kept.get("id") == "page-data"]
    assert not set(island) & set("<>&\u2028\u2029")


@pytest.mark.parametrize("poison", ["", *HOSTILE])
def test_links_lead_to_fixed_hosts_only(full, poison):
    page = page_of(rendered(poisoned(full, poison) if poison else full))
    inside = ("#", "data:,", "/app")  # the last is hidden where no service gives the page
    printed = [href for href in page.values("href") if not href.startswith(inside)]
    chunks = [json.loads(chunk) for chunk in page.unpacked("details")]
    offered = [href for chunk in chunks for _, href in chunk["links"]]
    assert bool(offered) == (not poison)
    for href in printed + offered:
        scheme, _, host, *_ = href.split("/")
        assert scheme == "https:"
        assert host in HOSTS
    assert page.values("rel").count("noopener noreferrer") == len(printed)


def test_every_accession_that_has_a_page_is_linked_to_it(full):
    page = page_of(rendered(full))
    links = dict(json.loads(page.unpacked("details")[0])["links"])
    gene = full["genes"][0]
    names = {gene["pfam_id"], *gene["go_terms"], *(item["eco"] for item in gene["evidence"])}
    for name in names | {item["accession"] for item in gene["evidence"]}:
        assert links.get(name) == link_to(name)


def test_the_page_loads_nothing_and_has_no_inline_code_but_its_own(full):
    page = page_of(rendered(full))
    assert not page.elements.keys() & {"iframe", "object", "embed", "img", "base", "video"}
    names = {name for _, name, _ in page.attributes}
    assert not {name for name in names if name == "style" or name.startswith("on")}
    assert not names & {"src", "srcset", "srcdoc", "background", "action"}
    assert "url(" not in page.style
    assert "@import" not in page.style
    types = Counter(kept.get("type") for kept, _ in page.scripts)
    assert types.keys() == {None, "application/json", "text/plain"}
    assert types[None] == 1


def test_the_policy_allows_the_own_style_and_script_and_nothing_else(full):
    page = page_of(rendered(full))
    (policy,) = [value for value in page.values("content") if "default-src" in value]
    assert policy == HTML_POLICY
    (program,) = page.programs
    for directive, content in [("style-src", page.style), ("script-src", program)]:
        digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
        assert f"{directive} 'sha256-{digest}';" in policy
    assert policy.startswith("default-src 'none';")
    assert "unsafe" not in policy


def test_levels_are_told_in_words_as_well_as_in_colour(full):
    text = page_of(rendered(full)).text
    for level in ("HIGH", "MODERATE", "LOW", "SPECULATIVE", "NONE"):
        assert level in text
    for gene in full["genes"]:
        stated = gene["confidence"] if gene["is_dark"] else f"MODERATE {gene['score']:.2f}"
        assert stated in text


def test_the_lines_for_export_are_those_of_the_tsv_report(full):
    result = parse_result(json.dumps(full).encode())
    assert page_of(render_html(result)).unpacked("table") == [render_tsv(result)]


def test_the_same_result_gives_the_same_bytes(full):
    assert rendered(full) == rendered(full)


def test_a_file_without_genes_has_a_page_too(full):
    empty = full | {"genes": [], "rna_genes": [], "other_features": [], "comparison": None}
    empty["summary"] = dict.fromkeys(full["summary"], 0)
    assert "No protein-coding gene was found" in page_of(rendered(empty)).text


MODULES = dict(script_modules())
FORBIDDEN = re.compile(
    r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function|DOMParser"
    r"|createContextualFragment|srcdoc|setAttribute\(\s*[\"'`](?:style|on|href|src)|\.on[a-z]+\s*="
    r"|javascript:|http:|fetch\(|XMLHttpRequest|import\("
)
TOP_LEVEL = re.compile(
    r"^(?:export )?(?:async )?(?:function\*?|const|let|var|class) (\w+)", re.MULTILINE
)
EXPORTED = re.compile(r"^export (?:async )?(?:function\*?|const|let|class) (\w+)", re.MULTILINE)
IMPORTED = re.compile(r'^import \{ ([\w, ]+) \} from "\./(\w+)\.js";$', re.MULTILINE)


@pytest.mark.parametrize("name", MODULES)
def test_scripts_never_make_markup_code_or_addresses_of_text(name):
    text = MODULES[name].replace("http://www.w3.org/2000/svg", "")
    assert FORBIDDEN.findall(text) == []


@pytest.mark.parametrize("name", MODULES)
def test_scripts_import_what_another_script_exports(name):
    lines = re.findall(r"^import\b", MODULES[name], re.MULTILINE)
    imports = IMPORTED.findall(MODULES[name])
    assert len(lines) == len(imports)
    order = list(MODULES)
    for names, other in imports:
        assert order.index(other) < order.index(name)
        exported = EXPORTED.findall(MODULES[other])
        assert set(names.split(", ")) <= set(exported)


def test_all_scripts_of_the_folder_are_in_the_page_and_no_name_is_used_twice():
    folder = Path(genint.report.page.render.__file__).parent / "scripts"
    assert {file.stem for file in folder.glob("*.js")} == MODULES.keys()
    names = Counter(name for text in MODULES.values() for name in TOP_LEVEL.findall(text))
    assert [name for name, count in names.items() if count > 1] == []


def test_the_scripts_are_joined_to_one_classic_script(full):
    (program,) = page_of(rendered(full)).programs
    assert program.startswith('(() => {\n"use strict";\n')
    assert program.endswith("})();\n")
    assert not re.search(r"^(import|export)\b", program, re.MULTILINE)
    assert "</script" not in program


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
        ("PTHR30629", "www.ebi.ac.uk/interpro/entry/panther/PTHR30629/"),
        ("G3DSA:1.10.443.10", "www.ebi.ac.uk/interpro/entry/cathgene3d/G3DSA:1.10.443.10/"),
        ("SSF56349", "www.ebi.ac.uk/interpro/entry/ssf/SSF56349/"),
        ("NF033484", "www.ebi.ac.uk/interpro/entry/ncbifam/NF033484/"),
        ("TIGR01537", "www.ebi.ac.uk/interpro/entry/ncbifam/TIGR01537/"),
        ("cd00796", "www.ebi.ac.uk/interpro/entry/cdd/cd00796/"),
        ("MF_04108", "www.ebi.ac.uk/interpro/entry/hamap/MF_04108/"),
        ("ANF00012", "www.ebi.ac.uk/interpro/entry/antifam/ANF00012/"),
    ],
)
def test_accessions_lead_to_the_page_of_their_database(identifier, page):
    assert link_to(identifier) == f"https://{page}"


@pytest.mark.parametrize("record", ["NC_001416", "NC_001416.1", "J02459.1", "MW460250", "L5"])
def test_records_of_public_databases_lead_to_them(record):
    expected = None if record == "L5" else f"https://www.ncbi.nlm.nih.gov/nuccore/{record}"
    assert link_to_record(record) == expected


def test_the_policy_of_a_page_of_any_version_is_known_from_its_start(phix_result):
    page = render_html(phix_result).encode()
    assert policy_of(page[:POLICY_WITHIN]) == HTML_POLICY
    other = page.replace(b"img-src data:", b"img-src &#39;none&#39;")
    assert policy_of(other[:POLICY_WITHIN]) == HTML_POLICY.replace(
        "img-src data:", "img-src 'none'"
    )


@pytest.mark.parametrize(
    "start", [b"", b"plain words", b'<meta http-equiv="Content-Security-Policy" content="x">']
)
def test_a_page_without_a_policy_gets_that_of_this_version(start):
    assert policy_of(start) == HTML_POLICY
