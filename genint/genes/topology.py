"""Linear and circular contigs: how they are given to the gene finder, and which topology they have.

The finder knows linear sequences only. A circle is opened at a base that does not depend on
where the file starts it, and written with a margin repeated on both sides, so that
every gene is seen whole once, also those over the origin of the file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from pyrodigal import MetagenomicBin

from genint.genes.prodigal import (
    NO_STARTS,
    Call,
    Model,
    Search,
    Starts,
    meta_model,
    scored_starts,
    search,
    search_with,
)
from genint.model.genome import CallScores, Contig, Gene, ReadWarning, Topology
from genint.model.interval import Interval, Strand
from genint.model.sequence import open_circle, reverse_complement

_TIE_BREAK_BP = 2_000
"""Bases compared to choose between openings with equally long runs."""


def canonical_rotation(bases: str) -> int:
    """The base to open a circle at: the same place however the file rotates it.

    The longest run of A on either strand, and among equals the one that the first bases
    in alphabetical order follow. So both strands of one molecule are cut between the same
    two base pairs. Exact repeats of 2 kb may still tie.

    Returns:
        Index of the base behind the cut, on the strand that is given.

    Cost: O(length); 0.1 s for 4.6 Mb.
    """
    here = list(_openings(bases))
    there = [(rank, -at % len(bases)) for rank, at in _openings(reverse_complement(bases))]
    return min([*here, *there], key=lambda opening: opening[0], default=(None, 0))[1]


def _openings(bases: str) -> Iterator[tuple[tuple[int, str], int]]:
    """The longest runs of A on a circle, each whole, also over the origin.

    Yields:
        Rank of the run (longest first, then by what it begins) and its first base.
    """
    compared_bp = min(_TIE_BREAK_BP, len(bases))
    doubled = bases + bases[:compared_bp]
    over_bp = len(bases) - len(bases.rstrip("A")) if bases.startswith("A") else 0
    first = len(bases) - len(bases.lstrip("A")) if over_bp else 0  # behind a run over the origin
    longest_bp = _longest_run_bp(doubled, first)
    if not longest_bp:
        return
    start = doubled.find("A" * longest_bp, first)
    while 0 <= start < len(bases):
        yield (-longest_bp, doubled[start : start + compared_bp]), start
        start = doubled.find("A" * longest_bp, start + longest_bp)


def _longest_run_bp(bases: str, first: int) -> int:
    """Length of the longest run of A from a base on. Cost: a search for each that is longer."""
    longest_bp = 0
    start = bases.find("A", first)
    while start != -1:
        longest_bp += 1
        while bases.startswith("A", start + longest_bp):
            longest_bp += 1
        start = bases.find("A" * (longest_bp + 1), start + longest_bp)
    return longest_bp


_MARGIN_BP = 3_000
"""Repeated on both sides: genes of up to twice this length over the opening are seen
whole. Where a longer one shows, the margin grows by ``_MARGIN_GROWTH``."""
_MARGIN_GROWTH = 10


@dataclass(frozen=True, slots=True)
class Layout:
    """A text to be searched and the way back to the contig.

    Attributes:
        text: What the finder reads.
        contig_bp: Length of the contig.
        margin_bp: Bases repeated on either side; 0 for a line.
        opening: Position on the contig of the first base after the left margin.
        closed: The contig is a circle.
    """

    text: str
    contig_bp: int
    margin_bp: int = 0
    opening: int = 0
    closed: bool = False

    def place(self, interval: Interval) -> Interval | None:
        """Where a stretch of the text lies on the contig; None for the other copy."""
        if not self.closed:
            return interval
        return Interval.on_circle(
            interval.start,
            interval.end,
            contig_bp=self.contig_bp,
            opening=self.opening,
            margin_bp=self.margin_bp,
        )

    def place_starts(self, starts: Starts) -> Starts:
        """The same for starts of frames: those of the other copy are left out."""
        is_whole = starts.end <= len(self.text)
        whole = starts if is_whole.all() else starts.take(is_whole)
        if not self.closed:
            return whole
        middle = whole.start + whole.end - 2 * self.margin_bp
        kept = (middle >= 0) & (middle < 2 * self.contig_bp) & (whole.length_bp <= self.contig_bp)
        here = whole.take(kept)
        return here.moved((here.start - self.margin_bp + self.opening) % self.contig_bp)


@dataclass(frozen=True, slots=True)
class PlacedFrame:
    """A gene or a possible gene in the coordinates of its contig."""

    interval: Interval
    strand: Strand
    scores: CallScores
    clipped_left: bool = False
    clipped_right: bool = False

    def stop(self, contig_bp: int) -> int:
        """See :func:`stop_number`."""
        return stop_number(self.interval, self.strand, contig_bp)


def stop_number(span: Interval, strand: Strand, contig_bp: int) -> int:
    """A number for a gene's stop codon: what two calls of one gene share."""
    forward = strand is Strand.FORWARD
    return 2 * ((span.end if forward else span.start) % contig_bp) + forward


