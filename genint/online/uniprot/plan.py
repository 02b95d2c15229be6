"""How many calls a run may make to UniProt, and what they are worth.

A run of a few proteins makes up to 7 calls, one of 4,300 up to 114 (with InterPro's 46 that is
160). What each step is worth is counted against the only one that answers for certain: UniParc
by checksum takes a call for 50 sequences, and fetching one entry for each a call for 200, so
that a protein is N/50 + N/200 = N/40 of a call. 4,300 proteins: 86 + 22 = 108, and 6 are left
for what may save many of them; genomes of up to 3,900 have 16 left. That is

* release and number of entries of the taxon: 1; then pages of 500 entries, each worth it if it
  answers for 40 proteins;
* ID mapping: 1 to start it, 3 or 4 looks at it, 1 page of 500; further pages as above.

So each optional call is made only while what is left afterwards is enough for UniParc. If all
of them are in vain, a run is still within its calls.

So runs of few proteins learn more of each than runs of many: how much is a matter of their
number alone, and what was learned in one of many is not taken for what one of few would learn.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from enum import StrEnum
from typing import Final

from genint.online.uniprot.entries import MOST_ENTRIES

FEW: Final = 150
"""Up to here UniParc takes 3 calls, which is less than a job of ID mapping."""
PAGE: Final = 500
"""Entries of a page; the server gives no more."""
ACCESSIONS: Final = 200
"""Of one call: the server takes 1,000, but such answers have taken longer than 30 s."""
_FULL: Final = 40
"""Up to here five entries of each are fetched by one call."""
_CHECKSUMS: Final = 50
_CALLS_FOR_FEW: Final = 7
_LEAST_SPARE: Final = 6
_MOST_SPARE: Final = 16
_CALLS_FOR_MANY: Final = 114
"""Of the 160 of a run, what InterPro leaves of 4,300 proteins."""
_SMALL_TAXON: Final = 1_000
_LARGE_TAXON: Final = 3
"""Entries of a taxon for each open protein from which on most pages would be in vain."""


class Plan(StrEnum):
    """How thoroughly a run asks; the most thorough one first."""

    FULL = "full"
    """Reviewed entries of other taxa are looked for, and up to five entries of each fetched."""
    FEW = "few"
    """The same with up to two entries that are fetched."""
    MANY = "many"
    """As many as the calls allow, and reviewed ones of other taxa where few have none."""

    @property
    def entries_each(self) -> int:
        """Up to how many entries of each protein are fetched."""
        return 2 if self is Plan.FEW else MOST_ENTRIES

    @property
    def served_by(self) -> tuple[Plan, ...]:
        """Plans whose answers do for it: itself, and those that are more thorough."""
        plans = tuple(Plan)
        return plans[plans.index(self) :: -1]


def plan_of(proteins: int) -> Plan:
    """How thoroughly so many proteins are asked about."""
    if proteins <= _FULL:
        return Plan.FULL
    return Plan.FEW if proteins <= FEW else Plan.MANY


def most_calls(proteins: int) -> int:
    """Calls of a run that asks about so many."""
    if proteins <= FEW:
        return _CALLS_FOR_FEW
    certain = calls_needed(proteins)
    return max(certain + _LEAST_SPARE, min(certain + _MOST_SPARE, _CALLS_FOR_MANY))


def calls_needed(proteins: int) -> int:
    """Calls to UniParc and for one entry of each of so many."""
    return math.ceil(proteins / _CHECKSUMS) + math.ceil(proteins / ACCESSIONS)


def is_taxon_small(entries: int, proteins: int) -> bool:
    """Whether reading all entries of a taxon is likely to answer for the proteins."""
    return 0 < entries <= max(_LARGE_TAXON * proteins, _SMALL_TAXON)


def entries_each(counts: Iterable[int], calls: int, most: int = MOST_ENTRIES) -> int:
    """How many entries of each protein can be fetched with so many calls, 1 to ``most``.

    Args:
        counts: Entries that each protein has.
        calls: That may be made.
        most: Entries of each that are wanted.
    """
    known = list(counts)
    for each in range(most, 1, -1):
        if sum(min(each, count) for count in known) <= calls * ACCESSIONS:
            return each
    return 1
