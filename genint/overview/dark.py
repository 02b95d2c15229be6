"""Dark genes in telling places: between genes of one module, where their place hints at a task.

The genes of a module lie together (:mod:`genint.overview.modules`), so that a gene that nothing
recognises between, say, holin and endolysin is one to look at first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final, NamedTuple

from genint.knowledge.overview_tables import OverviewKnowledge
from genint.model.overview import GeneRole, GenomeStatement, Topic
from genint.model.vocabulary import Category, ConfidenceLevel, GenomeKind
from genint.overview.record import Player, RecordView

_TELLING: Final = (
    Category.PACKAGING,
    Category.HEAD,
    Category.CONNECTOR,
    Category.TAIL,
    Category.LYSIS,
    Category.REPLICATION,
)
"""Modules whose genes lie together in phages."""
_LONGEST_RUN: Final = 3
"""Dark genes side by side; a longer run is a region of its own."""
_SURE: Final = frozenset({ConfidenceLevel.HIGH, ConfidenceLevel.MODERATE})


class _Enclosed(NamedTuple):
    """A dark gene and the recognised genes on either side of its run."""

    player: Player
    before: Player
    behind: Player

    @property
    def priority(self) -> float:
        novelty = self.player.result.novelty
        return novelty.priority if novelty else 0.0


def dark_genes(view: RecordView, knowledge: OverviewKnowledge) -> Iterator[GenomeStatement]:
    """One statement for each module of a phage with dark genes inside, the most promising first.

    Args:
        view: A record; of bacteria nothing is said.
        knowledge: Not used.
    """
    del knowledge
    if view.kind is not GenomeKind.PHAGE:
        return
    enclosed = list(_enclosed(view.players))
    for category in _TELLING:
        inside = [one for one in enclosed if one.before.category is category]
        if inside:
            yield _statement(view, category, sorted(inside, key=lambda one: -one.priority))


def _enclosed(players: Sequence[Player]) -> Iterator[_Enclosed]:
    """Dark genes in short runs between two sure genes of one category, all on one strand."""
    runs = [(dark, list(run)) for dark, run in groupby(players, lambda one: one.result.is_dark)]
    for (_, left), (dark, run), (_, right) in zip(runs, runs[1:], runs[2:], strict=False):
        before, behind = left[-1], right[0]
        if (
            dark
            and len(run) <= _LONGEST_RUN
            and before.category is behind.category
            and {before.level, behind.level} <= _SURE
            and len({one.result.gene.strand for one in (before, *run, behind)}) == 1
        ):
            yield from (_Enclosed(one, before, behind) for one in run)


def _statement(
    view: RecordView, category: Category, inside: Sequence[_Enclosed]
) -> GenomeStatement:
    is_one = len(inside) == 1
    count = "1 gene" if is_one else f"{len(inside)} genes"
    lies = "is not recognised and lies" if is_one else "are not recognised and lie"
    names = ", ".join(one.player.gene_id for one in inside)
    return GenomeStatement(
        Topic.DARK_GENES,
        view.contig.id,
        f"dark genes in {category}",
        count,
        f"{count} {lies} between genes of {category}: {names}.",
        genes=tuple(
            GeneRole(one.player.gene_id, "not recognised", ConfidenceLevel.NONE) for one in inside
        ),
        reasoning=(*map(_step, inside), *_next_steps(inside)),
        searched=view.searched,
        uncertainties=("The place of a gene hints at its task; it does not show it.",),
    )


def _step(one: _Enclosed) -> str:
    length_aa = len(one.player.result.gene.protein)
    return (
        f"{one.player.gene_id} ({length_aa} aa) lies between {one.before.gene_id} "
        f"({one.before.name}) and {one.behind.gene_id} ({one.behind.name})."
    )


def _next_steps(inside: Sequence[_Enclosed]) -> Iterator[str]:
    """What to do first, each said once."""
    novelties = (one.player.result.novelty for one in inside)
    steps = dict.fromkeys(found.next_step for found in novelties if found and found.next_step)
    yield from (f"To do next: {step}." for step in steps)
