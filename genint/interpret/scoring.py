"""Scores of hypotheses: the log-odds of what supports and what opposes them, added up.

Every group of claims becomes a hypothesis. Its score is a prior, plus the fitted weight of each
independent piece of evidence, plus what the neighbours, rival hypotheses and signs of a spurious
gene add or take, up to a ceiling. :meth:`ConfidenceLevel.of` turns the score into a level.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import partial
from typing import Final, NamedTuple

from genint.interpret.agreement import agreeing_types, says_of
from genint.interpret.claims import (
    ScoringModel,
    category_among,
    contradiction,
    may_be_relatives,
    one_blocks_other,
)
from genint.interpret.doubts import (
    LOW_AT_MOST,
    NO_PHAGE_KNOWN,
    Doubt,
    OfPhage,
    doubt_terms,
    doubts_of,
)
from genint.interpret.file_names import (
    ENOUGH_SOURCES,
    is_hedged_name,
    is_outright,
    is_stated,
)
from genint.interpret.grouping import (
    Group,
    class_group,
    covers_whole,
    group_evidence,
    rivals,
    same_stretch,
    supports,
)
from genint.interpret.memory import GROUPS_KEPT, remembered
from genint.knowledge.confidence import Part, logistic, logit
from genint.knowledge.foreign_names import foreign_function
from genint.model.evidence import Evidence
from genint.model.genome import Gene
from genint.model.interpretation import Hypothesis, ScoreTerm
from genint.model.online import ServiceAnswer
from genint.model.vocabulary import (
    Category,
    ConfidenceLevel,
    EvidenceSource,
    EvidenceType,
    GenomeKind,
    Specificity,
)

START: Final = "starting value"
"""Start of the reason of the first addend."""
STRENGTH_CONTEXT: Final = "gene_context"
"""Class of what the neighbours say of a gene's category."""
BY_DOMAIN: Final = "pfam_named"
"""Class of names by a domain that hardly any proteins of another name have. Relatives have it too:
of 13 such names never seen, beside neighbours or parts of families, 3 were another function's."""
_BY_PFAM: Final = frozenset({BY_DOMAIN, "pfam_family", "pfam_family_far"})
"""Classes of names by Pfam alone. A family of it is mostly wider than one function."""
LIMIT: Final = "limit"
"""Start of the reason of the addend that brings a sum down to the highest that is given."""
_FOR_A_REPLACEMENT = (
    " for a name other than the file's that fewer than two sources distinguish from its relatives'"
)
_FOR_THE_FILE = " for a name that only the file gives"
_FILE_ONLY = frozenset({EvidenceType.ANNOTATION})
_SMALL_PART = 1 / 3
"""Share of a family's profile below which a match shows no function, only a motif that unrelated
proteins have too (56 residues of an excisionase, like 23 % of a transposase)."""
_MOST_RIVALS = 2
"""Further rivals take nothing more from a hypothesis."""
_PARTS = frozenset({Specificity.DOMAIN, Specificity.CATEGORY})
_WHY = {
    Part.LEADS: "",
    Part.AGREES: "agrees",
    Part.SAYS_LESS: "agrees, less specific than the hypothesis",
    Part.AGAIN: "same type as before",
    Part.FITS: "fits it, but does not name it",
}
_CLAIMS = {
    "protein": "a name of the whole protein",
    "family": "a family of the whole protein",
    "domain": "a part of the protein",
    "category": "a functional class",
}


class ServiceNotes(NamedTuple):
    """What online services report about one gene besides evidence of its function.

    Attributes:
        answers: The outcome of querying each service.
        spurious: Matches of its protein to models of spurious translations.
        remarks: Predictions that are no evidence, as sentences.
    """

    answers: tuple[ServiceAnswer, ...] = ()
    spurious: tuple[Evidence, ...] = ()
    remarks: tuple[str, ...] = ()


NO_SERVICE_NOTES: Final = ServiceNotes()


class NeighbourEvidence(NamedTuple):
    """What the neighbours of a gene suggest about its category.

    Attributes:
        evidence: The same as an observation, its label listing the neighbours.
        log_odds: By category: how much likelier such neighbours are beside a gene of it.
    """

    evidence: Evidence
    log_odds: Mapping[Category, float]


