"""Line or circle: what the file says, and what the genes say where it says nothing."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from genint.genes.layout import ContigSearch
from genint.model.genome import Contig, ReadWarning, Topology
from genint.model.interval import Strand

SMALL_CIRCLE_BP = range(4_000, 10_001)
"""Lengths at which an unlabelled contig is tried both ways: circular single-stranded DNA
phages have 4.4 to 6.5 kb (Microviridae) or 5 to 9 kb (Inoviridae), and none of the linear
tailed phages is below 10 kb."""
MIN_JOINT_SCORE = 3.0
_MAX_OTHER_STRAND = 0.1
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

That pieces of an operon meet in one frame is chance, no score tells them apart: hence the
warning. phiX174 is skewed, so it is a circle wherever the file starts it."""
TAKEN_AS_CIRCLE = "taken_as_circle"
"""Code of the warning on a contig whose ends were joined unasked."""
_TRIED = "the file does not say, tried both ways: "
_AS_SINGLE_STRANDED = "as in single-stranded phages, which are circles"
_MIN_REPEAT_BP = 20
"""Shortest direct terminal repeat that is no chance (4^20 is far above any contig)."""
_MAX_REPEAT_BP = 20_000
_ASSEMBLER_OVERLAPS_BP = frozenset({21, 29, 33, 39, 55, 59, 77, 79, 99, 119, 127, 141})
"""K-mer lengths that SPAdes and MEGAHIT end with unless told otherwise: a circle comes out with
its first k bases repeated at its end."""
_INCOMPLETE = re.compile(r"\b(partial|fragment|segment|contig|scaffold)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Shape:
    """Topology of a contig and the reason for it, in plain words."""

    topology: Topology
    reason: str

    @property
    def is_circle(self) -> bool:
        """The ends are to be joined."""
        return self.topology is Topology.CIRCULAR


def settled_shape(contig: Contig, *, longest_bp: int) -> Shape | None:
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
        said = f"as the file says; {repeat}" if repeat else "as the file says"
        return Shape(contig.topology, said)
    if repeat:
        return Shape(Topology.LINEAR, f"the file does not say; {repeat}: searched as a line")
    unlike = _unlike_small_circle(contig, longest_bp)
    if unlike:
        return Shape(Topology.LINEAR, f"the file does not say; {unlike}")
    return None


def _about_repeat(contig: Contig) -> str:
    """What the ends have in common and what that is like; empty where nothing."""
    turn_bp = whole_turn_bp(contig.bases)
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
            " a circle, though lines with terminal repeats look so too"
        )
    return (
        f"both ends are the same {repeat_bp:,} bp, as in a line with terminal repeats or in a"
        " circle whose ends overlap"
    )


def _unlike_small_circle(contig: Contig, longest_bp: int) -> str | None:
    """Why a contig without a word is no small circular phage; None where it may be one."""
    if len(contig) >= SMALL_CIRCLE_BP.stop:
        return "above 10 kb an unlabelled contig is taken as a line"
    if len(contig) < SMALL_CIRCLE_BP.start:
        return "below 4 kb a contig is taken as a fragment"
    if _INCOMPLETE.search(contig.description):
        return "its title calls it incomplete"
    if longest_bp >= SMALL_CIRCLE_BP.stop:
        return "longer records beside it suggest a fragment of an assembly"
    return None


