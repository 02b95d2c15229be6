"""What a job asks online: with one client for all jobs, since servers count by host."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from genint.model.interpretation import Parameters
from genint.steps import Equipment
from genint.steps.questions import installed_go
from genint.worker.job_steps import keep_answers, questions_for_services

if TYPE_CHECKING:
    from genint.online.client import PoliteClient


async def ask_for_job(
    scratch: Path, parameters: Parameters, equipment: Equipment, client: PoliteClient
) -> None:
    """Ask the services about the proteins of a job that was begun; keep what they say.

    Services that are down are no error: the answers say so.

    Raises:
        UnavailableError: the installed Gene Ontology is gone.
        OSError: the disk is full or broken.
    """
    if not parameters.online_services:
        return
    from genint.online.asking import ask_services, budget_s  # noqa: PLC0415 - lazy

    questions = await asyncio.to_thread(questions_for_services, scratch)
    terms = await asyncio.to_thread(installed_go, equipment)
    found = await ask_services(
        questions,
        parameters.online_services,
        client.run(budget_s(questions, parameters.online_timeout_s)),
        cache_folder=equipment.folders.kept,
        installed_go=terms,
    )
    await asyncio.to_thread(keep_answers, scratch, found)
