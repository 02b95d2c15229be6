"""Doubts about a name: what speaks against it although no other evidence contradicts it.

A protein may be far too short for its name, the name may be one of eukaryotes or one that the file
denies, or the gene may be a tiny frame that nothing but the gene finder speaks for. Each doubt
lowers the score of the hypothesis and is listed among its uncertainties in the same words.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from genint.interpret.claims import ScoringModel
from genint.knowledge.distinctions import denies
from genint.knowledge.foreign_names import foreign_function
from genint.knowledge.name_lengths import usual_length
from genint.model.evidence import Evidence
from genint.model.genome import Gene
from genint.model.interpretation import ScoreTerm
from genint.model.vocabulary import Specificity

TOO_SHORT: Final = "too_short_for_name"
FOREIGN: Final = "name_of_eukaryotes"
DENIED: Final = "denied_by_file"
TINY: Final = "tiny_frame"
"""Classes of doubts; the parameters say how often the claim is wrong where one is raised."""

_FAR_SHORTER = 0.5
"""Share of what nearly all proteins of a name reach: below, hardly any room for the function is
left, while a domain less, or another start, is above."""
_NO_ROOM = 0.25
"""Share below which families of such short proteins do not lift the doubt: annotators took the name
over from a symbol (TreA of a phage's terminal repeat is no trehalase) or from one another."""
_TINY_AA = 40
"""Residues below which frames without a ribosome binding site are mostly chance."""
_NAMES = frozenset({Specificity.PROTEIN, Specificity.FAMILY})
_WHOLE_PROTEIN, _WHOLE_REFERENCE = 0.6, 0.7
"""Shares of the protein, and of profile or entry, from which both have one length."""
_FEW_NAMES = 2
"""Named members below which a family may have its name from one error."""
LONE: Final = "_lone"
"""Ends the classes of families all of whose names come from one kind of source."""
_PIECE = re.compile(
    r"\b(?:fragment|partial|truncated|incomplete|remnant|leader|[nc][- ]?termin\w+|domain|split"
    r"|interrupted|degenerate)|\b(?:orf ?)?[a-d]$",
    re.IGNORECASE,
)
"""Names that say themselves that the protein is a piece, or the first of several (IS3 transposase
A, which is shorter than the other half)."""


class Doubt(NamedTuple):
    """One doubt.

    Attributes:
        strength: Class of the parameters that says how often it is justified.
        said: The doubt in words, for sum and list of uncertainties.
    """

    strength: str
    said: str


def doubts_of(evidence: Sequence[Evidence], gene: Gene, model: ScoringModel) -> tuple[Doubt, ...]:
    """Doubts about a hypothesis, the most serious first.

    Args:
        evidence: Of the hypothesis, the one that words it first.
        gene: Whose function it is.
        model: Lengths of proteins by name, and the vocabulary.

    Cost: some microseconds.
    """
    return (
        *_of_length(evidence, gene, model),
        *_of_name(evidence[0]),
        *_of_denial(evidence[0], gene),
        *_of_frame(gene),
    )


def doubt_terms(doubts: Iterable[Doubt], model: ScoringModel) -> list[ScoreTerm]:
    """What doubts take from a score: the odds times the probability that the doubt is unfounded."""
    return [
        ScoreTerm(doubt.said, math.log(1.0 - model.parameters.reliability[doubt.strength]))
        for doubt in doubts
    ]


def _of_length(evidence: Sequence[Evidence], gene: Gene, model: ScoringModel) -> Iterable[Doubt]:
    """That proteins of this name are at least twice as long.

    Not raised where something else than a name says that such short ones have the function: a
    family or a similar protein of the same length. Without room for even a part, nothing says so;
    nor does a family of pieces that one kind of source named after the whole: one mistaken name
    was copied from piece to piece.
    """
    lead, length_aa = evidence[0], len(gene.protein)
    if lead.specificity not in _NAMES or not length_aa or _is_a_piece(gene, lead.claim):
        return
    product = model.products.products.get(lead.product) if lead.product else None
    usual = usual_length(lead.subject, product, model.name_lengths, model.products)
    if usual is None or length_aa >= _FAR_SHORTER * usual.length.shortest_aa:
        return
    has_room = length_aa >= _NO_ROOM * usual.length.shortest_aa
    if not has_room or not any(map(_has_its_length, evidence)):
        yield Doubt(
            TOO_SHORT,
            f"too short for its name: {length_aa} residues; proteins named “{usual.name}” have "
            f"{usual.length.shortest_aa} and more ({usual.length.proteins:,} counted)",
        )


def _is_a_piece(gene: Gene, name: str) -> bool:
    """Whether file or name say already that the protein is not whole."""
    cut_off = gene.location.partial_5 or gene.location.partial_3
    return gene.pseudo or cut_off or _PIECE.search(name) is not None


def _has_its_length(item: Evidence) -> bool:
    """Whether an observation names the whole protein, by whole proteins of the same length."""
    protein, reference = item.measured.protein_coverage, item.measured.target_coverage
    if item.specificity not in _NAMES or protein is None or reference is None:
        return False
    if item.support is not None and item.support.independent < _FEW_NAMES:
        return False
    if item.strength.endswith(LONE):
        return False
    return protein >= _WHOLE_PROTEIN and reference >= _WHOLE_REFERENCE


def _of_name(lead: Evidence) -> Iterable[Doubt]:
    """That the name is one of eukaryotes."""
    word = foreign_function(lead.claim)
    if word is not None:
        yield Doubt(FOREIGN, foreign_said(word, lead.claim))


def foreign_said(word: str, claim: str) -> str:
    """That a word of a claim is of eukaryotes."""
    return f"taxon: “{word}” in “{claim}” is of eukaryotes"


def _of_denial(lead: Evidence, gene: Gene) -> Iterable[Doubt]:
    """That the file says of the protein that it is not this."""
    if gene.product is not None and denies(gene.product, lead.subject):
        yield Doubt(DENIED, f"the file says “{gene.product}”")


def _of_frame(gene: Gene) -> Iterable[Doubt]:
    """That a very short frame lacks the site that makes chance unlikely.

    Genes of the file were annotated by somebody, rescued ones have addends of their own, and a
    gene that is cut off has its start elsewhere.
    """
    length_aa = len(gene.protein)
    if gene.scores is None or gene.rescue is not None or gene.location.partial_5:
        return
    if 0 < length_aa < _TINY_AA and gene.scores.rbs_motif is None:
        yield Doubt(
            TINY,
            f"perhaps no gene: a frame of {length_aa} residues without a ribosome binding site",
        )
