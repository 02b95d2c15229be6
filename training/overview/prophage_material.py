"""Genes of seven bacteria whose prophages were placed by hand, as the scan looks at them.

Interpreting them takes minutes and is kept in ``prophage_genes.tsv``, so that a test can fit
anew. The annotations are hidden. A family of phages that was made from prophages of one of the
seven alone says nothing of it or of its relatives.
"""

from __future__ import annotations

import gzip
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from genint import interpret_genome
from genint.formats import read_genome
from genint.knowledge.own_families import FamilyPack, OwnFamilyTable, load_own_families
from genint.knowledge.prophages import GeneLook, Recognised, Task, length_class
from genint.knowledge.roles import load_roles
from genint.model.evidence import residues_digest
from genint.model.genome import Gene
from genint.model.interval import Strand
from genint.model.vocabulary import EvidenceSource
from genint.overview.prophage_scan import Run, filamentous_runs, looks_of
from genint.overview.record import Player, players_of

_MARK = "is_phage"
_OWN_RECORD: Final = "NC_002737"
"""S. pyogenes M1 is one of the seven, and its prophages had a part in making families."""
_PROTEINS = ("phage_proteins", "phage_proteins_more", "phage_proteins_139")
_DIGITS: Final = 8
_TASKS = dict(zip(Task, "VLISMRTDOU", strict=True))
_BY = dict(zip(Recognised, "PBFN", strict=True))
_LENGTHS_AA = (50, 150, 250)
_HEAD = """\
# Genes of bacteria as the scan for prophages looks at them, annotations hidden. Measured, not
# written by hand: python -m training.overview.prophages --interpret
# A word a gene, by position: task, what recognises it, class of length, turn of the strand, space
# before it, and whether the file marks it as a prophage's (1, 0, ? where the file has no such
# gene). `missed`: marked genes that were not predicted. `filamentous`: first and last gene, counted
# from 0, of the runs around an assembly protein of filamentous phages.
"""


class Stretch(NamedTuple):
    """The genes of a record.

    Attributes:
        genome: Name of the file.
        group: Species: what is left out together.
        record: Id.
        missed: Genes that the file marks and that were not predicted.
        looks: By position.
        marked: Of each gene, whether the file marks it; None where the file has no such gene.
        filamentous: Runs around an assembly protein of filamentous phages; nothing of them is
            fitted.
    """

    genome: str
    group: str
    record: str
    missed: int
    looks: tuple[GeneLook, ...]
    marked: tuple[bool | None, ...]
    filamentous: tuple[Run, ...] = ()


def interpret_all(data: Path, cache: Path | None) -> tuple[Stretch, ...]:
    """All records of the seven. Cost: minutes; seconds where the searches are in the cache."""
    families = load_own_families()
    hidden = _of_one_genome_alone(families, data)
    found: list[Stretch] = []
    for file in sorted((data / "genomes" / "prophages").glob("*.gz")):
        found += _read(file, families, hidden, cache)
    return tuple(found)


def _read(
    file: Path, families: OwnFamilyTable, hidden: frozenset[str], cache: Path | None
) -> Iterator[Stretch]:
    name = file.name.partition(".")[0]
    summary = interpret_genome(file, ignore_annotations=True, cache_folder=cache)
    roles = load_roles()
    for contig in read_genome(file).contigs:
        told = {_end(gene): _is_marked(gene) for gene in contig.genes}
        results = [one for one in summary.results if one.gene.contig == contig.id]
        players = players_of(results, roles)
        looks = looks_of(players, families.families)
        shown = tuple(
            _without(player, look, hidden) for player, look in zip(players, looks, strict=True)
        )
        ends = [_end(player.result.gene) for player in players]
        missed = sum(mark for end, mark in told.items() if end not in set(ends))
        group = " ".join(name.split("_")[:2])
        marked = tuple(told.get(end) for end in ends)
        small = filamentous_runs(players, looks)
        yield Stretch(name, group, contig.id, missed, shown, marked, small)


