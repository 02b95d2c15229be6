"""Text is compressed for clients that take it; what they unpack is what others get."""

from __future__ import annotations

import gzip

import pytest
from multidict import CIMultiDictProxy

from genint.service.compression import LEAST_BYTES

from .conftest import ADA, PASSWORD, TINY

AS_IT_IS = {"Accept-Encoding": "identity"}


async def raw(client, path: str, **headers: str) -> tuple[CIMultiDictProxy[str], bytes]:
    """Headers and the very bytes of an answer."""
    async with client.session.get(
        client.make_url(path), headers=headers, auto_decompress=False
    ) as answer:
        assert answer.status == 200
        return answer.headers, await answer.read()


@pytest.mark.finished_job(TINY)
async def test_every_kind_of_text_is_shorter_and_the_same(ada, client, finished):
    job = f"/api/v1/jobs/{finished['job_id']}"
    paths = [finished["report_url"], "/app", "/static/app.js", "/openapi.json", job]
    paths += [f"{job}/result?format={name}" for name in ("json", "md", "gff3")]
    for path in paths:
        plain_headers, plain = await raw(client, path, **ada.headers, **AS_IT_IS)
        headers, packed = await raw(client, path, **ada.headers, **{"Accept-Encoding": "br, gzip"})
        for found in (plain_headers, headers):
            assert "Accept-Encoding" in found["Vary"], path
        assert "Content-Encoding" not in plain_headers
        assert int(plain_headers["Content-Length"]) == len(plain)
        if len(plain) >= LEAST_BYTES:
            assert headers["Content-Encoding"] == "gzip", path
            assert int(headers["Content-Length"]) == len(packed) < len(plain)
            packed = gzip.decompress(packed)
        assert packed == plain, path


@pytest.mark.finished_job(TINY)
@pytest.mark.parametrize("encoding", ["identity", "gzip"])
async def test_a_report_that_the_client_has_is_not_sent_again(client, finished, encoding):
    accepted = {"Accept-Encoding": encoding}
    headers, _ = await raw(client, finished["report_url"], **accepted)
    again = await client.get(
        finished["report_url"], headers=accepted | {"If-None-Match": headers["ETag"]}
    )
    assert again.status == 304
    assert headers["ETag"].startswith("W/") == (encoding == "gzip")


@pytest.mark.parametrize("accepted", ["", "br", "gzip;q=0", "gzip; q=0.0", "deflate, identity"])
async def test_who_does_not_take_gzip_gets_none(client, accepted):
    headers, _ = await raw(client, "/openapi.json", **{"Accept-Encoding": accepted})
    assert "Content-Encoding" not in headers


async def test_answers_with_credentials_are_not_compressed(client):
    body = {"email": "a@example.org", "password": PASSWORD} | ADA
    body["last_name"] = "x" * 100
    answer = await client.post(
        "/api/v1/auth/signup", json=body, headers={"Accept-Encoding": "gzip"}
    )
    assert answer.status == 201
    assert "Content-Encoding" not in answer.headers
