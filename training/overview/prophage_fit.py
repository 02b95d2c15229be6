"""Log-odds of prophage genes, counted; and their file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from math import log
from typing import Final

from genint.knowledge.prophages import Judged, ProphageModel, Recognised, Task, length_class
from training.overview.prophage_material import Stretch

VERSION = "1"
ENTER, LEAVE = 1e-4, 0.01
"""Chosen: a prophage has some 50 genes; a tenth and ten times of them change little."""
MOBILE_AT_MOST: Final = -1.0
"""Chosen: insertion sequences lie in prophages and beside them; they are no argument for one."""
MOST: Final = 4.0
"""Chosen: seven genomes cannot tell that a look is hundreds of times more common."""
_FEW: Final = 5
_TELLING: Final = frozenset({Task.VIRION, Task.LYSIS, Task.INTEGRATION, Task.LYSOGENY})
"""Looks of other tasks that were hardly seen are no argument for a prophage."""
_LOOKS_PRIOR: Final = 20.0
"""Genes that are put in as if they were of the task, recognised as genes of all kinds are."""
_DIGITS: Final = 2
_HEAD = """\
# Which genes of bacteria look like those of prophages. Fitted, not written by hand:
# python -m training.overview.prophages
#
# Log-odds of a prophage's gene. `looks`: by task, and by what recognises the protein. `lengths`:
# below 100 amino acids, below 200, longer. `lying`: without and with a turn of the strand or a
# space of 100 bp before the gene. `enter`, `leave`: chosen. `judged`: regions that are prophages,
# and all that were found, in genomes whose species was left out of the fit.
"""


def fit(stretches: Sequence[Stretch]) -> ProphageModel:
    """Count the genes that lie in both files and predictions; ValueError where a kind lacks."""
    looks, lengths = Counter[tuple[bool, Task, Recognised]](), Counter[tuple[bool, bool, int]]()
    turns, apart = Counter[tuple[bool, int]](), Counter[tuple[bool, int]]()
    for one in stretches:
        before = False
        for look, mark in zip(one.looks, one.marked, strict=True):
            marked = bool(mark)
            looks[marked, look.task, look.by] += 1
            unknown = look.task is Task.UNKNOWN
            lengths[marked, unknown, length_class(look.length_aa)] += 1
            if marked == before:
                turns[marked, look.turns] += 1
                apart[marked, look.apart] += 1
            before = marked
    if len({marked for marked, _, _ in looks}) < 2:
        raise ValueError("genes of prophages and others are needed, both")
    return ProphageModel(
        VERSION,
        _look_odds(looks),
        {
            unknown: _ratios({(m, c): n for (m, u, c), n in lengths.items() if u is unknown}, 3)
            for unknown in (True, False)
        },
        _ratios(turns, 2),
        _ratios(apart, 2),
        ENTER,
        LEAVE,
    )


def _look_odds(
    counts: Mapping[tuple[bool, Task, Recognised], int],
) -> dict[Task, dict[Recognised, float]]:
    everywhere = Counter[Recognised]()
    for (_, _, by), number in counts.items():
        everywhere[by] += number
    all_ = sum(everywhere.values())
    found: dict[Task, dict[Recognised, float]] = {}
    for task in Task:
        found[task] = {}
        for by in Recognised:
            share = []
            for marked in (False, True):
                total = sum(n for (m, _, _), n in counts.items() if m is marked)
                of_task = sum(n for (m, t, _), n in counts.items() if m is marked and t is task)
                of_task_share = (of_task + 1) / (total + len(Task))
                here = counts.get((marked, task, by), 0)
                prior = _LOOKS_PRIOR * of_task_share * (everywhere[by] + 1) / (all_ + 4)
                share.append((here + prior) / (total + _LOOKS_PRIOR))
            most = MOBILE_AT_MOST if task is Task.MOBILE else MOST
            seen = counts.get((True, task, by), 0) + counts.get((False, task, by), 0)
            if seen < _FEW and task not in _TELLING:
                most = min(most, 0.0)
            odds = log(share[1] / share[0])
            found[task][by] = _rounded(max(-MOST, min(most, odds)))
    return found


def _ratios(counts: Mapping[tuple[bool, int], int], classes: int) -> tuple[float, ...]:
    totals = {m: sum(counts.get((m, c), 0) for c in range(classes)) for m in (False, True)}
    return tuple(
        _rounded(
            log((counts.get((True, c), 0) + 1) / (totals[True] + classes))
            - log((counts.get((False, c), 0) + 1) / (totals[False] + classes))
        )
        for c in range(classes)
    )


def _rounded(value: float) -> float:
    return round(value, _DIGITS)


def text_of(model: ProphageModel, judged: tuple[Judged, Judged]) -> str:
    """The file: the same model gives the same bytes."""
    return _HEAD + "\n".join(_lines(model, judged)) + "\n"


def _lines(model: ProphageModel, judged: tuple[Judged, Judged]) -> Iterator[str]:
    yield f'\nversion = "{model.version}"'
    for task, odds in model.looks.items():
        yield f"\n[looks.{task.value}]"
        yield from (f"{by.value} = {odd}" for by, odd in odds.items())
    yield "\n[lengths]"
    yield f"unknown = {list(model.lengths[True])}"
    yield f"others = {list(model.lengths[False])}"
    yield f"\n[lying]\nturns = {list(model.turns)}\napart = {list(model.apart)}"
    yield f"\n[scan]\nenter = {model.enter}\nleave = {model.leave}"
    yield f"\n[judged]\ncomplete = {list(judged[0])}\npartial = {list(judged[1])}"
