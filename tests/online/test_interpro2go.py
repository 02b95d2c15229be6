"""GO terms of InterPro entries: fetched once for a release, kept, and told where they are older."""

from __future__ import annotations

import pytest

from genint.cache.online import OnlineCache
from genint.model.evidence import GoTerm
from genint.model.vocabulary import GoAspect
from genint.online.interpro.query import read_lines, terms_among
from genint.online.protocol import MalformedResponse
from tests.online.interpro_run import asked
from tests.online_services import PROTEINS, body, content_type, outage_page, status

LINES = """!version date: 2026/09/17 09:00:00
!description: Mapping of GO terms to InterPro entries.
!
InterPro:IPR000003 Retinoid X receptor/HNF4 > GO:DNA binding ; GO:0003677
InterPro:IPR000003 Retinoid X receptor/HNF4 > GO:steroid hormone receptor activity ; GO:0003707
InterPro:IPR000003 Retinoid X receptor/HNF4 > GO:DNA binding ; GO:0003677
InterPro:IPR000009 Phosphatase 2A, subunit B > GO:a (1->4)-b; c ; GO:0000159
InterPro:IPR000010 Without a name > ; GO:0000001
a line of somebody else
"""


@pytest.fixture
def cache(tmp_path):
    return OnlineCache(tmp_path)


def test_each_entry_has_its_terms_once_in_the_order_of_the_file():
    terms = terms_among(read_lines(LINES.encode()), ["IPR000003", "IPR999999"])
    assert [term.id for term in terms["IPR000003"]] == ["GO:0003677", "GO:0003707"]
    assert set(terms) == {"IPR000003"}


def test_a_term_has_the_name_of_the_file_and_the_aspect_that_is_known():
    (binding, _) = terms_among(read_lines(LINES.encode()), ["IPR000003"])["IPR000003"]
    assert binding == GoTerm("GO:0003677", "DNA binding", GoAspect.FUNCTION)


def test_names_may_hold_the_signs_that_part_the_columns():
    terms = terms_among(read_lines(LINES.encode()), ["IPR000009", "IPR000010"])
    assert terms["IPR000009"][0][:2] == ("GO:0000159", "a (1->4)-b; c")
    assert terms["IPR000010"][0][:2] == ("GO:0000001", "")


@pytest.mark.parametrize(
    "text",
    ["", "!date: today\n", "<html>gone</html>", "Pfam:PF00001 x > GO:y ; GO:0000001\n" * 5],
    ids=["empty", "comments", "page", "another_mapping"],
)
def test_what_maps_no_entries_is_not_that_file(text):
    with pytest.raises(MalformedResponse):
        read_lines(text.encode())


def test_bytes_of_another_encoding_cost_their_letters_only():
    terms = terms_among(read_lines(LINES.encode().replace(b"DNA b", b"DN\xff b")), ["IPR000003"])
    assert terms["IPR000003"][0].id == "GO:0003677"


@pytest.mark.parametrize("kind", ["text/plain", "application/octet-stream", None])
async def test_the_file_is_taken_under_any_content_type(services, kind):
    services.misbehave("interpro_go", content_type(kind))
    assert (await asked(services, PROTEINS)).go


async def test_a_failure_is_told_and_costs_nothing_else(services, cache):
    services.misbehave("interpro_go", status(404))
    findings = await asked(services, PROTEINS, cache)
    assert findings.go == {}
    assert findings.go_note == "GO terms of InterPro entries: could not be had (refused with 404)"
    assert findings.use.problem == ""
    services.recover()
    assert (await asked(services, PROTEINS, cache)).go_note == ""


async def test_a_file_of_something_else_is_noted_and_not_kept(services, cache):
    services.misbehave("interpro_go", body("no mapping at all\n" * 9, "text/plain"))
    findings = await asked(services, PROTEINS, cache)
    assert findings.go_note == (
        "GO terms of InterPro entries: could not be had (the answer could not be read)"
    )
    services.recover()
    assert (await asked(services, PROTEINS, cache)).go


async def test_older_terms_are_used_and_told_where_the_new_ones_cannot_be_had(services, cache):
    first = await asked(services, PROTEINS, cache)
    services.release(interpro="110.0")
    services.misbehave("interpro_go", outage_page(503))
    findings = await asked(services, PROTEINS, cache)
    assert findings.go == first.go
    assert findings.go_note == ("GO terms of InterPro 110.0: those of 109.0 are used instead")


async def test_where_the_release_is_unknown_the_terms_kept_last_are_used_and_told(services, cache):
    await asked(services, PROTEINS, cache)
    services.misbehave("interpro/info", status(404))
    services.forget()
    findings = await asked(services, PROTEINS, cache)
    assert services.record.count("interpro_go") == 0
    assert findings.go
    assert findings.go_note == "GO terms of today's InterPro: those of 109.0 are used instead"
