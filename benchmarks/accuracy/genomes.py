"""Genomes of the bench: what programs get of them, and the truth that they are judged by."""

from __future__ import annotations

import csv
import gzip
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from Bio import SeqIO

from genint.formats import read_genome
from genint.knowledge.products import ProductVocabulary
from genint.model.genome import Genome, Topology
from genint.model.vocabulary import GenomeKind
from training.blind.truth import TrueGene, true_genes
from training.confidence.panel import PANEL

SHOWN = "lambda T7 phageK L5 VT2Sakai Apostate S_pyogenes M_mycoides E_coli".split()
"""Genomes of the confidence model's panel that the README shows."""
JUDGES = Path(__file__).with_name("judges.toml")
"""Genomes that nothing was fitted on."""
COG_JUDGE = "M_pneumoniae"
"""Proteome of the panel whose letters taught genint nothing."""
_CODES = {"M_mycoides": 4}
"""NCBI genetic codes other than 11: Prokka does not find out."""
_STANDARD_CODE = 11
_COG_TRUTH = {
    "E_coli": ("cogclassifier_ecoli.faa.gz", "cogclassifier_ecoli.cog.tsv.gz"),
    COG_JUDGE: ("cogclassifier_mycoplasma.faa", "cogclassifier_mycoplasma.cog.tsv"),
}
_LINE_BASES = 60


@dataclass(frozen=True, slots=True)
class BenchGenome:
    """A genome made ready.

    Attributes:
        name: As in the panel.
        group: Name of its group in the panel.
        kind: Phage or bacterium.
        code: NCBI genetic code.
        annotated: The record.
        truth: What it says of its genes.
        fasta: All that the programs get of it; contigs are named c0, c1, ...
        circles: Length of each contig in bp where it is a circle, else None.
        letters: COG letters by the residues of a protein; empty where none are known.
    """

    name: str
    group: str
    kind: GenomeKind
    code: int
    annotated: Genome
    truth: tuple[TrueGene, ...]
    fasta: Path
    circles: tuple[int | None, ...]
    letters: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Listed:
    """A genome as one of the two tables of genomes lists it.

    Attributes:
        name: Of the genome.
        group: Of near relatives.
        kind: Phage or bacterium.
        file: In the folder of genomes.
        left_out: The group of the confidence model that it or its near relatives are in; None
            where nothing was fitted on any of them.
    """

    name: str
    group: str
    kind: GenomeKind
    file: str
    left_out: str | None

    @property
    def only_judges(self) -> bool:
        """Whether it is no genome that the confidence model was fitted on."""
        return self.left_out != self.group


def listed_genomes() -> Mapping[str, Listed]:
    """Annotated genomes by name: of the confidence model, then those that only judge.

    Raises:
        ValueError: two genomes, or two groups, have one name.
    """
    fitted, judging = (
        tomllib.loads(path.read_text(encoding="utf-8"))["group"] for path in (PANEL, JUDGES)
    )
    groups = [(group, group["name"]) for group in fitted]
    groups += [(group, group.get("left_out")) for group in judging]
    listed = [
        Listed(name, group["name"], GenomeKind(group["kind"]), file, left_out)
        for group, left_out in groups
        for name, file in group["genomes"].items()
    ]
    for names in ([group["name"] for group, _ in groups], [one.name for one in listed]):
        twice = sorted(name for name, times in Counter(names).items() if times > 1)
        if twice:
            raise ValueError(f"one name for two genomes or groups: {', '.join(twice)}")
    return {one.name: one for one in listed}


def make_ready(
    listed: Listed, data: Path, work: Path, vocabulary: ProductVocabulary
) -> BenchGenome:
    """Read a record, put its annotation aside and write its bases."""
    genome = read_genome(data / "genomes" / listed.file)
    fasta = work / f"{listed.name}.fna"
    with fasta.open("w", encoding="ascii") as stream:
        for number, contig in enumerate(genome.contigs):
            stream.write(f">c{number}\n")
            for at in range(0, len(contig), _LINE_BASES):
                stream.write(contig.bases[at : at + _LINE_BASES] + "\n")
    return BenchGenome(
        name=listed.name,
        group=listed.group,
        kind=listed.kind,
        code=_CODES.get(listed.name, _STANDARD_CODE),
        annotated=genome,
        truth=true_genes(genome, vocabulary),
        fasta=fasta,
        circles=tuple(
            len(contig) if contig.topology is Topology.CIRCULAR else None
            for contig in genome.contigs
        ),
        letters=cog_letters(listed.name, data),
    )


def cog_letters(name: str, data: Path) -> Mapping[str, str]:
    """COG letters of a genome's proteins by their residues; empty where none are known."""
    if name not in _COG_TRUTH:
        return {}
    proteins, table = (data / "reference" / "ecoli_truth" / file for file in _COG_TRUTH[name])
    with _open(table) as stream:
        letters = {
            row["QUERY_ID"]: row["COG_LETTER"] for row in csv.DictReader(stream, delimiter="\t")
        }
    return {residues: letters[key] for key, residues in _proteins(proteins) if key in letters}


def _proteins(path: Path) -> Iterator[tuple[str, str]]:
    with _open(path) as stream:
        for record in SeqIO.parse(stream, "fasta"):
            yield record.id, str(record.seq).rstrip("*")


def _open(path: Path) -> TextIO:
    if path.suffix == ".gz":
        return gzip.open(path, "rt", encoding="utf-8")
    return path.open(encoding="utf-8")
