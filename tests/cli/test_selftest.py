"""``genint selftest`` as a user sees it."""

import os
import pty
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import genint
from genint.cli.main import run
from genint.cli.selftest import line_of
from genint.selftest import CheckResult, Outcome, all_checks

COMMAND = [sys.executable, "-m", "genint", "selftest"]
SEQUENCE = re.compile(r"\x1b\[[0-9;]*m")
LINE = re.compile(r"(ok|FAILED|-- not installed) [^:]+: .+")


@pytest.fixture(autouse=True)
def no_databases(monkeypatch, tmp_path):
    monkeypatch.delenv("GENINT_CACHE_MB", raising=False)
    monkeypatch.setenv("GENINT_DATABASES_DIR", str(tmp_path / "databases"))


def test_a_sound_installation_is_one_line_a_check_and_exit_code_0(capsys):
    assert run(["selftest"]) == 0
    printed = capsys.readouterr()
    *lines, last = printed.out.splitlines()
    (pfam,) = [line for line in lines if "database pfam" in line]
    assert pfam.startswith("-- not installed ")
    assert pfam.endswith(" -> run `genint db install pfam`")
    assert len(lines) == len(all_checks())
    assert all(LINE.fullmatch(line) for line in lines)
    assert re.fullmatch(r"21 checks in \d+\.\d s: 13 ok, 0 failed, 8 not installed", last)
    assert printed.err == ""


def test_failures_name_their_cure_and_everything_goes_on(monkeypatch, tmp_path, capsys):
    (tmp_path / "cache").write_text("no folder")
    (tmp_path / "databases").write_text("no folder")
    monkeypatch.setenv("GENINT_CACHE_DIR", str(tmp_path / "cache"))
    assert run(["selftest"]) == 1
    printed = capsys.readouterr()
    failed = [line for line in printed.out.splitlines() if line.startswith("FAILED ")]
    for name in ("databases folder", "cache folder", "profiles", "cache of results"):
        assert any(line.startswith(f"FAILED {name}: ") and " -> " in line for line in failed)
    # Without a cache everything still computes.
    assert "ok built-in genome: " in printed.out
    assert "Traceback" not in printed.out + printed.err


def test_a_damaged_installation_is_told_without_a_traceback(tmp_path, cache_of_commands):
    package = Path(genint.__file__).parent
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(package, tmp_path / "site" / "genint", ignore=ignored)
    data = tmp_path / "site" / "genint" / "knowledge" / "data"
    pack = data / "bacterial_families.bin"
    pack.write_bytes(pack.read_bytes()[:-100])
    (data / "roles.toml").unlink()
    done = subprocess.run(
        COMMAND,
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(tmp_path / "site")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr == ""
    lines = done.stdout.splitlines()
    assert any(line.startswith("FAILED profiles in bacterial_families.bin: ") for line in lines)
    assert any(line.startswith("FAILED tables of the package: ") for line in lines)
    assert any(line.startswith("FAILED built-in genome: ") for line in lines)
    assert any(line.startswith("ok similarity search: ") for line in lines)
    assert all(
        "install genint again" in line for line in lines if line.startswith("FAILED profiles in")
    )


def test_colours_appear_on_a_terminal_only():
    ours, theirs = pty.openpty()
    variables = os.environ | {"TERM": "xterm-256color", "COLUMNS": "40"}
    variables.pop("NO_COLOR", None)
    done = subprocess.Popen(COMMAND, stdout=theirs, env=variables)
    os.close(theirs)
    shown = b""
    try:
        while block := os.read(ours, 1 << 16):
            shown += block
    except OSError:  # the terminal is closed
        pass
    assert done.wait() == 0
    os.close(ours)
    text = shown.decode().replace("\r\n", "\n")
    assert "\x1b[32mok\x1b[0m" in text
    lines = SEQUENCE.sub("", text).splitlines()
    assert len(lines) == len(all_checks()) + 1  # long lines are not broken
    assert all(LINE.fullmatch(line) for line in lines[:-1])


def test_a_line_holds_the_cure_where_there_is_one():
    fine = CheckResult("cache folder", Outcome.OK, "all well")
    assert line_of(fine) == "cache folder: all well"
    broken = CheckResult("cache folder", Outcome.FAILED, "closed", "open it")
    assert line_of(broken) == "cache folder: closed -> open it"


def test_a_variable_that_is_wrong_is_one_line(monkeypatch, capsys):
    monkeypatch.setenv("GENINT_CACHE_MB", "much")
    assert run(["selftest"]) == 2
    assert "GENINT_CACHE_MB" in capsys.readouterr().err
