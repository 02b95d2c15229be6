"""Endpoints: who calls them, how their parameters are read, how their results are answered."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Final, NamedTuple, TypeVar, get_type_hints

from aiohttp import web
from pydantic import BaseModel, ValidationError

from genint.auth import keys
from genint.auth.passwords import PasswordHasher
from genint.auth.tokens import INVALID_CREDENTIAL, TokenSigner
from genint.errors import (
    BusyError,
    InvalidRequest,
    InvalidValue,
    NotAllowed,
    NotAuthenticated,
    RequestTimeout,
    TooLarge,
)
from genint.model.job import ApiKey, KeyScope, User
from genint.service.compression import compress, gzip_headers, wants_gzip
from genint.service.events import JobEvents
from genint.service.example import ExampleReport
from genint.service.mail import Mailer
from genint.service.metrics import Metrics
from genint.service.results import Results
from genint.service.sessions import given_secret, live_session
from genint.settings import Settings
from genint.storage import Heartbeats, Storage
from genint.worker.supervisor import Supervisor

BEAT_COUNTS_S = 10.0
"""Age of a heartbeat from which on its worker is taken for dead."""
_STORE_LIMIT_S = 0.45
"""How long one store of heartbeats may take to answer; two of them fit in a second."""


_LOOK_LIMIT_S: Final = 1.0
"""How long database and disk may take to answer."""


@dataclass(frozen=True, slots=True)
class Service:
    """The parts of the running service.

    Attributes:
        settings: From the environment.
        storage: Database and files.
        passwords: Hashes them in threads of its own.
        tokens: Signs and checks them.
        mailer: Sends e-mail; None where no server for it is configured.
        supervisor: Of this process; None where it serves the API alone.
        results: Genes and reports of finished jobs.
        example: The report of an example genome.
        events: What becomes of jobs, for those who follow them.
        heartbeats: Where to look for workers, in this order.
        openapi: Makes the document, as JSON; at once but for the first time in a process.
        metrics: Counts what this process does.
    """

    settings: Settings
    storage: Storage
    passwords: PasswordHasher
    tokens: TokenSigner
    mailer: Mailer | None
    supervisor: Supervisor | None
    results: Results
    example: ExampleReport
    events: JobEvents
    heartbeats: tuple[Heartbeats, ...]
    openapi: Callable[[], bytes]
    metrics: Metrics

    async def has_workers(self) -> bool:
        """Whether any worker lives; False where no store answers. Within a second."""
        if self.supervisor is not None and self.supervisor.is_alive:
            return True
        for store in self.heartbeats:
            try:
                async with asyncio.timeout(_STORE_LIMIT_S):
                    return await store.any_within(BEAT_COUNTS_S)
            except (BusyError, TimeoutError):
                continue
        return False

    async def faults(self) -> tuple[str, ...]:
        """What keeps the service from its work, in words; nothing where all is well.

        Database, disk, store and workers are looked at side by side, within about a second.
        """
        looks = (
            self._database_fault(),
            self._disk_fault(),
            self._store_fault(),
            self._worker_fault(),
        )
        return tuple(filter(None, await asyncio.gather(*looks)))

    async def _database_fault(self) -> str:
        try:
            async with asyncio.timeout(_LOOK_LIMIT_S):
                await self.storage.jobs.get("none")
        except (BusyError, TimeoutError):
            return "the database does not answer"
        return ""

    async def _disk_fault(self) -> str:
        try:
            async with asyncio.timeout(_LOOK_LIMIT_S):
                free_bytes = await asyncio.to_thread(self.storage.files.free_bytes)
        except (OSError, TimeoutError):
            return "the data folder cannot be used"
        return "the disk is nearly full" if free_bytes < self.settings.min_free_bytes else ""

    async def _store_fault(self) -> str:
        try:
            async with asyncio.timeout(_LOOK_LIMIT_S):
                await self.storage.files.objects.check()
        except (BusyError, TimeoutError):
            return "the file store does not answer"
        return ""

    async def _worker_fault(self) -> str:
        return "" if await self.has_workers() else "no worker is alive"


SERVICE = web.AppKey("service", Service)


USER: Final = web.RequestKey("user", str)
"""Id of the user, for the log."""
REQUEST_ID: Final = web.RequestKey("request_id", str)
CLIENT_ADDRESS: Final = web.RequestKey("client_address", str)
"""Where a request comes from, as far as that can be trusted."""
_LOG = logging.getLogger("genint.service")


class Caller(NamedTuple):
    """Who sends a request.

    Attributes:
        user: Whose credential it carries.
        key: The API key; None where it is a token.
    """

    user: User
    key: ApiKey | None


def log_refusal(request: web.Request, reason: str, user_id: str | None = None) -> None:
    """A line in the log about a password, token, key or link that was refused."""
    _LOG.warning(
        "authentication failed",
        extra={
            "event": "auth_failed",
            "request_id": request.get(REQUEST_ID),
            "reason": reason,
            "user_id": user_id,
            "path": request.path,
            "remote": request.get(CLIENT_ADDRESS),
        },
    )


async def authenticate(
    request: web.Request, service: Service, *, follows_link: bool = False
) -> Caller:
    """Who sends a request.

    A bearer token decides alone: where it is not valid, a key is not tried; and neither with a
    key the session of the browser. The user is looked up every time, so a deleted or disabled
    account, a revoked key or a session that was ended is out at once.

    Args:
        request: With its credential.
        service: That looks it up.
        follows_link: The request changes nothing and may come from a link: the cookie of a
            session is enough (see :mod:`genint.service.sessions`).

    Raises:
        NotAuthenticated: no credential, more than one of a kind, or one that is not
            valid, expired, revoked, or whose user is gone; one text for all of these.
    """
    headers = request.headers.getall("Authorization", [])
    scheme, _, token = headers[0].strip().partition(" ") if headers else ("", "", "")
    is_token = len(headers) > 1 or scheme.lower() == "bearer"
    kind = "token" if is_token else "API key" if "X-API-Key" in request.headers else "session"
    try:
        if len(headers) > 1:
            raise NotAuthenticated(INVALID_CREDENTIAL, was_given=True)
        if kind == "token":
            caller = await _user_of_token(token.strip(), service)
        elif kind == "API key":
            caller = await _user_of_key(request, service)
        else:
            caller = await _user_of_session(request, service, follows_link=follows_link)
        if caller is None:
            raise NotAuthenticated(INVALID_CREDENTIAL, was_given=True)
    except NotAuthenticated as problem:
        if problem.was_given:
            log_refusal(request, kind)
        raise
    request[USER] = caller.user.id
    return caller


async def _user_of_token(text: str, service: Service) -> Caller | None:
    token = service.tokens.read(text)
    user = await service.storage.accounts.user(token.user_id, generation=token.generation)
    return None if user is None else Caller(user, None)


async def _user_of_key(request: web.Request, service: Service) -> Caller | None:
    given = request.headers.getall("X-API-Key")
    raw = given[0].strip()
    prefix = keys.parse_key(raw) if len(given) == 1 else None
    if prefix is None:  # a typing error or a scan: no query is needed
        return None
    accounts = service.storage.accounts
    found = await accounts.key_by_prefix(prefix)
    is_right = keys.matches(raw, found.key.digest if found else None)
    if found is None or not is_right or not found.is_valid:
        return None
    await accounts.touch_key(found.key.id)
    return Caller(found.user, found.key)


async def _user_of_session(
    request: web.Request, service: Service, *, follows_link: bool
) -> Caller | None:
    if given_secret(request, needs_header=not follows_link) is None:
        raise NotAuthenticated("Not authenticated", was_given=False)
    found = await live_session(
        request,
        service.storage.sessions,
        lifetime_s=service.settings.session_lifetime_s,
        needs_header=not follows_link,
    )
    return None if found is None else Caller(found.user, None)


_BODY_TIMEOUT_S: Final = 30
"""How long a small JSON body may take to arrive."""
_Model = TypeVar("_Model", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Call:
    """A request on its way through a handler.

    Attributes:
        request: As aiohttp has it.
        service: What the application is made of.
        user: The caller; None where no login is needed.
        key: The API key that came with it, if any.
    """

    request: web.Request
    service: Service
    user: User | None
    key: ApiKey | None = None

    @property
    def caller(self) -> User:
        """The user, where the endpoint needs a login."""
        if self.user is None:
            raise NotAuthenticated("Not authenticated", was_given=False)
        return self.user

    def path(self, name: str) -> str:
        """A variable part of the path."""
        return self.request.match_info[name]


Handler = Callable[..., Awaitable[BaseModel | web.StreamResponse | None]]


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One method of one path.

    Attributes:
        method: GET, POST or DELETE.
        path: With ``{names}`` for its variable parts.
        handler: Gets a Call, and the parameters ``body`` and ``query`` that it names.
        summary: One line for the document.
        tag: Group in the document.
        status: Status of success.
        other_successes: Further statuses of success that the handler may answer, and when.
        needs_login: Whether the caller has to be authenticated.
        may_login: The handler authenticates the caller itself where that is needed.
        follows_link: The cookie of a browser is enough, as a link leads here (see
            :mod:`genint.service.sessions`).
        errors: Statuses that this endpoint may answer besides, and when.
        answer: Model of the answer where the handler makes its response itself.
        form: Schema of a multipart form that the handler reads itself.
        headers: Request headers that it understands, and what for.
        media_types: Of the answer; more than one where the client chooses.
        links: Names of handlers whose path takes a field of this answer: handler to
            (name in the path, name in the answer).
    """

    method: str
    path: str
    handler: Handler
    summary: str
    tag: str
    status: int = HTTPStatus.OK
    other_successes: Mapping[int, str] = field(default_factory=dict)
    needs_login: bool = False
    may_login: bool = False
    follows_link: bool = False
    errors: Mapping[int, str] = field(default_factory=dict)
    answer: type[BaseModel] | None = None
    form: type[BaseModel] | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    media_types: tuple[str, ...] = ("application/json",)
    links: Mapping[str, tuple[str, str]] = field(default_factory=dict)

    @property
    def changes_something(self) -> bool:
        """Whether a key that may only read is refused."""
        return self.method != "GET"

    def takes(self, name: str) -> type[BaseModel] | None:
        """Model of the parameter ``body`` or ``query``, or of the result (``return``)."""
        hint = get_type_hints(self.handler).get(name)
        return hint if isinstance(hint, type) and issubclass(hint, BaseModel) else None

    @property
    def answers(self) -> type[BaseModel] | None:
        """Model of the answer."""
        return self.answer or self.takes("return")


