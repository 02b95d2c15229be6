import os
import subprocess
from pathlib import Path

import pytest

from genint.cli.outputs import Job, Output, check_formats, plan, stem_of, write_atomically
from genint.errors import UnavailableError, UsageError


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
    assert stem_of(Path("folder") / name) == stem


def test_standard_input_is_called_stdin():
    (job,) = plan(["-"], ["md"], None)
    assert job == Job(None, (Output("md", Path("stdin_report.md")),))


def test_one_file_goes_to_the_current_folder():
    (job,) = plan(["data/lambda.gb.gz"], ["md"], None)
    assert job.outputs == (Output("md", Path("lambda_report.md")),)


def test_o_names_the_report_of_one_file():
    (job,) = plan(["lambda.gb"], ["json"], "out/mine.json")
    assert job.outputs == (Output("json", Path("out/mine.json")),)


def test_o_dash_is_standard_output():
    (job,) = plan(["lambda.gb"], ["md"], "-")
    assert job.outputs == (Output("md", None),)


@pytest.mark.parametrize(
    ("files", "formats"), [(["a.gb", "b.gb"], ["md"]), (["a.gb"], ["md", "json"])]
)
def test_standard_output_takes_one_report_only(files, formats):
    with pytest.raises(UsageError, match="one file and one format"):
        plan(files, formats, "-")


def test_several_formats_make_o_a_folder():
    (job,) = plan(["lambda.gb"], ["md", "json"], "out")
    assert [output.path for output in job.outputs] == [
        Path("out/lambda_report.md"),
        Path("out/lambda_report.json"),
    ]


def test_an_existing_folder_takes_the_report_under_its_usual_name(tmp_path):
    (job,) = plan(["lambda.gb"], ["md"], str(tmp_path))
    assert job.outputs[0].path == tmp_path / "lambda_report.md"


def test_equal_stems_get_names_of_their_own():
    jobs = plan(["a/x.gb", "b/x.fa", "c/x.gb.gz"], ["md"], "out")
    assert [job.outputs[0].path.name for job in jobs] == [
        "x_report.md",
        "x_2_report.md",
        "x_3_report.md",
    ]


def test_names_made_unique_never_meet_a_real_name():
    jobs = plan(["a/x.gb", "b/x.fa", "c/x_2.gb"], ["md"], "out")
    names = [job.outputs[0].path.name for job in jobs]
    assert len(set(names)) == 3


def test_a_file_is_no_folder_for_several_reports(tmp_path):
    taken = tmp_path / "taken"
    taken.write_text("")
    with pytest.raises(UsageError, match="give a folder"):
        plan(["a.gb", "b.gb"], ["md"], str(taken))


def test_a_report_never_overwrites_its_input(tmp_path):
    source = tmp_path / "x_report.md"
    source.write_text(">x\nACGT\n")
    with pytest.raises(UsageError, match="overwrite an input"):
        plan([str(source)], ["md"], str(source))


def test_standard_input_is_read_once():
    with pytest.raises(UsageError, match="only once"):
        plan(["-", "-"], ["md"], "out")


@pytest.mark.parametrize("name", ["tsv", "gff3", "gbk"])
def test_formats_to_come_are_named_as_such(name):
    with pytest.raises(UnavailableError, match=f"{name} is not built yet"):
        check_formats([name])


def test_unknown_formats_are_refused_with_the_choice():
    with pytest.raises(UsageError, match="md, html, json"):
        check_formats(["docx"])


def test_writing_makes_the_folder_and_leaves_no_part_behind(tmp_path):
    target = tmp_path / "new" / "report.md"
    write_atomically(target, "text\n")
    assert target.read_bytes() == b"text\n"
    assert list(target.parent.iterdir()) == [target]


def test_a_place_that_cannot_be_written_is_one_clear_error(tmp_path):
    blocker = tmp_path / "file"
    blocker.write_text("")
    with pytest.raises(UsageError, match="cannot write"):
        write_atomically(blocker / "report.md", "text")


def test_a_link_is_followed_and_stays_a_link(tmp_path):
    target, link = tmp_path / "target.md", tmp_path / "link.md"
    target.write_text("old")
    link.symlink_to(target)
    write_atomically(link, "new")
    assert link.is_symlink()
    assert target.read_text() == "new"


def test_a_pipe_is_written_to_and_stays_a_pipe(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with subprocess.Popen(["cat", pipe], stdout=subprocess.PIPE, text=True) as reader:
        write_atomically(pipe, "report")
        assert reader.communicate()[0] == "report"
    assert pipe.is_fifo()
