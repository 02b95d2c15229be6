"""genint is asked in a process of its own, and with what the question allows."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.accuracy.genint_runs import Question, ask, interpret
from benchmarks.accuracy.usage import ProgramFailed
from genint.formats import read_genome
from genint.knowledge import CONFIDENCE, read_shipped

RECORD = "phiX174.gbk"


@pytest.fixture(scope="module")
def question(
    examples: Path, family_build: Path, tmp_path_factory: pytest.TempPathFactory
) -> Question:
    contig = read_genome(examples / RECORD).contigs[0]
    fasta = tmp_path_factory.mktemp("bench") / "phiX174.fasta"
    fasta.write_text(f">c0\n{contig.bases}\n")
    cache = tmp_path_factory.mktemp("cache")
    return Question(fasta, (None,), family_build, None, None, None, cache)


def test_what_is_told_comes_back_with_what_it_took(question: Question) -> None:
    run = ask(question)
    assert run.told == interpret(question)
    assert run.usage.cpu_s > 0.1
    assert run.usage.peak_mib > 20
    spans = [one.span for one in run.told if one.span is not None]
    assert len(spans) == len(run.told) >= 6


def test_other_parameters_are_those_of_the_question(question: Question) -> None:
    shipped = read_shipped(CONFIDENCE).decode()
    assert interpret(replace(question, confidence=shipped)) == interpret(question)
    with pytest.raises(ProgramFailed):
        ask(replace(question, confidence="no parameters"))
