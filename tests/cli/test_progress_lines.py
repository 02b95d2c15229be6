"""Progress where standard error is no terminal."""

from __future__ import annotations

from genint.cli.progress_lines import ProgressLines
from genint.pipeline.run import Progress


def test_a_line_comes_now_and_then_and_none_for_a_short_run(capsys):
    moments = iter((0.0, 1.0, 16.0, 20.0, 32.0))
    lines = ProgressLines("phage.gbk", clock=lambda: next(moments))
    for done in range(1, 5):
        lines(Progress("search", done, 9))
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.splitlines() == ["phage.gbk: search, 2 of 9", "phage.gbk: search, 4 of 9"]
