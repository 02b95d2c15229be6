"""One interpretation in a process of its own: how long it took and what became of asking.

    python -m benchmarks.online.runs '{"genome": ..., "mode": ..., "cache": ..., ...}'

Prints one line of JSON. Starting the interpreter and importing genint is not counted.
"""

from __future__ import annotations

import asyncio
import json
import os
import resource
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks.speed.measured import ROOT, Failed


@dataclass(frozen=True, slots=True)
class Order:
    """What to run.

    Attributes:
        genome: File.
        mode: ``offline`` or ``online``.
        cache: Folder of indexed profiles, results and answers.
        workers: Processes.
        timeout_s: Of asking; None: genint's own.
    """

    genome: str
    mode: str
    cache: str
    workers: int
    timeout_s: float | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of it.

    Attributes:
        wall_s: Of the call of the library alone.
        cpu_s: Of the same, user and system, of all its processes.
        genes: Interpreted.
        states: ``uniprot hit`` -> genes, and so on.
        problems: What the report says of services that did not answer in full.
        claimed: Genes of which something is said.
    """

    wall_s: float
    cpu_s: float
    genes: int
    states: Mapping[str, int]
    problems: tuple[str, ...]
    claimed: int


def run(order: Order, environment: Mapping[str, str]) -> Outcome:
    """Run in a process of its own.

    Raises:
        Failed: it ended with an error.
    """
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.online.runs", json.dumps(asdict(order))],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise Failed((done.stderr.strip().splitlines() or ["no output"])[-1])
    told = json.loads(done.stdout.splitlines()[-1])
    return Outcome(**{**told, "problems": tuple(told["problems"])})


def _cpu_s() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


async def _interpreted(order: Order) -> Outcome:
    from genint.pipeline.library import interpret_genome_async  # noqa: PLC0415 - not to be imported by parents

    options = {"online_timeout_s": order.timeout_s} if order.mode == "online" else {}
    began_s, began_cpu_s = time.monotonic(), _cpu_s()
    summary = await interpret_genome_async(
        Path(order.genome),
        mode=order.mode,
        workers=order.workers,
        cache_folder=Path(order.cache),
        **options,  # type: ignore[arg-type]
    )
    wall_s, cpu_s = time.monotonic() - began_s, _cpu_s() - began_cpu_s
    states = Counter(
        f"{answer.service.value} {answer.state.value}"
        for result in summary.results
        for answer in result.online
    )
    claimed = sum(not result.is_dark for result in summary.results)
    problems = tuple(f"{use.service.label} {use.problem}" for use in summary.online if use.problem)
    return Outcome(
        wall_s, cpu_s, len(summary.results), dict(sorted(states.items())), problems, claimed
    )


if __name__ == "__main__":
    print(json.dumps(asdict(asyncio.run(_interpreted(Order(**json.loads(sys.argv[1])))))))
