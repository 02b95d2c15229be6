import os
import subprocess

import pytest

from genint.cli.output import read_input, write_atomically
from genint.errors import InputError, UsageError


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


@pytest.mark.parametrize(
    ("name", "words"), [("", "is a folder"), ("missing", "no such file"), ("a\0b", "null")]
)
def test_what_cannot_be_read_is_one_clear_error(tmp_path, name, words):
    with pytest.raises(InputError, match=words):
        read_input(tmp_path / name)
