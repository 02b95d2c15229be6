"""Similarity search beside blastp, diamond and phmmer, in one run, one thread each.

    python -m benchmarks.search.similarity [--data FOLDER] [--sample N] [--peers NAMES] [--null N]

Searches the proteins of lambda, S. pyogenes and M. mycoides in the proteins of
``reference/sprot`` and ``train``. A query is hit where a program reports an E-value of at
most 1e-5; all programs are given a limit of 1e-3. CPU seconds are user and system time of the
whole program, the interpreter's start and opening the index included, making the index or the
peer's database not. Then proteins that are kin of nothing are searched: reversed ones, and
those of M. mycoides with their residues shuffled.
"""

from __future__ import annotations

import argparse
import gzip
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

from genint.knowledge.protein_index import open_index
from genint.knowledge.protein_index_build import build_index
from genint.model.evidence import ReferenceEntry, ReferenceProtein, residues_digest
from genint.model.vocabulary import EvidenceSource
from genint.sources.similarity.search import ReferenceDatabase, nearest_evalue, search_similar

ROOT = Path(__file__).resolve().parents[2]
GENOMES = {
    "lambda": "lambda_NC_001416.gb",
    "S. pyogenes": "S_pyogenes_M1_NC_002737.gb.gz",
    "M. mycoides": "M_mycoides_GM12_NZ_CP001668.gbff.gz",
}
GOOD = 1e-5
LIMIT = 1e-3
NULL_LIMITS = (1e-1, 1e-2, 1e-3, 1e-5)
PEERS = ("blastp", "diamond", "phmmer")
SEED = 20_240_601
ALLOWED_CPU = 0.2
ALLOWED_LOSS = 0.02
ALLOWED_NULL = 0.003

Protein = tuple[str, str]


class Run(NamedTuple):
    """Best E-value of each query that was hit; CPU seconds; mebibytes at the peak."""

    best: dict[str, float]
    cpu_s: float
    peak_mib: float


