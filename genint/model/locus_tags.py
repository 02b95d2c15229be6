"""Locus tags as the INSDC has them: a registered prefix, one underscore, a number.

Source: INSDC, *Locus tag prefixes* (BioProject and BioSample); NCBI, *Prokaryotic genome
annotation guide*, section on locus tags.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from genint.errors import UsageError

PREFIX_RULE: Final = (
    "a locus tag prefix is 3 to 12 letters and digits of ASCII and begins with a letter"
)
"""What the INSDC takes as a prefix."""
_PREFIX: Final = re.compile(r"[A-Za-z][A-Za-z0-9]{2,11}")
TAG_STEP: Final = 10
"""Between the numbers of neighbouring genes, so that genes found later have room."""
_NUMBERED: Final = re.compile(r"([A-Za-z][A-Za-z0-9]{2,11})_(?:RNA|CRISPR)?(\d+)", re.ASCII)
_TAG: Final = re.compile(r"([A-Za-z][A-Za-z0-9]{2,11})_[A-Za-z0-9]+")


def checked_prefix(prefix: str) -> str:
    """The prefix, if it is one.

    Raises:
        UsageError: it breaks the rule of the INSDC, which the message says.
    """
    if not isinstance(prefix, str) or not _PREFIX.fullmatch(prefix):
        raise UsageError(f"{PREFIX_RULE}, such as ABC or A1C2: {prefix!r:.40} is none")
    return prefix


def prefix_of(tag: str) -> str | None:
    """The prefix of a locus tag by the rules; None where the text is no such tag."""
    found = _TAG.fullmatch(tag)
    return found[1] if found else None


def last_number(tags: Iterable[str], prefix: str) -> int:
    """The highest number behind a prefix, of genes, RNA genes and CRISPR arrays; 0 for none."""
    found = (_NUMBERED.match(tag) for tag in tags)
    return max((int(one[2]) for one in found if one and one[1] == prefix), default=0)
