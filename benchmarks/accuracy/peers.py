"""Other programs on the same FASTA: ``giae`` and Prokka, run and read.

``giae`` runs in an environment of its own below ``build/``, offline, with what its package
brings and with pyrodigal, which it finds genes with where it is there. Prokka gets a database
folder of its own: for phages the UniProt proteins of viruses of the data folder, for bacteria
the genus files of the distribution (which ships no larger ones) as its one protein database.
Neither lacks the genome's relatives: what they know of them is left to them. What they told
is kept with what they used, since it never changes.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import pickle
import re
import shutil
import subprocess
import venv
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

from benchmarks.accuracy.genomes import BenchGenome
from benchmarks.accuracy.usage import ProgramFailed, Usage, run_alone
from genint.model.interval import Interval
from genint.model.vocabulary import GenomeKind
from training.blind.builds import ROOT
from training.blind.truth import Claim, Place, ToldGene, says_nothing

GIAE = "giae[annotation]==0.2.3"
PROKKA = "prokka 1.14.6"
_KINGDOMS = {GenomeKind.PHAGE: "Viruses", GenomeKind.BACTERIUM: "Bacteria"}
_GENUS_FILES = Path("/usr/share/prokka/db/genus")
_TIMEOUT_S = 1_800
_CHILD = Path(__file__).with_name("run_giae.py")
_DOMAIN = re.compile(r"\bdomain(?:[ -]containing)?(?: protein)?$", re.IGNORECASE)
_FORMAT = "1"
"""Of what is kept: another one, and the peers are run again."""


class PeerRun(NamedTuple):
    """What a peer told, and what it used.

    Attributes:
        told: Its genes.
        usage: As measured when it ran.
        kept: It ran in an earlier run of the bench.
    """

    told: tuple[ToldGene, ...]
    usage: Usage
    kept: bool = False


def run_giae(genome: BenchGenome, work: Path) -> PeerRun:
    """Run ``giae`` on a genome, or recall what it told.

    Raises:
        ProgramFailed: it is not installed, takes too long or fails.
    """

    def run() -> PeerRun:
        command = [install_giae(), _CHILD, genome.fasta]
        ended = run_alone(command, name=GIAE, timeout_s=_TIMEOUT_S)
        return PeerRun(parse_giae(ended.printed, genome.circles), ended.usage)

    return recalled(work / "peers", [GIAE.encode(), _CHILD.read_bytes()], genome, run)


def install_giae() -> Path:
    """The interpreter of its environment, which is made where it is not there.

    Raises:
        ProgramFailed: it cannot be installed.
    """
    folder = ROOT / "build" / "giae"
    python, finished = folder / "bin" / "python", folder / "finished"
    if not finished.exists():
        venv.create(folder, with_pip=True)
        command = [str(python), "-m", "pip", "install", "--quiet", GIAE]
        if subprocess.run(command, capture_output=True, check=False).returncode:
            raise ProgramFailed(f"{GIAE} cannot be installed")
        finished.touch()
    return python


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
                _claim(name),
                level=(gene["level"] or "").upper(),
                score=gene["score"],
                source="giae",
                span=Interval(gene["start"], gene["end"]),
            )
        )
    return tuple(told)


def run_prokka(genome: BenchGenome, data: Path, work: Path) -> PeerRun:
    """Run Prokka on a genome, or recall what it told.

    Args:
        genome: It is told its genetic code, which it does not find out.
        data: The data folder.
        work: Where its database and its output go.

    Raises:
        ProgramFailed: it is not installed or fails.
    """
    kingdom = _KINGDOMS[genome.kind]

    def run() -> PeerRun:
        if shutil.which("prokka") is None:
            raise ProgramFailed(f"{PROKKA} is not installed")
        proteins = prokka_database(genome.kind, data, work)
        output = work / "peers" / f"prokka_{genome.name}"
        command = ["prokka", "--kingdom", kingdom, "--gcode", str(genome.code)]
        command += ["--dbdir", str(proteins), "--cpus", "2", "--norrna", "--notrna", "--quiet"]
        command += ["--force", "--outdir", str(output), "--prefix", "told", str(genome.fasta)]
        ended = run_alone(command, name=PROKKA, timeout_s=_TIMEOUT_S)
        told = parse_prokka((output / "told.gff").read_text(), genome.circles)
        return PeerRun(told, ended.usage)

    database = b"".join(_contents(kingdom, data))
    made_of = [PROKKA.encode(), str(genome.code).encode(), database]
    return recalled(work / "peers", made_of, genome, run)


def recalled(
    folder: Path, made_of: Iterable[bytes], genome: BenchGenome, run: Callable[[], PeerRun]
) -> PeerRun:
    """What a peer told of these bases before, else what it tells now.

    Args:
        folder: Where it is kept.
        made_of: What its answer depends on, besides the genome: version, database.
        genome: The genome.
        run: Asks the peer.
    """
    digest = hashlib.sha256(f"{_FORMAT} {genome.circles}".encode())
    for part in (*made_of, genome.fasta.read_bytes()):
        digest.update(hashlib.sha256(part).digest())
    file = folder / f"{digest.hexdigest()[:32]}.pickle"
    if file.is_file():
        told, usage = pickle.loads(file.read_bytes())  # noqa: S301 - written below
        return PeerRun(told, usage, kept=True)
    folder.mkdir(parents=True, exist_ok=True)
    done = run()
    unfinished = file.with_suffix(".part")
    unfinished.write_bytes(pickle.dumps((done.told, done.usage)))
    unfinished.replace(file)
    return done


def parse_prokka(gff: str, contigs: Sequence[int | None]) -> tuple[ToldGene, ...]:
    """Genes of Prokka's GFF3; its contigs are named c0, c1, ..."""
    told = []
    for line in gff.partition("##FASTA")[0].splitlines():
        fields = line.split("\t")
        if line.startswith("#") or len(fields) != 9 or fields[2] != "CDS":
            continue
        said = dict(part.split("=", 1) for part in fields[8].split(";") if "=" in part)
        number, strand = int(fields[0].removeprefix("c")), 1 if fields[6] == "+" else -1
        span = Interval.from_one_based(int(fields[3]), int(fields[4]))
        stop = span.end if strand > 0 else span.start
        circle_bp = contigs[number]
        name = unquote(said.get("product", ""))
        told.append(
            ToldGene(
                Place(number, stop % circle_bp if circle_bp else stop, strand),
                "" if says_nothing(name) else name,
                _claim(name),
                source=said.get("inference", "").rpartition(",")[2],
                span=span,
            )
        )
    return tuple(told)


