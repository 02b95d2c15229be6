"""Runs of online mode beside the same runs offline: what they cost, against limits and gates."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.online import figures as online_figures
from benchmarks.online import runs as online_runs
from benchmarks.online.figures import MOST_A_SECOND, MOST_IN_FLIGHT, Chain
from benchmarks.online.runs import Order, Outcome
from benchmarks.online.servers import Remote, Seen, Ways, routes
from benchmarks.service.figures import AtMost, Board
from benchmarks.speed.measured import ROOT

MOST_AGAIN = 2
"""Release calls of both services."""
MOST_OVER_CHAIN = 1.1
MOST_REFUSED_S = 3.0
"""Two attempts to connect to each service, a second or less apart, and the noise of a run."""
SILENT_TIMEOUT_S = 10.0


class Case(NamedTuple):
    """What is asked, of which services.

    Attributes:
        title: In words.
        ground: File whose proteins the services know.
        genome: File that is interpreted.
        ways: Of the services.
    """

    title: str
    ground: Path
    genome: Path
    ways: Ways


class Bench(NamedTuple):
    """What all cases of a genome share.

    Attributes:
        board: Takes the figures.
        remote: The services.
        folder: For caches.
        workers: Processes of genint.
        repeats: Of each run.
        most_requests: Of a run with an empty cache of answers.
    """

    board: Board
    remote: Remote
    folder: Path
    workers: int
    repeats: int
    most_requests: int


class Offline(NamedTuple):
    """A genome without services.

    Attributes:
        computed: Fastest run with indexed profiles alone in the cache.
        kept: Fastest run with the searches in the cache.
        cache: That folder.
    """

    computed: Outcome
    kept: Outcome
    cache: Path


class Cold(NamedTuple):
    """A run with an empty cache of answers, and what the services saw of it."""

    outcome: Outcome
    seen: tuple[Seen, ...]
    chain: Chain
    over_s: float

    @property
    def ratio(self) -> float:
        """What it adds to offline, of its slowest chain."""
        return self.over_s / self.chain.waited_s


def press(folder: Path) -> Path:
    """A cache that holds the indexed profiles and nothing of any genome that is measured."""
    cache = folder / "pressed"
    phix = ROOT / "examples" / "phiX174.gbk"
    online_runs.run(Order(str(phix), "offline", str(cache), 1), {})
    return cache


def measure_offline(bench: Bench, genome: Path) -> Offline:
    """The same without services: searches computed, and from the cache."""
    cache = bench.folder / f"cache_{genome.name}"
    order = Order(str(genome), "offline", str(cache), bench.workers)

    def computed() -> Outcome:
        _copied(bench.folder / "pressed", cache)
        return online_runs.run(order, {})

    first = _fastest([computed() for _ in range(bench.repeats)])
    kept = _fastest([online_runs.run(order, {}) for _ in range(bench.repeats)])
    bench.board.title(f"{genome.name}, {kept.genes:,} genes")
    bench.board.figure("offline, searches computed", first.wall_s, "s")
    bench.board.figure("offline, searches from the cache", kept.wall_s, "s")
    return Offline(first, kept, cache)


def _fastest(outcomes: Sequence[Outcome]) -> Outcome:
    return min(outcomes, key=lambda outcome: outcome.wall_s)


def _copied(source: Path, target: Path) -> Path:
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(source, target)
    return target


def _online(
    bench: Bench, genome: Path, cache: Path, timeout_s: float | None = None
) -> tuple[Outcome, tuple[Seen, ...]]:
    order = Order(str(genome), "online", str(cache), bench.workers, timeout_s)
    outcome = online_runs.run(order, bench.remote.environment())
    return outcome, bench.remote.seen()


def _cold(bench: Bench, case: Case, offline: Outcome, cache: Path) -> Cold:
    """The run with the middle overhead; its cache of answers is left in ``cache``'s copy."""
    runs = []
    for _ in range(bench.repeats):
        bench.remote.behave(case.ground, case.ways)
        outcome, seen = _online(bench, case.genome, _copied(cache, bench.folder / "cache"))
        chain = online_figures.slowest_chain(seen)
        runs.append(Cold(outcome, seen, chain, outcome.wall_s - offline.wall_s))
    _limits(bench, [run.seen for run in runs])
    return sorted(runs, key=lambda run: run.ratio)[len(runs) // 2]


def measure_first(bench: Bench, case: Case, offline: Offline) -> None:
    """The first run of a genome: nothing of it is in any cache, searching hides asking."""
    bench.board.title(f"{case.genome.name}: {case.title}, searches computed")
    cold = _cold(bench, case, offline.computed, bench.folder / "pressed")
    _tell_times(bench.board, cold, offline.computed, MOST_OVER_CHAIN)


def measure_case(bench: Bench, case: Case, offline: Offline) -> None:
    """Asking with nothing to hide behind, and the run after it."""
    board = bench.board
    board.title(f"{case.genome.name}: {case.title}, searches from the cache")
    cold = _cold(bench, case, offline.kept, offline.cache)
    again, seen_again = _online(bench, case.genome, bench.folder / "cache")
    _note(board, cold, offline.kept)
    _tell_times(board, cold, offline.kept, MOST_OVER_CHAIN)
    board.figure("wall, second run", again.wall_s, "s")
    board.figure("over offline, second run, CPU", again.cpu_s - offline.kept.cpu_s, "s")
    board.figure("requests of a second run", len(seen_again), "", AtMost(MOST_AGAIN))


def _note(board: Board, run: Cold, offline: Outcome) -> None:
    outcome = run.outcome
    board.note(", ".join(f"{route}: {number}" for route, number in routes(run.seen).items()))
    board.note(", ".join(f"{state}: {number:,}" for state, number in outcome.states.items()))
    board.note(f"something is said of {outcome.claimed:,} genes, offline of {offline.claimed:,}")
    for problem in outcome.problems:
        board.note(f"said of it: {problem}")


def _tell_times(board: Board, cold: Cold, offline: Outcome, most: float) -> None:
    chain = cold.chain
    board.figure("wall, cold", cold.outcome.wall_s, "s")
    board.figure(f"slowest chain ({' and '.join(chain.services)})", chain.waited_s, "s")
    most_span = AtMost(round(MOST_OVER_CHAIN * chain.waited_s, 2))
    board.figure("from its first request to its last answer", chain.span_s, "s", most_span)
    board.figure("over offline", cold.over_s, "s")
    board.figure("over offline, CPU", cold.outcome.cpu_s - offline.cpu_s, "s")
    board.figure("over offline, of the slowest chain", cold.ratio, "", AtMost(most))


def _limits(bench: Bench, runs: Sequence[Sequence[Seen]]) -> None:
    """Of all runs, the worst."""
    board = bench.board
    board.figure("requests", max(map(len, runs)), "", AtMost(bench.most_requests))
    for service, most in MOST_IN_FLIGHT.items():
        requests = max(len(online_figures.of(seen, service)) for seen in runs)
        board.figure(f"requests to {service}", requests, "")
        if requests:
            flying = max(online_figures.most_in_flight(seen, service) for seen in runs)
            board.figure(f"in flight at {service}", flying, "", AtMost(most))
            pace = max(online_figures.pace(seen, service) for seen in runs)
            board.figure(f"begun at {service}", pace, "a second", AtMost(MOST_A_SECOND[service]))


def measure_dead(bench: Bench, record: Path, offline: Offline) -> None:
    """Services that refuse connections, and such that never answer."""
    board = bench.board
    for state, timeout_s in (("refusing", None), ("silent", SILENT_TIMEOUT_S)):
        bench.remote.behave(record, Ways(state=state))
        runs = []
        for _ in range(bench.repeats):
            cache = _copied(offline.cache, bench.folder / "cache")
            runs.append(_online(bench, record, cache, timeout_s))
        outcome, seen = min(runs, key=lambda run: run[0].wall_s)
        limit = f", {timeout_s:g} s to ask" if timeout_s else ""
        board.title(f"{record.name}: services {state}{limit}")
        for problem in outcome.problems:
            board.note(f"said of it: {problem}")
        board.figure("requests that came", len(seen), "")
        over_s = outcome.wall_s - offline.kept.wall_s
        board.figure("over offline", over_s, "s", AtMost((timeout_s or 0) + MOST_REFUSED_S))
