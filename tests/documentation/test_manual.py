"""The manual page: as the code has it, and as ``man`` reads it."""

from __future__ import annotations

import shutil
import subprocess

from documentation.manual import PAGE, manual
from documentation.references import commands
from genint.cli.main import cli
from tests.conftest import missing


def test_the_page_that_ships_is_what_the_commands_make_of_it():
    assert PAGE.read_text("utf-8") == manual(), "run `make man`"


def test_the_page_has_every_command():
    page = manual().replace("\\-", "-")
    assert [names for names, _ in commands(cli) if f".SS {' '.join(names)}" not in page] == []


def test_man_reads_the_page_without_a_warning():
    if shutil.which("man") is None:
        missing("man")
    done = subprocess.run(
        ["man", "--warnings", "-E", "UTF-8", "-l", PAGE], capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    assert "recoded" not in done.stdout
    assert "--ignore-annotations" in done.stdout