def _claim(name: str) -> Claim:
    """A name that tells of no more than a domain is held for that."""
    return Claim.DOMAIN if _DOMAIN.search(name) else Claim.WHOLE


def prokka_database(kind: GenomeKind, data: Path, work: Path) -> Path:
    """A database folder for one kingdom (Viruses, Bacteria) with one protein database.

    Raises:
        ProgramFailed: the distribution's files or BLAST are not installed.
    """
    kingdom = _KINGDOMS[kind]
    folder = work / "peers" / f"prokka_{kingdom.lower()}"
    proteins = folder / "kingdom" / kingdom / "sprot"
    if not proteins.with_suffix(".pin").exists():
        for part in ("cm", "hmm", "genus"):
            (folder / part).mkdir(parents=True, exist_ok=True)
        proteins.parent.mkdir(parents=True, exist_ok=True)
        proteins.write_bytes(b"".join(_contents(kingdom, data)))
        command = ["makeblastdb", "-hash_index", "-dbtype", "prot", "-in", str(proteins)]
        command += ["-logfile", os.devnull]
        run_alone(command, name="makeblastdb", timeout_s=_TIMEOUT_S)
    return folder


def _contents(kingdom: str, data: Path) -> Iterable[bytes]:
    if kingdom == "Viruses":
        yield gzip.decompress((data / "reference/sprot/Viruses_sprot.gz").read_bytes())
        return
    files = sorted(_GENUS_FILES.glob("*")) if _GENUS_FILES.is_dir() else []
    if not files:
        raise ProgramFailed(f"{PROKKA}: the distribution's genus files are not here")
    for file in files:
        yield file.read_bytes()
