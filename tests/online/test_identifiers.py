"""Only what has the form of an identifier is one."""

from __future__ import annotations

import pytest

from genint.online.identifiers import (
    is_accession,
    is_cds_protein,
    is_job,
    is_refseq_protein,
    is_release,
    unversioned,
)

HOSTILE = ["", " ", "..", "../x", "a/b", "@x.org", "a\r\nb", "%0d%0a", "a b", "a,b", "é", "x" * 99]


@pytest.mark.parametrize("text", ["P03034", "Q71TT2", "A0A2I2MDI1", "A7ZHR1"])
def test_accessions(text):
    assert is_accession(text)


@pytest.mark.parametrize("text", [*HOSTILE, "P03034.1", "P03034-2", "p03034", "P0303", "P03034\n"])
def test_no_accessions(text):
    assert not is_accession(text)


@pytest.mark.parametrize(
    "text", ["NP_415522.1", "WP_000000001", "WP_000000001234.1", "YP_009724390.1", "ZP_12345678.1"]
)
def test_protein_ids_of_refseq(text):
    assert is_refseq_protein(text)


@pytest.mark.parametrize(
    "text",
    [
        *HOSTILE,
        "NP_1",
        "NP_415522.",
        "NC_000913.3",
        "NP_415522.1\n",
        "NP_\uff14\uff11\uff15\uff15\uff12\uff12",
        "WP_1234567890123",
    ],
)
def test_no_protein_ids_of_refseq(text):
    assert not is_refseq_protein(text)


@pytest.mark.parametrize("text", ["AAC74087.1", "AAC74087", "MBA1234567.1", "CAA23456.12"])
def test_protein_ids_of_genbank(text):
    assert is_cds_protein(text)


@pytest.mark.parametrize(
    "text",
    [
        *HOSTILE,
        "aac74087.1",
        "AAC7408.1",
        "J02459.1",
        "gene_0001",
        "AAC\uff17\uff14\uff10\uff18\uff17",
        "AAC740871",
    ],
)
def test_no_protein_ids_of_genbank(text):
    assert not is_cds_protein(text)


@pytest.mark.parametrize("text", ["19fcde4de89e1eb4c289a2658adb1c90753a1688", "aB3dE6gH9j"])
def test_jobs(text):
    assert is_job(text)


@pytest.mark.parametrize("text", HOSTILE)
def test_no_jobs_and_no_releases(text):
    assert not is_job(text)
    assert not is_release(text)


def test_a_release():
    assert is_release("2026_03")


def test_a_version_is_left_out():
    assert unversioned("NP_415522.1") == unversioned("NP_415522") == "NP_415522"
