"""Lines of a GenBank flat file: texts in ASCII, wrapped; qualifiers; locations.

Source: INSDC feature table definition, sections 3 and 4; GenBank release notes, 3.4.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from types import MappingProxyType
from typing import Final, NamedTuple

from genint.model.genome import Qualifier

LINE_COLUMNS: Final = 79
"""Longest line; the INSDC allows 80, flat files of NCBI use 79."""
FEATURE_COLUMN: Final = 21
"""Blanks in front of locations and qualifiers."""
UNKNOWN_CHARACTER: Final = "?"

_KEY_INDENT: Final = 5
_UNQUOTED: Final = frozenset({"codon_start", "transl_table", "rpt_type"})
_UNBROKEN: Final = frozenset({"locus_tag"})
"""A name is worth more than a column: readers put a blank where a line was broken."""
_REPLACED: Final = MappingProxyType(
    {
        **dict.fromkeys(map(ord, "\u2018\u2019\u201a\u2032"), "'"),
        **dict.fromkeys(map(ord, "\u201c\u201d\u201e\u2033"), '"'),
        **dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2212"), "-"),
        ord("\u00d7"): "x",
        ord("\u00b5"): "u",
        ord("\u03bc"): "u",
        ord("\u00df"): "ss",
        ord("\u00f8"): "o",
        ord("\u00d8"): "O",
        ord("\u00e6"): "ae",
        ord("\u0142"): "l",
        ord("\u00b7"): "-",
    }
)


class Stretch(NamedTuple):
    """A part of a location: 1-based, both ends included, ``last < first`` over the origin."""

    first: int
    last: int
    reverse: bool


def ascii_text(text: str) -> str:
    """A text as the INSDC takes it: one line of printable ASCII.

    Accents go, Greek letters are named (``alpha``), typographic quotes and dashes become
    plain ones; whatever is left, control and direction characters among it, becomes ``?``.
    """
    line = " ".join(text.split())
    if line.isascii() and line.isprintable():
        return line
    plain = unicodedata.normalize("NFKD", line.translate(_REPLACED))
    return "".join(_ascii(character) for character in plain if not unicodedata.combining(character))


def one_word(text: str) -> str:
    """A text in ASCII with ``_`` for blanks: a name as accessions and locus tags are."""
    return "_".join(ascii_text(text).split())


def _ascii(character: str) -> str:
    if character.isascii():
        return character if character.isprintable() else UNKNOWN_CHARACTER
    name = unicodedata.name(character, "")
    return name.split()[-1].lower() if name.startswith("GREEK") else UNKNOWN_CHARACTER


def qualifier_lines(qualifier: Qualifier) -> tuple[str, ...]:
    """A qualifier of a feature, wrapped; at blanks where there are any.

    The value is written in ASCII; no value: a bare flag. Quotes become apostrophes: the
    INSDC doubles them, but common readers take a doubled quote at the end of a line for
    the end of the value. A locus tag stands on one line, however long, and keeps its quotes.
    """
    name, value = qualifier
    if value is None:
        return _indented([f"/{name}"])
    if name in _UNQUOTED:
        return _indented([f"/{name}={ascii_text(value)}"])
    if name in _UNBROKEN:
        doubled = ascii_text(value).replace('"', '""')
        return _indented([f'/{name}="{doubled}"'])
    return _indented(wrapped(f'/{name}="{plain_value(value)}"', LINE_COLUMNS - FEATURE_COLUMN))


def plain_value(value: str) -> str:
    """A value as :func:`qualifier_lines` writes it where it may be wrapped."""
    return ascii_text(value).replace('"', "'")


def feature_lines(key: str, location: str, qualifiers: Sequence[Qualifier]) -> tuple[str, ...]:
    """A whole feature."""
    first, *others = _location_pieces(location)
    head = (" " * _KEY_INDENT + key).ljust(FEATURE_COLUMN) + first
    lines = [head, *_indented(others)]
    for qualifier in qualifiers:
        lines += qualifier_lines(qualifier)
    return tuple(lines)


def wrapped(text: str, columns: int) -> list[str]:
    """Text cut into lines of at most ``columns``; words longer than a line are cut.

    No line but the first begins with a slash: readers would take it for a new qualifier.
    """
    lines = []
    while len(text) > columns:
        end = text.rfind(" ", 1, columns + 1)
        while end > 0 and text[end + 1 : end + 2] == "/":
            end = text.rfind(" ", 1, end)
        if end < 0:
            end = columns
            while end > 1 and text[end:].lstrip().startswith("/"):
                end -= 1
        lines.append(text[:end].rstrip())
        text = text[end:].lstrip()
    return [*lines, text]


def location_text(
    parts: Sequence[Stretch],
    length_bp: int,
    *,
    partial_5: bool = False,
    partial_3: bool = False,
) -> str:
    """A location as the INSDC writes it.

    Args:
        parts: In the order of the forward strand, at least one; what runs over the origin
            is cut there.
        length_bp: Of the record.
        partial_5: The 5' end is cut off: ``<`` at the low or ``>`` at the high end.
        partial_3: The same of the 3' end.
    """
    pieces = [piece for part in parts for piece in _cut_at_origin(part, length_bp)]
    reverse = all(piece.reverse for piece in pieces)
    low_open, high_open = (partial_3, partial_5) if reverse else (partial_5, partial_3)
    texts = []
    for at, piece in enumerate(pieces):
        low = "<" if low_open and at == 0 else ""
        high = ">" if high_open and at == len(pieces) - 1 else ""
        text = f"{low}{piece.first}..{high}{piece.last}"
        texts.append(f"complement({text})" if piece.reverse and not reverse else text)
    joined = texts[0] if len(texts) == 1 else f"join({','.join(texts)})"
    return f"complement({joined})" if reverse else joined


def _cut_at_origin(part: Stretch, length_bp: int) -> tuple[Stretch, ...]:
    if part.first <= part.last:
        return (part,)
    return part._replace(last=length_bp), part._replace(first=1)


def _location_pieces(location: str) -> list[str]:
    """A location cut behind commas."""
    pieces = [""]
    for piece in location.replace(",", ",\n").split("\n"):
        if pieces[-1] and len(pieces[-1]) + len(piece) > LINE_COLUMNS - FEATURE_COLUMN:
            pieces.append("")
        pieces[-1] += piece
    return pieces


def _indented(lines: Sequence[str]) -> tuple[str, ...]:
    return tuple(" " * FEATURE_COLUMN + line for line in lines)
