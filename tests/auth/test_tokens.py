"""Every forged, damaged or outdated token gets the same answer."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import string
import time

import jwt
import pytest

from genint.auth import TokenSigner
from genint.errors import NotAuthenticated, UsageError
from tests.builders.cpu_cost import least_cpu_s

SECRET = "0123456789abcdef" * 4
OTHER_SECRET = "fedcba9876543210" * 4
USER = "8c1b6d0e-6f0a-4b52-9d8a-0f6f0d7d0c11"
HEADER = {"alg": "HS256", "typ": "JWT"}
LIFETIME_S = 3600
BASE64URL = string.ascii_letters + string.digits + "-_"
signer = TokenSigner(SECRET, lifetime_s=LIFETIME_S)


def part(content: object) -> str:
    raw = content if isinstance(content, bytes) else json.dumps(content, separators=(",", ":"))
    raw = raw.encode() if isinstance(raw, str) else raw
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def signed(header: object, claims: object, secret: str = SECRET, hashing=hashlib.sha256) -> str:
    """A token as whoever knows the secret could make it, whatever it says."""
    body = f"{part(header)}.{part(claims)}"
    return f"{body}.{part(hmac.new(secret.encode(), body.encode(), hashing).digest())}"


def claims(**changes: object) -> dict[str, object]:
    now = int(time.time())
    all_claims = {
        "iss": "genint",
        "aud": "genint-api",
        "sub": USER,
        "iat": now,
        "exp": now + LIFETIME_S,
        "jti": "n0nce",
    } | changes
    return {name: value for name, value in all_claims.items() if value is not None}


def refused(token: str) -> None:
    with pytest.raises(NotAuthenticated, match=r"^Could not validate credentials$") as caught:
        signer.read(token)
    assert caught.value.was_given
    assert caught.value.__cause__ is None


def test_a_token_names_the_user_it_was_issued_to():
    assert signer.read(signer.issue(USER)).user_id == USER


def test_a_token_made_by_hand_in_the_same_form_is_accepted():
    # the tests below change one thing of this one, so it must hold
    assert signer.read(signed(HEADER, claims())).user_id == USER


def test_a_token_tells_its_generation_and_an_older_one_is_of_the_first():
    assert signer.read(signer.issue(USER, generation=12)).generation == 12
    assert signer.read(signed(HEADER, claims(jti="n0nce"))).generation == 0
    assert signer.read(signed(HEADER, claims(jti="9" * 40 + ".x"))).generation == 0


def test_a_token_has_the_required_claims_and_no_other():
    token = signer.issue(USER)
    assert jwt.get_unverified_header(token) == HEADER
    found = jwt.decode(token, SECRET, algorithms=["HS256"], audience="genint-api")
    assert found.keys() == {"iss", "aud", "sub", "iat", "exp", "jti"}
    assert found["exp"] - found["iat"] == LIFETIME_S


def test_no_two_tokens_are_the_same():
    assert signer.issue(USER) != signer.issue(USER)


HEADERS = {
    "none": {"alg": "none", "typ": "JWT"},
    "None": {"alg": "None", "typ": "JWT"},
    "nOnE": {"alg": "nOnE", "typ": "JWT"},
    "empty alg": {"alg": "", "typ": "JWT"},
    "no alg": {"typ": "JWT"},
    "alg list": {"alg": ["HS256"], "typ": "JWT"},
    "RS256": {"alg": "RS256", "typ": "JWT"},
    "ES256": {"alg": "ES256", "typ": "JWT"},
    "HS384": {"alg": "HS384", "typ": "JWT"},
    "HS512": {"alg": "HS512", "typ": "JWT"},
    "hs256": {"alg": "hs256", "typ": "JWT"},
    "no typ": {"alg": "HS256"},
    "refresh": {"alg": "HS256", "typ": "refresh"},
    "at+jwt": {"alg": "HS256", "typ": "at+jwt"},
    "typ null": {"alg": "HS256", "typ": None},
    "kid path": HEADER | {"kid": "../../../../dev/null"},
    "kid SQL": HEADER | {"kid": "' UNION SELECT 'x' --"},
    "jku": HEADER | {"jku": "http://127.0.0.1:9/keys"},
    "jwk": HEADER | {"jwk": {"kty": "oct", "k": "AAAA"}},
    "x5u": HEADER | {"x5u": "http://127.0.0.1:9/cert"},
    "crit": HEADER | {"crit": ["exp"]},
    "b64 false": HEADER | {"b64": False, "crit": ["b64"]},
    "cty": HEADER | {"cty": "JWT"},
    "encrypted": {"alg": "dir", "enc": "A256GCM", "typ": "JWT"},
    "list": ["HS256", "JWT"],
    "number": 1,
    "text": "HS256",
    "null": None,
    "not JSON": b"{alg",
    "not UTF-8": b"\xff\xfe",
    "nested deep": b"[" * 2500,
    "blanks in it": b'{"alg": "HS256", "typ": "JWT"}',
    "alg twice": b'{"alg":"HS256","typ":"JWT","alg":"none"}',
}


@pytest.mark.parametrize("header", HEADERS.values(), ids=HEADERS)
@pytest.mark.parametrize("hashing", [hashlib.sha256, hashlib.sha512, None])
def test_any_other_header_is_refused_even_with_the_right_secret(header, hashing):
    if hashing is None:
        refused(f"{part(header)}.{part(claims())}.")
    else:
        refused(signed(header, claims(), hashing=hashing))


@pytest.mark.parametrize(
    "secret", ["", "secret", "changeme", OTHER_SECRET, SECRET[:-1], SECRET * 2]
)
def test_a_token_signed_with_another_secret_is_refused(secret):
    refused(signed(HEADER, claims(), secret=secret))


def test_the_public_part_of_a_token_is_no_secret_to_sign_with():
    token = signer.issue(USER)
    refused(signed(HEADER, claims(), secret=token.rpartition(".")[0]))


def forged_claims(now_s: int) -> dict[str, object]:
    """What no token of ours says, by what is wrong with it."""
    return {
        **{f"no {name}": claims(**{name: None}) for name in claims()},
        "exp past the leeway": claims(iat=now_s - 3631, exp=now_s - 31),
        "exp long past": claims(iat=0, exp=1),
        "exp year 9999": claims(exp=253_402_300_799),
        "exp beyond its lifetime": claims(exp=now_s + LIFETIME_S + 60, iat=now_s),
        "exp text": claims(exp=str(now_s + 60)),
        "exp fraction": claims(exp=now_s + 60.5),
        "exp NaN": claims(exp=float("nan")),
        "exp infinite": claims(exp=float("inf")),
        "exp huge": claims(exp=10**400),
        "exp negative": claims(exp=-1),
        "exp true": claims(exp=True),
        "exp list": claims(exp=[now_s + 60]),
        "exp object": claims(exp={}),
        "exp before iat": claims(iat=now_s + 20, exp=now_s + 10),
        "iat future": claims(iat=now_s + 120, exp=now_s + 180),
        "iat text": claims(iat=str(now_s)),
        "iat NaN": claims(iat=float("nan")),
        "nbf future": claims(nbf=now_s + 600),
        "nbf now": claims(nbf=now_s),
        "wrong iss": claims(iss="another"),
        "iss list": claims(iss=["genint"]),
        "iss empty": claims(iss=""),
        "wrong aud": claims(aud="another"),
        "aud list": claims(aud=["genint-api"]),
        "aud list of two": claims(aud=["another", "genint-api"]),
        "aud object": claims(aud={"genint-api": 1}),
        "sub number": claims(sub=1),
        "sub list": claims(sub=[USER]),
        "sub empty": claims(sub=""),
        "jti number": claims(jti=1),
        "jti empty": claims(jti=""),
        "typ refresh": claims(typ="refresh"),
        "is_admin": claims(is_admin=True),
        "a list": [claims()],
        "a number": 1,
        "null": None,
        "empty": {},
        "not JSON": b"{",
        "not UTF-8": b"\xff\xff",
        "nested deep": b"[" * 2500,
        "a token": signer.issue(USER).encode(),
        "exp 1e400": json.dumps(claims(exp=5)).replace("5}", "1e400}").encode(),
    }


@pytest.mark.parametrize("wrong", forged_claims(0))
def test_any_other_claims_are_refused_even_with_the_right_secret(wrong):
    refused(signed(HEADER, forged_claims(int(time.time()))[wrong]))


def test_clocks_may_differ_by_half_a_minute():
    now = int(time.time())
    assert signer.read(signed(HEADER, claims(iat=now - 3600, exp=now - 20))).user_id == USER
    assert signer.read(signed(HEADER, claims(iat=now + 20, exp=now + 100))).user_id == USER


def test_one_changed_character_anywhere_is_refused():
    token = signer.issue(USER)
    for at, character in enumerate(token):
        for other in {BASE64URL[BASE64URL.find(character) ^ bit] for bit in (1, 2, 4)} | {".", "="}:
            if other != character:
                refused(token[:at] + other + token[at + 1 :])


def test_one_removed_or_added_character_anywhere_is_refused():
    token = signer.issue(USER)
    for at in range(len(token) + 1):
        if at < len(token):
            refused(token[:at] + token[at + 1 :])
        for extra in ("A", ".", "=", "+", "\n", " "):
            refused(token[:at] + extra + token[at:])


def test_the_signature_has_one_spelling():
    token = signer.issue(USER)
    last = BASE64URL.index(token[-1])
    for other in set(BASE64URL) - {token[-1]}:
        aliases = BASE64URL.index(other) >> 2 == last >> 2  # the last two bits are unused
        refused(token[:-1] + other)
        assert not aliases or other != token[-1]


@pytest.mark.parametrize(
    "token",
    ["", ".", "..", "...", "a.b.c", "\0", "\ud800", "é.é.é", "null", " ", "A" * 10_000],
)
def test_what_is_no_token_at_all_is_refused(token):
    refused(token)


@pytest.mark.parametrize("characters", [4097, 10_000, 1_000_000, 20_000_000])
def test_a_token_that_is_too_long_is_refused_before_it_is_looked_at(characters):
    header, _, rest = signer.issue(USER).partition(".")
    token = f"{header}.{'A' * characters}.{rest}"
    assert least_cpu_s(lambda: refused(token)) < 0.005  # to decode 20 MB takes ten times that


def test_tokens_of_a_longer_lifetime_end_when_it_is_shortened():
    longer = TokenSigner(SECRET, lifetime_s=2 * LIFETIME_S)
    refused(longer.issue(USER))
    assert longer.read(signer.issue(USER)).user_id == USER


@pytest.mark.parametrize("secret", ["", "secret", "x" * 31, "é" * 15])
def test_a_short_secret_signs_nothing(secret):
    with pytest.raises(UsageError, match="JWT_SECRET: must be at least 32"):
        TokenSigner(secret, lifetime_s=60)
    assert TokenSigner("x" * 32, lifetime_s=60)


class TestTwoSecrets:
    """While a secret is changed: the new one signs, tokens of the old one run out."""

    old = TokenSigner(OTHER_SECRET, lifetime_s=LIFETIME_S)
    both = TokenSigner(SECRET, lifetime_s=LIFETIME_S, previous=OTHER_SECRET)

    def test_tokens_of_either_are_accepted(self):
        assert self.both.read(self.old.issue(USER)).user_id == USER
        assert self.both.read(signer.issue(USER)).user_id == USER

    def test_new_tokens_are_of_the_new_one(self):
        token = self.both.issue(USER)
        assert signer.read(token).user_id == USER
        with pytest.raises(NotAuthenticated):
            self.old.read(token)

    def test_tokens_of_the_old_one_expire(self):
        now = int(time.time())
        expired = claims(iat=now - 2 * LIFETIME_S, exp=now - LIFETIME_S)
        with pytest.raises(NotAuthenticated):
            self.both.read(signed(HEADER, expired, OTHER_SECRET))

    def test_tokens_of_a_third_one_are_refused(self):
        with pytest.raises(NotAuthenticated):
            self.both.read(signed(HEADER, claims(), "0" * 64))

    def test_afterwards_tokens_of_the_old_one_are_refused(self):
        refused(self.old.issue(USER))

    def test_a_short_old_secret_is_refused_by_its_name(self):
        with pytest.raises(UsageError, match="JWT_SECRET_PREVIOUS: must be at least 32"):
            TokenSigner(SECRET, lifetime_s=60, previous="short")
