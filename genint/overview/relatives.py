"""Which named phages a phage is like, and what the file and they say of its host."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from genint.knowledge.overview_tables import OverviewKnowledge
from genint.knowledge.relatives import Limits, Relative
from genint.model.overview import GenomeStatement, Outcome, Topic
from genint.model.vocabulary import EvidenceSource, GenomeKind
from genint.overview.record import Player, RecordView

_MOST_TOLD: Final = 3
_MOST_ASKED: Final = 5
"""Relatives whose host is looked at."""
_ORGANISM: Final = re.compile(
    r"^(?:uncultured |unclassified )?([A-Z][a-z]{3,})(?: [a-z]{3,})? (?:bacterio)?(?:phage|virus)\b"
)
_GENUS: Final = re.compile(r"[A-Z][a-z]{3,}(?=\s|$)")
_NO_GENERA: Final = frozenset(
    {"Enterobacteria", "Uncultured", "Unclassified", "Temperate", "Phage", "Bacteriophage"}
)


class HostByRelatives(NamedTuple):
    """A genus that relatives agree on.

    Attributes:
        genus: Of the host.
        agreement: Share of the likeness of the relatives whose host is known, 0..1.
        relatives: Those that speak for it.
        is_near: They are very near.
    """

    genus: str
    agreement: float
    relatives: tuple[Relative, ...]
    is_near: bool = False


def relatives(view: RecordView, knowledge: OverviewKnowledge) -> Iterator[GenomeStatement]:
    """Closest relatives and host of a phage.

    Args:
        view: A record; nothing is said of bacteria.
        knowledge: With the table of named phages.
    """
    if view.kind is not GenomeKind.PHAGE or not view.players:
        return
    found = relatives_of(view, knowledge)
    yield _nearest(view, knowledge, found)
    yield _host(view, knowledge.relatives.limits, found)


def closest_relatives(view: RecordView, knowledge: OverviewKnowledge) -> GenomeStatement:
    """Closest relatives of the genes of a view, such as those of a prophage."""
    return _nearest(view, knowledge, relatives_of(view, knowledge))


def relatives_of(view: RecordView, knowledge: OverviewKnowledge) -> tuple[Relative, ...]:
    """Named phages that share enough families with a record, those most like it first."""
    return knowledge.relatives.nearest(families_of(view), len(view.players))


def families_of(view: RecordView) -> frozenset[str]:
    """Accessions of the families of a record's proteins, the best of each gene."""
    found = (family_of(player) for player in view.players)
    return frozenset(family for family in found if family is not None)


def family_of(player: Player) -> str | None:
    """Accession of the best family of a gene; None where it is in none."""
    interpretation = player.result.interpretation
    if interpretation is None:
        return None
    return next(
        (
            item.accession
            for item in interpretation.evidence
            if item.source is EvidenceSource.GENINT_FAMILY and item.accession is not None
        ),
        None,
    )


def host_of(found: Sequence[Relative], limits: Limits) -> HostByRelatives | None:
    """The genus that the nearest relatives agree on; None where they do not, or are too far.

    Relatives that are very near are asked alone.
    """
    hosted = [one for one in found if one.phage.host]
    near = [one for one in hosted if one.likeness >= limits.near_likeness]
    known = near or [one for one in hosted if one.likeness >= limits.host_likeness]
    known = known[:_MOST_ASKED]
    if not known:
        return None
    weights: defaultdict[str, float] = defaultdict(float)
    for one in known:
        weights[one.phage.host] += one.likeness
    genus = max(sorted(weights), key=lambda host: weights[host])
    agreement = weights[genus] / sum(weights.values())
    if agreement < limits.host_agreement:
        return None
    speaking = tuple(one for one in known if one.phage.host == genus)
    return HostByRelatives(genus, agreement, speaking, is_near=bool(near))


