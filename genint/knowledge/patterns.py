"""Regular expressions of tables: tried only on texts that have a word that they need.

A table of names has hundreds of patterns, of which a name matches few. Most can be passed over
because a word that every match contains is not in the text, which costs a twentieth of a search;
and a pattern is compiled when it is tried first, as most runs need a part of them only.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any, Final, NamedTuple

_Words = frozenset[str]
"""One of them is in every match; empty where nothing is known of the matches."""
_NO_WORDS: Final[_Words] = frozenset()
_CLASSES: Final = frozenset("AbBdDsSwWZ0123456789")
"""Behind a backslash: stands for other characters than itself, or for none."""
_MAY_BE_MISSING: Final = ("?", "*", "{0", "{,")
_REPEATS: Final = re.compile(r"[?*+]|\{\d*,?\d*\}")
_LOOK_AROUND: Final = re.compile(r"\?<?[=!]")
_HEAD_OF_GROUP: Final = re.compile(r"\?:|\?P<\w+>|(?!\?)")
_SET: Final = re.compile(r"\^?\]?(?:\\.|[^\]\\])*\]")


class Pattern(NamedTuple):
    """A case-sensitive regular expression, not compiled yet.

    Attributes:
        text: The expression.
        words: One of them is in every match; an empty one where nothing is known of the matches.
    """

    text: str
    words: tuple[str, ...]

    def is_possible(self, text: str) -> bool:
        """Whether the pattern may match; False is certain. Cost: 50 ns a word."""
        for word in self.words:  # noqa: SIM110 - twice as fast as any()
            if word in text:
                return True
        return False

    def is_in(self, text: str) -> bool:
        """Whether the pattern matches anywhere."""
        return self.is_possible(text) and _compiled(self.text).search(text) is not None

    def sub(self, wording: str | Callable[[re.Match[str]], str], text: str) -> str:
        """The text with all matches rewritten."""
        return _compiled(self.text).sub(wording, text) if self.is_possible(text) else text

    def findall(self, text: str) -> list[Any]:
        """What :func:`re.findall` finds."""
        return _compiled(self.text).findall(text) if self.is_possible(text) else []


@lru_cache(maxsize=4_096)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def either(patterns: Iterable[str]) -> Pattern:
    """A pattern that matches where one of several does."""
    return pattern_of("|".join(patterns))


def pattern_of(text: str) -> Pattern:
    """A pattern with the words that its matches need.

    Cost: some 20 microseconds, a tenth of compiling it.
    """
    return Pattern(text, tuple(sorted(_Reader(text).alternatives())) or ("",))


class _Reader:
    """Reads which words the matches of a pattern need, from left to right.

    Of what it does not know it says nothing, so that a pattern is tried rather than passed over.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0

    def alternatives(self) -> _Words:
        """Words of everything up to the end of the group."""
        found = [self._sequence()]
        while self._is_next("|"):
            self._at += 1
            found.append(self._sequence())
        return _NO_WORDS if not all(found) else _NO_WORDS.union(*found)

    def _sequence(self) -> _Words:
        """The most telling of the words that one alternative needs."""
        best, run = _NO_WORDS, ""
        while self._at < len(self._text) and self._text[self._at] not in "|)":
            literal, group = self._next()
            optional = self._text.startswith(_MAY_BE_MISSING, self._at)
            repeat = _REPEATS.match(self._text, self._at)
            if repeat is not None:
                self._at = repeat.end() + self._text.startswith("?", repeat.end())
            if literal and not optional:
                run += literal
            if optional or repeat is not None or not literal:
                best, run = _more_telling(best, frozenset({run} - {""})), ""
            if group and not optional:
                best = _more_telling(best, group)
        return _more_telling(best, frozenset({run} - {""}))

    def _next(self) -> tuple[str, _Words]:
        """The next thing: a character that stands for itself, or the words of a group."""
        first = self._text[self._at]
        self._at += 1
        if first == "\\":
            escaped = self._text[self._at]
            self._at += 1
            return ("" if escaped in _CLASSES else escaped), _NO_WORDS
        if first == "[":
            self._pass(_SET)
            return "", _NO_WORDS
        if first == "(":
            return "", self._group()
        return ("" if first in ".^$" else first), _NO_WORDS

    def _group(self) -> _Words:
        is_around = _LOOK_AROUND.match(self._text, self._at) is not None
        self._pass(_LOOK_AROUND if is_around else _HEAD_OF_GROUP)
        words = self.alternatives()
        self._at += 1
        return _NO_WORDS if is_around else words

    def _pass(self, known: re.Pattern[str]) -> None:
        found = known.match(self._text, self._at)
        if found is None:
            raise ValueError(f"pattern {self._text!r}: what is at {self._at} is not known here")
        self._at = found.end()

    def _is_next(self, character: str) -> bool:
        return self._text.startswith(character, self._at)


def _more_telling(one: _Words, other: _Words) -> _Words:
    """The words of which the shortest is longer."""
    return max(one, other, key=lambda words: min(map(len, words), default=0))
