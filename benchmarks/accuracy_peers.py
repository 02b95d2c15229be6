"""Other programs on the same FASTA: ``giae`` and Prokka, run and read.

``giae`` runs in an environment of its own below ``build/``, offline, with what its package
brings. Prokka gets a database folder of its own: for phages the UniProt proteins of viruses
of the data folder, for bacteria the genus files of the distribution (which ships no larger
ones) as its one protein database. Neither lacks the genome's relatives: what they know of
them is left to them.
"""

from __future__ import annotations

import gzip
import json
import os
import resource
import shutil
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

from benchmarks.speed import PEER, install_peer
from training.blind.truth import Place, ToldGene, says_nothing

PROKKA = "prokka 1.14.6"
_GENUS_FILES = Path("/usr/share/prokka/db/genus")
_TIMEOUT_S = 1_800
_CHILD = Path(__file__).with_name("accuracy_giae.py")


class PeerFailed(Exception):
    """A peer is not here or ended with an error; the text says which."""


class PeerRun(NamedTuple):
    """What a peer told, and the CPU seconds of it and its children."""

    told: tuple[ToldGene, ...]
    cpu_s: float


def run_giae(fasta: Path, contigs: Sequence[int | None]) -> PeerRun:
    """Run ``giae`` on a FASTA.

    Args:
        fasta: The genome; contigs are named c0, c1, ...
        contigs: Length of each contig in bp where it is a circle, else None.

    Raises:
        PeerFailed: it is not installed, takes too long or fails.
    """
    command = install_peer()
    if command is None:
        raise PeerFailed(f"{PEER} cannot be installed")
    printed, seconds = _run([str(command.with_name("python")), str(_CHILD), str(fasta)], PEER)
    return PeerRun(parse_giae(printed, contigs), seconds)


def parse_giae(printed: str, contigs: Sequence[int | None]) -> tuple[ToldGene, ...]:
    """Genes of the first contig, which is all that ``giae`` reads of a FASTA."""
    told = []
    for gene in json.loads(printed.splitlines()[-1]):
        stop = gene["end"] if gene["strand"] > 0 else gene["start"]
        place = Place(0, stop % contigs[0] if contigs[0] else stop, gene["strand"])
        name = gene["name"] or ""
        told.append(
            ToldGene(
                place,
                "" if says_nothing(name) else name,
                level=(gene["level"] or "").upper(),
                score=gene["score"],
                source="giae",
            )
        )
    return tuple(told)


def run_prokka(
    fasta: Path, contigs: Sequence[int | None], code: int, *, proteins: Path, work: Path
) -> PeerRun:
    """Run Prokka on a FASTA.

    Args:
        fasta: The genome; contigs are named c0, c1, ...
        contigs: Length of each contig in bp where it is a circle, else None.
        code: NCBI genetic code, which Prokka does not find out.
        proteins: Its database folder (:func:`prokka_database`).
        work: Where its output goes.

    Raises:
        PeerFailed: it is not installed or fails.
    """
    if shutil.which("prokka") is None:
        raise PeerFailed(f"{PROKKA} is not installed")
    output = work / f"prokka_{fasta.stem}"
    kingdom = next((proteins / "kingdom").iterdir()).name
    command = ["prokka", "--kingdom", kingdom, "--gcode", str(code), "--dbdir", str(proteins)]
    command += ["--cpus", "2", "--norrna", "--notrna", "--quiet", "--force"]
    command += ["--outdir", str(output), "--prefix", "told", str(fasta)]
    _, seconds = _run(command, PROKKA)
    return PeerRun(parse_prokka((output / "told.gff").read_text(), contigs), seconds)


def parse_prokka(gff: str, contigs: Sequence[int | None]) -> tuple[ToldGene, ...]:
    """Genes of Prokka's GFF3; its contigs are named c0, c1, ..."""
    told = []
    for line in gff.partition("##FASTA")[0].splitlines():
        fields = line.split("\t")
        if line.startswith("#") or len(fields) != 9 or fields[2] != "CDS":
            continue
        said = dict(part.split("=", 1) for part in fields[8].split(";") if "=" in part)
        number, strand = int(fields[0].removeprefix("c")), 1 if fields[6] == "+" else -1
        stop = int(fields[4]) if strand > 0 else int(fields[3]) - 1
        circle_bp = contigs[number]
        name = unquote(said.get("product", ""))
        told.append(
            ToldGene(
                Place(number, stop % circle_bp if circle_bp else stop, strand),
                "" if says_nothing(name) else name,
                source=said.get("inference", "").rpartition(",")[2],
            )
        )
    return tuple(told)


def prokka_database(kingdom: str, data: Path, work: Path) -> Path:
    """A database folder for one kingdom (Viruses, Bacteria) with one protein database.

    Raises:
        PeerFailed: the distribution's files or BLAST are not installed.
    """
    folder = work / f"prokka_{kingdom.lower()}"
    proteins = folder / "kingdom" / kingdom / "sprot"
    if not proteins.with_suffix(".pin").exists():
        for part in ("cm", "hmm", "genus"):
            (folder / part).mkdir(parents=True, exist_ok=True)
        proteins.parent.mkdir(parents=True, exist_ok=True)
        proteins.write_bytes(b"".join(_contents(kingdom, data)))
        command = ["makeblastdb", "-hash_index", "-dbtype", "prot", "-in", str(proteins)]
        _run([*command, "-logfile", os.devnull], PROKKA)
    return folder


def _contents(kingdom: str, data: Path) -> Iterable[bytes]:
    if kingdom == "Viruses":
        yield gzip.decompress((data / "reference/sprot/Viruses_sprot.gz").read_bytes())
        return
    files = sorted(_GENUS_FILES.glob("*")) if _GENUS_FILES.is_dir() else []
    if not files:
        raise PeerFailed(f"{PROKKA}: the distribution's genus files are not here")
    for file in files:
        yield file.read_bytes()


def _run(command: Sequence[str], name: str) -> tuple[str, float]:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        done = subprocess.run(
            command, check=False, capture_output=True, text=True, timeout=_TIMEOUT_S
        )
    except (OSError, subprocess.TimeoutExpired) as problem:
        raise PeerFailed(f"{name}: {problem}") from problem
    if done.returncode:
        last = (done.stderr or done.stdout).strip().splitlines()[-1:] or ["no word"]
        raise PeerFailed(f"{name}: {last[0]}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return done.stdout, seconds
