"""Every format tells what services answered, and what they were silent about."""

from __future__ import annotations

import csv
import io
import json
import zipfile

import pytest

from genint.formats import read_original
from genint.knowledge import load_confidence
from genint.report import (
    FORMATS,
    HOSTS,
    HTML_POLICY,
    GenintResult,
    build_result,
    link_to,
    render,
    render_bytes,
    render_html,
    render_notes,
)
from tests.builders.online_results import (
    BOTH,
    OUTAGE,
    error,
    hit,
    interpro_evidence,
    known_without,
    not_asked,
    online_result,
    uniprot_evidence,
    unknown,
)
from tests.builders.results import summarise

from .genbank_texts import PORTAL, cds_of, record
from .gff3_reading import parts_of
from .test_html import page_of

UNIPROT, INTERPRO = BOTH
PROBLEM = f"could not be queried: {OUTAGE}"
SILENT = "UniProt could not be queried: 503 after 4 attempts"
KNOWN = "UniProt: P03631 (2026_03)"


@pytest.fixture(scope="module")
def original(examples):
    path = examples / "phiX174.gbk"
    return read_original(path.read_bytes(), path.name)


@pytest.fixture(scope="module")
def result(original) -> GenintResult:
    """The first gene is known to both, the next to none, UniProt is silent about the others."""
    gene = original.genome.genes[0].id
    answers = [
        (hit(UNIPROT, "P03631"), hit(INTERPRO, "IPR008766", "SSF56349")),
        (known_without(UNIPROT), known_without(INTERPRO, stale=True)),
        (unknown(UNIPROT), unknown(INTERPRO)),
        (error(UNIPROT), not_asked(INTERPRO)),
    ]
    evidence = [
        uniprot_evidence(gene, "P03631", claim="replication protein A"),
        interpro_evidence(gene, "IPR008766"),
    ]
    problems = [PROBLEM, "was not queried about 8 proteins: the time was over"]
    return online_result(original.genome, answers, evidence, problems=problems)


@pytest.mark.parametrize("name", ["md", "html", "json", "gff3", "notes"])
def test_a_dead_service_is_named_with_its_reason(result, original, name):
    text = render(result, name, original)
    assert "503 after 4 attempts" in text


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_the_same_answers_give_the_same_bytes(result, original, name):
    assert render_bytes(result, name, original) == render_bytes(result, name, original)


def test_markdown_says_in_front_and_behind_what_did_not_work(result):
    text = render(result, "md")
    front, _, rest = text.partition("## Records")
    assert f"{SILENT}." in front
    sources = rest[rest.index("### Online services") :]
    assert "UniProt (release 2026_03) answered for 3 of 11" in sources
    assert SILENT in sources
    assert "no sequences" in sources
    assert "Mode: online (queries UniProt and InterPro)" in rest


def test_markdown_has_a_line_of_each_service_at_each_gene(result):
    genes = render(result, "md").split("\n### Gene ")[1:]
    assert len(genes) == len(result.genes)
    for text in genes:
        assert "\n* UniProt" in text
        assert "\n* InterPro" in text
    first = next(text for text in genes if text.startswith("1:"))
    assert f"\n* {KNOWN}\n" in first
    assert "\n* InterPro: IPR008766, SSF56349 (109.0)\n" in first
    second = next(text for text in genes if text.startswith("2:"))
    assert "from the cache, release 109.0; the current one could not be checked" in second


def test_a_dark_gene_that_a_service_was_silent_about_says_so(result, original):
    dark = next(gene for gene in result.genes if gene.is_dark)
    text = render(result, "md")
    section = text[text.index("(dark, priority") :]
    assert f"* {SILENT}" in section.partition("## ")[0]
    assert "more may be known than is shown here" in text
    assert f"; {SILENT}" in parts_of(render(result, "gff3"))[dark.id][0].attributes["Note"][0]
    packed = " ".join(render(result, "gbk", original).split())
    assert f"rank 1; {SILENT}" in packed


