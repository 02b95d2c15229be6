"""The arms race with phages: defence systems, what phages carry against them, exclusion.

Complete systems come from profiles and definitions of an installed PADLOC-DB; CRISPR arrays are
joined with the cas genes beside them; all else rests on names of genes, which say what a gene
is and never that a system works.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from genint.knowledge.defence import DefenceDatabase, DefenceSystem
from genint.knowledge.defence_names import DefenceGroup, Side
from genint.knowledge.overview_tables import OverviewKnowledge
from genint.model.genome import Topology
from genint.model.overview import GeneRole, GenomeStatement, MarkerHit, Outcome, Topic
from genint.model.vocabulary import ConfidenceLevel, GenomeKind
from genint.overview.crispr import crispr_statements, is_of_crispr
from genint.overview.defence_systems import (
    Duty,
    FoundSystem,
    Member,
    figures,
    find_systems,
    member_role,
    stretch,
)
from genint.overview.record import Player, RecordView

_LEAST_GENES: Final = 20
"""What a shorter record lacks says nothing."""
_ALTERNATIVES: Final = 2
"""Core proteins of a definition beyond those it asks for; with more of them they are
alternatives, and none is missing."""
_CANDIDATES: Final = frozenset({"PDC", "HEC"})
_CANDIDATE: Final = (
    "This system is a candidate: its genes were seen among those of known systems; that it defends "
    "against phages has not been published."
)
_NOT_SEARCHED: Final = (
    "Only families and names, such as those of Pfam, were searched. The profiles and definitions "
    "of PADLOC-DB, which describe whole systems, were not: “genint db install padloc”, then "
    "“--mode local”."
)
_BY_NAME: Final = "A name says what a gene is, not that all of its system is there or works."


def defence(view: RecordView, knowledge: OverviewKnowledge) -> Iterator[GenomeStatement]:
    """Systems, CRISPR-Cas, genes by name, genes without their system, and what was not found.

    Args:
        view: Any record.
        knowledge: Names, and definitions of systems where they are installed.
    """
    named = _named(view, knowledge)
    systems = _systems(view, knowledge.defence)
    known = {gene_id for system in systems for gene_id in system.gene_ids}
    statements = list(_of_systems(view, systems, knowledge.defence))
    crispr = crispr_statements(view, named, systems)
    if knowledge.defence is None:
        crispr = [_with_doubt(one, _NOT_SEARCHED) for one in crispr]
    known |= {role.gene_id for one in crispr for role in one.genes}
    statements += crispr
    groups = {
        group: [player for player in players if player.gene_id not in known]
        for group, players in named.items()
    }
    for side in Side:
        of_side = {group: players for group, players in groups.items() if group.side is side}
        statements += (
            _of_group(view, group, players, knowledge.defence)
            for group, players in of_side.items()
            if players
        )
    statements += _alone(view, known, knowledge.defence)
    yield from statements
    if len(view.players) >= _LEAST_GENES:
        yield from _not_found(view, named, has_system=bool(systems or crispr), knowledge=knowledge)


def _named(view: RecordView, knowledge: OverviewKnowledge) -> dict[DefenceGroup, list[Player]]:
    """Genes by the group of their name, in the order of the table."""
    found: dict[DefenceGroup, list[Player]] = {
        group: [] for group in knowledge.defence_names.groups
    }
    for player in view.players:
        if player.name and not player.is_domain:
            group = knowledge.defence_names.group_of(player.name, view.kind)
            if group is not None:
                found[group].append(player)
    return found


def _systems(view: RecordView, database: DefenceDatabase | None) -> tuple[FoundSystem, ...]:
    if database is None:
        return ()
    is_circular = view.contig.topology is Topology.CIRCULAR
    return find_systems(
        view.players,
        view.contig.crispr_arrays,
        _hits(view, database),
        database,
        circular_genes=len(view.players) if is_circular else 0,
    )


def _hits(view: RecordView, database: DefenceDatabase) -> Mapping[str, Sequence[MarkerHit]]:
    """Hits of the database alone; other references share the mapping."""
    return {
        gene_id: of_it
        for gene_id, hits in view.markers.items()
        if (of_it := [hit for hit in hits if hit.database == database.name])
    }


def _of_systems(
    view: RecordView, systems: Iterable[FoundSystem], database: DefenceDatabase | None
) -> Iterator[GenomeStatement]:
    """One statement for each system but CRISPR-Cas."""
    if database is None:
        return
    seen: dict[str, int] = {}
    for system in systems:
        if is_of_crispr(system):
            continue
        title = system.definition.title
        seen[title] = seen.get(title, 0) + 1
        subject = title if seen[title] == 1 else f"{title} {seen[title]}"
        yield _of_system(view, system, subject, database)


def _of_system(
    view: RecordView, system: FoundSystem, subject: str, database: DefenceDatabase
) -> GenomeStatement:
    definition, members = system.definition, system.members
    proteins = ", ".join(member.protein for member in members)
    missing = tuple(_missing(system, database))
    lacking = f" Of its core proteins not found: {', '.join(missing)}." if missing else ""
    asked = (
        f"{database.name} asks for {_proteins(definition.least_core)} of its core and "
        f"{definition.least_total} in all, with at most {_genes(definition.most_between)} "
        f"between one and the next: here are {system.count(Duty.CORE)} and "
        f"{system.count(Duty.CORE) + system.count(Duty.SECONDARY)}."
    )
    return GenomeStatement(
        Topic.DEFENCE,
        view.contig.id,
        subject,
        f"system of {_genes(len(members))}",
        f"{definition.title}: a defence system of {_genes(len(members))} ({proteins}).{lacking}",
        interval=stretch(view, [member.span for member in members]),
        genes=tuple(member_role(member) for member in members),
        missing=missing,
        reasoning=(asked, *(_step(member) for member in members)),
        searched=(database.name,),
        uncertainties=(_CANDIDATE,) if definition.group in _CANDIDATES else (),
    )


def _missing(system: FoundSystem, database: DefenceDatabase) -> Iterator[str]:
    """Core proteins of a definition that are not there, unless they are alternatives."""
    definition = system.definition
    if len(definition.core) > definition.least_core + _ALTERNATIVES:
        return
    found = {member.protein for member in system.members}
    for name in definition.core:
        if not database.proteins([name]) & found:
            yield name


def _step(member: Member) -> str:
    duty = member.duty.name.lower()
    if member.hit is None:
        return f"CRISPR array {member.id} ({duty})."
    return f"{member.id} is {member.protein} ({duty}): {figures(member.hit)}."


def _of_group(
    view: RecordView,
    group: DefenceGroup,
    players: Sequence[Player],
    database: DefenceDatabase | None,
) -> GenomeStatement:
    """Genes that a name alone identifies."""
    count = _genes(len(players))
    names = ", ".join(dict.fromkeys(player.name for player in players))
    match group.side:
        case Side.DEFENCE:
            text = f"Genes of defence systems by their names ({group.title}): {names}."
        case Side.EXCLUSION:
            text = (
                f"{count.capitalize()} for superinfection exclusion, against {group.aim}: {names}."
            )
        case Side.COUNTER_DEFENCE:
            text = f"{count.capitalize()} against {group.aim}: {names}."
    uncertainties = [group.doubt] if group.doubt else []
    if group.side is Side.DEFENCE:
        uncertainties.append(_BY_NAME)
        uncertainties += [] if database else [_NOT_SEARCHED]
    return GenomeStatement(
        Topic.DEFENCE,
        view.contig.id,
        group.title,
        count,
        text,
        genes=tuple(player.as_role() for player in players),
        reasoning=tuple(f"{one.gene_id} is {one.name} ({one.level})." for one in players),
        uncertainties=tuple(uncertainties),
    )


def _alone(
    view: RecordView, known: set[str], database: DefenceDatabase | None
) -> Iterator[GenomeStatement]:
    """Genes that profiles of defence systems recognise, and that are of no complete system."""
    if database is None:
        return
    hits = _hits(view, database)
    alone = [
        (player, min(hits[player.gene_id], key=lambda hit: hit.evalue))
        for player in view.players
        if player.gene_id in hits and player.gene_id not in known
    ]
    if not alone:
        return
    wanted = _wanted_by(database)
    roles = tuple(
        GeneRole(player.gene_id, hit.kind, ConfidenceLevel.NONE, figures(hit))
        for player, hit in alone
    )
    steps = tuple(
        f"{player.gene_id} is {hit.kind} by {figures(hit)}"
        + (f"; such a protein is of {', '.join(titles)}." if titles else ".")
        for player, hit in alone
        for titles in [wanted.get(hit.kind, ())]
    )
    yield GenomeStatement(
        Topic.DEFENCE,
        view.contig.id,
        "genes without their system",
        _genes(len(alone)),
        f"{_genes(len(alone)).capitalize()} like those of defence systems, without the others that "
        f"their systems need close by: {', '.join(dict.fromkeys(hit.kind for _, hit in alone))}.",
        genes=roles,
        reasoning=steps,
        searched=(database.name,),
        uncertainties=(
            "A gene without its system often has another task; this is no defence system.",
        ),
    )


_MOST_TITLES: Final = 3


def _wanted_by(database: DefenceDatabase) -> Mapping[str, tuple[str, ...]]:
    """Protein -> a few titles of systems of which it is a core or secondary protein."""
    titles: dict[str, list[str]] = {}

    def note(system: DefenceSystem) -> None:
        for protein in database.proteins((*system.core, *system.secondary)):
            titles.setdefault(protein, []).append(system.title)

    for system in database.systems:
        note(system)
    return {
        protein: (*found[:_MOST_TITLES], *(["others"] if len(found) > _MOST_TITLES else []))
        for protein, found in titles.items()
    }


def _not_found(
    view: RecordView,
    named: Mapping[DefenceGroup, Sequence[Player]],
    *,
    has_system: bool,
    knowledge: OverviewKnowledge,
) -> Iterator[GenomeStatement]:
    sides = {group.side for group, players in named.items() if players}
    database = knowledge.defence
    if not has_system and Side.DEFENCE not in sides:
        what = "complete defence system" if database else "gene of a defence system"
        yield GenomeStatement(
            Topic.DEFENCE,
            view.contig.id,
            "defence systems",
            "not found",
            f"No {what} was found by what was searched.",
            Outcome.NOT_FOUND,
            searched=(*view.searched, *([database.name] if database else [])),
            uncertainties=() if database else (_NOT_SEARCHED,),
        )
    if view.kind is GenomeKind.PHAGE and Side.COUNTER_DEFENCE not in sides:
        yield GenomeStatement(
            Topic.DEFENCE,
            view.contig.id,
            "counter-defence",
            "not found",
            "No gene against defence systems of the host was found by what was searched.",
            Outcome.NOT_FOUND,
            searched=view.searched,
            uncertainties=(
                "Most known proteins of this kind are short and unlike each other: others of them "
                "are among the genes that are not recognised.",
            ),
        )


def _with_doubt(statement: GenomeStatement, doubt: str) -> GenomeStatement:
    return replace(statement, uncertainties=(*statement.uncertainties, doubt))


def _genes(count: int) -> str:
    return f"{count} gene{'' if count == 1 else 's'}"


def _proteins(count: int) -> str:
    return f"{count} protein{'' if count == 1 else 's'}"