@dataclass(frozen=True, slots=True)
class Scored:
    """Scored hypotheses, best first, and the contradictions between them."""

    hypotheses: tuple[Hypothesis, ...]
    conflicts: tuple[str, ...]


class Against(NamedTuple):
    """What speaks against any function of a gene.

    Attributes:
        spurious: What every hypothesis loses because the gene may be spurious.
        gene: The gene itself; None where its evidence is scored without it.
        phage: What is known of the phage as a whole.
        contradicted: What the audit found instead of the file's name; None where it does not
            contradict that.
    """

    spurious: Sequence[ScoreTerm] = ()
    gene: Gene | None = None
    phage: OfPhage = NO_PHAGE_KNOWN
    contradicted: str | None = None

    def doubts(self, group: Group, model: ScoringModel) -> tuple[Doubt, ...]:
        """Doubts about one function."""
        if self.gene is None:
            return ()
        evidence = [claim.evidence for claim in group.claims]
        return doubts_of(evidence, self.gene, model, self.phage, contradicted=self.contradicted)

    def is_small_part(self, lead: Evidence) -> bool:
        """Whether a family matches with so little of itself that it shows no more.

        Of a gene that is cut off or decayed no more may be left.
        """
        if self.gene is not None and (self.gene.pseudo or _is_cut_off(self.gene)):
            return False
        covered = lead.measured.target_coverage
        is_part = lead.type is EvidenceType.FAMILY and lead.specificity is Specificity.DOMAIN
        return is_part and covered is not None and covered < _SMALL_PART

    def is_by_part(self, group: Group) -> bool:
        """Whether only Pfam names the protein, or families of which part matches.

        Of a gene that is cut off, a part is all there is.
        """
        if self.gene is not None and _is_cut_off(self.gene):
            return False
        names = [claim.evidence for claim in group.claims if claim.specificity not in _PARTS]
        return all(item.strength in _BY_PFAM or _is_partial_match(item) for item in names)


def score_evidence(
    evidence: Sequence[Evidence],
    model: ScoringModel,
    around: NeighbourEvidence | None = None,
    *,
    gene: Gene | None = None,
) -> Scored:
    """Score the hypotheses that the evidence of one gene supports.

    Args:
        evidence: All of one gene, any order; the result does not depend on it.
        model: Parameters and roles.
        around: Evidence from its neighbours; it raises or lowers hypotheses, and makes none.
        gene: The gene itself, which may raise doubts.

    Returns:
        At least one hypothesis where there is evidence, else none.

    Raises:
        KeyError: evidence of a class that the parameters don't know.

    Cost: quadratic in the number of items, which is below ten for most genes.
    """
    return score_groups(group_evidence(evidence, model), model, around, gene=gene)


def score_groups(  # noqa: PLR0913 - what is known of a gene
    groups: Sequence[Group],
    model: ScoringModel,
    around: NeighbourEvidence | None = None,
    spurious: Sequence[Evidence] = (),
    *,
    gene: Gene | None = None,
    phage: OfPhage = NO_PHAGE_KNOWN,
    contradicted: str | None = None,
) -> Scored:
    """The same for claims that are grouped already.

    Args:
        groups: Claims of one gene.
        model: Parameters and roles.
        around: Evidence from its neighbours.
        spurious: Evidence that the gene is spurious.
        gene: The gene itself, which may raise doubts (:mod:`~genint.interpret.doubts`).
        phage: What is known of the phage as a whole.
        contradicted: What the audit found instead of the file's name.
    """
    against = Against(spurious_terms(spurious, model), gene, phage, contradicted)
    hypotheses = [_hypothesis(group, groups, model, around, against) for group in groups]
    hypotheses.extend(_class_hypotheses(groups, hypotheses, model, around, against))
    best_first = ranked(
        hypotheses,
        frozenset(group.lead.evidence.claim for group in groups if group.is_kept(groups)),
    )
    spurious_gene = spurious_conflicts(best_first[0].claim, spurious) if best_first else ()
    return Scored(best_first, (*_conflicts(groups), *spurious_gene))


