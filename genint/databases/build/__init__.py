"""Making what genint reads of what was downloaded, one module a database.

Each has ``build(sources, target, progress)``: files by their published name, an empty
folder, and someone who wants to know how far it is. They run in a process of their own
(:mod:`genint.databases.build.process`) whose current folder is ``target``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple


class Built(NamedTuple):
    """What a build has to say.

    Attributes:
        entries: Families, proteins or terms.
        release: As the files themselves say; None where they do not.
        facts: What else is worth knowing, name and value.
    """

    entries: int
    release: str | None = None
    facts: tuple[tuple[str, str], ...] = ()


class Step(NamedTuple):
    """How far a build is.

    Attributes:
        name: Of the step: ``pressing profiles``.
        done: How many of its items are done.
        total: How many there are; None where that is not known.
    """

    name: str
    done: int
    total: int | None = None


Report = Callable[[Step], None]
Build = Callable[[Mapping[str, Path], Path, Report], Built]
