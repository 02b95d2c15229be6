"""What goes wrong with HTTP requests, and what it says of the server.

Both the client of the online services and the downloads of databases sort their failures
here, and name them in the same words: without address or body, which may hold passwords.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from enum import Enum, auto
from typing import NamedTuple

import aiohttp

from genint.errors import UnavailableError

TEMPORARY_STATUSES = frozenset({408, 425, 429, 500, 502, 503, 504})
"""Answers of servers that are busy or broken for the moment."""

_ABOUT_THE_REQUEST = frozenset({400, 404, 410, 413, 414, 422})
"""Refusals that say nothing of the server's health. Others (401, 403, ...) are about us, and
who is not welcome does not go on sending."""


NO_ANSWER = "no answer"
"""Reason of a failure where nothing came in time."""


class Blame(Enum):
    """What a failed request says of the server."""

    NONE = auto()
    """It is well: it refused the request."""
    SERVER = auto()
    """It gave no usable answer."""
    CONNECTION = auto()
    """It could not be connected to."""


class RequestFailed(UnavailableError):
    """A request that brought no usable answer.

    Attributes:
        reason: In words, without address or body: ``503 after 4 attempts``.
        may_retry: The same request may succeed later.
        blame: What this says of the server.
        was_sent: A request was sent; False where the server was down or the time over.
        status: Of the answer; None where there was none.
        message: What the server or the operating system says of it; may be empty.
        retry_after_s: How long the server wants to be left alone; None if it does not say.
    """

    def __init__(  # noqa: PLR0913 - a record
        self,
        reason: str,
        *,
        may_retry: bool = True,
        blame: Blame = Blame.SERVER,
        was_sent: bool = True,
        status: int | None = None,
        message: str = "",
        retry_after_s: float | None = None,
    ) -> None:
        super().__init__(reason)
        self.reason = reason
        self.may_retry = may_retry
        self.blame = blame
        self.was_sent = was_sent
        self.status = status
        self.message = message
        self.retry_after_s = retry_after_s


def failure_of_status(status: int, headers: Mapping[str, str]) -> RequestFailed:
    """The failure that a status means which is no answer to the request.

    Args:
        status: Of the answer.
        headers: Of the answer; names in lower case, or found in any case.
    """
    if status in TEMPORARY_STATUSES:
        return RequestFailed(str(status), status=status, retry_after_s=retry_after_s(headers))
    if 300 <= status < 400:  # noqa: PLR2004 - redirects
        reason = "redirected to another address"
        return RequestFailed(reason, may_retry=False, status=status)
    blame = Blame.NONE if status in _ABOUT_THE_REQUEST else Blame.SERVER
    reason = f"refused with {status}" if 400 <= status < 500 else f"answered with {status}"  # noqa: PLR2004
    return RequestFailed(reason, may_retry=False, blame=blame, status=status)


def retry_after_s(headers: Mapping[str, str]) -> float | None:
    """Seconds of ``Retry-After``, which holds seconds or a date; None where it holds neither.

    A date is compared with the server's own clock where the answer has it.
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


@contextmanager
def connection_failures() -> Iterator[None]:
    """Raise what aiohttp and the operating system raise as :class:`RequestFailed`."""
    try:
        yield
    except (aiohttp.ClientError, OSError) as error:
        raise failure_of_error(error) from None


def failure_of_error(error: aiohttp.ClientError | OSError) -> RequestFailed:
    """The failure that an error of the connection means.

    The reason is ours: the libraries' texts have addresses in them, of proxies too.
    """
    fault = next(fault for fault in _FAULTS if isinstance(error, fault.kind))
    reason, message = fault.reason, ""
    if isinstance(error, aiohttp.ClientHttpProxyError):
        reason = f"{reason} ({error.status})"
    elif isinstance(error, OSError) and error.errno is not None and error.errno > 0:
        message = os.strerror(error.errno)  # the error's own text may have addresses
    return RequestFailed(reason, may_retry=fault.may_retry, blame=fault.blame, message=message)


class _Fault(NamedTuple):
    kind: type[Exception]
    reason: str
    may_retry: bool = True
    blame: Blame = Blame.SERVER


_UNTRUSTED, _UNCONNECTED = (False, Blame.CONNECTION), (True, Blame.CONNECTION)
_FAULTS = (
    _Fault(aiohttp.ClientConnectorCertificateError, "its certificate is not trusted", *_UNTRUSTED),
    _Fault(aiohttp.ClientSSLError, "no secure connection", *_UNTRUSTED),
    _Fault(aiohttp.ClientConnectorDNSError, "its name was not found", *_UNCONNECTED),
    _Fault(aiohttp.ClientHttpProxyError, "refused by the proxy", *_UNCONNECTED),
    _Fault(aiohttp.ClientProxyConnectionError, "no connection to the proxy", *_UNCONNECTED),
    _Fault(aiohttp.ClientConnectorError, "no connection", *_UNCONNECTED),
    _Fault(aiohttp.ConnectionTimeoutError, "no connection", *_UNCONNECTED),
    _Fault(aiohttp.InvalidURL, "an address that cannot be read", may_retry=False),
    _Fault(aiohttp.NonHttpUrlClientError, "an address that cannot be read", may_retry=False),
    _Fault(TimeoutError, NO_ANSWER),
    _Fault(aiohttp.ClientPayloadError, "a broken answer"),
    _Fault(aiohttp.ClientResponseError, "a broken answer"),
    _Fault(Exception, "a lost connection"),
)
"""The first one whose kind an error is of says what it means."""
