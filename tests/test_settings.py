from __future__ import annotations

from pathlib import Path

import pytest

from genint.errors import UsageError
from genint.online.client import user_agent
from genint.settings import (
    DEFAULT_CORS_ORIGINS,
    OnlineSettings,
    Settings,
    cache_limit_bytes,
    databases_folder,
)

SECRET = "correct horse battery staple of 32 bytes"


def settings(**environment: str) -> Settings:
    return Settings.from_environment(environment)


def test_nothing_has_to_be_set():
    found = settings()
    assert found.database_url is None
    assert not found.uses_postgresql
    assert found.sqlite_file.parent == found.data_folder
    assert found.cors_origins == tuple(DEFAULT_CORS_ORIGINS.split(","))
    assert found.max_upload_bytes == 100_000_000
    assert found.max_bases == 30_000_000
    assert found.max_pending_per_user == 200
    assert found.max_stored_bytes_per_user == 2_000_000_000
    assert found.min_free_bytes == 500_000_000
    assert found.process_memory_bytes == 8_000_000_000
    assert found.retention_days is None
    assert found.token_lifetime_s == 3600


def test_an_empty_variable_is_as_good_as_none():
    assert settings(REDIS_URL="", GENINT_MAX_UPLOAD_MB=" ", JWT_SECRET="") == settings()


def test_everything_lies_in_the_data_folder(tmp_path):
    found = settings(GENINT_DATA_DIR=str(tmp_path))
    assert found.data_folder == tmp_path
    assert found.sqlite_file.is_relative_to(tmp_path)


@pytest.mark.parametrize(
    ("address", "file"),
    [
        ("sqlite:////var/lib/genint/jobs.db", Path("/var/lib/genint/jobs.db")),
        ("sqlite:///jobs.db", Path("jobs.db").absolute()),
    ],
)
def test_sqlite_takes_absolute_and_relative_paths(address, file):
    assert settings(DATABASE_URL=address).sqlite_file == file


@pytest.mark.parametrize("scheme", ["postgresql", "postgres"])
def test_a_postgresql_address_can_be_shared(scheme):
    found = settings(DATABASE_URL=f"{scheme}://genint:pw@db:5432/genint")
    assert found.uses_postgresql


def test_origins_are_read_without_blanks_and_slashes():
    found = settings(CORS_ALLOWED_ORIGINS=" https://a.example/ , http://b.example:8080,")
    assert found.cors_origins == ("https://a.example", "http://b.example:8080")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("DATABASE_URL", "mysql://u:hunter2hunter2@h/d"),
        ("DATABASE_URL", "sqlite://"),
        ("DATABASE_URL", "sqlite:///"),
        ("DATABASE_URL", "postgresql://"),
        ("DATABASE_URL", "postgresql://u:hunter2hunter2@h:99999/d"),
        ("GENINT_DASK", "http://h"),
        ("GENINT_STORE", "s3://"),
        ("GENINT_STORE", "s3://bucket/../hunter2hunter2"),
        ("GENINT_STORE", "https://hunter2hunter2"),
        ("GENINT_DASK", "tcp://h:hunter2hunter2"),
        ("REDIS_URL", "http://hunter2hunter2"),
        ("REDIS_URL", "redis://h:hunter2hunter2"),
        ("JWT_SECRET", "hunter2hunter2"),
        ("GENINT_MAX_BASES", "0"),
        ("GENINT_PROCESS_MEMORY_MB", "999"),
        ("CORS_ALLOWED_ORIGINS", "*"),
        ("CORS_ALLOWED_ORIGINS", "https://a.example/path"),
        ("CORS_ALLOWED_ORIGINS", "example.org"),
        ("GENINT_MAX_UPLOAD_MB", "0"),
        ("GENINT_MAX_UPLOAD_MB", "ten"),
        ("GENINT_MAX_UPLOAD_MB", "-5"),
        ("GENINT_MAX_UPLOAD_MB", "1" * 5000),
        ("GENINT_MAX_PENDING_PER_USER", "0"),
        ("GENINT_RETENTION_DAYS", "1.5"),
        ("GENINT_TOKEN_MINUTES", "0"),
        ("GENINT_JOB_MINUTES", "99999999"),
        ("GENINT_DATA_DIR", "a\0b"),
        ("JWT_SECRET_FILE", "/nowhere/hunter2"),
        ("GENINT_UNIPROT_URL", "https://me:hunter2@rest.uniprot.org"),
    ],
)
def test_a_wrong_value_is_named_without_being_repeated(name, value):
    with pytest.raises(UsageError) as caught:
        settings(**{name: value})
    told = str(caught.value)
    assert told.startswith(f"{name}: ")
    assert "hunter2" not in told
    assert "\n" not in told


