import bz2
import gzip
import json
import os
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest

from genint.cli.main import run
from genint.version import __version__


@pytest.fixture
def phix(examples) -> str:
    return str(examples / "phiX174.gbk")


def test_version_is_printed_in_the_agreed_form(capsys):
    assert run(["--version"]) == 0
    assert capsys.readouterr().out == f"genint {__version__}\n"


def test_a_report_is_named_after_its_input_and_the_summary_line_says_all(phix, capsys):
    assert run(["interpret", phix]) == 0
    line = capsys.readouterr().out
    assert line.startswith("Interpreted ")
    for word in (" of 11 genes in ", " s: ", " high, ", " moderate, ", " low, ", " dark matter"):
        assert word in line
    assert line.endswith("Report: phiX174_report.md\n")
    assert (
        Path("phiX174_report.md").read_text("utf-8").startswith("# Interpretation of phiX174.gbk")
    )


def test_a_date_that_a_format_does_not_carry_is_told(phix, capsys):
    assert run(["interpret", phix, "--date", "2026-01-02", "--format", "gbk", "-o", "x.gbk"]) == 0
    said = capsys.readouterr().err
    assert "--date is without effect on gbk: records of the file keep their dates" in said
    assert "02-JAN-2026" not in Path("x.gbk").read_text()


@pytest.mark.parametrize(
    ("suffix", "compress"), [(".gz", gzip.compress), (".bz2", bz2.compress), ("", bytes)]
)
def test_compressed_files_are_read_and_named_without_their_suffix(phix, suffix, compress):
    Path(f"copy.gbk{suffix}").write_bytes(compress(Path(phix).read_bytes()))
    assert run(["interpret", f"copy.gbk{suffix}"]) == 0
    assert Path("copy_report.md").exists()


def test_json_goes_to_standard_output_and_the_summary_to_standard_error(phix, capsys):
    assert run(["interpret", phix, "--format", "json", "-o", "-"]) == 0
    printed = capsys.readouterr()
    assert json.loads(printed.out)["summary"]["total_genes"] == 11
    assert "Interpreted" in printed.err


def test_standard_input_is_read(phix):
    command = [sys.executable, "-m", "genint", "interpret", "-"]
    subprocess.run(command, input=Path(phix).read_bytes(), check=True, capture_output=True)
    assert Path("stdin_report.md").exists()


def test_two_formats_at_once_agree(phix):
    assert run(["interpret", phix, "--format", "md", "--format", "json", "-o", "out"]) == 0
    result = json.loads(Path("out/phiX174_report.json").read_text("utf-8"))
    schema = json.loads(
        (Path(sys.modules["genint.report"].__file__).parent / "result.schema.json").read_text()
    )
    jsonschema.validate(result, schema)
    markdown = Path("out/phiX174_report.md").read_text("utf-8")
    for gene in result["genes"]:
        if not gene["is_dark"]:
            assert f"Confidence: {gene['confidence']} ({gene['score']:.2f})" in markdown


def test_an_html_report_is_one_page_named_after_its_input(phix, capsys):
    assert run(["interpret", phix, "--format", "html"]) == 0
    assert capsys.readouterr().out.endswith("Report: phiX174_report.html\n")
    page = Path("phiX174_report.html").read_text("utf-8")
    assert page.startswith("<!doctype html>\n")
    assert page.endswith("</html>\n")


def test_the_same_bytes_come_out_whatever_the_workers(examples, monkeypatch):
    monkeypatch.setenv("GENINT_CACHE_MB", "0")  # both of them search
    fasta = str(examples / "lambda.fasta")
    for workers in ("1", "3"):
        run(["interpret", fasta, "--workers", workers, "--format", "json", "-o", f"{workers}.json"])
    assert Path("3.json").read_bytes() == Path("1.json").read_bytes()


