"""What shows a tailed phage, and what a whole one has."""

from __future__ import annotations

from typing import Final, NamedTuple

from genint.model.genome import Topology
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
_ENOUGH_PARTS: Final = 3
"""Of four: with fewer, a linear record may be a piece."""


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


def may_be_piece(view: RecordView) -> bool:
    """Whether too little was recognised to take a record that is not closed for a whole phage."""
    return not is_closed(view) and sum(part.found for part in parts_of(view)) < _ENOUGH_PARTS
