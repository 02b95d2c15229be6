"""Which records of a file are of a bacterium, and which are phages.

A file may hold both: an assembly of a lysogen with its phages, a collection. Each record is judged
by what the file says of it, by its length, and by whether it has the composition of a bacterium
that lies in the file in pieces. Composition is that of Karlin S, Burge C. Trends Genet
1995;11:283 (relative abundance of dinucleotides), and the share of G and C.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import Final, NamedTuple

from genint.model.genome import Contig, Genome
from genint.model.vocabulary import BACTERIUM_BP, GenomeKind

_CELLULAR: Final = frozenset({"Bacteria", "Archaea"})
_SAYS_PHAGE: Final = re.compile(
    r"\b(?:(?:bacterio|cyano|coli|myco|vibrio|actino)?phage|virus)\b"
    r"(?![- ](?:resistan|like|related))",
    re.IGNORECASE,
)
_SAYS_CELL: Final = re.compile(r"\b(?:chromosome|plasmid)\b", re.IGNORECASE)
_JUDGED_BP: Final = 10_000
"""Shorter records have too few bases for their composition to tell."""
_MOST_SEEDS: Final = 30
_ROUNDS: Final = 3
_MAX_SHORT_GC_SPREAD: Final = 0.045
"""Between pieces below 10 kb: those of four bacteria, cut to 3 to 10 kb, spread by 0.019 to 0.046
in GC share, a hundred microviruses of 5.5 kb by 0.048."""


class _Limit(NamedTuple):
    """How far pieces of one bacterium lie from the whole of it.

    Of seven bacteria of 24 to 66 % GC, cut up, 99 % of the pieces are nearer.
    """

    least_bp: int
    distance: float
    gc_difference: float


_LIMITS: Final = (
    _Limit(50_000, 0.085, 0.06),
    _Limit(20_000, 0.125, 0.085),
    _Limit(_JUDGED_BP, 0.165, 0.10),
)


class _Composition(NamedTuple):
    """Share of G and C, and the 16 dinucleotides relative to chance, both strands together."""

    length_bp: int
    gc: float
    relative: tuple[float, ...]


def kinds_of(genome: Genome) -> Mapping[str, GenomeKind]:
    """What each record is taken for, by its id.

    Below 500 kb in all, every record is a phage or a piece of one. From there on a record is of
    a bacterium if the file says so, if it has 500 kb itself, or if it is like others with
    which it has 500 kb.

    Cost: nothing for a single record; 0.1 s a megabase of many.
    """
    judged = {contig.id: contig.kind for contig in genome.contigs if contig.kind is not None}
    if len(judged) == len(genome.contigs):
        return judged
    if genome.length_bp < BACTERIUM_BP:
        return dict.fromkeys((contig.id for contig in genome.contigs), GenomeKind.PHAGE)
    stated = {contig.id: stated_kind(contig) for contig in genome.contigs}
    open_ = [contig for contig in genome.contigs if stated[contig.id] is not GenomeKind.PHAGE]
    bacterial = {
        contig.id
        for contig in open_
        if stated[contig.id] is GenomeKind.BACTERIUM or len(contig) >= BACTERIUM_BP
    }
    if len(open_) > 1:
        bacterial |= _alike(open_, bacterial)
    return {
        contig.id: GenomeKind.BACTERIUM if contig.id in bacterial else GenomeKind.PHAGE
        for contig in genome.contigs
    }


def with_kinds(genome: Genome) -> Genome:
    """The genome with what each of its records is taken for."""
    kinds = kinds_of(genome)
    contigs = tuple(replace(contig, kind=kinds[contig.id]) for contig in genome.contigs)
    return replace(genome, contigs=contigs)


def stated_kind(contig: Contig) -> GenomeKind | None:
    """What the file says that a record is; None where it does not."""
    if contig.lineage:
        if contig.lineage[0] in _CELLULAR:
            return GenomeKind.BACTERIUM
        if contig.lineage[0] == "Viruses":
            return GenomeKind.PHAGE
    return kind_in_words(f"{contig.organism or ''} {contig.description}")


def kind_in_words(told: str) -> GenomeKind | None:
    """What an organism or a description says that a record is; None where it does not."""
    if _SAYS_CELL.search(told):
        return GenomeKind.BACTERIUM
    return GenomeKind.PHAGE if _SAYS_PHAGE.search(told) else None


def _alike(contigs: Sequence[Contig], known: Iterable[str]) -> set[str]:
    """Records that together with others of their composition have 500 kb, by their ids."""
    long = {c.id: _composition(c.bases) for c in contigs if len(c) >= _JUDGED_BP}
    short_bp = sum(len(contig) for contig in contigs if contig.id not in long)
    found = set(known)
    left = {name: one for name, one in long.items() if name not in found}
    for name in found & long.keys():
        found |= _near(_group(long[name], left), left)
    left = {name: one for name, one in left.items() if name not in found}
    while group := _largest_group(left):
        found |= group
        left = {name: one for name, one in left.items() if name not in group}
    in_pieces = short_bp >= BACTERIUM_BP and _gc_spread(contigs) <= _MAX_SHORT_GC_SPREAD
    if found or in_pieces:
        found |= {contig.id for contig in contigs if contig.id not in long}
    return found


def _largest_group(left: Mapping[str, _Composition]) -> set[str]:
    """The largest set of records of one composition; empty where none has 500 kb."""
    seeds = sorted(left.values(), key=lambda one: -one.length_bp)[:_MOST_SEEDS]
    groups = (_near(_group(seed, left), left) for seed in seeds)
    best = max(groups, key=lambda group: sum(left[n].length_bp for n in group), default=set())
    return best if sum(left[name].length_bp for name in best) >= BACTERIUM_BP else set()


def _group(seed: _Composition, others: Mapping[str, _Composition]) -> _Composition:
    """The mean composition of a record and those like it."""
    centre = seed
    for _ in range(_ROUNDS):
        near = [seed, *(others[name] for name in _near(centre, others) if others[name] != seed)]
        total_bp = sum(one.length_bp for one in near)
        centre = _Composition(
            total_bp,
            sum(one.length_bp * one.gc for one in near) / total_bp,
            tuple(
                sum(one.length_bp * value for one, value in zip(near, column, strict=True))
                / total_bp
                for column in zip(*(one.relative for one in near), strict=True)
            ),
        )
    return centre


def _near(centre: _Composition, others: Mapping[str, _Composition]) -> set[str]:
    return {name for name, one in others.items() if _is_near(centre, one)}


def _is_near(centre: _Composition, one: _Composition) -> bool:
    limit = next(limit for limit in _LIMITS if one.length_bp >= limit.least_bp)
    if abs(centre.gc - one.gc) > limit.gc_difference:
        return False
    pairs = zip(centre.relative, one.relative, strict=True)
    return sum(abs(a - b) for a, b in pairs) / len(one.relative) <= limit.distance


def _composition(bases: str) -> _Composition:
    counts = {base: bases.count(base) for base in "ACGT"}
    known = sum(counts.values()) or 1
    gc = (counts["G"] + counts["C"]) / known
    share = {"A": (1 - gc) / 2, "T": (1 - gc) / 2, "C": gc / 2, "G": gc / 2}
    complement = dict(zip("ACGT", "TGCA", strict=True))
    pairs = {a + b: bases.count(a + b) for a, b in product("ACGT", repeat=2)}
    total = sum(pairs.values()) or 1
    relative = tuple(
        (pairs[a + b] + pairs[complement[b] + complement[a]])
        / (2 * total * max(share[a] * share[b], 1e-9))
        for a, b in product("ACGT", repeat=2)
    )
    return _Composition(len(bases), gc, relative)


def _gc_spread(contigs: Sequence[Contig]) -> float:
    """Standard deviation of the GC share of the short records, each weighted by its length."""
    short = [contig.bases for contig in contigs if 0 < len(contig) < _JUDGED_BP]
    total_bp = sum(map(len, short))
    shares = [(bases.count("G") + bases.count("C")) / len(bases) for bases in short]
    mean = sum(len(b) * share for b, share in zip(short, shares, strict=True)) / total_bp
    squares = (len(b) * (share - mean) ** 2 for b, share in zip(short, shares, strict=True))
    return math.sqrt(sum(squares) / total_bp)
