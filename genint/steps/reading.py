"""First step: bytes to a genome."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from genint.errors import InputError
from genint.model.genome import Genome


class Payload(NamedTuple):
    """Bytes of a file and the name it goes by."""

    content: bytes
    filename: str


def read(source: Payload | Path, *, max_text_bytes: int | None = None) -> Genome:
    """Read a genome file; raises FormatError, or InputError where it cannot be opened.

    Args:
        source: Path of the file, or its bytes.
        max_text_bytes: Largest size of its text; None: what the readers take.
    """
    from genint.formats import read_genome, read_genome_bytes  # noqa: PLC0415 - lazy
    from genint.formats.compression import MAX_BYTES  # noqa: PLC0415

    limit = MAX_BYTES if max_text_bytes is None else max_text_bytes
    if isinstance(source, Path):
        return read_genome(source, max_bytes=limit)
    return read_genome_bytes(source.content, source.filename, max_bytes=limit)


def as_payload(source: Payload | Path) -> Payload:
    """The bytes of a file that may be given by its path.

    Raises:
        InputError: it cannot be opened.
    """
    if isinstance(source, Payload):
        return source
    try:
        return Payload(source.read_bytes(), source.name)
    except (OSError, ValueError) as cause:
        reason = getattr(cause, "strerror", None) or "the path cannot be used"
        raise InputError(f"{source.name or source}: cannot be read: {reason}") from cause
