"""What a run over several files has written, so that the next run does only what is missing."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from genint.cli.output import Job, write_atomically

MANIFEST = ".genint-run.json"


def digest(payload: bytes) -> str:
    """SHA-256, hexadecimal."""
    return hashlib.sha256(payload).hexdigest()


@dataclass(slots=True)
class Journal:
    """What was written into a folder, by which input and parameters.

    A report counts as done when the same bytes went in under the same parameters,
    versions and databases, and the report on disk is still the one that came out.
    A missing or unreadable journal means that nothing is known to be done.
    """

    folder: Path
    key: str
    """Digest of everything but the input that decides a report."""
    entries: dict[str, dict[str, str]] = field(default_factory=dict)
    tags: dict[str, int] = field(default_factory=dict)
    """By digest of an input: numbers of locus tags that are taken behind it."""

    @classmethod
    def open(cls, folder: Path, key: str) -> Journal:
        """Read the journal of a folder."""
        try:
            found = json.loads((folder / MANIFEST).read_text("utf-8"))
            entries, tags = found["reports"], found.get("locus_tags")
        except (OSError, ValueError, KeyError, TypeError):
            return cls(folder, key)
        return cls(
            folder,
            key,
            entries if isinstance(entries, dict) else {},
            tags if isinstance(tags, dict) else {},
        )

    def is_done(self, job: Job, input_digest: str) -> bool:
        """Whether all reports of a job lie there as they were written."""
        return all(
            output.path is not None
            and self._entry_of(output.path) == self._stamp(input_digest, output.path)
            for output in job.outputs
        )

    def record(self, job: Job, input_digest: str, tags_taken: int | None = None) -> None:
        """Remember the reports of a job, and the locus tags behind it; written at once."""
        if tags_taken is not None:
            self.tags[input_digest] = tags_taken
        for output in job.outputs:
            if output.path is not None:
                self.entries[output.path.name] = dict(self._stamp(input_digest, output.path))
        content = {"reports": self.entries, "locus_tags": self.tags}
        text = json.dumps(content, indent=2, sort_keys=True)
        write_atomically(self.folder / MANIFEST, text + "\n")

    def tags_taken(self, input_digest: str) -> int | None:
        """Numbers of locus tags that are taken behind an input that is done; None if unknown."""
        found = self.tags.get(input_digest)
        return found if type(found) is int and found >= 0 else None

    def _entry_of(self, path: Path) -> object:
        return self.entries.get(path.name)

    def _stamp(self, input_digest: str, path: Path) -> Mapping[str, str]:
        try:
            report = digest(path.read_bytes())
        except OSError:
            report = "missing"
        return {"input": input_digest, "key": self.key, "report": report}
