"""Terms of the Gene Ontology and what leads to them."""

from __future__ import annotations

import pytest

from genint.databases.build.go import build_go as build
from genint.errors import FormatError
from tests.databases.published_formats import mapped, ontology

TERMS = (
    ("GO:0000001", "first activity", "molecular_function"),
    ("GO:0000002", "second process", "biological_process"),
)
OBSOLETE = (
    "[Term]\nid: GO:0000003\nname: obsolete thing\nnamespace: biological_process\n"
    "is_obsolete: true\n"
)
MERGED = (
    "[Term]\nid: GO:0000004\nname: third part\nnamespace: cellular_component\n"
    "alt_id: GO:0000009\nalt_id: GO:0000008\n"
)
TYPEDEF = "[Typedef]\nid: part_of\nname: part of\nnamespace: external\n"
PFAM = mapped("Pfam", [("PF00001", "GO:0000001")])
INTERPRO = mapped("InterPro", [("IPR000001", "GO:0000002")])


@pytest.fixture
def built(tmp_path):
    """Builds the tables and gives the rows of each."""

    def build_of(
        obo: bytes | None = None, pfam: bytes = PFAM, interpro: bytes = INTERPRO, further=()
    ):
        obo = ontology("2026-06-15", TERMS, *further) if obo is None else obo
        contents = {"go-basic.obo": obo, "pfam2go": pfam, "interpro2go": interpro}
        for name, content in contents.items():
            (tmp_path / name).write_bytes(content)
        made = build({name: tmp_path / name for name in contents}, tmp_path, lambda _: None)
        tables = ("terms.tsv", "pfam2go.tsv", "interpro2go.tsv")
        rows = {
            name: [line.split("\t") for line in (tmp_path / name).read_text().split("\n")[:-1]]
            for name in tables
        }
        return made, *(rows[name] for name in tables)

    return build_of


def test_terms_have_aspect_and_name(built):
    made, terms, _, _ = built()
    assert made.entries == 2
    assert terms == [
        ["GO:0000001", "molecular_function", "first activity", ""],
        ["GO:0000002", "biological_process", "second process", ""],
    ]


def test_the_release_is_the_date_of_the_data(built):
    assert built()[0].release == "2026-06-15"


def test_obsolete_terms_and_relations_are_left_out(built):
    _, terms, _, _ = built(further=(OBSOLETE, TYPEDEF))
    assert [term for term, *_ in terms] == ["GO:0000001", "GO:0000002"]


def test_terms_of_other_ontologies_are_passed_over(built):
    stanza = "[Term]\nid: CHEBI:24431\nname: chemical entity\n"
    assert built(further=(stanza,))[0].entries == 2


def test_other_ids_lead_to_the_main_id(built):
    made, terms, _, _ = built(further=(MERGED,))
    assert made.entries == 3
    assert ["GO:0000009", "cellular_component", "third part", "GO:0000004"] in terms


def test_mappings_lead_to_main_ids_once_in_the_order_of_the_file(built):
    pairs = [(key, f"GO:000000{number}") for key in ("PF00002", "PF00001") for number in (9, 1, 4)]
    _, _, pfam, _ = built(pfam=mapped("Pfam", pairs), further=(MERGED,))
    assert pfam == [
        ["PF00001", "GO:0000004 GO:0000001"],
        ["PF00002", "GO:0000004 GO:0000001"],
    ]


def test_mappings_to_obsolete_and_unknown_terms_are_left_out_and_counted(built):
    pairs = [("PF00001", "GO:0000003"), ("PF00002", "GO:0000001"), ("PF00003", "GO:7777777")]
    made, _, pfam, _ = built(pfam=mapped("Pfam", pairs), further=(OBSOLETE,))
    assert [key for key, _ in pfam] == ["PF00002"]
    assert dict(made.facts)["mappings_to_no_term"] == "2"


def test_comments_modifiers_and_escapes_of_the_format_are_understood(built):
    term = (
        "! a comment\n[Term]\nid: GO:0000007 {source=x} ! a comment\n"
        "name: activity \\{of a kind\\}, alpha\\:beta\nnamespace: molecular_function\n"
    )
    _, terms, _, _ = built(further=(term,))
    assert terms[-1][0] == "GO:0000007"
    assert terms[-1][2] == "activity {of a kind}, alpha:beta"


@pytest.mark.parametrize(
    ("stanza", "said"),
    [
        ("[Term]\nid: GO:12\nname: x\nnamespace: molecular_function\n", "'GO:12' is no id"),
        ("[Term]\nid: GO:0000007\nnamespace: molecular_function\n", "has no name"),
        ("[Term]\nid: GO:0000007\nname: x\nnamespace: other\n", "has the aspect 'other'"),
        (f"[Term]\nid: GO:0000001\nname: x\nnamespace: {TERMS[0][2]}\n", "appears twice"),
        ("[Term]\nno tag at all\n", "'no tag at all' has no tag"),
    ],
)
def test_a_malformed_ontology_is_refused_with_its_line(built, stanza, said):
    with pytest.raises(FormatError, match=rf"go-basic\.obo, line \d+: .*{said}"):
        built(further=(stanza,))


def test_a_web_page_in_place_of_the_ontology_is_refused(built):
    with pytest.raises(FormatError, match=r"go-basic\.obo"):
        built(obo=b"<html>\n<p>Not found</p>\n</html>\n")


@pytest.mark.parametrize(
    "line",
    [
        "Pfam:PF00001 Name > GO:thing",
        "Pfam:PF00001 Name ; GO:0000001",
        "InterPro:IPR000001 Name > GO:thing ; GO:0000001",
        "Pfam:XX00001 Name > GO:thing ; GO:0000001",
    ],
)
def test_a_malformed_mapping_is_refused_with_its_line(built, line):
    with pytest.raises(FormatError, match=r"pfam2go, line 2: "):
        built(pfam=f"!comment\n{line}\n".encode())


def test_a_mapping_that_leads_nowhere_is_refused(built):
    with pytest.raises(FormatError, match="interpro2go: no line"):
        built(interpro=b"!nothing\n")


@pytest.mark.parametrize("release", ["\x1b[31mred", "<b>2026</b>", "a/../b"])
def test_a_release_that_could_do_harm_where_it_is_shown_is_refused(built, release):
    with pytest.raises(FormatError, match=r"go-basic\.obo: .* is no release"):
        built(ontology(release, TERMS))