def _hypothesis(
    group: Group,
    groups: Sequence[Group],
    model: ScoringModel,
    around: NeighbourEvidence | None,
    against: Against,
) -> Hypothesis:
    lead = group.lead.evidence
    own = _own_terms(group, model, around)
    doubts = against.doubts(group, model)
    opposed = _rival_terms(group, groups, model, around, against)
    terms = [*own, *opposed, *doubt_terms(doubts, model), *against.spurious]
    types = agreeing_types(group, model, beside_neighbours=any(map(is_context, own)))
    doubted = any(doubt.strength in LOW_AT_MOST for doubt in doubts)
    small = against.is_small_part(lead)
    names_whole = group.names_protein and not against.is_by_part(group)
    terms.extend(
        _limit_term(
            group,
            groups,
            terms,
            types,
            model,
            doubted=doubted,
            small_part=small,
            names_whole=names_whole,
        )
    )
    evidence = [claim.evidence for claim in group.claims]
    evidence += [term.evidence for term in own if term.evidence and is_context(term)]
    return Hypothesis(
        claim=lead.claim,
        subject=lead.subject,
        specificity=lead.specificity,
        score=round(logistic(sum(term.log_odds for term in terms)), 4),
        terms=tuple(terms),
        evidence=tuple(evidence),
        types=types,
    )


def _own_terms(
    group: Group, model: ScoringModel, around: NeighbourEvidence | None
) -> list[ScoreTerm]:
    """Prior and support of a hypothesis, without what opposes it."""
    lead = group.lead.evidence
    prior = model.calibration.prior[lead.specificity]
    return [
        ScoreTerm(f"{START} for {_CLAIMS[lead.specificity]}", prior),
        *_wider_term(lead, model),
        *_supporting_terms(group, model),
        *_context_term(group, model, around),
    ]


def _wider_term(lead: Evidence, model: ScoringModel) -> list[ScoreTerm]:
    if lead.original_name is None:
        return []
    return [ScoreTerm(f"wider than “{lead.original_name}”", model.calibration.wider)]


@remembered(GROUPS_KEPT)
def _supporting_terms(group: Group, model: ScoringModel) -> tuple[ScoreTerm, ...]:
    """One addend for each origin."""
    terms: list[ScoreTerm] = []
    for claim, part in supports(group):
        item = claim.evidence
        name = item.accession if item.database and item.accession else item.type.value
        reason = f"{name}, {_WHY[part]}" if _WHY[part] else name
        weight = model.calibration.weight(part, item.strength, item.type)
        terms.append(ScoreTerm(reason, weight, item, says_of(claim, part, group, model)))
    return tuple(terms)


def _context_term(
    group: Group, model: ScoringModel, around: NeighbourEvidence | None
) -> list[ScoreTerm]:
    """Weight of the neighbours, where the hypothesis has a category.

    They are evidence where they agree clearly. How much they add to a name was fitted: hardly
    anything for phages, where a wrong name is mostly of the right module.
    """
    category = category_among(group.claims)
    if around is None or category is None or category not in around.log_odds:
        return []
    if group.lead.evidence.type is EvidenceType.GENE_CONTEXT:
        return []  # the name is what the neighbours say already
    log_odds = around.log_odds[category]
    weight = model.calibration.context * log_odds
    speak = "against" if weight < 0 else "for"
    reason = f"neighbours speak {speak} a gene of {category.value}"
    if log_odds < model.parameters.least_context:
        return [ScoreTerm(reason, weight)] if weight else []
    item = around.evidence
    claim = context_claim(category)
    more = math.exp(log_odds)
    label = f"{item.label}: {category.value} {more:.1f} times likelier than elsewhere"
    return [
        ScoreTerm(reason, weight, replace(item, claim=claim, subject=category.value, label=label))
    ]


def context_claim(category: Category) -> str:
    """The claim of gene context, ready to print."""
    return f"lies among genes of {category.value}"


def is_context(term: ScoreTerm) -> bool:
    """Whether an addend is the weight of the neighbours."""
    return term.evidence is not None and term.evidence.strength == STRENGTH_CONTEXT


