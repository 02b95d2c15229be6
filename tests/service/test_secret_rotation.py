"""Changing the secret that signs tokens, while people are logged in."""

from __future__ import annotations

from pydantic import SecretStr

from .conftest import SECRET, Person, person

NEW = "another secret of the tests that is long enough"


async def test_nobody_is_logged_out_while_the_secret_is_changed(open_service, service_settings):
    first = await open_service(service_settings)
    ada = await person(first)
    await first.close()
    changing = service_settings.model_copy(
        update={"jwt_secret": SecretStr(NEW), "previous_jwt_secret": SecretStr(SECRET)}
    )
    second = await open_service(changing)
    assert (await Person(second, ada.email, ada.token, ada.id).get("/api/v1/auth/me")).status == 200
    bob = await person(second)
    await second.close()
    third = await open_service(changing.model_copy(update={"previous_jwt_secret": None}))
    assert (await Person(third, ada.email, ada.token, ada.id).get("/api/v1/auth/me")).status == 401
    assert (await Person(third, bob.email, bob.token, bob.id).get("/api/v1/auth/me")).status == 200
