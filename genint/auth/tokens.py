"""Access tokens: JSON Web Tokens (RFC 7519) signed with HMAC-SHA256, and nothing else.

The service reads only tokens of its own making, so it accepts only the one header and
the one set of claims that it writes. Whatever a forged header names (another or no
algorithm, a key from an address, critical extensions; RFC 8725 section 2) is refused
before it is parsed.
"""

from __future__ import annotations

import base64
import contextlib
import hmac
import os
import secrets
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

import jwt

from genint.errors import NotAuthenticated, UsageError
from genint.files import sync

ALGORITHM = "HS256"
ISSUER = "genint"
AUDIENCE = "genint-api"
INVALID_CREDENTIAL = "Could not validate credentials"
"""The one answer to every credential that is not valid; it gives no reason."""

MAX_TOKEN_CHARACTERS = 4096
MIN_SECRET_BYTES = 32
"""As long as the hash (RFC 7518, section 3.2)."""

_CLAIMS = frozenset({"iss", "aud", "sub", "iat", "exp", "jti"})
_PARTS = 3
_DIGITS = 18
"""Of a generation: more than ever come, and fewer than a database could not hold."""
_FAULTS = (jwt.PyJWTError, ValueError, OverflowError, TypeError, RecursionError)
"""All that decoding can raise, whatever the claims are."""


class AccessToken(NamedTuple):
    """What a valid token says.

    Attributes:
        user_id: Whom it was issued to.
        generation: Of this user's tokens, when it was issued. Where all tokens of before
            are refused, the generation of the user goes up.
    """

    user_id: str
    generation: int


class TokenSigner:
    """Issues and reads access tokens.

    Args:
        secret: Signs; at least 32 bytes. Anyone who knows it can sign for any user.
        lifetime_s: How long a token is valid. Lowering it ends older tokens that were
            made to live longer.
        leeway_s: How far the clocks of several machines may differ.
        previous: The secret of before, while tokens that it signed may still be valid; it
            signs none.

    Raises:
        UsageError: a secret is too short.
    """

    def __init__(
        self, secret: str, *, lifetime_s: int, leeway_s: int = 30, previous: str | None = None
    ) -> None:
        for name, text in (("JWT_SECRET", secret), ("JWT_SECRET_PREVIOUS", previous)):
            if text is not None and len(text.encode()) < MIN_SECRET_BYTES:
                raise UsageError(f"{name}: must be at least {MIN_SECRET_BYTES} random bytes")
        self._secret = secret
        self._previous = previous
        self._lifetime_s = lifetime_s
        self._leeway_s = leeway_s
        self._jwt = jwt.PyJWT(options={"enforce_minimum_key_length": True})
        self._header = self.issue("").partition(".")[0]

    def issue(self, user_id: str, *, generation: int = 0) -> str:
        """A token for a user, valid from now on.

        The generation leads its ``jti``: a time of issue, in whole seconds by the clock of
        one of several machines, could not tell what was issued before and after.
        """
        now = int(time.time())
        claims: dict[str, Any] = {
            "iss": ISSUER,
            "aud": AUDIENCE,
            "sub": user_id,
            "iat": now,
            "exp": now + self._lifetime_s,
            "jti": f"{generation}.{secrets.token_urlsafe(16)}",
        }
        return self._jwt.encode(claims, self._secret, algorithm=ALGORITHM)

    def read(self, token: str) -> AccessToken:
        """What a token says; whether there still is such a user is not checked.

        Raises:
            NotAuthenticated: the token is not ours, not whole or not valid now; with
                the same text for all of these.

        Cost: 40 us; 1 us for a token that is too long or has another header.
        """
        if not self._is_in_our_form(token):
            raise _refused()
        try:
            claims = self._decoded(token)
        except _FAULTS:
            # Without a cause: it would carry the token into the log.
            raise _refused() from None
        if not self._are_our_claims(claims):
            raise _refused()
        return AccessToken(str(claims["sub"]), _generation(claims["jti"]))

    def _decoded(self, token: str) -> dict[str, Any]:
        """The claims of a token that this secret signed, or the one of before."""
        try:
            return self._decoded_by(self._secret, token)
        except jwt.InvalidSignatureError:
            if self._previous is None:
                raise
        return self._decoded_by(self._previous, token)

    def _decoded_by(self, secret: str, token: str) -> dict[str, Any]:
        return self._jwt.decode(
            token,
            secret,
            algorithms=[ALGORITHM],
            audience=AUDIENCE,
            issuer=ISSUER,
            leeway=self._leeway_s,
            options={"require": sorted(_CLAIMS), "strict_aud": True},
        )

    def _is_in_our_form(self, token: str) -> bool:
        """Short, our header to the letter, and a signature in its one spelling.

        Base64 has several spellings of the same bytes; without this check a changed
        last character could still be the same signature.
        """
        if len(token) > MAX_TOKEN_CHARACTERS or not token.isascii():
            return False
        parts = token.split(".")
        if len(parts) != _PARTS or not hmac.compare_digest(parts[0], self._header):
            return False
        return parts[2] == _spelled(_bytes_of(parts[2])) and parts[1] == _spelled(
            _bytes_of(parts[1])
        )

    def _are_our_claims(self, claims: dict[str, Any]) -> bool:
        """Claims as ``issue`` writes them: these, of these types, in this span of time.

        PyJWT lets numbers come as text or fractions and does not bound a lifetime.
        """
        iat, exp, sub, jti = (claims.get(name) for name in ("iat", "exp", "sub", "jti"))
        return (
            claims.keys() == _CLAIMS
            and type(iat) is int
            and type(exp) is int
            and 0 < exp - iat <= self._lifetime_s
            and isinstance(sub, str)
            and bool(sub)
            and isinstance(jti, str)
            and bool(jti)
        )