def better_shape(line: ContigSearch, circle: ContigSearch) -> Shape:
    """Choose where the file does not say and both ways were tried.

    A circle shows by the skew of single-stranded genomes, or, where it is cut inside a
    gene, by a gene over the join that scores better than the pieces of it at the ends of
    the line, by a margin; and by genes on one strand: see ``MIN_JOINT_SCORE``. Ends of
    lines meet in one reading frame by chance, so only small contigs without larger ones
    beside them get here.
    """
    layout = circle.layout
    one_strand = _share_on_lesser_strand(circle) <= _MAX_OTHER_STRAND
    t_share = _t_share_of_read_strand(circle)
    low, high = _SKEWED
    if one_strand and circle.calls and not low < t_share < high:
        return Shape(
            Topology.CIRCULAR,
            f"{_TRIED}genes on one strand, and T is {t_share:.0%} of the A and T of that strand,"
            f" {_AS_SINGLE_STRANDED}",
        )
    whole = [call for call in circle.calls if call.interval.wraps(layout.contig_bp)]
    pieces = [call for call in line.calls if call.clipped_left or call.clipped_right]
    if not whole:
        return Shape(Topology.LINEAR, f"{_TRIED}no gene runs over the join of the ends")
    gain = sum(call.scores.total for call in whole) - sum(call.scores.total for call in pieces)
    if gain < 0:
        return Shape(
            Topology.LINEAR, f"{_TRIED}joining the ends spoils the genes there (score {gain:+.1f})"
        )
    if gain < MIN_JOINT_SCORE:
        return Shape(
            Topology.LINEAR,
            f"{_TRIED}joining the ends gains too little to tell (score {gain:+.1f},"
            f" {MIN_JOINT_SCORE:+.1f} asked for)",
        )
    if not one_strand:
        return Shape(
            Topology.LINEAR,
            f"{_TRIED}a gene would run over the join, but genes lie on both strands,"
            " unlike those of small circular phages",
        )
    longest_bp = max(len(call.interval) for call in whole)
    return Shape(
        Topology.CIRCULAR,
        f"{_TRIED}joining the ends makes a gene of {longest_bp} bp whole (score {gain:+.1f})",
    )


def _t_share_of_read_strand(found: ContigSearch) -> float:
    """Share of T among A and T of the strand that most coding bases are read from, 0..1."""
    layout = found.layout
    text = layout.text[layout.margin_bp : layout.margin_bp + layout.contig_bp]
    forward_bp = sum(len(c.interval) for c in found.calls if c.strand is Strand.FORWARD)
    called_bp = sum(len(call.interval) for call in found.calls)
    own, other = ("T", "A") if 2 * forward_bp >= called_bp else ("A", "T")
    counted = text.count(own), text.count(other)
    return counted[0] / max(sum(counted), 1)


def _share_on_lesser_strand(found: ContigSearch) -> float:
    """Share of the called bases on the strand that has fewer of them, 0..0.5."""
    forward_bp = sum(len(c.interval) for c in found.calls if c.strand is Strand.FORWARD)
    called_bp = sum(len(call.interval) for call in found.calls)
    return min(forward_bp, called_bp - forward_bp) / max(called_bp, 1)


def circle_warnings(contigs: Iterable[Contig]) -> tuple[ReadWarning, ...]:
    """One remark on every contig whose ends were joined although the file does not ask for it.

    Args:
        contigs: After the search, with the topology that was decided on.
    """
    return tuple(
        ReadWarning(
            TAKEN_AS_CIRCLE,
            "taken as a circle although the file does not say so: "
            f"{contig.calling.topology_reason.removeprefix(_TRIED)};"
            f" {_how_often_wrong(contig.calling.topology_reason)}",
            contig.id,
        )
        for contig in contigs
        if contig.calling is not None
        and contig.topology is Topology.CIRCULAR
        and not contig.topology_stated
    )


def is_tried(reason: str) -> bool:
    """Whether a topology was decided on by searching both ways."""
    return reason.startswith(_TRIED)


def _how_often_wrong(reason: str) -> str:
    if _AS_SINGLE_STRANDED in reason:
        return "none of 600 pieces of lines looked so"
    return "one in ten pieces of a line looks so too, check genes over the ends"


def terminal_repeat_bp(bases: str) -> int:
    """Length of the longest stretch that is both start and end of a contig; 0 if short.

    Repeats of up to 20 kb and half the contig are seen. Cost: O(length) in practice.
    """
    limit = min(_MAX_REPEAT_BP, len(bases) // 2)
    at = _second_start(bases, len(bases) - limit)
    return len(bases) - at if at is not None else 0


def whole_turn_bp(bases: str) -> int:
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
