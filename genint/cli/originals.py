"""Finding the file again that a result was made from."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from genint.cli.files import unreadable
from genint.errors import InputError
from genint.report.texts import shown_text

if TYPE_CHECKING:
    from genint.report.result import GenintResult


def find_original(
    result: GenintResult, *, name: str, given: Sequence[Path], beside: Iterable[Path]
) -> Path:
    """The file that was interpreted, known by its digest.

    Args:
        result: Of which the file is wanted.
        name: How the result is called in errors.
        given: Files that the user named; where there are none it is looked for.
        beside: Folders to look in, for the file that the result names.

    Raises:
        InputError: it is not among them; says what to do.
    """
    candidates = list(given) or _lying_about(result.input.filename, beside)
    for path in candidates:
        if _digest(path) == result.input.sha256:
            return path
    raise InputError(_not_found(result, name, candidates, was_given=bool(given)))


def _lying_about(filename: str, folders: Iterable[Path]) -> list[Path]:
    """Files of that name; a name that leads elsewhere (``../x``) is none."""
    if filename in {"", ".", ".."} or Path(filename).name != filename or "\0" in filename:
        return []
    return [folder / filename for folder in folders if (folder / filename).is_file()]


def _digest(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except (OSError, ValueError) as cause:
        raise unreadable(path, cause) from cause


def _not_found(
    result: GenintResult, name: str, candidates: Sequence[Path], *, was_given: bool
) -> str:
    wanted = shown_text(result.input.filename)
    seen = " and ".join(map(str, candidates))
    if was_given:
        return (
            f"{name}: {seen}: not the file that was interpreted, its sha256 is another; "
            f"give --genome {wanted} as it was then"
        )
    if candidates:
        return (
            f"{name}: {seen} has changed since it was interpreted, its sha256 is another; "
            "give the file as it was with --genome, or interpret it again"
        )
    return (
        f"{name}: GenBank is written into the file that was interpreted, and {wanted} lies "
        "neither beside the result nor here; give it with --genome FILE"
    )
