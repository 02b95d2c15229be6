"""Checksums as the services compute them; on its own, so that it can prove others wrong."""

from __future__ import annotations

import hashlib

_POLYNOMIAL = 0xD800000000000000


def md5_of(residues: str) -> str:
    """Upper-case hexadecimal."""
    return hashlib.md5(residues.upper().encode(), usedforsecurity=False).hexdigest().upper()


def _entry(byte: int) -> int:
    for _ in range(8):
        byte = byte >> 1 ^ (_POLYNOMIAL if byte & 1 else 0)
    return byte


_TABLE = tuple(_entry(byte) for byte in range(256))


def crc64_of(residues: str) -> str:
    """Upper-case hexadecimal, 16 digits."""
    value = 0
    for byte in residues.upper().encode():
        value = value >> 8 ^ _TABLE[(value ^ byte) & 0xFF]
    return f"{value:016X}"
