"""What the genes of a record tell of its kind: ``data/record_kinds.toml``.

A logistic sum over shares of its genes: recognised by families of phages or of bacteria, of a
virion, short, turned. Fitted on pieces of phages and of bacteria without their prophages
(``training/overview``).
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from math import exp
from typing import NamedTuple

from genint.knowledge.prophages import GeneLook, Judged, Recognised, Task, length_class
from genint.knowledge.table_files import RECORD_KINDS, read_shipped


class KindTraits(NamedTuple):
    """Shares of the genes of a record, 0..1.

    Attributes:
        phage: A family of phages recognises them best.
        bacterial: A family of bacteria does.
        virion: Of a virion or of lysis.
        household: Of other known tasks, and recognised by a family of bacteria or of Pfam.
        unknown: Without a known function.
        turns: On the other strand than the gene before.
        apart: Behind a space of more than 100 bp.
        short: Below 100 amino acids.
    """

    phage: float
    bacterial: float
    virion: float
    household: float
    unknown: float
    turns: float
    apart: float
    short: float

    @property
    def shows_phage(self) -> bool:
        """Whether any gene is recognised as one of phages: how genes lie fits other records too."""
        return bool(self.phage or self.virion)


class Sureness(NamedTuple):
    """How often answers held in genomes that were left out.

    Attributes:
        least_bp: Of records of this length and more.
        phage: Records taken for phages.
        bacterium: Records taken for pieces of bacteria.
    """

    least_bp: int
    phage: Judged
    bacterium: Judged


@dataclass(frozen=True, slots=True)
class RecordKinds:
    """Log-odds of a phage against a piece of a bacterium, both equally common.

    Attributes:
        version: Of the file.
        start: Where the sum begins.
        weights: For one unit of each share.
        clear: Probability of the more likely kind from which it is named.
        sureness: By length, longest first; the last holds for all.
    """

    version: str
    start: float
    weights: KindTraits
    clear: float
    sureness: tuple[Sureness, ...]

    def phage_probability(self, traits: KindTraits) -> float:
        """Of a phage, as the model has it."""
        pairs = zip(self.weights, traits, strict=True)
        return 1 / (1 + exp(-self.start - sum(weight * value for weight, value in pairs)))

    def sureness_of(self, length_bp: int) -> Sureness:
        """For records of a length."""
        return next(one for one in self.sureness if length_bp >= one.least_bp)


def traits_of(looks: Sequence[GeneLook]) -> KindTraits:
    """Of the genes of a record, one at least."""
    household = {Recognised.BACTERIAL_FAMILY, Recognised.PFAM}
    counts = (
        sum(look.by is Recognised.PHAGE_FAMILY for look in looks),
        sum(look.by is Recognised.BACTERIAL_FAMILY for look in looks),
        sum(look.task in (Task.VIRION, Task.LYSIS) for look in looks),
        sum(look.task is Task.OTHER and look.by in household for look in looks),
        sum(look.task is Task.UNKNOWN for look in looks),
        sum(look.turns for look in looks),
        sum(look.apart for look in looks),
        sum(length_class(look.length_aa) == 0 for look in looks),
    )
    return KindTraits(*(count / len(looks) for count in counts))


def load_record_kinds() -> RecordKinds:
    """Read the model that ships with genint."""
    return parse_record_kinds(read_shipped(RECORD_KINDS).decode())


def parse_record_kinds(text: str) -> RecordKinds:
    """A model from the text of its file; KeyError where a value is missing."""
    read = tomllib.loads(text)
    odds = read["log_odds"]
    sureness = (
        Sureness(one["least_bp"], Judged(*one["phage"]), Judged(*one["bacterium"]))
        for one in read["judged"]
    )
    return RecordKinds(
        read["version"],
        odds["start"],
        KindTraits(*(odds[name] for name in KindTraits._fields)),
        read["clear"],
        tuple(sorted(sureness, key=lambda one: -one.least_bp)),
    )
