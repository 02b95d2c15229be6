"""Figures of a run, their targets, and how they are printed."""

from __future__ import annotations

import os
import statistics
from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class AtLeast:
    """A target that larger figures meet."""

    bound: float

    def is_met(self, value: float) -> bool:
        """Whether a figure meets it."""
        return value >= self.bound

    def __str__(self) -> str:
        return f">= {self.bound:,g}"


@dataclass(frozen=True, slots=True)
class AtMost:
    """A target that smaller figures meet."""

    bound: float

    def is_met(self, value: float) -> bool:
        """Whether a figure meets it."""
        return value <= self.bound

    def __str__(self) -> str:
        return f"<= {self.bound:,g}"


Target = AtLeast | AtMost


@dataclass(slots=True)
class Board:
    """Prints figures as they come and counts those that miss their target."""

    missed: list[str] = field(default_factory=list)
    met: int = 0

    def title(self, text: str) -> None:
        """Begin a part, and say how busy the machine is."""
        print(f"\n{text} [load average {os.getloadavg()[0]:.1f}]", flush=True)

    def note(self, text: str) -> None:
        """Say how something was measured, or that it was not."""
        print(f"    {text}", flush=True)

    def figure(self, name: str, value: float, unit: str, target: Target | None = None) -> None:
        """One figure, with its target if it has one."""
        line = f"  {name:58s} {_number(value):>10s} {unit}"
        if target is not None:
            is_met = target.is_met(value)
            line = f"{line:84s} target {target}: {'met' if is_met else 'NOT MET'}"
            if is_met:
                self.met += 1
            else:
                self.missed.append(f"{name}: {_number(value)} {unit}, target {target}")
        print(line, flush=True)

    def conclude(self) -> None:
        """How many targets were met, and which were not."""
        print(f"\n{self.met} targets met, {len(self.missed)} not met")
        for line in self.missed:
            print(f"  {line}")


def _number(value: float) -> str:
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def percentile(values: Sequence[float], percent: float) -> float:
    """The value that so many percent of the values do not exceed (nearest rank)."""
    ordered = sorted(values)
    rank = max(1, -(-len(ordered) * percent // 100))
    return ordered[int(rank) - 1]


def median(values: Sequence[float]) -> float:
    """The middle one."""
    return statistics.median(values)
