"""What matters before a phage is used for therapy, and what makes a bacterium dangerous.

Toxins, resistance and virulence factors by the names and Pfam families of the genes
(:mod:`genint.knowledge.safety_markers`) and by references of markers where some were searched;
signs of lysogeny, and what is known of transduction. What is not found was not found by what was
searched: no panel can call a phage safe.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from genint.knowledge.overview_tables import OverviewKnowledge
from genint.knowledge.safety_markers import SafetyMarker
from genint.model.interpretation import Hypothesis
from genint.model.overview import (
    GeneRole,
    GenomeStatement,
    MarkerHit,
    MarkerMeaning,
    Outcome,
    Topic,
)
from genint.model.vocabulary import (
    ConfidenceLevel,
    GenomeKind,
    NameBasis,
    Specificity,
)
from genint.overview.ends import (
    HEADFUL,
    EndsPrediction,
    predicted_ends,
    terminase_families_of,
)
from genint.overview.lifestyle import STAYS, marks_found
from genint.overview.parts import is_tailed
from genint.overview.record import Player, RecordView

_SAME_IDENTITY: Final = 0.9
"""From here a protein counts as the marker itself, below as one like it (as AMRFinderPlus does)."""
_SHOWN_SIGNS: Final = 8
_LONG_BP: Final = 10_000
"""Of shorter pieces of bacteria, of which a draft has thousands, only what was found is said."""

_SINGULAR: Final = {
    MarkerMeaning.TOXIN: "toxin",
    MarkerMeaning.RESISTANCE: "gene of resistance to antibiotics",
    MarkerMeaning.VIRULENCE: "virulence factor",
}
_SUBJECTS: Final = {
    MarkerMeaning.TOXIN: "toxins",
    MarkerMeaning.RESISTANCE: "antimicrobial resistance",
    MarkerMeaning.VIRULENCE: "virulence factors",
}
_NOT_COVERED: Final = {
    MarkerMeaning.TOXIN: (
        "No reference of toxins was searched beside genint's families and Pfam, which know the "
        "common ones only; “--markers FILE” takes one, such as the proteins of VFDB."
    ),
    MarkerMeaning.RESISTANCE: (
        "No reference of resistance genes was searched; “genint db install amr” installs that of "
        "NCBI, which is used in local and online mode."
    ),
    MarkerMeaning.VIRULENCE: (
        "No reference of virulence factors was searched beside genint's families and Pfam, which "
        "know few; “--markers FILE” takes one, such as the proteins of VFDB."
    ),
}
_EFFLUX: Final = (
    "General efflux pumps and enzymes that only share a fold with resistance enzymes do not count: "
    "they show no resistance by themselves."
)
_NO_PROOF: Final = "What was not found by this is not shown to be absent."
_INTEGRATION: Final = frozenset({"integrase"})
_LYSOGENY: Final = frozenset({"excisionase", "phage_repressor", "antirepressor", "transposase"})
_STAYING: Final = {
    "integrase": "An integrase was",
    "transposition": "Proteins that transpose the genome, as those of phage Mu, were",
    "partition": "Proteins that keep the genome as a plasmid were",
}
_MEANS: Final = tuple(MarkerMeaning)
_PHAGE_ROLES: Final = frozenset(
    """integrase excisionase phage_repressor antirepressor terminase_large terminase_small portal
    head_protease major_capsid head_tail_connector tape_measure major_tail minor_tail tail_fiber
    baseplate tail_sheath tail_completion tail_assembly holin endolysin""".split()
)
_AROUND_GENES: Final = 12
_LEAST_PHAGE_ROLES: Final = 3
"""Of so many genes to either side; what a bacterium has outside prophages rarely comes to it."""


class _Sign(NamedTuple):
    """A gene that is taken for a marker, and by what."""

    player: Player
    what: str
    level: ConfidenceLevel
    reason: str
    step: str
    is_weak: bool

    def as_role(self) -> GeneRole:
        return GeneRole(self.player.gene_id, self.what, self.level, self.reason)

    def among_phage_genes(self) -> _Sign:
        """The same of a gene that a prophage seems to carry."""
        return self._replace(step=f"{self.step} It lies among genes of a phage.")


def safety(view: RecordView, knowledge: OverviewKnowledge) -> Iterator[GenomeStatement]:
    """The panel of a phage; of a bacterium's record what it has of toxins and the like.

    Args:
        view: A record. Short pieces of bacteria in which nothing is found yield nothing.
        knowledge: Its table of markers is used.
    """
    signs = {means: list(_signs(view, knowledge, means)) for means in _MEANS}
    counted = _genes_of(signs)
    if view.kind is GenomeKind.PHAGE:
        lysogeny = _lysogeny(view)
        yield lysogeny
        for means, found in signs.items():
            yield _panel(view, Topic.SAFETY, means, found, _uncounted(view, counted, knowledge))
        packing = predicted_ends(terminase_families_of(view), knowledge.relatives)
        yield _transduction(view, lysogeny, packing)
        return
    for means, found in signs.items():
        if found or len(view.contig) >= _LONG_BP:
            others = _uncounted(view, counted, knowledge)
            yield _panel(view, Topic.PATHOGENICITY, means, found, others)


def carried(view: RecordView, knowledge: OverviewKnowledge) -> Iterator[GenomeStatement]:
    """Toxins, resistance and virulence factors among the genes of a prophage.

    Args:
        view: The genes of the prophage, as those of a phage.
        knowledge: Its table of markers is used.
    """
    signs = {means: list(_signs(view, knowledge, means)) for means in _MEANS}
    for means in _MEANS:
        others = _uncounted(view, _genes_of(signs), knowledge)
        yield _panel(view, Topic.PATHOGENICITY, means, signs[means], others)


def toxin_genes(view: RecordView, knowledge: OverviewKnowledge) -> frozenset[str]:
    """Genes that the panel counts as toxins, without those that are only to be checked.

    Args:
        view: Some genes of a record.
        knowledge: Its table of markers is used.
    """
    signs = _signs(view, knowledge, MarkerMeaning.TOXIN)
    return frozenset(sign.player.gene_id for sign in signs if not sign.is_weak)


def _signs(view: RecordView, knowledge: OverviewKnowledge, means: MarkerMeaning) -> Iterator[_Sign]:
    """Genes of one meaning, by position; each once, by its best sign."""
    for at, player in enumerate(view.players):
        hits = [hit for hit in view.markers.get(player.gene_id, ()) if hit.means is means]
        by_reference = _by_reference(player, hits)
        by_name = _by_name(player, view.kind, knowledge, means)
        both = [sign for sign in (by_reference, by_name) if sign is not None]
        if both:
            best = min(both, key=lambda sign: sign.is_weak)
            of_prophage = view.kind is not GenomeKind.PHAGE and _is_in_prophage(view, at)
            yield best.among_phage_genes() if of_prophage else best


def _is_in_prophage(view: RecordView, at: int) -> bool:
    """Whether several functions of phages are around a gene."""
    around = view.players[max(at - _AROUND_GENES, 0) : at + _AROUND_GENES + 1]
    roles = {player.role for player in around if not player.is_domain}
    return len(roles & _PHAGE_ROLES) >= _LEAST_PHAGE_ROLES


def _by_reference(player: Player, hits: Sequence[MarkerHit]) -> _Sign | None:
    if not hits:
        return None
    best = max(hits, key=lambda hit: (_is_same(hit), hit.identity is not None, hit.score_bits))
    kind = f", {best.kind}" if best.kind else ""
    what = best.name if _is_same(best) else f"like {best.name}"
    identical = "" if best.identity is None else f"{best.identity:.0%} identical, "
    name = "" if best.name == best.accession else f" {best.name}"
    reason = (
        f"{best.database} {best.accession}{name}{kind}: {identical}"
        f"{best.target_coverage:.0%} of its length, E {best.evalue:.1e}"
    )
    is_part = _is_same(best) and best.target_coverage < 0.8  # noqa: PLR2004 - as AMRFinderPlus
    step = f"{player.gene_id} is {'a part of ' if is_part else ''}{what} by {reason}."
    return _Sign(player, what, ConfidenceLevel.NONE, reason, step, not _is_same(best))


def _is_same(hit: MarkerHit) -> bool:
    return hit.identity is None or hit.identity >= _SAME_IDENTITY


def _by_name(
    player: Player, kind: GenomeKind, knowledge: OverviewKnowledge, means: MarkerMeaning
) -> _Sign | None:
    interpretation = player.result.interpretation
    if interpretation is None:
        return None
    pfam = {item.pfam for item in interpretation.evidence if item.pfam}
    for hypothesis in interpretation.hypotheses:
        level = ConfidenceLevel.of(hypothesis.score)
        if level in (ConfidenceLevel.SPECULATIVE, ConfidenceLevel.NONE):
            continue
        for marker in knowledge.safety.named(hypothesis.subject, kind, means):
            if _counts(marker, player, level, pfam):
                return _named(player, hypothesis, marker, level)
    for marker in knowledge.safety.markers:
        if marker.means is not means or marker.only not in (None, kind):
            continue
        families = marker.families_of(pfam)
        if families:
            return _of_families(player, marker, families)
    return None


def _counts(
    marker: SafetyMarker, player: Player, level: ConfidenceLevel, pfam: Collection[str]
) -> bool:
    """Whether a name that fits is enough, as the table of markers has it."""
    order = list(ConfidenceLevel)
    return (
        order.index(level) <= order.index(marker.least)
        and len(player.result.gene.protein) >= marker.shortest_aa
        and (not marker.needs_pfam or not marker.needs_pfam.isdisjoint(pfam))
    )


def _named(
    player: Player, hypothesis: Hypothesis, marker: SafetyMarker, level: ConfidenceLevel
) -> _Sign:
    only_file = hypothesis.basis is NameBasis.FILE
    is_region = hypothesis.specificity is Specificity.DOMAIN
    doubt = ", only by the name in the file" if only_file else ""
    part = "contains a region like" if is_region else "is taken for"
    step = (
        f"{player.gene_id} {part} {hypothesis.subject} ({level}{doubt}): {marker.name}, which "
        f"{marker.does} ({marker.source})."
    )
    is_weak = is_region or level is ConfidenceLevel.LOW
    return _Sign(player, hypothesis.subject, level, "", step, is_weak)


def _of_families(player: Player, marker: SafetyMarker, families: Iterable[str]) -> _Sign:
    names = ", ".join(families)
    step = (
        f"{player.gene_id} has Pfam {names}, which identifies {marker.name}: it {marker.does} "
        f"({marker.source})."
    )
    reason = f"Pfam {names}"
    return _Sign(player, marker.name, ConfidenceLevel.NONE, reason, step, is_weak=False)


def _panel(
    view: RecordView,
    topic: Topic,
    means: MarkerMeaning,
    signs: Sequence[_Sign],
    uncounted: Sequence[str],
) -> GenomeStatement:
    sure = [sign for sign in signs if not sign.is_weak]
    outcome = Outcome.FOUND if sure else Outcome.CANNOT_TELL if signs else Outcome.NOT_FOUND
    references = [one.name for one in view.references if means in one.means]
    searched = (*references, *(name for name in view.searched if name not in references))
    return GenomeStatement(
        topic,
        view.contig.id,
        _SUBJECTS[means],
        _genes(len(sure)) if sure else outcome.value,
        _sentence(means, sure, [sign for sign in signs if sign.is_weak]),
        outcome,
        genes=tuple(sign.as_role() for sign in signs),
        reasoning=tuple(sign.step for sign in signs),
        searched=searched,
        uncertainties=(
            *(uncounted if means is MarkerMeaning.TOXIN else ()),
            *_doubts(view, means, is_covered=bool(references)),
        ),
    )


def _sentence(means: MarkerMeaning, sure: Sequence[_Sign], weak: Sequence[_Sign]) -> str:
    what = _SINGULAR[means]
    if not sure and not weak:
        return f"No {what} was found by what was searched."
    parts = []
    if sure:
        genes = _genes(len(sure))
        parts.append(f"{_SUBJECTS[means].capitalize()} found, {genes}: {_listed(sure)}.")
    else:
        parts.append(f"No {what} is sure.")
    if weak:
        parts.append(f"To be checked, as it is similar only or in a part: {_listed(weak)}.")
    return " ".join(parts)


def _listed(signs: Sequence[_Sign]) -> str:
    named = [f"{sign.what} ({sign.player.gene_id})" for sign in signs[:_SHOWN_SIGNS]]
    more = len(signs) - len(named)
    return ", ".join(named) + (f" and {more} more" if more else "")


def _genes_of(signs: Mapping[MarkerMeaning, Sequence[_Sign]]) -> frozenset[str]:
    return frozenset(sign.player.gene_id for found in signs.values() for sign in found)


def _uncounted(
    view: RecordView, counted: Collection[str], knowledge: OverviewKnowledge
) -> tuple[str, ...]:
    """Names that speak of a toxin without being in the table, also those of the file alone."""
    found = []
    for player in view.players:
        if player.gene_id in counted:
            continue
        name = next(
            (
                name
                for name in (player.name, player.result.gene.product or "")
                if knowledge.safety.sounds_toxic(name)
            ),
            None,
        )
        if name is not None:
            found.append(f"{name} ({player.gene_id})")
    if not found:
        return ()
    more = len(found) - _SHOWN_SIGNS
    return (
        f"Not counted, but named for toxins, in the file or here: "
        f"{', '.join(found[:_SHOWN_SIGNS])}{f' and {more} more' if more > 0 else ''}.",
    )


def _doubts(view: RecordView, means: MarkerMeaning, *, is_covered: bool) -> Iterator[str]:
    if not is_covered:
        yield _NOT_COVERED[means]
    if means is MarkerMeaning.RESISTANCE:
        yield _EFFLUX
    dark = sum(player.result.is_dark for player in view.players)
    if dark:
        yield f"{dark} of {_genes(len(view.players))} dark: what they do is not known."
    yield _NO_PROOF


def _lysogeny(view: RecordView) -> GenomeStatement:
    """Integrase and other signs that the phage can stay in its host."""
    marks = marks_found(view)
    stays = {mark: tuple(marks.get(mark, ())) for mark in STAYS}
    stays["integrase"] = view.playing(_INTEGRATION)
    staying = [player for players in stays.values() for player in players]
    others = [player for player in view.playing(_LYSOGENY) if player not in staying]
    sure = [player for player in staying if player.level.is_supported]
    genes = tuple(player.as_role() for player in (*staying, *others))
    if sure:
        value = next(mark for mark, players in stays.items() if sure[0] in players)
        outcome = Outcome.FOUND
        what = f"{_STAYING[value]} found ({_ids(sure)})"
        text = f"{what}: the phage may be able to become a prophage."
    elif genes:
        outcome, value = Outcome.CANNOT_TELL, "cannot tell"
        text = "No sure integrase, but other genes that temperate phages have: " + ", ".join(
            f"{role.role} ({role.gene_id})" for role in genes
        )
        text += "."
    else:
        outcome, value = Outcome.NOT_FOUND, "not found"
        text = "No integrase and no other sign of lysogeny was found by what was searched."
    steps = [
        f"{player.gene_id} is taken for {player.name} ({player.level})."
        for player in (*staying, *others)
    ]
    dark = sum(player.result.is_dark for player in view.players)
    doubts = [f"{dark} of {_genes(len(view.players))} dark; one may be of this kind."]
    return GenomeStatement(
        Topic.SAFETY,
        view.contig.id,
        "lysogeny",
        value,
        text,
        outcome,
        genes=genes,
        reasoning=tuple(steps),
        searched=view.searched,
        uncertainties=tuple(doubts) if dark else (),
    )


def _transduction(
    view: RecordView, lysogeny: GenomeStatement, packing: EndsPrediction | None
) -> GenomeStatement:
    """Whether the phage may carry host genes to other cells, by lysogeny and by how it packs."""
    is_headful = packing is not None and packing.ends == HEADFUL
    steps = [lysogeny.text] if lysogeny.outcome is Outcome.FOUND else []
    steps.append(_of_packing(view, packing, can_stay=bool(steps)))
    ways = []
    if is_headful:
        ways.append(
            "it packs until the head is full, and so may pack DNA of the host (generalised "
            "transduction)"
        )
    if lysogeny.outcome is Outcome.FOUND:
        ways.append(
            "a phage that integrates can take along genes beside its place in the host "
            "(specialised transduction) and gives its own genes to its lysogens"
        )
    if ways:
        outcome, value = Outcome.FOUND, "possible"
        text = f"Transduction is possible: {'; '.join(ways)}."
    else:
        outcome, value = Outcome.CANNOT_TELL, "cannot tell"
        text = "Whether the phage packs DNA of its host does not follow from what was searched."
    terminases = view.playing(frozenset({"terminase_large"}))
    return GenomeStatement(
        Topic.SAFETY,
        view.contig.id,
        "transduction",
        value,
        text,
        outcome,
        genes=(*lysogeny.genes, *(player.as_role() for player in terminases)),
        reasoning=tuple(steps),
        searched=view.searched,
        uncertainties=("Only an experiment shows how often host genes are transduced.",),
    )


def _of_packing(view: RecordView, packing: EndsPrediction | None, *, can_stay: bool) -> str:
    """What the way of packing, or the ends of the record, says of packed host DNA."""
    repeat_bp = view.contig.terminal_repeat_bp
    if not is_tailed(view) and not can_stay:
        return (
            "Phages that pack DNA of the host are tailed ones, and no gene of a tailed phage was "
            "recognised."
        )
    if packing is not None:
        of = f"{len(packing.agreeing)} of {len(packing.known)} named phages"
        return (
            f"{of} with such a terminase have {packing.ends}; phages that fill the head pack host "
            "DNA most often."
        )
    if repeat_bp:
        return (
            f"The record ends in direct repeats of {repeat_bp:,} bp: if they are those of the "
            "phage, its DNA is cut at a fixed place, by which host DNA is packed seldom."
        )
    return (
        "How it packs is not known, so headful packaging, which also packs DNA of the host "
        "(generalised transduction), is not excluded."
    )


def _ids(players: Iterable[Player]) -> str:
    return ", ".join(player.gene_id for player in players)


def _genes(count: int) -> str:
    return f"{count:,} gene{'' if count == 1 else 's'}"
