"""Text of an INSDC location -> parts in the order of transcription.

Grammar: the INSDC feature table definition, section 3.4. The reader is more
tolerant than the grammar: blanks, ``order``, ``one-of`` and positions given as a
range are read as their plainest meaning, with a word about it.
"""

from __future__ import annotations

import re

from genint.formats.annotation import RawLocation, RawPart

_TOKEN = re.compile(
    r"(?P<open>(?:join|order|bond|one-of|complement|group)?\()"
    r"|(?P<close>\))"
    r"|(?P<comma>,)"
    r"|(?P<record>[A-Za-z][\w.\-|]*):"
    r"|(?P<span>[<>]?-?\d+(?:\.\.|\^)[<>]?-?\d+)"
    r"|(?P<base>[<>]?-?\d+)"
)
_CHOICE = re.compile(r"(?:one-of)?\((-?\d+)(?:[.,^]-?\d+)*?(?:[.,^](-?\d+))?\)(?=\.\.)")
_CHOICE_END = re.compile(r"(?<=\.\.)(?:one-of)?\((-?\d+)(?:[.,^]-?\d+)*?(?:[.,^](-?\d+))?\)")
_ENDS = re.compile(r"([<>]?)(-?\d+)(?:(\.\.|\^)([<>]?)(-?\d+))?")
_MAX_DEPTH = 20
_MAX_DIGITS = 15
_MAX_TEXT = 100_000

_UNREADABLE = RawLocation(())


def parse_location(text: str) -> RawLocation:
    """Parts of a location text; no parts where it cannot be understood.

    Args:
        text: Such as ``complement(join(12..78,134..>202))``, blanks allowed.

    Returns:
        Parts 5' to 3' of the feature. Ends given as a choice or a range are
        taken at their outer bound.

    Cost: O(length).
    """
    text = "".join(text.split())
    if len(text) > _MAX_TEXT:
        return _UNREADABLE
    doubts: list[str] = []
    # (1.5)..9 and one-of(1,5)..9: an inexact end; the outer bound keeps all bases
    plain = text
    if "(" in text:
        plain = _CHOICE_END.sub(lambda found: found[2] or found[1], _CHOICE.sub(r"\1", text))
    if plain != text:
        doubts.append("an end given as several positions")
    parts = _Reader(plain, doubts).read()
    return RawLocation(parts, "; ".join(dict.fromkeys(doubts)) or None) if parts else _UNREADABLE


class _Reader:
    """One pass over the tokens with a stack of open brackets."""

    def __init__(self, text: str, doubts: list[str]) -> None:
        self._text = text
        self._doubts = doubts
        self._stack: list[tuple[str, list[RawPart]]] = [("", [])]
        self._record: str | None = None

    def read(self) -> tuple[RawPart, ...]:
        """All parts, or () where the text breaks the grammar."""
        at = 0
        while at < len(self._text):
            token = _TOKEN.match(self._text, at)
            if token is None or not self._take(str(token.lastgroup), token[0]):
                return ()
            at = token.end()
        if len(self._stack) != 1:
            return ()
        return tuple(self._stack[0][1])

    def _take(self, kind: str, token: str) -> bool:
        if kind == "open":
            self._stack.append((token[:-1], []))
            return len(self._stack) <= _MAX_DEPTH
        if kind == "close":
            return self._close()
        if kind == "record":
            self._record = token[:-1]
            return True
        if kind in ("span", "base"):
            return self._add_part(token)
        return kind == "comma"

    def _close(self) -> bool:
        if len(self._stack) == 1:
            return False
        operator, parts = self._stack.pop()
        if operator == "complement":
            parts = [part._replace(reverse=not part.reverse) for part in reversed(parts)]
        elif operator == "one-of":
            parts = parts[:1]
        if operator in ("order", "bond", "one-of", "group", ""):
            self._doubts.append(f"{operator}()" if operator else "brackets")
        self._stack[-1][1].extend(parts)
        return bool(parts)

    def _add_part(self, token: str) -> bool:
        ends = _ENDS.fullmatch(token)
        if ends is None or len(token) > 2 * _MAX_DIGITS:
            return False
        low_mark, low, joint, high_mark, high = ends.groups()
        part = RawPart(
            first=int(low),
            last=int(high or low),
            low_open=bool(low_mark) if joint else low_mark == "<",
            high_open=bool(high_mark) if joint else low_mark == ">",
            record=self._record,
        )
        self._stack[-1][1].append(part)
        self._record = None
        return True