def _nearest(
    view: RecordView, knowledge: OverviewKnowledge, found: Sequence[Relative]
) -> GenomeStatement:
    table, own = knowledge.relatives, families_of(view)
    searched = f"{len(table.phages)} named phages by the families that their proteins share"
    if not found:
        return GenomeStatement(
            Topic.RELATIVE,
            view.contig.id,
            "closest relatives",
            "none found",
            f"None of {len(table.phages)} named phages shares enough families with it.",
            Outcome.NOT_FOUND,
            reasoning=(f"Families known of its genes: {len(own)} of {len(view.players)}.",),
            searched=(searched,),
            uncertainties=("Far more phages are known than the table has.",),
        )
    best = found[0]
    sharing = [player for player in view.players if family_of(player) in best.shared]
    share = len(sharing) / len(view.players)
    return GenomeStatement(
        Topic.RELATIVE,
        view.contig.id,
        "closest relatives",
        best.phage.name,
        f"Most like {best.phage.name}: {len(best.shared)} shared families, by {len(sharing)} of"
        f" {len(view.players)} genes ({share:.0%}).",
        genes=tuple(player.as_role() for player in sharing),
        reasoning=tuple(_described(one, len(own), view.contig.id) for one in found[:_MOST_TOLD]),
        searched=(searched,),
        uncertainties=(
            "Families are named ones only, and far more phages are known than the table has: a"
            " nearer relative may exist.",
        ),
    )


def _described(relative: Relative, own: int, record: str) -> str:
    phage = relative.phage
    traits = [*([f"host {phage.host}"] if phage.host else []), phage.lifestyle]
    predicted = ", ".join(trait for trait in traits if trait)
    what = ", ".join([phage.record, *([predicted] if predicted else [])])
    if phage.record.partition(".")[0] == record.partition(".")[0]:
        what += "; this record itself, as far as the table has it"
    return (
        f"{phage.name} ({what}): {len(relative.shared)} families shared of {own} here and"
        f" {len(phage.families)} there, likeness {relative.likeness:.2f} (rare ones weigh more)."
    )


def _host(view: RecordView, limits: Limits, found: Sequence[Relative]) -> GenomeStatement:
    stated, predicted = _stated_host(view), host_of(found, limits)
    right, judged = limits.host_right, limits.host_judged
    if predicted and predicted.is_near:
        right, judged = limits.near_right, limits.near_judged
    if predicted is None and stated is None:
        return _unknown_host(view, found)
    steps, doubts = [], ["Phages of one genus of hosts infect some of its strains only."]
    if stated:
        named = view.contig.organism or view.contig.description
        steps.append(
            f"The file names the host “{view.contig.host}”."
            if view.contig.host
            else f"The file names the phage “{named}”."
        )
    if predicted:
        steps.append(
            f"{_by_relatives(predicted)} Each phage of the table left out, {right} of {judged}"
            " hosts predicted this way were right."
        )
    genus = stated or (predicted.genus if predicted else "")
    if stated and predicted and predicted.genus != stated:
        doubts.append(f"Its relatives infect {predicted.genus}.")
    measured = predicted is not None and stated is None
    share = (right + 1) / (judged + 2)
    return GenomeStatement(
        Topic.HOST,
        view.contig.id,
        "host",
        genus,
        f"{genus}, {'as the file says' if stated else 'by its relatives'}.",
        probability=round(share, 2) if measured else None,
        right=right if measured else 0,
        judged=judged if measured else 0,
        reasoning=tuple(steps),
        searched=("host and organism in the file", "hosts of the closest relatives"),
        uncertainties=tuple(doubts),
    )


def _by_relatives(host: HostByRelatives) -> str:
    names = ", ".join(one.phage.name for one in host.relatives)
    who = "Phages very like it" if host.is_near else "Relatives"
    return f"{who} have the host {host.genus} ({host.agreement:.0%} of their likeness): {names}."


def _stated_host(view: RecordView) -> str | None:
    named = _GENUS.match(view.contig.host or "")
    if named and named[0] not in _NO_GENERA:
        return named[0]
    for text in (view.contig.organism, view.contig.description):
        named = _ORGANISM.search(text or "")
        if named and named[1] not in _NO_GENERA:
            return named[1]
    return None


def _unknown_host(view: RecordView, found: Sequence[Relative]) -> GenomeStatement:
    near = [f"{one.phage.name}: {one.phage.host}" for one in found[:_MOST_TOLD] if one.phage.host]
    why = "The file does not name a host, and no relative is near enough, or they do not agree"
    near_ones = f" ({', '.join(near)})" if near else ""
    return GenomeStatement(
        Topic.HOST,
        view.contig.id,
        "host",
        "cannot tell",
        "The host cannot be determined.",
        Outcome.CANNOT_TELL,
        reasoning=(f"{why}{near_ones}.",),
        searched=("host and organism in the file", "hosts of the closest relatives"),
    )