def test_secrets_come_from_files_too(tmp_path):
    file = tmp_path / "secret"
    file.write_text(f"{SECRET}\n")
    assert settings(JWT_SECRET_FILE=str(file)).jwt_secret.get_secret_value() == SECRET


def test_a_short_secret_in_a_file_is_refused(tmp_path):
    file = tmp_path / "secret"
    file.write_text("short\n")
    with pytest.raises(UsageError, match="JWT_SECRET_FILE: must be at least 32 random bytes"):
        settings(JWT_SECRET_FILE=str(file))


def test_secrets_are_not_part_of_the_repr():
    found = settings(
        JWT_SECRET=SECRET, DATABASE_URL="postgresql://u:pw@h/d", REDIS_URL="redis://:pw@h"
    )
    assert SECRET not in repr(found)
    assert "pw@" not in repr(found)


def test_databases_lie_in_the_data_folder_unless_told_otherwise(tmp_path):
    there = {"GENINT_DATA_DIR": str(tmp_path)}
    assert databases_folder(there) == tmp_path / "databases"
    elsewhere = there | {"GENINT_DATABASES_DIR": str(tmp_path / "shared")}
    assert databases_folder(elsewhere) == tmp_path / "shared"
    assert Settings.from_environment(elsewhere).databases_folder == tmp_path / "shared"
    assert databases_folder({}).parts[-2:] == ("genint", "databases")


def test_the_cache_of_results_has_a_bound_in_megabytes():
    assert cache_limit_bytes({}) == 1_000_000_000
    assert cache_limit_bytes({"GENINT_CACHE_MB": "0"}) == 0
    assert Settings.from_environment({"GENINT_CACHE_MB": "20"}).cache_limit_bytes == 20_000_000
    with pytest.raises(UsageError, match="GENINT_CACHE_MB"):
        cache_limit_bytes({"GENINT_CACHE_MB": "-1"})


def test_online_mode_asks_the_real_services_in_nobodys_name():
    assert OnlineSettings.from_environment({}) == OnlineSettings(
        contact=None,
        uniprot_url="https://rest.uniprot.org",
        interpro_url="https://www.ebi.ac.uk/interpro/matches/api",
        interpro_go_url="https://ftp.ebi.ac.uk/pub/databases/interpro/current_release",
    )


def test_other_servers_may_stand_in_for_the_real_ones():
    environment = {
        "GENINT_UNIPROT_URL": "http://127.0.0.1:8080/uniprot/",
        "GENINT_INTERPRO_URL": "https://Mirror.example.org",
        "GENINT_INTERPRO_GO_URL": "http://[::1]:9000/a_b/c-d.e/~f",
    }
    found = OnlineSettings.from_environment(environment)
    assert found.uniprot_url == "http://127.0.0.1:8080/uniprot"
    assert found.interpro_url == "https://Mirror.example.org"
    assert found.interpro_go_url == "http://[::1]:9000/a_b/c-d.e/~f"
    assert Settings.from_environment(environment).uniprot_url == found.uniprot_url


@pytest.mark.parametrize("name", ["UNIPROT", "INTERPRO", "INTERPRO_GO"])
@pytest.mark.parametrize(
    "value",
    [
        "rest.uniprot.org",
        "ftp://rest.uniprot.org",
        "file:///etc/passwd",
        "https://",
        "https:///x",
        "HTTPS://rest.uniprot.org",
        "https://me@rest.uniprot.org",
        "https://rest.uniprot.org?x=1",
        "https://rest.uniprot.org#x",
        "https://rest.uniprot.org/a b",
        "https://rest.uniprot.org/a/../b",
        "https://rest.uniprot.org/./b",
        "https://rest.uniprot.org/%2e%2e",
        "https://rest.uniprot.org//b",
        "https://rest.uniprot.org\\b",
        "https://rest.uniprot.org/\r\nX: y",
        "https://rest.uniprot.org:99999",
        "https://rest.uniprot.org:port",
        "https://rést.example",
    ],
)
def test_what_is_no_address_of_a_server_is_refused(name, value):
    with pytest.raises(UsageError, match=f"^GENINT_{name}_URL: ") as caught:
        OnlineSettings.from_environment({f"GENINT_{name}_URL": value})
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("value", "contact"),
    [
        ("lab@example.org", "lab@example.org"),
        (" first.last+genint@sub.example.org ", "first.last+genint@sub.example.org"),
        ("lab@bücher.example.org", "lab@xn--bcher-kva.example.org"),
        ("o'hara!#$%&*/=?^_`{|}~-@example.org", "o'hara!#$%&*/=?^_`{|}~-@example.org"),
        ("", None),
    ],
)
def test_servers_may_be_told_whom_to_write_to(value, contact):
    found = OnlineSettings.from_environment({"GENINT_CONTACT": value}).contact
    assert found == contact
    assert user_agent("1.0", found).isascii()


