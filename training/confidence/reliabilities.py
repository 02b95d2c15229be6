"""How often the claim of each class of evidence was right alone, on held-out genes."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from genint.interpret.scoring import STRENGTH_CONTEXT
from genint.knowledge.products import ProductVocabulary
from training.confidence.examples import judged
from training.confidence.observations import Observed


class Reliability(NamedTuple):
    """Claims of a class.

    Attributes:
        true: Claims that hold as far as they go.
        judged: Claims that could be judged.
    """

    true: int
    judged: int

    @property
    def share(self) -> float:
        """With one case of each kind added, so that few cases give no certainty (Laplace)."""
        return (self.true + 1) / (self.judged + 2)


def reliabilities(
    observed: Iterable[Observed], vocabulary: ProductVocabulary
) -> Mapping[str, Reliability]:
    """Counts by class; annotations are judged by curated names of the same proteins."""
    fates: defaultdict[str, Counter[bool]] = defaultdict(Counter)
    for seen in observed:
        panel = seen.panel
        for gene_id, truth in panel.truth.items():
            if truth.telling:
                for item in seen.evidence.get(gene_id, ()):
                    said = judged(truth, item.claim, vocabulary, item.ec)
                    if said is not None:
                        fates[item.strength][said.true] += 1
            stated = panel.stated.get(gene_id)
            if stated is not None and truth.curated:
                curated = truth._replace(product=truth.curated[0], others=truth.curated[1:])
                said = judged(curated, stated.claim, vocabulary)
                if said is not None:
                    fates[stated.strength][said.true] += 1
    return {name: Reliability(fate[True], fate.total()) for name, fate in sorted(fates.items())}


def of_context(measured: Iterable[Mapping[str, object]]) -> Mapping[str, Reliability]:
    """The same of categories told by gene order, as its own file measured them."""
    rows = [row for row in measured if row["records"] == "annotated genomes"]
    right = sum(int(str(row["right"])) for row in rows)
    told = sum(int(str(row["told"])) for row in rows)
    return {STRENGTH_CONTEXT: Reliability(right, told)}
