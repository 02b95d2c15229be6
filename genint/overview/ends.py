"""How a phage cuts and packs its genome, and whether the record has all of it.

How the ends are made follows from the kind of terminase (Casjens SR, Gilcrease EB. Methods Mol
Biol 2009;502:91): phages whose large subunits are in one family of genint's pack alike.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from genint.knowledge.overview_tables import OverviewKnowledge
from genint.knowledge.relatives import NamedPhage, RelativeTable
from genint.model.genome import Contig, Topology
from genint.model.overview import GenomeStatement, Outcome, Topic
from genint.model.vocabulary import GenomeKind
from genint.overview.lifestyle import (
    TRANSPOSITION,
    is_of_tailed,
    marks_found,
    small_family_of,
)
from genint.overview.parts import Part, is_closed, parts_of, says_whole
from genint.overview.record import Player, RecordView
from genint.overview.relatives import family_of, relatives_of

REPEATS: Final = "direct terminal repeats"
HEADFUL: Final = "headful"
UNKNOWN: Final = "cannot tell"
_MOST_OVERLAP_BP: Final = 141
"""The longest words of usual assemblers; they overlap by a word where a path closes a circle."""
_LEAST_REPEAT_BP: Final = 100
"""Shorter ones are not known of phages."""
_MOST_NAMED: Final = 4
_MEANING: Final = {
    HEADFUL: "it fills the head from a concatemer until it is full; the ends differ from particle"
    " to particle and the map is circular",
    "cohesive ends": "the terminase cuts at one site (cos) and leaves short sticky ends",
    REPEATS: "each genome begins and ends with the same stretch",
    "protein-primed ends": "a protein at each end primes replication; there are no concatemers",
}
_LIKE_MU: Final = (
    "it transposes, as phage Mu does, and such phages fill the head from copies in the DNA of the"
    " host, some of which is packed at both ends"
)
_SEARCHED: Final = ("terminase families of named phages", "repeats at both ends of the record")


class EndsPrediction(NamedTuple):
    """How phages with a like terminase pack.

    Attributes:
        ends: The way.
        agreeing: Phages of the table that say so.
        known: All whose way is known.
    """

    ends: str
    agreeing: tuple[NamedPhage, ...]
    known: tuple[NamedPhage, ...]


def ends(view: RecordView, knowledge: OverviewKnowledge) -> Iterator[GenomeStatement]:
    """Ends and completeness of a phage.

    Args:
        view: A record; nothing is said of bacteria.
        knowledge: With the table of named phages.
    """
    if view.kind is not GenomeKind.PHAGE or not view.players:
        return
    tailed = is_of_tailed(view, relatives_of(view, knowledge), knowledge)
    if tailed:
        yield _ends(view, knowledge.relatives)
    yield _completeness(view, knowledge, tailed=tailed)


def terminases_of(view: RecordView) -> tuple[Player, ...]:
    """The genes taken for a large subunit of the terminase."""
    return tuple(player for player in view.players if player.role == "terminase_large")


def predicted_ends(families: frozenset[str], table: RelativeTable) -> EndsPrediction | None:
    """How phages pack that have some family of a terminase; None where they do not agree.

    Args:
        families: Of the large subunit of the terminase.
        table: Of named phages.
    """
    known = tuple(one for one in table.phages if one.ends and one.families & families)
    if not known:
        return None
    (way, number), *_ = Counter(one.ends for one in known).most_common(1)
    if number < table.limits.ends_agreement * len(known):
        return None
    return EndsPrediction(way, tuple(one for one in known if one.ends == way), known)


def terminase_families_of(view: RecordView) -> frozenset[str]:
    """Families of the large subunit of the terminase."""
    found = (family_of(player) for player in terminases_of(view))
    return frozenset(family for family in found if family is not None)


def _ends(view: RecordView, table: RelativeTable) -> GenomeStatement:
    terminases = terminases_of(view)
    predicted = predicted_ends(terminase_families_of(view), table)
    limits = table.limits
    repeat_bp = view.contig.terminal_repeat_bp
    real = repeat_bp >= _LEAST_REPEAT_BP and (predicted is None or predicted.ends == REPEATS)
    real = real and (predicted is not None or repeat_bp > _MOST_OVERLAP_BP)
    way = REPEATS if real else predicted.ends if predicted else UNKNOWN
    measured = predicted is not None and predicted.ends == way
    transposes = way == HEADFUL and TRANSPOSITION in marks_found(view)
    share = (limits.ends_right + 1) / (limits.ends_judged + 2)
    return GenomeStatement(
        Topic.ENDS,
        view.contig.id,
        "packaging",
        way,
        f"{way.capitalize()}: {_LIKE_MU if transposes else _MEANING[way]}."
        if way in _MEANING
        else "How the genome is cut and packed cannot be determined.",
        Outcome.FOUND if way in _MEANING else Outcome.CANNOT_TELL,
        probability=round(share, 2) if measured else None,
        right=limits.ends_right if measured else 0,
        judged=limits.ends_judged if measured else 0,
        genes=tuple(one.as_role("large subunit of the terminase") for one in terminases),
        missing=() if terminases else ("large subunit of the terminase",),
        reasoning=(*_by_terminase(terminases, predicted, table), _of_repeat(repeat_bp, way)),
        searched=_SEARCHED,
        uncertainties=("Only an experiment, or reads that pile up at the ends, shows them.",),
    )


def _by_terminase(
    terminases: Sequence[Player], predicted: EndsPrediction | None, table: RelativeTable
) -> Iterator[str]:
    if not terminases:
        yield "No gene is recognised as the large subunit of the terminase."
    elif predicted is None:
        yield "Its terminase is in no family of named phages that pack in one way that is known."
    else:
        names = ", ".join(one.name for one in predicted.agreeing[:_MOST_NAMED])
        limits = table.limits
        yield (
            f"The terminase {terminases[0].gene_id} is in a family with those of"
            f" named phages whose ends are known; of {len(predicted.known)},"
            f" {predicted.ends}: {len(predicted.agreeing)} ({names}). Phages left out with"
            f" their group: {limits.ends_right} of {limits.ends_judged} were predicted correctly."
        )


def _of_repeat(repeat_bp: int, way: str) -> str:
    if not repeat_bp:
        more = " A record may leave it out, or have it once." if way == REPEATS else ""
        return f"The two ends of the record share no repeat.{more}"
    if way == REPEATS:
        return f"The record begins and ends with the same {repeat_bp:,} bp."
    if repeat_bp <= _MOST_OVERLAP_BP:
        return (
            f"The record begins and ends with the same {repeat_bp} bp, as short as the overlap that"
            " assemblers leave where a path closes: an assembled circle, no repeat of the phage."
        )
    return f"The record begins and ends with the same {repeat_bp:,} bp; a circle, or a repeat."


def _completeness(
    view: RecordView, knowledge: OverviewKnowledge, *, tailed: bool
) -> GenomeStatement:
    contig = view.contig
    relatives = relatives_of(view, knowledge)
    if tailed:
        parts = parts_of(view)
        missing = tuple(part.name for part in parts if not part.found)
        steps = [_said(parts)]
        known = "Genes for all expected tasks were recognised"
    else:
        family = small_family_of(view, relatives, knowledge.lifestyles)
        missing = () if family else ("the family of phages that it belongs to",)
        steps = [f"It is one of the {family.name}." if family else "Its family is not known."]
        # Their genes are few and little known: no task is looked for one by one.
        known = f"By its nearest relatives it is one of the {family.name}" if family else ""
    steps.append(_how_closed(view))
    limits = knowledge.relatives.limits
    near = relatives[0] if relatives and relatives[0].likeness >= limits.host_likeness else None
    if near is not None:
        steps.append(
            f"It has {len(view.players)} genes; its nearest relative, {near.phage.name}, has"
            f" {near.phage.genes}."
        )
    whole = (is_closed(view) or says_whole(contig)) and not missing
    value, text = _verdict(missing, known, contig)
    return GenomeStatement(
        Topic.COMPLETENESS,
        contig.id,
        "completeness",
        value,
        text,
        Outcome.FOUND if whole else Outcome.CANNOT_TELL,
        missing=missing,
        reasoning=tuple(steps),
        searched=view.searched if missing else (),
        uncertainties=tuple(_completeness_doubts(missing, contig)),
    )


def _closes(contig: Contig) -> str:
    """How the record shows that its ends lack nothing, as a clause; empty where it does not."""
    if _is_assumed_circle(contig):
        return "its ends join, if it is the circle that it is taken for"
    if contig.topology is Topology.CIRCULAR:
        return "the record is a circle"
    repeat_bp = contig.terminal_repeat_bp
    return f"the record begins and ends with the same {repeat_bp:,} bp" if repeat_bp else ""


def _is_assumed_circle(contig: Contig) -> bool:
    return contig.topology is Topology.CIRCULAR and not contig.topology_stated


def _verdict(missing: Sequence[str], known: str, contig: Contig) -> tuple[str, str]:
    """The value and its sentence; ``known`` is what was recognised where nothing is missing."""
    closes = _closes(contig)
    if not missing:
        if closes:
            value = "complete if circular" if _is_assumed_circle(contig) else "complete"
            return value, f"{known}, and {closes}: complete."
        if says_whole(contig):
            return (
                "complete",
                f"{known}, and the file calls the record complete.",
            )
        return (
            "ends not shown",
            f"{known}; whether genes at the ends are missing is not known.",
        )
    lacking = ", ".join(missing)
    if closes:
        return "closed", f"{closes[0].upper()}{closes[1:]}, but not recognised: {lacking}."
    return UNKNOWN, f"Whether it is complete cannot be determined; not recognised: {lacking}."


def _completeness_doubts(missing: Sequence[str], contig: Contig) -> Iterator[str]:
    if missing:
        yield "A part that was not recognised may be there as a dark gene."
    elif not _closes(contig) and not says_whole(contig):
        yield "Genes at the ends may be missing."
    if _is_assumed_circle(contig):
        yield "The file does not say that the record is circular: " + _why_circle(contig) + "."


def _why_circle(contig: Contig) -> str:
    return contig.calling.topology_reason if contig.calling else "it was taken for a circle"


def _said(parts: Sequence[Part]) -> str:
    return (
        "; ".join(
            f"{part.name} {'recognised' if part.found else 'not recognised'}" for part in parts
        ).capitalize()
        + "."
    )


def _how_closed(view: RecordView) -> str:
    contig = view.contig
    if _is_assumed_circle(contig):
        return f"The record is taken for a circle: {_why_circle(contig)}."
    if contig.topology is Topology.CIRCULAR:
        return "The record is circular, as the file says."
    if contig.terminal_repeat_bp:
        return f"It begins and ends with the same {contig.terminal_repeat_bp:,} bp."
    return "The record is linear, and its ends share no repeat."
