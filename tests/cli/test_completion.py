"""What shells complete, by the scripts that ``genint completion`` prints."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from genint.cli.main import run

ON_PATH = os.environ | {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
ASKED = """
eval "$(genint completion bash)"
COMP_WORDS=({line}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))
compopt() {{ echo "option $*"; }}
_genint_completion genint
printf '%s\\n' "${{COMPREPLY[@]}}"
"""


def completed(line):
    """What bash completes where the cursor is behind a line."""
    script = ASKED.format(line=line)
    done = subprocess.run(
        ["bash", "--norc", "-c", script], env=ON_PATH, capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    return done.stdout.split()


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("genint inter", ["interpret"]),
        ("genint interpret --mod", ["--mode"]),
        ("genint interpret --mode l", ["local"]),
        ("genint interpret --format gff", ["gff3", "gff3-fasta"]),
        ("genint db ins", ["install"]),
        ("genint db install pad", ["padloc"]),
        ("genint completion z", ["zsh"]),
        ("genint interpret geno", ["option", "-o", "default"]),
    ],
)
def test_bash_completes_commands_options_choices_and_files(line, expected):
    assert completed(line) == expected


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_gets_a_script_that_it_can_read(shell, capsys, tmp_path):
    assert run(["completion", shell]) == 0
    script = tmp_path / "script"
    script.write_text(capsys.readouterr().out)
    assert "_GENINT_COMPLETE" in script.read_text()
    if shutil.which(shell):
        subprocess.run([shell, "-n", script], check=True)


def test_other_shells_are_refused_with_those_that_there_are(capsys):
    assert run(["completion", "tcsh"]) == 2
    assert "'bash', 'zsh', 'fish'" in capsys.readouterr().err
