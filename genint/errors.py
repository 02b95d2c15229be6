"""Every error that genint raises on purpose, in one tree.

    GenintError
    |- InputError            the caller's file, option or value is wrong
    |  |- FormatError        a file breaks its format (source, line, reason, cure)
    |  |- UsageError         an option or argument does not fit
    |- UnavailableError      something requested is not installed or not built
    |- DiskFull              a file could not be written for lack of room
    |- InstallError          a database could not be fetched, built or removed
    |- WorkLostError         the work did not finish; trying again may help
    |  |- WorkerDied         a worker process ended before its answer
    |  |- WorkCancelled      the work was withdrawn
    |- RequestError          the service cannot meet a request
    |  |- BadRequest         400  the request cannot be read
    |  |- NotAuthenticated   401  no credential, or none that is valid
    |  |- NotAllowed         403  the user may not do this
    |  |- NotFound           404
    |  |- RequestTimeout     408
    |  |- Conflict           409  it does not fit the present state
    |  |- TooLarge           413
    |  |- UnsupportedUpload  415
    |  |- InvalidRequest     422  values are wrong; lists which
    |  |- TooManyRequests    429, with the time after which to try again
    |  |- NotReady           503  the service lives and cannot do its work; says why
    |  |- StorageFull        507  the disk of the service is nearly full
    |- BusyError             503, with the time after which to try again
       |- DatabaseAway       the database does not answer
       |- StoreAway          the store of uploads and results does not answer

The branches answer what a caller wants to know: is it my fault, is it missing,
may I try again. ``code`` is stable for programs, ``http_status`` and
``exit_status`` are what a service and a command line answer.
"""

from __future__ import annotations

from typing import ClassVar, NamedTuple


class GenintError(Exception):
    """Root of all errors of genint; catching it catches nothing else."""

    code: ClassVar[str] = "genint_error"
    http_status: ClassVar[int] = 500
    exit_status: ClassVar[int] = 1


class InputError(GenintError):
    """The input cannot be used as it is."""

    code = "bad_input"
    http_status = 422
    exit_status = 2


class UsageError(InputError):
    """An option or argument does not fit the others or its range."""

    code = "bad_usage"


class FormatError(InputError):
    """A file breaks the format that it claims or is in a format not read here.

    Attributes:
        source: Name of the file as the user gave it, never a full path of ours.
        line: 1-based line where reading stopped; None where no line is at fault.
        reason: What is wrong, in plain words.
        cure: What the user can do about it; may be empty.
    """

    code = "bad_format"

    def __init__(self, *, source: str, line: int | None, reason: str, cure: str = "") -> None:
        where = source if line is None else f"{source}, line {line}"
        super().__init__(f"{where}: {reason}" + (f" ({cure})" if cure else ""))
        self.source = source
        self.line = line
        self.reason = reason
        self.cure = cure

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild_format_error, (self.source, self.line, self.reason, self.cure)


def _rebuild_format_error(source: str, line: int | None, reason: str, cure: str) -> FormatError:
    """Unpickle a FormatError that crossed a process border."""
    return FormatError(source=source, line=line, reason=reason, cure=cure)


class UnavailableError(GenintError):
    """A mode, format or database that is requested is not there."""

    code = "unavailable"
    http_status = 422
    exit_status = 2


class DiskFull(GenintError):
    """A file could not be written, and no other would be: there is no room."""

    code = "disk_full"


class InstallError(GenintError):
    """A database could not be fetched, checked, built or removed; gives the reason and the cure."""

    code = "install_failed"
    http_status = 503


class WorkLostError(GenintError):
    """The work did not finish through no fault of the input."""

    code = "work_lost"
    http_status = 503


class WorkerDied(WorkLostError):
    """A worker process ended (killed, out of memory) before its answer."""

    code = "worker_died"


class WorkCancelled(WorkLostError):
    """The work was withdrawn before it was done: by its caller, or with what it ran on."""

    code = "work_cancelled"


class RequestError(GenintError):
    """A request to the service cannot be met; the message is for its sender."""

    code = "request_error"
    http_status = 400


class BadRequest(RequestError):
    """The request cannot be read: its syntax is broken."""

    code = "bad_request"


class NotAuthenticated(RequestError):
    """No credential, or one that is not valid.

    Attributes:
        was_given: Whether a credential was sent at all.
    """

    code = "not_authenticated"
    http_status = 401

    def __init__(self, message: str, *, was_given: bool) -> None:
        super().__init__(message)
        self.was_given = was_given


class NotAllowed(RequestError):
    """The sender is known and may not do this."""

    code = "not_allowed"
    http_status = 403


class NotFound(RequestError):
    """There is no such thing, or none that the sender may know of."""

    code = "not_found"
    http_status = 404


class RequestTimeout(RequestError):
    """The body of a request did not arrive in time."""

    code = "request_timeout"
    http_status = 408


class Conflict(RequestError):
    """The request does not fit the state of what it is about."""

    code = "conflict"
    http_status = 409


class TooLarge(RequestError):
    """A body is larger than allowed."""

    code = "too_large"
    http_status = 413


class UnsupportedUpload(RequestError):
    """The file's extension or the request's encoding is not supported."""

    code = "unsupported_upload"
    http_status = 415


class InvalidValue(NamedTuple):
    """One value of a request that is wrong.

    Attributes:
        location: Where it is: ``body`` or ``query``, then names and indices.
        message: What is wrong, in words.
        kind: Stable name of the fault, such as ``missing``.
    """

    location: tuple[str | int, ...]
    message: str
    kind: str


class InvalidRequest(RequestError):
    """Values of a request are wrong.

    Attributes:
        values: Which, at least one.
    """

    code = "invalid_request"
    http_status = 422

    def __init__(self, *values: InvalidValue) -> None:
        super().__init__("; ".join(value.message for value in values))
        self.values = values


class TooManyRequests(RequestError):
    """A quota is used up.

    Attributes:
        retry_after_s: After how many seconds to try again.
    """

    code = "too_many_requests"
    http_status = 429

    def __init__(self, message: str, *, retry_after_s: int = 30) -> None:
        super().__init__(message)
        self.retry_after_s = retry_after_s


class NotReady(RequestError):
    """The service lives, but something that it needs fails."""

    code = "not_ready"
    http_status = 503


class StorageFull(RequestError):
    """The disk of the service has no room for an upload."""

    code = "storage_full"
    http_status = 507


class BusyError(GenintError):
    """The service cannot do this now.

    Attributes:
        retry_after_s: After how many seconds to try again.
    """

    code = "busy"
    http_status = 503

    def __init__(self, message: str, *, retry_after_s: int = 2) -> None:
        super().__init__(message)
        self.retry_after_s = retry_after_s


class DatabaseAway(BusyError):
    """The database does not answer, or not in time."""

    code = "database_away"


class StoreAway(BusyError):
    """The object store of uploads and results does not answer, or refuses."""

    code = "store_away"
