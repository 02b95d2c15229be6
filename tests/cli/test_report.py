"""Reports of stored results, as the command line makes them."""

import gzip
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from genint.cli.main import run
from genint.cli.output import FORMAT_NAMES as EVERY_NAME
from genint.cli.report import read_result
from genint.errors import FormatError
from genint.report.formats import FIGURE_FORMATS, format_of

FORMAT_NAMES = [name for name in EVERY_NAME if name not in FIGURE_FORMATS]
"""Figures are drawn in test_plot.py: not all environments have what they need."""
EVERY_FORMAT = [word for name in FORMAT_NAMES for word in ("--format", name)]


@pytest.fixture(scope="module")
def interpreted(tmp_path_factory, examples, cache_of_commands):
    """A folder with the example genomes and everything that interpret writes of them."""
    folder = tmp_path_factory.mktemp("interpreted")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GENINT_CACHE_DIR", str(cache_of_commands))
        for name in ("lambda.fasta", "phiX174.gbk"):
            shutil.copy(examples / name, folder)
            dark = ["--dark-fasta", f"{folder}/{Path(name).stem}_report.dark.faa"]
            command = ["interpret", f"{folder}/{name}", *EVERY_FORMAT, "-o", str(folder)]
            assert run([*command, *dark]) == 0
    return folder


@pytest.fixture
def result(interpreted) -> str:
    """The result of phiX174, in the current folder."""
    shutil.copy(interpreted / "phiX174_report.json", ".")
    return "phiX174_report.json"


@pytest.fixture
def changed(result):
    """Changes the result that lies in the current folder."""

    def change(**values) -> str:
        content = json.loads(Path(result).read_text("utf-8"))
        Path(result).write_text(json.dumps(content | values), "utf-8")
        return result

    return change


@pytest.mark.parametrize("name", FORMAT_NAMES)
@pytest.mark.parametrize("stem", ["lambda", "phiX174"])
def test_the_bytes_are_those_that_interpret_wrote(interpreted, stem, name):
    assert run(["report", f"{interpreted}/{stem}_report.json", "--format", name, "-o", "out/"]) == 0
    (made,) = Path("out").iterdir()
    assert made.name == f"{stem}_report.{format_of(name).extension}"
    assert made.read_bytes() == (interpreted / made.name).read_bytes()


@pytest.mark.parametrize("stem", ["lambda", "phiX174"])
def test_dark_proteins_are_those_that_interpret_wrote(interpreted, stem):
    command = ["report", f"{interpreted}/{stem}_report.json", "--dark-fasta", "out.faa"]
    assert run(command) == 0
    assert Path("out.faa").read_bytes() == (interpreted / f"{stem}_report.dark.faa").read_bytes()
    assert Path(f"{stem}_report.md").exists()


def test_the_summary_line_tells_genes_and_place(result, capsys):
    assert run(["report", result]) == 0
    line = capsys.readouterr().out
    assert line.startswith("Reported ")
    assert " of 11 genes in " in line
    assert line.endswith("Report: phiX174_report.md\n")


@pytest.mark.parametrize("name", FORMAT_NAMES)
def test_every_format_goes_to_standard_output(interpreted, name, capfdbinary):
    command = ["report", f"{interpreted}/phiX174_report.json", "--format", name, "-o", "-"]
    assert run(command) == 0
    printed = capfdbinary.readouterr()
    expected = interpreted / f"phiX174_report.{format_of(name).extension}"
    assert printed.out == expected.read_bytes()
    assert printed.err.startswith(b"Reported ")


def test_a_compressed_result_is_read(result):
    content = Path(result).read_bytes()
    Path("x_report.json.gz").write_bytes(gzip.compress(content))
    assert run(["report", "x_report.json.gz", "--format", "json"]) == 0
    assert Path("x_report.json").read_bytes() == content


def test_standard_input_is_read(interpreted):
    content = (interpreted / "phiX174_report.json").read_bytes()
    command = [sys.executable, "-m", "genint", "report", "-", "--format", "json"]
    subprocess.run(command, input=content, check=True, capture_output=True)
    assert Path("stdin_report.json").read_bytes() == content


def test_several_results_end_in_a_table_and_a_bad_one_stops_none(interpreted, result, capsys):
    Path("bad.json").write_text("{")
    files = [result, "bad.json", f"{interpreted}/lambda_report.json"]
    assert run(["report", *files, f"{interpreted}/phiX174_report.json", "-o", "out"]) == 2
    printed = capsys.readouterr()
    assert "4 files: 3 done, 0 already there, 1 failed" in printed.out
    assert "bad.json, line 1: no valid JSON" in printed.err
    assert sorted(file.name for file in Path("out").iterdir()) == [
        "lambda_report.md",
        "phiX174_2_report.md",
        "phiX174_report.md",
    ]


def test_a_result_is_never_overwritten(result, capsys):
    before = Path(result).read_bytes()
    assert run(["report", result, "--format", "json"]) == 2
    assert "would overwrite an input" in capsys.readouterr().err
    assert Path(result).read_bytes() == before


def test_the_genome_is_never_overwritten(result, interpreted, capsys):
    shutil.copy(interpreted / "phiX174.gbk", ".")
    before = Path("phiX174.gbk").read_bytes()
    for more in ([], ["--genome", "phiX174.gbk"]):
        assert run(["report", result, "--format", "gbk", "-o", "phiX174.gbk", *more]) == 2
        assert "would overwrite" in capsys.readouterr().err
    assert Path("phiX174.gbk").read_bytes() == before


