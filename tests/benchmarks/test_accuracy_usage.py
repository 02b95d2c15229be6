"""What a program used is its own and not that of the bench."""

from __future__ import annotations

import sys

import pytest

from benchmarks.accuracy.usage import ProgramFailed, run_alone

MANY_BYTES = 300 << 20


def python(code: str) -> list[str]:
    return [sys.executable, "-I", "-S", "-c", code]


def test_memory_of_the_bench_does_not_count_for_a_program() -> None:
    held = bytes(range(256)) * (MANY_BYTES // 256)
    ended = run_alone(python("print('done')"), name="small", timeout_s=60)
    assert len(held) == MANY_BYTES
    assert ended.printed == "done\n"
    assert 1 < ended.usage.peak_mib < 100


def test_memory_and_seconds_of_a_program_count() -> None:
    code = "x = bytearray(b'x') * (150 << 20); sum(range(3_000_000))"
    usage = run_alone(python(code), name="large", timeout_s=60).usage
    assert usage.peak_mib > 150
    assert 0 < usage.cpu_s <= 2 * usage.wall_s


def test_a_program_that_fails_is_told_by_its_last_words() -> None:
    code = "import sys; print('first', file=sys.stderr); sys.exit('out of luck')"
    with pytest.raises(ProgramFailed, match="unlucky: out of luck"):
        run_alone(python(code), name="unlucky", timeout_s=60)


def test_a_program_that_is_not_here_fails() -> None:
    with pytest.raises(ProgramFailed, match="no-such-program"):
        run_alone(["/no-such-program"], name="absent", timeout_s=60)


def test_a_program_that_takes_too_long_is_ended() -> None:
    with pytest.raises(ProgramFailed, match=r"longer than 0\.2 s"):
        run_alone(python("import time; time.sleep(60)"), name="slow", timeout_s=0.2)