@pytest.mark.parametrize(
    "value",
    [
        "lab",
        "lab@",
        "@example.org",
        "Lab <lab@example.org>",
        "lab@example.org, other@example.org",
        "lab@example.org\r\nX: y",
        "mailto:lab@example.org",
        '"a b"@example.org',
        "läb@example.org",
        "lab@[127.0.0.1]",
    ],
)
def test_a_contact_that_is_no_address_is_refused(value):
    with pytest.raises(UsageError, match=r"^GENINT_CONTACT: must be an e-mail address") as caught:
        OnlineSettings.from_environment({"GENINT_CONTACT": value})
    assert "\n" not in str(caught.value)


def test_mail_goes_to_the_server_that_is_named_with_its_password_decoded():
    mail = {"GENINT_MAIL_FROM": "g@example.org", "GENINT_PUBLIC_URL": "https://g.example.org/"}
    found = settings(GENINT_SMTP_URL="smtp+starttls://me%40x.org:p%2Fw@mail.example.org", **mail)
    server = found.smtp_server
    assert (server.host, server.port, server.security) == ("mail.example.org", 587, "smtp+starttls")
    assert (server.user, server.password) == ("me@x.org", "p/w")
    assert "p/w" not in repr(found) + repr(server)
    assert "p%2Fw" not in repr(found)
    assert found.public_url == "https://g.example.org"
    assert settings().smtp_server is None


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"GENINT_SMTP_URL": "https://mail.example.org"}, "GENINT_SMTP_URL: must be smtps://"),
        ({"GENINT_SMTP_URL": "smtp://"}, "GENINT_SMTP_URL: must be smtps://"),
        ({"GENINT_SMTP_URL": "smtps://mail.example.org/x"}, "GENINT_SMTP_URL: must be smtps://"),
        ({"GENINT_SMTP_URL": "smtp://me:pw@mail.example.org"}, "GENINT_SMTP_URL: a password"),
        ({"GENINT_MAIL_FROM": ""}, "GENINT_MAIL_FROM: has to be set"),
        ({"GENINT_PUBLIC_URL": ""}, "GENINT_PUBLIC_URL: has to be set"),
        ({"GENINT_PUBLIC_URL": "https://me@g.example.org"}, "GENINT_PUBLIC_URL: must be"),
        ({"GENINT_MAIL_FROM": "x"}, "GENINT_MAIL_FROM: must be"),
        ({"GENINT_TRUSTED_PROXIES": "10.0.0.1/8"}, "GENINT_TRUSTED_PROXIES: must be"),
        ({"GENINT_TRUSTED_PROXIES": "proxy"}, "GENINT_TRUSTED_PROXIES: must be"),
        ({"GENINT_LOGIN_ATTEMPTS": "-1"}, "GENINT_LOGIN_ATTEMPTS: must be"),
    ],
)
def test_what_mail_and_logins_cannot_use_is_named(changes, named):
    whole = {
        "GENINT_SMTP_URL": "smtp://localhost",
        "GENINT_MAIL_FROM": "g@example.org",
        "GENINT_PUBLIC_URL": "https://g.example.org",
    }
    assert settings(**whole).smtp_server.port == 25
    with pytest.raises(UsageError, match=f"^{named}"):
        settings(**whole | changes)


def test_proxies_are_addresses_and_networks():
    found = settings(GENINT_TRUSTED_PROXIES="127.0.0.1, 10.0.0.0/8,::1", GENINT_LOGIN_ATTEMPTS="0")
    assert [str(one) for one in found.trusted_proxies] == ["127.0.0.1/32", "10.0.0.0/8", "::1/128"]
    assert found.login_attempts is None
