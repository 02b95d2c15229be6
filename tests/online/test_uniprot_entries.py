"""What is used of an entry of UniProtKB, and which of several comes first."""

from __future__ import annotations

import itertools
import json

import pytest

from genint.model import (
    EcClaim,
    GoAspect,
    GoClaim,
    GoTerm,
    NameOrigin,
    UniProtEntry,
    residues_digest,
)
from genint.online.identifiers import crc64_of, md5_of
from genint.online.uniprot.records import FIELDS, best_first, read_entries, read_mapped

NOT_CURATED = {"evidenceCode": "ECO:0000256", "source": "ARBA", "id": "ARBA00000001"}


def sent(**changes):
    entry = {
        "entryType": "UniProtKB unreviewed (TrEMBL)",
        "primaryAccession": "A0A000AAA1",
        "sequence": {"value": "MKV"},
    }
    return {**entry, **changes}


def read(**changes):
    (found,) = read_entries([sent(**changes)]).found
    return found.entry


def test_an_entry_needs_no_more_than_an_accession_and_a_sequence():
    entry = read()
    assert entry == UniProtEntry(
        "A0A000AAA1",
        reviewed=False,
        length_aa=3,
        md5=md5_of("MKV"),
        crc64=crc64_of("MKV"),
        digest=residues_digest("MKV"),
    )


def test_parts_that_are_null_are_missing():
    empty = dict.fromkeys(
        ("genes", "comments", "annotationScore", "organism", "uniProtKBCrossReferences")
    )
    assert read(**empty, proteinDescription={"recommendedName": None}) == read()


def test_a_recommended_name_comes_before_submitted_ones():
    name = {"fullName": {"value": "Integrase", "evidences": [NOT_CURATED]}}
    copied = {"fullName": {"value": "int protein"}}
    both = read(proteinDescription={"recommendedName": name, "submissionNames": [copied]})
    assert (both.name, both.name_origin) == ("Integrase", NameOrigin.RECOMMENDED)
    assert both.name_eco == ("ECO:0000256",)
    alone = read(proteinDescription={"submissionNames": [copied, name]})
    assert (alone.name, alone.name_origin) == ("int protein", NameOrigin.SUBMITTED)


@pytest.mark.parametrize("flag", ["Fragment", "Fragments", "Precursor, Fragment"])
def test_a_fragment_is_marked_in_its_name(flag):
    name = {"fullName": {"value": "Integrase"}}
    assert read(proteinDescription={"recommendedName": name, "flag": flag}).name == (
        "Integrase (Fragment)"
    )
    precursor = read(proteinDescription={"recommendedName": name, "flag": "Precursor"})
    assert precursor.name == "Integrase"


def test_numbers_of_all_names_and_parts_are_read_with_their_codes():
    def named(number, *codes):
        support = [{"evidenceCode": code} for code in codes]
        return {"ecNumbers": [{"value": number, "evidences": support}]}

    entry = read(
        proteinDescription={
            "recommendedName": named("1.1.1.1", "ECO:0000269"),
            "alternativeNames": [named("1.1.1.1", "ECO:0000305"), named("2.7.-.-")],
            "includes": [{"recommendedName": named("3.4.21.n1")}],
            "contains": [{"recommendedName": named("not a number")}],
        }
    )
    assert entry.ec == (
        EcClaim("1.1.1.1", ("ECO:0000269", "ECO:0000305")),
        EcClaim("2.7.-.-"),
        EcClaim("3.4.21.n1"),
    )


def test_terms_are_read_with_aspect_code_and_origin():
    def term(number, name, evidence):
        told = [{"key": "GoTerm", "value": name}, {"key": "GoEvidenceType", "value": evidence}]
        return {"database": "GO", "id": number, "properties": told}

    entry = read(
        uniProtKBCrossReferences=[
            term("GO:0003677", "F:DNA binding", "IDA:EcoCyc"),
            term("GO:0000001", "strange", ""),
            term("7", "F:no number", "IDA:EcoCyc"),
        ]
    )
    assert entry.go == (
        GoClaim(GoTerm("GO:0003677", "DNA binding", GoAspect.FUNCTION), "IDA", "EcoCyc"),
        GoClaim(GoTerm("GO:0000001", ""), "", ""),
    )


def test_protein_ids_are_read_without_version_and_only_where_they_are_some():
    number = "AAC74087.1"
    references = [
        {"database": "RefSeq", "id": "WP_000000001.2"},
        {"database": "EMBL", "id": "X1", "properties": [{"key": "ProteinId", "value": "-"}]},
        {"database": "EMBL", "id": "X2", "properties": [{"key": "ProteinId", "value": number}]},
    ]
    (found,) = read_entries([sent(uniProtKBCrossReferences=references)]).found
    assert found.protein_ids == {"WP_000000001", "AAC74087"}


