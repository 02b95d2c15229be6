"""The files that ship with genint, read where they are installed."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

from genint.errors import UnavailableError

PFAM_PACK = "pfam_pack.bin"
PFAM_FAMILIES = "pfam_families.tsv"
GO_TERMS = "go_terms.tsv"
PFAM_COG = "pfam_cog.tsv"
PHAGE_FAMILIES = "phage_families.bin"
BACTERIAL_FAMILIES = "bacterial_families.bin"
OWN_FAMILIES = "families.tsv"
OWN_FAMILY_MEMBERS = "family_members.tsv"
PRODUCTS = "products.tsv"
PRODUCT_KEYS = "product_keys.tsv"
PRODUCT_GO_TERMS = "product_go_terms.tsv"
ROLES = "roles.toml"
CONFIDENCE = "confidence.toml"
GENE_ORDER = "gene_order.toml"
RESCUE = "rescue.toml"


def read_shipped(name: str) -> bytes:
    """The bytes of a file in ``genint/knowledge/data``.

    Raises:
        FileNotFoundError: the installation lacks it.
    """
    return resources.files("genint.knowledge").joinpath("data", name).read_bytes()


def read_from(folder: Path | None, name: str) -> bytes:
    """The bytes of a file of a build in ``folder``; of what ships where that is None.

    Raises:
        UnavailableError: the folder lacks it.
    """
    if folder is None:
        return read_shipped(name)
    try:
        return (folder / name).read_bytes()
    except OSError as cause:
        raise _no_build(folder, cause) from cause


def read_start(folder: Path | None, name: str, length_bytes: int) -> bytes:
    """The first bytes of a file as :func:`read_from` reads it, such as the header of a pack.

    Raises:
        UnavailableError: the folder lacks it.
    """
    if folder is None:
        place = resources.files("genint.knowledge").joinpath("data", name)
        with place.open("rb") as stream:
            return stream.read(length_bytes)
    try:
        with (folder / name).open("rb") as stream:
            return stream.read(length_bytes)
    except OSError as cause:
        raise _no_build(folder, cause) from cause


def _no_build(folder: Path, cause: OSError) -> UnavailableError:
    return UnavailableError(f"{folder}: no build of families is there: {cause}")


def read_lines(name: str, folder: Path | None = None) -> list[str]:
    """Lines of a table without ``#`` comments and without the heading.

    Args:
        name: Of the file.
        folder: Where it lies; None for what ships.
    """
    lines = read_from(folder, name).decode().splitlines()
    first = next((at for at, line in enumerate(lines) if not line.startswith("#")), len(lines))
    return [line for line in lines[first + 1 :] if not line.startswith("#")]


def read_rows(name: str, folder: Path | None = None) -> tuple[tuple[str, ...], ...]:
    """Rows of a table (tabs, ``#`` comments, one heading line), without the heading.

    Args:
        name: Of the file.
        folder: Where it lies; None for what ships.
    """
    return tuple([tuple(line.split("\t")) for line in read_lines(name, folder)])