def _without(player: Player, look: GeneLook, hidden: frozenset[str]) -> GeneLook:
    read = player.result.interpretation
    evidence = () if read is None else read.evidence
    if not any(item.accession in hidden for item in evidence):
        return look
    if any(item.source is EvidenceSource.PFAM for item in evidence):
        return look._replace(by=Recognised.PFAM)
    return look._replace(task=Task.UNKNOWN, by=Recognised.NOTHING)


def _end(gene: Gene) -> tuple[Strand, int]:
    """Where its stop codon is: predictions and annotations differ in starts."""
    span = gene.span
    return gene.strand, span.end if gene.strand is Strand.FORWARD else span.start


def _is_marked(gene: Gene) -> bool:
    return any(value not in ("", "0") for value in gene.values(_MARK))


def _of_one_genome_alone(families: OwnFamilyTable, data: Path) -> frozenset[str]:
    """Families of phages that have their name from prophages of the one genome alone."""
    own: set[str] = set()
    others: set[str] = set()
    for name in _PROTEINS:
        for header, residues in _fasta(data / "train" / f"{name}.faa.gz"):
            digest = residues_digest(residues)[:_DIGITS]
            (own if _OWN_RECORD in header else others).add(digest)
    found = set()
    for id, text in families.agreeing.items():
        members = {text[at : at + _DIGITS] for at in range(0, len(text), _DIGITS)}
        is_phage = id in families and families[id].pack is FamilyPack.PHAGE
        if is_phage and members & own and not members & (others - own):
            found.add(id)
    return frozenset(found)


def _fasta(path: Path) -> Iterator[tuple[str, str]]:
    header = ""
    residues: list[str] = []
    with gzip.open(path, "rt") as lines:
        for line in lines:
            if line.startswith(">"):
                if header:
                    yield header, "".join(residues)
                header, residues = line, []
            else:
                residues.append(line.strip().rstrip("*"))
    if header:
        yield header, "".join(residues)


def table_of(stretches: Sequence[Stretch]) -> str:
    """The text of ``prophage_genes.tsv``."""
    lines = ["genome\tgroup\trecord\tmissed\tfilamentous\tgenes"]
    for one in stretches:
        words = " ".join(map(_word, one.looks, one.marked))
        small = " ".join(f"{run.first}-{run.last}" for run in one.filamentous)
        where = f"{one.genome}\t{one.group}\t{one.record}"
        lines.append(f"{where}\t{one.missed}\t{small}\t{words}")
    return _HEAD + "\n".join(lines) + "\n"


def _word(look: GeneLook, marked: bool | None) -> str:
    told = "?" if marked is None else f"{marked:d}"
    by = f"{_TASKS[look.task]}{_BY[look.by]}{length_class(look.length_aa)}"
    return f"{by}{look.turns:d}{look.apart:d}{told}"


def read_table(text: str) -> tuple[Stretch, ...]:
    """The records of such a table; ValueError or KeyError where a word is none."""
    rows = [line.split("\t") for line in text.splitlines() if line[:1] != "#"][1:]
    return tuple(
        Stretch(genome, group, record, int(missed), *_genes(words.split()), _runs(small))
        for genome, group, record, missed, small, words in rows
    )


def _runs(text: str) -> tuple[Run, ...]:
    ends = (word.split("-") for word in text.split())
    return tuple(Run(int(first), int(last)) for first, last in ends)


def _genes(words: Sequence[str]) -> tuple[tuple[GeneLook, ...], tuple[bool | None, ...]]:
    tasks = {letter: task for task, letter in _TASKS.items()}
    by = {letter: one for one, letter in _BY.items()}
    looks = tuple(
        GeneLook(
            tasks[word[0]], by[word[1]], _LENGTHS_AA[int(word[2])], word[3] == "1", word[4] == "1"
        )
        for word in words
    )
    return looks, tuple({"1": True, "0": False}.get(word[5]) for word in words)
