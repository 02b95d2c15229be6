"""Modules of tailed phages: which tasks have genes, where they lie, and what is missing.

Phages keep genes of one task together (Casjens S, Hendrix RW. Virology 2015;479-480:310). A
module without an expected gene has a dark or misnamed one, or the record is no whole genome.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from genint.knowledge.overview_tables import OverviewKnowledge
from genint.model.genome import Topology
from genint.model.interval import Interval, Strand
from genint.model.overview import GenomeStatement, Outcome, Topic
from genint.model.vocabulary import Category, ConfidenceLevel, GenomeKind
from genint.overview.lifestyle import STAYS, TRANSPOSITION, is_of_tailed, marks_found
from genint.overview.record import Player, RecordView
from genint.overview.relatives import relatives_of

_GAP_GENES: Final = 6
"""Genes of other or no module that may lie between two of one cluster."""


class _Part(NamedTuple):
    """Something that a module has: one of some roles, or a domain that shows it."""

    name: str
    roles: frozenset[str]
    domains: re.Pattern[str] | None = None
    others: re.Pattern[str] | None = None
    """Names of the same roles that are something else."""

    def players(self, view: RecordView) -> tuple[Player, ...]:
        """The genes that are it, by position; proteins of the virion have such domains too."""
        named = tuple(
            player
            for player in view.playing(self.roles)
            if self.others is None or not self.others.search(player.name)
        )
        if named or self.domains is None:
            return named
        return tuple(
            player
            for player in view.players
            if self.domains.search(player.name)
            and player.category not in _VIRION
            and player.level.is_supported
        )


class _Module(NamedTuple):
    """A task; ``expected`` parts are in nearly all tailed phages, so their lack is worth a word."""

    subject: str
    categories: frozenset[Category]
    expected: tuple[_Part, ...]
    marks: tuple[str, ...] = ()
    """Marks of the lifestyle whose genes belong to it, whatever their category."""


def _part(name: str, *roles: str) -> _Part:
    return _Part(name, frozenset(roles))


_VIRION: Final = frozenset({Category.TAIL, Category.HEAD, Category.CONNECTOR, Category.PACKAGING})
_ENDOLYSIN: Final = _Part(
    "endolysin",
    frozenset({"endolysin"}),
    re.compile(
        r"n-acetylmuramoyl-l-alanine amidase|lytic transglycosylase|lysozyme|muramidase"
        r"|peptidoglycan|endolysin|^(phage )?amidase\b",
        re.I,
    ),
    # Lysin B cuts mycolic acids from the wall that the endolysin (lysin A) has opened.
    re.compile(r"\blysin ?b\b|mycolyl|esterase", re.I),
)
_TAPE: Final = _part("tape measure or DNA ejection protein", "tape_measure", "ejection")
_TUBE: Final = frozenset({"major_tail", "tail_sheath"})
_NO_TAIL_PART: Final = frozenset({None, "tail_other"})
"""Roles that leave open which part of a tail a protein is."""
_MAY_BE_TAPE: Final = frozenset({None, Category.TAIL, Category.OTHER, Category.UNKNOWN})
_SURE: Final = frozenset({ConfidenceLevel.HIGH, ConfidenceLevel.MODERATE})
_TAPE_GENES: Final = 7
"""Behind the protein of the tail tube."""
_TAPE_AA: Final = 450
"""The tail is as long as this protein (Katsura I. Nature 1987;327:73): shorter ones are rare."""
_MODULES: Final = (
    _Module(
        "packaging",
        frozenset({Category.PACKAGING}),
        (_part("large subunit of the terminase", "terminase_large"),),
    ),
    _Module(
        "head",
        frozenset({Category.HEAD}),
        (_part("portal protein", "portal"), _part("major capsid protein", "major_capsid")),
    ),
    _Module(
        "tail",
        frozenset({Category.TAIL, Category.CONNECTOR}),
        (
            _TAPE,
            _part(
                "protein that binds the host (tail fibre, spike or baseplate)",
                "tail_fiber",
                "baseplate",
            ),
        ),
    ),
    _Module(
        "lysis",
        frozenset({Category.LYSIS}),
        (_ENDOLYSIN, _part("holin", "holin")),
    ),
    _Module(
        "replication",
        frozenset({Category.REPLICATION, Category.NUCLEOTIDES}),
        (
            _Part(
                "helicase, primase, polymerase or initiator of replication",
                frozenset({"dna_polymerase", "primase", "dna_helicase", "replication"}),
                others=re.compile(r"\bligase|topoisomerase|gyrase", re.I),
            ),
        ),
        # Phages like Mu replicate by transposing.
        marks=(TRANSPOSITION,),
    ),
    _Module(
        "lysogeny",
        frozenset({Category.INTEGRATION, Category.LYSOGENY}),
        (),
        marks=(*STAYS, "excisionase"),
    ),
)
CATEGORIES: Final = {module.subject: module.categories for module in _MODULES}
"""Module -> categories of its genes."""
_VIRION_PROTEIN: Final = re.compile(
    r"(putative |probable )*(phage )?(minor |major )?(virion|structural|particle)"
    r"( structural| associated|-associated)? protein$",
    re.I,
)
"""Names that say no more than that a protein is part of the virion."""
_MORON: Final = frozenset(
    {
        Category.METABOLISM,
        Category.TRANSPORT,
        Category.ENVELOPE,
        Category.DEFENCE,
        Category.HOST_TAKEOVER,
        Category.CELL_PROCESSES,
        Category.PROTEIN_FATE,
    }
)
"""What a phage carries besides what it needs to multiply."""


def modules(view: RecordView, knowledge: OverviewKnowledge) -> Iterator[GenomeStatement]:
    """One statement for each module of a tailed phage, and one for what is none of them.

    Args:
        view: A record; other than tailed phages have none of these modules.
        knowledge: With the table of relatives.
    """
    if view.kind is not GenomeKind.PHAGE or not view.players:
        return
    if not is_of_tailed(view, relatives_of(view, knowledge), knowledge):
        return
    found = [_module(view, module) for module in _MODULES]
    yield from found
    virion = [player for player in view.players if _is_of_unknown_part(player)]
    if virion:
        yield GenomeStatement(
            Topic.MODULE,
            view.contig.id,
            "virion, part not known",
            _count(len(virion)),
            f"{_count(len(virion)).capitalize()} of the virion, of head or tail: which part is not "
            "known.",
            genes=tuple(player.as_role() for player in virion),
            reasoning=(f"Named only so: {_named(virion)}.",),
        )
    placed = {gene.gene_id for statement in found for gene in statement.genes}
    morons = [
        player for player in view.players if _is_moron(player) and player.gene_id not in placed
    ]
    if morons:
        yield GenomeStatement(
            Topic.MODULE,
            view.contig.id,
            "moron genes",
            _count(len(morons)),
            f"{_count(len(morons)).capitalize()} with other tasks, which most phages do without: "
            f"{_names(morons)}.",
            genes=tuple(player.as_role() for player in morons),
            uncertainties=("Such genes may serve the phage in ways that are not known.",),
        )


def _is_of_unknown_part(player: Player) -> bool:
    return not player.is_domain and _VIRION_PROTEIN.match(player.name) is not None


def _is_moron(player: Player) -> bool:
    return player.category in _MORON and player.level in _SURE and not player.is_domain


def _module(view: RecordView, module: _Module) -> GenomeStatement:
    marks = marks_found(view)
    also = {player.gene_id for mark in module.marks for player in marks.get(mark, ())}
    found = [
        player
        for player in view.players
        if not player.result.is_dark
        and not _is_of_unknown_part(player)
        and (player.category in module.categories or player.gene_id in also)
    ]
    transposing = tuple(marks.get(TRANSPOSITION, ())) if TRANSPOSITION in module.marks else ()
    expected = [(part, part.players(view) or transposing) for part in module.expected]
    members = {player.gene_id: player for _, players in expected for player in players}
    members |= {player.gene_id: player for player in found}
    ordered = [player for player in view.players if player.gene_id in members]
    missing = tuple(part.name for part, players in expected if not players)
    where = _main_cluster(view, ordered)
    tape = _tape_candidate(view) if _TAPE.name in missing else None
    return GenomeStatement(
        Topic.MODULE,
        view.contig.id,
        module.subject,
        _count(len(ordered)),
        _sentence(module, ordered, missing),
        Outcome.FOUND if ordered else Outcome.NOT_FOUND,
        interval=where,
        genes=tuple(player.as_role() for player in ordered),
        missing=missing,
        reasoning=(*_steps(module, expected, ordered), *_hints(tape)),
        searched=() if ordered and not missing else view.searched,
    )


def _hints(tape: Player | None) -> Iterator[str]:
    if tape is not None:
        what = tape.name or "dark"
        yield (
            f"{tape.gene_id} ({what}, {_length_aa(tape):,} amino acids) may be the tape measure "
            "protein: it is the longest gene without another task behind the protein of the tail "
            "tube."
        )


def _tape_candidate(view: RecordView) -> Player | None:
    """What its place and length make a candidate for the tape measure protein; None: nothing."""
    tubes = [player for player in view.players if player.role in _TUBE]
    if not tubes:
        return None
    strand = tubes[0].result.gene.strand
    forward = strand is Strand.FORWARD
    along = view.players if forward else view.players[::-1]
    last = along.index(tubes[-1] if forward else tubes[0])
    near = [
        player
        for player in along[last + 1 : last + 1 + _TAPE_GENES]
        if player.result.gene.strand is strand and not _has_other_task(player)
    ]
    longest = max(near, key=_length_aa, default=None)
    return longest if longest is not None and _length_aa(longest) >= _TAPE_AA else None


def _has_other_task(player: Player) -> bool:
    """Whether a gene is taken for something else than the tape measure protein."""
    if player.role not in _NO_TAIL_PART:
        return True
    leaves_open = player.category in _MAY_BE_TAPE or player.is_domain
    return not leaves_open and player.level in _SURE and not _is_of_unknown_part(player)


def _length_aa(player: Player) -> int:
    return len(player.result.gene.protein)


def _sentence(module: _Module, members: Sequence[Player], missing: Sequence[str]) -> str:
    name = module.subject.capitalize()
    if not members:
        return f"{name}: no gene was recognised."
    lacking = f" Not recognised: {', '.join(missing)}." if missing else ""
    return f"{name}: {_count(len(members))}.{lacking}"


def _steps(
    module: _Module,
    expected: Sequence[tuple[_Part, Sequence[Player]]],
    members: Sequence[Player],
) -> Iterator[str]:
    for part, players in expected:
        if players:
            yield f"The {part.name}: {_named(players)}."
        else:
            yield f"No gene is recognised as the {part.name}."
    known = {player.gene_id for _, players in expected for player in players}
    rest = [player for player in members if player.gene_id not in known]
    if rest:
        beside = "Further genes" if known else f"Genes of {module.subject}"
        yield f"{beside}: {_named(rest)}."


def _main_cluster(view: RecordView, members: Sequence[Player]) -> Interval | None:
    """Where most genes of a module lie together; None where they do not."""
    if len(members) < 2:  # noqa: PLR2004
        return None
    place = {player.gene_id: at for at, player in enumerate(view.players)}
    places = [place[player.gene_id] for player in members]
    clusters: list[list[int]] = []
    for at in places:
        if clusters and at - clusters[-1][-1] <= _GAP_GENES:
            clusters[-1].append(at)
        else:
            clusters.append([at])
    size = len(view.players)
    circular = view.contig.topology is Topology.CIRCULAR
    if circular and len(clusters) > 1 and clusters[0][0] + size - clusters[-1][-1] <= _GAP_GENES:
        clusters[0] = [*clusters.pop(), *clusters[0]]
    largest = max(clusters, key=len)
    if 2 * len(largest) <= len(members):
        return None
    first = view.players[largest[0]].result.gene.span
    last = view.players[largest[-1]].result.gene.span
    length_bp = len(view.contig)
    end = last.end if last.end > first.start else last.end + length_bp
    return Interval(first.start, min(end, first.start + length_bp))


def _named(players: Sequence[Player]) -> str:
    return ", ".join(f"{player.gene_id} ({player.said}, {player.level})" for player in players)


def _names(players: Sequence[Player]) -> str:
    return ", ".join(dict.fromkeys(player.name for player in players))


def _count(genes: int) -> str:
    return f"{genes} gene{'' if genes == 1 else 's'}"