def test_nothing_in_a_report_depends_on_where_it_was_made(phix):
    run(["interpret", phix, "--format", "json", "-o", "a.json"])
    text = Path("a.json").read_text("utf-8")
    assert str(Path.cwd()) not in text
    assert str(Path(phix).parent) not in text


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["interpret", "nothing.gb"], "nothing.gb: no such file"),
        (["interpret", "."], "is a folder"),
        (["interpret", "empty.gb"], "empty"),
        (["interpret", "text.gb"], "text.gb"),
        (["interpret", "bad.fa"], "bad.fa, line 2"),
        (["interpret", "x.gb", "--format", "dark-fasta"], "--dark-fasta PATH"),
        (["interpret", "x.gb", "--format", "docx"], "no format"),
        (["interpret", "x.gb", "--workers", "0"], "--workers"),
        (["interpret", "x.gb", "--workers", "5"], "--workers"),
        (["interpret", "x.gb", "--mode", "quick"], "--mode"),
        (["interpret", "x.gb", "--online-timeout", "60"], "--online-timeout needs --mode online"),
        (
            ["interpret", "x.gb", "--mode", "local", "--online-timeout", "60"],
            "--online-timeout needs --mode online",
        ),
        (
            ["interpret", "x.gb", "--mode", "online", "--online-timeout", "0.5"],
            "'--online-timeout'",
        ),
        (
            ["interpret", "x.gb", "--mode", "online", "--online-timeout", "3601"],
            "'--online-timeout'",
        ),
        (
            ["interpret", "x.gb", "--mode", "online", "--online-timeout", "nan"],
            "1 to 3600 seconds",
        ),
        (["interpret"], "FILE"),
        (
            ["interpret", "x.gb", "--locus-tag", "a b"],
            "--locus-tag: a locus tag prefix is 3 to 12 letters and digits",
        ),
        (["interpret", "x.gb", "--locus-tag", "ABC_1"], "begins with a letter"),
        (["interpret", "x.gb", "--date", "25.11.2026"], "'--date'"),
        (["interpret", "x.gb", "--date", "1800-01-01"], "--date: give a date from 1980 on"),
        (["frobnicate"], "frobnicate"),
        (["--frobnicate"], "--frobnicate"),
    ],
)
def test_bad_usage_and_bad_input_exit_2_with_one_clear_line(arguments, words, capsys):
    Path("empty.gb").write_bytes(b"")
    Path("text.gb").write_text("Dear reader,\nthis is a letter.\n")
    Path("bad.fa").write_text(">x\nACGT!\n")
    Path("x.gb").write_text(">x\nACGT\n")
    assert run(arguments) == 2
    (complaint,) = capsys.readouterr().err.splitlines()
    assert complaint.startswith("genint: ")
    assert words in complaint


def test_debug_shows_the_traceback(capsys):
    with pytest.raises(Exception, match="no such file"):
        run(["interpret", "nothing.gb", "--debug"])


def test_a_batch_ends_in_a_table_and_goes_on_after_a_bad_file(phix, capsys):
    Path("bad.fa").write_text(">x\nACGT!\n")
    assert run(["interpret", phix, "bad.fa", phix, "-o", "out"]) == 2
    printed = capsys.readouterr()
    assert "3 files: 2 done, 0 already there, 1 failed" in printed.out
    assert "bad.fa, line 2" in printed.err
    names = {path.name for path in Path("out").iterdir()}
    assert {"phiX174_report.md", "phiX174_2_report.md"} <= names


def test_a_batch_resumes_with_what_is_missing(phix, capsys):
    arguments = ["interpret", phix, phix, "-o", "out"]
    assert run(arguments) == 0
    Path("out/phiX174_2_report.md").unlink()
    capsys.readouterr()
    assert run(arguments) == 0
    assert "2 files: 1 done, 1 already there, 0 failed" in capsys.readouterr().out
    assert run([*arguments, "--force"]) == 0
    assert "2 files: 2 done, 0 already there" in capsys.readouterr().out


def test_a_batch_with_other_options_is_done_again(phix, capsys):
    assert run(["interpret", phix, phix, "-o", "out"]) == 0
    capsys.readouterr()
    assert run(["interpret", phix, phix, "-o", "out", "--mode", "local"]) == 0
    assert "2 done, 0 already there" in capsys.readouterr().out


