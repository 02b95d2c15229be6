"""Fit a chain of modules to records: expectation and maximisation (Baum-Welch)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from genint.knowledge.gene_order import GeneOrder, Link, ModuleChain, Placed, link_of
from genint.model.vocabulary import Category, GenomeKind
from training.gene_order.material import Record, families_of_records

Numbers = NDArray[np.float64]

_BATCH = 64
_UNKNOWN = -1
_LINKS = tuple(Link)


class Recipe(NamedTuple):
    """How a chain is fitted; chosen by the log-loss of genomes that were left out.

    Attributes:
        rounds: Of expectation and maximisation.
        close_bp: Largest gap of a close link, bp.
        shrink: Factor on log-odds.
        least_share: Categories that are rarer have no module of their own.
        stray: Share of a module's genes that are of any category, before the fit.
        stay: How often a module goes on from gene to gene, before the fit.
        weight: Of what was there before the fit, in genes or pairs of genes a module.
    """

    rounds: int = 12
    close_bp: int = 60
    shrink: float = 0.9
    least_share: float = 0.008
    stray: float = 0.2
    stay: float = 0.7
    weight: float = 10.0


RECIPES: Mapping[GenomeKind, Recipe] = MappingProxyType(
    {GenomeKind.PHAGE: Recipe(), GenomeKind.BACTERIUM: Recipe(shrink=1.0)}
)
"""By kind of genome in which the order of categories tells something."""


class _Chain(NamedTuple):
    start: Numbers
    transitions: Numbers
    emissions: Numbers
    kept: Numbers

    @property
    def shares(self) -> Numbers:
        return self.start @ self.emissions


class _Batch(NamedTuple):
    """Some records, one a row; those that are shorter have neither genes nor weight behind."""

    category: NDArray[np.int64]
    sure: Numbers
    link: NDArray[np.int64]
    length: NDArray[np.int64]
    weight: Numbers


class _Counts(NamedTuple):
    pairs: Numbers
    genes: Numbers
    kept: Numbers
    links: Numbers


def learn(
    records: Sequence[Record],
    recipes: Mapping[GenomeKind, Recipe] = RECIPES,
    version: str = "",
    basis: str = "",
) -> GeneOrder:
    """The model of some records; near relatives count as one.

    Args:
        records: To learn from; their order plays no part but in rounding.
        recipes: By kind of genome; kinds without one get no chain.
        version: Of the model.
        basis: What is to be said of it.

    Cost: 3 s for all records.
    """
    chains = {}
    for kind, recipe in recipes.items():
        of_kind = [record for record in records if record.kind is kind]
        if of_kind:
            chains[kind] = fit(of_kind, recipe)
    return GeneOrder(version, basis, MappingProxyType(chains))


def fit(records: Sequence[Record], recipe: Recipe) -> ModuleChain:
    """A chain for records of one kind."""
    categories = tuple(
        category
        for category in Category
        if any(gene.category is category for record in records for gene in record.genes)
    )
    batches = tuple(_batches(records, categories, recipe))
    names, first = _first_chain(batches, categories, recipe)
    chain = first
    for _ in range(recipe.rounds):
        chain = _improved(chain, first, batches, recipe.weight)
    return ModuleChain(
        categories=categories,
        modules=names,
        start=tuple(chain.start.tolist()),
        transitions=tuple(map(tuple, chain.transitions.tolist())),
        emissions=tuple(map(tuple, chain.emissions.tolist())),
        kept=MappingProxyType(dict(zip(_LINKS, chain.kept.tolist(), strict=True))),
        close_bp=recipe.close_bp,
        shrink=recipe.shrink,
    )


def _batches(
    records: Sequence[Record], categories: Sequence[Category], recipe: Recipe
) -> Iterator[_Batch]:
    families = families_of_records(records)
    sizes = Counter(families)
    numbers = {category: at for at, category in enumerate(categories)}
    # Rows of one length are computed together; the names settle what is equal.
    order = sorted(
        range(len(records)), key=lambda at: (len(records[at].genes), records[at].name, at)
    )
    for begin in range(0, len(order), _BATCH):
        chosen = order[begin : begin + _BATCH]
        longest = max(len(records[at].genes) for at in chosen)
        shape = (len(chosen), longest)
        batch = _Batch(
            np.full(shape, _UNKNOWN),
            np.zeros(shape),
            np.zeros(shape, dtype=np.int64),
            np.array([len(records[at].genes) for at in chosen]),
            np.array([1.0 / sizes[families[at]] for at in chosen]),
        )
        for row, at in enumerate(chosen):
            genes = records[at].genes
            size = len(genes)
            batch.category[row, :size] = [_number(gene, numbers) for gene in genes]
            batch.sure[row, :size] = [gene.probability for gene in genes]
            batch.link[row, : size - 1] = [
                _LINKS.index(link_of(one, following, recipe.close_bp))
                for one, following in pairwise(genes)
            ]
        yield batch


def _number(gene: Placed, numbers: Mapping[Category, int]) -> int:
    return _UNKNOWN if gene.category is None else numbers[gene.category]


def _first_chain(
    batches: Sequence[_Batch], categories: Sequence[Category], recipe: Recipe
) -> tuple[tuple[str, ...], _Chain]:
    """A module for every category that is not rare, each going on by itself."""
    shares = np.full(len(categories), 0.5)
    for batch in batches:
        for at in range(len(categories)):
            shares[at] += ((batch.category == at) * batch.weight[:, None]).sum()
    shares /= shares.sum()
    own = np.flatnonzero(shares >= recipe.least_share)
    start = shares[own] / shares[own].sum()
    emissions = recipe.stray * np.tile(shares, (len(own), 1))
    emissions[np.arange(len(own)), own] += 1.0 - recipe.stray
    transitions = (1.0 - recipe.stay) * np.tile(start, (len(own), 1))
    transitions[np.diag_indices(len(own))] += recipe.stay
    kept = np.array([0.5 if link is Link.SWITCH else 0.9 for link in _LINKS])
    kept[_LINKS.index(Link.CLOSE)] = 1.0
    names = tuple(categories[int(at)].value for at in own)
    return names, _Chain(start, transitions, emissions, kept)


def _improved(chain: _Chain, first: _Chain, batches: Sequence[_Batch], weight: float) -> _Chain:
    """One round: count what the records say by this chain, then the chain of these counts."""
    found = [_count(chain, batch) for batch in batches]
    pairs = sum((one.pairs for one in found), np.zeros_like(first.transitions))
    genes = sum(one.genes for one in found)
    kept = sum(one.kept for one in found)
    links = sum(one.links for one in found)
    # Alike from both ends: which way records are written means nothing.
    prior = first.start[:, None] * first.transitions * len(first.start)
    both = (pairs + pairs.T) / 2.0 + weight * prior
    start = both.sum(axis=1) / both.sum()
    emissions = genes + weight * first.emissions
    shares = (kept + weight * first.kept) / (links + weight)
    shares[_LINKS.index(Link.CLOSE)] = 1.0  # what the others are measured by
    return _Chain(
        start,
        both / both.sum(axis=1, keepdims=True),
        emissions / emissions.sum(axis=1, keepdims=True),
        shares,
    )


def _count(chain: _Chain, batch: _Batch) -> _Counts:
    """Expected pairs of modules, genes by module and category, links kept and passed."""
    told, named_part = _told(chain, batch)
    forward, scale = _forward(chain, batch, told)
    rows, length = batch.category.shape
    size = len(chain.start)
    behind = np.ones((rows, size))
    pairs = np.zeros((size, size))
    kept, links = np.zeros(len(_LINKS)), np.zeros(len(_LINKS))
    genes = np.zeros_like(chain.emissions)
    for at in range(length - 1, -1, -1):
        if at < length - 1:
            live = at + 1 < batch.length
            ahead = told[:, at + 1] * behind / scale[:, at + 1, None]
            share = chain.kept[batch.link[:, at]][:, None]
            on = forward[:, at] * share * (batch.weight * live)[:, None]
            joint = chain.transitions * (on.T @ ahead)
            pairs += joint
            going_on = (on @ chain.transitions * ahead).sum(axis=1)
            kept += np.bincount(batch.link[:, at], going_on, len(_LINKS))
            links += np.bincount(batch.link[:, at], batch.weight * live, len(_LINKS))
            back = share * (ahead @ chain.transitions.T)
            back += (1.0 - share) * (ahead @ chain.start)[:, None]
            behind = np.where(live[:, None], back, 1.0)
        here = forward[:, at] * behind * named_part[:, at] * batch.weight[:, None]
        known = batch.category[:, at] != _UNKNOWN
        np.add.at(genes.T, batch.category[known, at], here[known])
    return _Counts(pairs, genes, kept, links)


def _told(chain: _Chain, batch: _Batch) -> tuple[Numbers, Numbers]:
    """By record, gene and module: what the gene's category says, and the part that is sure."""
    known = batch.category != _UNKNOWN
    ratios = (chain.emissions / chain.shares).T
    told = np.ones((*batch.category.shape, len(chain.start)))
    certain = np.zeros_like(told)
    certain[known] = batch.sure[known][:, None] * ratios[batch.category[known]]
    told[known] = certain[known] + 1.0 - batch.sure[known][:, None]
    return told, certain / told


def _forward(chain: _Chain, batch: _Batch, told: Numbers) -> tuple[Numbers, Numbers]:
    states = np.empty_like(told)
    scale = np.empty(batch.category.shape)
    state = np.tile(chain.start, (len(told), 1))
    for at in range(told.shape[1]):
        if at:
            share = chain.kept[batch.link[:, at - 1]][:, None]
            state = share * (state @ chain.transitions) + (1.0 - share) * chain.start
        state = state * told[:, at]
        scale[:, at] = state.sum(axis=1)
        state /= scale[:, at, None]
        states[:, at] = state
    return states, scale
