"""Borders of statements are the lowest from which statements hold as often as promised."""

from __future__ import annotations

from genint.interpret import Candidate
from genint.knowledge import Setting
from genint.model import Category, GenomeKind, StatementKind
from training.confidence.back_off import PROMISE, Offer, Stated, kept, limits_of, measured

SETTING = Setting("offline", GenomeKind.PHAGE)
FACTORS = (0.0, 0.25, 0.5, 1.0)


def offered(kind: StatementKind, probability: float, *, holds: bool | None):
    """A gene of which one thing may be stated."""
    category = Category.TAIL if kind.value.startswith("role") else None
    candidate = Candidate(kind, "tail", probability, category)
    offer = Offer(candidate, holds)
    return dict.fromkeys(FACTORS, (offer,))


def genes(kind: StatementKind):
    """Statements that are right from 0.5 on, and every second time below."""
    sure = [offered(kind, 0.50 + at / 500, holds=at % 50 > 0) for at in range(200)]
    unsure = [offered(kind, 0.10 + at / 500, holds=at % 2 > 0) for at in range(200)]
    return [(SETTING, one) for one in (*sure, *unsure)]


def test_a_border_lies_where_statements_begin_to_hold():
    for kind in (StatementKind.CLASS, StatementKind.ROLE, StatementKind.ROLE_BY_NEIGHBOURS):
        limits = limits_of(genes(kind))[SETTING]
        assert 0.4 <= limits.least[kind] <= 0.51
        right, judged = limits.held[kind]
        assert judged >= 200
        assert right / judged >= PROMISE


def test_what_never_holds_often_enough_is_never_stated():
    guesses = [
        (SETTING, offered(StatementKind.ROLE, at / 300, holds=at % 2 > 0)) for at in range(300)
    ]
    limits = limits_of(guesses)[SETTING]
    assert limits.least[StatementKind.ROLE] > 1
    assert limits.held[StatementKind.ROLE] == (0, 0)


def test_few_statements_promise_nothing_even_where_all_held():
    few = [(SETTING, offered(StatementKind.CLASS, 0.9, holds=True)) for _ in range(12)]
    assert limits_of(few)[SETTING].least[StatementKind.CLASS] > 1


def test_statements_that_no_record_can_judge_count_for_nothing():
    unjudged = [(SETTING, offered(StatementKind.CLASS, 0.9, holds=None)) for _ in range(500)]
    limits = limits_of([*genes(StatementKind.CLASS), *unjudged])[SETTING]
    assert limits == limits_of(genes(StatementKind.CLASS))[SETTING]


def test_what_is_measured_has_borders_of_other_groups():
    told = genes(StatementKind.ROLE)
    without = {"one": limits_of(told), "other": limits_of(told[:200])}
    found = measured([(setting, "other", some) for setting, some in told], without)
    right, judged = found[SETTING].held[StatementKind.ROLE]
    assert found[SETTING].genes == 400
    assert 0 < right <= judged


def test_kinds_that_break_the_promise_on_other_genomes_are_not_stated():
    limits = limits_of([*genes(StatementKind.ROLE), *genes(StatementKind.CLASS)])
    counts = dict.fromkeys(StatementKind, (0, 0))
    counts |= {StatementKind.ROLE: (89, 100), StatementKind.CLASS: (90, 100)}
    found = kept(limits, {SETTING: Stated(800, counts)})[SETTING]
    assert found.least[StatementKind.ROLE] > 1
    assert found.least[StatementKind.CLASS] == limits[SETTING].least[StatementKind.CLASS]
    assert found.held == counts
