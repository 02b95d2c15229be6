"""What an installation set out to do: kept until it is done, so that the next one goes on."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from genint.databases.durable import write_whole
from genint.databases.installed import PLAN
from genint.databases.manifest import Manifest, SourceFile, record
from genint.databases.published import Published, PublishedFile

_FORMAT = 1


@dataclass(frozen=True, slots=True)
class Plan:
    """What was published when an installation began, and what it fetched so far.

    Attributes:
        published: Release, sizes and checksums.
        fetched: Files that were downloaded and checked.
    """

    published: Published
    fetched: tuple[SourceFile, ...] = ()

    def fits(self, published: Published) -> bool:
        """Whether that is still what is published."""
        return self.published == replace(published, files=dict(published.files))

    def is_of(self, manifest: Manifest) -> bool:
        """Whether a version was built from just what was fetched."""
        return {(file.name, file.sha256) for file in self.fetched} == {
            (file.name, file.sha256) for file in manifest.sources
        }

    def with_fetched(self, file: SourceFile) -> Plan:
        """The plan after a file was downloaded."""
        others = tuple(each for each in self.fetched if each.name != file.name)
        return replace(self, fetched=(*others, file))

    def without_fetched(self) -> Plan:
        """The plan where nothing that was downloaded could be used."""
        return replace(self, fetched=())


def new_plan(published: Published) -> Plan:
    """A plan for what is published now."""
    return Plan(replace(published, files=dict(published.files)))


def write_plan(work: Path, plan: Plan) -> None:
    """Keep a plan."""
    content = {
        "format": _FORMAT,
        "release": plan.published.release,
        "released": plan.published.released,
        "published": {name: list(file) for name, file in plan.published.files.items()},
        "fetched": [file._asdict() for file in plan.fetched],
    }
    write_whole(work / PLAN, json.dumps(content, indent=1).encode())


def read_plan(work: Path) -> Plan | None:
    """The plan of an unfinished installation; None where there is none that can be read."""
    try:
        content = json.loads((work / PLAN).read_bytes())
        if content["format"] != _FORMAT:
            return None
        published = Published(
            _text(content["release"]), _text(content["released"]), _files(content["published"])
        )
        return Plan(published, tuple(record(SourceFile, item) for item in content["fetched"]))
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None


def _files(content: Mapping[str, Any]) -> dict[str, PublishedFile]:
    return {str(name): PublishedFile(*values) for name, values in content.items()}


def _text(value: object) -> str | None:
    if value is not None and not isinstance(value, str):
        raise TypeError("text expected")
    return value
