"""Answers of all sorts, and what is made of them."""

from __future__ import annotations

import gzip
from dataclasses import replace

import pytest

from genint.databases.checksums import PublishedFile
from genint.databases.download.http import Mirror
from genint.databases.recipes import RemoteFile
from genint.errors import InstallError
from tests.databases.faulty_server import PLACE, Behaviour, content_of
from tests.databases.repeated_download import PATH, SIZE, WEB_PAGE, md5_of, published


@pytest.mark.parametrize("resets", [False, True])
@pytest.mark.parametrize("has_checksum", [False, True])
async def test_what_broke_off_is_gone_on_with(fetching, server, content, resets, has_checksum):
    server.behave(*(Behaviour(ends_after=each, resets=resets) for each in (10, 70_000, 50_000)))
    fetched = await fetching(published(content) if has_checksum else None)
    assert fetched.path.read_bytes() == content
    assert server.asked[-1].headers["if-range"] == fetched.etag
    if not resets:  # a reset may take bytes with it that were on their way
        assert server.sent_bytes[PATH] == SIZE


async def test_a_stall_is_broken_off_and_gone_on_with(fetching, server, content):
    server.behave(Behaviour(stalls_after=50_000))
    assert (await fetching(published(content))).path.read_bytes() == content
    assert server.sent_bytes[PATH] == SIZE


async def test_a_slow_drip_is_no_stall(fetching, server):
    content = server.put(content_of(400), PLACE)
    server.behave(Behaviour(drips=1))
    assert (await fetching(published(content))).path.read_bytes() == content
    assert len(server.asked) == 1


async def test_a_server_without_ranges_starts_over(fetching, server, content):
    server.behave(Behaviour(ends_after=150_000, has_ranges=False), Behaviour(has_ranges=False))
    assert (await fetching(published(content))).path.read_bytes() == content
    assert server.sent_bytes[PATH] == SIZE + 150_000


@pytest.mark.parametrize("has_checksum", [False, True])
async def test_a_file_that_changes_between_attempts_is_never_mixed(
    fetching, server, content, has_checksum
):
    changed = content_of(SIZE, seed=1)
    server.behave(Behaviour(ends_after=120_000))
    server.behave(Behaviour(body=changed))
    fetched = await fetching(published(changed) if has_checksum else None)
    assert fetched.path.read_bytes() == changed


async def test_a_changed_file_that_a_server_joins_all_the_same_is_fetched_anew(
    fetching, server, content
):
    """A server that does not heed If-Range gives itself away by its ETag."""
    changed = content_of(SIZE, seed=1)
    server.behave(Behaviour(body=content, ends_after=120_000))
    part = changed[120_000:]
    server.behave(
        Behaviour(
            status=206,
            body=part,
            headers={"Content-Range": f"bytes 120000-{SIZE - 1}/{SIZE}", "ETag": '"other"'},
        )
    )
    server.put(changed)
    assert (await fetching()).path.read_bytes() == changed


async def test_a_damaged_part_is_thrown_away_and_the_file_fetched_anew(fetching, server, content):
    server.behave(Behaviour(ends_after=120_000))
    fetching.policy = replace(fetching.policy, most_attempts=1)
    with pytest.raises(InstallError):
        await fetching(published(content))
    part = fetching.folder / "data.gz.part"
    part.write_bytes(b"\x1f\x8b" + bytes(119_998))
    fetching.policy = replace(fetching.policy, most_attempts=5)
    assert (await fetching(published(content))).path.read_bytes() == content


@pytest.mark.parametrize("shifts", [-7, 7])
async def test_a_part_from_elsewhere_is_never_joined(fetching, server, content, shifts):
    server.behave(Behaviour(ends_after=100_000), Behaviour(shifts=shifts))
    assert (await fetching(published(content))).path.read_bytes() == content


@pytest.mark.parametrize(
    "content_range",
    [None, "bytes", "bytes 100000-5/200000", "bytes 100000-199999/*", "lines 100000-199999/200000"],
)
async def test_a_part_that_does_not_say_where_it_belongs_is_never_joined(
    fetching, server, content, content_range
):
    server.behave(
        Behaviour(ends_after=100_000),
        Behaviour(status=206, body=content[100_000:], headers={"Content-Range": content_range}),
    )
    assert (await fetching(published(content))).path.read_bytes() == content


async def test_a_part_that_nobody_asked_for_is_not_taken_for_the_whole(fetching, server, content):
    server.behave(
        Behaviour(
            status=206,
            body=content[:100],
            headers={"Content-Range": f"bytes 0-99/{SIZE}"},
        )
    )
    assert (await fetching()).path.read_bytes() == content


async def test_a_part_longer_than_the_file_now_is_thrown_away(fetching, server, content):
    server.behave(Behaviour(ends_after=100_000))
    server.behave(Behaviour(status=416, headers={"Content-Range": "bytes */50"}))
    assert (await fetching(published(content))).path.read_bytes() == content


async def test_a_file_of_another_size_is_not_even_read(fetching, server, content):
    server.put(content_of(SIZE + 1))
    with pytest.raises(InstallError, match="is 200,001 bytes long, published are 200,000"):
        await fetching(published(content))
    assert server.sent_bytes[PATH] < SIZE + 1 or len(server.asked) == 1
    assert fetching.kept_bytes == 0


