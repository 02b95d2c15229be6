"""What PHANOTATE and giae print is read as the genes that they found."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from benchmarks.accuracy.usage import ProgramFailed
from benchmarks.genes.figures import Span
from benchmarks.genes.peers import Peer, parse_giae, parse_phanotate, peer_callers
from genint.model import Interval, Strand
from tests.benchmarks.genes_examples import made_contig, made_subject

PRINTED = """#id:\tc0
#START\tSTOP\tFRAME\tCONTIG\tSCORE
191\t736\t+\tc0\t-4.827981E+02
<900\t701\t-\tc0\t-1.0E+00
"""


def test_genes_of_phanotate_are_read_on_both_strands() -> None:
    assert parse_phanotate("a warning\n" + PRINTED) == (
        Span(Interval(190, 736), Strand.FORWARD),
        Span(Interval(700, 900), Strand.REVERSE),
    )


def test_genes_of_giae_are_half_open_already() -> None:
    printed = "a warning\n" + json.dumps([{"start": 190, "end": 736, "strand": -1}])
    assert parse_giae(printed) == (Span(Interval(190, 736), Strand.REVERSE),)


SUBJECT = made_subject(made_contig(300))
COUNTING = """
import pathlib, sys
runs = pathlib.Path(sys.argv[1])
runs.write_text(runs.read_text() + "x" if runs.exists() else "x")
bases = pathlib.Path(sys.argv[2]).read_text().splitlines()[1]
print(f"1\\t{len(bases)}\\t+")
"""


def peer(*arguments: str | Path) -> Peer:
    """A program of a few lines that prints a table like that of PHANOTATE."""
    command: Sequence[str | Path] = (sys.executable, "-c", *arguments)
    return Peer("PHANOTATE", "made", lambda: command, parse_phanotate)


def test_what_a_peer_found_is_kept_with_its_seconds(tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    (caller,), left_out = peer_callers([peer(COUNTING, runs)], tmp_path / "work", limit_s=60)
    first, again = caller.find(SUBJECT), caller.find(SUBJECT)
    assert left_out == ()
    assert first == again
    assert first.spans == ((Span(Interval(0, 300), Strand.FORWARD),),)
    assert runs.read_text() == "x"


def test_a_peer_that_cannot_be_installed_is_named_once(tmp_path: Path) -> None:
    def fail() -> Sequence[str]:
        raise ProgramFailed("made cannot be installed")

    callers, left_out = peer_callers([Peer("made", "", fail, parse_giae)], tmp_path, limit_s=60)
    assert (callers, left_out) == ((), ("made: left out, made cannot be installed",))


def test_a_peer_that_fails_says_why_and_is_run_again(tmp_path: Path) -> None:
    (caller,), _ = peer_callers([peer("raise SystemExit('no memory')")], tmp_path, limit_s=60)
    with pytest.raises(ProgramFailed, match="no memory"):
        caller.find(SUBJECT)
    assert not (tmp_path / "peers").exists()


def test_a_peer_that_takes_too_long_is_not_run_again_for_as_long(tmp_path: Path) -> None:
    endless = [peer("while True: pass")]
    (caller,), _ = peer_callers(endless, tmp_path, limit_s=0.3)
    with pytest.raises(ProgramFailed, match="took longer"):
        caller.find(SUBJECT)
    (kept,) = (tmp_path / "peers").iterdir()
    assert json.loads(kept.read_text())["limit_s"] == 0.3
    with pytest.raises(ProgramFailed, match="took longer than"):
        caller.find(SUBJECT)
