"""Text of the input as a report may show it, whatever the format."""

from __future__ import annotations

from typing import Final

UNSHOWN: Final = "\N{REPLACEMENT CHARACTER}"
"""Stands for a character that has no picture of its own."""


def shown_text(value: str) -> str:
    """A text on one line, without characters that hide, reorder or drive something.

    Line breaks, tabs and other blanks become spaces; control and direction characters,
    surrogates and unassigned code points become U+FFFD. What is printable stays as it is.

    Cost: O(length); next to nothing for printable text.
    """
    if value.isprintable():
        return value
    line = " ".join(value.split())
    return "".join(c if c.isprintable() else UNSHOWN for c in line)
