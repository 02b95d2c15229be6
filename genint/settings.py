"""Settings from the environment; no other module reads it.

Every wrong value is answered by one line that names the variable. Secrets may come from files
(``<name>_FILE``) and are never part of an error or of a ``repr``.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Final, NamedTuple, Self
from urllib.parse import unquote, urlsplit

from platformdirs import user_cache_path, user_data_path
from pydantic import (
    AliasGenerator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    SecretStr,
    ValidationError,
)

from genint.errors import UsageError

DEFAULT_CORS_ORIGINS: Final = "http://localhost:3000,https://app.genint.example"
SECRET_BYTES: Final = 32
"""Least length of the secret that signs tokens (RFC 7518, section 3.2)."""

Environment = Mapping[str, str]
_MINUTE_S: Final = 60
_DAY_S: Final = 86_400
_MB: Final = 1_000_000
_LARGEST_PORT: Final = 65_535
_TOKEN_CHARACTERS: Final = 24
VARIABLES: Final = MappingProxyType(
    {
        "data_folder": "GENINT_DATA_DIR",
        "cache_folder": "GENINT_CACHE_DIR",
        "databases_folder": "GENINT_DATABASES_DIR",
        "cache_limit_bytes": "GENINT_CACHE_MB",
        "contact": "GENINT_CONTACT",
        "uniprot_url": "GENINT_UNIPROT_URL",
        "interpro_url": "GENINT_INTERPRO_URL",
        "interpro_go_url": "GENINT_INTERPRO_GO_URL",
        "database": "DATABASE_URL",
        "store": "GENINT_STORE",
        "redis_url": "REDIS_URL",
        "jwt_secret": "JWT_SECRET",
        "previous_jwt_secret": "JWT_SECRET_PREVIOUS",
        "metrics_listen": "GENINT_METRICS_LISTEN",
        "metrics_token": "GENINT_METRICS_TOKEN",
        "cors_origins": "CORS_ALLOWED_ORIGINS",
        "max_upload_bytes": "GENINT_MAX_UPLOAD_MB",
        "max_bases": "GENINT_MAX_BASES",
        "max_pending_per_user": "GENINT_MAX_PENDING_PER_USER",
        "max_stored_bytes_per_user": "GENINT_MAX_STORED_MB_PER_USER",
        "min_free_bytes": "GENINT_MIN_FREE_MB",
        "retention_days": "GENINT_RETENTION_DAYS",
        "token_lifetime_s": "GENINT_TOKEN_MINUTES",
        "session_lifetime_s": "GENINT_SESSION_DAYS",
        "guests": "GENINT_GUESTS",
        "login_attempts": "GENINT_LOGIN_ATTEMPTS",
        "trusted_proxies": "GENINT_TRUSTED_PROXIES",
        "smtp_url": "GENINT_SMTP_URL",
        "mail_from": "GENINT_MAIL_FROM",
        "public_url": "GENINT_PUBLIC_URL",
        "job_time_limit_s": "GENINT_JOB_MINUTES",
        "process_memory_bytes": "GENINT_PROCESS_MEMORY_MB",
        "notify_socket": "NOTIFY_SOCKET",
        "watchdog_s": "WATCHDOG_USEC",
        "public_reports": "GENINT_PUBLIC_REPORTS",
        "webhooks": "GENINT_WEBHOOKS",
        "dask": "GENINT_DASK",
    }
)
"""Of which variable each setting is read."""
SECRETS: Final = frozenset(
    {
        "DATABASE_URL",
        "REDIS_URL",
        "JWT_SECRET",
        "JWT_SECRET_PREVIOUS",
        "GENINT_METRICS_TOKEN",
        "GENINT_SMTP_URL",
    }
)
"""Variables whose value may be in a file that ``<name>_FILE`` names."""
_PLAIN_URL: Final = re.compile(
    r"https?://([\w.-]+|\[[\da-fA-F:.]+\])(:\d{1,5})?(/[\w.~-]+)*/?", re.A
)


def cache_folder(environment: Environment | None = None) -> Path:
    """See :class:`FolderSettings`."""
    return FolderSettings.from_environment(environment).cache_folder


def databases_folder(environment: Environment | None = None) -> Path:
    """See :class:`FolderSettings`; UsageError where a variable cannot be a folder."""
    return FolderSettings.from_environment(environment).databases_folder


def cache_limit_bytes(environment: Environment | None = None) -> int:
    """See :class:`CacheSettings`; UsageError where the variable is no number in range."""
    return CacheSettings.from_environment(environment).cache_limit_bytes


def without_matrix_threads() -> None:
    """Have numpy start no threads for large matrices, unless the user's environment says otherwise.

    There are no such matrices here, and the threads spin for 0.07 s in each process. For the
    command line, whose process is its own, before numpy is loaded; worker processes inherit it.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


