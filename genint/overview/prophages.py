"""Prophages in the records of bacteria: where, with what, bounded by what.

The scan gives the genes; an exact direct repeat around them, as recombination of attP with attB
leaves it (Campbell A. Adv Genet 1962;11:101), gives the borders. Many phages integrate into genes
of tRNA (Williams KP. Nucleic Acids Res 2002;30:866).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import Final, NamedTuple

from genint.knowledge.overview_tables import OverviewKnowledge
from genint.knowledge.prophages import GeneLook, Recognised, Task
from genint.model.genome import RnaGene, Topology
from genint.model.interval import Interval
from genint.model.overview import GeneRole, GenomeStatement, Outcome, Topic
from genint.model.vocabulary import BACTERIUM_BP, GenomeKind
from genint.overview.lifestyle import TRANSPOSITION, marks_found
from genint.overview.modules import modules
from genint.overview.prophage_scan import (
    REACH_GENES,
    Run,
    filamentous_runs,
    is_complete,
    looks_of,
    probabilities,
    regions_of,
)
from genint.overview.receptors import receptor_binding
from genint.overview.record import Player, RecordView
from genint.overview.relatives import closest_relatives
from genint.overview.safety import carried, toxin_genes

_CARGO_GENES: Final = 2
"""A toxin this near to the last gene of a region belongs to it."""
_BORDER_BP: Final = 3_000
"""Either side of a border, where a repeat is looked for."""
_SEED_BP: Final = 12
_MOST_REPEAT_BP: Final = 300
"""Longer ones are copies of insertion sequences or of operons of rRNA."""
_MOST_BY_CHANCE: Final = 0.01
"""Repeats of this length and more that two such stretches have by chance."""
_NEAR_BP: Final = 500
"""A tRNA gene at this distance from a border may hold the site."""
_SITES: Final = frozenset({"tRNA", "tmRNA"})
_HOW: Final = "the order of genes (families of phages, tasks, lengths, strands)"
_OF_INTEGRATION: Final = "genes of integration (integrases, other recombinases, excisionases)"
_SETTLING: Final = "integrase, or proteins that transpose as those of phage Mu"
_PARTS: Final = (
    (_SETTLING, frozenset({Task.INTEGRATION})),
    ("genes of the virion (packaging, head, tail)", frozenset({Task.VIRION})),
    ("genes of lysis", frozenset({Task.LYSIS})),
)

_PARTICLE: Final = frozenset({"portal", "major_capsid", "terminase_large"})
"""Without any of these no DNA gets into a head, whatever other genes of a virion are there."""


class _Repeat(NamedTuple):
    """Two copies of a stretch, 0-based starts, left one first."""

    left: int
    right: int
    length_bp: int
    by_chance: float
    """As many of this length and more are expected in the two stretches that were compared."""


class _Prophage(NamedTuple):
    number: int
    players: Sequence[Player]
    looks: Sequence[GeneLook]
    interval: Interval
    sure: float
    """Mean probability of the genes of the scan."""
    repeat: _Repeat | None
    site: RnaGene | None


def prophages(view: RecordView, knowledge: OverviewKnowledge) -> Iterator[GenomeStatement]:
    """One statement for each region; one for a long record that has none.

    Args:
        view: A record; only those of bacteria have prophages.
        knowledge: The model of prophage genes, and own families.
    """
    if view.kind is not GenomeKind.BACTERIUM or not view.players:
        return
    looks = looks_of(view.players, knowledge.families)
    sure = probabilities(looks, knowledge.prophages)
    runs = _grown(sorted(regions_of(looks, knowledge.prophages)), view, knowledge)
    small = [run for run in filamentous_runs(view.players, looks) if not _overlaps(run, runs)]
    for number, run in enumerate(sorted((*runs, *small)), start=1):
        if run in small:
            yield _filamentous(number, run, view, knowledge)
        else:
            yield _statement(_bounded(number, run, looks, sure, view), view, knowledge)
    if not runs and not small and len(view.contig) >= BACTERIUM_BP:
        yield GenomeStatement(
            Topic.PROPHAGE,
            view.contig.id,
            "prophages",
            "none found",
            "No prophage was found by what was searched.",
            Outcome.NOT_FOUND,
            searched=(*view.searched, _HOW),
            uncertainties=(
                "Remnants of a few genes are missed, and of filamentous phages those whose assembly"
                " protein is not recognised.",
            ),
        )


def _grown(found: Sequence[Run], view: RecordView, knowledge: OverviewKnowledge) -> list[Run]:
    """Regions, by place, with what lies beside their ends and belongs to them.

    No gene gets into two of them: one between two neighbours is the first one's.
    """
    grown: list[Run] = []
    for run, following in zip_longest(found, found[1:]):
        wide = _with_toxins(_with_transposition(run, view), view, knowledge)
        least = grown[-1].last + 1 if grown else 0
        most = following.first - 1 if following else wide.last
        grown.append(Run(max(wide.first, least), min(wide.last, most)))
    return grown


def _with_transposition(run: Run, view: RecordView) -> Run:
    """A region with the transposition proteins of phage Mu that lie near, as an integrase may."""
    reach = range(max(run.first - REACH_GENES, 0), run.last + REACH_GENES + 1)
    near = replace(view, players=view.players[reach.start : reach.stop])
    found = {player.gene_id for player in marks_found(near).get(TRANSPOSITION, ())}
    places = [at for at in reach if at < len(view.players) and view.players[at].gene_id in found]
    return Run(min((run.first, *places)), max((run.last, *places)))


def _with_toxins(run: Run, view: RecordView, knowledge: OverviewKnowledge) -> Run:
    """A region with toxins right beside it: prophages carry them at their ends.

    Source: Brussow H, et al. Microbiol Mol Biol Rev 2004;68:560.
    """
    first, last = run
    reach = range(max(first - _CARGO_GENES, 0), min(last + _CARGO_GENES + 1, len(view.players)))
    toxins = toxin_genes(replace(view, players=view.players[reach.start : reach.stop]), knowledge)
    places = [at for at in reach if view.players[at].gene_id in toxins]
    return Run(min((first, *places)), max((last, *places)))


def _overlaps(run: Run, others: Sequence[Run]) -> bool:
    return any(run.first <= other.last and other.first <= run.last for other in others)


def _filamentous(
    number: int, run: Run, view: RecordView, knowledge: OverviewKnowledge
) -> GenomeStatement:
    """A small prophage of which little more than its assembly protein is recognised."""
    players = view.players[run.first : run.last + 1]
    spans = [player.result.gene.span for player in players]
    interval = Interval(spans[0].start, max(span.end for span in spans))
    named = [player for player in players if player.name]
    dark = len(players) - len(named)
    first, last = interval.one_based(len(view.contig))
    return GenomeStatement(
        Topic.PROPHAGE,
        view.contig.id,
        f"prophage {number}",
        "filamentous",
        f"Prophage {number}, probably of a filamentous phage: {first:,} to {last:,}, "
        f"{len(interval) / 1000:.1f} kb, {len(players)} genes.",
        interval=interval,
        genes=tuple(_role(player) for player in players),
        reasoning=(
            "Its assembly protein (pI, or zona occludens toxin) and what else is recognised: "
            + ", ".join(f"{one.gene_id} ({one.name}, {one.level})" for one in named)
            + ".",
            f"{len(players)} genes on one strand, close to each other, of which {dark} are dark: "
            "filamentous phages have some 8 to 14 genes, most of them short and little known.",
        ),
        uncertainties=(
            "It rests on one protein and on how the genes lie: how often that is right was not "
            "measured.",
            "The borders may be off by several genes.",
        ),
        parts=tuple(
            one
            for one in carried(replace(view, kind=GenomeKind.PHAGE, players=players), knowledge)
            if one.outcome is not Outcome.NOT_FOUND
        ),
    )


def _bounded(
    number: int, run: Run, looks: Sequence[GeneLook], sure: Sequence[float], view: RecordView
) -> _Prophage:
    """The region with its borders, as far as a repeat or its first and last gene show them."""
    spans = [player.result.gene.span for player in view.players]
    length_bp = len(view.contig)
    start = spans[run.first].start
    end = min(max(span.end for span in spans[run.first : run.last + 1]), length_bp)
    sites = [rna for rna in view.contig.rna_genes if rna.kind in _SITES]
    repeat = _repeat_around(view.contig.bases, start, end, [rna.location.span for rna in sites])
    if repeat is not None:
        start, end = repeat.left, repeat.right + repeat.length_bp
    inside = [
        at for at, span in enumerate(spans) if start <= (span.start + span.end) // 2 < end
    ] or [*range(run.first, run.last + 1)]
    first, last = inside[0], inside[-1] + 1
    scanned = sure[run.first : run.last + 1]
    return _Prophage(
        number,
        view.players[first:last],
        looks[first:last],
        Interval(start, end),
        sum(scanned) / len(scanned),
        repeat,
        _site_at(start, end, sites),
    )


def _site_at(start: int, end: int, sites: Sequence[RnaGene]) -> RnaGene | None:
    near = [
        (min(_distance(rna, start), _distance(rna, end)), rna.id, rna)
        for rna in sites
        if min(_distance(rna, start), _distance(rna, end)) <= _NEAR_BP
    ]
    return min(near, key=lambda one: one[:2])[2] if near else None


def _distance(rna: RnaGene, base: int) -> int:
    span = rna.location.span
    return max(span.start - base, base - span.end, 0)


def _repeat_around(bases: str, start: int, end: int, sites: Sequence[Interval]) -> _Repeat | None:
    """The least expected direct repeat with one copy at each border."""
    middle = (start + end) // 2
    left = Interval(max(start - _BORDER_BP, 0), min(start + _BORDER_BP, middle))
    right = Interval(max(end - _BORDER_BP, middle), min(end + _BORDER_BP, len(bases)))
    candidates = [_best(bases, left, right)]
    for site in sites:
        if left.contains(site):
            candidates.append(_best(bases, site, right))
        if right.contains(site):
            candidates.append(_best(bases, left, site))
    good = [one for one in candidates if one is not None and one.by_chance <= _MOST_BY_CHANCE]
    return min(good, key=lambda one: (one.by_chance, one.left), default=None)


def _best(bases: str, left: Interval, right: Interval) -> _Repeat | None:
    """The longest repeat between two stretches; None where no seed recurs, or it is too long."""
    seeds: dict[str, list[int]] = {}
    for at in range(left.start, left.end - _SEED_BP + 1):
        seeds.setdefault(bases[at : at + _SEED_BP], []).append(at)
    longest: tuple[int, int, int] = (0, 0, 0)
    for at in range(right.start, right.end - _SEED_BP + 1):
        for other in seeds.get(bases[at : at + _SEED_BP], ()):
            is_inside = (
                other > left.start and at > right.start and bases[other - 1] == bases[at - 1]
            )
            if is_inside:
                continue
            length_bp = _SEED_BP
            while (
                other + length_bp < left.end
                and at + length_bp < right.end
                and bases[other + length_bp] == bases[at + length_bp]
            ):
                length_bp += 1
            longest = max(longest, (length_bp, -other, -at))
    length_bp, other, at = longest[0], -longest[1], -longest[2]
    if not length_bp or length_bp > _MOST_REPEAT_BP or "N" in bases[at : at + length_bp]:
        return None
    alike = _alike_by_chance(bases[left.start : left.end], bases[right.start : right.end])
    return _Repeat(other, at, length_bp, len(left) * len(right) * alike**length_bp)


def _alike_by_chance(one: str, other: str) -> float:
    """Probability that a base of one equals a base of the other."""
    ours, theirs = Counter(one), Counter(other)
    return sum(ours[base] * theirs[base] for base in "ACGT") / (len(one) * len(other))


def _statement(found: _Prophage, view: RecordView, knowledge: OverviewKnowledge) -> GenomeStatement:
    own = _as_phage(found, view)
    transposing = marks_found(own).get(TRANSPOSITION, ())
    complete = is_complete(found.looks, transposes=bool(transposing)) and bool(
        own.playing(_PARTICLE)
    )
    judged = knowledge.prophages.complete if complete else knowledge.prophages.partial
    missing = tuple(_missing(found, own, transposes=bool(transposing)))
    state = "with the modules of a whole phage" if complete else "a remnant or a part"
    first, last = found.interval.one_based(len(view.contig))
    return GenomeStatement(
        Topic.PROPHAGE,
        view.contig.id,
        f"prophage {found.number}",
        "whole by its modules" if complete else "remnant or part",
        f"Prophage {found.number}, {state}: {first:,} to {last:,}, "
        f"{len(found.interval) / 1000:.1f} kb, {len(found.players)} genes.",
        probability=judged.probability if judged.judged else None,
        right=judged.right,
        judged=judged.judged,
        interval=found.interval,
        genes=tuple(_role(player) for player in found.players),
        missing=missing,
        reasoning=tuple(_steps(found, view, transposing)),
        searched=(*view.searched, _HOW) if missing else (),
        uncertainties=tuple(_doubts(found, complete=complete)),
        parts=tuple(_report(own, knowledge, complete=complete)),
    )


def _missing(found: _Prophage, own: RecordView, *, transposes: bool) -> Iterator[str]:
    for name, tasks in _PARTS:
        is_needless = transposes and Task.INTEGRATION in tasks
        if not is_needless and not any(look.task in tasks for look in found.looks):
            yield name
    if not own.playing(_PARTICLE):
        yield "portal protein, major capsid protein and large subunit of the terminase"


def _as_phage(found: _Prophage, view: RecordView) -> RecordView:
    """Its genes as those of a phage's record."""
    # The last gene of a prophage is not followed by its first, as on the circle around it.
    piece = replace(view.contig, topology=Topology.LINEAR)
    return replace(view, contig=piece, kind=GenomeKind.PHAGE, players=found.players)


