"""Real answers, read from the folder beside the project; never a part of it."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path

from .world import GoLine, Json, Release, World

_PAGES = ("uniprotkb_search.json", "idmapping_uniprotkb_results.json")
_ENTRIES = (
    "uniprotkb_entry_P05067_large.json",
    "uniprotkb_entry_P0DTR4.json",
    "uniprotkb_entry_trembl_A8Y1C3.json",
    "uniprotkb_entry_inactive_deleted.json",
    "uniprotkb_entry_inactive_demerged.json",
)


def sample(folder: Path, name: str) -> Json:
    """One JSON file of the folder of answers, gzipped or not."""
    raw = (folder / name).read_bytes()
    return json.loads(gzip.decompress(raw) if name.endswith(".gz") else raw)


def match_records(folder: Path) -> Iterator[Json]:
    """The 1,000 records of the database that the Matches API carries: ``md5``, ``matches``."""
    with gzip.open(folder / "matches_api_minidb_1000.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def real_world(folder: Path) -> World:
    """Everything real that there is: matches, entries, a record of UniParc, GO terms.

    The releases are those of the samples, as are the versions of the libraries.

    Args:
        folder: ``api`` of the shared data.
    """
    info = sample(folder, "matches_api_info.json")
    return World(
        entries=tuple({one["primaryAccession"]: one for one in _entries(folder)}.values()),
        uniparc=(sample(folder, "uniparc_light_entry.json"),),
        matches={one["md5"]: tuple(one["matches"]) for one in match_records(folder)},
        go=tuple(_go_lines(folder)),
        interpro_release=_release(info),
        libraries={one["name"]: one["version"] for one in info["analyses"]},
    )


def _entries(folder: Path) -> Iterator[Json]:
    for name in _PAGES:
        for one in sample(folder, name)["results"]:
            yield one.get("to", one)
    for name in _ENTRIES:
        yield sample(folder, name)


def _release(info: Json) -> Release:
    return Release(info["release"], info["release_date"])


def _go_lines(folder: Path) -> Iterator[GoLine]:
    terms = sample(folder, "interpro2go_terms.json.gz")
    for entry, numbers in sample(folder, "interpro2go_ipr.json.gz").items():
        for number in numbers:
            if number in terms:
                yield GoLine(entry, f"Entry {entry}", number, terms[number][0])
