"""The kind of a record by its genes: phage, plasmid, piece of a bacterium, or unknown.

Phages and bacteria are separated by a model; plasmids only by the names of genes with which they
replicate and move (Smillie C et al. Microbiol Mol Biol Rev 2010;74:434), unmeasured.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from genint.knowledge.overview_tables import OverviewKnowledge
from genint.knowledge.prophages import GeneLook, Judged, Recognised, Task
from genint.knowledge.record_kinds import traits_of
from genint.model.overview import GeneRole, GenomeStatement, Outcome, Topic
from genint.model.vocabulary import BACTERIUM_BP, ConfidenceLevel
from genint.overview.prophage_scan import looks_of
from genint.overview.record import Player, RecordView

_LEAST_GENES: Final = 3
_EUKARYOTES: Final = "Eukaryota"
_SURE: Final = frozenset({ConfidenceLevel.HIGH, ConfidenceLevel.MODERATE})
_PLASMID: Final = re.compile(
    r"\bplasmid (?:replication|partition|mobili[sz]ation)|\brelaxase\b|\bRepABC\b"
    r"|\bconjuga(?:l|tive|tion) (?:transfer|plasmid|coupling|protein|relaxase)"
    r"|\b(?:replication|partitioning?) protein (?:Rep|Par)[ABC]\b",
    re.IGNORECASE,
)
_HOW: Final = "families that recognise the genes, their tasks, lengths and strands"


def kinds(view: RecordView, knowledge: OverviewKnowledge) -> Iterator[GenomeStatement]:
    """One statement on each record of less than 500 kb; longer ones are bacteria by their length.

    Args:
        view: A record of any kind.
        knowledge: The model of kinds, and own families.
    """
    if len(view.contig) >= BACTERIUM_BP or not view.players:
        return
    looks = looks_of(view.players, knowledge.families)
    if len(looks) < _LEAST_GENES:
        yield _unknown(view, looks, f"{_count(len(looks))}: too few to decide.")
        return
    if view.contig.lineage[:1] == (_EUKARYOTES,):
        named = view.contig.organism or _EUKARYOTES
        yield _unknown(view, looks, f"The file says {named} ({_EUKARYOTES}).")
        return
    model = knowledge.record_kinds
    phage = model.phage_probability(traits_of(looks))
    sureness = model.sureness_of(len(view.contig))
    plasmid = [one for one in view.players if one.level in _SURE and _PLASMID.search(one.name)]
    traits = traits_of(looks)
    if phage >= model.clear and traits.shows_phage:
        yield _told("phage", phage, sureness.phage, view, looks)
    elif plasmid:
        yield _plasmid(view, plasmid, phage)
    elif not (traits.shows_phage or traits.bacterial):
        yield _unknown(view, looks, "None is recognised as a gene of phages or of bacteria.")
    elif phage <= 1 - model.clear and traits.bacterial:
        yield _told("bacterium", 1 - phage, sureness.bacterium, view, looks)
    else:
        yield _unknown(view, looks, f"The model gives {phage:.2f} for a phage.")


def _told(
    kind: str, by_model: float, judged: Judged, view: RecordView, looks: Sequence[GeneLook]
) -> GenomeStatement:
    called = "a phage or a prophage" if kind == "phage" else "a piece of a bacterium"
    telling = [
        player
        for player, look in zip(view.players, looks, strict=True)
        if _tells(look, is_phage=kind == "phage")
    ]
    return GenomeStatement(
        Topic.KIND,
        view.contig.id,
        "kind",
        kind,
        f"By its genes this is {called}.",
        probability=judged.probability if judged.judged else None,
        right=judged.right,
        judged=judged.judged,
        genes=tuple(_role(player) for player in telling),
        reasoning=(
            _shares(looks),
            f"The model's own value for {called} is {by_model:.2f}; how often it was right is "
            "counted on genomes that were left out.",
        ),
        uncertainties=(
            "A prophage in a contig of little else looks like a phage."
            if kind == "phage"
            else "A plasmid without known genes of replication or transfer looks the same.",
        ),
    )


def _plasmid(view: RecordView, players: Sequence[Player], phage: float) -> GenomeStatement:
    named = ", ".join(f"{one.gene_id} ({one.name}, {one.level})" for one in players)
    return GenomeStatement(
        Topic.KIND,
        view.contig.id,
        "kind",
        "plasmid",
        "By its genes this is a plasmid, or an element that moves like one.",
        genes=tuple(_role(player) for player in players),
        reasoning=(
            f"Genes of the replication, partition or transfer of plasmids: {named}.",
            f"The model of phages and bacteria gives {phage:.2f} for a phage.",
        ),
        uncertainties=(
            "Not measured: elements that are integrated in a chromosome have such genes too.",
        ),
    )


def _unknown(view: RecordView, looks: Sequence[GeneLook], why: str) -> GenomeStatement:
    return GenomeStatement(
        Topic.KIND,
        view.contig.id,
        "kind",
        "unknown",
        "Its genes do not show whether this is a phage, a plasmid or a piece of a bacterium.",
        Outcome.CANNOT_TELL,
        reasoning=(_shares(looks), why),
        searched=(*view.searched, _HOW),
    )


def _tells(look: GeneLook, *, is_phage: bool) -> bool:
    if is_phage:
        return look.by is Recognised.PHAGE_FAMILY or look.task in (Task.VIRION, Task.LYSIS)
    return look.by is Recognised.BACTERIAL_FAMILY


def _shares(looks: Sequence[GeneLook]) -> str:
    phage = sum(look.by is Recognised.PHAGE_FAMILY for look in looks)
    bacterial = sum(look.by is Recognised.BACTERIAL_FAMILY for look in looks)
    virion = sum(look.task in (Task.VIRION, Task.LYSIS) for look in looks)
    unknown = sum(look.task is Task.UNKNOWN for look in looks)
    return (
        f"Of {_count(len(looks))}: families of phages match best in {phage}, families of bacteria "
        f"in {bacterial}; of a virion or of lysis: {virion}; of unknown function: {unknown}."
    )


def _role(player: Player) -> GeneRole:
    return GeneRole(player.gene_id, player.said or "no function known", player.level)


def _count(genes: int) -> str:
    return f"{genes} gene{'' if genes == 1 else 's'}"
