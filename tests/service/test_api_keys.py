from __future__ import annotations

import asyncio
from datetime import datetime, timedelta
from uuid import UUID

import pytest

from .conftest import Person, person


async def make(owner: Person, **body: object) -> dict:
    answer = await owner.post("/api/v1/keys", json={"name": "pipeline"} | body)
    assert answer.status == 201, await answer.text()
    return await answer.json()


async def me(client, key: str) -> int:
    return (await client.get("/api/v1/auth/me", headers={"X-API-Key": key})).status


async def test_a_new_key_is_shown_whole_and_once(ada):
    made = await make(ada)
    assert set(made) == {"id", "name", "key_prefix", "key", "scope", "expires_at", "created_at"}
    assert made["key"].startswith(made["key_prefix"])
    assert made["key_prefix"].startswith("gi_")
    assert made["expires_at"] is None
    listed = await (await ada.get("/api/v1/keys")).text()
    assert made["key"] not in listed
    assert made["key_prefix"] in listed


async def test_the_list_tells_of_use_expiry_and_revocation(client, ada):
    made = await make(ada, expires_in_days=30)
    assert await me(client, made["key"]) == 200
    (entry,) = (await (await ada.get("/api/v1/keys")).json())["keys"]
    assert set(entry) == {
        "id",
        "name",
        "key_prefix",
        "scope",
        "parent_id",
        "created_at",
        "last_used_at",
        "expires_at",
        "revoked_at",
    }
    assert entry["last_used_at"] is not None
    assert entry["revoked_at"] is None
    lifetime = datetime.fromisoformat(entry["expires_at"]) - datetime.fromisoformat(
        entry["created_at"]
    )
    assert abs(lifetime - timedelta(days=30)) < timedelta(minutes=1)


async def test_a_key_does_what_its_owner_may(client, ada):
    made = await make(ada)
    with_key = Person(client, ada.email, "", ada.id, {"X-API-Key": made["key"]})
    job_id = await with_key.submitted()
    assert (await with_key.job(job_id))["job_id"] == job_id
    assert (await ada.job(job_id))["job_id"] == job_id


async def test_keys_come_in_pages_newest_first(ada):
    made = [(await make(ada, name=f"key {number}"))["id"] for number in range(5)]
    whole = await (await ada.get("/api/v1/keys")).json()
    assert [key["id"] for key in whole["keys"]] == made[::-1]
    assert whole["next_cursor"] is None
    seen, cursor = [], None
    while True:
        query = {"limit": "2"} | ({"cursor": cursor} if cursor else {})
        page = await (await ada.get("/api/v1/keys", params=query)).json()
        seen += [key["id"] for key in page["keys"]]
        cursor = page["next_cursor"]
        if cursor is None:
            break
    assert seen == made[::-1]


@pytest.mark.parametrize("query", ["limit=0", "limit=501", "limit=x", "cursor=x", "limit="])
async def test_a_wrong_page_is_422(ada, query):
    answer = await ada.get(f"/api/v1/keys?{query}")
    assert answer.status == 422
    assert (await answer.json())["detail"][0]["loc"] == ["query", query.split("=")[0]]


async def test_a_revoked_key_is_out_at_once(client, ada):
    made = await make(ada)
    assert await me(client, made["key"]) == 200
    answer = await ada.delete(f"/api/v1/keys/{made['id']}")
    assert (answer.status, await answer.read()) == (204, b"")
    assert await me(client, made["key"]) == 401
    (entry,) = (await (await ada.get("/api/v1/keys")).json())["keys"]
    assert entry["revoked_at"] is not None


async def test_revoking_again_is_the_same(ada):
    made = await make(ada)
    answers = await asyncio.gather(*(ada.delete(f"/api/v1/keys/{made['id']}") for _ in range(8)))
    assert {answer.status for answer in answers} == {204}
    (before,) = (await (await ada.get("/api/v1/keys")).json())["keys"]
    await ada.delete(f"/api/v1/keys/{made['id']}")
    assert (await (await ada.get("/api/v1/keys")).json())["keys"] == [before]


@pytest.mark.parametrize("key_id", [str(UUID(int=0)), "x", "%00", "..%2f..", "' OR 1=1 --"])
async def test_an_unknown_key_is_404(ada, key_id):
    answer = await ada.delete(f"/api/v1/keys/{key_id}")
    assert answer.status == 404
    assert set(await answer.json()) == {"detail"}


async def test_somebody_elses_key_is_404(client, ada, bob):
    made = await make(ada)
    assert (await bob.delete(f"/api/v1/keys/{made['id']}")).status == 404
    assert await me(client, made["key"]) == 200


