"""How much of a bacterium is there: proteins that bacteria of all groups at hand have."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from genint.knowledge.overview_tables import OverviewKnowledge
from genint.model.overview import GenomeStatement, Topic
from genint.model.vocabulary import BACTERIUM_BP, ConfidenceLevel, GenomeKind
from genint.overview.record import Player, RecordView

_SURE: Final = frozenset({ConfidenceLevel.HIGH, ConfidenceLevel.MODERATE})
_MOST_NAMED: Final = 12


def completeness_of_bacterium(
    views: Sequence[RecordView], knowledge: OverviewKnowledge
) -> Iterator[GenomeStatement]:
    """One statement on all bacterial records of a file together, with the longest of them.

    Args:
        views: All records of the file.
        knowledge: Its table of universal proteins is used.
    """
    bacterial = [view for view in views if view.kind is GenomeKind.BACTERIUM]
    if sum(len(view.contig) for view in bacterial) < BACTERIUM_BP:
        return
    universal = knowledge.universal
    found: set[str] = set()
    for view in bacterial:
        found.update(term for player in view.players if (term := _term(player)) is not None)
    lacking = sorted(universal.products - found)
    there = len(universal.products) - len(lacking)
    share = there / len(universal.products)
    longest = max(bacterial, key=lambda view: len(view.contig))
    named = [term.replace("_", " ") for term in lacking]
    yield GenomeStatement(
        Topic.COMPLETENESS,
        longest.contig.id,
        "universal proteins",
        f"bacterium, {share:.0%} of universal proteins",
        f"{there} of {len(universal.products)} proteins that bacteria of all groups at hand have "
        f"were recognised ({share:.0%}), in the bacterial records of the file together.",
        missing=(*named[:_MOST_NAMED], *_more(len(named) - _MOST_NAMED)),
        reasoning=(
            f"These proteins were recognised in all of {universal.genomes} bacteria, the minimal "
            "cell syn3A among them.",
            "Whole bacteria that were left out when such proteins were counted had "
            f"{universal.least:.0%} of them and more; Mollicutes, whose genomes are reduced, "
            f"{universal.least_reduced:.0%} and more.",
        ),
        searched=longest.searched,
        uncertainties=("Bacteria unlike those at hand, and reduced genomes, lack more of them.",),
    )


def _term(player: Player) -> str | None:
    """The term of the vocabulary that a gene is surely taken for."""
    found = player.result.interpretation
    if found is None or player.is_domain or player.level not in _SURE:
        return None
    return next((item.product for item in found.hypotheses[0].evidence if item.product), None)


def _more(number: int) -> tuple[str, ...]:
    return (f"{number} more",) if number > 0 else ()
