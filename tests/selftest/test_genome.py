from dataclasses import replace

import pytest

from genint.model import ConfidenceLevel, Strand
from genint.selftest.genome import (
    ANSWERS,
    GENOME,
    differences,
    interpret_built_in,
    known_genes,
    offline_resources,
    read_data,
)

ALONE = "built-in genome"


@pytest.fixture
def summary(places):
    return interpret_built_in(offline_resources(places))


def test_a_run_finds_what_was_put_in(summary):
    assert differences(summary, known_genes()) == ()


def test_every_wrong_gene_is_named_with_what_is_wrong(summary):
    right = {gene.name: gene for gene in known_genes()}
    holin, portal = right["holin"], right["portal protein"]
    dark, capsid = right[""], right["major capsid protein"]
    integrase = right["integrase"]
    known = [
        replace(holin, name="endolysin"),
        replace(portal, level=ConfidenceLevel.LOW),
        replace(dark, name="tail fiber protein"),
        replace(capsid, name="", level=ConfidenceLevel.NONE),
        replace(integrase, strand=Strand.FORWARD),
    ]
    wrong = differences(summary, known)
    at = f"at {integrase.first}..{integrase.last}"
    assert [text.partition(" at ")[0] for text in wrong[:5]] == [
        "endolysin",
        "portal protein",
        "tail fiber protein",
        "the dark gene",
        "integrase",
    ]
    assert wrong[0].endswith("was called holin")
    assert wrong[1].endswith("is HIGH, not LOW")
    assert wrong[2].endswith("was called nothing")
    assert wrong[3].endswith("was called major capsid protein")
    assert wrong[4] == f"integrase {at} (+) was not found"
    assert f"unexpected gene {at} (-)" in wrong


def test_a_genome_that_lost_a_base_is_found(installation, pressed_cache):
    lines = read_data(GENOME).decode().splitlines(keepends=True)
    at = 1 + 4500 // 70  # in the gene of the portal protein
    lines[at] = lines[at][1:]
    installation.damage(f"selftest/data/{GENOME}", "".join(lines).encode())
    found = installation.check(ALONE, pressed_cache)
    assert found.startswith("FAILED|")
    assert "portal protein at 3738..4763 (+) was not found" in found


def test_another_answer_than_the_one_known_is_named(installation, pressed_cache):
    answers = read_data(ANSWERS).replace(b"\tholin\t", b"\tspanin\t")
    installation.damage(f"selftest/data/{ANSWERS}", answers)
    found = installation.check(ALONE, pressed_cache)
    assert found.startswith("FAILED|spanin at ")
    assert "was called holin" in found


def test_a_damaged_pack_that_is_needed_fails_the_genome_without_a_traceback(installation, tmp_path):
    installation.damage("knowledge/data/phage_families.bin", b"no pack at all")
    found = installation.check(ALONE, tmp_path / "new_cache")
    assert found.startswith("FAILED|UnavailableError: ")
