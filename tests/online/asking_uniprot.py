"""Asks UniProt through the real client, for tests against the fake services."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from genint.cache.online import OnlineCache
from genint.model import OnlineQuestions, ProteinQuestion, UniProtFindings
from genint.online.client import open_client
from genint.online.protocol import ServiceAddresses
from genint.online.rate_limit import HostPolicy, Policy
from genint.online.uniprot.query import query_uniprot
from tests.online_services import Ids, Protein, Services
from tests.online_services.samples import TAXON, residues_of

_FAST = HostPolicy(2, 10_000.0, 5.0, 5.0, 10.0, 2)
FAST = Policy(_FAST, _FAST, _FAST, first_wait_s=0.001)
"""Does not make tests wait; two attempts."""


def question(protein: Protein, *, ids: bool = True) -> ProteinQuestion:
    """What is asked of a protein."""
    return ProteinQuestion(
        protein.md5,
        protein.crc64,
        len(protein.residues),
        (protein.ids.refseq,) if ids and protein.ids.refseq else (),
        (protein.ids.cds,) if ids and protein.ids.cds else (),
    )


def questions(
    proteins: Iterable[Protein], taxon_id: int | None = None, *, ids: bool = True
) -> OnlineQuestions:
    """What is asked of several."""
    return OnlineQuestions(tuple(question(one, ids=ids) for one in proteins), taxon_id, {})


def servers(services: Services) -> ServiceAddresses:
    """Where the fake services are."""
    return ServiceAddresses(*(services.url(one) for one in ("uniprot", "interpro", "interpro_go")))


def made(number: int, *, refseq: bool = False, cds: bool = False, first: int = 1) -> list[Protein]:
    """So many proteins, each with the ids wanted."""
    return [
        Protein(
            residues_of(at, 60),
            f"Made-up synthase {at}",
            Ids(f"NP_9{at:06d}.1" if refseq else "", f"AAZ{at:05d}.1" if cds else ""),
            TAXON,
        )
        for at in range(first, first + number)
    ]


class Asker:
    """Asks; keeps answers in a folder of its own."""

    def __init__(self, services: Services, folder: Path) -> None:
        self.services = services
        self.cache = OnlineCache(folder)
        self.waits_s: list[float] = []

    async def __call__(
        self,
        proteins: Iterable[Protein] = (),
        taxon_id: int | None = None,
        *,
        ids: bool = True,
        asked: OnlineQuestions | None = None,
        budget_s: float = 60.0,
    ) -> UniProtFindings:
        """Ask in a run of its own, with a client of its own."""
        wanted = asked or questions(proteins, taxon_id, ids=ids)
        async with open_client(servers(self.services), "genint/test", policy=FAST) as client:
            return await query_uniprot(wanted, client.run(budget_s), self.cache, wait=self._wait)

    async def _wait(self, seconds: float) -> None:
        self.waits_s.append(seconds)

    @property
    def sent(self) -> int:
        """Requests that came to the fake UniProt so far."""
        return self.services.record.count("uniprot")

    def forget(self) -> None:
        """Count from here on."""
        self.services.record.clear()


def names(findings: UniProtFindings, proteins: Sequence[Protein]) -> list[list[str]]:
    """Names of the entries of each protein, best first."""
    return [[entry.name for entry in findings.answers[one.md5].entries] for one in proteins]
