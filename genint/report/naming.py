"""How the files of reports are called."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Final

from genint.report.formats import FORMATS

DARK_FASTA: Final = "dark-fasta"
"""The format that is no report on all genes, but a list of some."""
_COMPRESSED: Final = (".gz", ".bz2", ".bgz")


def stem_of(filename: str) -> str:
    """Name of a file (no folders) without compression suffix and without one extension."""
    name = filename
    for suffix in _COMPRESSED:
        if name.lower().endswith(suffix):
            name = name[: -len(suffix)]
            break
    return PurePosixPath(name).stem or filename


def report_name(stem: str, name: str) -> str:
    """File name of a format's report, such as ``lambda_report.gff3``.

    Args:
        stem: Of the file that was interpreted.
        name: Of the format.
    """
    return f"{stem}_report.{FORMATS[name].extension}"
