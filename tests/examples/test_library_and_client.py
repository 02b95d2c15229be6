"""Examples in Python: the library script, the notebook, and the client at a real service."""

from __future__ import annotations

import argparse
import ast
import asyncio
import csv
import importlib.util
import inspect
import json
import subprocess
import sys
from pathlib import Path

import aiohttp
import nbformat
import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from genint.service.app import create_app
from genint.settings import Settings

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
NOTEBOOK = EXAMPLES / "library" / "one_genome.ipynb"


@pytest.fixture(scope="module")
def client():
    """The client as a module."""
    spec = importlib.util.spec_from_file_location("client", EXAMPLES / "service" / "client.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
async def service(tmp_path, searched):
    """The real service, on SQLite, with one worker."""
    environment = {"GENINT_DATA_DIR": str(tmp_path / "data"), "JWT_SECRET": "s" * 40}
    environment |= {"GENINT_CACHE_DIR": str(searched), "GENINT_CACHE_MB": "1000"}
    server = TestServer(create_app(Settings.from_environment(environment), workers=1))
    await server.start_server()
    yield server
    await server.close()


@pytest.fixture
async def losing_first_upload(service):
    """A proxy before the service that loses the answer to the first upload."""
    uploads = []

    async def forward(request: web.Request) -> web.Response:
        content = await request.read()
        address = service.make_url("/").join(request.rel_url)
        kept = {name: request.headers[name] for name in request.headers if name != "Host"}
        sent = aiohttp.request(request.method, address, data=content, headers=kept)
        async with sent as answer:
            body, status = await answer.read(), answer.status
        if request.method == "POST" and request.path == "/api/v1/jobs":
            uploads.append(json.loads(body)["job_id"])
            if len(uploads) == 1:
                request.transport.close()
        return web.Response(body=body, status=status, content_type="application/json")

    app = web.Application()
    app.router.add_route("*", "/{path:.*}", forward)
    server = TestServer(app)
    await server.start_server()
    yield str(server.make_url("/")), uploads
    await server.close()


def run_script(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, *map(str, arguments)]
    return subprocess.run(command, cwd=EXAMPLES, capture_output=True, text=True, check=False)


def test_the_library_script_lists_dark_genes_and_says_which_file_cannot_be_read(searched):
    script = EXAMPLES / "library" / "dark_genes.py"
    done = run_script(script, "phiX174.gbk", "missing.fasta")
    assert done.returncode == 1
    assert done.stderr.count("missing.fasta") == 1
    [row] = csv.DictReader(done.stdout.splitlines(), delimiter="\t")
    assert (row["genome"], row["gene"], row["length_aa"]) == ("phiX174.gbk", "NP_040706.1", "56")
    assert "amino acids" in row["reasons"]


def test_the_notebook_is_kept_without_outputs():
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    nbformat.validate(notebook)
    assert not any(cell.get("outputs") for cell in notebook.cells)


async def test_the_cells_of_the_notebook_run_in_their_order(searched, monkeypatch, capsys):
    monkeypatch.chdir(NOTEBOOK.parent)
    names: dict[str, object] = {}
    for cell in nbformat.read(NOTEBOOK, as_version=4).cells:
        if cell.cell_type == "code":  # a cell may await, as in Jupyter
            code = compile(cell.source, NOTEBOOK.name, "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
            result = eval(code, names)  # noqa: S307 - our own file
            if inspect.isawaitable(result):
                await result
    printed = capsys.readouterr().out
    assert "NP_040706.1" in printed
    assert "##gff-version 3" in printed


async def test_the_client_signs_up_uploads_waits_and_downloads(
    client, service, tmp_path, monkeypatch, capsys
):
    monkeypatch.setenv("GENINT_PASSWORD", "a long enough password")
    monkeypatch.delenv("GENINT_API_KEY", raising=False)
    output = tmp_path / "phiX174.gff3"
    asked = argparse.Namespace(
        file=EXAMPLES / "phiX174.gbk", service=str(service.make_url("/")), phage=True
    )
    asked.sign_up, asked.format, asked.output = "ada@example.org", "gff3", output
    await client.run(asked)
    printed = capsys.readouterr().out
    assert printed.startswith("GENINT_API_KEY=gi_")
    assert "of 11 genes interpreted" in printed
    assert output.read_text().startswith("##gff-version 3")


async def test_the_client_makes_one_job_where_the_answer_to_its_upload_got_lost(
    client, losing_first_upload, monkeypatch
):
    monkeypatch.setattr(client, "FIRST_PAUSE_S", 0.01)
    address, uploads = losing_first_upload
    async with aiohttp.ClientSession(address) as session:
        own = client.Service(session)
        await own.sign_up("ada@example.org", "a long enough password")
        assert await own.submit(EXAMPLES / "phiX174.gbk") == uploads[0]
        assert uploads == [uploads[0]] * 2


async def test_the_client_says_why_the_service_refuses_a_request_and_does_not_repeat_it(
    client, service
):
    async with aiohttp.ClientSession(service.make_url("/")) as session:
        own = client.Service(session, "gi_not_a_key")
        with pytest.raises(client.ServiceError, match=r"POST /api/v1/jobs: 401: \w+"):
            async with asyncio.timeout(client.FIRST_PAUSE_S):
                await own.submit(EXAMPLES / "phiX174.gbk")
