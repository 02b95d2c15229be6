from __future__ import annotations

import hashlib
import math
import re

import pytest

from genint.auth import ALPHABET, digest, matches, new_key, parse_key

RAW, PREFIX, DIGEST = new_key()


def test_a_key_has_the_stated_form():
    assert re.fullmatch(r"gi_[0-9A-Za-z]{12}_[0-9A-Za-z]{49}", RAW)
    assert RAW.startswith(PREFIX + "_")
    assert len(PREFIX) == 15
    assert hashlib.sha256(RAW.encode()).hexdigest() == DIGEST


def test_a_key_holds_256_random_bits():
    assert len(set(ALPHABET)) == 62
    assert 43 * math.log2(len(ALPHABET)) >= 256


def test_no_two_keys_share_prefix_or_secret():
    keys = [new_key() for _ in range(1000)]
    assert len({key.key_prefix for key in keys}) == 1000
    assert len({key.raw[16:59] for key in keys}) == 1000


def test_every_letter_of_the_alphabet_occurs_in_every_place():
    secrets = [new_key().raw[16:59] for _ in range(1500)]
    assert all({secret[at] for secret in secrets} == set(ALPHABET) for at in range(43))


def test_the_prefix_of_a_key_is_read_from_it():
    for _ in range(100):
        key = new_key()
        assert parse_key(key.raw) == key.key_prefix


def test_one_changed_character_anywhere_is_no_key():
    for at, character in enumerate(RAW):
        for other in set("aZ09_- \n") - {character}:
            assert parse_key(RAW[:at] + other + RAW[at + 1 :]) is None


def test_two_swapped_characters_are_no_key():
    for at in range(len(RAW) - 1):
        swapped = RAW[:at] + RAW[at + 1] + RAW[at] + RAW[at + 2 :]
        assert swapped == RAW or parse_key(swapped) is None


@pytest.mark.parametrize(
    "raw",
    [
        pytest.param("", id="nothing"),
        pytest.param("gi_", id="mark alone"),
        pytest.param(RAW[:-1], id="without its end"),
        pytest.param(RAW[1:], id="without its start"),
        pytest.param(RAW + "0", id="too long"),
        pytest.param(RAW + "\n", id="line end"),
        pytest.param(" " + RAW, id="space"),
        pytest.param(RAW.lower(), id="lower case"),
        pytest.param(RAW.upper(), id="upper case"),
        pytest.param(PREFIX, id="prefix alone"),
        pytest.param(PREFIX + "_' OR 1=1 --", id="SQL"),
        pytest.param("gi_" + "\u0660" * 12 + RAW[15:], id="foreign digits"),
        pytest.param("\0" * 65, id="zeros"),
        pytest.param("\ud800" + RAW[1:], id="half a pair"),
        pytest.param(RAW * 10_000, id="huge"),
        pytest.param(PREFIX + new_key().raw[15:], id="secret of another key"),
    ],
)
def test_what_has_another_form_or_checksum_is_no_key(raw):
    assert parse_key(raw) is None


def test_a_key_matches_its_own_digest_alone():
    other = new_key()
    assert matches(RAW, DIGEST)
    assert not matches(RAW, other.digest)
    assert not matches(other.raw, DIGEST)


def test_a_right_prefix_with_another_secret_does_not_match():
    forged = RAW[:20] + new_key().raw[20:]
    assert not matches(forged, DIGEST)


@pytest.mark.parametrize(
    "raw", [RAW, "", "\ud800", "é"], ids=["key", "nothing", "half a pair", "letter"]
)
def test_nothing_matches_where_no_key_is_known(raw):
    assert not matches(raw, None)


@pytest.mark.parametrize(
    "stored",
    ["", "é", DIGEST[:-1], DIGEST.upper() + "x"],
    ids=["nothing", "letter", "cut off", "too long"],
)
def test_a_damaged_digest_matches_nothing(stored):
    assert not matches(RAW, stored)


def test_the_digest_is_not_the_key():
    assert digest(RAW) == DIGEST
    assert RAW[16:] not in DIGEST
