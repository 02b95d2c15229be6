"""What runs over several files have written, so that the next run does only what is missing."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NamedTuple

from genint.cli.output import Job, write_failed
from genint.errors import UsageError

JOURNAL: Final = ".genint-run.jsonl"


def digest(payload: bytes) -> str:
    """SHA-256, hexadecimal."""
    return hashlib.sha256(payload).hexdigest()


class Origin(NamedTuple):
    """All that decides a report.

    Attributes:
        input: Digest of what is read.
        settings: Everything else, by what a user would call it: version, parameters, databases.
    """

    input: str
    settings: Mapping[str, str]


class Entry(NamedTuple):
    """How a report came to be.

    Attributes:
        origin: What it was made of.
        report: Digest of the report.
        tags: Numbers of locus tags that are taken behind the input; None: not known.
        source: Path of the input; empty where it is not known.
    """

    origin: Origin
    report: str
    tags: int | None = None
    source: str = ""


@dataclass(slots=True)
class Journal:
    """What was written into a folder, and of what it was made.

    A report counts as done when the same bytes went in under the same settings, and the report
    on disk is still the one that came out. A missing or unreadable journal means that nothing is
    known to be done. Every file that is done appends a line: it costs the same however many are
    done already, runs side by side do not undo each other's lines, and a line that was cut off
    by the end of its run is passed over.
    """

    folder: Path
    shard: str = ""
    """Whose lines are written; those of all are read."""
    entries: dict[str, Entry] = field(default_factory=dict)
    """Name of a report -> what is known of it."""

    @classmethod
    def open(cls, folder: Path, shard: str = "") -> Journal:
        """Read the journals of a folder.

        Args:
            folder: Of the reports.
            shard: Name of a part of the files that writes a journal of its own: machines that
                share a folder cannot append to one file without losing lines.
        """
        journal = cls(folder, shard)
        try:
            found = folder.glob(_file_name("*"))
            for file in sorted(found, key=lambda file: file.stat().st_mtime_ns):
                with file.open("rb") as lines:
                    for line in lines:
                        journal.entries.update(_entries_of(line))
        except OSError:
            pass
        return journal

    def is_done(self, job: Job, origin: Origin) -> bool:
        """Whether all reports of a job lie there as they were written."""
        return all(
            output.path is not None and self.is_current(output.path, origin)
            for output in job.outputs
        )

    def is_current(self, path: Path, origin: Origin) -> bool:
        """Whether a report lies there as this input and these settings made it."""
        entry = self.entries.get(path.name)
        return entry is not None and entry.origin == origin and entry.report == _digest_of(path)

    def changes(self, job: Job, origin: Origin) -> tuple[str, ...]:
        """What is another now than when the reports of a job were made: ``input``, ``parameters``.

        Empty where nothing is known of them, or nothing has changed.
        """
        changed: dict[str, None] = {}
        for output in job.outputs:
            entry = None if output.path is None else self.entries.get(output.path.name)
            if entry is None:
                continue
            if entry.origin.input != origin.input:
                changed["input"] = None
            before, now = entry.origin.settings, origin.settings
            names = sorted({*before, *now})
            changed |= dict.fromkeys(name for name in names if before.get(name) != now.get(name))
        return tuple(changed)

    def refuse_others(self, job: Job, origin: Origin) -> None:
        """Stop where the reports of a job would take the place of those of another file.

        A file that was changed or moved is the same; of two that are both there each is its own.

        Raises:
            UsageError: a report there is of a file of another path and content.
        """
        for output in job.outputs:
            entry = None if output.path is None else self.entries.get(output.path.name)
            if entry is None or not entry.source or entry.origin.input == origin.input:
                continue
            if not Path(entry.source).exists():
                continue
            if output.path is not None and output.path.exists() and entry.source != _source(job):
                raise UsageError(
                    f"{output.path.name} is the report of another file, {entry.source}: choose "
                    "another folder with -o, or --force to replace it"
                )

    def check_writable(self) -> None:
        """See that lines can be added, before anything is computed.

        Raises:
            UsageError: they cannot.
            DiskFull: there is no room.
        """
        if not self.folder.is_dir():
            return  # it is made with the first report
        try:
            self._path.open("ab").close()
        except OSError as cause:
            raise write_failed(self._path, cause) from cause

    @property
    def _path(self) -> Path:
        return self.folder / _file_name(f"-{self.shard}" if self.shard else "")

    def record(self, job: Job, origin: Origin, tags_taken: int | None = None) -> None:
        """Remember the reports of a job, and the locus tags behind it; written at once.

        Raises:
            UsageError: the folder cannot be written.
            DiskFull: there is no room.
        """
        reports = {
            output.path.name: found
            for output in job.outputs
            if output.path is not None and (found := _digest_of(output.path)) is not None
        }
        line = {
            "input": origin.input,
            "settings": dict(origin.settings),
            "reports": reports,
            "tags": tags_taken,
            "source": _source(job),
        }
        written = json.dumps(line, sort_keys=True).encode() + b"\n"
        path = self._path
        try:
            with path.open("ab") as file:
                # Behind a line that was cut off a new one begins.
                file.write(b"\n" + written if _is_cut_off(path) else written)
        except OSError as cause:
            raise write_failed(path, cause) from cause
        self.entries.update(_entries_of(written))

    def tags_taken(self, job: Job) -> int | None:
        """Numbers of locus tags that are taken behind a job that is done; None if unknown."""
        for output in job.outputs:
            if output.path is not None and output.path.name in self.entries:
                return self.entries[output.path.name].tags
        return None


def _entries_of(line: bytes) -> Iterator[tuple[str, Entry]]:
    """What a line tells of reports; nothing where it is no line of a journal."""
    try:
        content: Any = json.loads(line)
        input_digest, settings, reports = content["input"], content["settings"], content["reports"]
        tags = content.get("tags")
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return
    if not isinstance(settings, dict) or not isinstance(reports, dict):
        return
    known = tags if type(tags) is int and tags >= 0 else None
    origin, source = Origin(input_digest, settings), content.get("source")
    for name, report in reports.items():
        yield name, Entry(origin, report, known, source if isinstance(source, str) else "")


def _source(job: Job) -> str:
    """Path of what is read; empty for standard input."""
    return "" if job.source is None else os.fsdecode(job.source.resolve())


def _file_name(part: str) -> str:
    """Of the journal of a part of the files."""
    return JOURNAL.replace(".jsonl", f"{part}.jsonl")


def _is_cut_off(path: Path) -> bool:
    """Whether a file does not end with the end of a line."""
    with path.open("rb") as file:
        if file.seek(0, 2) == 0:
            return False
        file.seek(-1, 2)
        return file.read(1) != b"\n"


def _digest_of(path: Path) -> str | None:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return None
