"""How often a server is asked again, and when."""

from __future__ import annotations

from dataclasses import replace

import pytest

from genint.databases.download.manager import Downloader
from genint.databases.recipes import Place, RemoteFile
from genint.errors import InstallError
from tests.databases.faulty_server import FILE, PLACE, Behaviour, FaultyServer
from tests.databases.repeated_download import PATH, SIZE, published


async def test_a_line_that_breaks_off_often_is_borne_while_bytes_come(fetching, server, content):
    server.behave(*[Behaviour(ends_after=10_000)] * 15)
    assert (await fetching()).path.read_bytes() == content
    assert len(server.asked) == 16
    assert server.sent_bytes[PATH] == SIZE


async def test_a_server_without_ranges_that_always_breaks_off_is_given_up(
    fetching, server, content
):
    server.always[PATH] = Behaviour(ends_after=150_000, has_ranges=False)
    with pytest.raises(InstallError, match="a broken answer"):
        await fetching(published(content))
    assert len(server.asked) == 1 + fetching.policy.attempts


@pytest.mark.parametrize("status", [408, 425, 429, 500, 502, 503, 504])
async def test_passing_troubles_are_waited_for(fetching, server, content, status):
    server.behave(Behaviour(status=status), Behaviour(status=status))
    assert (await fetching(published(content))).path.read_bytes() == content
    assert len(fetching.waits) == 2


async def test_a_server_may_say_when_to_come_again_up_to_a_limit(fetching, server, content):
    fetching.policy = replace(fetching.policy, longest_retry_after_s=20.0)
    answers = [
        Behaviour(status=429, headers={"Retry-After": value})
        for value in ("7", "Wed, 01 Jan 2020 00:00:00 GMT")
    ]
    server.behave(*answers)
    await fetching(published(content))
    assert fetching.waits == [7.0, 0.0]
    assert fetching.notes == [
        "data.gz from 127.0.0.1: answers 429 and asks to wait 7 s, trying again in 7 s (2 of 3)",
        "data.gz from 127.0.0.1: answers 429, trying again (3 of 3)",
    ]


async def test_a_server_that_wants_too_long_a_wait_is_left_for_the_next_at_once(
    fetching, server, content
):
    fetching.policy = replace(fetching.policy, longest_retry_after_s=60.0)
    server.always[PATH] = Behaviour(status=429, headers={"Retry-After": "3600"})
    async with FaultyServer({PATH: content}) as other:
        fetching.mirrors = (server.mirror, other.mirror)
        assert (await fetching(published(content))).path.read_bytes() == content
    assert fetching.waits == []
    assert len(server.asked) == 1
    assert fetching.notes == [
        "data.gz from 127.0.0.1: answers 429 and asks to wait 3,600 s, given up"
    ]
    (fetching.folder / "data.gz").unlink()
    fetching.mirrors = (server.mirror,)
    with pytest.raises(InstallError, match="answers 429 and asks to wait 3,600 s"):
        await fetching(published(content))
    assert fetching.waits == []


async def test_a_server_that_falls_silent_after_the_head_is_given_up_after_three_attempts(
    fetching, server, content
):
    fetching.policy = replace(fetching.policy, attempts=9, stall_timeout_s=0.05)
    server.always[PATH] = Behaviour(stalls_after=0)
    with pytest.raises(InstallError, match="no answer"):
        await fetching(published(content))
    assert len(server.asked) == 3
    assert [note.partition("127.0.0.1: ")[2] for note in fetching.notes] == [
        "no answer, trying again (2 of 3)",
        "no answer, trying again (3 of 3)",
        "no answer, given up",
    ]


async def test_a_server_that_sends_a_byte_now_and_then_is_given_up(fetching, server, content):
    fetching.policy = replace(fetching.policy, slow_window_s=0.05)
    server.always[PATH] = Behaviour(drips=1, drips_every_s=0.005)
    with pytest.raises(InstallError, match="sends less than 1,000 bytes a second"):
        await fetching(published(content))
    assert len(server.asked) == fetching.policy.attempts
    assert 0 < fetching.kept_bytes < 1_000


async def test_a_server_that_gives_a_byte_before_each_silence_is_given_up(
    fetching, server, content
):
    fetching.policy = replace(fetching.policy, stall_timeout_s=0.05, attempts=4)
    server.always[PATH] = Behaviour(stalls_after=1)
    with pytest.raises(InstallError, match="no answer"):
        await fetching(published(content))
    assert len(server.asked) == 4


async def test_a_server_whose_answer_never_gets_to_its_body_is_given_up(fetching, server, content):
    fetching.policy = replace(fetching.policy, head_timeout_s=0.05)
    server.always[PATH] = Behaviour(head_every_s=0.001)
    with pytest.raises(InstallError, match="no answer"):
        await fetching(published(content))
    assert len(server.asked) == 3


async def test_a_server_that_was_given_up_is_asked_last_for_the_next_file(
    fetching, server, content, tmp_path
):
    other_place = Place(PLACE.host, "pub/current/more.gz")
    server.always |= {PATH: Behaviour(status=503), f"/{other_place}": Behaviour(status=503)}
    files = {PATH: content, f"/{other_place}": content}
    async with (
        FaultyServer(files) as other,
        Downloader(
            tmp_path, (server.mirror, other.mirror), fetching.policy, sleep=fetching.wait
        ) as client,
    ):
        await client.fetch(FILE)
        asked = len(server.asked)
        await client.fetch(RemoteFile("more.gz", (other_place,)))
    assert asked == 3
    assert len(server.asked) == asked


async def test_a_retry_after_that_is_nonsense_is_not_heeded(fetching, server, content):
    server.behave(*(Behaviour(status=503, headers={"Retry-After": each}) for each in ("soon", "")))
    await fetching(published(content))
    assert all(0 < wait <= fetching.policy.longest_wait_s for wait in fetching.waits)


async def test_waits_grow_to_their_limit(fetching, server, content):
    fetching.policy = replace(fetching.policy, attempts=8, first_wait_s=1.0, longest_wait_s=10.0)
    fetching.policy = replace(fetching.policy, attempts_without_a_byte=8)
    server.behave(*[Behaviour(status=503)] * 7)
    await fetching(published(content))
    for wait, whole in zip(fetching.waits, (1, 2, 4, 8, 10, 10, 10), strict=True):
        assert whole / 2 <= wait <= whole


async def test_a_server_that_stays_away_is_given_up_with_one_line(fetching, server, content):
    server.always[PATH] = Behaviour(status=503)
    with pytest.raises(InstallError) as caught:
        await fetching(published(content))
    assert str(caught.value) == (
        f"data.gz could not be fetched: {PLACE} (mirror {server.url}): answers 503. "
        "What is there is kept: run the same again later, or give another --mirror"
    )
    assert len(server.asked) == fetching.policy.attempts
