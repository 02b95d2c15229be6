"""Wrong passwords: how many are allowed, by whom, and what the log says."""

from __future__ import annotations

import asyncio
import logging
from ipaddress import ip_network

import pytest

from genint.service.middleware import client_address

from .conftest import PASSWORD, person

PROXIES = (ip_network("127.0.0.0/8"), ip_network("10.0.0.0/8"), ip_network("fd00::/8"))
WRONG = "not this password"


@pytest.mark.parametrize(
    ("peer", "forwarded", "found"),
    [
        ("127.0.0.1", ["192.0.2.7"], "192.0.2.7"),
        ("127.0.0.1", [], "127.0.0.1"),
        ("192.0.2.1", ["192.0.2.7"], "192.0.2.1"),
        ("127.0.0.1", ["1.1.1.1, 192.0.2.7"], "192.0.2.7"),
        ("127.0.0.1", ["1.1.1.1", "192.0.2.7, 10.1.1.1"], "192.0.2.7"),
        ("127.0.0.1", ["1.1.1.1, x, 10.1.1.1"], "10.1.1.1"),
        ("127.0.0.1", ["10.2.2.2, 10.1.1.1"], "10.2.2.2"),
        ("::ffff:127.0.0.1", ["2001:DB8::1"], "2001:db8::1"),
        ("fd00::1", ["::ffff:192.0.2.7"], "192.0.2.7"),
        ("127.0.0.1", [""], "127.0.0.1"),
        (None, ["192.0.2.7"], ""),
    ],
)
def test_the_address_is_the_last_that_no_trusted_proxy_has(peer, forwarded, found):
    assert client_address(peer, forwarded, PROXIES) == found


def test_without_trusted_proxies_the_peer_is_the_client():
    assert client_address("127.0.0.1", ["192.0.2.7"], ()) == "127.0.0.1"


@pytest.fixture
async def limited(open_service, any_settings):
    """A service on either database that allows three wrong passwords, behind a proxy."""
    return await open_service(
        any_settings.model_copy(update={"login_attempts": 3, "trusted_proxies": PROXIES[:1]})
    )


async def log_in(client, email: str, password: str, forwarded: str = "192.0.2.7") -> int:
    body = {"email": email, "password": password}
    headers = {"X-Forwarded-For": forwarded}
    answer = await client.post("/api/v1/auth/login", json=body, headers=headers)
    if answer.status == 429:
        assert 0 < int(answer.headers["Retry-After"]) <= 901
    return answer.status


async def test_wrong_passwords_are_limited_by_account_and_address(limited, caplog):
    ada, bob = await person(limited), await person(limited)
    spellings = [ada.email, ada.email.upper(), f" {ada.email}"]
    first = [await log_in(limited, spelling, WRONG) for spelling in spellings]
    assert first == [401] * 3
    # Not by another spelling, a longer forged header, or the right password:
    assert await log_in(limited, ada.email.title(), PASSWORD) == 429
    assert await log_in(limited, ada.email, PASSWORD, "1.2.3.4, 192.0.2.7") == 429
    # From elsewhere, and with another account, it goes on.
    assert await log_in(limited, ada.email, PASSWORD, "192.0.2.8") == 200
    assert await log_in(limited, bob.email, PASSWORD) == 200
    failed = [r.__dict__ for r in caplog.records if r.__dict__.get("event") == "auth_failed"]
    assert [line["reason"] for line in failed] == ["password"] * 3 + ["too many attempts"] * 2
    assert {line["remote"] for line in failed} == {"192.0.2.7"}
    assert {line["user_id"] for line in failed} == {ada.id}
    assert all(line["levelno"] == logging.WARNING for line in failed)


async def test_many_at_once_and_unknown_addresses_are_limited_alike(limited):
    ada = await person(limited)
    for email in (ada.email, "nobody@example.org"):
        answers = await asyncio.gather(*(log_in(limited, email, WRONG) for _ in range(8)))
        assert sorted(answers) == [401] * 3 + [429] * 5


async def test_the_right_password_forgets_the_wrong_ones(limited):
    ada = await person(limited)
    for _ in range(3):
        assert await log_in(limited, ada.email, WRONG) == 401
        assert await log_in(limited, ada.email, WRONG) == 401
        assert await log_in(limited, ada.email, PASSWORD) == 200


async def test_one_address_cannot_try_all_accounts_and_a_network_is_one_address(limited):
    tried = [
        await log_in(limited, f"{n}@example.org", WRONG, f"2001:db8:1:2::{n}") for n in range(31)
    ]
    assert tried == [401] * 30 + [429]
    assert await log_in(limited, "x@example.org", WRONG, "2001:db8:1:3::1") == 401


async def test_a_token_is_no_way_to_try_passwords_without_limit(limited):
    ada = await person(limited)
    body = {"current_password": WRONG, "new_password": PASSWORD}
    statuses = [(await ada.post("/api/v1/auth/password", json=body)).status for _ in range(4)]
    assert statuses == [403, 403, 403, 429]


async def test_without_the_setting_nothing_is_limited(client):
    ada = await person(client)
    answers = await asyncio.gather(*(log_in(client, ada.email, WRONG) for _ in range(12)))
    assert set(answers) == {401}
