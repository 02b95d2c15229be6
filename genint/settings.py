"""Settings from the environment; no other file reads it.

Every wrong value is answered by one line that names the variable. Secrets are
never part of an error or of a ``repr``.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self, TypeVar
from urllib.parse import urlsplit

from genint.errors import UsageError

DEFAULT_CORS_ORIGINS = "http://localhost:3000,https://app.genint.example"
SECRET_BYTES = 32
"""Least length of the secret that signs tokens (RFC 7518, section 3.2)."""

Environment = Mapping[str, str]
_Value = TypeVar("_Value")
_MINUTE_S = 60
_MB = 1_000_000
_PLAIN_URL = re.compile(r"https?://([\w.-]+|\[[\da-fA-F:.]+\])(:\d{1,5})?(/[\w.~-]+)*/?", re.A)


def cache_folder(environment: Environment | None = None) -> Path:
    """Where pressed profiles and results are kept; safe to delete at any time.

    ``GENINT_CACHE_DIR``, else the platform's user cache folder.
    """
    chosen = (os.environ if environment is None else environment).get("GENINT_CACHE_DIR")
    if chosen:
        return Path(chosen).expanduser()
    from platformdirs import user_cache_path  # noqa: PLC0415 - only needed here

    return user_cache_path("genint", appauthor=False)


def databases_folder(environment: Environment | None = None) -> Path:
    """Where ``genint db install`` puts databases.

    ``GENINT_DATABASES_DIR``, else ``databases`` in ``GENINT_DATA_DIR``, else in the platform's
    user data folder.

    Raises:
        UsageError: a variable cannot be a folder.
    """
    values = _Reader(os.environ if environment is None else environment)

    def beside_the_rest() -> Path:
        return values.read("GENINT_DATA_DIR", _folder, _default_data_folder) / "databases"

    return values.read("GENINT_DATABASES_DIR", _folder, beside_the_rest)


def cache_limit_bytes(environment: Environment | None = None) -> int:
    """How large the cache of results may grow; 0 for no such cache.

    ``GENINT_CACHE_MB``, else 1,000 MB.

    Raises:
        UsageError: the variable is no whole number in range.
    """
    values = _Reader(os.environ if environment is None else environment)
    return _MB * values.number("GENINT_CACHE_MB", 1_000, 0, 1_000_000)


@dataclass(frozen=True, slots=True)
class OnlineSettings:
    """Which servers online mode asks, and whom they may write to.

    Attributes:
        contact: E-mail address that the servers are told, if any. ``GENINT_CONTACT``.
        uniprot_url: REST services of UniProt. ``GENINT_UNIPROT_URL``.
        interpro_url: Matches API of InterPro. ``GENINT_INTERPRO_URL``.
        interpro_go_url: Folder with the file ``interpro2go``. ``GENINT_INTERPRO_GO_URL``.
    """

    contact: str | None = None
    uniprot_url: str = "https://rest.uniprot.org"
    interpro_url: str = "https://www.ebi.ac.uk/interpro/matches/api"
    interpro_go_url: str = "https://ftp.ebi.ac.uk/pub/databases/interpro/current_release"


def online_settings(environment: Environment | None = None) -> OnlineSettings:
    """Settings of online mode; addresses end without a slash.

    Raises:
        UsageError: a variable is no address of a server, or of a person.
    """
    values, usual = _Reader(os.environ if environment is None else environment), OnlineSettings()
    return OnlineSettings(
        contact=values.read("GENINT_CONTACT", _email, lambda: None),
        uniprot_url=values.read("GENINT_UNIPROT_URL", _server, lambda: usual.uniprot_url),
        interpro_url=values.read("GENINT_INTERPRO_URL", _server, lambda: usual.interpro_url),
        interpro_go_url=values.read(
            "GENINT_INTERPRO_GO_URL", _server, lambda: usual.interpro_go_url
        ),
    )


@dataclass(frozen=True, slots=True)
class Settings:
    """What the environment decides for the service.

    Attributes:
        data_folder: Database (SQLite), uploads, reports, generated secret.
            ``GENINT_DATA_DIR``, else the platform's user data folder.
        cache_folder: See :func:`cache_folder`.
        databases_folder: See :func:`databases_folder`.
        cache_limit_bytes: See :func:`cache_limit_bytes`.
        database_url: ``postgresql://...``, or None for SQLite.
        sqlite_file: Database file of SQLite; unused with PostgreSQL.
        redis_url: Where heartbeats go besides the database; None: nowhere else.
        jwt_secret: Signs tokens, at least 32 bytes; None: made once, kept in the data folder.
        cors_origins: Origins that browsers may call from, exact.
        max_upload_bytes: Largest upload; its decompressed text may be four times that.
        max_pending_per_user: Jobs of one user that may wait; more are refused.
        retention_days: Days after their end when jobs are deleted; None: never.
        token_lifetime_s: How long an access token is valid.
        job_time_limit_s: How long one attempt may take.
        online: See :func:`online_settings`.
    """

    data_folder: Path
    cache_folder: Path
    databases_folder: Path
    sqlite_file: Path
    cache_limit_bytes: int = 1_000 * _MB
    database_url: str | None = field(default=None, repr=False)
    redis_url: str | None = field(default=None, repr=False)
    jwt_secret: str | None = field(default=None, repr=False)
    cors_origins: tuple[str, ...] = tuple(DEFAULT_CORS_ORIGINS.split(","))
    max_upload_bytes: int = 100 * _MB
    max_pending_per_user: int = 200
    retention_days: int | None = None
    token_lifetime_s: int = 60 * _MINUTE_S
    job_time_limit_s: int = 60 * _MINUTE_S
    online: OnlineSettings = OnlineSettings()

    @property
    def uses_postgresql(self) -> bool:
        """Whether several processes may share the database."""
        return self.database_url is not None

    @classmethod
    def from_environment(cls, environment: Environment | None = None) -> Self:
        """Read all settings; pass a mapping instead of the real environment in tests.

        Raises:
            UsageError: a value cannot be used; says which variable and what is allowed.
        """
        values = _Reader(os.environ if environment is None else environment)
        data_folder = values.read("GENINT_DATA_DIR", _folder, _default_data_folder)
        database = values.secret("DATABASE_URL", _database)
        sqlite_file = data_folder / "genint.sqlite3"
        return cls(
            data_folder=data_folder,
            cache_folder=cache_folder(values.environment),
            databases_folder=databases_folder(values.environment),
            cache_limit_bytes=cache_limit_bytes(values.environment),
            sqlite_file=database if isinstance(database, Path) else sqlite_file,
            database_url=database if isinstance(database, str) else None,
            redis_url=values.secret("REDIS_URL", _redis),
            jwt_secret=values.secret("JWT_SECRET", _jwt_secret),
            cors_origins=values.read(
                "CORS_ALLOWED_ORIGINS", _origins, lambda: _origins(DEFAULT_CORS_ORIGINS)
            ),
            max_upload_bytes=_MB * values.number("GENINT_MAX_UPLOAD_MB", 100, 1, 2_000),
            max_pending_per_user=values.number("GENINT_MAX_PENDING_PER_USER", 200, 1, 1_000_000),
            retention_days=values.number("GENINT_RETENTION_DAYS", 0, 0, 36_500) or None,
            token_lifetime_s=_MINUTE_S * values.number("GENINT_TOKEN_MINUTES", 60, 1, 525_600),
            job_time_limit_s=_MINUTE_S * values.number("GENINT_JOB_MINUTES", 60, 1, 10_080),
            online=online_settings(values.environment),
        )


class _Reader:
    """Reads variables and says which one is wrong."""

    def __init__(self, environment: Environment) -> None:
        self.environment = environment

    def read(
        self, name: str, parse: Callable[[str], _Value], default: Callable[[], _Value]
    ) -> _Value:
        """The parsed value; an empty variable is as good as none."""
        text = self.environment.get(name, "").strip()
        if not text:
            return default()
        return self._parsed(name, text, parse)

    def number(self, name: str, default: int, least: int, most: int) -> int:
        """A whole number in a range."""

        def parse(text: str) -> int:
            if not text.isascii() or not text.isdigit() or not least <= int(text[:12]) <= most:
                raise ValueError(f"must be a whole number from {least} to {most:,}")
            return int(text)

        return self.read(name, parse, lambda: default)

    def secret(self, name: str, parse: Callable[[str], _Value]) -> _Value | None:
        """A value from the variable, or from the file that ``<name>_FILE`` names."""
        file = self.environment.get(f"{name}_FILE", "").strip()
        if not file:
            return self.read(name, parse, lambda: None)
        try:
            text = Path(file).read_text().strip()
        except (OSError, UnicodeDecodeError) as problem:
            reason = getattr(problem, "strerror", None) or "not text"
            raise UsageError(f"{name}_FILE: the file cannot be read: {reason}") from problem
        return self._parsed(f"{name}_FILE", text, parse)

    def _parsed(self, name: str, text: str, parse: Callable[[str], _Value]) -> _Value:
        try:
            return parse(text)
        except ValueError as problem:
            # The value is left out: it may be or hold a secret.
            raise UsageError(f"{name}: {problem}") from None


def _default_data_folder() -> Path:
    from platformdirs import user_data_path  # noqa: PLC0415 - only needed here

    return user_data_path("genint", appauthor=False)


def _folder(text: str) -> Path:
    if "\0" in text:
        raise ValueError("must be the path of a folder")
    return Path(text).expanduser().absolute()


def _database(text: str) -> Path | str:
    """A path for SQLite, an address for PostgreSQL.

    As usual for such addresses, three slashes begin a relative path, four an
    absolute one.
    """
    scheme, _, rest = text.partition("://")
    if scheme == "sqlite" and rest.startswith("/") and rest.strip("/"):
        return Path(rest[1:]).absolute()
    if scheme in {"postgresql", "postgres"} and rest:
        return _with_host(text)
    raise ValueError("must be sqlite:///path or postgresql://user:password@host:port/name")


def _redis(text: str) -> str:
    if urlsplit(text).scheme not in {"redis", "rediss", "unix"}:
        raise ValueError("must be redis://host:port/number, rediss://... or unix://path")
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
    """An address that can stand in the head of a request."""
    from email_validator import EmailNotValidError, validate_email  # noqa: PLC0415 - only here

    try:
        found = validate_email(text, check_deliverability=False, allow_smtputf8=False)
    except EmailNotValidError:
        raise ValueError("must be an e-mail address such as name@example.org") from None
    return found.ascii_email or found.normalized


def _jwt_secret(text: str) -> str:
    if len(text.encode()) < SECRET_BYTES:
        raise ValueError(f"must be at least {SECRET_BYTES} random bytes")
    return text


def _origins(text: str) -> tuple[str, ...]:
    origins = tuple(part.strip().rstrip("/") for part in text.split(",") if part.strip())
    for origin in origins:
        parts = urlsplit(origin)
        if parts.scheme not in {"http", "https"} or not parts.netloc or parts.path or parts.query:
            raise ValueError("must be origins such as https://app.example.org, with commas between")
    return origins
