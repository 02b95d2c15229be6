"""Gene finders in environments of their own: PHANOTATE and ``giae``, installed, run, recalled.

Neither is a dependency. Each is installed below ``build/`` where it is not there yet, gets a
FASTA of one record, and is left out, with the reason, where it cannot be installed or takes
too long. What it found is kept with the seconds that it took, since it never changes.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
import time
import venv
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.accuracy.peers import GIAE, install_giae
from benchmarks.accuracy.usage import ProgramFailed, run_alone
from benchmarks.genes.callers import Call, Caller, Found
from benchmarks.genes.figures import Span
from benchmarks.genes.panel import Subject
from benchmarks.speed.measured import ROOT
from genint.model.interval import Interval, Strand

PHANOTATE = "phanotate==1.6.7"
_GIAE_CHILD = Path(__file__).resolve().parents[1] / "accuracy" / "giae.py"
_FORMAT = "1"
"""Of what is kept: another one, and the peers are run again."""
_MAX_BP = {"PHANOTATE": 200_000, "giae": 20_000_000}


class Peer(NamedTuple):
    """A program of its own environment.

    Attributes:
        name: For tables.
        requirement: What is installed.
        command: What to run, but for the FASTA; installs the program where it must.
        parse: Spans from what it printed.
    """

    name: str
    requirement: str
    command: Callable[[], Sequence[str | Path]]
    parse: Callable[[str], tuple[Span, ...]]


def peers() -> tuple[Peer, ...]:
    """PHANOTATE and giae."""
    return (
        Peer("PHANOTATE", PHANOTATE, _phanotate_command, parse_phanotate),
        Peer("giae", GIAE, lambda: (install_giae(), _GIAE_CHILD), parse_giae),
    )


def peer_callers(
    wanted: Sequence[Peer], work: Path, *, limit_s: float
) -> tuple[tuple[Caller, ...], tuple[str, ...]]:
    """Peers that can be run, installed where they are not yet, and why others cannot.

    Args:
        wanted: Programs.
        work: Where what they found is kept.
        limit_s: Seconds for each genome.
    """
    callers, left_out = [], []
    for peer in wanted:
        try:
            peer.command()
        except ProgramFailed as problem:
            left_out.append(f"{peer.name}: left out, {problem}")
            continue
        find = partial(_recalled, peer, work=work, limit_s=limit_s)
        callers.append(Caller(peer.name, find, f"{peer.requirement}, a process of its own"))
    return tuple(callers), tuple(left_out)


def parse_phanotate(printed: str) -> tuple[Span, ...]:
    """Spans of its table: first and last base in the order of transcription, strand."""
    spans = []
    for line in printed.splitlines():
        columns = line.split("\t")
        if line.startswith("#") or len(columns) < 3:
            continue
        ends = sorted(int(column.strip("<>")) for column in columns[:2])
        strand = Strand.FORWARD if columns[2] == "+" else Strand.REVERSE
        spans.append(Span(Interval.from_one_based(*ends), strand))
    return tuple(spans)


def parse_giae(printed: str) -> tuple[Span, ...]:
    """Spans of what its library tells, as ``benchmarks/accuracy/run_giae.py`` prints it."""
    return tuple(
        Span(Interval(gene["start"], gene["end"]), Strand(gene["strand"]))
        for gene in json.loads(printed.splitlines()[-1])
    )


def _phanotate_command() -> Sequence[str | Path]:
    python = installed(PHANOTATE, ROOT / "build" / "phanotate")
    return python, python.with_name("phanotate.py")


def installed(requirement: str, folder: Path) -> Path:
    """The interpreter of an environment, which is made where it is not there.

    Raises:
        ProgramFailed: it cannot be installed.
    """
    python, finished = folder / "bin" / "python", folder / "finished"
    if not finished.exists():
        venv.create(folder, with_pip=True)
        command = [str(python), "-m", "pip", "install", "--quiet", requirement]
        if subprocess.run(command, capture_output=True, check=False).returncode:
            raise ProgramFailed(f"{requirement} cannot be installed")
        finished.touch()
    return python


def _recalled(peer: Peer, subject: Subject, work: Path, limit_s: float) -> Found:
    """What a peer found in these bases before, else what it finds now."""
    if len(subject.bare.contigs) != 1 or subject.bare.length_bp > _MAX_BP[peer.name]:
        raise ProgramFailed(f"{peer.name}: {subject.name} is too long for it")
    bases = subject.bare.contigs[0].bases
    digest = hashlib.sha256(f"{_FORMAT} {peer.requirement} {bases}".encode()).hexdigest()
    file = work / "peers" / f"{peer.name}_{digest[:32]}.json"
    kept: dict[str, Any] = json.loads(file.read_text()) if file.is_file() else {}
    if "failed" in kept and kept["limit_s"] < limit_s:
        kept = {}
    if not kept:
        kept = _run(peer, subject, work, limit_s)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(kept), encoding="utf-8")
    if "failed" in kept:
        raise ProgramFailed(kept["failed"])
    calls = tuple(Call(Span(Interval(a, b), Strand(s))) for a, b, s in kept["spans"])
    return Found((calls,), ((),), kept["cpu_s"])


def _run(peer: Peer, subject: Subject, work: Path, limit_s: float) -> dict[str, Any]:
    """Spans and seconds, or that it took too long."""
    command = peer.command()
    fasta = work / "fasta" / f"{subject.listed.file}.fna"
    fasta.parent.mkdir(parents=True, exist_ok=True)
    fasta.write_text(f">c0\n{subject.bare.contigs[0].bases}\n", encoding="ascii")
    started = time.monotonic()
    try:
        ended = run_alone([*command, fasta], name=peer.name, timeout_s=limit_s)
    except ProgramFailed as problem:
        if time.monotonic() - started < limit_s:
            raise  # what fails at once may be mended
        return {"failed": str(problem), "limit_s": limit_s}
    spans = [[s.interval.start, s.interval.end, int(s.strand)] for s in peer.parse(ended.printed)]
    return {"spans": spans, "cpu_s": ended.usage.cpu_s}
