"""Fourth step: what was known and what was found, together."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from genint.model.evidence import ProfileHit, SimilarityHit
from genint.steps.calling import Called
from genint.steps.rna import RnaFindings
from genint.steps.searching import Answer, SearchPlan


class Findings(NamedTuple):
    """All hits of a genome, in the order of its proteins.

    Attributes:
        profiles: Of profile searches.
        similar: Of searches for similar proteins.
        rna: RNA genes and CRISPR arrays.
    """

    profiles: tuple[ProfileHit, ...]
    similar: tuple[SimilarityHit, ...]
    rna: RnaFindings = RnaFindings()


def gather(called: Called, plan: SearchPlan, answers: Iterable[Answer]) -> Findings:
    """Put together what was known and what was found.

    Args:
        called: Whose proteins were searched.
        plan: What was known.
        answers: Of all tasks, in any order.
    """
    by_gene: defaultdict[str, list[Answer]] = defaultdict(list)
    for answer in (*plan.known, *answers):
        by_gene[answer.gene_id].append(answer)
    profiles: list[ProfileHit] = []
    similar: list[SimilarityHit] = []
    for gene_id, _ in called.proteins:
        searched = plan.same_as.get(gene_id, gene_id)
        for answer in sorted(by_gene.get(searched, ()), key=lambda answer: answer.search):
            for hit in answer.hits:
                if isinstance(hit, ProfileHit):
                    profiles.append(hit._replace(gene_id=gene_id))
                else:
                    similar.append(hit._replace(gene_id=gene_id))
    return Findings(tuple(profiles), tuple(similar))
