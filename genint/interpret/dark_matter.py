"""Dark matter: genes of which nothing is known, ranked as research targets.

The priority is a ranking aid of our own, not a probability. It adds up what
makes an answer likely and worth having: length (a long conserved frame is a real
protein), a conserved domain that nobody has explained, and a place between genes
of one known module.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from genint.interpret.uncertainty import gene_doubts
from genint.model.evidence import Evidence
from genint.model.genome import Gene
from genint.model.interpretation import Novelty
from genint.model.vocabulary import Category

_LENGTH_SHARE = 0.35
_FULL_LENGTH_AA = 300
"""Length from which more residues make no better target."""
_CONSERVED_SHARE = 0.35
_NEIGHBOUR_SHARE = 0.30
_DOUBT_FACTOR = 0.5
"""A gene that may be no gene is half the target; a pseudogene is none."""
_SMALL_AA = 60
_UNTELLING = frozenset({Category.UNKNOWN, Category.OTHER})


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A gene beside a dark one: its name, what it does, its category."""

    name: str
    claim: str | None
    category: Category | None
    side: str


def novelty(
    gene: Gene,
    unknown: Sequence[Evidence],
    neighbours: Sequence[Neighbour],
    doubts: Sequence[str] = (),
    *,
    may_be_none: bool = False,
) -> Novelty:
    """Describe and rank one dark gene. A pseudogene has priority 0 whatever else it has.

    Args:
        gene: The gene.
        unknown: Hits of families of unknown function.
        neighbours: Up to two genes on either side, nearest first on each side.
        doubts: About the gene, beside those that it shows itself.
        may_be_none: Something says that it is no gene.
    """
    length_aa = len(gene.protein)
    priority = _LENGTH_SHARE * min(length_aa / _FULL_LENGTH_AA, 1.0)
    reasons = [f"{length_aa} amino acids"]
    if unknown:
        priority += _CONSERVED_SHARE
        names = ", ".join(dict.fromkeys(item.accession or item.subject for item in unknown))
        reasons.append(f"conserved: holds {names}, a domain of unknown function")
    module, flanked = _module(neighbours)
    if module is not None:
        priority += _NEIGHBOUR_SHARE * (1.0 if flanked else 0.5)
        where = "between" if flanked else "next to"
        reasons.append(f"lies {where} genes of one module ({module.value})")
    if gene.pseudo:
        priority = 0.0
        reasons.insert(0, "the file calls it a pseudogene: ranked behind all others")
    elif may_be_none or "*" in gene.protein:
        priority *= _DOUBT_FACTOR
    return Novelty(
        priority=round(priority, 3),
        reasons=tuple(reasons),
        observations=(*_observations(gene, unknown), *gene_doubts(gene), *doubts),
        neighbours=tuple(_neighbour_text(neighbour) for neighbour in neighbours),
        next_step=_next_step(
            length_aa, unknown, module, pseudo=gene.pseudo, may_be_none=may_be_none
        ),
    )


def _observations(gene: Gene, unknown: Sequence[Evidence]) -> list[str]:
    found = [item.label for item in unknown]
    if gene.product is not None:
        found.insert(0, f"the file calls it “{gene.product}”, which names no function")
    return found


def _module(neighbours: Sequence[Neighbour]) -> tuple[Category | None, bool]:
    """Module of the nearest told neighbours, and whether both sides share it."""
    nearest: dict[str, Category] = {}
    for neighbour in neighbours:
        if neighbour.category is not None and neighbour.category not in _UNTELLING:
            nearest.setdefault(neighbour.side, neighbour.category)
    sides = list(nearest.values())
    if not sides:
        return None, False
    if len(sides) > 1 and sides[0] == sides[1]:
        return sides[0], True
    return (sides[0], False) if len(sides) == 1 else (None, False)


def _neighbour_text(neighbour: Neighbour) -> str:
    what = neighbour.claim or "unknown function"
    return f"{neighbour.side}: {neighbour.name} ({what})"


def _next_step(
    length_aa: int,
    unknown: Sequence[Evidence],
    module: Category | None,
    *,
    pseudo: bool,
    may_be_none: bool,
) -> str:
    """The experiment or analysis that would tell most, by what is known."""
    if pseudo:
        return "check the reading frame by resequencing before any work on function"
    if may_be_none or length_aa < _SMALL_AA:
        return "confirm by mass spectrometry or ribosome profiling that it is translated"
    if unknown:
        return "predict its structure and compare folds; the family is conserved but unexplained"
    if module is not None:
        return f"knock it out and test for a defect in {module.value}, the module it lies in"
    return "search for remote relatives by profile-profile and structure comparison"