@pytest.mark.parametrize(
    "wrong",
    [
        {"primaryAccession": "../x"},
        {"primaryAccession": None},
        {"entryType": None},
        {"sequence": None},
        {"sequence": {"length": 3}},
        {"annotationScore": float("inf")},
        {"uniProtKBCrossReferences": [{"database": "GO"}]},
    ],
)
def test_a_record_that_is_no_entry_is_counted_and_left_out(wrong):
    page = read_entries([sent(**wrong), sent(), 7, None, []])
    assert (len(page.found), page.unreadable) == (1, 4)


def test_an_unknown_level_of_existence_is_none():
    assert read(proteinExistence="1: Evidence at protein level").existence == 1
    assert read(proteinExistence="9: Foo").existence is None


def test_entries_stand_in_the_order_of_their_worth():
    def one(accession, **changes):
        return UniProtEntry(accession, **({"reviewed": True, "taxon_id": 7} | changes))

    best = [
        one("P00001", existence=1, annotation_score=5),
        one("P00002", existence=1, annotation_score=4),
        one("P00003", existence=1, annotation_score=4),
        one("P00004", existence=4, annotation_score=5),
        one("P00000", annotation_score=5),
        one("P00005", taxon_id=8, existence=1, annotation_score=5),
        one("A0A000AAA1", reviewed=False, existence=1),
        one("P00006", same_sequence=False, existence=1),
    ]
    for shuffled in itertools.islice(itertools.permutations(best), 0, 40_320, 997):
        assert best_first(shuffled, 7) == tuple(best[:5])
    assert best_first(best[4:], 7) == tuple(best[4:])
    assert best_first(best, None)[1].accession == "P00005"


def test_the_parts_that_are_asked_for_exist(shared_data):
    groups = json.loads((shared_data / "api/uniprotkb_result_fields.json").read_text())
    known = {field["name"] for group in groups for field in group["fields"]}
    assert set(FIELDS.split(",")) <= known


def test_a_real_reviewed_entry_is_read(shared_data):
    page = read_entries([json.loads((shared_data / "api/uniprotkb_entry.json").read_text())])
    (found,) = page.found
    entry = found.entry
    assert (entry.accession, entry.name, entry.symbol) == ("P19926", "Glucose-1-phosphatase", "agp")
    assert entry.reviewed
    assert (entry.taxon_id, entry.existence, entry.annotation_score) == (83333, 1, 5)
    assert entry.locus_tags == ("b1002", "JW0987")
    assert entry.pfam == ("PF00328",)
    assert entry.crc64 == "ADADAD3639D0D6AB"
    assert {"NP_415522", "AAC74087"} <= found.protein_ids
    assert {claim.code for claim in entry.go} == {"IDA", "IBA", "IMP"}


def test_real_unreviewed_and_synthetic_entries_are_read(shared_data):
    names = ("trembl_A8Y1C3", "P0DTR4", "P05067_large", "modelsynthetic")
    files = [shared_data / f"api/uniprotkb_entry_{name}.json" for name in names]
    page = read_entries([json.loads(file.read_text()) for file in files])
    assert (len(page.found), page.unreadable) == (4, 0)
    assert page.found[0].entry.name_origin is NameOrigin.SUBMITTED
    assert page.found[0].entry.name_eco == ("ECO:0000313",)
    assert page.found[1].entry.name_eco == ("ECO:0000303",)
    assert page.found[3].entry.name == "rec full Name (Fragment)"


@pytest.mark.parametrize("kind", ["deleted", "demerged"])
def test_a_real_inactive_entry_is_none(shared_data, kind):
    entry = json.loads((shared_data / f"api/uniprotkb_entry_inactive_{kind}.json").read_text())
    page = read_entries([entry])
    assert (page.found, page.inactive, page.unreadable) == ((), 1, 0)


def test_real_pages_of_mapped_ids_are_read(shared_data):
    def results(name):
        return json.loads((shared_data / f"api/{name}.json").read_text())["results"]

    page = read_mapped(results("idmapping_uniprotkb_results"))
    assert [found.found_by for found in page.found] == ["Q9Z0H0", "O00311", "P06243", "P41892"]
    simple = read_mapped(results("idmapping_results_simple"))
    assert (simple.found, simple.inactive) == ((), 1)


def test_names_bring_no_signs_that_steer_a_terminal_or_turn_text():
    told = {"recommendedName": {"fullName": {"value": "\x1b[31mportal\u202e\n protein\x07"}}}
    assert read(proteinDescription=told).name == "[31mportal protein"
