"""The webhook of a user: set, looked at, deleted."""

from __future__ import annotations

import pytest

from .conftest import person

URL = "https://lab.example.org/ended?by=genint"


async def test_the_secret_is_shown_once_and_is_new_each_time(ada):
    first = await ada.post("/api/v1/webhook", json={"url": URL})
    second = await ada.post("/api/v1/webhook", json={"url": URL})
    assert (first.status, second.status) == (201, 201)
    made, again = await first.json(), await second.json()
    assert made["secret"].startswith("whsec_")
    assert made["secret"] != again["secret"]
    state = await (await ada.get("/api/v1/webhook")).json()
    assert state == {name: value for name, value in again.items() if name != "secret"}
    assert (state["url"], state["waiting"], state["last_error"]) == (URL, 0, None)
    assert (await ada.delete("/api/v1/webhook")).status == 204
    assert (await ada.get("/api/v1/webhook")).status == 404
    assert (await ada.delete("/api/v1/webhook")).status == 404


@pytest.mark.parametrize(
    "url",
    [
        "http://lab.example.org/",
        "ftp://lab.example.org/",
        "https://",
        "https://user:word@lab.example.org/",
        "https://lab.example.org/#part",
        "https://lab.example.org:99999/",
        "https://lab.example.org:0/",
        "https://lab.example.org/a b",
        "https://[lab/",
        "lab.example.org",
        "https://localhost/",
        "https://127.0.0.1/",
        "https://[::1]:8443/",
        "https://2130706433/",
        "https://0x7f.1/",
        "https://169.254.169.254/latest",
        7,
    ],
)
async def test_what_is_no_address_for_announcements_is_refused(ada, url):
    answer = await ada.post("/api/v1/webhook", json={"url": url})
    assert answer.status == 422
    assert (await answer.json())["detail"][0]["loc"] == ["body", "url"]


async def test_an_operator_can_turn_webhooks_off(open_service, service_settings):
    settings = service_settings.model_copy(update={"webhooks": False})
    ada = await person(await open_service(settings))
    assert (await ada.post("/api/v1/webhook", json={"url": URL})).status == 403
