"""Names of genes for and against defence systems: ``data/defence_names.toml``.

They are what is known of the matter where no reference of defence systems is installed, and of
counter-defence in any case: a name of a family or protein tells what a gene is, not that all of
its system is there.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Any

from genint.knowledge.patterns import Pattern, either
from genint.knowledge.table_files import DEFENCE_NAMES, read_shipped
from genint.model.vocabulary import GenomeKind


class Side(StrEnum):
    """On whose side a gene is."""

    DEFENCE = "defence"
    """Of the host, against phages."""
    EXCLUSION = "exclusion"
    """Of a prophage, against other phages."""
    COUNTER_DEFENCE = "counter-defence"
    """Of a phage, against defence systems."""


@dataclass(frozen=True, slots=True)
class DefenceGroup:
    """Genes that do the same.

    Attributes:
        id: Stable name.
        title: For reports.
        side: On whose side they are.
        aim: What they work against; empty for defence, whose aim are phages.
        only: Kind of genome in which the name means that; None for any.
        doubt: What else they may do, one sentence; empty where nothing is known.
        patterns: One of them is in such a name, in lower case.
        excluded: None of them is.
    """

    id: str
    title: str
    side: Side
    aim: str
    only: GenomeKind | None
    doubt: str
    patterns: Pattern
    excluded: Pattern | None

    def holds(self, name: str) -> bool:
        """Whether a name in lower case is one of such a gene."""
        return self.patterns.is_in(name) and not (self.excluded and self.excluded.is_in(name))


@dataclass(frozen=True, slots=True)
class DefenceNames:
    """All groups, in the order in which a name is looked up.

    Attributes:
        version: Of the file.
        groups: The first that fits has it.
    """

    version: str
    groups: tuple[DefenceGroup, ...]

    def group_of(self, name: str, kind: GenomeKind) -> DefenceGroup | None:
        """The group of a name in a kind of genome; None for nearly all names."""
        lowered = name.lower()
        fitting = (group for group in self.groups if group.only in {None, kind})
        return next((group for group in fitting if group.holds(lowered)), None)


@cache
def load_defence_names() -> DefenceNames:
    """Read the table that ships with genint."""
    return parse_defence_names(read_shipped(DEFENCE_NAMES).decode())


def parse_defence_names(text: str) -> DefenceNames:
    """A table from the text of its file; KeyError or ValueError where it is damaged."""
    read = tomllib.loads(text)
    return DefenceNames(read["version"], tuple(map(_group, read["group"])))


def _group(item: Mapping[str, Any]) -> DefenceGroup:
    only = item.get("only")
    return DefenceGroup(
        *(str(item["id"]), str(item["title"]), Side(str(item["side"])), str(item.get("aim", ""))),
        only=GenomeKind(str(only)) if only else None,
        doubt=str(item.get("doubt", "")),
        patterns=either(item["patterns"]),
        excluded=either(item["exclude"]) if item.get("exclude") else None,
    )
