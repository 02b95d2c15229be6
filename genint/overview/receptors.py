"""Proteins with which a phage may bind its host, or cut its capsule: candidates with reasons."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from genint.knowledge.overview_tables import OverviewKnowledge
from genint.model.overview import GeneRole, GenomeStatement, Outcome, Topic
from genint.model.vocabulary import Category, GenomeKind
from genint.overview.parts import is_tailed
from genint.overview.record import Player, RecordView

_BINDING: Final = re.compile(
    r"receptor[- ]binding|tail ?-?spike|tail fib(er|re)|tailspike|host specificity|long tail fib"
    r"|adhesin|side tail fib|central tail fiber|\bdistal tail protein|attachment protein G3P",
    re.I,
)
_HELPERS: Final = re.compile(r"assembly|chaperone|connector|hinge|attachment catalyst", re.I)
_CAPSULE: Final = re.compile(
    r"depolymerase|pectate lyase|pectin lyase|hyaluronidase|hyaluronate lyase|sialidase"
    r"|endosialidase|endo-?n-acetylneuraminidase|alginate lyase|polysaccharide lyase"
    r"|endorhamnosidase|glycosid(e|ase)|rhamnogalacturonan|beta-helix|parallel beta",
    re.I,
)
_OF_J: Final = frozenset({"PF09327", "PF12421", "PF13550"})
"""Families of Pfam that are parts of the protein at the tip of lambda's tail (gpJ)."""
_TIP_AA: Final = 700
"""Such proteins are longer."""
_STRUCTURAL: Final = frozenset({Category.TAIL, Category.HEAD, Category.CONNECTOR})
_NEAR_GENES: Final = 4
"""A capsule enzyme this near to a gene of the tail is taken for part of it."""
_LONG_AA: Final = 350
"""Spikes and fibres with an enzyme are longer."""


class _Candidate(NamedTuple):
    """A gene with the reason why it is one."""

    player: Player
    role: str
    reason: str


def receptor_binding(view: RecordView, knowledge: OverviewKnowledge) -> Iterator[GenomeStatement]:
    """One statement on proteins that bind the host, one on enzymes that may cut its capsule.

    Args:
        view: A record; nothing is said but of tailed phages.
        knowledge: Not used.
    """
    del knowledge
    if view.kind is not GenomeKind.PHAGE or not is_tailed(view):
        return
    yield _statement(
        view,
        "receptor-binding proteins",
        tuple(_binding(view)),
        "Candidates that may bind the host",
        "No protein that binds the host was recognised.",
    )
    yield _statement(
        view,
        "depolymerases",
        tuple(_enzymes(view)),
        "Candidates that may cut the capsule or O antigen of the host",
        "No enzyme that cuts a capsule was recognised in the tail.",
    )


def _binding(view: RecordView) -> Iterator[_Candidate]:
    for player in view.players:
        if _BINDING.search(player.name) and not _HELPERS.search(player.name):
            part = "a region like one" if player.is_domain else "named so"
            yield _Candidate(player, "receptor-binding protein", part)
        elif (domain := _domain_of_j(player)) is not None:
            length_aa = len(player.result.gene.protein)
            yield _Candidate(
                player,
                "receptor-binding protein",
                f"Pfam {domain} is a part of gpJ, with which lambda binds its host; {length_aa:,} "
                "amino acids",
            )


def _domain_of_j(player: Player) -> str | None:
    """The domain of lambda's gpJ that a long protein of the virion has."""
    interpretation = player.result.interpretation
    long = len(player.result.gene.protein) >= _TIP_AA
    if interpretation is None or not long or player.category not in _STRUCTURAL:
        return None
    found = (item.pfam for item in interpretation.evidence if item.pfam in _OF_J)
    return next(found, None)


def _enzymes(view: RecordView) -> Iterator[_Candidate]:
    tail = [at for at, player in enumerate(view.players) if player.category is Category.TAIL]
    for at, player in enumerate(view.players):
        said = _capsule_words(player)
        length_aa = len(player.result.gene.protein)
        if not said or length_aa < _LONG_AA or player.category is Category.LYSIS:
            continue
        near = min((abs(at - other) for other in tail if other != at), default=None)
        if player.category in _STRUCTURAL or (near is not None and near <= _NEAR_GENES):
            place = (
                "itself a gene of the virion"
                if player.category in _STRUCTURAL
                else f"{near} gene{'s' * (near != 1)} from one of the tail"
            )
            yield _Candidate(player, "depolymerase", f"{said}, {length_aa} amino acids, {place}")


def _capsule_words(player: Player) -> str:
    """What in the evidence of a gene speaks of such an enzyme; empty where nothing does."""
    interpretation = player.result.interpretation
    if interpretation is None:
        return ""
    for item in interpretation.evidence:
        if _CAPSULE.search(item.subject):
            accession = f" ({item.accession})" if item.accession else ""
            return f"{item.subject}{accession}"
    return ""


def _statement(
    view: RecordView,
    subject: str,
    found: tuple[_Candidate, ...],
    heading: str,
    nothing: str,
) -> GenomeStatement:
    number = len(found)
    names = ", ".join(dict.fromkeys(one.player.name for one in found))
    return GenomeStatement(
        Topic.RECEPTOR_BINDING,
        view.contig.id,
        subject,
        f"{number} candidate{'s' * (number != 1)}",
        f"{heading}: {number} ({names})." if found else nothing,
        Outcome.FOUND if found else Outcome.NOT_FOUND,
        genes=tuple(GeneRole(one.player.gene_id, one.role, one.player.level) for one in found),
        reasoning=tuple(
            f"{one.player.gene_id} ({one.player.name}, {one.player.level}): {one.reason}."
            for one in found
        ),
        searched=view.searched,
        uncertainties=(
            "These proteins are among the least alike of phages: the true one may be dark, and"
            " which of several candidates binds is not known.",
        ),
    )
