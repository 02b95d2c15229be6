"""All tables that statements on a genome as a whole are made with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from genint.knowledge.defence import DefenceDatabase
from genint.knowledge.defence_names import DefenceNames, load_defence_names
from genint.knowledge.lifestyles import LifestyleModel, load_lifestyles
from genint.knowledge.own_families import OwnFamily
from genint.knowledge.prophages import ProphageModel, load_prophages
from genint.knowledge.record_kinds import RecordKinds, load_record_kinds
from genint.knowledge.relatives import RelativeTable, load_relatives
from genint.knowledge.roles import RoleTable
from genint.knowledge.safety_markers import SafetyMarkers, load_safety_markers
from genint.knowledge.universal import UniversalProteins, load_universal_proteins


class OverviewKnowledge(NamedTuple):
    """Tables that statements are made with.

    Attributes:
        roles: What names stand for.
        families: Families of genint's own, by id.
        prophages: What genes of prophages look like.
        record_kinds: What the genes of a record tell of its kind.
        relatives: Named phages with the families of their proteins.
        lifestyles: How the genes of a phage tell its lifestyle.
        safety: Toxins, resistance and virulence factors by their names.
        universal: Proteins that nearly every bacterium has.
        defence_names: Names of genes for and against defence systems.
        defence: Definitions of defence systems; None where they are not installed.
    """

    roles: RoleTable
    families: Mapping[str, OwnFamily]
    prophages: ProphageModel
    record_kinds: RecordKinds
    relatives: RelativeTable
    lifestyles: LifestyleModel
    safety: SafetyMarkers
    universal: UniversalProteins
    defence_names: DefenceNames
    defence: DefenceDatabase | None = None


def load_overview_knowledge(
    roles: RoleTable, families: Mapping[str, OwnFamily], defence: DefenceDatabase | None = None
) -> OverviewKnowledge:
    """Read the tables that ship with genint. Cost: some ms.

    Args:
        roles: What names stand for.
        families: Families of genint's own, by id.
        defence: What is installed of definitions of defence systems.
    """
    return OverviewKnowledge(
        roles,
        families,
        load_prophages(),
        load_record_kinds(),
        relatives=load_relatives(),
        lifestyles=load_lifestyles(),
        safety=load_safety_markers(),
        universal=load_universal_proteins(),
        defence_names=load_defence_names(),
        defence=defence,
    )
