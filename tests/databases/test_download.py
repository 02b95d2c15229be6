"""Downloads against servers that misbehave, killed, cancelled, and without room."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import resource
import signal
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from genint.databases.checksums import PublishedFile
from genint.databases.download.http import Mirror
from genint.databases.download.manager import Downloader, Progress
from genint.databases.recipes import Place, RemoteFile
from genint.errors import InstallError
from tests.databases.faulty_server import FILE, GOOD, PLACE, Behaviour, FaultyServer, content_of
from tests.databases.repeated_download import PATH, SIZE, WEB_PAGE, Fetching, md5_of, published

ONE_DOWNLOAD = Path(__file__).with_name("one_download.py")


async def test_a_file_arrives_with_its_checksums_and_origin(fetching, server, content):
    fetched = await fetching(published(content))
    assert fetched.path == fetching.folder / "data.gz"
    assert fetched.path.read_bytes() == content
    assert fetched.size_bytes == len(content)
    assert fetched.sha256 == hashlib.sha256(content).hexdigest()
    assert fetched.md5 == md5_of(content)
    assert fetched.url == f"{server.url}{PATH}"
    assert fetched.etag
    assert fetching.progress[-1] == Progress("data.gz", SIZE, SIZE)


async def test_the_client_names_itself_and_asks_for_the_bytes_as_they_are(
    fetching, server, content
):
    await fetching()
    assert server.asked[0].headers["user-agent"].startswith("genint/")
    assert server.asked[0].headers["accept-encoding"] == "identity"
    assert "range" not in server.asked[0].headers


async def test_the_next_run_goes_on_where_the_last_gave_up(fetching, server, content):
    server.always[PATH] = Behaviour(stalls_after=90_000)
    fetching.policy = replace(fetching.policy, most_attempts=1)
    with pytest.raises(InstallError, match=r"data\.gz could not be fetched: .*no answer"):
        await fetching(published(content))
    assert fetching.kept_bytes == 90_000
    server.always.clear()
    assert (await fetching(published(content))).path.read_bytes() == content
    assert server.sent_bytes[PATH] == SIZE


async def test_a_whole_file_is_not_fetched_twice(fetching, server, content):
    await fetching(published(content))
    again = await fetching(published(content))
    assert again.path.read_bytes() == content
    assert again.url == f"{server.url}{PATH}"
    assert len(server.asked) == 1


async def test_a_whole_file_without_checksum_is_asked_for_anew_but_not_sent_twice(
    fetching, server, content
):
    await fetching()
    assert (await fetching()).path.read_bytes() == content
    assert server.asked[-1].headers["range"] == f"bytes={SIZE}-"
    assert server.sent_bytes[PATH] == SIZE


async def test_a_file_without_checksum_that_changed_is_fetched_anew(fetching, server, content):
    await fetching()
    changed = server.put(content_of(SIZE + 5, seed=1))
    assert (await fetching()).path.read_bytes() == changed


@pytest.mark.parametrize(
    ("behaviour", "reason"),
    [
        (Behaviour(status=404), r"missing \(404\)"),
        (Behaviour(status=410), "answers 410"),
        (Behaviour(status=403), r"not allowed \(403\)"),
        (Behaviour(body=WEB_PAGE), "web page"),
        (Behaviour(body=b"  \n<HTML>login</HTML>"), "web page"),
        (Behaviour(body=b"no gzip file at all"), "not gzip"),
        (Behaviour(status=302), "redirects to no address"),
        (Behaviour(status=302, headers={"Location": "file:///etc/passwd"}), "redirects to file:"),
        (Behaviour(status=302, headers={"Location": "ftp://h/x"}), "redirects to ftp:"),
        (Behaviour(status=302, headers={"Location": PATH}), "redirects more than 5 times"),
        (Behaviour(headers={"Content-Length": None}), "does not say how long"),
    ],
)
async def test_another_mirror_is_asked_for_what_one_cannot_give(
    fetching, server, content, behaviour, reason
):
    server.always[PATH] = behaviour
    with pytest.raises(InstallError, match=reason) as caught:
        await fetching()
    assert "\n" not in str(caught.value)
    async with FaultyServer({PATH: content}) as other:
        fetching.mirrors = (server.mirror, other.mirror)
        fetched = await fetching()
        assert fetched.path.read_bytes() == content
        assert fetched.url == f"{other.url}{PATH}"


async def test_a_mirror_that_nobody_runs_is_passed_over(fetching, server, content):
    async with FaultyServer() as gone:
        pass
    fetching.mirrors = (gone.mirror, server.mirror)
    assert (await fetching(published(content))).path.read_bytes() == content
    fetching.mirrors = (gone.mirror,)
    with pytest.raises(InstallError, match=r"no connection \(Connection refused\)"):
        await fetching(published(content_of(9)))


async def test_all_mirrors_are_named_when_none_has_the_file(fetching, server):
    async with FaultyServer() as other:
        other.always[PATH] = Behaviour(status=503)
        fetching.mirrors = (server.mirror, other.mirror)
        with pytest.raises(InstallError) as caught:
            await fetching()
    assert f"(mirror {server.url}): missing (404); " in str(caught.value)
    assert f"(mirror {other.url}): answers 503." in str(caught.value)


async def test_a_part_from_one_mirror_is_gone_on_with_at_the_next(fetching, server, content):
    """Only with a published checksum, which tells in the end."""
    server.behave(Behaviour(ends_after=80_000), *[Behaviour(status=503)] * 9)
    async with FaultyServer({PATH: content}) as other:
        fetching.mirrors = (server.mirror, other.mirror)
        assert (await fetching(published(content))).path.read_bytes() == content
        assert other.sent_bytes[PATH] == SIZE - 80_000


async def test_without_checksum_mirrors_are_never_mixed(fetching, server, content):
    server.behave(Behaviour(ends_after=80_000), *[Behaviour(status=503)] * 9)
    other_content = content_of(SIZE, seed=2)
    async with FaultyServer({PATH: other_content}) as other:
        fetching.mirrors = (server.mirror, other.mirror)
        assert (await fetching()).path.read_bytes() == other_content


async def test_a_wrong_file_is_thrown_away_and_the_next_mirror_asked(fetching, server, content):
    server.put(content_of(SIZE, seed=3))
    with pytest.raises(InstallError, match="does not fit the published checksum"):
        await fetching(published(content))
    assert fetching.kept_bytes == 0
    async with FaultyServer({PATH: content}) as other:
        fetching.mirrors = (server.mirror, other.mirror)
        assert (await fetching(published(content))).path.read_bytes() == content


async def test_a_second_place_is_asked_for_what_the_first_lacks(fetching, server, content):
    file = RemoteFile("data.gz", (Place("other.example.org", "data"), PLACE))
    assert (await fetching(published(content), file)).path.read_bytes() == content


async def test_credentials_of_a_mirror_reach_its_host_only_and_no_message(
    fetching, server, content
):
    address = server.url.replace("http://", "http://anna:s%40cret@")
    fetching.mirrors = (Mirror.parse(address),)
    async with FaultyServer({"/x": content}) as other:
        server.behave(
            GOOD,
            Behaviour(status=302, headers={"Location": f"http://u:p@127.0.0.1:{other.port}/x"}),
        )
        first = await fetching()
        (fetching.folder / "data.gz").unlink()
        await fetching()
        assert server.asked[0].headers["authorization"].startswith("Basic ")
        assert "authorization" not in other.asked[0].headers
    server.always[PATH] = Behaviour(status=401)
    with pytest.raises(InstallError, match=r"not allowed \(401\)") as caught:
        await fetching(published(content_of(9)))
    written = "".join(path.read_text("latin-1") for path in fetching.folder.glob("*.json"))
    for text in (first.url, str(caught.value), repr(fetching.mirrors), written):
        assert "cret" not in text
        assert "anna" not in text


async def test_cancelling_leaves_a_part_that_is_gone_on_with(fetching, server, content):
    fetching.policy = replace(fetching.policy, stall_timeout_s=30.0)
    server.behave(Behaviour(stalls_after=60_000))
    task = asyncio.create_task(fetching(published(content)))
    while not fetching.progress or fetching.progress[-1].done_bytes < 60_000:
        await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert fetching.kept_bytes == 60_000
    assert (await fetching(published(content))).path.read_bytes() == content
    assert server.sent_bytes[PATH] == SIZE


async def test_a_killed_download_is_gone_on_with_and_nothing_fetched_twice(
    fetching, server, content
):
    server.behave(Behaviour(stalls_after=130_000))
    client = await asyncio.create_subprocess_exec(
        *(sys.executable, ONE_DOWNLOAD, fetching.folder, server.url, *PLACE),
        md5_of(content),
        stdout=asyncio.subprocess.PIPE,
    )
    assert client.stdout is not None
    while int(await client.stdout.readline()) < 130_000:
        pass
    client.send_signal(signal.SIGKILL)
    assert await client.wait() == -signal.SIGKILL
    assert fetching.kept_bytes == 130_000
    fetched = await fetching(PublishedFile(None, md5_of(content)))
    assert fetched.path.read_bytes() == content
    assert server.asked[-1].headers["range"] == "bytes=130000-"
    assert server.sent_bytes[PATH] == SIZE


@pytest.fixture
def small_disk() -> Iterator[int]:
    """No file of this process may become larger than this many bytes."""
    limit = 100_000
    usual = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, usual[1]))
    yield limit
    resource.setrlimit(resource.RLIMIT_FSIZE, usual)


async def test_a_full_disk_is_one_clear_line_and_what_is_there_is_kept(
    fetching, server, content, small_disk
):
    with pytest.raises(InstallError, match=r"no room for data\.gz in .*: make room") as caught:
        await fetching(published(content))
    assert "\n" not in str(caught.value)
    assert fetching.kept_bytes == small_disk
    assert len(server.asked) == 1
    usual = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
    resource.setrlimit(resource.RLIMIT_FSIZE, (usual, usual))
    assert (await fetching(published(content))).path.read_bytes() == content
    assert server.asked[-1].headers["range"] == f"bytes={small_disk}-"


async def test_sizes_are_known_before_anything_is_fetched(fetching, server, content):
    missing = RemoteFile("absent", (Place("h", "absent"),))
    async with Downloader(fetching.folder, fetching.mirrors, fetching.policy) as client:
        assert await client.size_of(FILE) == SIZE
        assert await client.size_of(missing) is None
    assert not server.sent_bytes


_FAULTS = st.one_of(
    st.builds(Behaviour, ends_after=st.integers(0, 3000), resets=st.booleans()),
    st.builds(Behaviour, ends_after=st.integers(0, 3000), is_chunked=st.just(True)),
    st.builds(Behaviour, announced=st.integers(0, 4000)),
    st.builds(Behaviour, shifts=st.integers(-5, 5)),
    st.builds(Behaviour, has_ranges=st.just(False), ends_after=st.integers(0, 3000)),
    st.builds(Behaviour, body=st.sampled_from([WEB_PAGE, content_of(2500, 9), content_of(9, 9)])),
    st.builds(Behaviour, status=st.sampled_from([206, 302, 404, 416, 429, 500, 503])),
    st.builds(Behaviour, headers=st.just({"Content-Range": "bytes 7-9/2500"})),
    st.builds(Behaviour, raw=st.sampled_from([b"", b"HTTP/1.1 2", b"\x00" * 50])),
)


@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(faults=st.lists(_FAULTS, max_size=8), has_size=st.booleans())
def test_whatever_happens_the_right_bytes_come_or_nothing_that_passes_for_them(
    tmp_path_factory, hasty, faults, has_size
):
    content = content_of(2500)
    expected = published(content) if has_size else PublishedFile(None, md5_of(content))

    async def run() -> None:
        async with FaultyServer() as server, FaultyServer() as good:
            server.put(content)
            good.put(content)
            server.behave(*faults)
            fetching = Fetching(tmp_path_factory.mktemp("work"), hasty, server.mirror)
            with contextlib.suppress(InstallError):
                fetched = await fetching(expected)
                assert fetched.path.read_bytes() == content
                return
            assert not (fetching.folder / "data.gz").exists()
            fetching.mirrors = (good.mirror,)
            fetched = await fetching(expected)
            assert fetched.path.read_bytes() == content

    asyncio.run(run())
