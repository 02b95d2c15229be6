"""What the cache of online answers gives back."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from genint.model.online import AnswerState


class OnlineKind(StrEnum):
    """What a key is; a version of the payload's format goes behind it: ``f"{MD5}-2"``."""

    MD5 = "md5"
    """The key begins with the MD5 of a protein, and may say more behind it."""
    CRC64 = "crc64"
    ACCESSION = "acc"
    PROTEIN_ID = "protein_id"
    TAXON_PAGE = "taxon_page"


class Kept(NamedTuple):
    """An answer that was kept.

    Attributes:
        state: What the service said; always an answer.
        payload: As it was kept, JSON text or empty.
        release: Of the service, that it was kept under; empty where that was unknown.
        fetched_at: Seconds since 1970.
    """

    state: AnswerState
    payload: str
    release: str
    fetched_at: float


class Release(NamedTuple):
    """A release that a service said it has.

    Attributes:
        release: Such as 2026_03.
        release_date: As the service writes it; empty where it did not say.
        seen_at: When it said so last; seconds since 1970.
    """

    release: str
    release_date: str
    seen_at: float


class Blob(NamedTuple):
    """A whole file that was kept.

    Attributes:
        release: Of the service that publishes it.
        payload: Its text.
        sha256: Of the text in UTF-8, hexadecimal.
        fetched_at: Seconds since 1970.
    """

    release: str
    payload: str
    sha256: str
    fetched_at: float
