"""When a server counts as down, on a clock of numbers."""

from __future__ import annotations

import pytest

from genint.online.rate_limit import CircuitBreaker, Policy


@pytest.fixture
def breaker():
    return CircuitBreaker(Policy())


def test_nothing_is_known_to_be_down(breaker):
    assert breaker.reason is None
    assert not breaker.begins_probe(1e9)


def test_the_reason_is_that_of_the_loss_that_was_one_too_many(breaker):
    for reason in ("429 after 4 attempts", "no answer within 60 s", "503 after 4 attempts", "x"):
        breaker.note_lost(reason, 0)
    assert breaker.reason == "503 after 4 attempts"


def test_a_connection_starts_the_count_of_refused_ones_anew(breaker):
    for _ in range(5):
        breaker.note_unconnected("no connection", 0)
        breaker.note_connected()
    assert breaker.reason is None
    breaker.note_unconnected("no connection", 0)
    breaker.note_unconnected("no connection", 0)
    assert breaker.reason == "no connection after 2 attempts"


def test_a_connection_is_no_answer(breaker):
    for _ in range(3):
        breaker.note_connected()
        breaker.note_lost("503", 0)
    assert breaker.reason == "503"


def test_an_answer_makes_it_count_as_up(breaker):
    for _ in range(3):
        breaker.note_lost("503", 0)
    breaker.note_answer()
    assert breaker.reason is None
    breaker.note_lost("503", 0)
    breaker.note_lost("503", 0)
    assert breaker.reason is None


def looks_s(breaker, until_s):
    """When it is looked at, were that tried each second."""
    times = []
    for now_s in range(until_s):
        if breaker.begins_probe(now_s):
            times.append(now_s)
            assert not breaker.begins_probe(now_s)  # one look at a time
            breaker.note_probe(is_up=False, now_s=now_s)
    return times


def test_a_server_that_stays_down_is_left_alone_twice_as_long_each_time(breaker):
    for _ in range(3):
        breaker.note_lost("503", 0)
    assert looks_s(breaker, 5000) == [60, 180, 420, 900, 1800, 2700, 3600, 4500]


def test_an_answer_forgets_how_long_it_was_down(breaker):
    for _ in range(3):
        breaker.note_lost("503", 0)
    looks_s(breaker, 2000)
    breaker.note_answer()
    for _ in range(3):
        breaker.note_lost("503", 2000)
    assert not breaker.begins_probe(2059)
    assert breaker.begins_probe(2060)


def test_a_look_alone_does_not_forget_it(breaker):
    for _ in range(3):
        breaker.note_lost("503", 0)
    assert breaker.begins_probe(60)
    breaker.note_probe(is_up=True, now_s=60)
    assert breaker.reason is None
    for _ in range(3):
        breaker.note_lost("503", 70)
    assert not breaker.begins_probe(189)
    assert breaker.begins_probe(190)


def test_losses_while_it_is_down_do_not_put_the_next_look_off(breaker):
    for now_s in range(50):
        breaker.note_lost("503", now_s)
    assert not breaker.begins_probe(61)
    assert breaker.begins_probe(62)
