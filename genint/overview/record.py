"""A record as the statements look at it: its interpreted genes in their order, and what they play.

A gene plays a role (:mod:`genint.knowledge.roles`) by its leading hypothesis, or, where the file
alone names it, by the file's name; the level says how sure that is.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from genint.knowledge.roles import RoleTable
from genint.model.genome import Contig
from genint.model.interpretation import GeneResult, Hypothesis
from genint.model.overview import GeneRole, MarkerHit, MarkerReference
from genint.model.vocabulary import Category, ConfidenceLevel, GenomeKind, NameBasis, Specificity


class Player(NamedTuple):
    """A gene with what it is taken for.

    Attributes:
        result: The gene and its interpretation.
        role: Id of the role of its leading hypothesis (``integrase``); None where it has none.
        name: Bare name of that hypothesis; empty for dark genes.
        level: Of that hypothesis; NONE for dark genes.
        is_domain: Only a domain is claimed, not the whole protein.
    """

    result: GeneResult
    role: str | None
    name: str
    level: ConfidenceLevel
    is_domain: bool

    @property
    def gene_id(self) -> str:
        """Id of the gene."""
        return self.result.gene_id

    @property
    def basis(self) -> NameBasis | None:
        """Whether evidence or only the file says so; None for dark genes."""
        interpretation = self.result.interpretation
        return None if interpretation is None else interpretation.basis

    @property
    def category(self) -> Category | None:
        """Functional category of the gene."""
        return self.result.classification.category

    @property
    def said(self) -> str:
        """What it is taken for, in words: of a domain, that it has one."""
        interpretation = self.result.interpretation
        if not self.is_domain or interpretation is None:
            return self.name
        return interpretation.hypotheses[0].claim

    def as_role(self, role: str | None = None) -> GeneRole:
        """For a statement that rests on it."""
        return GeneRole(self.gene_id, role or self.said, self.level)


# eq=False: compared and cached by identity, as a bacterium's genes are many.
@dataclass(frozen=True, eq=False)
class RecordView:
    """One record with its genes.

    Attributes:
        contig: Sequence, topology, RNA genes.
        kind: What it is taken for.
        players: Its genes by position.
        markers: By gene id, what references of markers recognise.
        searched: What the run searched with, as reports name it.
        references: References of markers that were searched.
        has_searched_arrays: CRISPR arrays were looked for.
    """

    contig: Contig
    kind: GenomeKind
    players: Sequence[Player]
    markers: Mapping[str, Sequence[MarkerHit]]
    searched: tuple[str, ...]
    references: tuple[MarkerReference, ...] = ()
    has_searched_arrays: bool = True

    @cached_property
    def by_role(self) -> Mapping[str, tuple[Player, ...]]:
        """Genes of each role, by position; those of which only a domain is known left out."""
        found: dict[str, list[Player]] = {}
        for player in self.players:
            if player.role is not None and not player.is_domain:
                found.setdefault(player.role, []).append(player)
        return {role: tuple(players) for role, players in found.items()}

    def playing(
        self, roles: Collection[str], least: ConfidenceLevel = ConfidenceLevel.LOW
    ) -> tuple[Player, ...]:
        """Genes of some roles at a level or a better one, by position."""
        order = list(ConfidenceLevel)
        return tuple(
            player
            for player in self.players
            if player.role in roles
            and not player.is_domain
            and order.index(player.level) <= order.index(least)
        )

    def where(self, holds: Callable[[Player], bool]) -> Iterator[Player]:
        """Genes that something holds for, by position."""
        return filter(holds, self.players)


def players_of(results: Sequence[GeneResult], roles: RoleTable) -> tuple[Player, ...]:
    """The genes of a record by position, with what each is taken for."""
    ordered = sorted(results, key=lambda result: result.gene.span)
    return tuple(_player(result, roles) for result in ordered)


def _player(result: GeneResult, roles: RoleTable) -> Player:
    if result.interpretation is None:
        return Player(result, None, "", ConfidenceLevel.NONE, is_domain=False)
    lead: Hypothesis = result.interpretation.hypotheses[0]
    role = roles.role_of(lead.subject)
    return Player(
        result,
        role.id if role else None,
        lead.subject,
        result.confidence_level,
        is_domain=lead.specificity is Specificity.DOMAIN,
    )
