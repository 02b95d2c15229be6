"""Run MMseqs2 (Steinegger and Söding 2017, doi:10.1038/nbt.3988) so that runs repeat."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from training.families.inputs import InputError

VERSION = "14-7e284"
"""Of the distribution; another one clusters otherwise, so it is another build."""
PROGRAM = "mmseqs"


def require_version() -> None:
    """Make sure that the pinned version is here.

    Raises:
        InputError: it is missing, does not run, or is another.
    """
    if shutil.which(PROGRAM) is None:
        raise InputError(f"{PROGRAM} {VERSION} is not installed")
    # Known programs only, no shell.
    try:
        found = subprocess.run([PROGRAM, "version"], check=True, capture_output=True, text=True)
    except (OSError, subprocess.CalledProcessError) as cause:
        raise InputError(f"{PROGRAM} does not run: {cause}") from cause
    version = found.stdout.strip()
    if not version.startswith(VERSION):
        raise InputError(f"{PROGRAM} is {version}, the build is made for {VERSION}")


def clustered(
    residues: Mapping[str, str], work: Path, options: Sequence[str], threads: int
) -> dict[str, tuple[str, ...]]:
    """Cluster sequences: representative -> members (itself among them), all sorted.

    Args:
        residues: By name. The order in which MMseqs2 meets them decides ties, so they
            are written sorted by name, whatever order they come in.
        work: Where a temporary folder may stand; removed afterwards.
        options: Of ``easy-cluster``.
        threads: Processors; the result does not depend on it.

    Raises:
        InputError: MMseqs2 fails, or lost a sequence.

    Cost: some 75 s on two cores for 76,000 proteins at 30 % identity.
    """
    if not residues:
        return {}
    work.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=work) as folder:
        fasta = _written(residues, Path(folder, "in.faa"))
        places = (fasta, Path(folder, "out"), Path(folder, "tmp"))
        _run("easy-cluster", places, options, threads)
        lines = Path(folder, "out_cluster.tsv").read_text(encoding="ascii").splitlines()
    members: dict[str, list[str]] = {}
    for line in lines:
        representative, member = line.split("\t")
        members.setdefault(representative, []).append(member)
    if sum(map(len, members.values())) != len(residues):
        raise InputError(f"{PROGRAM} did not give each sequence one cluster")
    return {name: tuple(sorted(members[name])) for name in sorted(members)}


def searched(
    queries: Mapping[str, str],
    targets: Mapping[str, str],
    work: Path,
    options: Sequence[str],
    threads: int,
) -> dict[str, tuple[tuple[str, int], ...]]:
    """Search sequences in others: query -> (target, bits), best first.

    Args:
        queries: Residues by name.
        targets: Residues by name.
        work: Where a temporary folder may stand; removed afterwards.
        options: Of ``easy-search``.
        threads: Processors; the result does not depend on it.

    Raises:
        InputError: MMseqs2 fails.

    Cost: some 5 minutes on two cores for 90,000 queries in 90,000 targets.
    """
    work.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=work) as folder:
        places = (
            _written(queries, Path(folder, "queries.faa")),
            _written(targets, Path(folder, "targets.faa")),
            Path(folder, "found.tsv"),
            Path(folder, "tmp"),
        )
        columns = ("--format-output", "query,target,bits")
        _run("easy-search", places, (*options, *columns), threads)
        lines = places[2].read_text(encoding="ascii").splitlines()
    found: dict[str, list[tuple[str, int]]] = {}
    for line in lines:
        query, target, bits = line.split("\t")
        found.setdefault(query, []).append((target, round(float(bits))))
    return {
        query: tuple(sorted(hits, key=lambda hit: (-hit[1], hit[0])))
        for query, hits in sorted(found.items())
    }


def _written(residues: Mapping[str, str], path: Path) -> Path:
    """The sequences as a FASTA file, sorted by name."""
    with path.open("w", encoding="ascii") as stream:
        for name in sorted(residues):
            stream.write(f">{name}\n{residues[name]}\n")
    return path


def _run(verb: str, places: Sequence[Path], options: Sequence[str], threads: int) -> None:
    command = [PROGRAM, verb, *map(str, places), *options]
    command += ["--threads", str(threads), "-v", "1"]
    # A known program only, no shell.
    result = subprocess.run(command, check=False, capture_output=True, text=True)
    if result.returncode:
        last = (result.stderr or result.stdout).strip().splitlines()[-1:]
        raise InputError(f"{PROGRAM} {verb} failed: {' '.join(last)}")
