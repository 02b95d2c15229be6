"""The model of gene order, by which neighbours suggest a category: ``data/gene_order.toml``.

Genes of one module lie side by side: packaging, head, tail, lysis, integration, replication
of phages; operons of bacteria. The model is a chain of modules along the contig (a hidden
Markov model, Rabiner 1989, doi:10.1109/5.18626): every gene lies in a module, a module goes
on or is followed by another with a fixed probability, and it holds genes of each category
with a fixed probability. The chain reads the same from both ends: categories have no more
order than that. At a border (other strand, a gap) it starts anew with a fitted probability.

It is learned from the order of named genes (``training/gene_order``).
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from types import MappingProxyType
from typing import Any, NamedTuple

from genint.knowledge.table_files import GENE_ORDER, read_shipped
from genint.model.interval import Strand
from genint.model.vocabulary import Category, GenomeKind


class Placed(NamedTuple):
    """One gene, in the order of the contig.

    Attributes:
        category: What its own evidence says; None where that is nothing.
        probability: That the category is right, 0..1.
        start, end: Of the gene on the unrolled contig, 0-based, end excluded.
        strand: None where only the order of the genes is known.
    """

    category: Category | None
    probability: float
    start: int
    end: int
    strand: Strand | None


class Link(StrEnum):
    """How two genes that follow each other lie."""

    CLOSE = "close"
    """On one strand, with no more than ``close_bp`` between them."""
    APART = "apart"
    """On one strand, further apart."""
    SWITCH = "switch"
    """On different strands."""
    UNPLACED = "unplaced"
    """Only their order is known."""


@dataclass(frozen=True, slots=True)
class ModuleChain:
    """Gene order in one kind of genome. All rows of probabilities sum to 1.

    Attributes:
        categories: Categories that it distinguishes, in the order of the columns.
        modules: Names of the modules; each began as that of one category.
        start: How often a gene lies in each module.
        transitions: By module: of the next gene in the same run.
        emissions: By module: of the categories of its named genes.
        kept: By link: how often the run of modules goes on over it, 0..1.
        close_bp: Largest gap of a close link, bp.
        shrink: Factor on log-odds that makes the probabilities what was measured, 0..1.
    """

    categories: tuple[Category, ...]
    modules: tuple[str, ...]
    start: tuple[float, ...]
    transitions: tuple[tuple[float, ...], ...]
    emissions: tuple[tuple[float, ...], ...]
    kept: Mapping[Link, float]
    close_bp: int
    shrink: float

    @property
    def shares(self) -> tuple[float, ...]:
        """How common each category is among named genes."""
        columns = zip(*self.emissions, strict=True)
        return tuple(sum(map(float.__mul__, self.start, column)) for column in columns)


def link_of(one: Placed, following: Placed, close_bp: int) -> Link:
    """Position of a gene relative to the next one; across an origin the gap is not known."""
    if one.strand is None or following.strand is None:
        return Link.UNPLACED
    if one.strand != following.strand:
        return Link.SWITCH
    if following.start < one.start:
        return Link.UNPLACED
    return Link.CLOSE if following.start - one.end <= close_bp else Link.APART


@dataclass(frozen=True, slots=True)
class GeneOrder:
    """The model; a kind of genome without a chain is one where gene order is uninformative.

    Attributes:
        version: Of the data file.
        basis: What it was learned from and how well it did on held-out genomes.
        chains: By kind of genome.
    """

    version: str
    basis: str
    chains: Mapping[GenomeKind, ModuleChain]


@cache
def load_gene_order() -> GeneOrder:
    """Read the model that ships with genint. Cost: 5 ms."""
    return parse_gene_order(read_shipped(GENE_ORDER).decode())


def parse_gene_order(text: str) -> GeneOrder:
    """The model of a file's text."""
    table = tomllib.loads(text)
    chains = {GenomeKind(kind): _chain(chain) for kind, chain in table["chain"].items()}
    return GeneOrder(table["version"], table["basis"], MappingProxyType(chains))


def _chain(table: Mapping[str, Any]) -> ModuleChain:
    modules = table["module"]
    return ModuleChain(
        categories=tuple(map(Category, table["categories"])),
        modules=tuple(module["name"] for module in modules),
        start=_probabilities(module["share"] for module in modules),
        transitions=tuple(_probabilities(module["next"]) for module in modules),
        emissions=tuple(_probabilities(module["genes"]) for module in modules),
        kept=MappingProxyType({Link(name): float(kept) for name, kept in table["kept"].items()}),
        close_bp=table["close_bp"],
        shrink=table["shrink"],
    )


def _probabilities(row: Any) -> tuple[float, ...]:
    """Made to sum to 1: they are rounded in the file."""
    numbers = tuple(map(float, row))
    total = sum(numbers)
    return tuple(number / total for number in numbers)
