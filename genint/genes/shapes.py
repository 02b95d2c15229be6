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
_MIN_JOINT_SCORE = 2.0
_MAX_OTHER_STRAND = 0.1
"""What a join has to bring, in units of the gene finder, and the share of coding bases that
may lie on the other strand (small single-stranded phages read their genes from one strand).
Measured: 600 random linear pieces of 4 to 10 kb (E. coli, S. pyogenes, lambda, T7, L5, K, B3,
201phi2-1, VT2-Sakai, Acinetobacter phage) against 103 circles (phiX174, SpV4, SMA6, 100
microviruses), each at three rotations:

    score  other strand   pieces joined   circles joined, of 309
      0        any         115 (19 %)       161
      0        0.1          92 (15 %)       160
      1        0.1          86 (14 %)       152
      2        any          81 (14 %)       148
      2        0.1          65 (11 %)       148
      3        0.1          53 (9 %)        119

phiX174 and SpV4 are joined at all three rotations up to a score of 2.5. That pieces of an operon
meet in one frame is chance, no score tells them apart: hence the warning."""
TAKEN_AS_CIRCLE = "taken_as_circle"
"""Code of the warning on a contig whose ends were joined unasked."""
_TRIED = "the file does not say, tried both ways: "
_MIN_REPEAT_BP = 20
"""Shortest direct terminal repeat that is no chance (4^20 is far above any contig)."""
_MAX_REPEAT_BP = 20_000
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
    its join twice, so it is searched as the line that it is.

    Args:
        contig: The contig.
        longest_bp: Length of the longest contig of the same file.
    """
    if contig.topology_stated:
        return Shape(contig.topology, "as the file says")
    repeat_bp = terminal_repeat_bp(contig.bases)
    if repeat_bp:
        return Shape(
            Topology.LINEAR,
            f"the file does not say; both ends are the same {repeat_bp} bp, as in a line with"
            " terminal repeats or in a circle whose ends overlap: searched as a line",
        )
    unlike = _unlike_small_circle(contig, longest_bp)
    if unlike:
        return Shape(Topology.LINEAR, f"the file does not say; {unlike}")
    return None


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

    A circle that is cut inside a gene shows by a gene over the join that scores better
    than the pieces of it at the ends of the line, by a margin, and by genes on one
    strand; see ``_MIN_JOINT_SCORE``. Ends of lines meet in one reading frame by chance,
    so only small contigs without larger ones beside them get here.
    """
    contig_bp = circle.layout.contig_bp
    whole = [call for call in circle.calls if call.interval.wraps(contig_bp)]
    pieces = [call for call in line.calls if call.clipped_left or call.clipped_right]
    if not whole:
        return Shape(Topology.LINEAR, f"{_TRIED}no gene runs over the join of the ends")
    gain = sum(call.scores.total for call in whole) - sum(call.scores.total for call in pieces)
    if gain < 0:
        return Shape(
            Topology.LINEAR, f"{_TRIED}joining the ends spoils the genes there (score {gain:+.1f})"
        )
    if gain < _MIN_JOINT_SCORE:
        return Shape(
            Topology.LINEAR,
            f"{_TRIED}joining the ends gains too little to tell (score {gain:+.1f},"
            f" {_MIN_JOINT_SCORE:+.1f} asked for)",
        )
    if _share_on_lesser_strand(circle) > _MAX_OTHER_STRAND:
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
            f"{contig.calling.topology_reason.removeprefix(_TRIED)}; one in ten pieces of a line"
            " looks so too, check genes over the ends",
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
    head = bases[:_MIN_REPEAT_BP]
    if len(bases) < 2 * _MIN_REPEAT_BP or len(set(head)) == 1:
        return 0
    at = bases.find(head, len(bases) - limit)
    while at != -1:
        if bases.startswith(bases[at:]):
            return len(bases) - at
        at = bases.find(head, at + 1)
    return 0
