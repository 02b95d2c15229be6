"""The model fitted without a group, for every group: what it then tells of that group."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from genint.interpret.claims import ScoringModel
from genint.knowledge.confidence import BackOff, Setting
from genint.knowledge.gene_order import GeneOrder
from genint.model.vocabulary import GenomeKind
from training.confidence.examples import Around, Example, examples
from training.confidence.fitting import Fitted, fit
from training.confidence.marks import Borders, Marks
from training.confidence.measuring import Told, tell
from training.confidence.neighbours import around
from training.confidence.observations import Observed
from training.confidence.parameters import Model

MODES = ("offline", "local")
RIDGE = 0.5
"""Of 0.1, 0.5, 2 and 5 the one with the least loss on held-out genes; they differ little."""


@dataclass(frozen=True, slots=True)
class Material:
    """What is fitted on.

    Attributes:
        observed: All genomes of the panel.
        orders: By group: gene order learned without it.
        borders: By group: where levels begin in each setting, found without it.
        base: Roles, vocabulary, and reliabilities that decide what leads.
        marks: Chosen borders.
        without: Types of evidence that are left away, for ablation.
        limits: By group: where statements begin in each setting, found without it.
    """

    observed: tuple[Observed, ...]
    orders: Mapping[str, GeneOrder]
    base: ScoringModel
    marks: Marks
    borders: Mapping[str, Mapping[Setting, Borders]]
    without: frozenset[str] = frozenset()
    limits: Mapping[str, Mapping[Setting, BackOff]] = field(default_factory=dict)

    @property
    def groups(self) -> tuple[str, ...]:
        """Names of the groups, sorted."""
        return tuple(sorted({one.group for one in self.observed}))

    def kind_of(self, group: str) -> GenomeKind:
        """Of the genomes of a group."""
        return next(one.panel.kind for one in self.observed if one.group == group)

    def examples(self, mode: str) -> Iterator[Example]:
        """All hypotheses of all genes, with what neighbours say. Cost: 10 s."""
        alone = [one for seen in self._seen for one in examples(seen, mode, self.base)]
        near: dict[str, Around] = {}
        for group in self.groups:
            kind = self.kind_of(group)
            fitted = fit_kind((one for one in alone if one.group != group), kind)
            judgement = self.judgement(Setting(mode, kind), fitted, group)
            near.update(
                (seen.panel.name, around(seen, mode, judgement))
                for seen in self._seen
                if seen.group == group
            )
        for seen in self._seen:
            told = near[seen.panel.name] if "gene_context" not in self.without else {}
            yield from examples(seen, mode, self.base, told)

    @property
    def _seen(self) -> tuple[Observed, ...]:
        return tuple(_without(one, self.without) for one in self.observed)

    def judgement(self, setting: Setting, fitted: Fitted, group: str) -> ScoringModel:
        """The judgement with some addends, and a gene order that knows nothing of a group."""
        model = Model(
            {setting: fitted}, self.borders[group], self.base.parameters.reliability, self.marks
        )
        order = None if "gene_context" in self.without else self.orders[group]
        return replace(self.base, parameters=model.parameters, setting=setting, gene_order=order)


def _without(observed: Observed, types: frozenset[str]) -> Observed:
    if not types:
        return observed
    evidence = {
        gene: tuple(item for item in found if item.type.value not in types)
        for gene, found in observed.evidence.items()
    }
    return replace(observed, evidence=evidence)


def fit_kind(some: Iterable[Example], kind: GenomeKind) -> Fitted:
    """Addends of one kind of genome, drawn to those of both kinds together."""
    listed = list(some)
    both = fit(listed, ridge=RIDGE)
    own = [one for one in listed if one.kind is kind]
    return fit(own, ridge=RIDGE, centre=both) if own else both


def left_out(material: Material, some: Sequence[Example]) -> Mapping[str, Fitted]:
    """Addends fitted without each group, by its name, from examples of one mode."""
    return {
        group: fit_kind((one for one in some if one.group != group), material.kind_of(group))
        for group in material.groups
    }


def told_left_out(
    material: Material, mode: str, shown: Sequence[Observed], fits: Mapping[str, Fitted]
) -> Iterator[Told]:
    """What is told of each genome by a model that was fitted without its group.

    Args:
        material: What the fits were made of.
        mode: Of them.
        shown: Observations to interpret: of the novel regime, or as shipped.
        fits: By group that was left out.
    """
    for observed in shown:
        group = observed.group
        setting = Setting(mode, material.kind_of(group))
        judgement = material.judgement(setting, fits[group], group)
        yield from tell(_without(observed, material.without), judgement)


def fit_all(some: Mapping[str, Sequence[Example]]) -> Mapping[Setting, Fitted]:
    """The addends that ship, fitted on all groups, from examples by mode."""
    return {
        Setting(mode, kind): fit_kind(listed, kind)
        for mode, listed in some.items()
        for kind in GenomeKind
    }
