"""Intermediate results in a scratch folder."""

from __future__ import annotations

import pytest

from genint.compute import ThreadBackend
from genint.pipeline.workspace import ScratchWorkspace, open_new_file


def parts_of(text):
    return text, tuple(text)


async def test_a_step_that_is_done_again_replaces_what_a_lost_worker_wrote(tmp_path):
    for name in ("0.pickle", "0-0.pickle"):
        (tmp_path / name).write_bytes(b"half of it")
    workspace = ScratchWorkspace(ThreadBackend(), tmp_path)
    whole, parts = await workspace.run_split(parts_of, "ab")
    assert (whole.load(), [part.load() for part in parts]) == ("ab", ["a", "b"])
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "0-0.pickle",
        "0-1.pickle",
        "0.pickle",
    ]


def test_a_file_that_is_not_whole_is_not_there_and_no_other_user_can_read_it(tmp_path):
    def interrupted():
        with open_new_file(tmp_path / "half") as stream:
            stream.write(b"half of it")
            raise InterruptedError

    with pytest.raises(InterruptedError):
        interrupted()
    assert list(tmp_path.iterdir()) == []
    with open_new_file(tmp_path / "whole") as stream:
        stream.write(b"all of it")
    assert (tmp_path / "whole").stat().st_mode & 0o777 == 0o600
