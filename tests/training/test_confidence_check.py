"""The check of levels that ship: which rows its table has."""

from __future__ import annotations

from genint.knowledge import Setting
from genint.model import GenomeKind, Hypothesis, Specificity
from training.confidence.check import rows
from training.confidence.examples import Judged
from training.confidence.measuring import Told


def told(genome: str, score: float, *, true: bool) -> Told:
    best = Hypothesis("name", "name", Specificity.PROTEIN, score, (), (), frozenset())
    return Told(
        genome=genome,
        group="g",
        setting=Setting("offline", GenomeKind.PHAGE),
        gene="g1",
        product="portal protein",
        best=best,
        judged=Judged(true=true, full=true),
        uncapped=score,
    )


def test_each_genome_has_a_row_and_each_kind_one_for_all():
    found = tuple(
        rows([told("T7", 0.9, true=True), told("T7", 0.6, true=False), told("P2", 0.9, true=True)])
    )
    assert found == (
        "| offline | T7 | 2 | 0.500 | 1 of 1 (1.000) | 0 of 1 (0.000) |",
        "| offline | P2 | 1 | 1.000 | 1 of 1 (1.000) | - |",
        "| offline | all, phage | 3 | 0.667 | 2 of 2 (1.000) | 0 of 1 (0.000) |",
    )
