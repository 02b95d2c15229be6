"""Which packs a protein is held against, and in which order.

Pfam for every protein, for it is evidence of another kind whatever else is found; the
families of genint's own that fit the genome for every protein; the others only for
proteins that these left open: a phage carries genes of bacteria and a bacterium
prophages, but most of either has been told by then. What is found for a protein does
not depend on the proteins searched with it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from genint.knowledge.own_families import FamilyPack
from genint.knowledge.shipped import PFAM_PACK
from genint.model.evidence import ProfileHit
from genint.sources.profile_search import ProfileDatabase, Protein, search_chunk

BACTERIUM_BP = 500_000
"""Total length from which a genome is taken for that of a bacterium: the smallest known
ones that live on their own are larger, and nearly all phages are smaller. Either way
both packs are searched; only their order differs."""

Press = Callable[[ProfileDatabase], ProfileDatabase]
"""Gives the database with its profiles pressed, where they can be kept."""


@dataclass(frozen=True, slots=True)
class SearchOrder:
    """The packs in the order in which a genome's proteins meet them.

    Attributes:
        pfam: For all proteins.
        fitting: Families of the kind of genome that this is, for all proteins.
        other: The rest of the families, for proteins without a hit of ``fitting``.
    """

    pfam: ProfileDatabase
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
        if length_bp >= BACTERIUM_BP:
            packs.reverse()
        fitting, other = (ProfileDatabase.of(pack.file, families_folder) for pack in packs)
        return cls(ProfileDatabase.of(PFAM_PACK), fitting, other)


def search_in_order(
    proteins: Sequence[Protein],
    order: SearchOrder,
    press: Press,
    *,
    is_cancelled: Callable[[], bool] | None = None,
) -> tuple[ProfileHit, ...]:
    """Hits of proteins with all packs that they are to be held against.

    Args:
        proteins: Gene ids, each once, with their residues.
        order: The packs.
        press: Called for the last pack, once a protein needs it.
        is_cancelled: See :func:`genint.sources.profile_search.search_chunk`.

    Returns:
        In the order of ``proteins``; for each those of Pfam first, best score first.

    Raises:
        WorkCancelled: ``is_cancelled`` said so.
    """
    domains = search_chunk(proteins, order.pfam, is_cancelled=is_cancelled)
    families = search_chunk(proteins, order.fitting, is_cancelled=is_cancelled)
    told = {hit.gene_id for hit in families}
    left = [protein for protein in proteins if protein[0] not in told]
    others: tuple[ProfileHit, ...] = ()
    if left and order.other.profiles:
        others = search_chunk(left, press(order.other), is_cancelled=is_cancelled)
    place = {gene_id: at for at, (gene_id, _) in enumerate(proteins)}
    return tuple(sorted((*domains, *families, *others), key=lambda hit: place[hit.gene_id]))
