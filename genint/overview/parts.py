"""What shows a tailed phage, and what a whole one has."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from genint.model.genome import Contig, Topology
from genint.model.vocabulary import Category
from genint.overview.record import RecordView

_TAILED_ROLES: Final = frozenset(
    {
        "terminase_large",
        "terminase_small",
        "portal",
        "tape_measure",
        "tail_sheath",
        "major_tail",
        "tail_assembly",
        "baseplate",
        "head_tail_connector",
        "ejection",
    }
)
_MANY_GENES: Final = 60
"""From here on only tailed phages are known."""
_COMPLETE: Final = re.compile(r"\bcomplete (genome|sequence)\b", re.I)
_REPLICATION: Final = ("dna_polymerase", "primase", "dna_helicase", "replication")


class Part(NamedTuple):
    """What a whole tailed phage has.

    Attributes:
        name: Packaging, head, tail or lysis.
        found: Whether some gene of it was recognised.
    """

    name: str
    found: bool


def is_tailed(view: RecordView) -> bool:
    """Whether some gene, or their number, shows a tailed phage or a piece of one."""
    if len(view.players) >= _MANY_GENES:
        return True
    return any(player.role in _TAILED_ROLES for player in view.players)


def parts_of(view: RecordView) -> tuple[Part, ...]:
    """Packaging, head, tail and lysis: which were recognised."""
    return (
        Part("packaging", bool(view.by_role.get("terminase_large"))),
        Part("head", _plays(view, {"portal", "major_capsid"}, None)),
        Part("tail", _plays(view, {"ejection"}, Category.TAIL)),
        Part("lysis", _plays(view, {"endolysin", "holin"}, Category.LYSIS)),
    )


def _plays(view: RecordView, roles: set[str], category: Category | None) -> bool:
    return any(
        player.role in roles or (category is not None and player.category is category)
        for player in view.players
    )


def is_closed(view: RecordView) -> bool:
    """Whether the record is a circle, or begins and ends with the same bases."""
    return view.contig.topology is Topology.CIRCULAR or view.contig.terminal_repeat_bp > 0


def says_whole(contig: Contig) -> bool:
    """Whether the description of a record calls it complete."""
    return _COMPLETE.search(contig.description) is not None


def may_be_piece(view: RecordView) -> bool:
    """Whether a record may lack a part of the phage.

    It is whole where it is closed, or the file says so, or where genes of all parts of the virion,
    of lysis and of replication were recognised: half a temperate phage has no genes of the other
    half, so that what is not found there says nothing.
    """
    if is_closed(view) or says_whole(view.contig):
        return False
    replicates = any(view.by_role.get(role) for role in _REPLICATION)
    return not (replicates and all(part.found for part in parts_of(view)))