@dataclass(frozen=True, slots=True)
class ContigSearch:
    """What the finder saw on one contig.

    Attributes:
        calls: Genes, by position.
        starts: Start codons of all frames, empty before :func:`with_starts`.
        found: The finder's own answer, on ``layout.text``.
    """

    layout: Layout
    model: Model
    found: Search
    calls: tuple[PlacedFrame, ...]
    starts: Starts


def search_contig(bases: str, model: Model, *, circle: bool) -> ContigSearch:
    """Find the genes of a contig, over its origin too where it is a circle."""
    if not circle:
        layout = Layout(bases, len(bases))
        return _searched(layout, model, search(bases, model))
    return _search_circle(bases, model, lambda text: search(text, model))


def search_as_circle(bases: str, line: ContigSearch) -> ContigSearch:
    """Find the genes of a contig as a circle, with the one model that won on it as a line.

    The bases are the same, so another search of all models would find the same one best.
    """
    chosen = line.found.chosen
    if not isinstance(chosen, MetagenomicBin):
        return search_contig(bases, line.model, circle=True)
    return _search_circle(bases, line.model, lambda text: search_with(text, chosen))


def with_starts(searched: ContigSearch) -> ContigSearch:
    """The same with the start codons of all frames, called or not."""
    starts = scored_starts(searched.layout.text, searched.found)
    return replace(searched, starts=searched.layout.place_starts(starts))


def _search_circle(bases: str, model: Model, find: Callable[[str], Search]) -> ContigSearch:
    opening = canonical_rotation(bases)
    margin_bp = min(_MARGIN_BP, len(bases))
    while True:
        text = open_circle(bases, opening, margin_bp)
        layout = Layout(text, len(bases), margin_bp, opening, closed=True)
        result = _searched(layout, model, find(text))
        if margin_bp == len(bases) or not _cut_short(result.found.calls, layout):
            return result
        margin_bp = min(margin_bp * _MARGIN_GROWTH, len(bases))


def _cut_short(calls: Iterable[Call], layout: Layout) -> bool:
    """A gene clipped by the end of the text reaches in between the margins."""
    return any(
        (call.clipped_left and call.interval.end > layout.margin_bp)
        or (call.clipped_right and call.interval.start < layout.margin_bp + layout.contig_bp)
        for call in calls
    )


def _searched(layout: Layout, model: Model, found: Search) -> ContigSearch:
    calls = _deduplicated(_placed_calls(found.calls, layout), layout.contig_bp)
    return ContigSearch(layout, model, found, calls, NO_STARTS)


def _placed_calls(calls: Iterable[Call], layout: Layout) -> Iterator[PlacedFrame]:
    for call in calls:
        if layout.closed and call.clipped:
            continue  # the end is of our making; the whole gene is seen elsewhere
        interval = layout.place(call.interval)
        if interval is not None:
            yield PlacedFrame(
                interval, call.strand, call.scores, call.clipped_left, call.clipped_right
            )


def _deduplicated(calls: Iterable[PlacedFrame], contig_bp: int) -> tuple[PlacedFrame, ...]:
    """One call per stop codon, the better one, by position."""
    best: dict[int, PlacedFrame] = {}
    for call in calls:
        key = call.stop(contig_bp)
        if key not in best or best[key].scores.total < call.scores.total:
            best[key] = call
    return tuple(sorted(best.values(), key=lambda call: (call.interval, call.strand)))