@pytest.mark.parametrize(
    ("body", "location"),
    [
        ({}, ["body", "name"]),
        ({"name": ""}, ["body", "name"]),
        ({"name": "x" * 101}, ["body", "name"]),
        ({"name": "a\nb"}, ["body", "name"]),
        ({"name": None}, ["body", "name"]),
        ({"name": "x", "expires_in_days": 0}, ["body", "expires_in_days"]),
        ({"name": "x", "expires_in_days": 3651}, ["body", "expires_in_days"]),
        ({"name": "x", "expires_in_days": "5"}, ["body", "expires_in_days"]),
        ({"name": "x", "expires_in_days": 1.5}, ["body", "expires_in_days"]),
        ({"name": "x", "expires_in_days": True}, ["body", "expires_in_days"]),
        ({"name": "x", "expires_in_days": 2**70}, ["body", "expires_in_days"]),
        ({"name": "x", "scope": "write"}, ["body", "scope"]),
    ],
)
async def test_a_wrong_value_is_named(ada, body, location):
    answer = await ada.post("/api/v1/keys", json=body)
    assert answer.status == 422
    assert (await answer.json())["detail"][0]["loc"] == location


@pytest.mark.parametrize("days", [1, 3650, None, 30.0])
async def test_the_limits_of_an_expiry_are_inside(ada, days):
    made = await make(ada, expires_in_days=days)
    assert (made["expires_at"] is None) is (days is None)


async def test_a_key_that_is_not_one_is_not_valid(client, ada):
    key = (await make(ada))["key"]
    other = (await make(await person(client)))["key"]
    wrong = [
        key[:-1],
        key + "x",
        key.upper(),
        key[:-1] + "~",
        "gi_",
        "x" * 9000,
        key[:16] + other[16:],
    ]
    for text in wrong:
        answer = await client.get("/api/v1/auth/me", headers={"X-API-Key": text})
        assert answer.status in {400, 401}, text
        if answer.status == 401:
            assert await answer.json() == {"detail": "Could not validate credentials"}


async def test_the_token_decides_where_both_are_sent(client, ada, bob):
    key = (await make(ada))["key"]
    both = {"X-API-Key": key, "Authorization": f"Bearer {bob.token}"}
    told = await (await client.get("/api/v1/auth/me", headers=both)).json()
    assert told["id"] == bob.id
    broken = both | {"Authorization": "Bearer broken"}
    assert (await client.get("/api/v1/auth/me", headers=broken)).status == 401


async def test_only_a_digest_is_stored(ada, service_settings):
    made = await make(ada)
    secret = made["key"].removeprefix(made["key_prefix"]).strip("_")
    stored = b"".join(
        file.read_bytes() for file in service_settings.data_folder.rglob("*") if file.is_file()
    )
    assert made["key_prefix"].encode() in stored
    assert secret.encode() not in stored


def keyed(owner: Person, made: dict) -> Person:
    """The same person with a key instead of a token."""
    return Person(owner.client, owner.email, "", owner.id, {"X-API-Key": made["key"]})


async def test_a_key_that_may_only_read_changes_nothing(ada):
    job_id = await ada.submitted()
    made = await make(ada, scope="read")
    reader = keyed(ada, made)
    for path in ("auth/me", "keys", "jobs", f"jobs/{job_id}", "dark-genes"):
        assert (await reader.get(f"/api/v1/{path}")).status == 200, path
    refused = [await reader.submit(), await reader.post("/api/v1/keys", json={"name": "k"})]
    refused += [await reader.delete(f"/api/v1/{path}/{job_id}") for path in ("keys", "jobs")]
    refused += [await reader.post(f"/api/v1/jobs/{job_id}/{do}") for do in ("cancel", "rerun")]
    refused += [await reader.post("/api/v1/auth/logout-everywhere")]
    for answer in refused:
        assert answer.status == 403
        assert await answer.json() == {"detail": "This API key may only read"}


async def test_revoking_a_key_revokes_all_that_came_of_it(client, ada):
    first = await make(ada)
    second = await make(keyed(ada, first))
    third = await make(keyed(ada, second))
    other = await make(ada)
    listed = {key["id"]: key for key in (await (await ada.get("/api/v1/keys")).json())["keys"]}
    parents = [listed[made["id"]]["parent_id"] for made in (first, second, third, other)]
    assert parents == [None, first["id"], second["id"], None]
    assert (await ada.delete(f"/api/v1/keys/{first['id']}")).status == 204
    assert [await me(client, made["key"]) for made in (first, second, third)] == [401] * 3
    assert await me(client, other["key"]) == 200


async def test_a_key_expires_with_its_parent_at_the_latest(ada):
    parent = await make(ada, expires_in_days=2)
    longer = await make(keyed(ada, parent), expires_in_days=90)
    endless = await make(keyed(ada, parent))
    shorter = await make(keyed(ada, parent), expires_in_days=1)
    assert longer["expires_at"] == endless["expires_at"] == parent["expires_at"]
    assert shorter["expires_at"] < parent["expires_at"]
