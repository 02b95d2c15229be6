"""The services beside the local search: which are asked, with what client, for how long."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from dataclasses import asdict
from typing import TYPE_CHECKING, Final

from genint import settings
from genint.api.progress import Progress, ProgressCallback
from genint.compute import Backend, run_with_retry
from genint.errors import UsageError
from genint.model.interpretation import Parameters
from genint.model.online import OnlineFindings, OnlineService
from genint.steps import Called, Equipment
from genint.steps.questions import installed_go, questions_of
from genint.version import __version__

if TYPE_CHECKING:
    from genint.online.client import PoliteClient

SHORTEST_TIMEOUT_S: Final = 1.0
LONGEST_TIMEOUT_S: Final = 3600.0
STAGE: Final = "asking UniProt and InterPro"


def chosen_services(
    mode: str, services: Collection[OnlineService | str] | None
) -> tuple[OnlineService, ...]:
    """The services that a run asks, in their order; both where nothing is chosen.

    Raises:
        UsageError: one is unknown, none is left, or the mode asks none.
    """
    if mode != "online":
        if services:
            raise UsageError("online services are asked in mode 'online' only")
        return ()
    if services is None:
        return tuple(OnlineService)
    known = {service.value for service in OnlineService}
    is_list = isinstance(services, Collection) and not isinstance(services, str)
    if not is_list or not services or not {str(one) for one in services} <= known:
        raise UsageError(f"online_services must be a list of some of {', '.join(sorted(known))}")
    return tuple(one for one in OnlineService if one.value in {str(name) for name in services})


def check_timeout(mode: str, timeout_s: float | None) -> None:
    """Refuse a time that cannot be meant.

    Raises:
        UsageError: it is out of range, or the mode asks nothing.
    """
    if timeout_s is None:
        return
    if mode != "online":
        raise UsageError("a time for asking services needs mode 'online'")
    is_number = isinstance(timeout_s, int | float) and not isinstance(timeout_s, bool)
    if not is_number or not SHORTEST_TIMEOUT_S <= timeout_s <= LONGEST_TIMEOUT_S:
        raise UsageError(
            f"online_timeout_s must be {SHORTEST_TIMEOUT_S:g} to {LONGEST_TIMEOUT_S:g} seconds, "
            f"not {timeout_s!r}"
        )


def load_client() -> None:
    """Import what asks services and reads their answers, while there is time for it.

    Cost: half a second, which need not be spent when the genes are known or the answers there.
    """
    import genint.online.asking  # noqa: PLC0415 - lazy
    import genint.online.client  # noqa: PLC0415
    import genint.sources.interpro  # noqa: PLC0415
    import genint.sources.uniprot  # noqa: F401, PLC0415


@asynccontextmanager
async def configured_client(
    chosen: settings.OnlineSettings | None = None,
) -> AsyncIterator[PoliteClient]:
    """A client for the servers of the settings; one serves all runs of a process.

    Args:
        chosen: Settings; default: those of the environment.

    Raises:
        UsageError: a setting cannot be used.
    """
    from genint.online.client import Servers, open_client, user_agent  # noqa: PLC0415 - lazy

    values = asdict(chosen or settings.online_settings())
    contact = values.pop("contact")
    servers = Servers(**{name.removesuffix("_url"): value for name, value in values.items()})
    async with open_client(servers, user_agent(__version__, contact)) as client:
        yield client


async def ask(
    called: Called,
    equipment: Equipment,
    parameters: Parameters,
    near: Backend,
    report: ProgressCallback,
) -> OnlineFindings | None:
    """Ask what a run is to ask; None where that is nothing.

    Raises:
        UnavailableError: the installed Gene Ontology is gone.
        UsageError: a setting cannot be used.
    """
    if not parameters.online_services:
        return None
    from genint.online.asking import ask_services, budget_s  # noqa: PLC0415 - lazy

    report(Progress(STAGE, 0, 1))
    questions = await run_with_retry(near, questions_of, called)
    terms = await asyncio.to_thread(installed_go, equipment)
    async with configured_client() as client:
        found = await ask_services(
            questions,
            parameters.online_services,
            client.run(budget_s(questions, parameters.online_timeout_s)),
            cache_folder=equipment.folders.kept,
            installed_go=terms,
        )
    report(Progress(STAGE, 1, 1))
    return found
