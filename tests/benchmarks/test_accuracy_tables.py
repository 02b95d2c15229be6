"""What the bench prints says whom its sums lack."""

from __future__ import annotations

import pytest

from benchmarks.accuracy_tables import print_figures, print_wrong
from genint.knowledge.name_judge import Verdict
from training.blind.truth import Place, Row, ToldGene, TrueGene

PLACE = Place(0, 300, 1)
GENE = TrueGene(PLACE, "g1", "portal protein", informative=True, residues="MKT")


def row(genome: str, program: str, name: str, verdict: Verdict) -> Row:
    return Row(genome, program, GENE, ToldGene(PLACE, name), verdict)


def test_a_program_that_failed_is_named_below_the_sums(capsys: pytest.CaptureFixture[str]) -> None:
    rows = [row("T7", "genint", "portal protein", Verdict.SAME_WORDS)]
    print_figures(rows, {("T7", "genint"): 1.0}, [("T7", "giae"), ("L5", "giae")])
    printed = capsys.readouterr().out.rstrip().splitlines()
    assert printed[-2].startswith("all")
    assert printed[-1] == "giae failed on T7, L5: not in its figures for all"


def test_wrong_names_of_any_program_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    rows = [row("T7", "prokka", "holin", Verdict.WRONG), row("T7", "giae", "x", Verdict.SAME_WORDS)]
    print_wrong(rows, "prokka", 5)
    printed = capsys.readouterr().out
    assert "wrong names of prokka: 1 in all" in printed
    assert "holin  <-  portal protein" in printed
