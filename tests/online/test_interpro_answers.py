"""Answers of the Matches API, read record by record."""

from __future__ import annotations

import json

import pytest

from genint.knowledge import library_of
from genint.model import AnswerState, InterProMatch, MatchPlace
from genint.online.interpro import records as interpro_records
from genint.online.interpro.records import (
    as_number,
    as_position,
    as_text,
    as_type,
    model_part,
    read_info,
    read_matches,
)
from genint.online.protocol import MalformedResponse

MD5 = "A" * 32


def location(**more):
    return {
        "start": 10,
        "end": 90,
        "hmmStart": 1,
        "hmmEnd": 80,
        "hmmLength": 100,
        "evalue": 1e-9,
        "score": 40.5,
        "location-fragments": [{"start": 10, "end": 90, "dc-status": "CONTINUOUS"}],
        **more,
    }


def match(**more):
    return {
        "signature": {
            "accession": "PF00589",
            "name": "Phage_integrase",
            "description": "Phage integrase family",
            "type": "Domain",
            "signatureLibraryRelease": {"library": "Pfam", "version": "38.0"},
            "entry": {
                "accession": "IPR002104",
                "name": "Integrase_catalytic",
                "description": "Integrase, catalytic domain",
                "type": "Domain",
                "parent": None,
            },
        },
        "model-ac": "PF00589",
        "source": "Pfam",
        "evalue": 1e-30,
        "score": 101.5,
        "locations": [location()],
        **more,
    }


def answer_of(*matches, **more):
    record = {"md5": MD5, "found": True, "matches": list(matches), **more}
    body = json.dumps({"results": [record]}).encode()
    return read_matches(body, [MD5]).answers[MD5]


def read(one):
    (found,) = answer_of(one).matches
    return found


def signature(**more):
    return {**match()["signature"], **more}


def test_a_match_has_its_signature_entry_figures_and_places():
    found = read(match())
    assert (found.accession, found.library, found.library_title) == ("PF00589", "pfam", "Pfam")
    assert (found.library_version, found.type) == ("38.0", "domain")
    assert (found.evalue, found.score_bits, found.is_prediction) == (1e-30, 101.5, False)
    assert found.entry is not None
    assert found.entry[:4] == (
        "IPR002104",
        "Integrase_catalytic",
        "Integrase, catalytic domain",
        "domain",
    )
    assert found.places == (MatchPlace(10, 90, 1, 80, 100, 1e-9, 40.5),)


def test_what_is_left_out_is_empty():
    bare = {"signature": {"accession": "X1"}, "source": "Newlib"}
    assert read(bare) == InterProMatch(accession="X1", library="newlib", library_title="Newlib")


@pytest.mark.parametrize(
    "bare",
    [
        {},
        {"signature": None},
        {"signature": {"name": "x"}},
        {"signature": {"accession": "../x"}, "source": "Pfam"},
        {"signature": {"accession": "PF00001"}},
        "text",
        None,
        7,
    ],
)
def test_a_match_of_nothing_makes_its_record_unreadable(bare):
    answer = answer_of(match(), bare)
    assert (answer.state, answer.reason) == (AnswerState.ERROR, "its record could not be read")
    assert answer.matches == ()


@pytest.mark.parametrize(
    ("record", "state"),
    [
        ({"found": False, "matches": []}, AnswerState.NOT_IN_DATABASE),
        ({"found": False}, AnswerState.NOT_IN_DATABASE),
        ({"found": "false", "matches": []}, AnswerState.NOT_IN_DATABASE),
        ({"found": True, "matches": []}, AnswerState.NO_MATCH),
        ({"found": 1, "matches": []}, AnswerState.NO_MATCH),
        ({"matches": []}, AnswerState.NOT_IN_DATABASE),
        ({"found": True}, AnswerState.ERROR),
        ({"found": True, "matches": None}, AnswerState.ERROR),
        ({"found": True, "matches": {}}, AnswerState.ERROR),
        ({"matches": [match()]}, AnswerState.HIT),
        ({"found": False, "matches": [match()]}, AnswerState.HIT),
    ],
)
def test_found_and_matches_make_the_state(record, state):
    body = json.dumps({"results": [{"md5": MD5, **record}]}).encode()
    assert read_matches(body, [MD5]).answers[MD5].state is state


@pytest.mark.parametrize(
    ("title", "state"),
    [
        ("Phobius", AnswerState.NO_MATCH),
        ("COILS", AnswerState.NO_MATCH),
        ("MobiDB-lite", AnswerState.NO_MATCH),
        ("MobiDB Lite", AnswerState.NO_MATCH),
        ("SUPERFAMILY", AnswerState.HIT),
        ("AntiFam", AnswerState.HIT),
        ("Never heard of", AnswerState.HIT),
    ],
)
def test_features_of_residues_alone_are_no_hit(title, state):
    release = {"library": title, "version": "1"}
    one = match(signature=signature(signatureLibraryRelease=release, entry=None))
    assert answer_of(one).state is state


def test_a_prediction_is_known_by_its_source_and_no_hit_alone():
    bare = signature(name=None, description=None, type=None, entry=None)
    predicted = match(signature=bare, source="InterPro-N")
    answer = answer_of(predicted)
    assert answer.state is AnswerState.NO_MATCH
    assert answer.matches[0].is_prediction
    assert (answer.matches[0].name, answer.matches[0].library) == ("", "pfam")
    assert answer_of(predicted, match()).state is AnswerState.HIT