def _rival_terms(
    group: Group,
    groups: Sequence[Group],
    model: ScoringModel,
    around: NeighbourEvidence | None,
    gene_against: Against,
) -> list[ScoreTerm]:
    """What rival hypotheses take away.

    Two claims that exclude one another: the odds of one are those that it has alone, with its
    doubts, times the probability that the other is wrong. So both together never come to more
    than 1.
    """
    against, terms = rivals(group, groups), []
    contradicting = [
        one for one in against.contradicting if not _may_be_paralogue(group, one, groups)
    ]
    for rival in contradicting[:_MOST_RIVALS]:
        doubts = doubt_terms(gene_against.doubts(rival, model), model)
        alone = (*_own_terms(rival, model, around), *doubts)
        total = sum(term.log_odds for term in alone)
        probability = min(logistic(total), model.parameters.ceiling)
        claim = rival.lead.evidence.claim
        reason = f"contradicted by {claim} ({probability:.2f} by itself)"
        terms.append(ScoreTerm(reason, math.log(1.0 - probability)))
    if against.differing and model.calibration.differing:
        claim = against.differing[0].lead.evidence.claim
        reason = f"another name is supported too: {claim}"
        terms.append(ScoreTerm(reason, model.calibration.differing))
    return terms


def _may_be_paralogue(group: Group, rival: Group, groups: Sequence[Group]) -> bool:
    """Whether a relative of the rival's function, which the file names, would fit its evidence.

    Then that evidence takes nothing from the file's name.
    """
    if not is_stated(group.lead) and not is_hedged_name(group.lead):
        return False
    related = may_be_relatives(group.lead, rival.lead)
    # A family of inhibitors that lost that word on the way from record to record is one too.
    whole = rival.lead.evidence.type is not EvidenceType.DOMAIN
    if not related and not (whole and one_blocks_other(group.lead, rival.lead)):
        return False
    return rival.tells(groups) < ENOUGH_SOURCES


def spurious_terms(spurious: Sequence[Evidence], model: ScoringModel) -> list[ScoreTerm]:
    """What every hypothesis loses because the gene may be spurious.

    A protein that is not made has no function: the odds of each function are multiplied by the
    probability that the strongest of the models is wrong. Further models add nothing.
    """
    if not spurious:
        return []
    item = max(spurious, key=lambda one: model.parameters.reliability[one.strength])
    wrong = 1.0 - model.parameters.reliability[item.strength]
    return [ScoreTerm(f"the gene may be spurious: {item.accession}", math.log(wrong))]


def _limit_term(  # noqa: PLR0913 - what a hypothesis rests on
    group: Group,
    groups: Sequence[Group],
    terms: Sequence[ScoreTerm],
    types: frozenset[EvidenceType],
    model: ScoringModel,
    *,
    doubted: bool,
    small_part: bool,
    names_whole: bool,
) -> list[ScoreTerm]:
    """The addend that brings a sum down to its ceiling, so that the printed addends add up."""
    parameters, calibration = model.parameters, model.calibration
    total = sum(term.log_odds for term in terms)
    if doubted:
        ceiling, why = parameters.low_ceiling, " for a name that is doubted"
    elif small_part:
        ceiling, why = parameters.low_ceiling, " for a match of less than a third of a family"
    elif total < logit(calibration.least_for_moderate):
        ceiling = parameters.low_ceiling
        why = f" for what does not reach {calibration.least_for_moderate:.2f}"
    elif len(types) < 2:  # noqa: PLR2004 - two independent types make HIGH
        ceiling = parameters.moderate_ceiling
        why = _FOR_THE_FILE if types == _FILE_ONLY else " for one type of evidence"
    elif not names_whole:
        ceiling, why = parameters.moderate_ceiling, " for a part or a class"
    elif group.tells(groups) < group.sources_to_replace(groups, in_bacterium=_in_bacterium(model)):
        ceiling, why = parameters.moderate_ceiling, _FOR_A_REPLACEMENT
    elif total < logit(calibration.least_for_high):
        ceiling = parameters.moderate_ceiling
        why = f" for what does not reach {calibration.least_for_high:.2f}"
    else:
        ceiling, why = parameters.ceiling, ": nothing is certain"
    excess = total - logit(ceiling)
    return [ScoreTerm(f"{LIMIT}{why}", -excess)] if excess > 0 else []