def _report(
    own: RecordView, knowledge: OverviewKnowledge, *, complete: bool
) -> Iterator[GenomeStatement]:
    """What would be said of the prophage, were it a phage's record: the small report on it.

    Of a remnant only what was found, for it lacks most.
    """
    said = (
        *modules(own, knowledge),
        *receptor_binding(own, knowledge),
        closest_relatives(own, knowledge),
        *carried(own, knowledge),
    )
    yield from (one for one in said if complete or one.outcome is not Outcome.NOT_FOUND)


def _role(player: Player) -> GeneRole:
    return GeneRole(player.gene_id, player.said or "no function known", player.level)


def _steps(found: _Prophage, view: RecordView, transposing: Sequence[Player]) -> Iterator[str]:
    number = len(found.looks)
    phage = sum(look.by is Recognised.PHAGE_FAMILY for look in found.looks)
    unknown = sum(look.task is Task.UNKNOWN for look in found.looks)
    bacterial = sum(look.by is Recognised.BACTERIAL_FAMILY for look in found.looks)
    yield (
        f"Of its {number} genes {phage} match families of phages best, {bacterial} families of "
        f"bacteria; the function of {unknown} is unknown. Along the order of genes they are a "
        f"prophage's with a mean probability of {found.sure:.2f}."
    )
    for name, tasks in _PARTS:
        shown = _OF_INTEGRATION if name == _SETTLING else name
        members = [
            player
            for player, look in zip(found.players, found.looks, strict=True)
            if look.task in tasks
        ]
        if members:
            named = ", ".join(f"{one.gene_id} ({one.name}, {one.level})" for one in members)
            yield f"{shown[0].upper()}{shown[1:]}: {named}."
        elif name != _SETTLING or not transposing:
            yield f"Not recognised: {name}."
    if transposing:
        named = ", ".join(f"{one.gene_id} ({one.name}, {one.level})" for one in transposing)
        yield f"It transposes, as phage Mu does, and so needs no integrase: {named}."
    yield from _border_steps(found, view)


def _border_steps(found: _Prophage, view: RecordView) -> Iterator[str]:
    repeat = found.repeat
    if repeat is not None:
        core = view.contig.bases[repeat.left : repeat.left + repeat.length_bp]
        shown = core if len(core) <= 40 else f"{core[:37]}..."  # noqa: PLR2004
        yield (
            f"A direct repeat of {repeat.length_bp} bp bounds it, as attL and attR do: {shown} at "
            f"{repeat.left + 1:,} and {repeat.right + 1:,} ({repeat.by_chance:.1g} expected by "
            "chance)."
        )
    else:
        yield (
            "No direct repeat (attL, attR) was found within 3 kb of its first and last gene; "
            "the borders are those genes."
        )
    if found.site is not None:
        name = found.site.product or found.site.kind
        yield f"{name} ({found.site.id}) lies at a border: a site where many phages integrate."


def _doubts(found: _Prophage, *, complete: bool) -> Iterator[str]:
    if found.repeat is None:
        yield "The borders may be off by several genes."
    mobile = sum(look.task is Task.MOBILE for look in found.looks)
    if mobile:
        yield f"{mobile} of its genes are of insertion sequences or like them."
    if complete:
        yield "Whether it can still leave the chromosome cannot be seen from its genes alone."
