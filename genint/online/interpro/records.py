"""Matches of a protein as the cache keeps them: JSON, read back with every type checked."""

from __future__ import annotations

from functools import cache
from typing import Final

from pydantic import TypeAdapter, ValidationError

from genint.model.online import InterProMatch

SCHEMA: Final = 1
"""Version of what is kept; to be counted up when the matches' attributes change."""


def written(matches: tuple[InterProMatch, ...]) -> str:
    """The matches as a text; empty for none."""
    return _adapter().dump_json(matches).decode() if matches else ""


def read(text: str) -> tuple[InterProMatch, ...] | None:
    """The matches of a text; None where it is none of ours.

    Cost: 10 microseconds a match.
    """
    if not text:
        return ()
    try:
        return _adapter().validate_json(text)
    except ValidationError:
        return None


@cache
def _adapter() -> TypeAdapter[tuple[InterProMatch, ...]]:
    return TypeAdapter(tuple[InterProMatch, ...])