class _Group(BaseModel):
    """Settings that are read together: from the environment only where that is requested."""

    model_config = ConfigDict(
        frozen=True,
        alias_generator=AliasGenerator(validation_alias=VARIABLES.__getitem__),
        populate_by_name=True,
        hide_input_in_errors=True,
        defer_build=True,  # the command line needs few of them
    )

    @classmethod
    def from_environment(cls, environment: Environment | None = None) -> Self:
        """Read the settings; tests pass a mapping instead of the real environment.

        Raises:
            UsageError: a value cannot be used; names the variable and what is allowed.
        """
        environment = os.environ if environment is None else environment
        wanted = {VARIABLES[name] for name in cls.model_fields}
        files = _given({name: environment.get(f"{name}_FILE", "") for name in wanted & SECRETS})
        values = _given({name: environment.get(name, "") for name in wanted})
        values |= {name: _content_of(name, file) for name, file in files.items()}
        try:
            return cls.model_validate(values).complete()
        except ValidationError as problem:
            raise _first_fault(problem, files) from None

    def complete(self) -> Self:
        """The settings themselves, where those that need each other are there.

        Raises:
            UsageError: one is missing; names it.
        """
        return self


def _given(values: Environment) -> dict[str, str]:
    """The variables that say something: an empty one is as good as none."""
    return {name: text for name, value in values.items() if (text := value.strip())}


def _content_of(name: str, file: str) -> str:
    try:
        return Path(file).read_text().strip()
    except (OSError, UnicodeDecodeError) as problem:
        reason = getattr(problem, "strerror", None) or "not text"
        raise UsageError(f"{name}_FILE: the file cannot be read: {reason}") from problem


def _first_fault(problem: ValidationError, files: Mapping[str, str]) -> UsageError:
    """The first fault in one line; without the value, which may be or hold a secret."""
    fault = problem.errors(include_url=False, include_input=False)[0]
    name = str(fault["loc"][0])
    shown = f"{name}_FILE" if name in files else name
    return UsageError(f"{shown}: {fault['ctx']['error']}")


def _folder(text: str | Path) -> Path:
    if "\0" in str(text):
        raise ValueError("must be the path of a folder")
    return Path(text).expanduser().absolute()


def _number(least: int, most: int, *, unit: int = 1) -> BeforeValidator:
    """A whole number in a range, in units such as MB."""
    return BeforeValidator(lambda text: unit * _in_range(text, least, most))


def _days(text: str) -> int | None:
    return _in_range(text, 0, 36_500) or None


def _memory(text: str) -> int | None:
    """Bytes from MB, None from 0. A phage takes some 750 MB of address space."""
    return None if text == "0" else _MB * _in_range(text, 1_000, 10_000_000)


def _seconds_of_us(text: str) -> float | None:
    return int(text) / 1_000_000 if text.isascii() and text.isdigit() else None


def _in_range(text: str, least: int, most: int) -> int:
    if not text.isascii() or not text.isdigit() or not least <= int(text[:12]) <= most:
        raise ValueError(f"must be a whole number from {least} to {most:,}")
    return int(text)


def _truth(text: str) -> bool:
    if text.lower() not in {"true", "false"}:
        raise ValueError("must be true or false")
    return text.lower() == "true"


def _database(text: str) -> Path | SecretStr:
    """A path for SQLite, an address for PostgreSQL.

    As usual for such addresses, three slashes begin a relative path, four an
    absolute one.
    """
    scheme, _, rest = text.partition("://")
    if scheme == "sqlite" and rest.startswith("/") and rest.strip("/"):
        return Path(rest[1:]).absolute()
    if scheme in {"postgresql", "postgres"} and rest:
        return SecretStr(_with_host(text))
    raise ValueError("must be sqlite:///path or postgresql://user:password@host:port/name")


def _store(text: str) -> str:
    """Bucket and prefix; neither begins with a dot, so no part leads elsewhere."""
    if not re.fullmatch(r"s3://[a-z\d][a-z\d.-]{1,61}[a-z\d](/[\w-][\w.-]*)*/?", text, re.A):
        raise ValueError("must be s3://bucket or s3://bucket/prefix")
    return text.rstrip("/")


