"""Are the names right? Annotated genomes with their annotation hidden, under several programs.

    python benchmarks/accuracy.py [--genomes NAME ...] [--modes NAME ...] [--novel]
                                  [--data FOLDER] [--work FOLDER] [--together] [--skip-peers]

For every genome the record is the truth and the programs get its bases alone, as FASTA.

* genint: with families that were built without the genome and its near relatives (see
  training/blind/relatives.py), with no families (Pfam alone), and, if asked for, with those
  that ship, which know the genome itself.
* giae and Prokka: see accuracy_peers.py. Their knowledge of near relatives is left to them.

A gene of the record counts as found where a program calls one with the same stop codon and
strand. A name counts as right where the judge of names (genint/knowledge/name_judge.py) says
that it is the record's, in these words (strict) or others. A record that says nothing of a
gene (hypothetical protein, a symbol alone, a domain alone) is never judged. Coverage is the
share of informative names that a program told rightly, precision the share of its names
for the whole protein that are right: vaguer ones count against it, and are shown apart.

S. pyogenes and M. mycoides records were named by pipelines, so their figures are agreement
rather than truth.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from benchmarks import accuracy_tables as tables
from benchmarks.accuracy_genint import run_genint
from benchmarks.accuracy_peers import PeerFailed, prokka_database, run_giae, run_prokka
from genint.formats import read_genome
from genint.knowledge.products import ProductVocabulary, load_products
from genint.model.genome import Genome, Topology
from training.blind.builds import ROOT, build_blind, empty_families
from training.blind.relatives import Hidden, align, decide
from training.blind.truth import Row, ToldGene, TrueGene, hold_against, true_genes
from training.families.corpus import read_corpus
from training.families.inputs import load_inputs
from training.families.readers import record_id

_LINE_BASES = 60


class Record(NamedTuple):
    """A genome of the bench."""

    file: str
    kingdom: str = "Viruses"
    code: int = 11


RECORDS = {
    "lambda": Record("lambda_NC_001416.gb"),
    "T7": Record("T7_NC_001604.gb"),
    "phageK": Record("phageK_NC_005880.gbk"),
    "L5": Record("L5_Z18946.gb"),
    "VT2Sakai": Record("VT2Sakai_NC_000902.gbk"),
    "S_pyogenes": Record("S_pyogenes_M1_NC_002737.gb.gz", "Bacteria"),
    "M_mycoides": Record("M_mycoides_GM12_NZ_CP001668.gbff.gz", "Bacteria", 4),
}
PROGRAMS = ("genint", "shipped", "pfam", "giae", "prokka")
DEFAULT_PROGRAMS = ("genint", "pfam", "giae", "prokka")


@dataclass(frozen=True, slots=True)
class Blind:
    """A genome made ready: its truth, and the FASTA that the programs get."""

    name: str
    record: Record
    genome: Genome
    truth: tuple[TrueGene, ...]
    fasta: Path
    circles: tuple[int | None, ...]


Run = Callable[[Blind], tuple[tuple[ToldGene, ...], float]]


def prepare(name: str, data: Path, work: Path, vocabulary: ProductVocabulary) -> Blind:
    """Read a record and write its bases."""
    record = RECORDS[name]
    genome = read_genome(data / "genomes" / record.file)
    fasta = work / f"{name}.fna"
    with fasta.open("w") as stream:
        for number, contig in enumerate(genome.contigs):
            stream.write(f">c{number}\n")
            for at in range(0, len(contig), _LINE_BASES):
                stream.write(contig.bases[at : at + _LINE_BASES] + "\n")
    circles = tuple(
        len(contig) if contig.topology is Topology.CIRCULAR else None for contig in genome.contigs
    )
    return Blind(name, record, genome, true_genes(genome, vocabulary), fasta, circles)


def hide(blinds: Sequence[Blind], options: argparse.Namespace) -> dict[str, str]:
    """Text of the exclusion file of each genome; one for all of them with ``--together``."""
    corpus = read_corpus(options.data, load_inputs()).corpus
    alignments = align(
        {blind.name: [gene.residues for gene in blind.truth] for blind in blinds}, corpus
    )
    hidden = {}
    for blind in blinds:
        hidden[blind.name] = decide(
            alignments[blind.name],
            len(blind.truth),
            corpus,
            own_records=[record_id(contig.id) for contig in blind.genome.contigs],
            novel=options.novel,
        )
        print(f"{blind.name}: hidden are {hidden[blind.name].summary()}", flush=True)
    if not options.together:
        return {name: one.text(name) for name, one in hidden.items()}
    records = sorted({record for one in hidden.values() for record in one.records})
    proteins = sorted({protein for one in hidden.values() for protein in one.proteins})
    text = Hidden(tuple(records), tuple(proteins)).text(" ".join(hidden))
    return dict.fromkeys(hidden, text)


def runners(options: argparse.Namespace, exclusions: dict[str, str]) -> dict[str, Run]:
    """How each program is run on a genome that is ready."""
    work, cache = options.work, options.work / "cache"

    def genint(blind: Blind, folder: Path | None) -> tuple[tuple[ToldGene, ...], float]:
        return run_genint(blind.fasta, blind.circles, families=folder, cache=cache)

    def built(blind: Blind) -> Path:
        regime = "novel" if options.novel else "blind"
        name = "together" if options.together else blind.name
        return build_blind(
            exclusions[blind.name],
            data=options.data,
            work=options.families_work,
            output=work / "families" / f"{name}_{regime}",
        )

    return {
        "genint": lambda blind: genint(blind, options.families or built(blind)),
        "shipped": lambda blind: genint(blind, None),
        "pfam": lambda blind: genint(blind, empty_families(work / "families" / "none")),
        "giae": lambda blind: run_giae(blind.fasta, blind.circles),
        "prokka": lambda blind: run_prokka(
            blind.fasta,
            blind.circles,
            blind.record.code,
            proteins=prokka_database(blind.record.kingdom, options.data, work),
            work=work,
        ),
    }


def measure(options: argparse.Namespace) -> None:
    """Run everything and print the tables."""
    vocabulary = load_products()
    options.work.mkdir(parents=True, exist_ok=True)
    blinds = [prepare(name, options.data, options.work, vocabulary) for name in options.genomes]
    needs_build = "genint" in options.modes and options.families is None
    run = runners(options, hide(blinds, options) if needs_build else {})
    rows: list[Row] = []
    seconds: dict[tuple[str, str], float] = {}
    failed: list[tuple[str, str]] = []
    for blind in blinds:
        for program in options.modes:
            try:
                told, took = run[program](blind)
            except PeerFailed as problem:
                print(f"{blind.name}: {program} is left out: {problem}", flush=True)
                failed.append((blind.name, program))
                continue
            seconds[blind.name, program] = took
            rows += hold_against(blind.name, program, blind.truth, told, vocabulary)
    report(rows, seconds, failed, options)


def report(
    rows: Sequence[Row],
    seconds: dict[tuple[str, str], float],
    failed: Sequence[tuple[str, str]],
    options: argparse.Namespace,
) -> None:
    """Print all tables and write the genes."""
    regime = "novel" if options.novel else "near relatives hidden"
    print(f"\nnames of genes given as FASTA; families of genint: {options.families or regime}")
    print("Prokka for phages: UniProt proteins of viruses, relatives not removed; for bacteria")
    print("the genus files that the distribution ships. giae offline, as its package comes.")
    tables.print_figures(rows, seconds, failed)
    tables.print_domains(rows)
    tables.print_levels(rows)
    tables.print_strengths([row for row in rows if row.program == "genint"])
    for program in options.modes:
        tables.print_wrong(rows, program, options.wrong)
    path = options.work / "genes.tsv"
    tables.write_rows(rows, path)
    print(f"\nevery gene: {path}")


def main() -> int:
    """Measure; 1 where the data folder is missing."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--genomes", nargs="+", choices=RECORDS, default=list(RECORDS))
    parser.add_argument("--modes", nargs="+", choices=PROGRAMS, default=list(DEFAULT_PROGRAMS))
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--work", type=Path, default=ROOT / "build" / "accuracy")
    parser.add_argument("--families-work", type=Path, default=ROOT / "build" / "families")
    parser.add_argument("--families", type=Path, help="a build of families, instead of blind ones")
    parser.add_argument("--novel", action="store_true", help="hide all proteins >= 90 %% identical")
    parser.add_argument(
        "--together", action="store_true", help="one build without any of the genomes' relatives"
    )
    parser.add_argument("--skip-peers", action="store_true")
    parser.add_argument("--wrong", type=int, default=30, help="how many wrong names to list")
    options = parser.parse_args()
    if options.skip_peers:
        options.modes = [mode for mode in options.modes if mode not in ("giae", "prokka")]
    if not (options.data / "genomes").is_dir():
        print(f"no such folder: {options.data}", file=sys.stderr)
        return 1
    measure(options)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
