"""A reader can redo the arithmetic of every score by hand."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable

import pytest

from genint import interpret_genome
from genint.knowledge import load_confidence
from genint.report import (
    GenintResult,
    HypothesisItem,
    build_result,
    printed_sum,
    printed_terms,
    render_json,
    render_markdown,
    signed,
    weight_text,
)

from .real_genomes import E_COLI

_SCORE = re.compile(r"^\d+\. Score: (.+) = (-?\d+\.\d\d), probability (\d\.\d\d): ")
_ADDEND = re.compile(r"(- |-)?(\d+\.\d\d)")


@pytest.fixture(scope="module")
def lambda_result(examples, searched) -> GenintResult:
    """Phage lambda from its sequence alone, by all that ships."""
    summary = interpret_genome(examples / "lambda.fasta", cache_folder=searched)
    return build_result(summary, load_confidence())


def wrongly_summed(hypotheses: Iterable[HypothesisItem]) -> list[str]:
    """Functions whose printed addends do not give the printed score."""
    wrong = []
    for one in hypotheses:
        terms = printed_terms(one)
        assert all(term.log_odds == round(term.log_odds, 2) for term in terms)
        # each addend is off by half a hundredth at most, the score by half of its own
        rounding = (len(terms) * 0.005) / 4 + 0.005
        if abs(1 / (1 + math.exp(-printed_sum(one))) - round(one.score, 2)) > rounding:
            wrong.append(one.function)
    return wrong


def test_printed_addends_give_the_score_of_every_hypothesis_of_lambda(lambda_result):
    hypotheses = [one for gene in lambda_result.genes for one in gene.hypotheses]
    assert len(hypotheses) > 40
    assert wrongly_summed(hypotheses) == []


def test_printed_addends_give_the_score_for_all_genes_of_real_genomes(real):
    hypotheses = [one for gene in real.result.genes for one in gene.hypotheses]
    assert wrongly_summed(hypotheses) == []
    assert len(hypotheses) > 1000 or real.path.name != E_COLI


def sums_of(report: str) -> Iterable[tuple[list[float], float, float]]:
    """Addends, sum and probability of every chain in a Markdown report."""
    for line in report.splitlines():
        if (told := _SCORE.match(line)) is not None:
            signed = [(sign, float(value)) for sign, value in _ADDEND.findall(told[1])]
            addends = [-value if sign else value for sign, value in signed]
            yield addends, float(told[2]), float(told[3])


def test_the_score_of_every_chain_in_the_report_can_be_redone_by_hand(lambda_result):
    sums = list(sums_of(render_markdown(lambda_result)))
    named = [gene for gene in lambda_result.genes if gene.hypotheses]
    assert len(sums) == len(named)
    for gene, (terms, total, probability) in zip(named, sums, strict=True):
        added = [term for term in gene.hypotheses[0].terms if f"{abs(term.log_odds):.2f}" != "0.00"]
        assert len(terms) == len(added)
        assert sum(terms) == pytest.approx(total, abs=1e-9)
        assert 1 / (1 + math.exp(-total)) == pytest.approx(probability, abs=0.02)
        assert probability == pytest.approx(gene.score, abs=0.0051)


def test_every_observation_has_a_weight_and_the_weights_are_among_the_addends(lambda_result):
    for gene in lambda_result.genes:
        words = [weight_text(gene, at) for at in range(len(gene.evidence))]
        assert None not in words
        for hypothesis in gene.hypotheses:
            for term in printed_terms(hypothesis):
                if term.number is not None:
                    assert f"adds {signed(term.log_odds)}" in words[term.number - 1]
                    assert term.what.endswith(f"(evidence {term.number})")


def test_what_speaks_for_another_function_says_for_which(lambda_result):
    gene = next(gene for gene in lambda_result.genes if gene.hypotheses)
    best = gene.hypotheses[0]
    rival = best.model_copy(update={"function": "another function"})
    bare = best.model_copy(update={"evidence": ()})
    contested = gene.model_copy(update={"hypotheses": (bare, rival)})
    assert str(weight_text(contested, rival.evidence[0])).endswith(" to “another function”")


def test_what_rests_on_the_same_thing_adds_nothing(lambda_result):
    gene = next(gene for gene in lambda_result.genes if gene.hypotheses)
    best = gene.hypotheses[0]
    place = len(gene.evidence)
    doubled = gene.model_copy(
        update={
            "evidence": (*gene.evidence, gene.evidence[0]),
            "hypotheses": (
                best.model_copy(update={"evidence": (*best.evidence, place)}),
                *gene.hypotheses[1:],
            ),
        }
    )
    assert "counted already" in str(weight_text(doubled, place))


def test_an_old_result_keeps_its_chain_and_its_sums(lambda_result):
    value = json.loads(render_json(lambda_result))
    for gene in value["genes"]:
        for hypothesis in gene["hypotheses"]:
            for term in hypothesis["terms"]:
                del term["evidence"]
    old = GenintResult.model_validate(value)
    assert list(sums_of(render_markdown(old))) == list(sums_of(render_markdown(lambda_result)))