def _redis(text: str) -> str:
    if urlsplit(text).scheme not in {"redis", "rediss", "unix"}:
        raise ValueError("must be redis://host:port/number, rediss://... or unix://path")
    return _with_host(text)


def _scheduler(text: str) -> str:
    if urlsplit(text).scheme not in {"tcp", "tls", "ws", "wss"}:
        raise ValueError("must be tcp://host:8786, or tls://, ws:// or wss://")
    return _with_host(text)


def _with_host(text: str) -> str:
    """The address itself where its port can be read."""
    try:
        _ = urlsplit(text).port
    except ValueError:
        raise ValueError("the port is not a number from 0 to 65535") from None
    return text


def _server(text: str) -> str:
    """An address that calls are sent below, without a slash at the end."""
    parts = urlsplit(text) if _PLAIN_URL.fullmatch(text) else None
    if parts is None or any(part in (".", "..") for part in parts.path.split("/")):
        raise ValueError("must be https://host/path, without user, password and query")
    return _with_host(text).rstrip("/")


def _email(text: str) -> str:
    """An address that is valid in the header of a request."""
    from email_validator import EmailNotValidError, validate_email  # noqa: PLC0415 - seldom set

    try:
        found = validate_email(text, check_deliverability=False, allow_smtputf8=False)
    except EmailNotValidError:
        raise ValueError("must be an e-mail address such as name@example.org") from None
    return found.ascii_email or found.normalized


def _jwt_secret(text: str) -> str:
    if len(text.encode()) < SECRET_BYTES:
        raise ValueError(f"must be at least {SECRET_BYTES} random bytes")
    return text


class ListenAddress(NamedTuple):
    """Where a server listens; port 0 takes any that is free."""

    host: str
    port: int


def _listen_address(text: str) -> ListenAddress:
    host, colon, port = text.rpartition(":")
    host = host.removeprefix("[").removesuffix("]")
    if not colon or not host or not port.isdigit() or int(port[:6]) > _LARGEST_PORT:
        raise ValueError("must be host:port such as 127.0.0.1:9464")
    return ListenAddress(host, int(port))


def _listen(text: str) -> str:
    _listen_address(text)
    return text


def _metrics_token(text: str) -> str:
    if len(text) < _TOKEN_CHARACTERS or not re.fullmatch(r"[\x21-\x7e]+", text):
        raise ValueError(f"must be at least {_TOKEN_CHARACTERS} random characters without blanks")
    return text


def _origins(text: str) -> tuple[str, ...]:
    origins = tuple(part.strip().rstrip("/") for part in text.split(",") if part.strip())
    for origin in origins:
        parts = urlsplit(origin)
        if parts.scheme not in {"http", "https"} or not parts.netloc or parts.path or parts.query:
            raise ValueError("must be origins such as https://app.example.org, with commas between")
    return origins


@dataclass(frozen=True, slots=True)
class SmtpServer:
    """Who takes e-mail from us.

    Attributes:
        host: Name or address.
        port: Of the server.
        security: ``smtps``: encrypted from the start; ``smtp+starttls``: encrypted before
            anything is said; ``smtp``: not at all, for a server on this machine.
        user: None where it asks for no login.
        password: Of the user.
    """

    host: str
    port: int
    security: str
    user: str | None
    password: str | None = field(repr=False)


_SMTP_PORTS: Final = MappingProxyType({"smtp": 25, "smtp+starttls": 587, "smtps": 465})
_UNTRUSTED = "must be addresses or networks such as 127.0.0.1,10.0.0.0/8, with commas between"


def _smtp_server(text: str) -> SmtpServer:
    parts = urlsplit(_with_host(text))
    is_whole = parts.scheme in _SMTP_PORTS and parts.hostname
    if not is_whole or parts.path.strip("/") or parts.query or parts.fragment:
        raise ValueError("must be smtps://user:password@host:port, smtp+starttls://... or smtp://")
    if parts.username and parts.scheme == "smtp":
        raise ValueError("a password needs smtps:// or smtp+starttls://, which encrypt it")
    user, password = (None if x is None else unquote(x) for x in (parts.username, parts.password))
    port = parts.port or _SMTP_PORTS[parts.scheme]
    return SmtpServer(str(parts.hostname), port, parts.scheme, user or None, password)


