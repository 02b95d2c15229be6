"""Runs of the InterPro branch against the fake services, without waits between attempts."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import replace

from genint.cache.online import OnlineCache
from genint.model import InterProFindings, OnlineQuestions, ProteinQuestion
from genint.online.client import PoliteClient, open_client
from genint.online.interpro.query import query_interpro
from genint.online.protocol import ServiceAddresses
from genint.online.rate_limit import USUAL_POLICY, Policy
from tests.online_services import Protein, Services, World
from tests.online_services.made_matches import matches_of
from tests.online_services.samples import residues_of

NO_CACHE = OnlineCache(None)


def policy_without_waits(**changes: object) -> Policy:
    """The usual limits, but for the pace and the waits."""
    hosts = {
        name: replace(getattr(USUAL_POLICY, name), pace_per_s=10_000.0)
        for name in ("uniprot", "interpro", "interpro_go")
    }
    return replace(USUAL_POLICY, **{**hosts, "first_wait_s": 0.0, "longest_wait_s": 0.0, **changes})


ONE_AT_A_TIME = replace(USUAL_POLICY.interpro, parallel=1, pace_per_s=10_000.0)
"""So that tests know what is asked first."""


@asynccontextmanager
async def client_of(services: Services, **changes: object) -> AsyncIterator[PoliteClient]:
    """A client of the fake services."""
    servers = ServiceAddresses(
        uniprot=services.url("uniprot"),
        interpro=services.url("interpro"),
        interpro_go=services.url("interpro_go"),
    )
    async with open_client(servers, "genint/test", policy=policy_without_waits(**changes)) as one:
        yield one


def questions_of(proteins: Iterable[Protein]) -> OnlineQuestions:
    """What a run asks about proteins."""
    asked = tuple(ProteinQuestion(one.md5, one.crc64, len(one.residues)) for one in proteins)
    return OnlineQuestions(asked, None, {})


async def asked(
    services: Services,
    proteins: Iterable[Protein],
    cache: OnlineCache = NO_CACHE,
    *,
    budget_s: float = 60.0,
    installed_go: dict | None = None,
    **changes: object,
) -> InterProFindings:
    """One run, by a client of its own: nothing is remembered but what the cache keeps."""
    async with client_of(services, **changes) as client:
        return await query_interpro(
            questions_of(proteins), client.run(budget_s), cache, installed_go=installed_go
        )


def many(number: int) -> list[Protein]:
    """Proteins of one family."""
    return [Protein(residues_of(1_000 + at, 40), "Tail fiber protein") for at in range(number)]


def matched(proteins: Iterable[Protein]) -> World:
    """A world in which InterPro alone knows them."""
    return World(matches={one.md5: matches_of(one) for one in proteins})
