"""The whole build of families, on proteins made up here: nothing of it is anyone's."""

from __future__ import annotations

import csv
import hashlib
import json
import os
import random
import shutil
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from genint.knowledge import profile_pack
from training.families.__main__ import OUTPUT, REPORT, main
from training.families.alignment import build_profile, diverse, from_bytes, to_bytes
from training.families.cluster import masked, named
from training.families.corpus import sequence_hash
from training.families.thresholds import FLOOR_BITS
from training.families.values import Cluster, Corpus

pytestmark = pytest.mark.usefixtures("mmseqs")

RESIDUES = "ACDEFGHIKLMNPQRSTVWY"
FILES = ("bacterial_families.bin", "families.tsv", "family_members.tsv", "phage_families.bin")


def made_up(seed: int, length: int = 160) -> str:
    return "M" + "".join(random.Random(seed).choices(RESIDUES, k=length - 1))


def mutated(residues: str, seed: int, share: float = 0.35) -> str:
    chance = random.Random(seed)
    return "".join(
        chance.choice(RESIDUES) if chance.random() < share else residue for residue in residues
    )


def relatives(seed: int, number: int) -> list[str]:
    return [mutated(made_up(seed), 1000 * seed + at) for at in range(number)]


class Line(NamedTuple):
    record: str
    product: str
    residues: str


PORTAL = relatives(1, 6)
INTEGRASE = relatives(2, 5)
HOLIN = relatives(3, 4)
HALF_A_PORTAL = PORTAL[0][:80] + made_up(50, 150)
"""A protein of another function that shares a domain with the portal proteins."""

LINES = (
    *(Line(f"P{at}", "portal protein", one) for at, one in enumerate(PORTAL)),
    *(Line(f"P{at}", "integrase", one) for at, one in enumerate(INTEGRASE)),
    *(Line("P9", "holin", one) for one in HOLIN),
    *(Line(f"P{at}", "hypothetical protein", one) for at, one in enumerate(relatives(4, 4))),
    Line("P1", "tail fiber protein", made_up(5)),
    Line("P7", "DNA polymerase", HALF_A_PORTAL),
)


class Built(NamedTuple):
    """What a build left behind."""

    rows: dict[str, dict[str, str]]
    contents: dict[str, bytes]
    report: dict[str, dict[str, object]]


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with the made-up proteins, and the list of its inputs."""
    folder = tmp_path_factory.mktemp("data")
    records = sorted({line.record for line in LINES})
    (folder / "records.tsv").write_text(
        "record\tnames\n" + "".join(f"{record}\tsubmitter or RefSeq\n" for record in records)
    )
    (folder / "proteins.faa").write_text(
        "".join(
            f">{at}_x{at}|{line.record}||{line.product}\n{line.residues}\n"
            for at, line in enumerate(LINES)
        )
    )
    (folder / "inputs.toml").write_text(
        "".join(
            f'[[input]]\npath = "{path}"\nreader = "{reader}"\nlineage = "phage"\n'
            f'sha256 = "{hashlib.sha256((folder / path).read_bytes()).hexdigest()}"\n'
            for path, reader in (("records.tsv", "record_table"), ("proteins.faa", "train_fasta"))
        )
    )
    return folder


def build(data: Path, work: Path, *more: str) -> Built:
    output = work / "output"
    folders = ["--data", str(data), "--work", str(work), "--output", str(output)]
    main([*folders, "--inputs", str(data / "inputs.toml"), "--processes", "1", *more])
    return left_in(work)


def left_in(work: Path) -> Built:
    output = work / "output"
    with (output / "families.tsv").open() as stream:
        lines = [line for line in stream if not line.startswith("#")]
    rows = {row["name"]: row for row in csv.DictReader(lines, delimiter="\t")}
    contents = {name: (output / name).read_bytes() for name in FILES}
    return Built(rows, contents, json.loads((work / REPORT).read_text()))


@pytest.fixture(scope="module")
def first_work(data: Path, mmseqs: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A work folder that was empty before its build; to be copied, not built in."""
    work = tmp_path_factory.mktemp("work")
    build(data, work)
    return work


