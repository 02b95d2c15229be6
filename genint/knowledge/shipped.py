"""The files that ship with genint, read where they are installed."""

from __future__ import annotations

import hashlib
from importlib import resources

PFAM_PACK = "pfam_pack.bin"
PFAM_FAMILIES = "pfam_families.tsv"
GO_TERMS = "go_terms.tsv"
PFAM_COG = "pfam_cog.tsv"
ROLES = "roles.toml"
CONFIDENCE = "confidence.toml"


def read_shipped(name: str) -> bytes:
    """The bytes of a file in ``genint/knowledge/data``.

    Raises:
        FileNotFoundError: the installation lacks it.
    """
    return resources.files("genint.knowledge").joinpath("data", name).read_bytes()


def read_rows(name: str) -> tuple[tuple[str, ...], ...]:
    """Rows of a shipped table (tabs, ``#`` comments, one heading line), without the heading."""
    lines = read_shipped(name).decode().splitlines()
    rows = (tuple(line.split("\t")) for line in lines if not line.startswith("#"))
    return tuple(rows)[1:]


def sha256_of(name: str) -> str:
    """SHA-256 of a shipped file, hex."""
    return hashlib.sha256(read_shipped(name)).hexdigest()
