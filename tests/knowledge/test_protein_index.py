"""The protein index gives back what it was built from, or says what is wrong with it."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from genint.errors import UnavailableError
from genint.knowledge import (
    ARRAYS,
    FAR,
    HEADER_FILE,
    SEED_KINDS,
    SeedKind,
    alike_beside,
    build_index,
    comparable,
    encode,
    open_index,
    protein_index_build,
    seed_words,
    surroundings,
)
from genint.model import ReferenceEntry, ReferenceProtein

AMINO_ACIDS = "ACDEFGHIKLMNPQRSTVWY"

texts = st.text(max_size=12)
entries = st.builds(
    ReferenceEntry,
    accession=texts,
    name=texts,
    symbol=texts,
    organism=texts,
    ec=st.lists(texts, max_size=3).map(tuple),
    go=st.lists(texts, max_size=3).map(tuple),
    cog=texts,
    pfam=st.lists(texts, max_size=3).map(tuple),
    existence=st.none() | st.integers(1, 5),
    length_aa=st.integers(0, 99),
    digest=texts,
)
proteins_of_entries = st.builds(
    ReferenceProtein, entries, st.text(alphabet=AMINO_ACIDS + "XBZ", min_size=1, max_size=40)
)


def made(count: int, seed: int = 1) -> list[ReferenceProtein]:
    chance = random.Random(seed)
    return [
        ReferenceProtein(
            ReferenceEntry(f"P{number:05d}", f"name {number}"),
            "".join(chance.choices(AMINO_ACIDS, k=chance.randint(5, 300))),
        )
        for number in range(count)
    ]


def built(folder: Path, proteins: Sequence[ReferenceProtein]) -> Path:
    folder.mkdir()
    build_index(proteins, folder)
    return folder


@given(proteins=st.lists(proteins_of_entries, max_size=8))
@settings(max_examples=25, deadline=None)
def test_an_index_gives_back_every_protein_and_entry(
    tmp_path_factory: pytest.TempPathFactory, proteins: list[ReferenceProtein]
) -> None:
    folder = built(tmp_path_factory.mktemp("round") / "index", proteins)
    index = open_index(folder)
    assert len(index) == len(proteins)
    for number, protein in enumerate(proteins):
        assert index.entry(number) == protein.entry
        assert index.protein(number).decode() == protein.residues


@pytest.mark.parametrize("kind", SEED_KINDS, ids=[kind.name for kind in SEED_KINDS])
def test_every_seed_is_found_at_every_place_where_it_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: SeedKind
) -> None:
    monkeypatch.setattr(protein_index_build, "_BLOCK", 700)  # Many blocks, seeds across them.
    index = open_index(built(tmp_path / "index", made(40)))
    table = {table.kind: table for table in (index.near, index.far, index.wide)}[kind]
    words = seed_words(index.codes, table.kind)
    expected: dict[int, list[int]] = {}
    for at, seed in zip(words.at.tolist(), words.seeds.tolist(), strict=True):
        expected.setdefault(seed, []).append(at)
    for seed, places in expected.items():
        assert table.places[table.starts[seed] : table.starts[seed + 1]].tolist() == places
    if table.kind.beside:
        around = surroundings(index.codes, table.places.astype(np.int64), table.kind)
        assert table.beside.tolist() == around.tolist()
    assert sum(map(len, expected.values())) == len(table.places)


def test_residues_beside_a_seed_are_compared_by_their_groups() -> None:
    codes = np.frombuffer(encode(b"CCCCCCCCAVCALAGGWWWWWWW"), np.uint8)
    other = np.frombuffer(encode(b"CCCCCCCCSICTMSHHKKKKKKK"), np.uint8)
    at = np.array([8])
    ours, theirs = surroundings(codes, at, FAR), surroundings(other, at, FAR)
    assert alike_beside(ours, ours).tolist() == [8]
    assert alike_beside(ours, theirs).tolist() == [4]


def test_the_same_proteins_give_the_same_bytes(tmp_path: Path) -> None:
    first, second = built(tmp_path / "a", made(50)), built(tmp_path / "b", made(50))
    names = sorted(path.name for path in first.iterdir())
    assert names == sorted([HEADER_FILE, *(file.name for file in ARRAYS)])
    for name in names:
        assert (first / name).read_bytes() == (second / name).read_bytes()


def test_other_proteins_give_another_digest(tmp_path: Path) -> None:
    first, second = built(tmp_path / "a", made(50)), built(tmp_path / "b", made(50, seed=2))
    assert open_index(first).info.digest != open_index(second).info.digest


def test_ranks_follow_the_accessions(tmp_path: Path) -> None:
    proteins = [
        ReferenceProtein(ReferenceEntry(accession, ""), "MKV") for accession in ("B", "C", "A")
    ]
    assert open_index(built(tmp_path / "index", proteins)).ranks.tolist() == [1, 2, 0]


def test_an_empty_protein_is_left_out(tmp_path: Path) -> None:
    proteins = [
        ReferenceProtein(ReferenceEntry("A", ""), ""),
        ReferenceProtein(ReferenceEntry("B", ""), "*"),
        ReferenceProtein(ReferenceEntry("C", ""), "MKV*"),
    ]
    index = open_index(built(tmp_path / "index", proteins))
    assert [index.entry(number).accession for number in range(len(index))] == ["C"]


def test_an_index_of_nothing_opens(tmp_path: Path) -> None:
    index = open_index(built(tmp_path / "index", []))
    assert (index.info.proteins, index.info.residues) == (0, 0)


def test_progress_goes_from_zero_to_one(tmp_path: Path) -> None:
    told: list[float] = []
    build_index(made(5), tmp_path, progress=told.append)
    assert told == sorted(told)
    assert told[0] == 0.0
    assert told[-1] == 1.0


@pytest.mark.parametrize("name", [file.name for file in ARRAYS])
def test_an_array_cut_short_is_named(tmp_path: Path, name: str) -> None:
    folder = built(tmp_path / "index", made(20))
    content = (folder / name).read_bytes()
    (folder / name).write_bytes(content[:-8])
    with pytest.raises(UnavailableError, match=name):
        open_index(folder)


@pytest.mark.parametrize("name", [file.name for file in ARRAYS])
def test_an_array_that_is_missing_is_named(tmp_path: Path, name: str) -> None:
    folder = built(tmp_path / "index", made(20))
    (folder / name).unlink()
    with pytest.raises(UnavailableError, match=name):
        open_index(folder)


@pytest.mark.parametrize(
    "header",
    [b"", b"[]", b"{", b'{"format": 1}', b'{"format": 99}', b"\xff\xfe", b'{"format": 1, "x": []}'],
)
def test_a_damaged_header_is_said_in_one_line(tmp_path: Path, header: bytes) -> None:
    folder = built(tmp_path / "index", made(3))
    (folder / HEADER_FILE).write_bytes(header)
    with pytest.raises(UnavailableError) as caught:
        open_index(folder)
    assert "\n" not in str(caught.value)


def test_counts_that_do_not_fit_the_arrays_are_refused(tmp_path: Path) -> None:
    folder = built(tmp_path / "index", made(3))
    header = json.loads((folder / HEADER_FILE).read_text())
    header["proteins"] += 1
    (folder / HEADER_FILE).write_text(json.dumps(header))
    with pytest.raises(UnavailableError, match="damaged"):
        open_index(folder)


def test_an_index_of_another_format_says_to_build_it_again(tmp_path: Path) -> None:
    folder = built(tmp_path / "index", made(3))
    header = json.loads((folder / HEADER_FILE).read_text())
    header["format"] = 99
    (folder / HEADER_FILE).write_text(json.dumps(header))
    with pytest.raises(UnavailableError, match=r"format 99.*build it again"):
        open_index(folder)


def test_a_folder_without_an_index_is_said(tmp_path: Path) -> None:
    with pytest.raises(UnavailableError, match="no protein index"):
        open_index(tmp_path / "nowhere")


def test_a_damaged_entry_is_an_error_of_ours(tmp_path: Path) -> None:
    folder = built(tmp_path / "index", made(3))
    path = folder / "entries.jsonl"
    path.write_bytes(b"?" * path.stat().st_size)
    with pytest.raises(UnavailableError, match="entry 1"):
        open_index(folder).entry(1)


def test_rare_letters_are_compared_as_what_they_stand_for() -> None:
    assert comparable("mkUOjX-?*B*") == b"MKCKXXXXXB"


def test_codes_of_one_group_differ_in_the_lower_bits_only() -> None:
    codes = np.frombuffer(encode(b"ILVMX"), np.uint8)
    assert codes[0] >> 4 == codes[2] >> 4
    assert codes[0] >> 4 != codes[1] >> 4
    assert len(set(codes.tolist())) == 5