def test_ignoring_annotations_reports_the_comparison(phix):
    assert run(["interpret", phix, "--ignore-annotations"]) == 0
    report = Path("phiX174_report.md").read_text("utf-8")
    assert "## Compared with the annotation of the file" in report
    assert "Genes in the file: 11" in report


def test_a_closed_pipe_is_no_error(phix):
    shell = f"{sys.executable} -m genint interpret {phix} -o - | head -1"
    command = ["bash", "-o", "pipefail", "-c", shell]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert done.stdout.startswith("# Interpretation")
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr


def test_progress_bars_stay_off_when_nobody_is_looking(phix):
    done = subprocess.run(
        [sys.executable, "-m", "genint", "interpret", phix],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ,
    )
    assert done.stderr == ""


def test_db_list_names_release_and_licence_of_everything_that_ships(capsys):
    assert run(["db", "list"]) == 0
    printed = capsys.readouterr().out
    for word in ("Pfam 35.0", "InterPro", "Gene Ontology", "COG", "CC0", "CC BY 4.0"):
        assert word in printed


@pytest.mark.parametrize(
    ("shell", "code", "words"),
    [
        ("interpret {phix} -o - > /dev/full", 1, "No space left"),
        ("interpret {phix} -o - >&-", 2, "standard output is closed"),
        ("interpret - <&-", 2, "standard input is closed"),
    ],
)
def test_a_stream_that_fails_is_one_plain_line(phix, shell, code, words):
    command = f"{sys.executable} -m genint " + shell.format(phix=phix)
    done = subprocess.run(["bash", "-c", command], check=False, capture_output=True, text=True)
    assert done.returncode == code
    assert words in done.stderr
    assert "internal error" not in done.stderr
    assert "Traceback" not in done.stderr


def test_a_report_is_utf8_whatever_the_locale(phix):
    command = [sys.executable, "-m", "genint", "interpret", phix, "-o", "-"]
    ascii_only = os.environ | {"PYTHONIOENCODING": "ascii", "LC_ALL": "C", "PYTHONUTF8": "0"}
    done = subprocess.run(command, env=ascii_only, check=True, capture_output=True)
    assert "“" in done.stdout.decode("utf-8")


def test_remarks_on_the_input_are_announced(capsys):
    Path("odd.fasta").write_text(">a\nACGTACGT\n>b\n>c\nACGT\n")
    assert run(["interpret", "odd.fasta"]) == 0
    said = capsys.readouterr().err
    assert "remark" in said
    assert "no protein-coding gene was found" in said


def test_without_a_command_the_help_is_shown(capsys):
    assert run([]) == 2
    printed = capsys.readouterr()
    assert printed.err.startswith("Usage: genint")


def test_gene_notes_have_a_file_of_their_own(phix):
    assert run(["interpret", phix, "--format", "notes"]) == 0
    notes = Path("phiX174_report.notes.txt").read_text("ascii")
    assert notes.count("\nCDS ") == notes.count("/note=SSC: ") == 11
    assert "/function=" in notes


def test_dark_proteins_are_written_beside_the_report(phix):
    assert run(["interpret", phix, "--dark-fasta", "dark.faa"]) == 0
    assert Path("dark.faa").read_text("ascii").startswith(">")
    assert Path("phiX174_report.md").exists()


def test_dark_proteins_may_go_to_standard_output(phix, capsys):
    assert run(["interpret", phix, "--dark-fasta", "-"]) == 0
    printed = capsys.readouterr()
    assert printed.out.startswith(">")
    assert "Report: phiX174_report.md, standard output" in printed.err