def as_aiohttp(endpoint: Endpoint) -> Callable[[web.Request], Awaitable[web.StreamResponse]]:
    """The handler that aiohttp calls: authenticate, read, run, answer."""
    body_model, query_model = endpoint.takes("body"), endpoint.takes("query")

    async def handle(request: web.Request) -> web.StreamResponse:
        service = request.app[SERVICE]
        user, key = None, None
        if endpoint.needs_login:
            follows_link = endpoint.follows_link
            user, key = await authenticate(request, service, follows_link=follows_link)
        if key is not None and key.scope is KeyScope.READ and endpoint.changes_something:
            raise NotAllowed("This API key may only read")
        arguments: dict[str, BaseModel] = {}
        if query_model is not None:
            arguments["query"] = _read_query(request, query_model)
        if body_model is not None:
            arguments["body"] = await _read_body(request, body_model)
        answer = await endpoint.handler(Call(request, service, user, key), **arguments)
        if isinstance(answer, web.StreamResponse):
            return answer
        if answer is None:
            return web.Response(status=HTTPStatus.NO_CONTENT)
        body = answer.model_dump_json(by_alias=True).encode()
        headers = {"Content-Type": "application/json"}
        if wants_gzip(request, headers["Content-Type"], len(body)):
            body, headers = await compress(body), gzip_headers(headers)
        return web.Response(body=body, status=endpoint.status, headers=headers)

    return handle