@pytest.fixture(scope="module")
def built(first_work: Path) -> Built:
    return left_in(first_work)


@pytest.fixture
def work(first_work: Path, tmp_path: Path) -> Path:
    """A work folder that remembers the first build."""
    return shutil.copytree(first_work, tmp_path / "work")


def test_families_of_several_records_with_one_name_are_built(built):
    assert set(built.rows) == {"portal protein", "integrase"}
    assert built.rows["portal protein"]["members"] == "6"
    assert built.rows["integrase"]["records"] == "5"


def test_a_cluster_of_one_record_a_nameless_one_and_a_lone_protein_make_no_family(built):
    names = set(built.rows)
    assert not names & {"holin", "hypothetical protein", "tail fiber protein"}


def test_profiles_carry_the_thresholds_of_the_table(built):
    profiles = list(profile_pack.decode(built.contents["phage_families.bin"]))
    by_id = {row["id"]: row for row in built.rows.values()}
    assert {profile.name for profile in profiles} == set(by_id)
    for profile in profiles:
        assert f"{profile.cutoffs.gathering1:.1f}" == by_id[profile.name]["threshold_bits"]
        assert str(profile.M) == by_id[profile.name]["length_aa"]


def test_phage_families_are_not_in_the_pack_of_bacteria(built):
    assert profile_pack.read_header(built.contents["bacterial_families.bin"]).profiles == 0


def test_the_threshold_lies_above_a_protein_of_another_function(built):
    assert float(built.rows["portal protein"]["threshold_bits"]) > FLOOR_BITS
    assert float(built.rows["integrase"]["threshold_bits"]) == FLOOR_BITS


def test_a_second_run_from_nothing_on_two_processes_writes_the_same_bytes(data, built, tmp_path):
    assert build(data, tmp_path, "--processes", "2").contents == built.contents


def test_a_run_on_what_is_remembered_computes_nothing_and_writes_the_same_bytes(data, built, work):
    again = build(data, work)
    assert again.contents == built.contents
    assert built.report["counts"]["profiles built"] == 2
    assert again.report["counts"]["profiles built"] == 0
    assert again.report["counts"]["profiles searched with"] == 0


def test_a_blind_build_builds_only_what_it_touches(data, built, work):
    exclusion = work / "exclude.txt"
    exclusion.write_text("record P5\n")  # it has a portal protein, no integrase
    blind = build(data, work, "--exclude", str(exclusion))
    assert blind.report["counts"]["profiles built"] == 1
    assert blind.rows["integrase"] == built.rows["integrase"]
    assert blind.rows["portal protein"]["members"] == "5"
    assert blind.rows["portal protein"]["id"] == built.rows["portal protein"]["id"]


def test_an_excluded_protein_sets_no_threshold(data, work):
    exclusion = work / "exclude.txt"
    exclusion.write_text(f"protein {sequence_hash(HALF_A_PORTAL)}\n")
    blind = build(data, work, "--exclude", str(exclusion))
    assert float(blind.rows["portal protein"]["threshold_bits"]) == FLOOR_BITS
    assert blind.rows["portal protein"]["members"] == "6"


