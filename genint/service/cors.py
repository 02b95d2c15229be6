"""Cross-origin requests: which origins browsers may call from (Fetch standard)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

_METHODS: Final = "GET, POST, DELETE"
_HEADERS: Final = "Authorization, Content-Type, Idempotency-Key, X-API-Key, X-Request-ID"
_EXPOSED: Final = "Content-Disposition, ETag, Retry-After, X-Request-ID"
_PREFLIGHT_VALID_S: Final = "600"


def is_preflight(method: str, headers: Mapping[str, str]) -> bool:
    """Whether a browser asks what it may do, before it does it."""
    return (
        method == "OPTIONS" and "Origin" in headers and "Access-Control-Request-Method" in headers
    )


def cors_headers(origins: tuple[str, ...], origin: str | None) -> dict[str, str]:
    """Headers of every answer: an origin is named only where it is on the list, exactly."""
    allowed = {"Access-Control-Allow-Origin": origin} if origin in origins and origin else {}
    return {"Vary": "Origin"} | allowed | {"Access-Control-Expose-Headers": _EXPOSED}


def preflight_headers() -> dict[str, str]:
    """What a preflight is answered besides."""
    return {
        "Access-Control-Allow-Methods": _METHODS,
        "Access-Control-Allow-Headers": _HEADERS,
        "Access-Control-Max-Age": _PREFLIGHT_VALID_S,
    }
