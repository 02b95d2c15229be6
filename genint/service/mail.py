"""E-mail: the links by which users set a new password, where a server for it is configured."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from email.message import EmailMessage
from email.utils import formatdate, make_msgid
from typing import Final

import aiosmtplib

from genint.auth.keys import new_secret
from genint.errors import BusyError
from genint.model.job import Account
from genint.settings import Settings, SmtpServer
from genint.storage import Storage

RESET_VALID_S: Final = 3600
"""How long a link by e-mail can be used."""
RESET_PATH: Final = "/reset-password"
_SENDING_S: Final = 15.0
"""How long a server of e-mail may take for each of its answers."""
_MOST_UNDER_WAY: Final = 50
_CLOSING_S: Final = 2.0
_SUBJECT: Final = "A new password for genint"
_TEXT: Final = """\
Somebody, probably you, requested a new password for your account at {service}.

Set one here, within an hour:

{link}

The link works once. If it was not you, there is nothing to do: your password stays as it is.
"""
_LOG = logging.getLogger("genint.service")


def reset_link(public_url: str, secret: str) -> str:
    """Where a user sets a new password.

    The secret is behind the ``#``, which browsers send to nobody: it is in no log and in no
    ``Referer``.
    """
    return f"{public_url}{RESET_PATH}#{secret}"


class Mailer:
    """Sends links for a new password, after the answer to their request.

    So the answer comes as soon for an address without an account as for one with.

    Args:
        server: Takes the e-mail.
        sender: Its address.
        public_url: Of the service, for the link.
    """

    def __init__(self, server: SmtpServer, *, sender: str, public_url: str) -> None:
        self._server = server
        self._sender = sender
        self._public_url = public_url
        self._under_way: set[asyncio.Task[None]] = set()

    def send_reset_link(self, storage: Storage, email: str, request_id: str) -> None:
        """Begin to send a link to the account of an address, if there is one.

        Args:
            storage: Knows the account, and keeps the digest of the link's secret.
            email: Of the account, in any spelling.
            request_id: For the log.

        Raises:
            BusyError: too much is being sent; whether there is an account does not matter.
        """
        if len(self._under_way) >= _MOST_UNDER_WAY:
            raise BusyError("too much e-mail is being sent")
        task = asyncio.create_task(self._noting_failure(self._send(storage, email), request_id))
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)

    async def close(self) -> None:
        """Wait a moment for what is being sent."""
        if self._under_way:
            _, late = await asyncio.wait(self._under_way, timeout=_CLOSING_S)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)

    async def _send(self, storage: Storage, email: str) -> None:
        account = await storage.accounts.account_by_email(email)
        if account is None or account.is_disabled:
            return
        secret, user_id = new_secret(), account.user.id
        digest = secret.digest
        if not await storage.accounts.add_reset(
            user_id, digest, valid_s=RESET_VALID_S, is_limited=True
        ):
            return
        await aiosmtplib.send(
            self._message(account, secret.raw),
            hostname=self._server.host,
            port=self._server.port,
            username=self._server.user,
            password=self._server.password,
            use_tls=self._server.security == "smtps",
            start_tls=self._server.security == "smtp+starttls",
            timeout=_SENDING_S,
        )
        _LOG.info("a link was sent", extra={"event": "reset_sent", "user_id": user_id})

    def _message(self, account: Account, secret: str) -> EmailMessage:
        """To the address of the account: that of the request may only look like it."""
        message = EmailMessage()
        message["From"] = self._sender
        message["To"] = account.user.email
        message["Subject"] = _SUBJECT
        message["Date"] = formatdate()
        message["Message-ID"] = make_msgid(domain=self._sender.rpartition("@")[2])
        message["Auto-Submitted"] = "auto-generated"
        link = reset_link(self._public_url, secret)
        message.set_content(_TEXT.format(service=self._public_url, link=link), cte="8bit")
        return message

    async def _noting_failure(self, sending: Coroutine[None, None, None], request_id: str) -> None:
        try:
            await sending
        except (aiosmtplib.SMTPException, BusyError, OSError, ValueError) as problem:
            # Its text may quote the message, with the link in it.
            _LOG.warning(
                "e-mail could not be sent",
                extra={
                    "event": "mail_failed",
                    "request_id": request_id,
                    "reason": type(problem).__name__,
                },
            )


def configured_mailer(settings: Settings) -> Mailer | None:
    """What sends e-mail; None where the settings name no server for it."""
    server, sender, public_url = settings.smtp_server, settings.mail_from, settings.public_url
    if server is None or sender is None or public_url is None:
        return None
    return Mailer(server, sender=sender, public_url=public_url)