def test_the_table_has_a_column_for_each_service(result):
    rows = list(csv.DictReader(io.StringIO(render(result, "tsv")), delimiter="\t"))
    assert [(row["uniprot"], row["interpro"]) for row in rows[:4]] == [
        ("P03631", "IPR008766; SSF56349"),
        ("no_match", "no_match"),
        ("not_in_database", "not_in_database"),
        ("error", "not_asked"),
    ]


def test_offline_the_columns_are_empty_and_stand_last(phix_result):
    header, *lines = render(phix_result, "tsv").splitlines()
    names = header.split("\t")
    of_statements = ["statement", "statement_kind", "statement_held"]
    assert names[-10:-3] == ["uniprot", "interpro", "basis", "summary", *of_statements]
    assert all(line.split("\t")[-10:-8] == ["", ""] for line in lines)


def test_gff3_refers_to_what_has_this_very_sequence(result):
    first = parts_of(render(result, "gff3"))[result.genes[0].id][0].attributes
    assert {"UniProtKB/Swiss-Prot:P03631", "InterPro:IPR008766"} <= set(first["Dbxref"])
    assert first["genint_online"][0] == KNOWN
    head = render(result, "gff3").partition("##sequence-region")[0]
    assert "\n# UniProt (release 2026_03) answered for 3 of 11 distinct proteins. " in head


def test_notes_tell_it_at_the_top_and_at_each_gene(result):
    head, *blocks = render(result, "notes").split("\n\n")
    assert "# UniProt (release 2026_03) answered for" in head
    assert "no sequences" in head
    genes = [block for block in blocks if block.startswith("CDS")]
    assert all("/note=Online services: UniProt" in block for block in genes)
    assert "IPR008766 replication gene A protein [evidence" in genes[0]


def text_of(content: bytes) -> str:
    """The content of a report; of a workbook that of all its parts."""
    if not zipfile.is_zipfile(io.BytesIO(content)):
        return content.decode()
    with zipfile.ZipFile(io.BytesIO(content)) as parts:
        return "\n".join(parts.read(name).decode() for name in parts.namelist())


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_offline_no_report_speaks_of_services(phix_result, original, name):
    text = text_of(render_bytes(phix_result, name, original))
    for word in ("Online services", "genint_online", "UniProt could", "was not queried"):
        assert word not in text


def online(*qualifiers: str, accession: str = "P03641") -> tuple[GenintResult, object]:
    """A record with one gene that UniProt and InterPro know."""
    original = read_original(record(("CDS 1..30", [*PORTAL, *qualifiers])).encode(), "x.gbk")
    [gene] = original.genome.genes
    evidence = [
        uniprot_evidence(gene.id, accession, claim="portal protein", subject="portal protein"),
        interpro_evidence(gene.id, "IPR006944"),
    ]
    answers = [(hit(UNIPROT, accession), hit(INTERPRO, "IPR006944"))]
    return online_result(original.genome, answers, evidence), original


def test_a_record_is_told_which_entries_have_the_sequence():
    found = cds_of(render(*_arguments(online()))).qualifiers
    assert found["db_xref"] == ["UniProtKB/Swiss-Prot:P03641", "InterPro:IPR006944"]
    assert (
        "genint: online services: UniProt: P03641 (2026_03); InterPro: IPR006944 (109.0)"
        in (found["note"])
    )
    assert "db_xref UniProtKB/Swiss-Prot:P03641" in found["note"][-1]


@pytest.mark.parametrize(
    ("own", "expected"),
    [
        ("UniProtKB/Swiss-Prot:P03641", ["UniProtKB/Swiss-Prot:P03641", "InterPro:IPR006944"]),
        ("UniProtKB/TrEMBL:Q9XYZ1", ["UniProtKB/TrEMBL:Q9XYZ1", "InterPro:IPR006944"]),
        ("InterPro:IPR006944", ["InterPro:IPR006944", "UniProtKB/Swiss-Prot:P03641"]),
        ("GI:1", ["GI:1", "UniProtKB/Swiss-Prot:P03641", "InterPro:IPR006944"]),
    ],
)
def test_what_the_file_refers_to_stays_and_is_not_said_again(own, expected):
    found = cds_of(render(*_arguments(online(f'/db_xref="{own}"')))).qualifiers
    assert found["db_xref"] == expected


