"""What the model tells of held-out genes, held against what is known of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from genint.interpret.claims import ScoringModel
from genint.interpret.pipeline import Known, findings
from genint.interpret.scoring import uncapped_log_odds
from genint.knowledge.confidence import MeasuredLevel, Setting, logistic
from genint.model.evidence import Evidence
from genint.model.interpretation import Hypothesis
from genint.model.vocabulary import ConfidenceLevel, Specificity
from genint.sources.sequence.features import observe_features
from training.confidence.back_off import Offers, offers
from training.confidence.examples import Judged, evidence_in, judged, judged_by_words
from training.confidence.observations import Observed

BINS = 10
_WHOLE = frozenset({Specificity.PROTEIN, Specificity.FAMILY})


class Told(NamedTuple):
    """One gene whose record says something, and what it was told.

    Attributes:
        genome, group: Where it is from.
        setting: Mode and kind of genome.
        gene: Id.
        product: Of the record.
        best: The leading hypothesis; None for dark genes.
        judged: Of its claim; None where there is none or it cannot be judged.
        uncapped: Probability before any ceiling.
        by_words: What the judge of names alone says of the claim.
        offers: What may be stated of it.
        subject_is_full: What the leading claim is about ("contains a region like X": X) says as
            much as the record.
        evidence_is_full: Some evidence is about what says as much as the record.
    """

    genome: str
    group: str
    setting: Setting
    gene: str
    product: str
    best: Hypothesis | None
    judged: Judged | None
    uncapped: float
    by_words: Judged | None = None
    offers: Offers = MappingProxyType({})
    subject_is_full: bool = False
    evidence_is_full: bool = False

    @property
    def level(self) -> ConfidenceLevel:
        """Level that a reader sees."""
        return ConfidenceLevel.of(self.best.score if self.best else None)

    @property
    def names_protein(self) -> bool:
        """Whether the claim is a name of the whole protein."""
        return self.best is not None and self.best.specificity in _WHOLE


def tell(
    observed: Observed, judgement: ScoringModel, *, without: frozenset[str] = frozenset()
) -> Iterator[Told]:
    """Interpret the genes of a genome as ``genint`` does.

    Args:
        observed: The genome.
        judgement: With a gene order that knows nothing of it.
        without: Types of evidence that are not looked at.
    """
    panel, mode = observed.panel, judgement.setting.mode
    seen = {
        gene: _left(evidence_in(mode, evidence), without)
        for gene, evidence in observed.evidence.items()
    }
    for contig in panel.genome.contigs:
        known = Known(seen, {}, observe_features(contig.genes), {})
        for gene, found in findings(contig, known, {}, judgement):
            truth = panel.truth[gene.id]
            if not truth.telling:
                continue
            scored = found.scored
            best = scored.hypotheses[0] if scored.hypotheses else None
            names = judgement.products
            full = {
                item.subject
                for item in seen.get(gene.id, ())
                if (said := judged(truth, item.subject, names, item.ec)) and said.full
            }
            yield Told(
                genome=panel.name,
                group=observed.group,
                setting=judgement.setting,
                gene=gene.id,
                product=truth.product,
                best=best,
                judged=judged(truth, best.claim, names, numbers_of(best)) if best else None,
                uncapped=logistic(uncapped_log_odds(best)) if best else 0.0,
                by_words=(
                    judged_by_words(truth, best.claim, names, numbers_of(best)) if best else None
                ),
                offers=offers(scored, found.around, truth, judgement),
                subject_is_full=best is not None and best.subject in full,
                evidence_is_full=bool(full),
            )


def numbers_of(best: Hypothesis) -> tuple[str, ...]:
    """Enzyme numbers of the evidence that a hypothesis has its name from."""
    return next((item.ec for item in best.evidence if item.claim == best.claim), ())


def _left(evidence: Iterable[Evidence], without: frozenset[str]) -> tuple[Evidence, ...]:
    return tuple(item for item in evidence if item.type.value not in without)


def as_by_words(told: Iterable[Told]) -> Iterator[Told]:
    """The same genes, judged by words alone."""
    return (one._replace(judged=one.by_words) for one in told)


class Counts(NamedTuple):
    """Claims by how they were judged.

    Attributes:
        judged: Claims that could be judged.
        true: Of these, those that hold as far as they go.
        full: Those that say as much as the record.
        mean_score: What they were given, on average.
    """

    judged: int
    true: int
    full: int
    mean_score: float


def counts(told: Iterable[Told]) -> Counts:
    """Counts over some genes."""
    listed = [(one.best.score, one.judged) for one in told if one.best and one.judged]
    return Counts(
        len(listed),
        sum(said.true for _, said in listed),
        sum(said.full for _, said in listed),
        sum(score for score, _ in listed) / max(1, len(listed)),
    )


def by_level(told: Sequence[Told]) -> Mapping[ConfidenceLevel, Counts]:
    """Counts of each level that was given."""
    levels = (level for level in ConfidenceLevel if level is not ConfidenceLevel.NONE)
    found = {level: counts(one for one in told if one.level is level) for level in levels}
    return {level: said for level, said in found.items() if said.judged}


def calibration_error(told: Iterable[Told]) -> float:
    """Expected calibration error over ten bins of equal width.

    Source: Naeini, Cooper & Hauskrecht 2015 (AAAI), Bayesian binning.
    """
    bins: defaultdict[int, list[tuple[float, bool]]] = defaultdict(list)
    for one in told:
        if one.best and one.judged:
            score = one.best.score
            bins[min(BINS - 1, int(score * BINS))].append((score, one.judged.true))
    total = sum(len(listed) for listed in bins.values())
    away = (abs(sum(score - true for score, true in listed)) for listed in bins.values())
    return sum(away) / max(1, total)


def overconfidence(told: Iterable[Told]) -> float:
    """The part of the calibration error by which scores were too high."""
    bins: defaultdict[int, list[float]] = defaultdict(list)
    for one in told:
        if one.best and one.judged:
            score = one.best.score
            bins[min(BINS - 1, int(score * BINS))].append(score - one.judged.true)
    total = sum(len(listed) for listed in bins.values())
    return sum(max(0.0, sum(listed)) for listed in bins.values()) / max(1, total)


def coverage(told: Sequence[Told]) -> float:
    """Share of the genes that got a name of the whole protein which says what the record says."""
    right = sum(one.names_protein and one.judged is not None and one.judged.full for one in told)
    return right / max(1, len(told))


def share_high(told: Sequence[Told]) -> float:
    """Share of the genes that are HIGH."""
    return sum(one.level is ConfidenceLevel.HIGH for one in told) / max(1, len(told))


def measured_levels(told: Iterable[Told], regime: str) -> Iterator[MeasuredLevel]:
    """Rows for the file that ships: by setting and level."""
    by_setting: defaultdict[Setting, list[Told]] = defaultdict(list)
    for one in told:
        by_setting[one.setting].append(one)
    for setting, of_setting in sorted(by_setting.items()):
        for level, said in by_level(of_setting).items():
            yield MeasuredLevel(regime, setting, level, said.true, said.full, said.judged)
