"""The table of named phages and their families, and how well relatives tell host and lifestyle."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from genint.knowledge.lifestyles import LifestyleModel, SmallFamily
from genint.knowledge.relatives import Limits, NamedPhage, RelativeTable
from genint.overview.ends import predicted_ends, terminase_families_of
from genint.overview.lifestyle import small_family_of
from genint.overview.record import RecordView
from genint.overview.relatives import families_of, host_of
from training.overview.material import Known
from training.overview.material import NamedPhage as Material

HEAD: Final = """\
# Named phages of the training proteins, lambda and phage K, with the families of genint's own
# that their proteins fall in. Made, not written by hand: python -m training.overview
# Families without the GF that their accessions begin with.
"""
LIMITS: Final = Limits(
    least_shared=3,
    few_genes=20,
    least_shared_few=2,
    least_likeness=0.05,
    host_likeness=0.15,
    host_agreement=0.8,
    host_right=0,
    host_judged=0,
    near_likeness=0.8,
    near_right=0,
    near_judged=0,
    ends_agreement=0.8,
    ends_right=0,
    ends_judged=0,
)
"""Chosen; what they are worth is measured."""


class Read(NamedTuple):
    """A phage of the table as genint reads it.

    Attributes:
        known: What is known of it.
        view: Its genes.
        families: Of its proteins.
        is_whole: Whether nearly all of its proteins are there.
        is_held_back: Whether nothing is fitted or judged on it.
    """

    known: Known
    view: RecordView
    families: frozenset[str]
    is_whole: bool
    is_held_back: bool


def read(known: Known, phage: Material, view: RecordView) -> Read:
    """A phage with its families."""
    return Read(known, view, families_of(view), phage.is_whole, phage.is_held_back)


def table_of(phages: Iterable[Read]) -> RelativeTable:
    """The table; of phages with the very same families in one group the first stands for all."""
    seen, kept = set(), []
    for one in phages:
        key = (one.families, one.known.group)
        if one.families and key not in seen:
            seen.add(key)
            kept.append(_row(one))
    return RelativeTable(tuple(kept), LIMITS)


def _row(one: Read) -> NamedPhage:
    known = one.known
    traits = (known.record, known.name, known.host, known.lifestyle, known.group, known.ends)
    return NamedPhage(*traits, len(one.view.players), one.families)


def alike(known: Known, table: RelativeTable) -> frozenset[str]:
    """Records of the table that may be the phage itself: of its record or its name's last word."""
    last = known.name.split()[-1].casefold()
    return frozenset(
        one.record
        for one in table.phages
        if one.record == known.record or one.name.split()[-1].casefold() == last
    )


class JudgedHosts(NamedTuple):
    """How many hosts are right by relatives other than the phage itself.

    Attributes:
        right: By relatives that are not very near.
        told: All by those.
        near_right: By relatives that are very near.
        near_told: All by those.
        number: Phages whose host is known.
    """

    right: int
    told: int
    near_right: int
    near_told: int
    number: int


def judge_hosts(
    phages: Sequence[Read], table: RelativeTable, *, without_group: bool
) -> JudgedHosts:
    """Tell each host by the others, or by those of other groups alone."""
    right, told, number = Counter[bool](), Counter[bool](), 0
    for one in phages:
        if not one.known.host:
            continue
        number += 1
        out = set(alike(one.known, table))
        if without_group:
            out |= {other.record for other in table.phages if other.group == one.known.group}
        found = table.without(out).nearest(one.families, len(one.view.players))
        host = host_of(found, table.limits)
        if host is not None:
            told[host.is_near] += 1
            right[host.is_near] += host.genus == one.known.host
    return JudgedHosts(right[False], told[False], right[True], told[True], number)


def judge_ends(phages: Sequence[Read], table: RelativeTable) -> tuple[int, int, int]:
    """How many ways to pack are right by phages of other groups: right, told, all."""
    right = told = number = 0
    for one in phages:
        families = terminase_families_of(one.view)
        if not one.known.ends or not families:
            continue
        number += 1
        out = {other.record for other in table.phages if other.group == one.known.group}
        said = predicted_ends(families, table.without(out | alike(one.known, table)))
        if said is not None:
            told += 1
            right += said.ends == one.known.ends
    return right, told, number


def judge_families(
    phages: Sequence[Read], table: RelativeTable, model: LifestyleModel
) -> Iterator[SmallFamily]:
    """The families without a tail, with how often they were right of phages left out."""
    told: list[tuple[SmallFamily, str]] = []
    for one in phages:
        if not one.known.lifestyle:
            continue
        found = table.without(alike(one.known, table)).nearest(one.families, len(one.view.players))
        family = small_family_of(one.view, found, model)
        if family is not None:
            told.append((family, one.known.lifestyle))
    for family in model.families:
        of = [lifestyle for said, lifestyle in told if said is family]
        yield family._replace(right=of.count(family.lifestyle), judged=len(of))


def text_of_limits(limits: Limits) -> str:
    """The file of the limits."""
    return (
        "# From where on a phage of relatives.tsv is a relative, and what relatives tell. Written\n"
        "# by python -m training.overview: limits chosen, counts measured.\n\n[limits]\n"
        + "".join(f"{name} = {value}\n" for name, value in limits._asdict().items())
    )