def test_a_batch_with_dark_proteins_resumes(phix, capsys):
    batch = ["interpret", phix, phix, "-o", "out"]
    dark = ["--dark-fasta", "dark"]
    assert run(batch) == 0
    assert run([*batch, *dark]) == 0
    assert "2 done, 0 already there" in capsys.readouterr().out
    assert run([*batch, *dark]) == 0
    assert "0 done, 2 already there" in capsys.readouterr().out
    Path("dark/phiX174_2_report.dark.faa").unlink()
    assert run([*batch, *dark]) == 0
    assert "1 done, 1 already there" in capsys.readouterr().out
    assert Path("dark/phiX174_2_report.dark.faa").exists()
    assert run(batch) == 0
    assert "0 done, 2 already there" in capsys.readouterr().out


def test_genbank_of_standard_input_is_written(phix):
    command = [sys.executable, "-m", "genint", "interpret", "-", "--format", "gbk", "-o", "-"]
    done = subprocess.run(command, input=Path(phix).read_bytes(), check=True, capture_output=True)
    assert done.stdout.startswith(b"LOCUS")


@pytest.mark.parametrize("arguments", [["--version"], ["--help"], ["report", "--help"]])
def test_what_computes_nothing_loads_nothing_heavy(arguments):
    heavy = ("numpy", "Bio", "pyhmmer", "pyrodigal", "pydantic", "jinja2", "aiohttp", "rich")
    code = (
        "import sys; from genint.cli.main import run; run(sys.argv[1:]); "
        f"print([name for name in {heavy} if name in sys.modules], file=sys.stderr)"
    )
    command = [sys.executable, "-c", code, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stderr.strip() == "[]"


def test_genes_of_a_gff3_file_beside_the_bases_are_those_of_the_record(
    examples, tmp_path, monkeypatch, pressed
):
    monkeypatch.setenv("GENINT_CACHE_DIR", str(pressed))
    record = str(examples / "phiX174.gbk")
    made = [part for form in ("gff3", "fna", "json") for part in ("--format", form)]
    assert run(["interpret", record, *made, "-o", f"{tmp_path}/"]) == 0
    bases, table = tmp_path / "phiX174_report.fna", tmp_path / "phiX174_report.gff3"
    again = tmp_path / "again.json"
    command = ["interpret", str(bases), "--genes", str(table), "--format", "json", "-o", str(again)]
    assert run(command) == 0
    results = [json.loads(file.read_text()) for file in (tmp_path / "phiX174_report.json", again)]
    names = ("parts", "product", "function", "confidence", "score")
    before, after = [
        sorted(repr([gene[name] for name in names]) for gene in result["genes"])
        for result in results
    ]
    assert before == after
    assert results[1]["input"]["format"] == "gff3"


@pytest.mark.parametrize(
    ("row", "bases", "said"),
    [
        ("phi\tx\tCDS\t5\t900\t.\t+\t0\tID=a", "ACGT", "genes.gff3, line 2: ends at 900"),
        ("phi\tx\tCDS\tq\t9\t.\t+\t0\tID=a", "ACGT", "genes.gff3, line 2: q to 9 is no place"),
        ("phi\tx\tCDS\t1\t3\t.\t+\t0\tID=a", "ACGT!", "bases.fna, line 3: character '!'"),
        ("phi\tx\tregion\t1\t3\t.\t+\t.\tID=a", "ACGT", "genes.gff3: it has no row of kind CDS"),
    ],
)
def test_a_fault_of_either_file_is_told_with_its_name_and_line(tmp_path, capsys, row, bases, said):
    table, fasta = tmp_path / "genes.gff3", tmp_path / "bases.fna"
    table.write_text(f"##gff-version 3\n{row}\n")
    fasta.write_text(f">phi\nACGT\n{bases}\n")
    command = ["interpret", str(fasta), "--genes", str(table), "-o", str(tmp_path / "x.md")]
    assert run(command) != 0
    assert f"genint: {said}" in capsys.readouterr().err


def test_genes_take_one_file(examples, tmp_path, capsys):
    files = [str(examples / "lambda.fasta"), str(examples / "phiX174.gbk")]
    assert run(["interpret", *files, "--genes", "x.gff3", "-o", f"{tmp_path}/"]) == 2
    assert "--genes takes one FILE" in capsys.readouterr().err
