"""A client without any manners, for the tests of the fake services themselves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import aiohttp

from .services import Services
from .world import Json


class Heard(NamedTuple):
    """An answer; ``json`` is None where the body is not said to be JSON."""

    status: int
    headers: Mapping[str, str]
    text: str
    json: Json


class Asking:
    """Asks the services once and takes what comes."""

    def __init__(self, services: Services, session: aiohttp.ClientSession) -> None:
        self._services = services
        self._session = session

    async def get(self, place: str, **params: str | int) -> Heard:
        """``GET`` of a service and path, such as ``uniprot/uniparc/search``."""
        return await self.send("GET", self.url(place), params=params)

    async def post(self, place: str, *, json: Json = None, form: Json = None) -> Heard:
        """``POST`` of a JSON value or a form."""
        return await self.send("POST", self.url(place), json=json, data=form)

    def url(self, place: str) -> str:
        """Address of a service and path."""
        service, _, path = place.partition("/")
        return f"{self._services.url(service)}/{path}"

    async def send(self, method: str, url: str, **how: Json) -> Heard:
        """Any request."""
        async with self._session.request(method, url, allow_redirects=False, **how) as answer:
            text = await answer.text()
            value = await answer.json() if answer.content_type == "application/json" else None
            return Heard(answer.status, answer.headers, text, value)

    async def mapped(self, source: str, ids: list[str], polls: int = 20) -> Heard:
        """All steps of a job of ID mapping, to its first page."""
        form = {"from": source, "to": "UniProtKB", "ids": ",".join(ids)}
        job = (await self.post("uniprot/idmapping/run", form=form)).json["jobId"]
        for _ in range(polls):
            heard = await self.get(f"uniprot/idmapping/status/{job}")
            if heard.json.get("jobStatus") not in ("NEW", "RUNNING"):
                break
        return await self.get(f"uniprot/idmapping/uniprotkb/results/{job}", size=500)
