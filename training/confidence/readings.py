"""Verdicts by reading: pairs of names that were read, whatever the judge of names says.

The judge compares words. Two names in other words for one protein, or a claim that is wider than
the record, look wrong to it; a few that share words are not one. ``readings.tsv`` holds what a
reading made of claims of the panel with a probability of 0.5 and more (before any ceiling) that
disagree for the judge, and of all names that genes never seen get offline, but for those that are
the record's own words. How they were read: ``reading.md``. What was read of names is believed
before the judge, in the fit, the borders of the levels and the figures. Parts ("contains a ...")
were read too: nearly all are there, but that does not make them the function.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from pathlib import Path
from types import MappingProxyType

PATH = Path(__file__).with_name("readings.tsv")
COLUMNS = ("record", "claim", "verdict", "why")


class Reading(StrEnum):
    """What a claim is for a gene whose record says something else.

    ``RIGHT``: the record's function in other words, or more exactly. ``WIDER``: a class or part
    that the record's function has. ``WRONG``: another function. ``NOTHING``: the record's words
    tell no function that the claim could be held against.
    """

    RIGHT = "right"
    WIDER = "wider"
    WRONG = "wrong"
    NOTHING = "nothing"


def reading_of(record: str, claim: str) -> Reading | None:
    """What was read of a pair of names; None for one that nobody read."""
    return read_readings().get(_key(record, claim))


def is_part(claim: str) -> bool:
    """Whether a claim is of a part of the protein: a domain, a region like another protein's."""
    return claim.startswith("contains a")


@cache
def read_readings(path: Path = PATH) -> Mapping[tuple[str, str], Reading]:
    """All verdicts, by record and claim without their case.

    Raises:
        ValueError: a row is not understood, or a pair has two verdicts.
    """
    found: dict[tuple[str, str], Reading] = {}
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            key = _key(row["record"], row["claim"])
            verdict = Reading(row["verdict"])
            if found.setdefault(key, verdict) is not verdict:
                raise ValueError(f"{path.name}: two verdicts on {' and '.join(key)}")
    return MappingProxyType(found)


def _key(record: str, claim: str) -> tuple[str, str]:
    return " ".join(record.casefold().split()), " ".join(claim.casefold().split())
