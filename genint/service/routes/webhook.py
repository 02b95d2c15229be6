"""The address that the end of a user's jobs is announced to."""

from __future__ import annotations

from http import HTTPStatus

from genint.auth.keys import new_signing_secret
from genint.auth.tokens import INVALID_CREDENTIAL
from genint.errors import NotAllowed, NotAuthenticated, NotFound
from genint.service.endpoint import Call, Endpoint
from genint.service.schemas import CreatedWebhook, NewWebhookBody, WebhookState

_PATH = "/api/v1/webhook"
_NONE = {404: "There is no webhook"}


async def set_webhook(call: Call, body: NewWebhookBody) -> CreatedWebhook:
    """Have the end of each of the caller's jobs announced to an address, from now on.

    Takes the place of an earlier one. The secret that checks the signature of announcements is
    new each time, and this answer alone shows it.

    An announcement is a POST of `{"type": "job.ended", "timestamp": "...", "data": {"job_id":
    "...", "status": "COMPLETED"}}` with the headers `webhook-id`, `webhook-timestamp` (seconds)
    and `webhook-signature`: `v1,` and the HMAC-SHA256 of `<id>.<timestamp>.<body>` in base 64, as
    of [Standard Webhooks](https://www.standardwebhooks.com); the key is what the secret holds in
    base 64 behind `whsec_`. Answer it with any status from 200 to 299 within ten seconds. Until
    then it is sent again, first after 30 seconds, then ever more seldom, for three days. It may
    arrive twice, with the same id. Redirects are not followed, and only public addresses are
    connected to.
    """
    if not call.service.settings.webhooks:
        raise NotAllowed("Webhooks are turned off here")
    if call.caller.is_guest:
        raise NotAllowed("A guest has no webhook: create an account")
    secret = new_signing_secret()
    webhook = await call.service.storage.webhooks.set(call.caller.id, body.url, secret)
    if webhook is None:  # the account went since the request was looked at
        raise NotAuthenticated(INVALID_CREDENTIAL, was_given=True)
    return CreatedWebhook(**webhook._asdict(), secret=secret)


async def webhook_state(call: Call) -> WebhookState:
    """The webhook of the caller, and whether announcements arrive."""
    webhook = await call.service.storage.webhooks.get(call.caller.id)
    if webhook is None:
        raise NotFound(_NONE[404])
    return WebhookState(**webhook._asdict())


async def delete_webhook(call: Call) -> None:
    """Announce nothing any more, not even what has not arrived yet."""
    if not await call.service.storage.webhooks.delete(call.caller.id):
        raise NotFound(_NONE[404])


ENDPOINTS = (
    Endpoint(
        "POST",
        _PATH,
        set_webhook,
        "Have the end of jobs announced",
        "webhook",
        status=HTTPStatus.CREATED,
        needs_login=True,
        errors={403: "Webhooks are turned off here, or the caller is a guest"},
    ),
    Endpoint(
        "GET",
        _PATH,
        webhook_state,
        "The webhook, and whether announcements arrive",
        "webhook",
        needs_login=True,
        errors=_NONE,
    ),
    Endpoint(
        "DELETE",
        _PATH,
        delete_webhook,
        "Announce nothing any more",
        "webhook",
        status=HTTPStatus.NO_CONTENT,
        needs_login=True,
        errors=_NONE,
    ),
)
