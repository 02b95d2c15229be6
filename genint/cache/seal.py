"""Seals: texts packed so that any change of theirs is seen."""

from __future__ import annotations

import hashlib
import zlib

_SEAL_BYTES = 8
_PLAIN, _PACKED = b"\0", b"\1"
_PACKED_FROM_BYTES = 256
_PACKING = 1
"""Level of zlib: a third larger than the best, in a third of the time."""


class Seal:
    """Packs the texts that stand under one name, each under a key of its own.

    A text that is found under another key or another name has a broken seal. Guards
    against damage, not against somebody who writes into the file on purpose.
    """

    __slots__ = ("_begun",)

    def __init__(self, name: bytes) -> None:
        self._begun = hashlib.blake2b(key=hashlib.sha256(name).digest(), digest_size=_SEAL_BYTES)

    def closed(self, key: bytes, text: str) -> bytes:
        """Seal, a byte that says whether the text is compressed, text."""
        content = coded(text)
        if len(content) < _PACKED_FROM_BYTES:
            content = _PLAIN + content
        else:
            content = _PACKED + zlib.compress(content, _PACKING)
        return self._of(key, content) + content

    def opened(self, key: object, sealed: object) -> str | None:
        """The text; None where the seal is broken."""
        if not isinstance(key, bytes) or not isinstance(sealed, bytes):
            return None
        content = sealed[_SEAL_BYTES:]
        if self._of(key, content) != sealed[:_SEAL_BYTES]:
            return None
        text = content[1:] if content[:1] == _PLAIN else zlib.decompress(content[1:])
        return decoded(text)

    def _of(self, key: bytes, content: bytes) -> bytes:
        seal = self._begun.copy()
        seal.update(key + content)
        return seal.digest()


def coded(text: str) -> bytes:
    """Bytes of any text, even of one with lone surrogates."""
    return text.encode("utf-8", "surrogatepass")


def decoded(content: bytes) -> str:
    """The text that was coded so."""
    return content.decode("utf-8", "surrogatepass")
