"""Which packs of genint's own families a protein is held against, and in which order.

The pack that fits the genome for every protein; the other only for proteins that it
left open: a phage carries genes of bacteria and a bacterium prophages, but most of
either has been told by then. What is found for a protein does not depend on the
proteins searched with it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from genint.knowledge.own_families import FamilyPack
from genint.model.evidence import ProfileHit
from genint.model.vocabulary import GenomeKind
from genint.sources.profile_database import ProfileDatabase
from genint.sources.profile_search import Protein, search_chunk

Press = Callable[[ProfileDatabase], ProfileDatabase]
"""Gives the database with its profiles pressed, where they can be kept."""


@dataclass(frozen=True, slots=True)
class FamilyOrder:
    """The packs in the order in which a genome's proteins meet them.

    Attributes:
        fitting: Families of the kind of genome that this is, for all proteins.
        other: The rest of the families, for proteins without a hit of ``fitting``.
    """

    fitting: ProfileDatabase
    other: ProfileDatabase

    @classmethod
    def of(cls, length_bp: int, families_folder: Path | None = None) -> Self:
        """The order for a genome.

        Args:
            length_bp: Total length of its records.
            families_folder: A build of families other than the one that ships.

        Raises:
            UnavailableError: a pack is not there or damaged.
        """
        packs = [FamilyPack.PHAGE, FamilyPack.BACTERIA]
        # Either way both packs are searched; only their order differs.
        if GenomeKind.of(length_bp) is GenomeKind.BACTERIUM:
            packs.reverse()
        return cls(*(ProfileDatabase.of(pack.file, families_folder) for pack in packs))


def search_families(
    proteins: Sequence[Protein],
    order: FamilyOrder,
    press: Press,
    *,
    is_cancelled: Callable[[], bool] | None = None,
) -> tuple[ProfileHit, ...]:
    """Hits of proteins with the families that they are to be held against.

    Args:
        proteins: Gene ids, each once, with their residues.
        order: The packs.
        press: Called for each pack once a protein needs it.
        is_cancelled: See :func:`genint.sources.profile_search.search_chunk`.

    Returns:
        In the order of ``proteins``; for each best score first.

    Raises:
        WorkCancelled: ``is_cancelled`` said so.
    """
    families = _search(proteins, order.fitting, press, is_cancelled)
    told = {hit.gene_id for hit in families}
    left = [protein for protein in proteins if protein[0] not in told]
    others = _search(left, order.other, press, is_cancelled)
    place = {gene_id: at for at, (gene_id, _) in enumerate(proteins)}
    return tuple(sorted((*families, *others), key=lambda hit: place[hit.gene_id]))


def _search(
    proteins: Sequence[Protein],
    database: ProfileDatabase,
    press: Press,
    is_cancelled: Callable[[], bool] | None,
) -> tuple[ProfileHit, ...]:
    if not proteins or not database.profiles:
        return ()
    return search_chunk(proteins, press(database), is_cancelled=is_cancelled)
