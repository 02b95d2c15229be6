"""The judge of names agrees with people who know the field."""

from __future__ import annotations

import re
from collections import Counter
from itertools import permutations, product
from pathlib import Path
from typing import NamedTuple

import pytest

from genint.knowledge import (
    ProductVocabulary,
    Verdict,
    compare_names,
    is_informative,
    load_products,
)
from genint.knowledge.name_parsing import names_only_class

PAIRS = Path(__file__).with_name("name_pairs.tsv")


class Pair(NamedTuple):
    truth: str
    told: str
    verdict: Verdict
    known_miss: str


def _read() -> tuple[Pair, ...]:
    lines = [line for line in PAIRS.read_text().splitlines() if not line.startswith("#")]
    rows = (line.split("\t") for line in lines[1:])
    return tuple(Pair(truth, told, Verdict(verdict), miss) for truth, told, verdict, miss in rows)


READ = _read()


@pytest.fixture(scope="module")
def vocabulary() -> ProductVocabulary:
    return load_products()


@pytest.mark.parametrize(
    "pair",
    [pair for pair in READ if not pair.known_miss],
    ids=lambda pair: f"{pair.truth} - {pair.told}",
)
def test_the_judge_agrees_with_people(pair: Pair, vocabulary: ProductVocabulary) -> None:
    assert compare_names(pair.truth, pair.told, vocabulary) is pair.verdict


def test_known_misses_are_few_and_never_make_a_wrong_name_right(
    vocabulary: ProductVocabulary,
) -> None:
    misses = [pair for pair in READ if pair.known_miss]
    assert len(misses) <= 0.03 * len(READ)
    for pair in misses:
        verdict = compare_names(pair.truth, pair.told, vocabulary)
        assert not verdict.right or pair.verdict.right


def test_the_list_is_long_and_has_every_verdict() -> None:
    counts = Counter(pair.verdict for pair in READ)
    assert len(READ) >= 240
    assert len({(pair.truth, pair.told) for pair in READ}) == len(READ)
    assert min(counts[verdict] for verdict in Verdict) >= 20


def test_opposites_are_opposites_both_ways(vocabulary: ProductVocabulary) -> None:
    for pair in READ:
        if pair.verdict is Verdict.OPPOSITE:
            assert compare_names(pair.told, pair.truth, vocabulary) is Verdict.OPPOSITE, pair


def test_every_telling_name_is_its_own_name(vocabulary: ProductVocabulary) -> None:
    for name in {name for pair in READ for name in (pair.truth, pair.told)}:
        if is_informative(name, vocabulary):
            assert compare_names(name, name, vocabulary) is Verdict.SAME_WORDS, name


@pytest.mark.parametrize(
    ("truth", "told"),
    tuple(
        product(
            (
                "thymidylate kinase",
                "tail tube protein",
                "ribosomal protein L3",
                "sugar transporter",
            ),
            ("shikimate kinase", "baseplate protein", "ribosomal protein S7", "iron transporter"),
        )
    ),
)
def test_class_words_alone_never_make_names_one(
    truth: str, told: str, vocabulary: ProductVocabulary
) -> None:
    assert compare_names(truth, told, vocabulary) in (Verdict.WRONG, Verdict.OPPOSITE)


@pytest.mark.parametrize(
    ("name", "telling"),
    [
        ("terminase large subunit", True),
        ("tail protein", True),
        ("putative ATPase", True),
        ("hypothetical protein", False),
        ("gp12", False),
        ("NinE family protein", False),
        ("HD domain-containing protein", False),
        ("", False),
    ],
)
def test_what_a_record_must_say_to_be_judged(
    name: str, *, telling: bool, vocabulary: ProductVocabulary
) -> None:
    assert is_informative(name, vocabulary) is telling


def test_a_domain_claim_is_vaguer_at_best(vocabulary: ProductVocabulary) -> None:
    for pair in READ:
        if pair.verdict.right and is_informative(pair.truth, vocabulary):
            claimed = compare_names(pair.truth, f"contains a {pair.truth} domain", vocabulary)
            assert not claimed.right, pair


INHIBITOR = re.compile(r"([A-Za-z]{5,})[ -]inhibitor(?: protein)?(?: [A-Za-z]*\d.*)?")
ONE_THING = frozenset({"protease", "proteinase"})


@pytest.mark.slow
def test_inhibitors_of_two_things_among_the_names_at_hand_are_two(names_at_hand, vocabulary):
    found = [match for name in names_at_hand if (match := INHIBITOR.fullmatch(name))]
    compared = 0
    for one, other in permutations(found, 2):
        ours, theirs = one[1].lower(), other[1].lower()
        if ours in theirs or theirs in ours or {ours, theirs} <= ONE_THING:
            continue
        compared += 1
        assert not compare_names(one[0], other[0], vocabulary).right, (one[0], other[0])
    assert compared > 100


@pytest.mark.parametrize(
    ("name", "is_class"),
    [
        ("transport protein", True),
        ("NAD-dependent oxidoreductase", True),
        ("esterase", True),
        ("ribonuclease III", False),
        ("GMC family oxidoreductase", False),
        ("DNA polymerase III subunit alpha", False),
        ("tyrosine recombinase XerD", False),
        ("portal protein", False),
        ("coenzyme F(430) synthetase", False),
    ],
)
def test_a_name_of_common_words_only_is_a_class(name, is_class):
    assert names_only_class(name) is is_class
