"""Codons of a contig as numbers: which its genes prefer, and where stops are to be expected."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from genint.genes.layout import Placed
from genint.genes.starts import Integers, Reals
from genint.model.interval import Strand
from genint.model.sequence import reverse_complement, stop_codons

_CODONS = 64
_UNKNOWN = 64
"""Number of a codon with a letter other than A, C, G and T."""
_PSEUDOCOUNT = 5
"""Added to the count of each codon: a phage of 5 kb has 1,500 codons, one of 150 kb 45,000."""
_DIGITS = np.full(256, 4, dtype=np.int64)
_DIGITS[[ord(base) for base in "ACGT"]] = range(4)


@dataclass(frozen=True, slots=True, eq=False)
class Codons:
    """The codon at every base of a contig, on both strands.

    Attributes:
        contig_bp: Length of the contig.
        forward: Number of the codon that begins at each base, 0 to 63 in the order of A, C,
            G, T; 64 where it has another letter. On a circle the contig is there twice.
        reverse: The same of the other strand: the codon whose last base lies at that base.
        is_stop: By codon number, 65 of them.
    """

    contig_bp: int
    forward: Integers
    reverse: Integers
    is_stop: NDArray[np.bool_]

    @classmethod
    def of(cls, bases: str, code: int, *, circle: bool) -> Codons:
        """Codons of a contig under an NCBI genetic code. Cost: 20 ns a base."""
        text = bases + bases if circle else bases
        digits = _DIGITS[np.frombuffer(text.encode("ascii"), dtype=np.uint8)]
        turned = np.where(digits < 4, 3 - digits, 4)  # noqa: PLR2004 - the four bases
        is_stop = np.zeros(_CODONS + 1, dtype=np.bool_)
        for stop in stop_codons(code):
            is_stop[_number(stop)] = True
        return cls(len(bases), _numbers(digits), _numbers(turned[::-1])[::-1], is_stop)

    def frame(self, start: int, end: int, strand: int) -> Integers:
        """Codons of a frame as transcribed, the stop codon last."""
        if strand > 0:
            return self.forward[start : end - 2 : 3]
        return self.reverse[start : end - 2 : 3][::-1]

    def last(self, start: Integers, end: Integers, strand: Integers) -> Integers:
        """The last codon of each frame."""
        here = np.where(strand > 0, end - 3, start)
        return np.where(strand > 0, self.forward[here], self.reverse[here])


def _number(codon: str) -> int:
    first, second, third = ("ACGT".index(base) for base in codon)
    return 16 * first + 4 * second + third


def _numbers(digits: Integers) -> Integers:
    """Codon at every base but the last two."""
    if len(digits) < 3:  # noqa: PLR2004 - bases of a codon
        return np.zeros(0, dtype=np.int64)
    numbers = 16 * digits[:-2] + 4 * digits[1:-1] + digits[2:]
    known = (digits[:-2] < 4) & (digits[1:-1] < 4) & (digits[2:] < 4)  # noqa: PLR2004
    return np.where(known, numbers, _UNKNOWN)


def usage(codons: Codons, calls: Sequence[Placed]) -> Reals:
    """How much more often each codon is read by the genes of a contig than by their other frames.

    Args:
        codons: Of the contig.
        calls: Genes that were called on it.

    Returns:
        Natural logarithm of the ratio for each codon number; 0 for the unknown codon.

    Cost: some 50 us a call.
    """
    read = np.zeros(_CODONS + 1)
    not_read = np.zeros(_CODONS + 1)
    for call in calls:
        start, end = call.interval.start, call.interval.end
        own, other = (
            (codons.forward, codons.reverse)
            if call.strand is Strand.FORWARD
            else (codons.reverse, codons.forward)
        )
        read += np.bincount(own[start + 3 : end - 5 : 3], minlength=_CODONS + 1)
        for shift in (1, 2):
            not_read += np.bincount(own[start + shift : end - 2 : 3], minlength=_CODONS + 1)
        for shift in range(3):
            not_read += np.bincount(other[start + shift : end - 2 : 3], minlength=_CODONS + 1)
    ratio = np.zeros(_CODONS + 1)
    ratio[:_CODONS] = np.log(_shares(read[:_CODONS])) - np.log(_shares(not_read[:_CODONS]))
    return ratio


def _shares(counts: Reals) -> Reals:
    raised = counts + _PSEUDOCOUNT
    return np.asarray(raised / raised.sum(), dtype=np.float64)


def likeness(
    codons: Codons, ratio: Reals, start: Integers, end: Integers, strand: Integers
) -> Reals:
    """Sum of the ratios of :func:`usage` over the inner codons of each frame, in nats."""
    summed = np.zeros(len(start))
    for sign, numbers in ((1, codons.forward), (-1, codons.reverse)):
        mine = strand == sign
        running = _running(ratio[numbers])
        # Inner codons: neither the start nor the stop codon.
        first, behind = start[mine] + 3, end[mine] - 3
        summed[mine] = running[behind] - running[first]
    return summed


def _running(values: Reals) -> Reals:
    """At each base the sum of the values three, six, ... bases before it."""
    padded = np.zeros(-(-len(values) // 3) * 3 + 3)
    padded[3 : 3 + len(values)] = values
    rows = padded.reshape(-1, 3).cumsum(axis=0)
    return np.concatenate([rows.reshape(-1), rows[-1], rows[-1]])


def stop_chances(codons: Codons, call: Placed) -> Reals:
    """How likely a stop codon is in each other frame of a gene if its codons were in any order.

    The null for frames inside a gene: the gene keeps its codons, and with them most of
    what makes stops rare or common in the frames across, and loses their order.

    Args:
        codons: Of the contig.
        call: The gene.

    Returns:
        Chance per codon, 0..1, for six frames: on the gene's strand, shifted by 0 (its own:
        always 0), 1 and 2 bases, then on the other strand with its codons covering those
        that begin 0, 1 and 2 bases into the gene's codons.

    Cost: 60 us.
    """
    inner = codons.frame(call.interval.start, call.interval.end, call.strand.value)[:-1]
    inner = inner[inner < _UNKNOWN]
    chances = np.zeros(6)
    if len(inner) == 0:
        return chances
    count = np.bincount(inner, minlength=_CODONS).reshape(4, 4, 4) / len(inner)
    ends = {1: count.sum(axis=0).reshape(-1), 2: count.sum(axis=(0, 1))}
    begins = {1: count.sum(axis=(1, 2)), 2: count.sum(axis=2).reshape(-1)}
    for number in np.flatnonzero(codons.is_stop):
        turned = _turned(int(number))
        for place, triplet in ((0, int(number)), (3, turned)):
            chances[place + 1] += ends[1][triplet // 4] * begins[1][triplet % 4]
            chances[place + 2] += ends[2][triplet // 16] * begins[2][triplet % 16]
        chances[3] += count.reshape(-1)[turned]
    return chances


def _turned(number: int) -> int:
    """Number of the codon on the other strand."""
    codon = "ACGT"[number // 16] + "ACGT"[number // 4 % 4] + "ACGT"[number % 4]
    return _number(reverse_complement(codon))


def chance_outside(codons: Codons) -> float:
    """How likely a stop codon is where there is no gene: the share of stops in all frames."""
    both = np.concatenate([codons.forward, codons.reverse])
    known = both[both < _UNKNOWN]
    return float(codons.is_stop[known].mean()) if len(known) else 0.0
