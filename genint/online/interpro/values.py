"""Values of InterPro's answers, read tolerantly: what is absent or of another type is left out."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping

_LONGEST_TEXT = 400
_ACCESSION = re.compile(r"[A-Za-z0-9][\w.:-]{0,59}", re.ASCII)
_SPACES = re.compile(r"[\s_-]+")
_STEP = re.compile(r"(\d+)([MID])")


def as_mapping(value: object) -> Mapping[str, object]:
    """The value where it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def as_list(value: object) -> list[object]:
    """The value where it is a list, else an empty one."""
    return value if isinstance(value, list) else []


def as_text(value: object) -> str:
    """The value where it is a text, on one line and of bounded length; else empty."""
    if not isinstance(value, str):
        return ""
    if not value.isprintable():
        value = "".join(sign if sign.isprintable() else " " for sign in value)
    return " ".join(value.split())[:_LONGEST_TEXT]


def as_accession(value: object) -> str:
    """The value where it has the form of an accession, else empty."""
    text = as_text(value)
    return text if _ACCESSION.fullmatch(text) else ""


def as_number(value: object) -> float | None:
    """A finite number, also one written as text."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def as_evalue(value: object) -> float | None:
    """A number that is not negative."""
    number = as_number(value)
    return number if number is not None and number >= 0 else None


def as_position(value: object) -> int | None:
    """A residue or model position, from 1."""
    number = as_number(value)
    return int(number) if number is not None and number >= 1 and number == int(number) else None


def as_type(value: object) -> str:
    """Type of an entry or signature: the services write one in three spellings."""
    return _SPACES.sub("_", as_text(value).lower())


def model_part(cigar: object) -> tuple[int, int, int] | None:
    """First, last and number of model positions of a profile's alignment.

    Profiles of HAMAP and PROSITE report no positions of the model, but the steps of the
    alignment: those of the model are matches (M) and deletions (D).
    """
    text = as_text(cigar)
    steps = [(int(count), step) for count, step in _STEP.findall(text)]
    of_model = [(count, step) for count, step in steps if step != "I"]
    length = sum(count for count, _ in of_model)
    if not length or _STEP.sub("", text):
        return None
    head = of_model[0][0] if of_model[0][1] == "D" else 0
    tail = of_model[-1][0] if of_model[-1][1] == "D" else 0
    return (head + 1, length - tail, length) if head + tail < length else None
