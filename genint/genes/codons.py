"""Codons of contigs: which of them genes read, and how likely stop codons are where.

All is counted for many contigs at once: a file of a virome has thousands of them, too short for
a call of numpy each.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from genint.genes.prodigal import Integers, Reals
from genint.genes.topology import PlacedFrame
from genint.model.sequence import stop_codons

_CODONS = 64
_UNKNOWN = 64
"""Number of a codon with a letter other than A, C, G and T."""
_KINDS = 65
_PSEUDOCOUNT = 5
"""Added to the count of each codon: a phage of 5 kb has 1,500 codons, one of 150 kb 45,000."""
_DIGITS = np.full(256, _UNKNOWN, dtype=np.int64)
_DIGITS[[ord(base) for base in "ACGT"]] = range(4)
_TURNED_DIGITS = np.array([3, 2, 1, 0, *[_UNKNOWN] * (_UNKNOWN - 3)], dtype=np.int64)
_BETWEEN = "NNN"
"""Behind each contig: no codon has bases of two of them."""
_STEPS = 2.0**40
"""Log-odds are summed as whole numbers of such parts: a sum over a stretch is then the same in
whatever company the contig is."""


class Spans(NamedTuple):
    """Where genes lie on several contigs, as columns.

    Attributes:
        start: First base on the contig, 0-based.
        end: Behind the last, unrolled over an origin.
        strand: 1 or -1.
        contig: Number of the contig.
    """

    start: Integers
    end: Integers
    strand: Integers
    contig: Integers

    @classmethod
    def of(cls, calls: Iterable[Sequence[PlacedFrame]]) -> Spans:
        """The calls of each contig, one behind the other."""
        rows = [
            (call.interval.start, call.interval.end, call.strand.value, number)
            for number, ours in enumerate(calls)
            for call in ours
        ]
        return cls(*np.array(rows, dtype=np.int64).reshape(-1, 4).T)


class CodedText(NamedTuple):
    """The bases of a contig, whether it is a circle, and its NCBI genetic code."""

    bases: str
    circle: bool
    code: int


@dataclass(frozen=True, slots=True, eq=False)
class Codons:
    """The codon at every base of contigs, on both strands.

    Attributes:
        forward: Number of the codon that begins at each base, 0 to 63 in the order of A, C,
            G, T; 64 where it has another letter. Contigs lie one behind the other; a circle
            is there twice.
        reverse: The same of the other strand: the codon whose last base lies at that base.
        first: Where each contig begins.
        is_stop: By contig and codon number, 65 of them.
    """

    forward: Integers
    reverse: Integers
    first: Integers
    is_stop: NDArray[np.bool_]

    @classmethod
    def of(cls, contigs: Sequence[CodedText]) -> Codons:
        """Codons of contigs. Cost: 20 ns a base."""
        texts = [one.bases * (1 + one.circle) + _BETWEEN for one in contigs]
        first = [0, *accumulate(map(len, texts))][:-1]
        digits = _DIGITS[np.frombuffer("".join(texts).encode("ascii"), dtype=np.uint8)]
        turned = _TURNED_DIGITS[digits]
        return cls(
            _numbers(digits[:-2], digits[1:-1], digits[2:]),
            _numbers(turned[2:], turned[1:-1], turned[:-2]),
            np.array(first, dtype=np.int64),
            np.stack([_is_stop(one.code) for one in contigs]),
        )

    def end_in_stop(
        self, start: Integers, end: Integers, strand: Integers, contig: Integers
    ) -> NDArray[np.bool_]:
        """Whether the last codon of each frame is a stop codon."""
        here = self.first[contig] + np.where(strand > 0, end - 3, start)
        last = np.where(strand > 0, self.forward[here], self.reverse[here])
        return np.asarray(self.is_stop[contig, last], dtype=np.bool_)

    def owner(self) -> Integers:
        """Number of the contig at each base."""
        behind = np.append(self.first[1:], len(self.forward))
        return np.repeat(np.arange(len(self.first)), behind - self.first)


@lru_cache(maxsize=8)
def _is_stop(code: int) -> NDArray[np.bool_]:
    is_stop = np.zeros(_KINDS, dtype=np.bool_)
    for codon in stop_codons(code):
        first, second, third = ("ACGT".index(base) for base in codon)
        is_stop[16 * first + 4 * second + third] = True
    return is_stop


def _numbers(first: Integers, second: Integers, third: Integers) -> Integers:
    numbers = np.minimum(16 * first + 4 * second + third, _UNKNOWN)
    return np.asarray(numbers, dtype=np.int64)


class _Inner(NamedTuple):
    """All codons of genes but those at their right ends: first base, the gene, the strand."""

    at: Integers
    gene: Integers
    forward: NDArray[np.bool_]


def _inner(codons: Codons, genes: Spans) -> _Inner:
    codons_each = np.maximum((genes.end - genes.start) // 3 - 1, 0)
    gene = np.repeat(np.arange(len(codons_each)), codons_each)
    before = np.cumsum(codons_each) - codons_each
    step = np.arange(len(gene)) - before[gene]
    first = codons.first[genes.contig] + genes.start
    return _Inner(first[gene] + 3 * step, gene, (genes.strand > 0)[gene])


def usage(codons: Codons, genes: Spans) -> Reals:
    """How much more often each codon is read by the genes of a contig than by their other frames.

    Args:
        codons: Of the contigs.
        genes: That were called on them, of whole codons.

    Returns:
        Natural logarithm of the ratio for each contig and codon number; 0 for the unknown
        codon. Shape (contigs, 65).

    Cost: 0.1 us a codon.
    """
    inner = _inner(codons, genes)
    base = _KINDS * genes.contig[inner.gene]
    size = _KINDS * len(codons.first)
    not_first = inner.at != (codons.first[genes.contig] + genes.start)[inner.gene]
    own, other = _both(codons, inner.at, inner.forward)
    read = np.bincount((base + own)[not_first], minlength=size)
    last = codons.first[genes.contig] + genes.end - 3
    across = _both(codons, last, genes.strand > 0)[1]
    not_read = np.bincount(base + other, minlength=size)
    not_read += np.bincount(_KINDS * genes.contig + across, minlength=size)
    for shift in (1, 2):
        for numbers in _both(codons, inner.at + shift, inner.forward):
            not_read += np.bincount(base + numbers, minlength=size)
    ratio = np.zeros((len(codons.first), _KINDS))
    ratio[:, :_CODONS] = np.log(_shares(read)) - np.log(_shares(not_read))
    return ratio


def _both(codons: Codons, at: Integers, forward: NDArray[np.bool_]) -> tuple[Integers, Integers]:
    """Codons there on the strand of a gene, and on the other."""
    ahead, back = codons.forward[at], codons.reverse[at]
    return np.where(forward, ahead, back), np.where(forward, back, ahead)


def _shares(counts: Integers) -> Reals:
    raised = counts.reshape(-1, _KINDS)[:, :_CODONS] + float(_PSEUDOCOUNT)
    return np.asarray(raised / raised.sum(axis=1, keepdims=True), dtype=np.float64)


def usage_log_odds(codons: Codons, ratio: Reals, frames: Spans) -> Reals:
    """Sum of the ratios of :func:`usage` over the inner codons of each frame, in nats."""
    steps = np.rint(ratio * _STEPS).astype(np.int64).reshape(-1)
    base = _KINDS * codons.owner()
    # Inner codons: neither the start nor the stop codon.
    first = codons.first[frames.contig] + frames.start + 3
    behind = codons.first[frames.contig] + frames.end - 3
    summed = np.zeros(len(first), dtype=np.int64)
    for sign, numbers in ((1, codons.forward), (-1, codons.reverse)):
        mine = frames.strand == sign
        running = _running(steps[base + numbers])
        summed[mine] = running[behind[mine]] - running[first[mine]]
    return np.asarray(summed / _STEPS, dtype=np.float64)


def _running(values: Integers) -> Integers:
    """At each base the sum of the values three, six, ... bases before it."""
    padded = np.zeros(-(-len(values) // 3) * 3 + 3, dtype=np.int64)
    padded[3 : 3 + len(values)] = values
    rows = padded.reshape(-1, 3).cumsum(axis=0)
    return np.concatenate([rows.reshape(-1), rows[-1], rows[-1]])


def stop_chances(codons: Codons, genes: Spans) -> Reals:
    """How likely a stop codon is in each other frame of a gene if its codons were in any order.

    The null for frames inside a gene: the gene keeps its codons, and with them most of
    what makes stops rare or common in the frames across, and loses their order.

    Args:
        codons: Of the contigs.
        genes: On them, of whole codons.

    Returns:
        Chance per codon, 0..1, for six frames of each gene: on the gene's strand, shifted by 0
        (its own: always 0), 1 and 2 bases, then on the other strand with its codons covering
        those that begin 0, 1 and 2 bases into the gene's codons. Shape (genes, 6).

    Cost: 20 ns a codon.
    """
    inner = _inner(codons, genes)
    # The stop codon of a gene is its last one as read.
    read = np.where(inner.forward, codons.forward[inner.at], codons.reverse[inner.at + 3])
    known = read < _UNKNOWN
    numbers = _CODONS * inner.gene[known] + read[known]
    counts = np.bincount(numbers, minlength=_CODONS * len(genes.start))
    count = counts.reshape(-1, 4, 4, 4)
    total = count.sum(axis=(1, 2, 3)).reshape(-1, 1)
    share = 1.0 / np.maximum(total, 1)
    begins_1, begins_2 = count.sum(axis=(2, 3)), count.sum(axis=3).reshape(-1, 16)
    ends_1, ends_2 = count.sum(axis=1).reshape(-1, 16), count.sum(axis=(1, 2))
    stops = codons.is_stop[genes.contig, :_CODONS]
    chances = np.zeros((len(genes.start), 6))
    triplets = np.arange(_CODONS)
    for place, is_stop in ((0, stops), (3, stops[:, _turned(triplets)])):
        one = ends_1[:, triplets // 4] * begins_1[:, triplets % 4]
        two = ends_2[:, triplets // 16] * begins_2[:, triplets % 16]
        chances[:, place + 1] = (one * is_stop).sum(axis=1)
        chances[:, place + 2] = (two * is_stop).sum(axis=1)
    chances *= share * share
    across = count.reshape(-1, _CODONS) * stops[:, _turned(triplets)]
    chances[:, 3] = across.sum(axis=1) * share[:, 0]
    return chances


def _turned(number: Integers) -> Integers:
    """Number of each codon on the other strand."""
    return 63 - (16 * (number % 4) + 4 * (number // 4 % 4) + number // 16)


def background_stop_chance(codons: Codons) -> Reals:
    """How likely a stop codon is where there is no gene: the share of stops in all frames.

    Returns:
        0..1 for each contig.
    """
    stops = np.zeros(len(codons.first), dtype=np.int64)
    known = stops.copy()
    owner = codons.owner()
    for numbers in (codons.forward, codons.reverse):
        stops += np.add.reduceat(codons.is_stop[owner, numbers].astype(np.int64), codons.first)
        known += np.add.reduceat((numbers < _UNKNOWN).astype(np.int64), codons.first)
    return np.asarray(stops / np.maximum(known, 1), dtype=np.float64)
