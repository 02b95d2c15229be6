"""Why an attempt brought no answer, in words that a report can show."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from enum import Enum, auto

AGAIN_STATUSES = frozenset({408, 425, 429, 500, 502, 503, 504})
"""Answers of servers that are busy or broken for the moment."""

_ABOUT_THE_QUESTION = frozenset({400, 404, 410, 413, 414, 422})
"""Refusals that say nothing of the server's health. Others (401, 403, ...) are about us, and
who is not welcome does not go on asking."""


class Blame(Enum):
    """What an attempt that failed says of the server."""

    NONE = auto()
    """It is well: the question was refused."""
    SERVER = auto()
    """It gave no usable answer."""
    CONNECTION = auto()
    """It could not be connected to."""


class Setback(Exception):
    """An attempt that brought no answer.

    Attributes:
        reason: In words, without address or body.
        is_worth_another: The same call may succeed later.
        blame: What this says of the server.
        status: Of the answer; None where there was none.
        message: The server's own words; may be empty.
        retry_after_s: How long the server wants to be left alone; None if it does not say.
    """

    def __init__(  # noqa: PLR0913 - a record
        self,
        reason: str,
        *,
        is_worth_another: bool = True,
        blame: Blame = Blame.SERVER,
        status: int | None = None,
        message: str = "",
        retry_after_s: float | None = None,
    ) -> None:
        super().__init__(reason)
        self.reason = reason
        self.is_worth_another = is_worth_another
        self.blame = blame
        self.status = status
        self.message = message
        self.retry_after_s = retry_after_s


def setback_of_status(status: int, headers: Mapping[str, str], message: str = "") -> Setback:
    """What an answer with a status that nobody wants amounts to."""
    if status in AGAIN_STATUSES:
        return Setback(str(status), status=status, retry_after_s=retry_after_s(headers))
    if 300 <= status < 400:  # noqa: PLR2004 - redirects
        reason = "redirected to another address"
        return Setback(reason, is_worth_another=False, status=status)
    blame = Blame.NONE if status in _ABOUT_THE_QUESTION else Blame.SERVER
    reason = f"refused with {status}" if 400 <= status < 500 else f"answered with {status}"  # noqa: PLR2004
    return Setback(reason, is_worth_another=False, blame=blame, status=status, message=message)


def retry_after_s(headers: Mapping[str, str]) -> float | None:
    """Seconds of ``Retry-After``, which holds seconds or a date; None where it holds neither.

    A date is compared with the server's own clock where the answer tells it.
    """
    value = headers.get("retry-after", "").strip()
    if value.isascii() and value.isdigit():
        return float(value[:9])
    date = _date(value)
    if date is None:
        return None
    now = _date(headers.get("date", "")) or datetime.now(UTC)
    return max(0.0, (date - now).total_seconds())


def _date(text: str) -> datetime | None:
    try:
        date = parsedate_to_datetime(text)
    except ValueError:
        return None
    return date if date.tzinfo is not None else date.replace(tzinfo=UTC)
