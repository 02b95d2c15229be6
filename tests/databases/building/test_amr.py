"""NCBI's reference of resistance genes: what is kept of it, and what its entries mean."""

from __future__ import annotations

import pytest

from genint.databases.build.amr import build
from genint.errors import FormatError
from genint.knowledge.markers import read_markers_of
from genint.model.overview import MarkerMeaning
from tests.databases.published_amr import amr_files


@pytest.fixture
def sources(tmp_path):
    paths = {name: tmp_path / name for name in ("AMRProt.fa", "fam.tsv", "AMR.LIB")}
    content = amr_files()
    for name, path in paths.items():
        path.write_bytes(content[name])
    return paths


@pytest.fixture
def target(tmp_path):
    folder = tmp_path / "target"
    folder.mkdir()
    return folder


def built(sources, target):
    made = build(sources, target, lambda _: None)
    return made, read_markers_of(target / "index")


def test_headers_of_newer_and_older_releases_are_read_alike(sources, target):
    _, entries = built(sources, target)
    newer, older = entries["WP_061158039.1"], entries["WP_000027057.1"]
    assert (newer.name, newer.kind) == ("blaTEM-156", "BETA-LACTAM")
    assert (older.name, older.kind) == ("blaTEM-1", "BETA-LACTAM")
    assert newer.product == "class A beta-lactamase TEM-156"
    assert older.product == "broad-spectrum class A beta-lactamase TEM-1"


def test_types_of_families_say_what_their_proteins_mean(sources, target):
    _, entries = built(sources, target)
    assert {accession: entry.means for accession, entry in entries.items()} == {
        "WP_061158039.1": MarkerMeaning.RESISTANCE,
        "WP_000027057.1": MarkerMeaning.RESISTANCE,
        "AAA16360.1": MarkerMeaning.TOXIN,
        "AAC31504.1": MarkerMeaning.VIRULENCE,
        "NF000531": MarkerMeaning.RESISTANCE,
    }


def test_metals_and_proteins_that_only_a_mutation_makes_resistant_are_left_out(sources, target):
    made, entries = built(sources, target)
    assert made.entries == 4
    assert not {"WP_000000001.1", "WP_000000002.1", "NF999999"} & entries.keys()


def test_without_profiles_the_proteins_are_installed(sources, target):
    del sources["AMR.LIB"]
    made, _ = built(sources, target)
    assert dict(made.facts)["profiles"] == "0"


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("AMRProt.fa", b"<html>\n", "AMRProt.fa, line 1: '<html>' is no residues"),
        ("AMRProt.fa", b">WP_1 some protein\nMKK\n", "is no header of a reference protein"),
        ("AMRProt.fa", b"", "there is no protein in it"),
        ("fam.tsv", b"blaTEM\tALL\n", "fam.tsv, line 1: 2 columns, where 18 are expected"),
        ("fam.tsv", b"#node_id\n", "there is no family in it"),
        ("AMR.LIB", b"<html>\n", "this is no file of HMMER3 profiles"),
    ],
)
def test_what_is_not_as_published_is_refused_with_its_place(sources, target, name, content, said):
    sources[name].write_bytes(content)
    with pytest.raises(FormatError) as caught:
        build(sources, target, lambda _: None)
    assert said in str(caught.value)
