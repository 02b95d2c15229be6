"""Which genes of bacteria look like those of prophages: ``data/prophages.toml``.

Each gene has addends: what it does and what recognises it, its length, and how it lies to the
gene before it. They are log-odds of a prophage gene, counted in bacteria whose prophages were
placed by hand (``training/overview``).
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from genint.knowledge.table_files import PROPHAGES, read_shipped
from genint.model.vocabulary import Category


class Task(StrEnum):
    """What a gene does, as far as it tells phage from bacterium."""

    VIRION = "virion"
    LYSIS = "lysis"
    INTEGRATION = "integration"
    LYSOGENY = "lysogeny"
    MOBILE = "mobile"
    REPLICATION = "replication"
    TRANSCRIPTION = "transcription"
    DEFENCE = "defence"
    OTHER = "other"
    UNKNOWN = "unknown"

    @classmethod
    def of(cls, category: Category | None) -> Task:
        """The task of a functional category; UNKNOWN for dark genes."""
        return cls.UNKNOWN if category is None else _TASKS.get(category, cls.OTHER)


_TASKS = {
    Category.PACKAGING: Task.VIRION,
    Category.HEAD: Task.VIRION,
    Category.CONNECTOR: Task.VIRION,
    Category.TAIL: Task.VIRION,
    Category.LYSIS: Task.LYSIS,
    Category.INTEGRATION: Task.INTEGRATION,
    Category.LYSOGENY: Task.LYSOGENY,
    Category.MOBILE: Task.MOBILE,
    Category.REPLICATION: Task.REPLICATION,
    Category.NUCLEOTIDES: Task.REPLICATION,
    Category.TRANSCRIPTION: Task.TRANSCRIPTION,
    Category.HOST_TAKEOVER: Task.DEFENCE,
    Category.DEFENCE: Task.DEFENCE,
    Category.UNKNOWN: Task.UNKNOWN,
}


class Recognised(StrEnum):
    """By what a protein is recognised: its best own family, else a family of Pfam."""

    PHAGE_FAMILY = "phage_family"
    BACTERIAL_FAMILY = "bacterial_family"
    PFAM = "pfam"
    NOTHING = "nothing"


class GeneLook(NamedTuple):
    """What of a gene counts.

    Attributes:
        task: What it does.
        by: What recognises it.
        length_aa: Of its protein.
        turns: It lies on the other strand than the gene before it.
        apart: More than 100 bp lie between it and the gene before it.
    """

    task: Task
    by: Recognised
    length_aa: int
    turns: bool
    apart: bool


class Judged(NamedTuple):
    """Regions found in genomes that were left out of the fit."""

    right: int
    judged: int

    @property
    def probability(self) -> float:
        """That such a region is a prophage: the share, one right and one wrong added (Laplace)."""
        return (self.right + 1) / (self.judged + 2)


NOT_JUDGED = Judged(0, 0)


@dataclass(frozen=True, slots=True)
class ProphageModel:
    """Log-odds of a prophage gene, and how regions are made of genes.

    Attributes:
        version: Of the file.
        looks: For each task, by what recognises a gene.
        lengths: For short, middle and long proteins, of unknown genes and of others.
        turns: Without and with a turn of the strand.
        apart: Without and with a space.
        enter: Probability that a prophage begins behind a gene that is none of one.
        leave: Probability that it ends behind one of its genes.
        complete: What was found of regions with most modules of a tailed phage.
        partial: The same of the others.
    """

    version: str
    looks: Mapping[Task, Mapping[Recognised, float]]
    lengths: Mapping[bool, tuple[float, ...]]
    turns: tuple[float, ...]
    apart: tuple[float, ...]
    enter: float
    leave: float
    complete: Judged = NOT_JUDGED
    partial: Judged = NOT_JUDGED

    def log_odds(self, look: GeneLook) -> float:
        """Of a prophage's gene, of itself and of how it lies to the gene before it."""
        length = self.lengths[look.task is Task.UNKNOWN][length_class(look.length_aa)]
        at = self.looks[look.task][look.by]
        return at + length + self.turns[look.turns] + self.apart[look.apart]


def length_class(length_aa: int) -> int:
    """0 below 100 amino acids, 1 below 200, 2 from there on."""
    return (length_aa >= 100) + (length_aa >= 200)  # noqa: PLR2004


def load_prophages() -> ProphageModel:
    """Read the model that ships with genint."""
    return parse_prophages(read_shipped(PROPHAGES).decode())


def parse_prophages(text: str) -> ProphageModel:
    """A model from the text of its file; KeyError where a value is missing."""
    read = tomllib.loads(text)
    looks = {
        task: {by: float(read["looks"][task.value][by.value]) for by in Recognised} for task in Task
    }
    lengths = {True: tuple(read["lengths"]["unknown"]), False: tuple(read["lengths"]["others"])}
    return ProphageModel(
        version=read["version"],
        looks=looks,
        lengths=lengths,
        turns=tuple(read["lying"]["turns"]),
        apart=tuple(read["lying"]["apart"]),
        enter=read["scan"]["enter"],
        leave=read["scan"]["leave"],
        complete=Judged(*read["judged"]["complete"]),
        partial=Judged(*read["judged"]["partial"]),
    )
