"""API keys: ``gi_`` + id + ``_`` + secret + checksum; secrets of links and of webhooks.

The id finds the row, the secret proves the holder, the checksum refuses typing errors
and scanners without a query. A key holds more than 256 random
bits, so a plain SHA-256 digest keeps it safe at rest: nothing slow is needed against
guessing.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
import secrets
import string
import zlib
from typing import NamedTuple

MARK = "gi_"
ALPHABET = string.digits + string.ascii_uppercase + string.ascii_lowercase
_ID_CHARACTERS = 12
_SECRET_CHARACTERS = 43
"""62**43 > 2**256."""
_CHECK_CHARACTERS = 6
"""62**6 > 2**32."""

_FORM = re.compile(
    rf"({MARK}[0-9A-Za-z]{{{_ID_CHARACTERS}}})_[0-9A-Za-z]{{{_SECRET_CHARACTERS}}}"
    rf"([0-9A-Za-z]{{{_CHECK_CHARACTERS}}})"
)


class NewSecret(NamedTuple):
    """The secret of a link by which a new password is set, once.

    Attributes:
        raw: Goes into the link, and is never stored.
        digest: What is stored of it.
    """

    raw: str
    digest: str


def new_secret() -> NewSecret:
    """256 random bits from the operating system."""
    raw = secrets.token_urlsafe(32)
    return NewSecret(raw, digest(raw))


def new_signing_secret() -> str:
    """A secret that signs what is sent to a webhook, in the form of Standard Webhooks."""
    return f"whsec_{base64.b64encode(secrets.token_bytes(32)).decode()}"


class NewKey(NamedTuple):
    """A key just made.

    Attributes:
        raw: The key itself; shown once and never stored.
        key_prefix: Mark and id: finds the key, is no secret.
        digest: What is stored of it.
    """

    raw: str
    key_prefix: str
    digest: str


def new_key() -> NewKey:
    """A new key from the operating system's random source."""
    key_prefix = MARK + _random(_ID_CHARACTERS)
    body = f"{key_prefix}_{_random(_SECRET_CHARACTERS)}"
    raw = body + _checksum(body)
    return NewKey(raw, key_prefix, digest(raw))


def parse_key(raw: str) -> str | None:
    """The prefix by which to look up a key; None where form or checksum is wrong."""
    found = _FORM.fullmatch(raw)
    if found is None or _checksum(raw[:-_CHECK_CHARACTERS]) != found[2]:
        return None
    return found[1]


def digest(raw: str) -> str:
    """SHA-256 of a key or secret, hex."""
    return hashlib.sha256(raw.encode("utf-8", "surrogatepass")).hexdigest()


def matches(raw: str, stored: str | None) -> bool:
    """Whether a key is the one of a stored digest, in constant time.

    Args:
        raw: The key as it was sent.
        stored: Its digest; None where no such key is known: False, at the same cost.
    """
    given = digest(raw)
    known = digest("") if stored is None else stored
    return hmac.compare_digest(given.encode(), known.encode()) and stored is not None


def _random(length: int) -> str:
    return "".join(secrets.choice(ALPHABET) for _ in range(length))


def _checksum(body: str) -> str:
    """CRC-32 in base 62, with leading zeros."""
    number = zlib.crc32(body.encode("ascii"))
    digits = ""
    for _ in range(_CHECK_CHARACTERS):
        number, digit = divmod(number, len(ALPHABET))
        digits = ALPHABET[digit] + digits
    return digits
