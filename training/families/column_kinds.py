"""Kinds of profile columns, from the columns of the families that ship.

    python -m training.families.column_kinds

Writes ``genint/knowledge/data/column_kinds.tsv``. The kinds are means of clusters (k-means) of
the log-odds of columns, in which every residue weighs as much as it is frequent. They need not
be made again when the families are: any set of families has the same kinds of columns. The same
packs give the same kinds.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from genint.knowledge.column_kinds import (
    LETTERS,
    STEPS_PER_BIT,
    background,
)
from genint.knowledge.own_families import FamilyPack, read_pack
from genint.knowledge.profile_pack import PackedProfiles, unpack
from genint.knowledge.table_files import COLUMN_KINDS
from genint.native.prefilter import LEAST_SCORE_BITS, RESIDUES

DATA: Final = Path(__file__).resolve().parents[2] / "genint" / "knowledge" / "data"
_SAMPLE: Final = 60_000
_ROUNDS: Final = 30
_SEED: Final = 1
_HEADING: Final = (
    "# Kinds of profile columns (training/families/column_kinds.py): scores of residues in "
    f"1/{STEPS_PER_BIT} bits"
)


def emission_scores(emissions: NDArray[np.uint8], steps_per_bit: int) -> NDArray[np.float64]:
    """Log-odds of residues against the background, bits, at least -4.

    Args:
        emissions: Steps of a profile pack, shape (columns, residues).
        steps_per_bit: Of the pack.
    """
    scores = emissions / -float(steps_per_bit) - np.log2(background())
    return np.maximum(scores, LEAST_SCORE_BITS)


def make_kinds(columns: NDArray[np.float64], kinds: int = len(LETTERS)) -> NDArray[np.int64]:
    """Scores of residues in columns of each kind, in steps.

    Args:
        columns: Log-odds in bits, at least as many as kinds.
        kinds: How many to make.
    """
    chance = np.random.default_rng(_SEED)
    weights = background()
    means = columns[chance.choice(len(columns), kinds, replace=False)]
    for _ in range(_ROUNDS):
        distances = (means * means) @ weights - 2 * (columns @ (means * weights).T)
        nearest = distances.argmin(axis=1)
        means = np.stack(
            [
                columns[nearest == kind].mean(axis=0) if (nearest == kind).any() else means[kind]
                for kind in range(kinds)
            ]
        )
    return np.rint(STEPS_PER_BIT * means).astype(np.int64)


def main() -> None:
    """Write the table."""
    chance = np.random.default_rng(_SEED)
    samples = []
    for which in FamilyPack:
        pack = PackedProfiles(unpack(read_pack(which)))
        chosen = np.sort(chance.choice(len(pack.emissions), _SAMPLE, replace=False))
        samples.append(emission_scores(pack.emissions[chosen], pack.steps_per_bit))
    scores = make_kinds(np.concatenate(samples))
    lines = [_HEADING, "\t".join(("kind", *RESIDUES))]
    lines += [
        "\t".join((letter, *map(str, row))) for letter, row in zip(LETTERS, scores, strict=True)
    ]
    (DATA / COLUMN_KINDS).write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
