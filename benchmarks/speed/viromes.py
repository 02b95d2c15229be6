"""Viromes: gene finding in thousands of contigs beside pyrodigal-gv, and the page of the report.

    python -m benchmarks.speed.viromes [--contigs N] [--interpreted N] [--workers N]

Pieces of 5 kb are cut from the phages at hand, from either strand. Their genes are found by
pyrodigal-gv in threads (it computes without Python's lock) and by genint's first stage in worker
processes, as many of either; wall-clock seconds, and the ratio, of the same run. A smaller number
of contigs is interpreted, and their result is repeated to as many contigs as were cut: seconds
and bytes of the page.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from Bio import SeqIO
from pyrodigal_gv import ViralGeneFinder

from benchmarks.speed.many_genomes import PHAGES
from benchmarks.speed.measured import DATA, verdict
from genint.compute import ProcessBackend
from genint.formats import read_genome_bytes
from genint.knowledge.confidence import load_confidence
from genint.model.genome import Genome
from genint.model.interpretation import Parameters
from genint.pipeline.gene_calling import Payload, call_or_split, call_part, join_calls
from genint.pipeline.library import interpret_genome
from genint.report.build import build_result
from genint.report.formats import render
from genint.report.result import GenintResult

CONTIG_BP = 5_000
MICROVIRUSES = "microviruses100_pharokka.gbk"
_SEED = 1


def pieces(folder: Path, number: int) -> list[str]:
    """Stretches of phage genomes, of either strand; longer genomes give more of them."""
    files = [folder / name for name in (*PHAGES, MICROVIRUSES)]
    records = [one.seq for file in files for one in SeqIO.parse(file, "genbank")]
    records = [one for one in records if len(one) >= CONTIG_BP]
    chance = random.Random(_SEED)
    cut = []
    for record in chance.choices(records, [len(one) for one in records], k=number):
        at = chance.randrange(len(record) - CONTIG_BP + 1)
        piece = record[at : at + CONTIG_BP]
        cut.append(str(piece if chance.random() < 0.5 else piece.reverse_complement()).upper())
    return cut


def fasta(cut: Sequence[str]) -> bytes:
    """The pieces as a file."""
    return "".join(f">contig_{at}\n{text}\n" for at, text in enumerate(cut, 1)).encode()


def peer_s(cut: Sequence[str], workers: int) -> tuple[float, int]:
    """Seconds of pyrodigal-gv, and the genes that it found."""
    finder = ViralGeneFinder(meta=True)
    started = time.monotonic()
    with ThreadPoolExecutor(workers) as pool:
        genes = sum(map(len, pool.map(finder.find_genes, cut)))
    return time.monotonic() - started, genes


async def _found(genome: Genome, workers: int) -> int:
    pool = ProcessBackend(workers)
    try:
        called, parts = call_or_split(genome, Parameters())
        answers = await asyncio.gather(*(pool.run(call_part, part) for part in parts))
    finally:
        await pool.close()
    called = join_calls(called, *answers) if parts else called
    return sum(len(one.contig.genes) for one in called.calls.contigs) if called.calls else 0


def our_s(genome: Genome, workers: int) -> tuple[float, int]:
    """Seconds of genint's first stage, its processes' start included, and the genes."""
    started = time.monotonic()
    genes = asyncio.run(_found(genome, workers))
    return time.monotonic() - started, genes


def repeated(result: GenintResult, contigs: int) -> GenintResult:
    """A result with its records over and over, each under other ids."""
    text = result.model_dump(mode="json")
    turns = -(-contigs // len(result.records))
    for kind in ("records", "genes", "rna_genes"):
        text[kind] = [_renamed(one, turn) for turn in range(turns) for one in text[kind]]
    text["warnings"], text["summary"]["genes"] = [], len(text["genes"])
    return GenintResult.model_validate(text)


def _renamed(item: dict[str, object], turn: int) -> dict[str, object]:
    names = {key: f"t{turn}_{item[key]}" for key in ("id", "record") if item.get(key)}
    return {**item, **names}


def page(cut: Sequence[str], contigs: int) -> None:
    """Print seconds and size of the page."""
    summary = interpret_genome(Payload(fasta(cut), "virome.fasta"))
    result = repeated(build_result(summary, load_confidence()), contigs)
    started = time.monotonic()
    text = render(result, "html")
    seconds = time.monotonic() - started
    name = f"page of {len(result.records):,} contigs, {len(result.genes):,} genes"
    verdict(f"{name}, s", seconds)
    verdict(f"{name}, MB", len(text.encode()) / 1e6, "<= 15")


def main() -> None:
    """Print all figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--contigs", type=int, default=10_000)
    parser.add_argument("--interpreted", type=int, default=300)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--genomes", type=Path, default=DATA / "genomes")
    options = parser.parse_args()
    cut = pieces(options.genomes, options.contigs)
    genome = read_genome_bytes(fasta(cut), "virome.fasta")
    theirs_s, theirs = peer_s(cut, options.workers)
    ours_s, ours = our_s(genome, options.workers)
    print(f"{len(cut):,} contigs of {CONTIG_BP:,} bp, {options.workers} workers")
    verdict(f"pyrodigal-gv, {theirs:,} genes, s", theirs_s)
    verdict(f"genint's first stage, {ours:,} genes, s", ours_s)
    verdict("ratio", ours_s / theirs_s, "<= 1.3")
    if options.interpreted:
        page(cut[: options.interpreted], options.contigs)


if __name__ == "__main__":
    main()