def _bytes_of(part: str) -> bytes:
    """Bytes of a base64url part without padding; empty where it is none."""
    try:
        return base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))
    except ValueError:
        return b""


def _spelled(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode("ascii")


def _generation(jti: str) -> int:
    """Of a token; 0 of one that was issued before there were generations."""
    number, dot, _ = jti.partition(".")
    is_number = bool(dot) and number.isascii() and number.isdigit() and len(number) <= _DIGITS
    return int(number) if is_number else 0


def _refused() -> NotAuthenticated:
    return NotAuthenticated(INVALID_CREDENTIAL, was_given=True)


FILE_NAME = "jwt_secret"
_MADE_BYTES = 64
_OTHERS = 0o077
"""Permissions of all but the owner."""


def load_or_create_secret(data_folder: Path) -> tuple[str, bool]:
    """The secret of this data folder; made at the first call.

    Several processes that start at once get the same one: each writes its own file in
    full, and only one of them gets the name.

    Args:
        data_folder: Made where it is missing.

    Returns:
        The secret, and whether it was made now.

    Raises:
        UsageError: the folder cannot be written, or the file is not a secret.
    """
    file = data_folder / FILE_NAME
    try:
        data_folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        is_new = not file.exists() and _create(file)
        return _load(file), is_new
    except OSError as problem:
        reason = problem.strerror or "it cannot be used"
        raise UsageError(f"GENINT_DATA_DIR: {FILE_NAME}: {reason}") from problem


def _create(file: Path) -> bool:
    """Put a new secret at a path, whole and on disk; False where another was faster."""
    handle, name = tempfile.mkstemp(prefix=f".{FILE_NAME}.", dir=file.parent)  # mode 0600
    draft = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="ascii") as stream:
            stream.write(secrets.token_urlsafe(_MADE_BYTES) + "\n")
        sync(draft)
        # A link, unlike a rename, fails where the name is taken.
        file.hardlink_to(draft)
    except FileExistsError:
        return False
    finally:
        draft.unlink()
    sync(file.parent)
    return True


def _load(file: Path) -> str:
    with file.open("rb") as stream:
        content = stream.read(1 << 16).strip()
        if os.fstat(stream.fileno()).st_mode & _OTHERS:
            # A copied or restored folder may have lost its permissions. Where the file
            # belongs to another user, that one decides who reads it.
            with contextlib.suppress(PermissionError):
                os.fchmod(stream.fileno(), 0o600)
    if len(content) < MIN_SECRET_BYTES or not content.isascii():
        raise UsageError(
            f"GENINT_DATA_DIR: {FILE_NAME} is damaged; remove the file, "
            "a new one is made and all users log in again"
        )
    return content.decode("ascii")
