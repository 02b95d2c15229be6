"""Checksums of proteins are those that the services have."""

from __future__ import annotations

import json
import random

import pytest
from Bio.SeqUtils.CheckSum import crc64 as crc64_of_biopython

from genint.online.identifiers import crc64_of, md5_of


def test_a_short_protein_has_the_checksums_that_others_compute_for_it():
    assert md5_of("MKV") == "BC5A0DFBF35EC22AC2C0F8C1E5534D8E"  # printf MKV | md5sum
    assert crc64_of("MKV") == "72C336F000000000"


def test_case_spaces_and_a_stop_at_the_end_make_no_difference():
    assert md5_of("mk v\n*") == md5_of("MKV")
    assert crc64_of("mk v\n*") == crc64_of("MKV")
    assert md5_of("MK*V") != md5_of("MKV")


def test_crc64_is_the_one_of_biopython_for_random_proteins():
    rng = random.Random(64)
    for length_aa in (0, 1, 2, 9, 300):
        residues = "".join(rng.choices("ACDEFGHIKLMNPQRSTVWYX", k=length_aa))
        assert f"CRC-{crc64_of(residues)}" == crc64_of_biopython(residues)


def test_md5_is_the_one_of_uniparc(shared_data):
    vectors = json.loads((shared_data / "api/uniparc_md5_vectors.json").read_text())
    assert len(vectors) == 30
    assert [md5_of(residues) for _, residues, _ in vectors] == [md5 for *_, md5 in vectors]


@pytest.mark.parametrize(
    "sample", ["uniprotkb_entry", "uniprotkb_entry_P05067_large", "uniprotkb_entry_trembl_A8Y1C3"]
)
def test_both_are_those_of_entries_of_uniprot(shared_data, sample):
    sequence = json.loads((shared_data / f"api/{sample}.json").read_text())["sequence"]
    assert md5_of(sequence["value"]) == sequence["md5"]
    assert crc64_of(sequence["value"]) == sequence["crc64"]


def test_crc64_of_a_known_entry_is_as_published(shared_data):
    entry = json.loads((shared_data / "api/uniprotkb_entry.json").read_text())
    assert entry["primaryAccession"] == "P19926"
    assert crc64_of(entry["sequence"]["value"]) == "ADADAD3639D0D6AB"