def read_fasta(path: Path) -> Iterator[Protein]:
    """Headings and residues of a FASTA file, gzipped or plain."""
    opener = gzip.open if path.suffix == ".gz" else open
    heading, parts = "", list[str]()
    with opener(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            if line.startswith(">"):
                if heading:
                    yield heading, "".join(parts)
                heading, parts = line[1:].strip(), []
            else:
                parts.append(line.strip())
    if heading:
        yield heading, "".join(parts)


def reference(data: Path) -> Iterator[ReferenceProtein]:
    """The proteins that are searched, named by a number."""
    files = [*sorted((data / "reference/sprot").glob("*.gz")), data / "train/phage_proteins.faa.gz"]
    number = 0
    for file in files:
        for heading, residues in read_fasta(file):
            letters = residues.upper().replace("*", "")
            if letters:
                number += 1
                name = heading.split("~~~")[2] if "~~~" in heading else heading.split("||")[-1]
                entry = ReferenceEntry(
                    f"r{number}", name, length_aa=len(letters), digest=residues_digest(letters)
                )
                yield ReferenceProtein(entry, letters)


def genome_proteins(path: Path) -> list[Protein]:
    """Proteins of a genome, named by a number."""
    from genint.formats import read_genome  # noqa: PLC0415 - not a part of the search measured

    genes = (gene for gene in read_genome(path).genes if gene.protein)
    return [(f"q{number}", str(gene.protein)) for number, gene in enumerate(genes)]


def write_fasta(proteins: Iterable[Protein], path: Path) -> Path:
    """Write proteins; returns the path."""
    path.write_text("".join(f">{name}\n{residues}\n" for name, residues in proteins))
    return path


def measured(command: Sequence[str | Path], output: Path) -> tuple[float, float]:
    """Run a command; CPU seconds, and mebibytes at the peak."""
    environment = os.environ | {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    with output.open("wb") as stream:
        process = subprocess.Popen(
            [str(part) for part in command], stdout=stream, stderr=subprocess.PIPE, env=environment
        )
        _, errors = b"", process.stderr.read() if process.stderr else b""
        _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"{command[0]} failed: {errors.decode(errors='replace').strip()[-300:]}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def best_of(rows: Iterable[tuple[str, float]]) -> dict[str, float]:
    """The lowest E-value of each query."""
    best: dict[str, float] = {}
    for name, evalue in rows:
        best[name] = min(evalue, best.get(name, evalue))
    return best


def run(program: str, queries: Path, folder: Path) -> Run:
    """One program, on queries in a FASTA file."""
    output = folder / "hits.txt"
    evalue, at = f"{LIMIT:g}", 1
    command: list[str | Path]
    if program == "genint":
        command = [
            sys.executable,
            "-m",
            "benchmarks.search.similarity",
            "--search",
            folder / "index",
            "--queries",
            queries,
        ]
    elif program == "blastp":
        command = ["blastp", "-query", queries, "-db", folder / "blast", "-evalue", evalue]
        command += ["-num_threads", "1", "-outfmt", "6 qseqid evalue"]
    elif program == "diamond":
        command = ["diamond", "blastp", "-q", queries, "-d", folder / "diamond", "-e", evalue]
        command += ["-p", "1", "--outfmt", "6", "qseqid", "evalue", "--sensitive"]
    else:
        table, at = folder / "table.txt", 4
        command = ["phmmer", "--noali", "--cpu", "0", "-E", evalue, "--tblout", table]
        command += ["-o", os.devnull, queries, folder / "reference.faa"]
        output = folder / "nothing.txt"
    cpu_s, peak_mib = measured(command, output)
    if program == "phmmer":
        output = folder / "table.txt"
    lines = (line.split() for line in output.read_text().splitlines() if line[:1] != "#")
    name_at = 2 if program == "phmmer" else 0
    return Run(best_of((line[name_at], float(line[at])) for line in lines), cpu_s, peak_mib)


def prepare(folder: Path, data: Path, peers: Sequence[str]) -> None:
    """Build what each program searches; prints what ours took.

    In a process of its own: the peak memory of a program is at least that of its parent.
    """
    proteins = list(reference(data))
    index = folder / "index"
    index.mkdir()
    before, started = time.process_time(), time.monotonic()
    info = build_index(proteins, index)
    cpu_s, wall_s = time.process_time() - before, time.monotonic() - started
    size = sum(file.stat().st_size for file in index.iterdir())
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"index of {info.proteins:,} proteins, {info.residues:,} residues: "
        f"{cpu_s:.1f} CPU s, {wall_s:.1f} s, {size / 2**20:.0f} MiB, "
        f"{peak:.0f} MiB of memory (with the proteins themselves)",
        flush=True,
    )
    fasta = write_fasta(
        ((p.entry.accession, p.residues) for p in proteins), folder / "reference.faa"
    )
    quiet = folder / "made.txt"
    if "blastp" in peers:
        measured(["makeblastdb", "-in", fasta, "-dbtype", "prot", "-out", folder / "blast"], quiet)
    if "diamond" in peers:
        measured(["diamond", "makedb", "--in", fasta, "-d", folder / "diamond", "-p", "1"], quiet)


def compare(queries: dict[str, list[Protein]], folder: Path, peers: Sequence[str]) -> bool:
    """Print the table; whether ours keeps to what it promises against blastp."""
    print("\ngenome        program   hit  of blastp's   extra    CPU s  of blastp's  MiB")
    kept = True
    for genome, proteins in queries.items():
        fasta = write_fasta(proteins, folder / "queries.faa")
        results = {name: run(name, fasta, folder) for name in (*peers, "genint")}
        yardstick = results.get("blastp")
        wanted = _good(yardstick) if yardstick else set()
        for name, result in results.items():
            good = _good(result)
            share = len(good & wanted) / max(len(wanted), 1)
            cost = result.cpu_s / yardstick.cpu_s if yardstick else 0.0
            print(
                f"{genome:13s} {name:8s} {len(good):5d} {share:11.1%} {len(good - wanted):8d} "
                f"{result.cpu_s:8.1f} {cost:11.3f} {result.peak_mib:5.0f}",
                flush=True,
            )
            if name == "genint" and yardstick:
                kept &= share >= 1 - ALLOWED_LOSS and cost <= ALLOWED_CPU
    return kept


def _good(result: Run) -> set[str]:
    return {name for name, evalue in result.best.items() if evalue <= GOOD}


def null_queries(
    queries: dict[str, list[Protein]], data: Path, count: int
) -> dict[str, list[Protein]]:
    """Proteins that are kin of nothing."""
    chance = random.Random(SEED)
    real = [protein for proteins in queries.values() for protein in proteins]
    real += [(p.entry.accession, p.residues) for p in reference(data)]
    at_rich = queries["M. mycoides"]
    turned = [(f"n{at}", chance.choice(real)[1][::-1]) for at in range(count)]
    mixed = [
        (f"n{at}", "".join(chance.sample(residues, len(residues))))
        for at, (_, residues) in enumerate(chance.choices(at_rich, k=count))
    ]
    return {"reversed": turned, "shuffled AT-rich": mixed}


def calibrate(nulls: dict[str, list[Protein]], folder: Path) -> bool:
    """Print how many queries without kin are hit; whether that keeps to what is promised."""
    print(
        "\nqueries without kin    " + "".join(f"{f'E <= {limit:g}':>12s}" for limit in NULL_LIMITS)
    )
    index = open_index(folder / "index")
    kept = True
    for name, proteins in nulls.items():
        best = [nearest_evalue(residues, index) for _, residues in proteins]
        rates = [sum(e <= limit for e in best) / len(proteins) for limit in NULL_LIMITS]
        print(
            f"{len(proteins):6d} {name:16s}" + "".join(f"{rate:12.2%}" for rate in rates),
            flush=True,
        )
        kept &= rates[NULL_LIMITS.index(LIMIT)] <= ALLOWED_NULL
    return kept


def search(index: Path, queries: Path) -> None:
    """What is measured: search and print."""
    database = ReferenceDatabase(EvidenceSource.SWISSPROT, "reference", index, "")
    for hit in search_similar(list(read_fasta(queries)), database):
        print(hit.gene_id, hit.evalue)


def main() -> None:
    """Read the options and run."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared/data")
    parser.add_argument("--sample", type=int, help="so many proteins of each genome")
    parser.add_argument("--peers", default=",".join(PEERS))
    parser.add_argument("--null", type=int, default=10_000, help="queries without kin of each sort")
    parser.add_argument("--search", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--queries", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.search:
        search(options.search, options.queries)
        return
    asked = [name for name in options.peers.split(",") if name]
    for name in asked:
        if not shutil.which(name):
            print(f"{name} is not installed: left out")
    peers = [name for name in asked if shutil.which(name)]
    queries = {
        name: genome_proteins(options.data / "genomes" / file) for name, file in GENOMES.items()
    }
    if options.sample:
        chance = random.Random(SEED)
        queries = {
            name: chance.sample(proteins, min(options.sample, len(proteins)))
            for name, proteins in queries.items()
        }
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        making = get_context("spawn").Process(target=prepare, args=(folder, options.data, peers))
        making.start()
        making.join()
        kept = compare(queries, folder, peers) if peers else True
        if options.null:
            kept &= calibrate(null_queries(queries, options.data, options.null), folder)
    print("\nkept what is promised" if kept else "\nNOT what is promised")
    sys.exit(not kept)


if __name__ == "__main__":
    main()
