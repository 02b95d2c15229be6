"""Nucleotides and proteins: complement, genetic codes, start sites, translation."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import product
from types import MappingProxyType
from typing import Final, NamedTuple

from genint.model.interval import Location, Part, Strand

IUPAC_DNA = "ACGTRYSWKMBDHVN"
START_CODONS: Final = frozenset({"ATG", "GTG", "TTG"})
"""Start codons of nearly all genes of bacteria and phages; gene finders call no others."""
_COMPLEMENT = str.maketrans("ACGTRYSWKMBDHVN", "TGCAYRSWMKVHDBN")


_CODES: Final = """
1 FFLLSSSSYY**CC*WLLLLPPPPHHQQRRRRIIIMTTTTNNKKSSRRVVVVAAAADDEEGGGG TTG,CTG,ATG
2 FFLLSSSSYY**CCWWLLLLPPPPHHQQRRRRIIMMTTTTNNKKSS**VVVVAAAADDEEGGGG ATT,ATC,ATA,ATG,GTG
3 FFLLSSSSYY**CCWWTTTTPPPPHHQQRRRRIIMMTTTTNNKKSSRRVVVVAAAADDEEGGGG ATA,ATG,GTG
4 FFLLSSSSYY**CCWWLLLLPPPPHHQQRRRRIIIMTTTTNNKKSSRRVVVVAAAADDEEGGGG TTA,TTG,CTG,ATT,ATC,ATA,ATG,GTG
5 FFLLSSSSYY**CCWWLLLLPPPPHHQQRRRRIIMMTTTTNNKKSSSSVVVVAAAADDEEGGGG TTG,ATT,ATC,ATA,ATG,GTG
6 FFLLSSSSYYQQCC*WLLLLPPPPHHQQRRRRIIIMTTTTNNKKSSRRVVVVAAAADDEEGGGG ATG
9 FFLLSSSSYY**CCWWLLLLPPPPHHQQRRRRIIIMTTTTNNNKSSSSVVVVAAAADDEEGGGG ATG,GTG
10 FFLLSSSSYY**CCCWLLLLPPPPHHQQRRRRIIIMTTTTNNKKSSRRVVVVAAAADDEEGGGG ATG
11 FFLLSSSSYY**CC*WLLLLPPPPHHQQRRRRIIIMTTTTNNKKSSRRVVVVAAAADDEEGGGG TTG,CTG,ATT,ATC,ATA,ATG,GTG
12 FFLLSSSSYY**CC*WLLLSPPPPHHQQRRRRIIIMTTTTNNKKSSRRVVVVAAAADDEEGGGG CTG,ATG
13 FFLLSSSSYY**CCWWLLLLPPPPHHQQRRRRIIMMTTTTNNKKSSGGVVVVAAAADDEEGGGG TTG,ATA,ATG,GTG
14 FFLLSSSSYYY*CCWWLLLLPPPPHHQQRRRRIIIMTTTTNNNKSSSSVVVVAAAADDEEGGGG ATG
15 FFLLSSSSYY*QCC*WLLLLPPPPHHQQRRRRIIIMTTTTNNKKSSRRVVVVAAAADDEEGGGG ATG
16 FFLLSSSSYY*LCC*WLLLLPPPPHHQQRRRRIIIMTTTTNNKKSSRRVVVVAAAADDEEGGGG ATG
21 FFLLSSSSYY**CCWWLLLLPPPPHHQQRRRRIIMMTTTTNNNKSSSSVVVVAAAADDEEGGGG ATG,GTG
22 FFLLSS*SYY*LCC*WLLLLPPPPHHQQRRRRIIIMTTTTNNKKSSRRVVVVAAAADDEEGGGG ATG
23 FF*LSSSSYY**CC*WLLLLPPPPHHQQRRRRIIIMTTTTNNKKSSRRVVVVAAAADDEEGGGG ATT,ATG,GTG
24 FFLLSSSSYY**CCWWLLLLPPPPHHQQRRRRIIIMTTTTNNKKSSSKVVVVAAAADDEEGGGG TTG,CTG,ATG,GTG
25 FFLLSSSSYY**CCGWLLLLPPPPHHQQRRRRIIIMTTTTNNKKSSRRVVVVAAAADDEEGGGG TTG,ATG,GTG
26 FFLLSSSSYY**CC*WLLLAPPPPHHQQRRRRIIIMTTTTNNKKSSRRVVVVAAAADDEEGGGG CTG,ATG
27 FFLLSSSSYYQQCC*WLLLLPPPPHHQQRRRRIIIMTTTTNNKKSSRRVVVVAAAADDEEGGGG ATG
28 FFLLSSSSYY**CC*WLLLLPPPPHHQQRRRRIIIMTTTTNNKKSSRRVVVVAAAADDEEGGGG ATG
29 FFLLSSSSYYYYCC*WLLLLPPPPHHQQRRRRIIIMTTTTNNKKSSRRVVVVAAAADDEEGGGG ATG
30 FFLLSSSSYYEECC*WLLLLPPPPHHQQRRRRIIIMTTTTNNKKSSRRVVVVAAAADDEEGGGG ATG
31 FFLLSSSSYY**CCWWLLLLPPPPHHQQRRRRIIIMTTTTNNKKSSRRVVVVAAAADDEEGGGG ATG
32 FFLLSSSSYY*WCC*WLLLLPPPPHHQQRRRRIIIMTTTTNNKKSSRRVVVVAAAADDEEGGGG TTG,CTG,ATT,ATC,ATA,ATG,GTG
33 FFLLSSSSYYY*CCWWLLLLPPPPHHQQRRRRIIIMTTTTNNKKSSSKVVVVAAAADDEEGGGG TTG,CTG,ATG,GTG
"""
"""Genetic codes of NCBI: number, residues of all codons (bases in the order T, C, A, G; stops are
``*``, those too that some genes read), start codons. Biopython has the same tables, and takes
0.1 s to load them."""
_TRIPLETS: Final = re.compile("...", re.DOTALL)
_CODONS: Final = tuple(map("".join, product("TCAG", repeat=3)))
_CODE_OF: Final = MappingProxyType({int(row.split()[0]): row for row in _CODES.strip().split("\n")})


@lru_cache(maxsize=32)
def _codon_map(table: int) -> tuple[dict[str, str], frozenset[str], frozenset[str]]:
    """Codon -> amino acid (stops are ``*``), start codons, stop codons."""
    _, residues, starts = _CODE_OF[table].split()
    codons = _Residues(zip(_CODONS, residues, strict=True))
    stops = frozenset(codon for codon, residue in codons.items() if residue == "*")
    return codons, frozenset(starts.split(",")), stops


class _Residues(dict[str, str]):
    """Amino acid of each codon; ``X`` of what is none."""

    def __missing__(self, codon: str) -> str:
        return "X"


def is_genetic_code(table: int) -> bool:
    """Whether NCBI defines a genetic code of that number."""
    return table in _CODE_OF


def start_codons(table: int) -> frozenset[str]:
    """Start codons of NCBI genetic code ``table``; KeyError where there is none."""
    return _codon_map(table)[1]


def stop_codons(table: int) -> frozenset[str]:
    """Stop codons of NCBI genetic code ``table``; KeyError where there is none."""
    return _codon_map(table)[2]


def reverse_complement(bases: str) -> str:
    """The other strand, 5' to 3'. Upper-case IUPAC in, the same out. O(length)."""
    return bases.translate(_COMPLEMENT)[::-1]


def open_circle(bases: str, opening: int, margin_bp: int) -> str:
    """A circle as a line, with bases repeated on both sides so that no gene is cut.

    Args:
        bases: The circle, from wherever its file starts it.
        opening: The base to open it at.
        margin_bp: Bases to repeat on either side, at most all.
    """
    turned = bases[opening:] + bases[:opening]
    return turned[len(turned) - margin_bp :] + turned + turned[:margin_bp]


def extract(bases: str, location: Location) -> str:
    """The bases of a feature as transcribed: parts joined, reverse strand turned."""
    pieces = []
    for part in location.parts:
        piece = part.interval.slice(bases)
        pieces.append(piece if part.strand is Strand.FORWARD else reverse_complement(piece))
    return "".join(pieces)


def translate(coding: str, table: int) -> str:
    """Translate codon by codon; ``*`` for stops, ``X`` where a codon is ambiguous.

    Bases after the last whole codon are ignored. Nothing is done about start
    codons: see :func:`translate_cds`.

    Raises:
        KeyError: no such genetic code.

    Cost: O(length).
    """
    # This is the costliest line of reading a bacterium: no loop of our own.
    return "".join(map(_codon_map(table)[0].__getitem__, _TRIPLETS.findall(coding)))


def translate_cds(coding: str, table: int, *, complete_start: bool = True) -> str:
    """The protein of a coding sequence: first residue M, final stop removed.

    Args:
        coding: Bases from the first base of the first whole codon.
        table: NCBI genetic code.
        complete_start: The 5' end is the true start, so a start codon such as
            GTG or TTG is read as M. False for genes cut off at their 5' end.

    Returns:
        One-letter residues; internal stops stay as ``*``.
    """
    protein = translate(coding, table)
    if complete_start and coding[:3] in start_codons(table):
        protein = "M" + protein[1:]
    return protein.removesuffix("*")


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
