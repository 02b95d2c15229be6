from __future__ import annotations

import asyncio

import jwt
import pytest

from .conftest import PASSWORD, person


async def test_signup_answers_a_token_and_the_user(client):
    body = {
        "email": "Ada@Example.org",
        "password": PASSWORD,
        "first_name": "Ada",
        "last_name": "Lovelace",
    }
    answer = await client.post("/api/v1/auth/signup", json=body)
    assert answer.status == 201
    told = await answer.json()
    assert set(told) == {"access_token", "token_type", "expires_in", "user"}
    assert told["token_type"] == "bearer"
    assert told["expires_in"] == 3600
    user = told["user"]
    assert set(user) == {"id", "email", "firstName", "lastName"}
    assert (user["email"], user["firstName"], user["lastName"]) == (
        "Ada@Example.org",
        "Ada",
        "Lovelace",
    )


async def test_names_default_to_nothing(client):
    answer = await client.post(
        "/api/v1/auth/register", json={"email": "a@b.org", "password": PASSWORD}
    )
    assert answer.status == 201
    told = (await answer.json())["user"]
    assert (told["firstName"], told["lastName"]) == ("", "")


@pytest.mark.parametrize("email", ["ADA@example.org", "ada@EXAMPLE.org", "\uff41da@example.org"])
async def test_an_address_can_sign_up_once_in_any_spelling(client, email):
    first = {"email": "ada@example.org", "password": PASSWORD}
    assert (await client.post("/api/v1/auth/signup", json=first)).status == 201
    again = await client.post("/api/v1/auth/signup", json=first | {"email": email})
    assert again.status == 409
    assert await again.json() == {"detail": "This e-mail address is registered already"}


async def test_of_many_signups_at_once_one_succeeds(client):
    body = {"email": "race@example.org", "password": PASSWORD}
    answers = await asyncio.gather(
        *(client.post("/api/v1/auth/signup", json=body) for _ in range(12))
    )
    assert sorted(answer.status for answer in answers) == [201, *[409] * 11]


@pytest.mark.parametrize(
    ("change", "location", "kind"),
    [
        ({"email": "no address"}, ["body", "email"], "value_error"),
        ({"email": "a@nodot"}, ["body", "email"], "value_error"),
        ({"email": 5}, ["body", "email"], "string_type"),
        ({"email": None}, ["body", "email"], "string_type"),
        ({"email": "a" * 250 + "@b.org"}, ["body", "email"], "string_too_long"),
        ({"password": "short 7"}, ["body", "password"], "string_too_short"),
        ({"password": "x" * 129}, ["body", "password"], "string_too_long"),
        ({"password": 12345678}, ["body", "password"], "string_type"),
        ({"first_name": "a\0b"}, ["body", "first_name"], "string_pattern_mismatch"),
        ({"last_name": ["x"]}, ["body", "last_name"], "string_type"),
    ],
)
async def test_a_wrong_value_is_named(client, change, location, kind):
    body = {"email": "a@b.org", "password": PASSWORD} | change
    answer = await client.post("/api/v1/auth/signup", json=body)
    assert answer.status == 422
    (fault,) = (await answer.json())["detail"]
    assert set(fault) == {"loc", "msg", "type"}
    assert (fault["loc"], fault["type"]) == (location, kind)


@pytest.mark.parametrize("length", [8, 128])
async def test_the_limits_of_a_password_are_inside(client, length):
    body = {"email": "a@b.org", "password": "ß" * length}
    assert (await client.post("/api/v1/auth/signup", json=body)).status == 201
    assert (await client.post("/api/v1/auth/login", json=body)).status == 200


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[]",
        b'"text"',
        b"null",
        b"NaN",
        b"[" * 60_000,
        b'{"email":"a@b.org","password":"\\ud800aaaaaaa"}',
        b'{"email":1e400,"password":"longenough"}',
        b"\xff\xfe{",
        b"\xef\xbb\xbf{}",
    ],
)
async def test_broken_json_is_422_with_a_list(client, content):
    answer = await client.post(
        "/api/v1/auth/signup", data=content, headers={"Content-Type": "application/json"}
    )
    assert answer.status == 422
    for fault in (await answer.json())["detail"]:
        assert fault["loc"][0] == "body"