SMALL_CIRCLE_BP = range(4_000, 10_001)
"""Lengths at which an unlabelled contig is tried both ways: circular single-stranded DNA
phages have 4.4 to 6.5 kb (Microviridae) or 5 to 9 kb (Inoviridae), and none of the linear
tailed phages is below 10 kb."""
MIN_JOINT_SCORE = 3.0
_MAX_OTHER_STRAND = 0.1
_MOST_OTHER_STRAND_OF_LINE = 0.3
_SKEW_MARGIN = 0.02
_SKEWED = (0.40, 0.54)
"""Three marks of small circles. What a join has to bring, in units of the gene finder; the share
of coding bases that may lie on the other strand (small single-stranded phages read their genes
from one strand); the share of T among A and T of the strand that is read, at most and at least.

Single-stranded genomes are skewed, one way or the other: phiX174 has 0.57. The strand that is
read in 600 random linear pieces of 4 to 10 kb (E. coli, S. pyogenes, lambda, T7, L5, K, B3, SO-1,
201.16, VT2-Sakai, Acinetobacter phage, a crAss-like phage) has 0.406 to 0.535, 98 % of them 0.41
to 0.53: the limits are those of the pieces, the circles had no say. Taken as circles, of these
pieces and of 103 circles (phiX174, SpV4, SMA6, 100 microviruses) at three rotations each:

    rule                             pieces        circles, of 309
    a gene whole, score 2            82 (14 %)     205
    a gene whole, score 3            58 (10 %)     177
    skewed                            0            228
    skewed, or a gene whole, 2       82 (14 %)     286
    skewed, or a gene whole, 3       58 (10 %)     273

That pieces of an operon meet in one frame is chance, no score distinguishes them: hence the
warning. phiX174 is skewed, so it is a circle wherever the file starts it."""
TAKEN_AS_CIRCLE = "taken_as_circle"
"""Code of the warning on a contig whose ends were joined although the file does not say so."""
ASSUMED_LINEAR = "assumed linear: topology not given"
_TRIED = "topology not given, tested as linear and as circular: "
_BOTH_STRANDS = "genes lie on both strands, unlike those of small circular phages"
_AS_SINGLE_STRANDED = "as in single-stranded phages, which are circles"
_MIN_REPEAT_BP = 20
"""Shortest direct terminal repeat that is no chance (4^20 is far above any contig)."""
_MAX_REPEAT_BP = 20_000
_ASSEMBLER_OVERLAPS_BP = frozenset({21, 29, 33, 39, 55, 59, 77, 79, 99, 119, 127, 141})
"""K-mer lengths that SPAdes and MEGAHIT end with by default: a circle comes out with
its first k bases repeated at its end."""
_INCOMPLETE = re.compile(r"\b(partial|fragment|segment|contig|scaffold)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class InferredTopology:
    """Topology of a contig and the reason for it, in plain words."""

    topology: Topology
    reason: str

    @property
    def is_circle(self) -> bool:
        """The ends are to be joined."""
        return self.topology is Topology.CIRCULAR


def infer_topology(contig: Contig, *, longest_bp: int) -> InferredTopology | None:
    """The shape where it needs no trial; None where both ways are to be tried.

    A direct terminal repeat alone proves nothing: T7 has one of 160 bp and is a line,
    while assemblers leave one on circles. The contig then already holds the bases over
    its join twice, so it is searched as the line that it is; ``ends`` says which genes
    are there twice, and whether joining the ends would make one whole.

    Args:
        contig: The contig.
        longest_bp: Length of the longest contig of the same file.
    """
    repeat = _about_repeat(contig)
    if contig.topology_stated:
        reason = f"as the file says; {repeat}" if repeat else "as the file says"
        return InferredTopology(contig.topology, reason)
    if repeat:
        return InferredTopology(Topology.LINEAR, f"{ASSUMED_LINEAR}; {repeat}")
    unlike = _unlike_small_circle(contig, longest_bp)
    if unlike is not None:
        return InferredTopology(Topology.LINEAR, f"{ASSUMED_LINEAR}{unlike}")
    return None


def _about_repeat(contig: Contig) -> str:
    """What the ends have in common and what that is like; empty where nothing."""
    turn_bp = full_circle_bp(contig.bases)
    if turn_bp:
        times = len(contig) / turn_bp
        return (
            f"it is the same {turn_bp:,} bp {times:.1f} times over, as in a concatemer or a"
            " circle read on over its origin"
        )
    repeat_bp = terminal_repeat_bp(contig.bases)
    if not repeat_bp:
        return ""
    if repeat_bp in _ASSEMBLER_OVERLAPS_BP:
        return (
            f"both ends are the same {repeat_bp} bp, just the overlap that assemblers leave on"
            " a circular genome, though linear ones with terminal repeats look so too"
        )
    return (
        f"both ends are the same {repeat_bp:,} bp, as in a linear genome with terminal repeats or"
        " in a circular one whose ends overlap"
    )


def _unlike_small_circle(contig: Contig, longest_bp: int) -> str | None:
    """Why a contig without topology is no small circular phage; None where it may be one.

    Empty for one that is too long, which is all that most readers need to know.
    """
    if len(contig) >= SMALL_CIRCLE_BP.stop:
        return ""
    if len(contig) < SMALL_CIRCLE_BP.start:
        return "; shorter than 4 kb, so probably a fragment"
    if _INCOMPLETE.search(contig.description):
        return "; its title calls it incomplete"
    if longest_bp >= SMALL_CIRCLE_BP.stop:
        return "; the file has longer records, so it is probably a fragment of an assembly"
    return None


def why_no_circle(line: ContigSearch) -> str | None:
    """Why the genes of a contig as a line leave no circle to be tried; None where they do.

    Circles have their genes on one strand, and show by their skew or by a gene over the join
    (:data:`MIN_JOINT_SCORE`). Limits are wide here: genes at the ends of a line are pieces.
    """
    other_share, t_share = _strand_shares(line)
    if other_share > _MOST_OTHER_STRAND_OF_LINE:
        return _BOTH_STRANDS
    low, high = _SKEWED
    if not low + _SKEW_MARGIN < t_share < high - _SKEW_MARGIN:
        return None
    contig_bp = line.layout.contig_bp
    heads = [(call.interval.end, call.strand) for call in line.calls if call.clipped_left]
    tails = [(call.interval.start, call.strand) for call in line.calls if call.clipped_right]
    if not heads or not tails:
        return None
    meet = any(
        strand is other and (contig_bp - start + end) % 3 == 0
        for end, strand in heads
        for start, other in tails
    )
    return None if meet else "the genes at its ends are not read in one frame"


def better_topology(line: ContigSearch, circle: ContigSearch) -> InferredTopology:
    """Choose where the file does not say and both ways were tried.

    A circle shows by the skew of single-stranded genomes, or, where it is cut inside a
    gene, by a gene over the join that scores better than the pieces of it at the ends of
    the line, by a margin; and by genes on one strand: see ``MIN_JOINT_SCORE``. Ends of
    lines meet in one reading frame by chance, so only small contigs without larger ones
    beside them get here.
    """
    is_circle, reason = _compared(line, circle)
    return tried_topology(reason, is_circle=is_circle)


def tried_topology(reason: str, *, is_circle: bool) -> InferredTopology:
    """What was found where the file does not say, and why."""
    return InferredTopology(
        Topology.CIRCULAR if is_circle else Topology.LINEAR, f"{_TRIED}{reason}"
    )


def _compared(line: ContigSearch, circle: ContigSearch) -> tuple[bool, str]:
    """Whether a contig is a circle, and why."""
    lesser_share, t_share = _strand_shares(circle)
    one_strand = lesser_share <= _MAX_OTHER_STRAND
    low, high = _SKEWED
    if one_strand and circle.calls and not low < t_share < high:
        skew = f"T is {t_share:.0%} of the A and T of that strand"
        return True, f"genes on one strand, and {skew}, {_AS_SINGLE_STRANDED}"
    whole = [call for call in circle.calls if call.interval.wraps(circle.layout.contig_bp)]
    pieces = [call for call in line.calls if call.clipped_left or call.clipped_right]
    if not whole:
        return False, "no gene runs over the join of the ends"
    gain = sum(call.scores.total for call in whole) - sum(call.scores.total for call in pieces)
    if gain < 0:
        return False, f"joining the ends spoils the genes there (score {gain:+.1f})"
    if gain < MIN_JOINT_SCORE:
        figures = f"score {gain:+.1f}, {MIN_JOINT_SCORE:+.1f} required"
        return False, f"joining the ends gains too little to tell ({figures})"
    if not one_strand:
        return False, f"a gene would run over the join, but {_BOTH_STRANDS}"
    longest_bp = max(len(call.interval) for call in whole)
    return True, f"joining the ends makes a gene of {longest_bp} bp whole (score {gain:+.1f})"


def _strand_shares(found: ContigSearch) -> tuple[float, float]:
    """Of the called bases those on the strand with fewer; of the other strand's A and T the T.

    Returns:
        Two shares, 0..0.5 and 0..1.
    """
    layout = found.layout
    text = layout.text[layout.margin_bp : layout.margin_bp + layout.contig_bp]
    forward_bp = sum(len(c.interval) for c in found.calls if c.strand is Strand.FORWARD)
    called_bp = sum(len(call.interval) for call in found.calls)
    lesser = min(forward_bp, called_bp - forward_bp) / max(called_bp, 1)
    own, other = ("T", "A") if 2 * forward_bp >= called_bp else ("A", "T")
    counted = text.count(own), text.count(other)
    return lesser, counted[0] / max(sum(counted), 1)


def circle_warnings(contigs: Iterable[Contig]) -> tuple[ReadWarning, ...]:
    """One remark on every contig whose ends were joined although the file does not say so.

    Args:
        contigs: After the search, with the topology that was decided on.
    """
    return tuple(
        ReadWarning(
            TAKEN_AS_CIRCLE,
            "assumed circular, topology not given: "
            f"{contig.calling.topology_reason.removeprefix(_TRIED)};"
            + (
                " none of 600 pieces of linear genomes looked so"
                if _AS_SINGLE_STRANDED in contig.calling.topology_reason
                else " one in ten pieces of a linear genome looks so too; check genes over the ends"
            ),
            contig.id,
        )
        for contig in contigs
        if contig.calling is not None
        and contig.topology is Topology.CIRCULAR
        and not contig.topology_stated
    )


def terminal_repeat_bp(bases: str) -> int:
    """Length of the longest stretch that is both start and end of a contig; 0 if short.

    Repeats of up to 20 kb and half the contig are seen. Cost: O(length) in practice.
    """
    limit = min(_MAX_REPEAT_BP, len(bases) // 2)
    at = _second_start(bases, len(bases) - limit)
    return len(bases) - at if at is not None else 0


def full_circle_bp(bases: str) -> int:
    """Length after which a contig says the same again to its end, twice or more; 0: it does not.

    Cost: O(length) in practice.
    """
    at = _second_start(bases, _MIN_REPEAT_BP)
    return at if at is not None and 2 * at <= len(bases) else 0


def _second_start(bases: str, low: int) -> int | None:
    """The first place from ``low`` on from which the rest is how the contig starts."""
    head = bases[:_MIN_REPEAT_BP]
    if len(bases) < 2 * _MIN_REPEAT_BP or len(set(head)) == 1:
        return None
    at = bases.find(head, low)
    while at != -1:
        if bases.startswith(bases[at:]):
            return at
        at = bases.find(head, at + 1)
    return None


MAY_BE_CIRCLE = "may_be_circle"
"""Code of the warning on a line whose ends would make a gene whole."""
_MIN_BP = 4_000
_MAX_BP = 500_000
"""Of phages and plasmids; every end of a draft bacterium cuts some gene."""
_OVERLAP_BP = 300
"""Assemblers leave repeats of the length of their words, up to some 250 bases, on circles."""
_REACH_BP = 6_000
"""Bases on either side of the join that are searched: genes of up to 6 kb over it are seen."""


def with_ends(contig: Contig) -> Contig:
    """Measure the terminal repeat of a contig and say which of its genes are there twice.

    Both copies stay: the bases are there twice, and a copy that the end of the contig
    cuts may be whole at the other end.

    Args:
        contig: With its genes, by position.

    Cost: O(length).
    """
    repeat_bp = terminal_repeat_bp(contig.bases)
    if not repeat_bp:
        return contig
    genes = _copies_noted(contig.genes, len(contig) - repeat_bp)
    return replace(contig, terminal_repeat_bp=repeat_bp, genes=genes)


def _copies_noted(genes: tuple[Gene, ...], turn_bp: int) -> tuple[Gene, ...]:
    """Genes with the same 3' end, one turn apart, know of each other."""
    by_end = {_three_prime(gene): gene for gene in genes if not gene.location.partial_3}
    notes: dict[str, str] = {}
    for (end, strand), gene in by_end.items():
        again = by_end.get((end + turn_bp, strand))
        if again is None:
            continue
        for one, other in ((gene, again), (again, gene)):
            cut = " The end of the contig cuts this copy." if _is_cut(one) else ""
            notes[one.id] = (
                f"The same gene as {other.id}: the ends of the contig are the same bases, so"
                f" it is there twice.{cut}"
            )
    return tuple(
        replace(gene, note=" ".join(filter(None, (gene.note, notes[gene.id]))))
        if gene.id in notes
        else gene
        for gene in genes
    )


def _three_prime(gene: Gene) -> tuple[int, Strand]:
    forward = gene.strand is Strand.FORWARD
    return (gene.span.end if forward else gene.span.start), gene.strand


def _is_cut(gene: Gene) -> bool:
    return gene.location.partial_5 or gene.location.partial_3


def end_warnings(contigs: Iterable[Contig]) -> Iterator[ReadWarning]:
    """A remark on a line whose ends, joined, would make a gene whole.

    Only where the file has one record, of 4 to 500 kb, and the search did not try the
    circle itself. Required is a gene of which both ends hold pieces in one frame. Measured:
    82 of 120 turns of whole phages of 38 to 52 kb (cut between genes, nothing is lost), 47 of
    60 with their first 77 bases repeated at the end; but also 37 of 315 random pieces of
    genomes, whose ends meet in one reading frame by chance. Hence a remark, and no circle.

    Args:
        contigs: Of one file, after the search.

    Cost: nothing where no gene is cut by an end; else 30 ms.
    """
    given = tuple(contigs)
    if len(given) != 1:
        return
    [contig] = given
    gene_bp = _joined_gene_bp(contig)
    if gene_bp is None:
        yield from _overlap_of_small_circle(contig)
        return
    overlap_bp = contig.terminal_repeat_bp
    less = f" (without its last {overlap_bp:,} bp, which repeat the first)" if overlap_bp else ""
    taken = "linear, as the file says" if contig.topology_stated else ASSUMED_LINEAR
    yield ReadWarning(
        MAY_BE_CIRCLE,
        f"{taken}; but joined, its ends{less} would make a gene of {gene_bp:,} bp"
        " whole. If it is circular, say so (topology=circular in the header of a FASTA file,"
        " circular in the LOCUS line of GenBank); one in eight pieces of a linear genome looks so"
        " too",
        contig.id,
    )


def _overlap_of_small_circle(contig: Contig) -> Iterator[ReadWarning]:
    """A remark on a contig of the size of a small circular phage whose ends are the same.

    No tailed phage with terminal repeats is so small: assemblers leave such ends on circles.
    """
    repeat_bp = contig.terminal_repeat_bp
    small = len(contig) - repeat_bp in SMALL_CIRCLE_BP
    if small and 0 < repeat_bp <= _OVERLAP_BP and contig.topology is not Topology.CIRCULAR:
        yield ReadWarning(
            MAY_BE_CIRCLE,
            f"{ASSUMED_LINEAR}; but both of its ends are the same {repeat_bp:,} bp, as"
            " assemblers leave on circular genomes, and phages of this size are circular. If it"
            " is, remove the last copy and say topology=circular in the header of the FASTA file",
            contig.id,
        )


def _joined_gene_bp(contig: Contig) -> int | None:
    """Length of the longest gene of which both ends hold pieces, in one frame; None: none."""
    calling = contig.calling
    if (
        calling is None
        or contig.topology is Topology.CIRCULAR
        or calling.topology_reason.startswith(_TRIED)
    ):
        return None
    if not _MIN_BP <= len(contig) <= _MAX_BP:
        return None
    turn_bp = len(contig) - contig.terminal_repeat_bp
    cut = [(gene.span, gene.strand) for gene in contig.genes if _is_cut(gene)]
    lasts = [(span.start - turn_bp, strand) for span, strand in cut if span.start > turn_bp // 2]
    firsts = [(span.end, strand) for span, strand in cut if span.start <= turn_bp // 2]
    if not lasts or not firsts:
        return None
    reach_bp = min(_REACH_BP, turn_bp // 2)
    text = contig.bases[turn_bp - reach_bp : turn_bp] + contig.bases[:reach_bp]
    found = search(text, meta_model(calling.translation_table)).calls
    whole = [
        len(call.interval)
        for call in found
        if not call.clipped
        and call.interval.start < reach_bp < call.interval.end
        and _goes_on(call, reach_bp, lasts, from_start=True)
        and _goes_on(call, reach_bp, firsts, from_start=False)
    ]
    return max(whole, default=None)


def _goes_on(
    call: Call, join: int, pieces: Iterable[tuple[int, Strand]], *, from_start: bool
) -> bool:
    """A call over the join is in frame with a piece of which one end is given.

    The other end of a piece is that of the contig. Ends are counted from the join.
    """
    own = (call.interval.start if from_start else call.interval.end) - join
    return any(
        strand is call.strand
        and (end - own) % 3 == 0
        and (end >= own - 3 if from_start else end <= own + 3)
        for end, strand in pieces
    )
