"""What cannot be written costs no other format; remarks on what is submitted."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from genint.cli.main import run
from genint.cli.report import read_result

RECORD = """LOCUS       odd                      120 bp    DNA              UNK 01-JAN-1980
ACCESSION   odd
VERSION     odd
FEATURES             Location/Qualifiers
     enhancer        100..20
                     /label="my enhancer"
ORIGIN
{bases}
//
"""
BASES = "\n".join(f"{at:>9} {'acgtacgtac ' * 6}".rstrip() for at in (1, 61))


@pytest.fixture
def odd() -> str:
    """Biopython drops a feature over the origin of a record that is not said to be circular."""
    Path("odd.gb").write_text(RECORD.format(bases=BASES))
    return "odd.gb"


def test_the_other_formats_are_written_and_the_status_says_that_one_is_missing(odd, capsys):
    assert run(["interpret", odd, "--format", "embl", "--format", "fna", "--format", "gbk"]) == 2
    printed = capsys.readouterr()
    (complaint,) = [line for line in printed.err.splitlines() if line.startswith("genint: ")]
    assert "odd.gb cannot be written as EMBL" in complaint
    assert 'the enhancer "my enhancer"' in complaint
    assert "odd_report.fna, odd_report.gbk" in printed.out
    assert "embl" not in printed.out
    assert {one.name for one in Path().glob("odd_report.*")} == {"odd_report.fna", "odd_report.gbk"}


def test_several_files_end_in_a_table_that_counts_what_is_not_whole(odd, examples, capsys):
    files = [odd, str(examples / "lambda.fasta")]
    assert run(["interpret", *files, "--format", "embl", "--format", "fna", "-o", "out"]) == 2
    printed = capsys.readouterr()
    assert "2 files: 1 done, 1 without some formats, 0 already there, 0 failed" in printed.out
    assert printed.err.count("cannot be written as EMBL") == 1
    assert len(list(Path("out").glob("*.fna"))) == 2


def test_a_result_without_its_genome_gives_what_needs_none(odd, capsys):
    assert run(["interpret", odd, "--format", "json"]) == 0
    Path("odd.gb").unlink()
    capsys.readouterr()
    arguments = ["report", "odd_report.json", "--format", "gbk", "--format", "embl"]
    assert run([*arguments, "--format", "tsv", "-o", "out"]) == 2
    printed = capsys.readouterr()
    assert printed.err.count("give it with --genome FILE") == 1
    assert [one.name for one in Path("out").iterdir()] == ["odd_report.tsv"]


@pytest.fixture
def several(examples) -> list[str]:
    """A piece of lambda, an annotated record without locus tags, and the piece again."""
    bases = "".join((examples / "lambda.fasta").read_text().split("\n")[1:])[:1500]
    for name in ("a.fasta", "c.fasta"):
        Path(name).write_text(f">{name[0]}\n{bases}\n")
    text = (examples / "phiX174.gbk").read_text().replace("/locus_tag=", "/note=")
    Path("b.gbk").write_text(text)
    files = ["a.fasta", "b.gbk", "c.fasta"]
    return ["interpret", *files, "--locus-tag", "ABC", "--workers", "1", "-o", "out"]


def numbers(file: str) -> list[int]:
    """Those of the locus tags of the genes in a feature table."""
    tags = re.findall(r"\tlocus_tag\tABC_(\d+)\n", Path("out", file).read_text())
    return sorted({int(tag) for tag in tags})


TABLES = ("a_report.tbl", "b_report.tbl", "c_report.tbl")


def test_locus_tags_go_on_from_file_to_file(several):
    assert run([*several, "--format", "tbl", "--format", "json"]) == 0
    of_files = [numbers(file) for file in TABLES]
    assert of_files[0][0] == 10
    assert all(of_files)
    every = [number for one in of_files for number in one]
    assert every == sorted(set(every))
    stored = read_result(Path("out/c_report.json"))
    assert stored.parameters.locus_tags_before * 10 < of_files[2][0]
    assert run(["report", "out/c_report.json", "--format", "tbl", "-o", "again.tbl"]) == 0
    assert Path("again.tbl").read_bytes() == Path("out/c_report.tbl").read_bytes()


def test_locus_tags_are_the_same_where_only_what_is_missing_is_done_again(several, capsys):
    command = [*(one for one in several if one != "b.gbk"), "--format", "tbl"]
    assert run(command) == 0
    first = Path("out/c_report.tbl").read_bytes()
    Path("out/c_report.tbl").unlink()
    assert run(command) == 0
    assert "1 done, 1 already there" in capsys.readouterr().out
    assert Path("out/c_report.tbl").read_bytes() == first
    Path("a.fasta").write_text("no genome")  # takes no numbers, so those behind it move up
    assert run(command) == 2
    assert "1 done, 0 already there, 1 failed" in capsys.readouterr().out
    assert numbers("c_report.tbl")[0] == 10


def test_a_feature_table_says_which_tags_of_the_file_break_the_rules(examples, capsys):
    text = (examples / "phiX174.gbk").read_text()
    end = text.index("\n", text.index("     CDS  "))
    tag = '\n                     /locus_tag="b0001"'
    Path("tagged.gbk").write_text(f"{text[:end]}{tag}{text[end:]}")
    assert run(["interpret", "tagged.gbk", "--format", "tbl", "-o", "t.tbl"]) == 0
    said = capsys.readouterr().err
    assert "tagged.gbk: 1 locus tag of the file is not by the rules of the INSDC" in said
    assert "b0001" in Path("t.tbl").read_text()
