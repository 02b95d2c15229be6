from pathlib import Path

import pytest

from genint.cli.output import (
    FORMAT_NAMES,
    Job,
    Output,
    OutputRequest,
    check_formats,
    genome_stem,
    plan,
    result_stem,
)
from genint.errors import UsageError


@pytest.mark.parametrize(
    ("name", "stem"),
    [
        ("lambda.fasta", "lambda"),
        ("lambda.gb.gz", "lambda"),
        ("lambda.fna.bz2", "lambda"),
        ("NC_001416.1.gbk", "NC_001416.1"),
        ("noextension", "noextension"),
        (".gbk", ".gbk"),
        ("x.gz", "x"),
    ],
)
def test_the_stem_loses_compression_and_one_extension(name, stem):
    assert genome_stem(Path("folder") / name) == stem


def test_standard_input_is_called_stdin():
    (job,) = plan(["-"], OutputRequest(("md",)))
    assert job == Job(None, (Output("md", Path("stdin_report.md")),), "stdin")


def test_one_file_goes_to_the_current_folder():
    (job,) = plan(["data/lambda.gb.gz"], OutputRequest(("md",)))
    assert job.outputs == (Output("md", Path("lambda_report.md")),)


def test_o_names_the_report_of_one_file():
    (job,) = plan(["lambda.gb"], OutputRequest(("json",), "out/mine.json"))
    assert job.outputs == (Output("json", Path("out/mine.json")),)


def test_o_dash_is_standard_output():
    (job,) = plan(["lambda.gb"], OutputRequest(("md",), "-"))
    assert job.outputs == (Output("md", None),)


@pytest.mark.parametrize(
    ("files", "formats"), [(["a.gb", "b.gb"], ["md"]), (["a.gb"], ["md", "json"])]
)
def test_standard_output_takes_one_report_only(files, formats):
    with pytest.raises(UsageError, match="one file and one format"):
        plan(files, OutputRequest(tuple(formats), "-"))


def test_several_formats_make_o_a_folder():
    (job,) = plan(["lambda.gb"], OutputRequest(("md", "json"), "out"))
    assert [output.path for output in job.outputs] == [
        Path("out/lambda_report.md"),
        Path("out/lambda_report.json"),
    ]


def test_an_existing_folder_takes_the_report_under_its_usual_name(tmp_path):
    (job,) = plan(["lambda.gb"], OutputRequest(("md",), str(tmp_path)))
    assert job.outputs[0].path == tmp_path / "lambda_report.md"


def test_equal_stems_get_names_of_their_own():
    jobs = plan(["a/x.gb", "b/x.fa", "c/x.gb.gz"], OutputRequest(("md",), "out"))
    assert [job.outputs[0].path.name for job in jobs] == [
        "x_report.md",
        "x_2_report.md",
        "x_3_report.md",
    ]


def test_names_made_unique_never_meet_a_real_name():
    jobs = plan(["a/x.gb", "b/x.fa", "c/x_2.gb"], OutputRequest(("md",), "out"))
    names = [job.outputs[0].path.name for job in jobs]
    assert len(set(names)) == 3


def test_a_file_is_no_folder_for_several_reports(tmp_path):
    taken = tmp_path / "taken"
    taken.write_text("")
    with pytest.raises(UsageError, match="give a folder"):
        plan(["a.gb", "b.gb"], OutputRequest(("md",), str(taken)))


def test_a_report_never_overwrites_its_input(tmp_path):
    source = tmp_path / "x_report.md"
    source.write_text(">x\nACGT\n")
    with pytest.raises(UsageError, match="overwrite an input"):
        plan([str(source)], OutputRequest(("md",), str(source)))


def test_standard_input_is_read_once():
    with pytest.raises(UsageError, match="only once"):
        plan(["-", "-"], OutputRequest(("md",), "out"))


def test_unknown_formats_are_refused_with_the_choice():
    with pytest.raises(UsageError, match="md, html, json"):
        check_formats(["docx"])