async def test_a_huge_body_is_413_before_anything_is_computed(client):
    answer = await client.post("/api/v1/auth/signup", data=b" " * 1_000_000)
    assert answer.status == 413
    assert set(await answer.json()) == {"detail"}


async def test_fields_that_are_not_asked_for_change_nothing(client):
    body = {"email": "a@b.org", "password": PASSWORD, "id": "mine", "is_admin": True}
    told = await (await client.post("/api/v1/auth/signup", json=body)).json()
    assert told["user"]["id"] != "mine"


async def test_login_answers_as_signup_does(client):
    ada = await person(client)
    answer = await client.post(
        "/api/v1/auth/login", json={"email": ada.email.upper(), "password": PASSWORD}
    )
    assert answer.status == 200
    told = await answer.json()
    assert told["user"]["id"] == ada.id
    assert told["expires_in"] == 3600


async def test_login_does_not_tell_an_unknown_address_from_a_wrong_password(client):
    ada = await person(client)
    answers = [
        await client.post("/api/v1/auth/login", json={"email": email, "password": "not this one"})
        for email in (ada.email, "nobody@example.org", "no address")
    ]
    assert [answer.status for answer in answers] == [401] * 3
    bodies = [await answer.json() for answer in answers]
    assert bodies == [{"detail": "Incorrect email or password"}] * 3
    assert {answer.headers["WWW-Authenticate"] for answer in answers} == {"Bearer"}


async def test_me_tells_who_the_token_is_for(client):
    ada = await person(client, first_name="Ada")
    answer = await ada.get("/api/v1/auth/me")
    assert answer.status == 200
    assert await answer.json() == {
        "id": ada.id,
        "email": ada.email,
        "firstName": "Ada",
        "lastName": "",
    }


async def test_a_token_says_no_more_than_it_must(client):
    ada = await person(client)
    claims = jwt.decode(ada.token, options={"verify_signature": False})
    assert set(claims) == {"iss", "aud", "sub", "iat", "exp", "jti"}
    assert claims["exp"] - claims["iat"] == 3600


@pytest.mark.parametrize(
    "authorization", ["Bearer", "Bearer ", "Bearer x", "Bearer a.b.c", "bearer " + "x" * 5000]
)
async def test_a_broken_token_is_not_valid(client, authorization):
    answer = await client.get("/api/v1/auth/me", headers={"Authorization": authorization})
    assert answer.status == 401
    assert answer.headers["WWW-Authenticate"] == 'Bearer error="invalid_token"'
    assert await answer.json() == {"detail": "Could not validate credentials"}


@pytest.mark.parametrize("headers", [{}, {"Authorization": ""}, {"Authorization": "Basic eDp5"}])
async def test_no_credential_is_told_as_that(client, headers):
    answer = await client.get("/api/v1/auth/me", headers=headers)
    assert answer.status == 401
    assert answer.headers["WWW-Authenticate"] == "Bearer"
    assert await answer.json() == {"detail": "Not authenticated"}


async def test_two_tokens_are_none(client):
    ada = await person(client)
    twice = [("Authorization", f"Bearer {ada.token}")] * 2
    assert (await client.get("/api/v1/auth/me", headers=twice)).status == 401


async def test_the_waiting_list_takes_an_address_once(client):
    first = await client.post("/api/v1/waitlist", json={"email": "Wait@example.org"})
    again = await client.post("/api/v1/waitlist", json={"email": "wait@EXAMPLE.org"})
    assert (first.status, await first.json()) == (201, {"status": "ok"})
    assert (again.status, await again.json()) == (201, {"status": "already_registered"})


async def test_the_waiting_list_takes_addresses_only(client):
    assert (await client.post("/api/v1/waitlist", json={"email": "x\r\ny"})).status == 422
