"""When the files of a version were written: what shows, without reading them, a change.

Kept beside the manifest, not in it: a version that was copied elsewhere is as good when
every byte of it was checked, and has its times recorded anew then.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from genint.databases.durable import write_whole
from genint.databases.manifest import Manifest

TIMES: Final = "times.json"

_LIMIT_BYTES = 4_000_000
_PRECISIONS_NS: Final = (1, 100, 1_000, 1_000_000, 1_000_000_000)
"""Of times that file systems, archives and copying programs keep."""


def file_times(folder: Path, manifest: Manifest) -> dict[str, int]:
    """When each built file was last written, in nanoseconds; without those that are missing."""
    times = {}
    for file in manifest.built:
        try:
            times[file.path] = (folder / file.path).stat().st_mtime_ns
        except OSError:
            continue
    return times


def record_times(folder: Path, times: Mapping[str, int]) -> None:
    """Record when the files of a version were written, each known to be sound.

    Raises:
        OSError: the folder cannot be written.
    """
    write_whole(folder / TIMES, (json.dumps(times, indent=1, sort_keys=True) + "\n").encode())


def recorded_times(folder: Path) -> Mapping[str, int]:
    """What was recorded; nothing where that cannot be read."""
    try:
        with (folder / TIMES).open("rb") as stream:
            content = json.loads(stream.read(_LIMIT_BYTES))
    except (OSError, ValueError, RecursionError):
        return {}
    if not isinstance(content, dict):
        return {}
    return {path: time for path, time in content.items() if type(time) is int}


def is_same_time(found: int, recorded: int) -> bool:
    """Whether a time is the recorded one, or that cut to what a copy keeps of it."""
    return any(found == recorded - recorded % precision for precision in _PRECISIONS_NS)
