"""Fit how genes tell the lifestyle of tailed phages, and judge it on groups that are left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np

from genint.knowledge.lifestyles import Band, LifestyleMarks, LifestyleModel, SmallFamily
from training.overview.material import Known

VERSION: Final = "1"
RIDGE: Final = 0.1
CONTRADICTION_FROM: Final = 0.6
"""Chosen: two genes that control lysogeny."""
BANDS: Final = (0.95, 0.8)
"""Probabilities from which a lifestyle is told; below the last it cannot be told."""
TOLD: Final = ("temperate", "virulent")
FAMILIES: Final = (
    (
        "microviruses",
        "virulent",
        ("Bullavirinae", "Gokushovirinae"),
        "their small single-stranded genomes have no room for genes to stay in the host, and the"
        " isolated ones lyse it.",
    ),
    (
        "inoviruses and plectroviruses",
        "chronic",
        (
            "Ff-like inoviruses",
            "Inoviruses of Pseudomonas",
            "Inoviruses of Vibrio",
            "Inoviruses of Stenotrophomonas and Xanthomonas",
            "Inoviruses of Ralstonia",
            "Inoviruses of Propionibacterium",
            "Plectroviruses",
        ),
        "filamentous phages, which leave the living host while it goes on growing; many also"
        " integrate.",
    ),
    ("leviviruses", "virulent", ("Leviviridae",), "they lyse the host."),
    (
        "tectiviruses of Gram-negative hosts",
        "virulent",
        ("Tectivirus of Gram-negatives", "Corticovirus"),
        "they lyse the host.",
    ),
    (
        "tectiviruses of Bacillus",
        "temperate",
        ("Tectivirus of Bacillus",),
        "they stay in the host as a plasmid.",
    ),
)
"""Phages without a tail: name, lifestyle, groups, why."""
_ROUNDS: Final = 40
_DIGITS: Final = 3


class Example(NamedTuple):
    """A tailed phage with its marks.

    Attributes:
        known: What is known of it.
        marks: By its genes.
        may_be_piece: Too little was recognised to call it whole, did its record not say so.
    """

    known: Known
    marks: LifestyleMarks
    may_be_piece: bool = False


class Told(NamedTuple):
    """What a model without a phage's group gives it.

    Attributes:
        example: The phage.
        temperate: Probability of a temperate one.
        contradicts: It has repressors, but nothing that it stays by.
    """

    example: Example
    temperate: float
    contradicts: bool

    @property
    def is_clear(self) -> bool:
        """Whether there is an answer for a record that is known to be whole."""
        return not self.contradicts and max(self.temperate, 1 - self.temperate) >= BANDS[-1]

    @property
    def is_clear_by_genes(self) -> bool:
        """Whether there is one for a linear record that does not say whether it is whole."""
        return self.is_clear and not (self.example.may_be_piece and self.temperate < 0.5)


def fit(examples: Sequence[Example]) -> tuple[float, LifestyleMarks]:
    """Logistic regression with a ridge; every group weighs the same, and so do both lifestyles.

    Source: le Cessie & van Houwelingen 1992 (doi:10.2307/2347628).

    Raises:
        ValueError: there are no examples of both.
    """
    temperate = np.array([one.known.lifestyle == "temperate" for one in examples], dtype=float)
    if not 0 < temperate.sum() < len(examples):
        raise ValueError("temperate and virulent phages are needed, both")
    matrix = np.hstack([np.ones((len(examples), 1)), np.array([one.marks for one in examples])])
    members = Counter((one.known.group, one.known.lifestyle) for one in examples)
    shares = np.array([1 / members[one.known.group, one.known.lifestyle] for one in examples])
    for side in (temperate == 1, temperate == 0):
        shares[side] *= len(members) / 2 / shares[side].sum()
    ridge = np.diag([0.0, *[RIDGE] * (matrix.shape[1] - 1)])
    weights = np.zeros(matrix.shape[1])
    for _ in range(_ROUNDS):
        told = 1.0 / (1.0 + np.exp(-(matrix @ weights)))
        slope = matrix.T @ (shares * (temperate - told)) - ridge @ weights
        curve = (matrix.T * (shares * told * (1.0 - told))) @ matrix + ridge
        weights = weights + np.linalg.solve(curve, slope)
    start, *marks = (float(f"{one:.{_DIGITS}g}") for one in weights)
    return start, LifestyleMarks(*marks)


def left_out(examples: Sequence[Example]) -> Iterator[Told]:
    """Each phage by a model that was fitted without its group."""
    for group in dict.fromkeys(one.known.group for one in examples):
        start, weights = fit([one for one in examples if one.known.group != group])
        model = LifestyleModel(VERSION, start, weights, CONTRADICTION_FROM, (), ())
        for one in examples:
            if one.known.group == group:
                yield Told(one, model.temperate(one.marks), model.contradicts(one.marks))


def bands_of(told: Sequence[Told]) -> tuple[Band, ...]:
    """How often each lifestyle was right, by the probability it was told with."""
    found = []
    above = 1.1
    for least in BANDS:
        for lifestyle in TOLD:
            within = [
                one
                for one in told
                if one.is_clear
                and least
                <= (one.temperate if lifestyle == "temperate" else 1 - one.temperate)
                < above
            ]
            right = sum(one.example.known.lifestyle == lifestyle for one in within)
            found.append(Band(lifestyle, least, right, len(within)))
        above = least
    return tuple(found)


def text_of(model: LifestyleModel) -> str:
    """The file: the same model gives the same bytes."""
    lines = [
        "# How the genes of a phage tell its lifestyle. Fitted, not written by hand:",
        "# python -m training.overview",
        "#",
        "# Log-odds of a temperate phage for each mark; bands: on phages that were left out with",
        "# their group; families without a tail: what is usual in them, judged on members that",
        "# were left out.",
        "",
        f'version = "{model.version}"',
        f"contradiction_from = {model.contradiction_from}",
        "",
        "[log_odds]",
        f"start = {model.start}",
        *(f"{name} = {value}" for name, value in model.weights._asdict().items()),
    ]
    for band in model.bands:
        lines += ["", "[[band]]", f'lifestyle = "{band.lifestyle}"', f"least = {band.least}"]
        lines += [f"right = {band.right}", f"judged = {band.judged}"]
    for family in model.families:
        groups = ", ".join(f'"{group}"' for group in sorted(family.groups))
        lines += ["", "[[family]]", f'name = "{family.name}"', f'lifestyle = "{family.lifestyle}"']
        lines += [f'why = "{family.why}"', f"groups = [{groups}]"]
        lines += [f"right = {family.right}", f"judged = {family.judged}"]
    return "\n".join(lines) + "\n"


def small_families() -> tuple[SmallFamily, ...]:
    """The families without a tail, before they are judged."""
    return tuple(
        SmallFamily(frozenset(groups), name, lifestyle, why, 0, 0)
        for name, lifestyle, groups, why in FAMILIES
    )
