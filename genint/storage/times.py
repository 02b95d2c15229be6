"""Times as the databases hold them: microseconds since 1970, UTC."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

MICROSECONDS = 1_000_000
"""In a second."""
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def time_from_us(microseconds: int) -> datetime:
    """Aware time in UTC from microseconds since 1970."""
    return EPOCH + timedelta(microseconds=microseconds)


def us_from_time(time: datetime) -> int:
    """Microseconds since 1970 of an aware time."""
    return (time - EPOCH) // timedelta(microseconds=1)


def us_from_s(seconds: float) -> int:
    """Microseconds of a span."""
    return round(seconds * MICROSECONDS)


def optional_time(microseconds: int | None) -> datetime | None:
    """Aware time in UTC, if there is one."""
    return None if microseconds is None else time_from_us(microseconds)
