"""Genomes that are fitted and judged on."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from training.blind.builds import fold_name

PANEL = Path(__file__).with_name("panel.toml")


@dataclass(frozen=True, slots=True)
class Group:
    """Near relatives, left out together.

    Attributes:
        name: Of the group.
        genomes: File of each genome in the folder of genomes, by its name.
        fold: Number of the blind build of families that knows nothing of it; None: there is none.
        reported: Figures are reported for it.
        bacterium: Only the offset of bacteria is learned from it.
    """

    name: str
    genomes: Mapping[str, str]
    fold: int | None
    reported: bool
    bacterium: bool

    @property
    def slug(self) -> str:
        """Name for files."""
        return slug(self.name)

    def blind_build(self, builds: Path) -> Path | None:
        """The build of families that knows nothing of it, of those of ``training.confidence``."""
        return None if self.fold is None else builds / fold_name(self.fold)


def slug(name: str) -> str:
    """A name as the names of files have it."""
    return name.lower().replace(" ", "-")


def read_panel(path: Path = PANEL) -> tuple[Group, ...]:
    """The groups of the table."""
    table = tomllib.loads(path.read_text(encoding="utf-8"))
    return tuple(
        Group(
            name=one["name"],
            genomes=one["genomes"],
            fold=one.get("fold"),
            reported=one.get("reported", True),
            bacterium=one.get("bacterium", False),
        )
        for one in table["group"]
    )