def test_dark_proteins_are_no_format_but_an_option():
    assert "dark-fasta" not in FORMAT_NAMES
    with pytest.raises(UsageError, match="--dark-fasta PATH"):
        check_formats(["dark-fasta"])


@pytest.mark.parametrize(
    ("name", "stem"),
    [
        ("lambda_report.json", "lambda"),
        ("lambda_report.json.gz", "lambda"),
        ("mine.json", "mine"),
        ("_report.json", "_report"),
    ],
)
def test_reports_of_a_result_are_named_after_its_genome(name, stem):
    assert result_stem(Path("folder") / name) == stem


def test_dark_proteins_of_one_file_go_where_the_option_says():
    (job,) = plan(["lambda.gb"], OutputRequest(("md", "html"), "out", "dark.faa"))
    assert [str(output.path) for output in job.outputs] == [
        "out/lambda_report.md",
        "out/lambda_report.html",
        "dark.faa",
    ]


def test_dark_proteins_of_several_files_go_to_a_folder_under_names_of_their_own():
    jobs = plan(["a/x.gb", "b/x.fa"], OutputRequest(("md",), "out", "dark"))
    assert [str(job.outputs[1].path) for job in jobs] == [
        "dark/x_report.dark.faa",
        "dark/x_2_report.dark.faa",
    ]


def test_dark_proteins_go_to_an_existing_folder_under_their_usual_name(tmp_path):
    (job,) = plan(["lambda.gb"], OutputRequest(("md",), None, str(tmp_path)))
    assert job.outputs[1].path == tmp_path / "lambda_report.dark.faa"


@pytest.mark.parametrize("place", ["out", "./out", "x/../out/"])
@pytest.mark.parametrize("reports", [(("md", "json"), "out"), (("md",), "out/mine.md")])
def test_dark_proteins_go_to_the_folder_of_the_reports_that_is_yet_to_be_made(place, reports):
    (job,) = plan(["lambda.gb"], OutputRequest(*reports, place))
    dark = job.outputs[-1]
    assert dark.path.resolve() == Path("out/lambda_report.dark.faa").resolve()


@pytest.mark.parametrize(
    ("formats", "output", "dark"),
    [
        (("md", "json"), "out/sub", "out"),
        (("md",), "out/sub/mine.md", "out"),
        (("md",), "out", "out/dark.faa"),
    ],
)
def test_no_report_takes_the_place_of_a_folder_of_reports(formats, output, dark):
    with pytest.raises(UsageError, match="out would be a report and the folder of another one"):
        plan(["lambda.gb"], OutputRequest(formats, output, dark))


def test_dark_proteins_of_several_files_are_not_for_standard_output():
    with pytest.raises(UsageError, match="--dark-fasta - takes one file"):
        plan(["a.gb", "b.gb"], OutputRequest(("md",), "out", "-"))


def test_dark_proteins_alone_may_go_to_standard_output():
    (job,) = plan(["a.gb"], OutputRequest(("md",), None, "-"))
    assert [output.path for output in job.outputs] == [Path("a_report.md"), None]
    assert job.takes_stdout


def test_standard_output_is_not_for_two():
    with pytest.raises(UsageError, match="only one of"):
        plan(["a.gb"], OutputRequest(("md",), "-", "-"))


@pytest.mark.parametrize("place", ["a_report.md", "./a_report.md", "b/../a_report.md"])
def test_dark_proteins_never_take_the_place_of_a_report(place):
    with pytest.raises(UsageError, match="two reports would go to"):
        plan(["a.gb"], OutputRequest(("md",), None, place))


def test_dark_proteins_never_overwrite_an_input():
    with pytest.raises(UsageError, match="overwrite an input"):
        plan(["a.gb"], OutputRequest(("md",), None, "a.gb"))


def test_no_report_overwrites_another_file_that_is_read():
    with pytest.raises(UsageError, match="overwrite an input"):
        plan(["a.json"], OutputRequest(("gbk",), "x.gbk"), others=[Path("x.gbk")])
