"""Whether a phage can stay in its host (temperate) or kills it each time (virulent)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from genint.knowledge.lifestyles import Band, LifestyleMarks, LifestyleModel, SmallFamily
from genint.knowledge.overview_tables import OverviewKnowledge
from genint.knowledge.relatives import Relative
from genint.model.overview import GeneRole, GenomeStatement, Outcome, Topic
from genint.model.vocabulary import Category, ConfidenceLevel, GenomeKind, NameBasis
from genint.overview.parts import is_tailed, may_be_piece
from genint.overview.record import Player, RecordView
from genint.overview.relatives import relatives_of

_MOST_SMALL_GENES: Final = 40
"""Of phages whose family decides their lifestyle."""
_MOST_ASKED: Final = 3

_INTEGRASE: Final = re.compile(r"integrase|recombinase", re.I)
_TYROSINE: Final = frozenset({"PF00589"})
_SERINE: Final = frozenset({"PF00239", "PF07508"})
_SERINE_INTEGRASE_AA: Final = 300
"""Serine recombinases that integrate are longer than those that invert or resolve."""
_REPRESSOR: Final = re.compile(r"\bCI{1,3}\b|\bcro\b|lysogen|\bC\.?II\b", re.I)
_TRANSPOSITION: Final = re.compile(
    r"transposition|transposase (a|b) subunit|\bmu[a-z-]* transpos", re.I
)
_DIRECTIONALITY: Final = re.compile(r"recombination directionality factor|\bRDF\b")
"""What excisionases of serine integrases and of mycobacteriophages are called."""
_PARTITION: Final = re.compile(
    r"\b(par|sop) ?a\b|chromosome partitioning protein|plasmid partition|protelomerase"
    r"|telomere resolvase",
    re.I,
)
_POLYMERASE: Final = re.compile(r"^(putative )?(DNA-(dependent|directed) )?RNA polymerase", re.I)
_NO_POLYMERASE: Final = re.compile(r"sigma|inhibit|bind|factor|associated|ribosyl|RNA-dep", re.I)
TRANSPOSITION: Final = "transposition"
STAYS: Final = ("integrase", TRANSPOSITION, "partition")
"""Marks of what a temperate phage stays in its host by."""
_CONTROLS: Final = ("repressor", "antirepressor", "excisionase")
_DECISIVE: Final = (*STAYS, *_CONTROLS)
"""Marks of temperate phages."""
_MOST_CONTROLS: Final = 3
_MOST_REGULATORS: Final = 3
_MOST_NUCLEOTIDES: Final = 4
_PLAIN: Final = {
    "integrase": "integrase",
    "excisionase": "excisionase",
    "repressor": "regulator of lysogeny",
    "antirepressor": "antirepressor",
    "transposition": "transposition like phage Mu",
    "partition": "partition as a plasmid",
    "regulators": "regulator of transcription",
    "rna_polymerase": "RNA polymerase of its own",
    "nucleotides": "nucleotide metabolism",
}
_MEANING: Final = {
    "temperate": "it can stay in the host, integrated or as a plasmid, and come back",
    "virulent": "it kills the host with each infection",
}
_NEVER_PROOF: Final = (
    "Genes that were not recognised may still be there: this is no proof that a phage cannot stay"
    " in its host."
)

_PIECE: Final = (
    "The record does not say that it is whole, it does not close, and not all of packaging, head,"
    " tail, lysis and replication were recognised: it may be a piece, so what was not found says"
    " little."
)

Found = Mapping[str, Sequence[Player]]
"""By mark, the genes that show it."""


def lifestyle(view: RecordView, knowledge: OverviewKnowledge) -> Iterator[GenomeStatement]:
    """One statement for a phage.

    Args:
        view: A record; nothing is said of bacteria.
        knowledge: With the model and the table of relatives.
    """
    if view.kind is not GenomeKind.PHAGE or not view.players:
        return
    relatives = relatives_of(view, knowledge)
    if is_of_tailed(view, relatives, knowledge):
        yield _of_tailed(view, knowledge, relatives)
        return
    family = small_family_of(view, relatives, knowledge.lifestyles)
    if family is not None:
        yield _of_family(view, family, relatives)
    else:
        yield _untold(
            view,
            "No gene of a tailed phage was recognised, and no family without a tail.",
            marks_found(view),
        )


def is_of_tailed(
    view: RecordView, relatives: Sequence[Relative], knowledge: OverviewKnowledge
) -> bool:
    """Whether its genes, or its relatives, show a tailed phage or a piece of one.

    Half a tailed phage may have none of the genes that show one, but it has relatives.
    """
    if is_tailed(view):
        return True
    near = relatives[:_MOST_ASKED]
    model = knowledge.lifestyles
    return bool(near) and not any(model.family_of(one.phage.group) for one in near)


def marks_found(view: RecordView) -> Found:
    """The genes that speak for or against a temperate phage, by mark."""
    found: dict[str, list[Player]] = {}
    for player in view.players:
        mark = _mark_of(player)
        if mark is not None:
            found.setdefault(mark, []).append(player)
    return found


def _mark_of(player: Player) -> str | None:  # noqa: PLR0911 - one line for each mark
    role, name = player.role, player.name
    if not name:
        return None
    if _is_integrase(player):
        return "integrase"
    if player.is_domain or player.level is ConfidenceLevel.LOW:
        return None
    if _PARTITION.search(name):
        return "partition"
    if role == "antirepressor" or _excises(player):
        return "antirepressor" if role == "antirepressor" else "excisionase"
    if _TRANSPOSITION.search(name):
        return "transposition"
    if role == "phage_repressor" or player.category is Category.LYSOGENY or _REPRESSOR.search(name):
        return "repressor"
    if role == "transcription_regulator":
        return "regulators"
    if _POLYMERASE.search(name) and not _NO_POLYMERASE.search(name):
        return "rna_polymerase"
    return "nucleotides" if player.category is Category.NUCLEOTIDES else None


def _excises(player: Player) -> bool:
    return player.role == "excisionase" or _DIRECTIONALITY.search(player.name) is not None


def _is_integrase(player: Player) -> bool:
    """Whether it integrates: by its name, and by its catalytic domain unless the name is sure.

    In virulent phages short proteins without that domain were called integrases.
    """
    if not _INTEGRASE.search(player.name):
        return False
    if player.role == "integrase" and not player.is_domain:
        sure = player.level is ConfidenceLevel.HIGH or player.basis is NameBasis.FILE
        if sure:
            return True
    pfam = player.result.classification.pfam_id
    long = len(player.result.gene.protein) >= _SERINE_INTEGRASE_AA
    return pfam in _TYROSINE or (pfam in _SERINE and long)


def marks_of(view: RecordView, found: Found) -> LifestyleMarks:
    """What the model takes of the genes that were found."""
    stays = float(any(found.get(mark) for mark in STAYS))
    controls = sum(len(found.get(mark, ())) for mark in _CONTROLS)
    recognised = sum(not player.result.is_dark for player in view.players) / len(view.players)
    return LifestyleMarks(
        stays=stays,
        controls=min(controls, _MOST_CONTROLS) / _MOST_CONTROLS,
        regulators=min(len(found.get("regulators", ())), _MOST_REGULATORS) / _MOST_REGULATORS,
        rna_polymerase=float(bool(found.get("rna_polymerase"))),
        nucleotides=min(len(found.get("nucleotides", ())), _MOST_NUCLEOTIDES) / _MOST_NUCLEOTIDES,
        unmarked=0.0 if stays else recognised,
    )


def small_family_of(
    view: RecordView, relatives: Sequence[Relative], model: LifestyleModel
) -> SmallFamily | None:
    """The family without a tail that all of the nearest relatives belong to."""
    if len(view.players) > _MOST_SMALL_GENES:
        return None
    families = {model.family_of(one.phage.group) for one in relatives[:_MOST_ASKED]}
    return families.pop() if len(families) == 1 else None


def _of_tailed(
    view: RecordView, knowledge: OverviewKnowledge, relatives: Sequence[Relative]
) -> GenomeStatement:
    model = knowledge.lifestyles
    found = marks_found(view)
    marks = marks_of(view, found)
    band = model.band_of(marks)
    if band is not None and band.lifestyle == "virulent" and may_be_piece(view):
        return _untold(view, _PIECE, found, relatives)
    if band is None:
        return _untold(view, _why_untold(marks, model), found, relatives)
    return GenomeStatement(
        Topic.LIFESTYLE,
        view.contig.id,
        "lifestyle",
        band.lifestyle,
        f"{band.lifestyle.capitalize()}, by its genes: {_MEANING[band.lifestyle]}.",
        probability=round(band.share, 2),
        right=band.right,
        judged=band.judged,
        genes=_roles(found),
        missing=() if band.lifestyle == "temperate" else _not_found(found),
        reasoning=(*_steps(found), _weighed(marks, model, band)),
        searched=view.searched,
        uncertainties=(
            *_of_relative(band, relatives, knowledge.relatives.limits.host_likeness),
            *_doubts(view, band),
        ),
    )


def _of_nearest(relatives: Sequence[Relative]) -> Iterator[str]:
    """How the nearest named phage lives, where that is known."""
    for near in relatives[:1]:
        if near.phage.lifestyle:
            yield (
                f"The named phage that it is most like, {near.phage.name} (likeness "
                f"{near.likeness:.2f}), is {near.phage.lifestyle}."
            )


def _of_relative(band: Band, relatives: Sequence[Relative], least_likeness: float) -> Iterator[str]:
    """That the nearest named phage is known to live otherwise."""
    for near in relatives[:1]:
        known = near.phage.lifestyle
        if known and known != band.lifestyle and near.likeness >= least_likeness:
            yield f"Its nearest relative, {near.phage.name}, is {known}."


def _why_untold(marks: LifestyleMarks, model: LifestyleModel) -> str:
    if model.contradicts(marks):
        return (
            "Genes that control lysogeny were found, but none by which a temperate phage stays in"
            " its host: something was missed, or it is a virulent relative of temperate phages."
        )
    temperate = model.temperate(marks)
    return f"Together they give a probability of {temperate:.2f} for a temperate phage: no answer."


def _roles(found: Found) -> tuple[GeneRole, ...]:
    return tuple(
        player.as_role(_PLAIN[mark])
        for mark in _PLAIN
        for player in found.get(mark, ())
        if mark in _DECISIVE or mark == "rna_polymerase"
    )


def _not_found(found: Found) -> tuple[str, ...]:
    return tuple(_PLAIN[mark] for mark in _DECISIVE if not found.get(mark))


def _steps(found: Found) -> Iterator[str]:
    for mark, plain in _PLAIN.items():
        players = found.get(mark, ())
        if players and mark in ("regulators", "nucleotides"):
            yield f"{plain.capitalize()}: {len(players)} gene{'s' * (len(players) > 1)}."
        elif players:
            named = ", ".join(f"{one.gene_id} ({one.name}, {one.level})" for one in players)
            yield f"{plain[0].upper()}{plain[1:]}: {named}."
    missing = _not_found(found)
    if missing:
        yield f"Not found by what was searched: {', '.join(missing)}."


def _weighed(marks: LifestyleMarks, model: LifestyleModel, band: Band) -> str:
    temperate = model.temperate(marks)
    return (
        f"Together these give a probability of {temperate:.2f} for a temperate phage; of phages"
        f" that were left out of the fit with their group, {band.right} of {band.judged} such"
        f" statements ({band.lifestyle}, {band.least:.2f} and more) were right."
    )


def _doubts(view: RecordView, band: Band) -> tuple[str, ...]:
    dark = sum(player.result.is_dark for player in view.players)
    doubts = [f"Dark genes, {dark} of {len(view.players)}, may be of this kind."] if dark else []
    if band.lifestyle == "virulent":
        doubts.append(_NEVER_PROOF)
    else:
        doubts.append("Mutants that lost a repressor have the same genes and are virulent.")
    return tuple(doubts)


def _of_family(
    view: RecordView, family: SmallFamily, relatives: Sequence[Relative]
) -> GenomeStatement:
    near = relatives[0]
    names = ", ".join(one.phage.name for one in relatives[:_MOST_ASKED])
    share = (family.right + 1) / (family.judged + 2)
    return GenomeStatement(
        Topic.LIFESTYLE,
        view.contig.id,
        "lifestyle",
        family.lifestyle,
        f"{family.lifestyle.capitalize()}, as phages of its family ({family.name}) are.",
        probability=round(share, 2),
        right=family.right,
        judged=family.judged,
        reasoning=(
            f"Its nearest relatives are {names}; it shares {len(near.shared)} of the"
            f" {len(near.phage.families)} families of the first.",
            f"They are {family.name}: {family.why}",
        ),
        searched=view.searched,
        uncertainties=("A family shows what is usual in it, not what this phage does.",),
    )


def _untold(
    view: RecordView, why: str, found: Found, relatives: Sequence[Relative] = ()
) -> GenomeStatement:
    dark = sum(player.result.is_dark for player in view.players)
    return GenomeStatement(
        Topic.LIFESTYLE,
        view.contig.id,
        "lifestyle",
        "cannot tell",
        "Temperate or virulent: that cannot be determined from the genes that were recognised.",
        Outcome.CANNOT_TELL,
        genes=_roles(found),
        missing=_not_found(found),
        reasoning=(*_steps(found), why, *_of_nearest(relatives)),
        searched=view.searched,
        uncertainties=(f"Dark genes, {dark} of {len(view.players)}, may be of this kind.",)
        if dark
        else (),
    )