def _read_query(request: web.Request, model: type[_Model]) -> _Model:
    """The values of a query string; a name that is given twice is refused as ambiguous."""
    given = request.query
    repeated = [name for name in model.model_fields if len(given.getall(name, ())) > 1]
    if repeated:
        raise InvalidRequest(
            *(
                InvalidValue(("query", name), "is given more than once", "repeated")
                for name in repeated
            )
        )
    return _valid(model, dict(given), "query")


async def wait_for_body(request: web.Request) -> None:
    """A client's ``Expect: 100-continue`` is answered where its body is wanted, not before."""


async def request_body(request: web.Request) -> None:
    """Have a client that waits for it (RFC 9110, section 10.1.1) send its body."""
    if request.headers.get("Expect", "").lower() == "100-continue":
        await request.writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")
        request.writer.output_size = 0  # the answer itself has not begun


async def _read_body(request: web.Request, model: type[_Model]) -> _Model:
    if (request.content_length or 0) > request.client_max_size:
        raise TooLarge("The body is too large")
    await request_body(request)
    try:
        async with asyncio.timeout(_BODY_TIMEOUT_S):
            content = await request.read()
    except TimeoutError:
        raise RequestTimeout("The body did not arrive in time") from None
    if not content and not any(field.is_required() for field in model.model_fields.values()):
        content = b"{}"
    return _valid(model, content, "body")


def _valid(model: type[_Model], content: bytes | dict[str, str], where: str) -> _Model:
    """The values of a request, or InvalidRequest with all that is wrong in them."""
    try:
        if isinstance(content, bytes):
            return model.model_validate_json(content)
        return model.model_validate(content)
    except ValidationError as problem:
        faults = problem.errors(include_url=False, include_context=False, include_input=False)
        raise InvalidRequest(
            *(InvalidValue((where, *fault["loc"]), fault["msg"], fault["type"]) for fault in faults)
        ) from None
