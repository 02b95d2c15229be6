"""Holins by their place: a small membrane protein beside the endolysin.

Holins are short, have nothing in common but segments that cross the membrane, and evolve so fast
that most new ones match no family. Their genes lie beside the endolysin's, which is conserved.

Holins and where their genes lie: Wang, Smith & Young 2000, doi:10.1146/annurev.micro.54.1.799.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final

from genint.interpret.agreement import STRENGTH_BESIDE_ENDOLYSIN
from genint.interpret.claims import ScoringModel
from genint.interpret.gene_context import name_by_place
from genint.interpret.operons import row
from genint.interpret.scoring import Scored
from genint.model.evidence import Evidence, FeatureKind, SequenceFeature
from genint.model.genome import Contig, Gene
from genint.model.interpretation import Hypothesis
from genint.model.vocabulary import (
    ConfidenceLevel,
    GenomeKind,
    Specificity,
)

_HOLIN: Final = "holin"
_HOLINS: Final = frozenset({_HOLIN, "antiholin", "lysis_protein"})
_ENDOLYSINS: Final = frozenset(
    {
        "endolysin",
        "lysozyme",
        "amidase_endolysin",
        "sar_endolysin",
        "l_alanyl_d_glutamate_peptidase",
        "lysis_endopeptidase",
        "peptidoglycan_hydrolase",
    }
)
"""Terms for enzymes that open the wall at the end; not those of tails and virions."""
_SHORTEST_AA: Final = 40
_LONGEST_AA: Final = 200
_FEWEST_SEGMENTS: Final = 2
"""That cross the membrane. With one only, spanins and endolysins with an anchor look the same."""
_OTHER_WITHIN: Final = 20
"""Genes on either side among which no other holin may be, in a bacterium; a phage has one place for
it, and mostly one holin."""


def holins(
    contig: Contig,
    alone: Sequence[Scored],
    features: Mapping[str, Sequence[SequenceFeature]],
    in_phage: Collection[str],
    model: ScoringModel,
) -> Mapping[int, Evidence]:
    """Genes without a name that are the holin by their size, their segments and their place.

    Args:
        contig: Its genes, in any order.
        alone: The hypotheses of each without its neighbours, in the same order.
        features: Of the sequences, by gene id.
        in_phage: Ids of the genes that are a phage's.
        model: The vocabulary.

    Returns:
        By the place of the gene among those of the contig: the name as evidence. None where
        the phage has another holin, or where a gene on the other side of the endolysin looks
        like one too.

    Cost: 1 us a gene.
    """
    genes = contig.genes
    of_phage = model.setting.kind is GenomeKind.PHAGE
    lysins = {at for at, scored in enumerate(alone) if _term(scored) in _ENDOLYSINS}
    if not lysins:
        return {}
    order = sorted(range(len(genes)), key=lambda at: genes[at].span)
    place = {at: position for position, at in enumerate(order)}
    found: dict[int, Evidence] = {}
    for at in sorted(lysins):
        beside = [other for step in (-1, 1) for other in row(contig, order, place[at], step, 1)]
        small = [
            one
            for one in beside
            if genes[one].id in in_phage
            and _looks_like_holin(genes[one], features.get(genes[one].id, ()))
        ]
        if len(small) == 1 and not alone[small[0]].hypotheses:
            reach = len(order) if of_phage else _OTHER_WITHIN
            near = _near(order, place[small[0]], reach)
            if not any(_term(alone[other]) in _HOLINS for other in near):
                found[small[0]] = _evidence(
                    genes[small[0]],
                    _segments(features[genes[small[0]].id]),
                    genes[at],
                    alone[at].hypotheses[0],
                    model,
                )
    return found


def _term(scored: Scored) -> str | None:
    """The term of a gene's best name; None for a region, a doubtful name and one without a term."""
    if not scored.hypotheses:
        return None
    best = scored.hypotheses[0]
    if best.specificity is Specificity.DOMAIN:
        return None
    return best.evidence[0].product if ConfidenceLevel.of(best.score).is_supported else None


def _looks_like_holin(gene: Gene, features: Sequence[SequenceFeature]) -> bool:
    is_small = _SHORTEST_AA <= len(gene.protein) <= _LONGEST_AA
    return is_small and not gene.pseudo and _segments(features) >= _FEWEST_SEGMENTS


def _segments(features: Sequence[SequenceFeature]) -> int:
    return sum(one.kind is FeatureKind.TRANSMEMBRANE for one in features)


def _near(order: Sequence[int], position: int, reach: int) -> list[int]:
    """Genes within reach on either side, the gene itself not among them."""
    first = max(0, position - reach)
    return [*order[first:position], *order[position + 1 : position + 1 + reach]]


def _evidence(
    gene: Gene, segments: int, beside: Gene, said: Hypothesis, model: ScoringModel
) -> Evidence:
    label = (
        f"{len(gene.protein)} residues with {segments} transmembrane segments, beside "
        f"{beside.name}, {said.claim}: there phages have their holin"
    )
    term = model.products.products[_HOLIN]
    origin = f"endolysin:{beside.id}"
    return name_by_place(gene, term, label, STRENGTH_BESIDE_ENDOLYSIN, origin)
