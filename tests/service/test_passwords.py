"""Changing, forgetting and resetting passwords, ending sessions, deleting accounts."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import pytest
from pydantic import SecretStr

from .conftest import PASSWORD, Person, person

NEW = "another long password"


async def log_in(client, email: str, password: str) -> int:
    body = {"email": email, "password": password}
    return (await client.post("/api/v1/auth/login", json=body)).status


async def change(who: Person, current: str = PASSWORD, new: str = NEW):
    body = {"current_password": current, "new_password": new}
    return await who.post("/api/v1/auth/password", json=body)


async def is_known(who: Person) -> bool:
    return (await who.get("/api/v1/auth/me")).status == 200


async def test_a_new_password_ends_all_sessions_but_the_one_that_it_answers(client, ada):
    made = await (await ada.post("/api/v1/keys", json={"name": "k"})).json()
    answer = await change(ada)
    assert answer.status == 200
    told = await answer.json()
    assert set(told) == {"access_token", "token_type", "expires_in", "user"}
    assert not await is_known(ada)
    assert await is_known(Person(client, ada.email, told["access_token"], ada.id))
    assert await is_known(Person(client, ada.email, "", ada.id, {"X-API-Key": made["key"]}))
    assert await log_in(client, ada.email, PASSWORD) == 401
    assert await log_in(client, ada.email, NEW) == 200


async def test_a_password_is_changed_only_with_the_right_one_into_an_allowed_one(client, ada):
    answer = await change(ada, current="not this one")
    assert (answer.status, await answer.json()) == (403, {"detail": "The password is not correct"})
    short = await change(ada, new="short 7")
    assert (await short.json())["detail"][0]["loc"] == ["body", "new_password"]
    assert await log_in(client, ada.email, PASSWORD) == 200


async def test_of_two_changes_at_once_one_succeeds_and_its_password_holds(client, ada):
    answers = await asyncio.gather(*(change(ada, new=f"{NEW} {n}") for n in range(2)))
    statuses = [answer.status for answer in answers]
    assert sorted(statuses) in ([200, 401], [200, 403], [200, 409])
    holds = [await log_in(client, ada.email, f"{NEW} {n}") == 200 for n in range(2)]
    assert holds == [status == 200 for status in statuses]


async def test_logging_out_everywhere_ends_what_was_and_not_what_comes(client, ada):
    assert (await ada.post("/api/v1/auth/logout-everywhere")).status == 204
    answer = await ada.get("/api/v1/auth/me")
    assert await answer.json() == {"detail": "Could not validate credentials"}
    assert await log_in(client, ada.email, PASSWORD) == 200  # within the same second
    body = {"email": ada.email, "password": PASSWORD}
    told = await (await client.post("/api/v1/auth/login", json=body)).json()
    assert await is_known(Person(client, ada.email, told["access_token"], ada.id))


async def test_a_deleted_account_is_gone_with_its_jobs_files_and_keys(
    client, ada, bob, service_settings
):
    job_id = await ada.submitted()
    made = await (await ada.post("/api/v1/keys", json={"name": "k"})).json()
    wrong = await client.delete("/api/v1/auth/me", headers=ada.headers, json={"password": "no"})
    assert wrong.status == 403
    answer = await client.delete(
        "/api/v1/auth/me", headers=ada.headers, json={"password": PASSWORD}
    )
    assert (answer.status, await answer.read()) == (204, b"")
    assert not await is_known(ada)
    assert not await is_known(Person(client, "", "", "", {"X-API-Key": made["key"]}))
    assert (await bob.get(f"/api/v1/jobs/{job_id}")).status == 404
    assert not list(service_settings.data_folder.glob(f"*/{job_id}*"))
    assert await log_in(client, ada.email, PASSWORD) == 401
    again = {"email": ada.email, "password": PASSWORD}
    assert (await client.post("/api/v1/auth/signup", json=again)).status == 201


@dataclass
class MailServer:
    """Takes e-mail, as much of SMTP (RFC 5321) as that needs."""

    port: int = 0
    letters: list[str] = field(default_factory=list)
    arrived: asyncio.Condition = field(default_factory=asyncio.Condition)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"220 here\r\n")
        while line := await reader.readline():
            word = line.split()[0].upper() if line.split() else b""
            if word == b"DATA":
                writer.write(b"354 go on\r\n")
                letter = await reader.readuntil(b"\r\n.\r\n")
                async with self.arrived:
                    self.letters.append(letter.decode())
                    self.arrived.notify_all()
            writer.write(b"221 bye\r\n" if word == b"QUIT" else b"250 fine\r\n")
            if word == b"QUIT":
                break
        writer.close()

    async def letter(self, number: int) -> str:
        """The first is 1; comes when it is there."""
        async with asyncio.timeout(30), self.arrived:
            await self.arrived.wait_for(lambda: len(self.letters) >= number)
        return self.letters[number - 1]


@asynccontextmanager
async def mail_server() -> AsyncIterator[MailServer]:
    mail = MailServer()
    server = await asyncio.start_server(mail.serve, "127.0.0.1", 0)
    mail.port = server.sockets[0].getsockname()[1]
    async with server:
        yield mail


async def forget(client, email: str):
    return await client.post("/api/v1/auth/forgot-password", json={"email": email})


async def reset(client, token: str, password: str = NEW) -> int:
    body = {"token": token, "new_password": password}
    return (await client.post("/api/v1/auth/reset-password", json=body)).status


async def test_a_forgotten_password_is_replaced_by_a_link_that_works_once(
    open_service, any_settings
):
    async with mail_server() as mail:
        client = await open_service(
            any_settings.model_copy(
                update={
                    "smtp_url": SecretStr(f"smtp://127.0.0.1:{mail.port}"),
                    "mail_from": "genint@example.org",
                    "public_url": "https://genint.example.org",
                }
            )
        )
        ada = await person(client)
        unknown, known = await forget(client, "nobody@example.org"), await forget(client, ada.email)
        assert unknown.status == known.status == 202
        assert await unknown.json() == await known.json()
        letter = await mail.letter(1)
        assert f"To: {ada.email}" in letter
        token = re.search(r"https://genint\.example\.org/reset-password#(\S+)", letter)[1]
        assert await reset(client, token, "short 7") == 422
        answers = await asyncio.gather(*(reset(client, token, f"{NEW} {n}") for n in range(3)))
        assert sorted(answers) == [204, 404, 404]
        assert not await is_known(ada)
        used = answers.index(204)
        assert await log_in(client, ada.email, f"{NEW} {used}") == 200
        assert await log_in(client, ada.email, PASSWORD) == 401
        assert len(mail.letters) == 1  # none to nobody


async def test_without_a_mail_server_the_answer_is_the_same_for_all(client, ada):
    answers = [await forget(client, email) for email in (ada.email, "nobody@example.org")]
    told = [await answer.json() for answer in answers]
    assert told[0] == told[1]
    assert told[0]["sends_email"] is False
    assert "operator" in told[0]["message"]


@pytest.mark.parametrize("token", ["x", "0" * 43, "' OR 1=1 --", "\ud800"])
async def test_a_token_that_never_was_is_404(client, token):
    answer = await client.post(
        "/api/v1/auth/reset-password", json={"token": token, "new_password": NEW}
    )
    assert answer.status in {404, 422}


async def test_a_mail_server_that_is_away_is_one_line_in_the_log(
    open_service, service_settings, caplog
):
    away = {"smtp_url": SecretStr("smtp://127.0.0.1:9"), "mail_from": "a@example.org"}
    client = await open_service(
        service_settings.model_copy(update=away | {"public_url": "https://genint.example.org"})
    )
    ada = await person(client)
    assert (await forget(client, ada.email)).status == 202
    async with asyncio.timeout(30):
        while not any(r.__dict__.get("event") == "mail_failed" for r in caplog.records):
            await asyncio.sleep(0.02)
    told = "".join(str(record.__dict__) for record in caplog.records)
    assert ada.email not in told
    assert "reset-password#" not in told
