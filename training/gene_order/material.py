"""Records whose genes are known in order, with the categories that their names stand for."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from genint.knowledge.gene_order import Placed
from genint.knowledge.name_comparison import is_informative
from genint.knowledge.products import ProductVocabulary
from genint.knowledge.roles import RoleTable
from genint.model.genome import Topology
from genint.model.vocabulary import Category, GenomeKind
from training.confidence.panel import Group, PanelGenome, read_panel
from training.families.corpus import sequence_hash
from training.families.inputs import Input, Reader
from training.families.readers import POOLED, Reading, read_all
from training.families.values import Origin

RELATED_SHARE = 0.5
"""Of the proteins of the smaller record that the larger one has letter by letter."""
LEAST_NAMED = 3
"""Genes with a category: fewer say nothing of order."""
UNINFORMATIVE = frozenset({Category.OTHER, Category.UNKNOWN})
_POOLS = frozenset({"PhANNs_MCP"})
_ORDERED = (Reader.RECORD_TABLE, Reader.TRAIN_FASTA)


class Record(NamedTuple):
    """One contig of a genome.

    Attributes:
        name: Of the record.
        group: Of genomes that are left out together; its name where it is none of the panel.
        kind: Of the genome.
        genes: In order; every category is the record's own word.
        proteins: Hashes of their residues, in the same order.
        circular: Whether the last gene is followed by the first.
        of_panel: Whether it is one of the annotated genomes.
    """

    name: str
    group: str
    kind: GenomeKind
    genes: tuple[Placed, ...]
    proteins: tuple[str, ...]
    circular: bool
    of_panel: bool


def category_finder(
    vocabulary: ProductVocabulary, roles: RoleTable
) -> Callable[[str], Category | None]:
    """A function from a product name to its category; None where it tells none."""

    @cache
    def category_of(name: str) -> Category | None:
        if not name or not is_informative(name, vocabulary):
            return None
        for found in (vocabulary.find(name), roles.role_of(name)):
            if found is not None and found.category not in UNINFORMATIVE:
                return found.category
        return None

    return category_of


def read_material(
    data: Path,
    inputs: Sequence[Input],
    vocabulary: ProductVocabulary,
    roles: RoleTable,
) -> tuple[Record, ...]:
    """All records whose order is known, those of the panel first.

    Names of machine annotations are nobody's word and are left out.

    Args:
        data: The data folder.
        inputs: Of the family build.
        vocabulary: Categories of products.
        roles: Categories of the names that are no product.

    Cost: 6 s.
    """
    category_of = category_finder(vocabulary, roles)
    panel = [
        record
        for group in read_panel(data, vocabulary)
        for genome in group.genomes
        for record in _of_genome(group, genome, category_of)
    ]
    by_record: defaultdict[str, list[Reading]] = defaultdict(list)
    for reading in read_all(data, [one for one in inputs if one.reader in _ORDERED]):
        naming = reading.naming
        if naming.origin is not Origin.MACHINE and not _is_pool(naming.record):
            by_record[naming.record].append(reading)
    ordered = [_in_order(name, readings, category_of) for name, readings in by_record.items()]
    return tuple(one for one in (*panel, *ordered) if named(one) >= LEAST_NAMED)


def named(record: Record) -> int:
    """How many genes have a category."""
    return sum(gene.category is not None for gene in record.genes)


def _is_pool(record: str) -> bool:
    return record.startswith(POOLED) or record in _POOLS


def _of_genome(
    group: Group, genome: PanelGenome, category_of: Callable[[str], Category | None]
) -> Iterable[Record]:
    for contig in genome.genome.contigs:
        genes = tuple(
            Placed(
                category_of(genome.truth[gene.id].product),
                1.0,
                gene.span.start,
                gene.span.end,
                gene.strand if genome.placed else None,
            )
            for gene in contig.genes
        )
        proteins = tuple(_hash(gene.protein) for gene in contig.genes)
        circular = genome.placed and contig.topology is Topology.CIRCULAR
        yield Record(genome.name, group.name, genome.kind, genes, proteins, circular, True)


def _in_order(
    name: str, readings: Sequence[Reading], category_of: Callable[[str], Category | None]
) -> Record:
    genes = tuple(
        Placed(category_of(reading.naming.product), 1.0, at, at + 1, None)
        for at, reading in enumerate(readings)
    )
    proteins = tuple(_hash(reading.residues) for reading in readings)
    return Record(name, name, GenomeKind.PHAGE, genes, proteins, circular=False, of_panel=False)


def _hash(residues: str) -> str:
    return sequence_hash(residues.upper().rstrip("*"))


def families_of_records(records: Sequence[Record]) -> tuple[int, ...]:
    """By record, a number that near relatives, and genomes of one group, share.

    Records are near relatives where one has more than half of the proteins of the other,
    or both have such a relative in common.
    """
    sets = [frozenset(record.proteins) for record in records]
    holders: defaultdict[str, list[int]] = defaultdict(list)
    groups: dict[str, int] = {}
    parents = list(range(len(records)))
    for number, (record, proteins) in enumerate(zip(records, sets, strict=True)):
        shared: defaultdict[int, int] = defaultdict(int)
        for protein in sorted(proteins):
            for other in holders[protein]:
                shared[other] += 1
            holders[protein].append(number)
        related = [
            other
            for other, common in shared.items()
            if common > RELATED_SHARE * min(len(proteins), len(sets[other]))
        ]
        for other in (*related, groups.setdefault(record.group, number)):
            parents[_root(parents, other)] = _root(parents, number)
    return tuple(_root(parents, number) for number in range(len(records)))


def _root(parents: list[int], number: int) -> int:
    while parents[number] != number:
        parents[number] = parents[parents[number]]
        number = parents[number]
    return number


def without(records: Sequence[Record], *groups: str) -> tuple[Record, ...]:
    """Records that are neither of some groups nor near relatives of one of theirs.

    Args:
        records: All of them.
        groups: Groups of the panel, or records that are groups of their own.
    """
    families = families_of_records(records)
    left_out = {
        family for record, family in zip(records, families, strict=True) if record.group in groups
    }
    return tuple(
        record for record, family in zip(records, families, strict=True) if family not in left_out
    )