async def test_more_than_published_is_cut_off(fetching, server, content):
    server.always[PATH] = Behaviour(body=content + bytes(500_000), is_chunked=True)
    with pytest.raises(InstallError, match="is longer than the published 200,000 bytes"):
        await fetching(published(content))
    assert fetching.kept_bytes == 0


async def test_an_endless_file_is_cut_off(fetching, server):
    fetching.policy = replace(fetching.policy, largest_file_bytes=SIZE)
    server.put(content_of(SIZE * 4))
    for is_chunked, reason in ((True, "more than a file"), (False, "longer than 200,000 bytes")):
        server.always[PATH] = Behaviour(is_chunked=is_chunked)
        with pytest.raises(InstallError, match=reason):
            await fetching()
        assert fetching.kept_bytes == 0


async def test_a_length_that_is_claimed_too_long_does_not_stop_a_file_that_fits(
    fetching, server, content
):
    server.behave(Behaviour(announced=SIZE + 100))
    expected = PublishedFile(None, md5_of(content))
    assert (await fetching(expected)).path.read_bytes() == content
    assert len(server.asked) == 1


async def test_a_length_that_is_claimed_too_short_never_passes_for_the_whole(
    fetching, server, content
):
    server.always[PATH] = Behaviour(announced=SIZE - 100)
    for expected in (published(content), PublishedFile(None, md5_of(content))):
        with pytest.raises(InstallError, match="could not be fetched"):
            await fetching(expected)
        assert not (fetching.folder / "data.gz").exists()


async def test_chunks_that_break_off_are_no_whole_file(fetching, server, content):
    server.behave(Behaviour(is_chunked=True, ends_after=70_000))
    assert (await fetching()).path.read_bytes() == content


async def test_redirects_are_followed(fetching, server, content):
    server.files["/elsewhere/x"] = content
    server.behave(
        Behaviour(status=301, headers={"Location": "/elsewhere/x"}),
        Behaviour(status=307, headers={"Location": f"{server.url}/elsewhere/x#part"}),
    )
    fetched = await fetching(published(content))
    assert fetched.path.read_bytes() == content
    assert fetched.url == f"{server.url}{PATH}"


@pytest.mark.parametrize(
    "raw", [b"", b"\x00\x01nonsense\r\n\r\n", b"HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n"]
)
async def test_what_is_not_http_is_tried_again(fetching, server, content, raw):
    server.behave(Behaviour(raw=raw))
    assert (await fetching(published(content))).path.read_bytes() == content


async def test_a_text_file_that_is_sent_compressed_is_refused(fetching, server):
    file = RemoteFile("terms.obo", (PLACE,))
    server.put(gzip.compress(b"format-version: 1.2\n" * 50))
    server.always[PATH] = Behaviour(headers={"Content-Encoding": "gzip"})
    with pytest.raises(InstallError, match="sent compressed"):
        await fetching(file=file)


async def test_a_gzip_file_that_is_called_compressed_is_kept_as_it_is(fetching, server, content):
    server.always[PATH] = Behaviour(headers={"Content-Encoding": "gzip"})
    assert (await fetching(published(content))).path.read_bytes() == content


async def test_a_part_of_unknown_end_does_not_pass_for_the_rest(fetching, server, content):
    server.behave(
        Behaviour(ends_after=100_000),
        Behaviour(
            status=206,
            body=content[100_000:150_000],
            headers={"Content-Range": "bytes 100000-149999/*"},
        ),
    )
    assert (await fetching()).path.read_bytes() == content


async def test_chunks_that_end_before_the_published_size_are_gone_on_with(
    fetching, server, content
):
    server.behave(Behaviour(body=content[:50_000], is_chunked=True))
    assert (await fetching(published(content))).path.read_bytes() == content


async def test_a_web_page_is_not_read_to_its_end(fetching, server):
    server.always[PATH] = Behaviour(body=WEB_PAGE * 2_000)
    with pytest.raises(InstallError, match="web page"):
        await fetching()
    assert max(each.done_bytes for each in fetching.progress) < len(WEB_PAGE) * 1_000


async def test_an_empty_file_of_which_nothing_is_published_is_refused(fetching, server):
    server.put(b"")
    with pytest.raises(InstallError, match="is empty"):
        await fetching(file=RemoteFile("terms.obo", (PLACE,)))


async def test_without_checksum_a_part_from_the_web_is_not_joined_with_a_folder(
    fetching, server, content, tmp_path
):
    other = tmp_path / "mirror" / PLACE.host / PLACE.path
    other.parent.mkdir(parents=True)
    other.write_bytes(content_of(SIZE, seed=2))
    server.behave(Behaviour(ends_after=80_000), *[Behaviour(status=503)] * 9)
    fetching.mirrors = (server.mirror, Mirror.parse(str(tmp_path / "mirror")))
    assert (await fetching()).path.read_bytes() == other.read_bytes()


async def test_no_more_redirects_than_allowed_are_followed(fetching, server, content):
    loop = Behaviour(status=302, headers={"Location": PATH})
    server.behave(*[loop] * 5)
    assert (await fetching()).path.read_bytes() == content
    server.always[PATH] = loop
    server.asked.clear()
    with pytest.raises(InstallError, match="redirects more than 5 times"):
        await fetching()
    assert len(server.asked) == 6
