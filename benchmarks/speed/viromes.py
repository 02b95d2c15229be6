"""Viromes: gene finding in thousands of contigs beside pyrodigal-gv, and the page of the report.

    python -m benchmarks.speed.viromes [--contigs N] [--interpreted N] [--repeated N] [--workers N]

Writes ``viromes.md`` beside this file. Pieces of 5 kb are cut from the phages at hand, from either
strand. Their genes are found by pyrodigal-gv in threads (it computes without Python's lock) and
by genint's first stage in worker processes, as many of either, one after the other. A smaller
number of contigs is interpreted, and their result is repeated under other ids to a virome:
seconds and bytes of its page.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from Bio import SeqIO
from pyrodigal_gv import ViralGeneFinder

from benchmarks.speed.many_genomes import PHAGES
from benchmarks.speed.measured import DATA
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

OUTPUT = Path(__file__).with_name("viromes.md")
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


class Found(NamedTuple):
    """What finding genes took: seconds, CPU seconds of all processes, and the genes."""

    wall_s: float
    cpu_s: float
    genes: int


def measured(work: Callable[[], int]) -> Found:
    """Run what finds genes."""
    wall_s, cpu_s = time.monotonic(), _cpu_s()
    genes = work()
    return Found(time.monotonic() - wall_s, _cpu_s() - cpu_s, genes)


def _cpu_s() -> float:
    used = os.times()
    return used.user + used.system + used.children_user + used.children_system


def by_peer(cut: Sequence[str], workers: int) -> int:
    """Genes that pyrodigal-gv finds."""
    finder = ViralGeneFinder(meta=True)
    with ThreadPoolExecutor(workers) as pool:
        return sum(map(len, pool.map(finder.find_genes, cut)))


async def _found(genome: Genome, workers: int) -> int:
    pool = ProcessBackend(workers)
    try:
        called, parts = call_or_split(genome, Parameters())
        answers = await asyncio.gather(*(pool.run(call_part, part) for part in parts))
    finally:
        await pool.close()
    called = join_calls(called, *answers) if parts else called
    return sum(len(one.contig.genes) for one in called.calls.contigs) if called.calls else 0


def by_genint(genome: Genome, workers: int) -> int:
    """Genes that genint's first stage finds, its processes' start included."""
    return asyncio.run(_found(genome, workers))


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


class PageMade(NamedTuple):
    """A page: its contigs and genes, the seconds it took and its bytes."""

    contigs: int
    genes: int
    seconds: float
    size: int


def page(cut: Sequence[str], contigs: int) -> PageMade:
    """Interpret some contigs, and make the page of a virome of them."""
    summary = interpret_genome(Payload(fasta(cut), "virome.fasta"))
    result = repeated(build_result(summary, load_confidence()), contigs)
    started = time.monotonic()
    text = render(result, "html")
    seconds = time.monotonic() - started
    return PageMade(len(result.records), len(result.genes), seconds, len(text.encode()))


def markdown(theirs: Found, ours: Found, made: PageMade | None, options: argparse.Namespace) -> str:
    """The figures as a file."""
    lines = [
        "# Viromes",
        "",
        "Written by `python -m benchmarks.speed.viromes`, whose text says what was run.",
        "",
        f"Genes of {options.contigs:,} contigs of {CONTIG_BP:,} bp, {options.workers} workers:",
        "",
        "| | wall s | CPU s | genes |",
        "| --- | ---: | ---: | ---: |",
        *(
            f"| {name} | {one.wall_s:.0f} | {one.cpu_s:.0f} | {one.genes:,} |"
            for name, one in (("pyrodigal-gv", theirs), ("genint, first stage", ours))
        ),
        f"| ratio | {ours.wall_s / theirs.wall_s:.2f} | {ours.cpu_s / theirs.cpu_s:.2f} | |",
    ]
    if made is not None:
        lines += [
            "",
            f"The page of {made.contigs:,} contigs with {made.genes:,} genes: {made.seconds:.1f} s,"
            f" {made.size / 1e6:.1f} MB.",
        ]
    return "\n".join([*lines, ""])


def main() -> None:
    """Measure, print and write all figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--contigs", type=int, default=10_000)
    parser.add_argument("--interpreted", type=int, default=300)
    parser.add_argument("--repeated", type=int, default=10_000)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--genomes", type=Path, default=DATA / "genomes")
    options = parser.parse_args()
    cut = pieces(options.genomes, options.contigs)
    genome = read_genome_bytes(fasta(cut), "virome.fasta")
    theirs = measured(lambda: by_peer(cut, options.workers))
    ours = measured(lambda: by_genint(genome, options.workers))
    some = cut[: options.interpreted]
    made = page(some, options.repeated) if some else None
    text = markdown(theirs, ours, made, options)
    OUTPUT.write_text(text, "utf-8")
    print(text)


if __name__ == "__main__":
    main()
