"""The words that names are judged by: ``data/name_judge.toml``."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from genint.knowledge.shipped import read_shipped


@dataclass(frozen=True, slots=True)
class JudgeTable:
    """Words of the judge; see the comments of ``data/name_judge.toml``."""

    empty: frozenset[str]
    light: frozenset[str]
    class_words: frozenset[str]
    partners: frozenset[str]
    modules: frozenset[str]
    inhibition: frozenset[str]
    wide: frozenset[str]
    shared_ec: frozenset[str]
    opposites: tuple[tuple[str, str], ...]
    opposites_of_one: tuple[tuple[str, str], ...]
    mistaken: tuple[tuple[str, str], ...]
    kinds: Mapping[str, frozenset[str]]
    phrases: tuple[tuple[re.Pattern[str], str], ...]

    def wider(self, word: str) -> frozenset[str]:
        """All words that a word is a kind of."""
        found: set[str] = set()
        left = [word]
        while left:
            for parent in self.kinds.get(left.pop(), frozenset()) - found:
                found.add(parent)
                left.append(parent)
        return frozenset(found)


@lru_cache(maxsize=1)
def load_judge_table() -> JudgeTable:
    """Read the table that ships. Cost: 5 ms, once."""
    table = tomllib.loads(read_shipped("name_judge.toml").decode())
    return JudgeTable(
        empty=frozenset(table["empty"].split()),
        light=frozenset(table["light"].split()),
        class_words=frozenset(table["class_words"].split()),
        partners=frozenset(table["partners"].split()),
        modules=frozenset(table["modules"].split()),
        inhibition=frozenset(table["inhibition"].split()),
        shared_ec=frozenset(table["shared_ec"].split()),
        wide=frozenset(table["wide"].split()),
        opposites=tuple((left, right) for left, right in table["opposites"]),
        opposites_of_one=tuple((left, right) for left, right in table["opposites_of_one"]),
        mistaken=tuple((truth, told) for truth, told in table["mistaken"]),
        kinds={word: frozenset(wide.split()) for word, wide in table["kinds"].items()},
        phrases=tuple((re.compile(old), new) for old, new in table["phrases"].items()),
    )