def test_a_later_offline_run_takes_the_references_out_again():
    result, original = online()
    text = render(result, "gbk", original)
    again = read_original(text.encode(), "x.gbk")
    assert [one.name for one in again.genome.genes[0].qualifiers if one.name == "db_xref"] == []
    offline = build_result(summarise(again.genome), load_confidence())
    found = cds_of(render(offline, "gbk", again)).qualifiers
    assert "db_xref" not in found
    assert not any("online services" in note for note in found["note"])


def _arguments(made):
    result, original = made
    return result, "gbk", original


def test_a_record_of_our_own_says_in_its_comment_what_was_asked(examples):
    path = examples / "phiX174.gbk"
    bases = read_original(path.read_bytes(), path.name).genome.contigs[0].bases
    original = read_original(f">X1\n{bases}\n".encode(), "x.fasta")
    result = online_result(original.genome, [()], problems=[PROBLEM, ""])
    comment = " ".join(render(result, "gbk", original).partition("FEATURES")[0].split())
    assert "UniProt: there was no protein to query." in comment
    assert SILENT in comment
    assert "no sequences." in comment


def test_the_page_says_it_without_scripts_and_links_where_it_was_asked(result):
    page = page_of(render_html(result))
    assert f"{SILENT}. Online services" in page.text
    assert "#online" in page.values("href")
    assert "online" in page.values("id")
    assert "UniProt (release 2026_03) answered for 3 of 11 distinct proteins." in page.text
    assert "online (queries UniProt and InterPro); phage: no" in page.text
    assert "more may be known than is shown here" in page.text


def test_the_page_holds_the_words_for_the_drawer_and_the_pages_of_accessions(result):
    chunk = json.loads(page_of(render_html(result)).unpacked("details")[0])
    answers = dict(chunk["online"])
    assert answers[0] == [
        ["UniProt", ["P03631"], "(2026_03)"],
        ["InterPro", ["IPR008766", "SSF56349"], "(109.0)"],
    ]
    assert answers[3][0] == ["UniProt", [], "could not be queried: 503 after 4 attempts"]
    links = dict(chunk["links"])
    for name in ("P03631", "IPR008766", "SSF56349"):
        assert links[name] == link_to(name)
        assert links[name].split("/")[2] in HOSTS


def test_the_search_of_the_page_finds_accessions_of_services(result):
    data = page_of(render_html(result)).data
    row = dict(zip(data["gene_fields"], data["genes"][0], strict=True))
    assert {"P03631", "IPR008766", "SSF56349"} <= set(row["accessions"])


def test_the_policy_of_a_page_of_online_mode_is_that_of_all_pages(result, phix_result):
    for one in (result, phix_result):
        page = page_of(render_html(one))
        assert HTML_POLICY in page.values("content")
        assert not page.elements.keys() & {"iframe", "object", "embed", "img"}


def test_offline_the_page_has_no_section_for_services(phix_result):
    page = page_of(render_html(phix_result))
    assert "online" not in page.values("id")
    assert json.loads(page.unpacked("details")[0])["online"] == []


def test_notes_tell_signatures_of_interpro_apart_from_pfam_domains(result, phix_result):
    block = next(one for one in render_notes(result).split("\n\n") if "IPR008766" in one)
    pfam, _, rest = block.partition("SIF-PFAM: ")[2].partition(" SIF-INTERPRO: ")
    assert "IPR" not in pfam
    assert rest.startswith("IPR008766 ")
    assert "SIF-INTERPRO" not in render_notes(phix_result)