def test_a_domain_with_another_one_inside_has_a_place_for_each_stretch():
    parts = [{"start": 10, "end": 40}, {"start": 60, "end": 90}]
    found = read(match(locations=[location(**{"location-fragments": parts})]))
    assert [(one.start, one.end) for one in found.places] == [(10, 40), (60, 90)]
    assert {one.model_end for one in found.places} == {80}


@pytest.mark.parametrize(
    ("bad", "places"),
    [
        ({"location-fragments": [{"start": 0, "end": 5}]}, [(10, 90)]),
        ({"location-fragments": None}, [(10, 90)]),
        ({"location-fragments": [], "start": 90, "end": 10}, []),
        ({"location-fragments": [], "start": None}, []),
        ({"location-fragments": [], "start": "10", "end": "90"}, [(10, 90)]),
    ],
)
def test_places_that_are_none_are_left_out(bad, places):
    found = read(match(locations=[location(**bad)]))
    assert [(one.start, one.end) for one in found.places] == places


@pytest.mark.parametrize(
    "bad", [{"hmmLength": 0}, {"hmmLength": 50}, {"hmmStart": None}, {"hmmStart": 90}]
)
def test_a_part_of_the_model_that_cannot_be_is_unknown(bad):
    (place,) = read(match(locations=[location(**bad)])).places
    assert place[2:5] == (None, None, None)


def test_a_fingerprint_has_its_probability_as_e_value():
    bare = {"start": 1, "end": 9, "pvalue": 1e-4, "score": 30.0, "motifNumber": 1}
    (place,) = read(match(locations=[bare])).places
    assert place.evalue == 1e-4


@pytest.mark.parametrize(
    ("cigar", "part"),
    [
        ("58D36M5D52M2D184M1D25M", (59, 363, 363)),
        ("5D438M24D", (6, 443, 467)),
        ("10M", (1, 10, 10)),
        ("5M3I5M", (1, 10, 10)),
        ("7D", None),
        ("5M3X", None),
        ("", None),
        (None, None),
        (12, None),
    ],
)
def test_an_alignment_tells_which_part_of_the_model_was_found(cigar, part):
    assert model_part(cigar) == part


@pytest.mark.parametrize(
    ("title", "library"),
    [
        ("CATH-Gene3D", "cathgene3d"),
        ("Gene3D", "cathgene3d"),
        ("PROSITE profiles", "prositeprofiles"),
        ("PROSITE_PROFILES", "prositeprofiles"),
        ("NCBIFAM", "ncbifam"),
        ("NCBIfam", "ncbifam"),
    ],
)
def test_a_library_is_the_same_in_every_spelling(title, library):
    assert library_of(title) == library


def test_types_are_the_same_in_every_spelling():
    spellings = ("Homologous_superfamily", "HOMOLOGOUS_SUPERFAMILY", "homologous superfamily")
    assert {as_type(one) for one in spellings} == {"homologous_superfamily"}


def test_values_of_other_types_are_none():
    assert [as_number(one) for one in ("1e-5", True, None, "x", [], float("inf"))] == [
        1e-5,
        None,
        None,
        None,
        None,
        None,
    ]
    assert [as_position(one) for one in (3, 3.0, "3", 0, -1, 2.5)] == [3, 3, 3, None, None, None]
    assert as_text({"a": 1}) == ""
    assert as_text(" two\nlines\x00\u202e ") == "two lines"
    assert len(as_text("x" * 10_000)) == 400


@pytest.mark.parametrize("body", [b"", b"[]", b"null", b'{"results": {}}', b"<html>", b"\xff\xfe"])
def test_a_body_that_is_no_answer_is_malformed(body):
    with pytest.raises(MalformedResponse):
        read_matches(body, [MD5])


def test_versions_are_those_of_signatures_and_not_of_predictions():
    release = {"library": "Pfam", "version": "37.3"}
    predicted = match(signature=signature(signatureLibraryRelease=release), source="InterPro-N")
    body = json.dumps({"results": [{"md5": MD5, "matches": [predicted, match()]}]}).encode()
    assert read_matches(body, [MD5]).versions == {"pfam": "38.0"}


def test_the_service_names_its_release_and_the_versions_of_its_libraries():
    answer = {
        "api": "0.6.0",
        "release": "109.0",
        "release_date": "2026-09-17",
        "analyses": [{"name": "CATH-Gene3D", "version": "4.3.0"}, {"name": "Pfam"}, None],
    }
    info = read_info(json.dumps(answer).encode())
    assert info == ("109.0", {"cathgene3d": "4.3.0"})


def test_what_is_kept_is_read_back_alike():
    matches = (read(match()), read({"signature": {"accession": "X1"}, "source": "Newlib"}))
    assert interpro_records.read(interpro_records.written(matches)) == matches
    assert interpro_records.read(interpro_records.written(())) == ()


@pytest.mark.parametrize("text", ["{", "[1]", '[{"accession": 1}]', "null"])
def test_what_is_kept_in_another_form_is_unknown(text):
    assert interpro_records.read(text) is None
