"""CRISPR arrays, found by MinCED, without the tandem repeats among them.

MinCED looks for short repeats at even distances. Genes of repetitive proteins have such
repeats too; what distinguishes them is that the spacers of a CRISPR come from different
phages, while what lies between the repeats of a gene is repeated itself.

Source: Bland et al. 2007, doi:10.1186/1471-2105-8-209 (the algorithm, through ``diced``);
Couvin et al. 2018, doi:10.1093/nar/gky425 (repeats conserved, spacers different, few
spacers as weak evidence).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from importlib.metadata import version
from itertools import combinations, pairwise

from diced import Crispr, scan

from genint.rna.merge import CrisprHit, SearchedContig

WHAT = "CRISPR arrays"
_MIN_REPEAT_IDENTITY = 0.80
"""Mean share of a repeat's bases that are those of the consensus: repeats of real arrays
differ in the last one or two only."""
_MAX_SPACER_IDENTITY = 0.55
"""Mean share of bases that two spacers have in common, place by place from either side
(chance: 0.25 from one side, some 0.3 for the better of the two)."""
_FEW_SPACERS = 3
_MIN_REPEAT_IDENTITY_FEW = 0.93
"""Arrays of three spacers or fewer are weak evidence (level 1 of CRISPRCasFinder): there the
repeats have to be nearly the same."""
_MOST_COMPARED = 30
"""Spacers that are compared pair by pair; more say nothing new."""


def method() -> str:
    """Program and version, as results name it."""
    return f"MinCED algorithm (diced {version('diced')})"


def find_arrays(contig: SearchedContig) -> tuple[CrisprHit, ...]:
    """CRISPR arrays of a contig, by position.

    Weakness: arrays of fewer than three repeats are not found. The strand is not
    determined.

    Cost: 0.02 CPU s a megabase.
    """
    name = method()
    found = (_hit(contig, array, name) for array in scan(contig.text))
    return tuple(sorted({array for array in found if array is not None}))


def _hit(contig: SearchedContig, array: Crispr, name: str) -> CrisprHit | None:
    interval = contig.place(array.start, array.end)
    if interval is None:
        return None
    ends = [(repeat.start, repeat.end) for repeat in array.repeats]
    repeats = [contig.text[start:end] for start, end in ends]
    # (Iterating the library's own spacers goes one too far.)
    spacers = tuple(contig.text[end:start] for (_, end), (start, _) in pairwise(ends))
    repeat = _consensus(repeats)
    if not is_array(repeat, repeats, spacers):
        return None
    return CrisprHit(interval, repeat, len(repeats), spacers, name)


def is_array(repeat: str, repeats: Sequence[str], spacers: Sequence[str]) -> bool:
    """Whether repeats and what lies between them are those of a CRISPR.

    Args:
        repeat: Consensus.
        repeats: Two or more.
        spacers: Between them; one fewer.
    """
    if "N" in repeat or len(set(repeat)) < len("ACG"):
        return False
    identity = sum(_identity(repeat, each) for each in repeats) / len(repeats)
    few = len(spacers) <= _FEW_SPACERS
    if identity < (_MIN_REPEAT_IDENTITY_FEW if few else _MIN_REPEAT_IDENTITY):
        return False
    if len(set(spacers)) < len(spacers) * 0.5:
        return False
    pairs = list(combinations(spacers[:_MOST_COMPARED], 2))
    alike = sum(map(_spacer_identity, pairs)) / max(1, len(pairs))
    return alike <= _MAX_SPACER_IDENTITY


def _consensus(repeats: Sequence[str]) -> str:
    """The most frequent repeat of the most frequent length, base by base."""
    length = Counter(map(len, repeats)).most_common(1)[0][0]
    columns = zip(*(each for each in repeats if len(each) == length), strict=True)
    return "".join(max(sorted(set(column)), key=column.count) for column in columns)


def _identity(one: str, other: str) -> float:
    """Share of the shorter one's places with the same base, from the left, 0..1."""
    shared = sum(a == b for a, b in zip(one, other, strict=False))
    return shared / max(1, min(len(one), len(other)))


def _spacer_identity(pair: tuple[str, str]) -> float:
    one, other = pair
    return max(_identity(one, other), _identity(one[::-1], other[::-1]))