def _smtp_url(text: str) -> str:
    _smtp_server(text)
    return text


def _networks(text: str) -> tuple[IPv4Network | IPv6Network, ...]:
    try:
        return tuple(ip_network(part.strip()) for part in text.split(",") if part.strip())
    except ValueError:
        raise ValueError(_UNTRUSTED) from None


def _attempts(text: str) -> int | None:
    return _in_range(text, 0, 10_000) or None


_Folder = Annotated[Path, BeforeValidator(_folder)]
_Server = Annotated[str, BeforeValidator(_server)]


class FolderSettings(_Group):
    """Where files are kept.

    Attributes:
        data_folder: Database (SQLite), uploads, reports, generated secret.
            ``GENINT_DATA_DIR``, else the platform's user data folder.
        cache_folder: Indexed profiles and results; safe to delete at any time.
            ``GENINT_CACHE_DIR``, else the platform's user cache folder.
        databases_folder: Where ``genint db install`` puts databases.
            ``GENINT_DATABASES_DIR``, else ``databases`` in the data folder.
    """

    data_folder: _Folder = Field(default_factory=lambda: user_data_path("genint", appauthor=False))
    cache_folder: _Folder = Field(
        default_factory=lambda: user_cache_path("genint", appauthor=False)
    )
    databases_folder: _Folder = Field(
        default_factory=lambda known: known["data_folder"] / "databases"
    )


class CacheSettings(_Group):
    """How large the cache may grow.

    Attributes:
        cache_limit_bytes: 0 for no such cache. ``GENINT_CACHE_MB``, else 1,000 MB.
    """

    cache_limit_bytes: Annotated[int, _number(0, 1_000_000, unit=_MB)] = 1_000 * _MB


class OnlineSettings(_Group):
    """Which servers online mode queries, and the address that they may write to.

    Attributes:
        contact: E-mail address that requests name, if any.
        uniprot_url: REST services of UniProt.
        interpro_url: Matches API of InterPro.
        interpro_go_url: Folder with the file ``interpro2go``.
    """

    contact: Annotated[str, BeforeValidator(_email)] | None = None
    uniprot_url: _Server = "https://rest.uniprot.org"
    interpro_url: _Server = "https://www.ebi.ac.uk/interpro/matches/api"
    interpro_go_url: _Server = "https://ftp.ebi.ac.uk/pub/databases/interpro/current_release"


class SystemdSettings(_Group):
    """What systemd tells a service that it starts; no operator sets it.

    Attributes:
        notify_socket: Where it listens; None: it did not start this process.
        watchdog_s: It restarts a process that gives no sign of life for so long; None: never.
    """

    notify_socket: str | None = None
    watchdog_s: Annotated[float | None, BeforeValidator(_seconds_of_us)] = None


