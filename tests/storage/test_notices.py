"""Notices within a process: everyone hears them, nobody waits for anybody."""

from __future__ import annotations

import asyncio

import pytest

from genint.storage import MOST_WAITING, Notice, NoticeBoard


@pytest.mark.parametrize("kind", ["queued", "ended"])
def test_a_notice_is_read_as_it_was_written(kind):
    assert Notice.parse(str(Notice(kind, "job"))) == Notice(kind, "job")


@pytest.mark.parametrize("text", ["", "queued", "started job", "queued job more"])
def test_other_text_is_no_notice(text):
    assert Notice.parse(text) is None


async def test_every_listener_hears_every_notice_in_order():
    board = NoticeBoard()
    told = [Notice("queued", "1"), Notice("ended", "2")]
    async with asyncio.timeout(5):
        with board.listen() as first, board.listen() as second:
            for notice in told:
                board.publish(notice)
            assert [await anext(first), await anext(first)] == told
            assert [await anext(second), await anext(second)] == told


async def test_who_has_left_hears_nothing_more():
    board = NoticeBoard()
    with board.listen() as left:
        pass
    board.publish(Notice("queued", "1"))
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.01):
            await anext(left)


async def test_who_does_not_listen_misses_the_oldest():
    board = NoticeBoard()
    with board.listen() as slow:
        for number in range(MOST_WAITING + 5):
            board.publish(Notice("queued", str(number)))
        async with asyncio.timeout(5):
            heard = [(await anext(slow)).job_id for _ in range(MOST_WAITING)]
    assert heard == [str(number) for number in range(5, MOST_WAITING + 5)]