def _is_partial_match(item: Evidence) -> bool:
    """Whether part of a family matches, or a family matches part of the protein."""
    measured = item.type is EvidenceType.FAMILY and item.measured.target_coverage is not None
    return measured and not covers_whole(item)


def _is_cut_off(gene: Gene) -> bool:
    return gene.location.partial_5 or gene.location.partial_3


def _in_bacterium(model: ScoringModel) -> bool:
    return model.setting.kind is GenomeKind.BACTERIUM


def _class_hypotheses(
    groups: Sequence[Group],
    hypotheses: Sequence[Hypothesis],
    model: ScoringModel,
    around: NeighbourEvidence | None,
    against: Against,
) -> list[Hypothesis]:
    """Wider classes of names that the evidence supports too little, where they score higher."""
    found: dict[str, Hypothesis] = {}
    claimed = {hypothesis.subject for hypothesis in hypotheses}
    for group, named in zip(groups, hypotheses, strict=True):
        if ConfidenceLevel.of(named.score).is_supported:
            continue
        source = group.lead.evidence.source
        if source is EvidenceSource.UNIPROT or source.is_imported:
            continue  # how reliable its classes are was not measured
        class_ = class_group(group, model)
        if class_ is None or class_.lead.evidence.subject in claimed:
            continue
        others = [other for other in groups if other is not group]
        if rivals(group, others).contradicting or against.doubts(group, model):
            continue  # a contested or doubtful name makes no reliable class
        wider = _hypothesis(class_, others, model, around, against)
        known = found.get(wider.subject)
        if wider.score > named.score and (known is None or wider.score > known.score):
            found[wider.subject] = wider
    return list(found.values())


def _conflicts(groups: Sequence[Group]) -> tuple[str, ...]:
    found = []
    for at, group in enumerate(groups):
        for other in groups[at + 1 :]:
            why = contradiction(group.lead, other.lead)
            if why is not None:
                one, two = group.lead.evidence, other.lead.evidence
                found.append(
                    f"“{one.claim}” ({one.source.value}) against "
                    f"“{two.claim}” ({two.source.value}): {why}"
                )
    return tuple(found)


def spurious_conflicts(claim: str, spurious: Sequence[Evidence]) -> tuple[str, ...]:
    """That a function is claimed of what may be no protein."""
    return tuple(
        f"“{claim}” against “{item.claim}” ({item.source.value}): "
        "a spurious protein has no function"
        for item in spurious
    )


def spurious_uncertainties(spurious: Sequence[Evidence]) -> tuple[str, ...]:
    """The same as uncertainties, one for each model."""
    return tuple(f"the gene may be spurious: {item.label}" for item in spurious)


class _Place(IntEnum):
    """Names that the evidence supports, then everything else."""

    HIGH = 0
    STATED = 1
    NAMED = 2
    UNPROVEN = 3


def ranked(
    hypotheses: Sequence[Hypothesis], kept: frozenset[str] = frozenset()
) -> tuple[Hypothesis, ...]:
    """Hypotheses best first, each with the reason for its rank.

    Args:
        hypotheses: Of one gene, any order.
        kept: Hedged names of the file that no evidence can replace.
    """
    if not hypotheses:
        return ()
    best, *others = sorted(hypotheses, key=partial(_rank, kept))
    stated = _is_stated(best, kept)
    lower = (
        replace(rival, verdict=_why_foreign(rival, best) or _why_lower(rival, best, stated=stated))
        for rival in others
    )
    return (replace(best, verdict=_why_first(best, others, stated=stated)), *lower)