class Settings(OnlineSettings, CacheSettings, FolderSettings):
    """What the environment decides for the service.

    Attributes:
        database: Address of PostgreSQL, or file of SQLite; None: a file in the data folder.
        store: Bucket and prefix of an object store where uploads and results are kept; None: in
            the data folder.
        redis_url: Where heartbeats go besides the database; None: nowhere else.
        jwt_secret: Signs tokens, at least 32 bytes; None: made once, kept in the data folder.
        previous_jwt_secret: Signed tokens before ``jwt_secret`` took its place; those are
            accepted until they expire.
        metrics_listen: Where figures for Prometheus are served; None: nowhere.
        metrics_token: What a reader of the figures has to show; None: nothing, on an address
            that only this machine reaches.
        cors_origins: Origins that browsers may call from, exact.
        max_upload_bytes: Largest upload; its decompressed text may be four times that.
        max_bases: Most bases of a genome.
        max_pending_per_user: Jobs of one user that may wait; more are refused.
        max_stored_bytes_per_user: What uploads and results of one user may take.
        min_free_bytes: With less room than this on the disk no upload is taken.
        retention_days: Days after their end when jobs are deleted; None: never.
        token_lifetime_s: How long an access token is valid.
        session_lifetime_s: How long a browser stays logged in after it was used last.
        guests: Whether the service can be tried without an account.
        login_attempts: Wrong passwords for one account from one address within 15 minutes;
            None: any number.
        trusted_proxies: Whose ``X-Forwarded-For`` says where a request comes from.
        smtp_url: Of the server that takes e-mail with links for a new password; None:
            operators make such links.
        mail_from: Sender of that e-mail.
        public_url: Address of the service as its users know it, without a slash at the end.
        job_time_limit_s: How long one attempt may take.
        process_memory_bytes: Address space of a worker process (Linux); None: no limit.
        public_reports: Whether anyone who knows the id of a job can read its report.
        webhooks: Whether users may have the end of their jobs announced to an address.
        dask: Address of the scheduler of a Dask cluster that computes; None: worker processes.
    """

    database: Annotated[Path | SecretStr, BeforeValidator(_database)] | None = None
    store: Annotated[str | None, BeforeValidator(_store)] = None
    redis_url: Annotated[SecretStr, BeforeValidator(_redis)] | None = None
    jwt_secret: Annotated[SecretStr, BeforeValidator(_jwt_secret)] | None = None
    previous_jwt_secret: Annotated[SecretStr | None, BeforeValidator(_jwt_secret)] = None
    metrics_listen: Annotated[str | None, BeforeValidator(_listen)] = None
    metrics_token: Annotated[SecretStr | None, BeforeValidator(_metrics_token)] = None
    cors_origins: Annotated[tuple[str, ...], BeforeValidator(_origins)] = tuple(
        DEFAULT_CORS_ORIGINS.split(",")
    )
    max_upload_bytes: Annotated[int, _number(1, 2_000, unit=_MB)] = 100 * _MB
    max_bases: Annotated[int, _number(1, 2_000_000_000)] = 30_000_000
    max_pending_per_user: Annotated[int, _number(1, 1_000_000)] = 200
    max_stored_bytes_per_user: Annotated[int, _number(1, 1_000_000_000, unit=_MB)] = 2_000 * _MB
    min_free_bytes: Annotated[int, _number(0, 1_000_000_000, unit=_MB)] = 500 * _MB
    retention_days: Annotated[int | None, BeforeValidator(_days)] = None
    token_lifetime_s: Annotated[int, _number(1, 525_600, unit=_MINUTE_S)] = 60 * _MINUTE_S
    session_lifetime_s: Annotated[int, _number(1, 365, unit=_DAY_S)] = 7 * _DAY_S
    guests: Annotated[bool, BeforeValidator(_truth)] = False
    login_attempts: Annotated[int | None, BeforeValidator(_attempts)] = None
    trusted_proxies: Annotated[
        tuple[IPv4Network | IPv6Network, ...], BeforeValidator(_networks)
    ] = ()
    smtp_url: Annotated[SecretStr | None, BeforeValidator(_smtp_url)] = None
    mail_from: Annotated[str | None, BeforeValidator(_email)] = None
    public_url: Annotated[str | None, BeforeValidator(_server)] = None
    job_time_limit_s: Annotated[int, _number(1, 10_080, unit=_MINUTE_S)] = 60 * _MINUTE_S
    process_memory_bytes: Annotated[int | None, BeforeValidator(_memory)] = 8_000 * _MB
    public_reports: Annotated[bool, BeforeValidator(_truth)] = True
    webhooks: Annotated[bool, BeforeValidator(_truth)] = True
    dask: Annotated[str | None, BeforeValidator(_scheduler)] = None

    def complete(self) -> Self:
        """The settings, where e-mail has a sender and an address for the link in it.

        (The address that a request names is the client's to choose.)
        """
        for variable, value in (
            ("GENINT_MAIL_FROM", self.mail_from),
            ("GENINT_PUBLIC_URL", self.public_url),
        ):
            if self.smtp_url is not None and value is None:
                raise UsageError(f"{variable}: has to be set where GENINT_SMTP_URL is")
        return self

    @property
    def sqlite_file(self) -> Path:
        """Database file of SQLite; unused with PostgreSQL."""
        if isinstance(self.database, Path):
            return self.database
        return self.data_folder / "genint.sqlite3"

    @property
    def database_url(self) -> str | None:
        """Address of PostgreSQL with its password, or None for SQLite."""
        if isinstance(self.database, SecretStr):
            return self.database.get_secret_value()
        return None

    @property
    def smtp_server(self) -> SmtpServer | None:
        """Who takes e-mail; None where none is sent."""
        return None if self.smtp_url is None else _smtp_server(self.smtp_url.get_secret_value())

    @property
    def metrics_address(self) -> ListenAddress | None:
        """Where figures for Prometheus are served; None: nowhere."""
        return None if self.metrics_listen is None else _listen_address(self.metrics_listen)

    @property
    def uses_postgresql(self) -> bool:
        """Whether several processes may share the database."""
        return self.database_url is not None
