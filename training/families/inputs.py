"""The pinned input files of the build: ``inputs.toml``, checked."""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Iterable, Mapping
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple, Self

from training.families.values import Lineage, Origin

INPUTS = Path(__file__).with_name("inputs.toml")
EVERYTHING = "*"
"""Stands for the whole file in a list of pools."""

_BLOCK_BYTES = 1 << 20


class InputError(Exception):
    """An input, an option or a tool is missing or not what the build was made for."""


class Reader(StrEnum):
    """How records and names of a file are read."""

    RECORD_TABLE = "record_table"
    TRAIN_FASTA = "train_fasta"
    GENBANK = "genbank"
    GENOME_FASTA = "genome_fasta"
    UNIPROT_FASTA = "uniprot_fasta"
    PROKKA_FASTA = "prokka_fasta"
    TABBED_PHAGES = "tabbed_phages"
    TABBED_PROTEOMES = "tabbed_proteomes"
    TABBED_ENZYMES = "tabbed_enzymes"
    LETTERS = "letters"
    PFAM = "pfam"


class Input(NamedTuple):
    """One line of the list of inputs; ``inputs.toml`` explains the fields."""

    path: str
    sha256: str
    reader: Reader
    origin: Origin | None
    lineage: Lineage | None
    record: str
    letters: str
    pools: frozenset[str]
    thinned: frozenset[str]
    archaea: frozenset[str] = frozenset()

    @classmethod
    def parsed(cls, entry: Mapping[str, object]) -> Self:
        """Read an entry.

        Raises:
            InputError: it has a key or a value that is not known.
        """
        unknown = set(entry) - set(cls._fields)
        if unknown:
            raise InputError(f"the list of inputs has an unknown key: {min(unknown)}")
        try:
            return cls(
                path=str(entry["path"]),
                sha256=str(entry["sha256"]),
                reader=Reader(str(entry["reader"])),
                origin=Origin(str(entry["origin"])) if "origin" in entry else None,
                lineage=Lineage(str(entry["lineage"])) if "lineage" in entry else None,
                record=str(entry.get("record", "")),
                letters=str(entry.get("letters", "")),
                pools=_names(entry.get("pools")),
                thinned=_names(entry.get("thinned")),
                archaea=_names(entry.get("archaea")),
            )
        except KeyError as error:
            raise InputError(f"the list of inputs has an entry that lacks {error}") from error
        except ValueError as error:
            raise InputError(f"the list of inputs has a wrong entry: {error}") from error

    def is_pool(self, record: str) -> bool:
        """Whether the record is a collection of single proteins."""
        return record in self.pools or EVERYTHING in self.pools

    def is_thinned(self, record: str) -> bool:
        """Whether the collection is to be thinned."""
        return record in self.thinned or EVERYTHING in self.thinned


def _names(value: object) -> frozenset[str]:
    return frozenset(str(name) for name in value) if isinstance(value, list) else frozenset()


def load_inputs(path: Path = INPUTS) -> tuple[Input, ...]:
    """The list of inputs, in its order.

    Raises:
        InputError: the file cannot be read, lists nothing, or an entry is wrong.
    """
    try:
        entries = tomllib.loads(read_text(path)).get("input")
    except tomllib.TOMLDecodeError as cause:
        raise InputError(f"{path}: {cause}") from cause
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise InputError(f"{path} has no tables [[input]]")
    return tuple(Input.parsed(entry) for entry in entries)


def read_text(path: Path) -> str:
    """The text of a file that a person wrote.

    Raises:
        InputError: it cannot be read, or is no text.
    """
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as cause:
        raise InputError(f"{path} is not text in UTF-8") from cause
    except OSError as cause:
        raise InputError(f"{path}: {cause.strerror}") from cause


def check(data: Path, inputs: Iterable[Input]) -> None:
    """Make sure that every file is there and has the content that it must have.

    Raises:
        InputError: names the first that is not.
    """
    for wanted in inputs:
        file = data / wanted.path
        if not file.is_file():
            raise InputError(f"input {wanted.path} is missing from the data folder")
        found = _sha256(file)
        if found != wanted.sha256:
            raise InputError(
                f"input {wanted.path} has SHA-256 {found}, the build is made for {wanted.sha256}"
            )


def _sha256(file: Path) -> str:
    digest = hashlib.sha256()
    with file.open("rb") as stream:
        while block := stream.read(_BLOCK_BYTES):
            digest.update(block)
    return digest.hexdigest()
