"""What the user chose for a run."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Options:
    """What the user chose, for every file of the run."""

    mode: str
    phage: bool
    workers: int
    ignore_annotations: bool
    locus_tag_prefix: str | None
