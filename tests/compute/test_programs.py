"""Whole programs with worker processes: how they start, end and are killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

from tests.compute import compute_works as works

from .conftest import is_running

RUN = (
    "import asyncio; from tests.compute import compute_works; "
    "asyncio.run(compute_works.print_result())"
)


def finish(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    out, err = process.communicate(timeout=30)
    return process.returncode, out, err


def test_a_guarded_script_computes_and_says_nothing_else(start_script, tmp_path):
    (tmp_path / "script.py").write_text(
        "import asyncio\nfrom tests.compute import compute_works\nif __name__ == '__main__':\n"
        "    asyncio.run(compute_works.print_result())\n"
    )
    assert finish(start_script("script.py")) == (0, "computed elsewhere\n", "")


def test_a_one_line_command_computes(start_script):
    assert finish(start_script("-c", RUN)) == (0, "computed elsewhere\n", "")


def test_a_script_from_standard_input_computes(start_script):
    assert finish(start_script("-", stdin=RUN)) == (0, "computed elsewhere\n", "")


def test_an_interactive_session_computes(start_script):
    status, out, _ = finish(start_script("-i", "-q", stdin=RUN + "\n"))
    assert (status, out) == (0, "computed elsewhere\n")


def test_a_script_without_guard_is_told_to_add_it(start_script, tmp_path):
    (tmp_path / "script.py").write_text(
        "import asyncio\nfrom tests.compute import compute_works\nprint('begin')\n"
        "asyncio.run(compute_works.print_result())\n"
    )
    status, out, err = finish(start_script("script.py"))
    assert status == 1
    assert "computed" not in out
    assert err.count("Traceback") == 1
    assert 'if __name__ == "__main__":' in err
    assert "workers=1" in err


def test_a_script_that_fails_when_it_is_imported_is_told_about_the_guard(start_script, tmp_path):
    (tmp_path / "input").write_text("once")
    (tmp_path / "script.py").write_text(
        "import asyncio, os\nfrom tests.compute import compute_works\nos.remove('input')\n"
        "asyncio.run(compute_works.print_result())\n"
    )
    status, out, err = finish(start_script("script.py"))
    assert (status, out) == (1, "")
    assert "ended with status 1 while it imported the main script" in err
    assert 'if __name__ == "__main__":' in err


@pytest.mark.parametrize(
    "work",
    [
        "idle_for_ever",
        "hash_for_ever",
        pytest.param(
            "hold_the_lock_for_ever",
            marks=pytest.mark.skipif(
                sys.platform != "linux", reason="only Linux ends a process that holds the lock"
            ),
        ),
    ],
)
def test_workers_die_with_a_killed_parent(start_script, tmp_path, work):
    program = start_script(works.__file__, work, str(tmp_path))
    works.until((tmp_path / "busy.pid").exists)
    pids = [int(pid) for pid in (tmp_path / "both.pids").read_text().split()]
    assert int((tmp_path / "busy.pid").read_text()) in pids
    assert all(is_running(pid) for pid in pids)
    program.kill()
    works.until(lambda: not any(is_running(pid) for pid in pids), within_s=2)
    program.communicate(timeout=10)


def test_an_interrupt_from_the_keyboard_ends_workers_without_a_word_of_theirs(
    start_script, tmp_path
):
    program = start_script(works.__file__, "hash_for_ever", str(tmp_path))
    works.until((tmp_path / "busy.pid").exists)
    pids = [int(pid) for pid in (tmp_path / "both.pids").read_text().split()]
    os.killpg(program.pid, signal.SIGINT)
    _, out, err = finish(program)
    assert out == ""
    assert err.strip().endswith("KeyboardInterrupt")
    assert "spawn" not in err
    assert not any(is_running(pid) for pid in pids)
