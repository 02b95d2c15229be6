"""How the genes of a phage tell its lifestyle: ``data/lifestyles.toml``.

Temperate phages keep genes to enter the host's chromosome or to stay beside it, and to keep their
other genes silent. The model is a logistic sum of such marks, fitted on phages whose lifestyle is
known (``training/overview``). Of phages that are not tailed the family tells it.
"""

from __future__ import annotations

import math
import tomllib
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from genint.knowledge.table_files import LIFESTYLES, read_shipped


class LifestyleMarks(NamedTuple):
    """What speaks for or against a temperate phage; 0 where it was not recognised.

    Attributes:
        stays: 1: integrase, transposition like phage Mu's, partition proteins or protelomerase of
            plasmids.
        controls: Genes that keep the others silent, or undo it (repressor, antirepressor,
            excisionase): a third for each of up to three.
        regulators: Other regulators of transcription: a third for each of up to three.
        rna_polymerase: 1: a polymerase of its own for RNA, as T7 has.
        nucleotides: Genes of nucleotide metabolism: a quarter for each of up to four.
        unmarked: Share of genes that were recognised, where nothing was found by which it stays
            (what is dark may be that); else 0.
    """

    stays: float
    controls: float
    regulators: float
    rna_polymerase: float
    nucleotides: float
    unmarked: float


class Band(NamedTuple):
    """How often such statements were right on phages that were left out with their group.

    Attributes:
        lifestyle: What was said.
        least: Probability by the model from which this band holds.
        right: Phages of which it held.
        judged: All of them.
    """

    lifestyle: str
    least: float
    right: int
    judged: int

    @property
    def share(self) -> float:
        """Probability to state: the share that was right, drawn a little to one half."""
        return (self.right + 1) / (self.judged + 2)


class SmallFamily(NamedTuple):
    """A family of phages without a tail, which has one lifestyle.

    Attributes:
        groups: Of the table of relatives that belong to it.
        name: In the plural.
        lifestyle: Of its members.
        why: One sentence.
        right: Of its members that relatives other than themselves were found for, those whose
            lifestyle is this.
        judged: All of them.
    """

    groups: frozenset[str]
    name: str
    lifestyle: str
    why: str
    right: int
    judged: int


@dataclass(frozen=True, slots=True)
class LifestyleModel:
    """The model.

    Attributes:
        version: Of the file.
        start: Log-odds of a temperate phage where the sum begins.
        weights: Log-odds for each mark.
        contradiction_from: Value of ``controls`` from which a phage that has nothing to stay by
            is not told: its repressors say that something was missed, or is lost.
        bands: Those of the highest probability first; below the last nothing is told.
        families: Without a tail.
    """

    version: str
    start: float
    weights: LifestyleMarks
    contradiction_from: float
    bands: tuple[Band, ...]
    families: tuple[SmallFamily, ...]

    def temperate(self, marks: LifestyleMarks) -> float:
        """Probability of a temperate phage by the model, 0..1."""
        pairs = zip(self.weights, marks, strict=True)
        return 1 / (1 + math.exp(-self.start - sum(weight * mark for weight, mark in pairs)))

    def contradicts(self, marks: LifestyleMarks) -> bool:
        """Whether there are repressors, but nothing that a temperate phage stays by."""
        return not marks.stays and marks.controls >= self.contradiction_from

    def band_of(self, marks: LifestyleMarks) -> Band | None:
        """The band that a phage falls in; None where its marks do not tell."""
        if self.contradicts(marks):
            return None
        temperate = self.temperate(marks)
        of = {"temperate": temperate, "virulent": 1 - temperate}
        return next((band for band in self.bands if of[band.lifestyle] >= band.least), None)

    def family_of(self, group: str) -> SmallFamily | None:
        """The family without a tail that a group of the table of relatives belongs to."""
        return next((family for family in self.families if group in family.groups), None)


@cache
def load_lifestyles() -> LifestyleModel:
    """Read the model that ships with genint."""
    return parse_lifestyles(read_shipped(LIFESTYLES).decode())


def parse_lifestyles(text: str) -> LifestyleModel:
    """A model from the text of its file; KeyError where a value is missing."""
    read = tomllib.loads(text)
    odds = read["log_odds"]
    return LifestyleModel(
        read["version"],
        odds["start"],
        LifestyleMarks(*(odds[name] for name in LifestyleMarks._fields)),
        read["contradiction_from"],
        tuple(Band(**band) for band in read["band"]),
        tuple(
            SmallFamily(**{**family, "groups": frozenset(family["groups"])})
            for family in read["family"]
        ),
    )
