"""How often a server is asked again, and when."""

from __future__ import annotations

from dataclasses import replace

import pytest
from faulty_server import PLACE, Behaviour
from repeated_download import PATH, SIZE, published

from genint.errors import InstallError


async def test_a_line_that_breaks_off_often_is_borne_while_bytes_come(fetching, server, content):
    server.behave(*[Behaviour(ends_after=10_000)] * 15)
    assert (await fetching()).path.read_bytes() == content
    assert len(server.asked) == 16
    assert server.sent_bytes[PATH] == SIZE


async def test_a_server_without_ranges_that_always_breaks_off_is_given_up(
    fetching, server, content
):
    server.always[PATH] = Behaviour(ends_after=150_000, has_ranges=False)
    with pytest.raises(InstallError, match="broke off"):
        await fetching(published(content))
    assert len(server.asked) == 1 + fetching.policy.attempts


@pytest.mark.parametrize("status", [408, 425, 429, 500, 502, 503, 504])
async def test_passing_troubles_are_waited_for(fetching, server, content, status):
    server.behave(Behaviour(status=status), Behaviour(status=status))
    assert (await fetching(published(content))).path.read_bytes() == content
    assert len(fetching.waits) == 2


async def test_a_server_may_say_when_to_come_again_up_to_a_limit(fetching, server, content):
    fetching.policy = replace(fetching.policy, longest_retry_after_s=20.0, attempts=5)
    answers = [
        Behaviour(status=429, headers={"Retry-After": value})
        for value in ("7", "86400", "Wed, 01 Jan 2020 00:00:00 GMT")
    ]
    server.behave(*answers)
    await fetching(published(content))
    assert fetching.waits == [7.0, 20.0, 0.0]


async def test_a_retry_after_that_is_nonsense_is_not_heeded(fetching, server, content):
    server.behave(*(Behaviour(status=503, headers={"Retry-After": each}) for each in ("soon", "")))
    await fetching(published(content))
    assert all(0 < wait <= fetching.policy.longest_wait_s for wait in fetching.waits)


async def test_waits_grow_to_their_limit(fetching, server, content):
    fetching.policy = replace(fetching.policy, attempts=8, first_wait_s=1.0, longest_wait_s=10.0)
    server.behave(*[Behaviour(status=503)] * 7)
    await fetching(published(content))
    for wait, whole in zip(fetching.waits, (1, 2, 4, 8, 10, 10, 10), strict=True):
        assert whole / 2 <= wait <= whole


async def test_a_server_that_stays_away_is_given_up_with_one_line(fetching, server, content):
    server.always[PATH] = Behaviour(status=503)
    with pytest.raises(InstallError) as caught:
        await fetching(published(content))
    assert str(caught.value) == (
        f"data.gz could not be fetched: {PLACE} (mirror {server.url}) answers 503. "
        "What is there is kept: run the same again later, or give another --mirror"
    )
    assert len(server.asked) == fetching.policy.attempts
