"""Patterns of tables are passed over only where they cannot match."""

from __future__ import annotations

import re
import tomllib

import pytest

from genint.knowledge.patterns import either, pattern_of
from genint.knowledge.table_files import (
    FUNCTION_WORDS,
    OWN_FAMILIES,
    ROLES,
    read_rows,
    read_shipped,
)


@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        (r"\btail ?spikes?\b", ("spike",)),
        (r"\bcoat\b|\bhead\b", ("coat", "head")),
        (r"\b(?:capsid|head)(?: protein)? proteases?\b", (" protease",)),
        (r"major (?!tail)(\w+ )?(?:coat|shell)", ("major ",)),
        (r"(?<!fiber )tail[ -]tips{0,2}", ("tail",)),
        (r"[]^a]x+y*", ("x",)),
        (r"[\]x]hydrol(?P<end>ases+)", ("hydrol",)),
        (r"5\.9", ("5.9",)),
        (r"\w+|head", ("",)),
        (r"(?:head)?", ("",)),
        ("", ("",)),
    ],
)
def test_a_pattern_needs_the_words_that_all_its_matches_have(pattern, words):
    assert pattern_of(pattern).words == words


@pytest.mark.parametrize("pattern", ["(?i)head", "(a)(?(1)b|c)"])
def test_a_pattern_of_a_kind_that_is_not_known_is_refused(pattern):
    with pytest.raises(ValueError, match="is not known"):
        pattern_of(pattern)


def test_no_pattern_of_a_table_is_passed_over_where_it_matches():
    phrases = tomllib.loads(read_shipped("name_judge.toml").decode())["phrases"]
    roles = tomllib.loads(read_shipped(ROLES).decode())["role"]
    roles += tomllib.loads(read_shipped(FUNCTION_WORDS).decode())["words"]
    patterns = [
        *(pattern_of(phrase) for phrase in phrases),
        *(either(role[key]) for role in roles for key in ("patterns", "exclude") if key in role),
    ]
    names = sorted({row[2].lower() for row in read_rows(OWN_FAMILIES)})[::10]
    for pattern in patterns:
        compiled = re.compile(pattern.text)
        missed = [n for n in names if compiled.search(n) and not pattern.is_possible(n)]
        assert not missed, pattern


def test_texts_are_searched_and_rewritten_as_by_the_pattern_itself():
    pattern = pattern_of(r"\b(?:head|shell) (\w)")
    assert pattern.is_in("minor head protein")
    assert not pattern.is_in("minor heads")
    assert pattern.sub(r"capsid \1", "head, shell protein") == "head, capsid protein"
    assert pattern.sub(r"capsid \1", "tail protein") == "tail protein"
