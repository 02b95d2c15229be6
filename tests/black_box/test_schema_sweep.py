"""Requests made from the OpenAPI document, right and wrong ones, against a running service."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest
from aiohttp import ClientSession

from .processes import environment, running, signed_up

SERVE = ("serve", "--port", "0", "--workers", "1", "--quiet")
CHECKS = (  # (whether valid data is accepted is left out: a cursor, a file name can be wrong)
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_headers_conformance",
    "response_schema_conformance",
    "negative_data_rejection",
    "unsupported_method",
    "ignored_auth",
    "use_after_free",
    "ensure_resource_availability",
)
_SWEEP_S = 540


@pytest.mark.parametrize(
    ("engine", "examples"),
    [("sqlite", 7), ("postgresql", 3), pytest.param("sqlite", 60, marks=pytest.mark.fuzz)],
)
async def test_no_request_gets_an_answer_that_is_not_documented(
    tmp_path, request, engine, examples
):
    env = environment(tmp_path / "data")
    if engine == "postgresql":
        env["DATABASE_URL"] = request.getfixturevalue("postgresql_url")
    async with (
        running(*SERVE, env=env, log=tmp_path / "log") as service,
        ClientSession() as session,
    ):
        ada = await signed_up(session, service, "ada@example.org")
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "schemathesis.cli", "run"),
            f"{service.address}/openapi.json",
            *("--header", f"Authorization: {ada.headers['Authorization']}"),
            *("--checks", ",".join(CHECKS)),
            *("--exclude-path", "/api/v1/auth/logout-everywhere"),  # would end the sweep's session
            *("--max-examples", str(examples), "--seed", "20261121", "--workers", "2"),
            *("--generation-database", "none", "--continue-on-failure", "--no-color"),
            cwd=tmp_path,
            env=env,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        try:
            async with asyncio.timeout(_SWEEP_S):
                said, _ = await process.communicate()
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
        assert process.returncode == 0, said.decode()[-20_000:]
    assert "Traceback" not in Path(tmp_path / "log").read_text()