def test_an_excluded_member_is_not_among_the_members_that_ship(data, built, work):
    digits = sequence_hash(PORTAL[0])[:10]
    assert digits.encode() in built.contents["family_members.tsv"]
    exclusion = work / "exclude.txt"
    exclusion.write_text(f"protein {sequence_hash(PORTAL[0])}\n")
    blind = build(data, work, "--exclude", str(exclusion))
    assert digits.encode() not in blind.contents["family_members.tsv"]


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What the command says in one line, having ended with status 2 and made nothing."""
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    said = capsys.readouterr().err
    assert said.startswith("error: ")
    assert said.count("\n") == 1
    return said


def test_another_content_of_an_input_ends_the_build_with_its_name(data, tmp_path, capsys):
    copy = shutil.copytree(data, tmp_path / "data")
    with (copy / "proteins.faa").open("a") as stream:
        stream.write(">99_x|P1||holin\nMKT\n")
    folders = ["--work", str(tmp_path / "work"), "--output", str(tmp_path / "output")]
    told = refused(
        capsys,
        "--data",
        str(copy),
        "--inputs",
        str(copy / "inputs.toml"),
        "--processes=1",
        *folders,
    )
    assert "input proteins.faa has SHA-256" in told
    assert not (tmp_path / "output").exists()


def test_a_blind_build_never_goes_where_the_shipped_one_lies(tmp_path, capsys):
    exclusion = tmp_path / "exclude.txt"
    exclusion.write_text("record P5\n")
    assert "give --output" in refused(capsys, "--exclude", str(exclusion))
    same = f"{OUTPUT}/../data"
    assert "give --output" in refused(capsys, "--exclude", str(exclusion), "--output", same)


def test_an_unknown_or_binary_exclusion_is_one_line(tmp_path, capsys):
    folders = ("--work", str(tmp_path / "work"), "--output", str(tmp_path / "output"))
    missing = refused(capsys, *folders, "--exclude", str(tmp_path / "none.txt"))
    assert "none.txt: No such file" in missing
    binary = tmp_path / "binary"
    binary.write_bytes(b"\xff\xfe\x00")
    assert "is not text" in refused(capsys, *folders, "--exclude", str(binary))
    assert not (tmp_path / "work").exists()


@pytest.mark.parametrize("option", ["--work", "--output"])
@pytest.mark.parametrize("below", ["", "deeper/still"])
def test_a_file_is_no_folder_to_work_in(tmp_path, capsys, option, below):
    file = tmp_path / "file"
    file.touch()
    folders = {"--work": str(tmp_path / "w"), "--output": str(tmp_path / "o")}
    folders[option] = str(file / below)
    told = refused(capsys, *(word for pair in folders.items() for word in pair))
    assert told == f"error: {option} {file / below}: {file} is not a folder\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (None, "No such file"),
        ("", "no tables [[input]]"),
        ("[[input]\n", "Expected"),
        ("input = 3\n", "no tables [[input]]"),
        ('[[input]]\npath = "x"\n', "lacks 'sha256'"),
    ],
)
def test_a_wrong_list_of_inputs_is_one_line(tmp_path, capsys, text, said):
    file = tmp_path / "list.toml"
    if text is not None:
        file.write_text(text)
    folders = ("--work", str(tmp_path / "w"), "--output", str(tmp_path / "o"))
    assert said in refused(capsys, *folders, "--inputs", str(file))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (None, "No such file"),
        ("[[name]\n", "Expected"),
        ('name = "x"\n', "entries begin with [[name]]"),
        ('[[name]]\npattern = "x"\nignore = true\n', "lacks its reason"),
        ('[[name]]\npattern = "x"\nreplacement = 3\nreason = "r"\n', "replacement is no text"),
        (
            '[[name]]\npattern = "x"\nignore = true\nshorter_than_aa = "5"\nreason = "r"\n',
            "shorter_than_aa is not a whole number",
        ),
        (
            '[[family]]\nid = "GF00000001"\nname = "gp12"\nreason = "r"\n',
            "family GF00000001: 'gp12' states no function",
        ),
    ],
)
def test_a_wrong_correction_is_one_line(tmp_path, capsys, text, said):
    file = tmp_path / "corrections.toml"
    if text is not None:
        file.write_text(text)
    folders = ("--work", str(tmp_path / "w"), "--output", str(tmp_path / "o"))
    assert said in refused(capsys, *folders, "--corrections", str(file))


@pytest.mark.parametrize("option", ["--processes=0", "--steps-per-bit=13"])
def test_numbers_out_of_range_are_one_line(tmp_path, capsys, option):
    folders = ("--work", str(tmp_path / "w"), "--output", str(tmp_path / "o"))
    assert option.partition("=")[0] in refused(capsys, *folders, option)


def test_an_mmseqs_that_does_not_run_is_one_line(data, tmp_path, capsys, monkeypatch):
    broken = tmp_path / "bin" / "mmseqs"
    broken.parent.mkdir()
    broken.write_text("#!/bin/sh\nexit 3\n")
    broken.chmod(0o755)
    monkeypatch.setenv("PATH", str(broken.parent), prepend=os.pathsep)
    folders = ("--work", str(tmp_path / "w"), "--output", str(tmp_path / "o"))
    more = ("--data", str(data), "--inputs", str(data / "inputs.toml"))
    assert "mmseqs does not run" in refused(capsys, *folders, *more)


def test_a_full_build_reports_corrections_that_fit_nothing_and_a_blind_one_does_not(data, work):
    corrections = work / "corrections.toml"
    corrections.write_text(
        '[[name]]\npattern = "holin"\nignore = true\nreason = "r"\n'
        '[[name]]\npattern = "hollin"\nignore = true\nreason = "r"\n'
    )
    full = build(data, work, "--corrections", str(corrections))
    assert full.report["names"]["corrections that fit nothing"] == ["name 'hollin'"]
    exclusion = work / "exclude.txt"
    exclusion.write_text("record P9\n")  # the only one with holins
    blind = build(data, work, "--corrections", str(corrections), "--exclude", str(exclusion))
    assert "corrections that fit nothing" not in blind.report["names"]


def test_excluded_records_and_proteins_that_nobody_has_are_reported(data, work):
    exclusion = work / "exclude.txt"
    exclusion.write_text(f"record P77\nprotein {'ab' * 32}\nprotein {sequence_hash(PORTAL[0])}\n")
    names = build(data, work, "--exclude", str(exclusion)).report["names"]
    assert names["unknown excluded records"] == ["P77"]
    assert names["unknown excluded proteins"] == ["ab" * 32]


def test_the_report_says_inputs_and_versions(built):
    counts = built.report["counts"]
    assert {"MMseqs2", "pyfamsa", "pyhmmer", "input proteins.faa"} <= set(counts)
    assert counts["families"] == 2


def test_a_profile_does_not_depend_on_the_order_of_its_members():
    assert to_bytes(build_profile(PORTAL)) == to_bytes(build_profile(PORTAL[::-1]))


def test_a_profile_survives_its_file_under_its_new_name():
    profile = build_profile(PORTAL)
    again = from_bytes(to_bytes(profile), "GF1")
    assert again.name == again.accession == "GF1"
    assert np.array_equal(again.match_emissions, profile.match_emissions)
    assert np.array_equal(
        again.evalue_parameters.as_vector(), profile.evalue_parameters.as_vector()
    )


def test_unusual_residues_do_not_keep_a_protein_from_alignment():
    assert build_profile([PORTAL[0], PORTAL[1][:70] + "UOJXBZ" + PORTAL[1][76:]]).M > 100


def test_of_many_members_those_unlike_one_another_are_aligned():
    copies = [mutated(PORTAL[0], at, share=0.02) for at in range(20)]
    chosen = diverse([*copies, *PORTAL[1:]], 6)
    assert set(PORTAL[1:]) <= set(chosen)
    assert diverse([*PORTAL[1:], *copies[::-1]], 6) == chosen


def test_clusters_whose_ids_would_collide_get_ids_of_their_own():
    one, other = "a" * 8 + "b" * 56, "a" * 8 + "c" * 56
    ids = [group.id for group in named([(other, (other, "x")), (one, (one, "y"))])]
    assert ids == ["GFAAAAAAAA", "GFCCCCCCCC"]


def test_masking_keeps_the_id_and_drops_clusters_of_one():
    groups = [Cluster("GF1", ("a", "b", "c")), Cluster("GF2", ("d", "e"))]
    left = Corpus(dict.fromkeys("abd"))
    assert masked(groups, left) == (Cluster("GF1", ("a", "b")),)
