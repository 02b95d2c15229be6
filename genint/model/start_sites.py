"""Where else a reading frame could start: start codons in front of the one that was called."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from genint.model.interval import Location, Part, Strand
from genint.model.sequence import reverse_complement, stop_codons

START_CODONS: Final = frozenset({"ATG", "GTG", "TTG"})
"""Those that gene finders call in bacteria and phages."""


class StartSites(NamedTuple):
    """The start of a gene, and those in front of it.

    Attributes:
        codon: Its first codon.
        upstream: First bases of start codons of the same frame, up to the stop codon or
            the end of the sequence in front of it, nearest first; 1-based positions on the
            forward strand. Without any the gene is the longest that the frame allows.
    """

    codon: str
    upstream: tuple[int, ...]


def start_sites(bases: str, location: Location, table: int, *, circular: bool) -> StartSites | None:
    """The starts that a gene could have had besides its own, if it were longer.

    Args:
        bases: Of the contig, upper case.
        location: Of the gene.
        table: NCBI genetic code.
        circular: The contig has no ends.

    Returns:
        None where the 5' end is cut off or the contig has no bases.

    Raises:
        KeyError: no such genetic code.

    Cost: O(length of the open frame in front of the gene).
    """
    if location.partial_5 or not bases:
        return None
    stops = stop_codons(table)
    codons = _codons_backwards(bases, location.parts[0], circular=circular)
    _, codon = next(codons)
    upstream = []
    for first_base, read in codons:
        if read in stops:
            break
        if read in START_CODONS:
            upstream.append(first_base)
    return StartSites(codon, tuple(upstream))


def _codons_backwards(bases: str, part: Part, *, circular: bool) -> Iterator[tuple[int, str]]:
    """Codons from the first one of a part against the direction of reading.

    Yields:
        The 1-based position of the codon's first base, and the codon.
    """
    length_bp = len(bases)
    forward = part.strand is Strand.FORWARD
    for step in range(length_bp // 3):
        start = part.interval.start - 3 * step if forward else part.interval.end - 3 + 3 * step
        if not circular and not 0 <= start <= length_bp - 3:
            return
        start %= length_bp
        read = bases[start : start + 3]
        if len(read) < 3:  # noqa: PLR2004 - a codon over the origin
            read += bases[: 3 - len(read)]
        if forward:
            yield start + 1, read
        else:
            yield (start + 2) % length_bp + 1, reverse_complement(read)
