"""Coverage of names: who is held out, what counts, what is printed."""

from __future__ import annotations

import gzip
import subprocess
import sys
from pathlib import Path

import pytest

from genint.knowledge import load_products
from training.vocabulary.name_coverage import (
    NamedProtein,
    is_held_out,
    missing,
    read_named,
    share_found,
    split_heading,
)

READ = next(f"record{n}" for n in range(99) if not is_held_out(f"record{n}"))
HELD = next(f"record{n}" for n in range(99) if is_held_out(f"record{n}"))
MACHINE = next(f"machine{n}" for n in range(99) if not is_held_out(f"machine{n}"))


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A training folder of three records."""
    folder = tmp_path / "train"
    folder.mkdir()
    rows = [(READ, "SEED wording (2011)"), (HELD, "submitter"), (MACHINE, "PHROG wording")]
    rows.append(("PhANNs_MCP|", "submitter"))
    (folder / "records.tsv").write_text(
        "record\tnames\n" + "".join(f"{record}\t{names}\n" for record, names in rows)
    )
    proteins = [
        (f"1|{READ}||Phage holin", "MKV"),
        (f"2|{READ}||Phage holin", "MKV"),
        (f"3|{READ}||Phage frobnication factor", "MAA"),
        (f"4|{READ}||hypothetical protein", "MCC"),
        (f"5|{HELD}||tail protein", "MDD"),
        (f"6|{HELD}||Phage defrobnication factor", "MEE"),
        (f"7|{MACHINE}||portal protein", "MFF"),
        ("8|PhANNs_MCP|||major capsid protein", "MGG"),
    ]
    with gzip.open(folder / "phage_proteins.faa.gz", "wt") as stream:
        stream.writelines(f">{heading}\n{residues}\n" for heading, residues in proteins)
    return tmp_path


def test_about_a_fifth_of_the_records_is_held_out() -> None:
    held = sum(is_held_out(f"record {number}") for number in range(2_000))
    assert 320 <= held <= 480


def test_a_heading_splits_though_its_record_holds_bars() -> None:
    assert split_heading("7_x|gi|1|gb|A.1||holin") == ("7_x", "gi|1|gb|A.1", "holin")


def test_only_names_that_tell_something_are_read_each_protein_and_name_once(data: Path) -> None:
    read = list(read_named(data / "train"))
    assert [one.product for one in read] == [
        "Phage holin",
        "Phage frobnication factor",
        "tail protein",
        "Phage defrobnication factor",
        "major capsid protein",
    ]
    assert [one.held_out for one in read[:4]] == [False, False, True, True]
    assert read[4].origin == "submitter, pooled"
    assert read[4].held_out == is_held_out("8")


def test_shares_count_proteins_names_and_classes() -> None:
    named = [
        NamedProtein("a", "holin", "SEED", held_out=False),
        NamedProtein("b", "holin", "SEED", held_out=False),
        NamedProtein("c", "tail protein", "SEED", held_out=False),
        NamedProtein("d", "frobnication factor", "SEED", held_out=False),
    ]
    share = share_found(named, load_products())
    assert (share.proteins, share.found_proteins, share.vague_proteins) == (4, 3, 1)
    assert (share.names, share.found_names) == (3, 2)


def test_names_of_held_out_records_are_never_listed(data: Path) -> None:
    listed = missing(read_named(data / "train"), load_products())
    assert dict(listed) == {"Phage frobnication factor": 1}


def test_the_printed_table_has_both_parts_and_no_held_out_name(data: Path) -> None:
    command = [sys.executable, "-m", "training.vocabulary.name_coverage", "--data", str(data)]
    root = Path(__file__).resolve().parents[2]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=root)
    assert "read\tall but pooled\t2\t50.0%" in done.stdout
    assert "held out\tall but pooled\t2\t50.0%\t50.0%" in done.stdout
    assert "1\tPhage frobnication factor" in done.stdout
    assert "defrobnication" not in done.stdout


def test_most_names_of_phages_are_found_seen_or_not(shared_data: Path) -> None:
    vocabulary = load_products()
    named = [one for one in read_named(shared_data / "train") if "pooled" not in one.origin]
    for held_out in (False, True):
        share = share_found([one for one in named if one.held_out == held_out], vocabulary)
        assert share.found_proteins >= 0.7 * share.proteins
