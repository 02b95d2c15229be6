"""What the benchmark of online mode reads from the record of the fake services."""

from __future__ import annotations

import pytest

from benchmarks.online.figures import most_in_flight, pace, slowest_chain
from benchmarks.online.servers import Seen, routes

STATUS = "GET uniprot/idmapping/status/*"


def seen(
    service: str, start_s: float, end_s: float, route: str = "", *, is_poll: bool = False
) -> Seen:
    return Seen(service, route or f"GET {service}/x", start_s, end_s, 1, is_poll)


def test_the_slowest_chain_counts_overlapping_requests_once():
    requests = [seen("uniprot", 0, 3), seen("uniprot", 1, 4), seen("uniprot", 6, 7)]
    chain = slowest_chain([*requests, seen("interpro", 0, 4)])
    assert (chain.services, chain.waited_s, chain.span_s) == (("uniprot",), 5, 7)


def test_the_file_of_terms_belongs_to_the_chain_of_interpro():
    chain = slowest_chain(
        [seen("interpro", 0, 2), seen("interpro_go", 3, 6), seen("uniprot", 0, 4)]
    )
    assert (chain.waited_s, chain.services) == (5, ("interpro", "interpro_go"))


def test_waiting_for_a_job_belongs_to_the_chain_and_dawdling_does_not():
    polled = [
        seen("uniprot", 0, 1, STATUS, is_poll=True),
        seen("uniprot", 3, 4, STATUS),
        seen("uniprot", 9, 10),
    ]
    assert slowest_chain(polled).waited_s == 5


def test_a_job_that_was_never_asked_after_again_is_not_waited_for():
    polled = [seen("uniprot", 0, 1, STATUS, is_poll=True), seen("uniprot", 5, 6)]
    assert slowest_chain(polled).waited_s == 2


def test_without_requests_nothing_is_waited_for():
    assert slowest_chain([]).waited_s == 0


def test_an_even_pace_is_what_it_is_and_a_burst_is_seen():
    even = [seen("interpro", number / 3, number) for number in range(60)]
    burst = [seen("interpro", 0, 1)] * 40 + even
    assert pace(even, "interpro") == pytest.approx(3, rel=0.02)
    assert pace(burst, "interpro") > 5
    assert pace(even, "uniprot") == 0


def test_requests_in_flight_and_routes_are_told_by_service():
    flying = [
        Seen("interpro", "POST interpro/matches", 0, 1, number, False) for number in (1, 3, 2)
    ]
    assert most_in_flight(flying, "interpro") == 3
    assert most_in_flight(flying, "uniprot") == 0
    assert routes([*flying, seen("uniprot", 0, 1)]) == {
        "POST interpro/matches": 3,
        "GET uniprot/x": 1,
    }
