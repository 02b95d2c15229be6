"""The index of Swiss-Prot."""

from __future__ import annotations

import pytest

from genint.databases.build.swissprot import build
from genint.errors import FormatError
from genint.knowledge import INDEX_FORMAT, open_index
from tests.databases.published_formats import packed, swissprot_entry

NAMES = ("uniprot_sprot_bacteria.dat.gz", "uniprot_sprot_viruses.dat.gz")
RESIDUES = ("MKTAYIAKQRQISFVKSHFSRQLEERLGLIEVQ", "MSEQNNTEMTFQIQRIYTKDISFEAPNAPHVFQ")


@pytest.fixture
def sources(tmp_path):
    """A protein in each of two divisions."""
    paths = {name: tmp_path / name for name in NAMES}
    for (name, path), residues in zip(paths.items(), RESIDUES, strict=True):
        path.write_bytes(packed(swissprot_entry("P12345", f"Of {name[:-7]}", residues).encode()))
    return paths


@pytest.fixture
def target(tmp_path):
    folder = tmp_path / "target"
    folder.mkdir()
    return folder


def test_all_divisions_are_in_one_index(sources, target):
    made = build(sources, target, lambda _: None)
    assert made.entries == 2
    assert dict(made.facts)["index_format"] == str(INDEX_FORMAT)
    assert dict(made.facts)["residues"] == str(sum(map(len, RESIDUES)))
    open_index(target / "index")


def test_an_archive_that_is_cut_short_is_said(sources, target):
    path = sources[NAMES[1]]
    path.write_bytes(path.read_bytes()[:-12])
    with pytest.raises(FormatError, match=r"uniprot_sprot_viruses\.dat\.gz: the file is cut short"):
        build(sources, target, lambda _: None)


def test_a_malformed_entry_is_refused_with_its_file(sources, target):
    entry = swissprot_entry("P12345", "Name", RESIDUES[0]).replace("33 AA;", "34 AA;")
    sources[NAMES[0]].write_bytes(packed(entry.encode()))
    with pytest.raises(FormatError, match=r"uniprot_sprot_bacteria\.dat\.gz, line \d+"):
        build(sources, target, lambda _: None)