def test_the_genome_is_found_beside_the_result_and_here(interpreted, result):
    command = ["report", "--format", "gbk", "-o", "out.gbk"]
    assert run([*command, f"{interpreted}/phiX174_report.json"]) == 0
    shutil.copy(interpreted / "phiX174.gbk", ".")
    Path("sub").mkdir()
    shutil.move(result, "sub")
    assert run([*command, f"sub/{result}"]) == 0


def test_the_genome_may_be_named_one_for_each_result(interpreted, result, capsys):
    shutil.copy(interpreted / "phiX174.gbk", "renamed.gb")
    shutil.copy(interpreted / "lambda_report.json", ".")
    shutil.copy(interpreted / "lambda.fasta", "other.fa")
    genomes = ["--genome", "renamed.gb", "--genome", "other.fa"]
    files = [result, "lambda_report.json"]
    assert run(["report", *files, "--format", "gbk", "-o", "out", *genomes]) == 0
    assert "2 done" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("found", "given", "words"),
    [
        (None, None, "phiX174.gbk is neither beside the result nor here; give it with --genome"),
        ("phiX174.gbk", None, "phiX174.gbk has changed since it was interpreted"),
        ("other.gbk", "other.gbk", "other.gbk: not the file that was interpreted"),
        (None, "missing.gbk", "missing.gbk: no such file"),
        (None, ".", "is a folder"),
    ],
)
def test_without_the_right_genome_one_line_says_what_to_do(
    result, interpreted, capsys, found, given, words
):
    if found:
        Path(found).write_bytes((interpreted / "phiX174.gbk").read_bytes() + b"\n")
    more = ["--genome", given] if given else []
    assert run(["report", result, "--format", "gbk", *more]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert words in line
    assert not Path("phiX174_report.gbk").exists()


@pytest.mark.parametrize("name", ["../secret.gbk", "/etc/hostname", "..", "", "a\0b"])
def test_a_result_leads_to_no_file_elsewhere(changed, interpreted, name, capsys):
    Path("folder").mkdir()
    shutil.copy(interpreted / "phiX174.gbk", "secret.gbk")
    content = json.loads(Path("phiX174_report.json").read_text("utf-8"))
    source = changed(input=content["input"] | {"filename": name})
    shutil.move(source, "folder")
    assert run(["report", f"folder/{source}", "--format", "gbk", "-o", "out.gbk"]) == 2
    assert "is neither beside the result nor here" in capsys.readouterr().err


def test_names_of_a_result_cannot_drive_the_terminal(changed, capsys):
    content = json.loads(Path("phiX174_report.json").read_text("utf-8"))
    source = changed(input=content["input"] | {"filename": "\x1b[2Jx\n"})
    assert run(["report", source, "--format", "gbk"]) == 2
    assert "\x1b" not in capsys.readouterr().err


def test_other_formats_need_no_genome(result):
    others = [
        word for name in FORMAT_NAMES if name not in ("gbk", "embl") for word in ("--format", name)
    ]
    assert run(["report", result, *others, "-o", "out"]) == 0


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "no valid JSON"),
        (b"\x00\xff", "no valid JSON"),
        (b"LOCUS       X", "no valid JSON"),
        (b"{}", "no result of genint"),
        (b"[1, 2]", "no result of genint"),
        (b'{"schema_version": "2.0"}', "schema '2.0'"),
        (b"[" * 100_000, "no valid JSON"),
        (gzip.compress(b"x" * 1000, mtime=0)[:-9], "is cut off"),
        (gzip.compress(bytes(80_000_000), mtime=0), "unpacks to more than 200 times its size"),
    ],
)
def test_what_is_no_result_is_one_clear_line(content, words, capsys):
    Path("x.json").write_bytes(content)
    assert run(["report", "x.json"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("genint: x.json")
    assert words in line
    assert "give a file that genint wrote with --format json" in line or "schema" in line


@pytest.mark.parametrize(("name", "words"), [(".", "is a folder"), ("nothing.json", "no such")])
def test_what_cannot_be_read_is_one_clear_line(name, words, capsys):
    assert run(["report", name]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert words in line


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_a_result_larger_than_the_limit_is_refused(tmp_path, pack):
    source = tmp_path / "x.json"
    source.write_bytes(pack(b" " * 5_000_000))
    with pytest.raises(FormatError, match="holds more than 4 MB"):
        read_result(source, max_bytes=4_000_000)


def test_a_stream_without_end_is_refused(tmp_path):
    with pytest.raises(FormatError, match="holds more than 4 MB"):
        read_result(Path("/dev/zero"), max_bytes=4_000_000)


def test_a_result_of_an_older_schema_is_read(changed):
    assert run(["report", changed(schema_version="1.0"), "--format", "html"]) == 0


def test_dark_proteins_of_a_result_without_them_are_refused_in_words(changed, capsys):
    content = json.loads(Path("phiX174_report.json").read_text("utf-8"))
    for gene in content["genes"]:
        del gene["translation"]
    source = changed(schema_version="1.0", genes=content["genes"])
    assert run(["report", source, "--dark-fasta", "dark.faa"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "interpret" in line
    assert not Path("dark.faa").exists()
    assert Path("phiX174_report.md").exists()