def _rank(kept: frozenset[str], hypothesis: Hypothesis) -> tuple[bool, int, float, int, str]:
    """Sort key: sober names, of them sufficiently supported ones first, then by score.

    A domain and the function of the protein that contains it are both right, and the function
    is more specific. So a name that the evidence supports comes before a domain or class of
    higher score, and a name that it does not support comes after it. At MODERATE the name that
    the file gives to this very protein comes before the names of relatives. What is named after
    organs or organelles comes last, whatever its score.
    """
    level = ConfidenceLevel.of(hypothesis.score)
    if hypothesis.specificity in _PARTS or not level.is_supported:
        place = _Place.UNPROVEN
    elif level is ConfidenceLevel.HIGH:
        place = _Place.HIGH
    else:
        place = _Place.STATED if _is_stated(hypothesis, kept) else _Place.NAMED
    return (
        is_foreign(hypothesis),
        place,
        -uncapped_log_odds(hypothesis),
        hypothesis.specificity.rank,
        hypothesis.claim,
    )


def is_foreign(hypothesis: Hypothesis) -> bool:
    """Whether it names a function of eukaryotes."""
    return foreign_function(hypothesis.claim) is not None


def _is_stated(hypothesis: Hypothesis, kept: frozenset[str]) -> bool:
    """Whether the file names this function without a hedge, or nothing can replace its name."""
    return hypothesis.claim in kept or any(map(is_outright, hypothesis.evidence))


def uncapped_log_odds(hypothesis: Hypothesis) -> float:
    """The sum of all addends of a hypothesis but the limit of its score."""
    terms = (term for term in hypothesis.terms if not term.reason.startswith(LIMIT))
    return round(sum(term.log_odds for term in terms), 4)


def _why_first(best: Hypothesis, others: Sequence[Hypothesis], *, stated: bool) -> str:
    if not others:
        return "the only function that the evidence suggests"
    surer = [one for one in others if uncapped_log_odds(one) > uncapped_log_odds(best)]
    if not surer:
        return "preferred because the evidence for it is the strongest"
    if best.specificity not in _PARTS and all(one.specificity in _PARTS for one in surer):
        return "preferred because it describes the largest part of the protein"
    if stated:
        return "preferred because the file gives this name and no other is clearly better"
    return "preferred because it is well supported and the most specific"


def _why_foreign(rival: Hypothesis, best: Hypothesis) -> str | None:
    if is_foreign(best) or not is_foreign(rival):
        return None
    return f"its name is of eukaryotes ({best.score:.2f} against {rival.score:.2f})"


def _why_lower(rival: Hypothesis, best: Hypothesis, *, stated: bool) -> str:
    equal = f"{best.score:.2f}" == f"{rival.score:.2f}"
    scores = "" if equal else f" ({best.score:.2f} against {rival.score:.2f})"
    ours, theirs = uncapped_log_odds(best), uncapped_log_odds(rival)
    if theirs >= ours:
        if rival.specificity in _PARTS and best.specificity not in _PARTS:
            return f"less specific{scores}"
        if stated:
            return f"no surer than the name in the file{scores}"
    if len(rival.types) < len(best.types):
        return f"fewer types of evidence support it{scores}"
    if theirs < ours:
        limited = f", although both scores are limited to {best.score:.2f}" if equal else scores
        return f"weaker evidence{limited}"
    if rival.specificity.rank > best.specificity.rank:
        return f"less specific at the same level{scores}"
    return f"equally supported, so the order of the two has no meaning{scores}"


def excluded_name(hypotheses: Sequence[Hypothesis], conflicts: Sequence[str]) -> Hypothesis | None:
    """The next hypothesis that names the whole protein as the leading one does, otherwise.

    Args:
        hypotheses: Best first.
        conflicts: Contradictions that are reported anyway.

    Returns:
        None unless both rest on sound evidence of the same stretch, at least one of them on
        a similar protein: of the file's names and those of families the rules are older,
        and names of the two that differ are mostly wordings of one thing.
    """
    best = hypotheses[0]
    if best.specificity is not Specificity.PROTEIN or not best.types:
        return None
    for rival in hypotheses[1:]:
        reported = any(
            f"“{rival.claim}”" in text and f"“{best.claim}”" in text for text in conflicts
        )
        if (
            rival.specificity is Specificity.PROTEIN
            and rival.types
            and EvidenceType.HOMOLOGY in best.types | rival.types
            and not reported
            and same_stretch(best.evidence[0].measured, rival.evidence[0].measured)
        ):
            return rival
    return None
