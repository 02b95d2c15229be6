"""Figures for Prometheus: what they count, who may read them, and what deploy/ asks of them."""

from __future__ import annotations

import asyncio
import json
import logging
import re
import socket
from pathlib import Path

import pytest
import yaml
from aiohttp import ClientSession
from prometheus_client.parser import text_string_to_metric_families

from genint.errors import UsageError
from genint.service.endpoint import SERVICE
from genint.service.metrics import Metrics, serve_metrics
from genint.service.server import is_working
from genint.settings import Settings
from genint.storage.sqlite import READERS

from .conftest import FASTA, person

DEPLOY = Path(__file__).resolve().parents[2] / "deploy"
HERE = "127.0.0.1:0"
TOKEN = "a-token-of-the-tests-that-is-long"
Samples = dict[tuple[str, tuple[tuple[str, str], ...]], float]


def samples(page: bytes) -> Samples:
    """Values by name and labels."""
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(page.decode())
        for sample in family.samples
    }


def value(found: Samples, name: str, **labels: str) -> float | None:
    return found.get((name, tuple(sorted(labels.items()))))


async def page_of(client) -> bytes:
    service = client.app[SERVICE]
    return await service.metrics.page(service.storage, service.supervisor, 1_000)


async def until_working(supervisor) -> None:
    async with asyncio.timeout(30):
        while not is_working(supervisor):
            await asyncio.sleep(0.01)


async def until(client, name: str, expected: float, **labels: str) -> Samples:
    async with asyncio.timeout(30):
        while value(found := samples(await page_of(client)), name, **labels) != expected:
            await asyncio.sleep(0.05)
    return found


async def test_a_job_is_seen_in_the_queue_and_then_by_its_outcome(open_service, any_settings):
    client = await open_service(any_settings)
    ada = await person(client)
    await ada.ended(await ada.submitted(FASTA))
    await ada.ended(await ada.submitted(b">x\nACGT!\n"))
    found = await until(client, "genint_job_attempts_total", 1, outcome="failed")
    assert value(found, "genint_job_attempts_total", outcome="completed") == 1
    assert value(found, "genint_job_attempt_duration_seconds_count", outcome="completed") == 1
    assert value(found, "genint_job_wait_seconds_count") == 2
    assert value(found, "genint_jobs_waiting") == 0
    assert value(found, "genint_oldest_waiting_job_seconds") == 0
    assert value(found, "genint_workers_alive") == 1
    assert value(found, "genint_worker_up") == 1
    assert value(found, "genint_worker_last_look_seconds") < 30
    assert value(found, "genint_database_up") == 1
    assert value(found, "genint_database_call_duration_seconds_count", kind="transaction") > 2
    assert value(found, "genint_online_service_up", service="uniprot") == 1
    labels = {"method": "POST", "route": "/api/v1/jobs", "status": "200"}
    assert value(found, "genint_http_requests_total", **labels) == 2
    assert not any(name.endswith("_created") for name, _ in found)


async def test_paths_and_methods_of_strangers_make_no_new_series(client):
    await client.get("/wp-login.php")
    await client.request("PROPFIND", "/pot")
    found = samples(await page_of(client))
    labels = {"route": "none", "status": "404"}
    assert value(found, "genint_http_requests_total", method="GET", **labels) == 1
    assert value(found, "genint_http_requests_total", method="other", **labels) == 1


async def test_nothing_is_said_of_a_queue_that_cannot_be_seen(client):
    service = client.app[SERVICE]
    await service.supervisor.stop(grace_s=0)
    before = samples(await page_of(client))
    readers = service.storage.database._readers  # with all of them in use nobody can read
    taken = [await readers.get() for _ in range(READERS)]
    found = samples(await page_of(client))
    for reader in taken:
        readers.put_nowait(reader)
    assert value(before, "genint_database_up") == 1
    assert value(before, "genint_jobs_waiting") == 0
    assert value(found, "genint_database_up") == 0
    assert value(found, "genint_jobs_waiting") is None
    assert value(found, "genint_worker_up") == 0


class TestWhoMayRead:
    async def answer(self, settings: Settings, caplog, **headers: str) -> tuple[int, str]:
        """Status and text of the figures of a process with these settings."""

        async def page() -> bytes:
            return b"genint_jobs_waiting 3\n"

        with caplog.at_level(logging.INFO, logger="genint.service"):
            async with serve_metrics(settings, page) as place, ClientSession() as session:
                url = f"http://{place.host}:{place.port}/metrics"
                async with session.get(url, headers=headers) as answer:
                    return answer.status, await answer.text()

    async def test_nobody_where_no_address_is_set(self, client):
        assert (await client.get("/metrics")).status == 404
        async with serve_metrics(Settings.from_environment({}), Metrics().page) as place:
            assert place is None

    async def test_everybody_on_this_machine_where_it_is_one_of_this_machine(self, caplog):
        settings = Settings(metrics_listen=HERE)
        assert await self.answer(settings, caplog) == (200, "genint_jobs_waiting 3\n")

    async def test_only_who_has_the_token_where_there_is_one(self, caplog):
        settings = Settings.from_environment(
            {"GENINT_METRICS_LISTEN": "127.0.0.1:0", "GENINT_METRICS_TOKEN": TOKEN}
        )
        for wrong in ({}, {"Authorization": TOKEN}, {"Authorization": f"Bearer {TOKEN}x"}):
            assert await self.answer(settings, caplog, **wrong) == (401, "")
        status, _ = await self.answer(settings, caplog, Authorization=f"Bearer {TOKEN}")
        assert status == 200
        assert TOKEN not in caplog.text

    @pytest.mark.parametrize("host", ["0.0.0.0", "[::]", "192.0.2.1", "genint.example.org"])  # noqa: S104
    async def test_an_address_that_others_reach_needs_a_token(self, host):
        settings = Settings.from_environment({"GENINT_METRICS_LISTEN": f"{host}:0"})
        with pytest.raises(UsageError, match=r"^GENINT_METRICS_TOKEN: ") as caught:
            async with serve_metrics(settings, Metrics().page):
                pass
        assert "\n" not in str(caught.value)

    async def test_an_address_that_is_taken_is_named(self):
        with socket.create_server(("127.0.0.1", 0)) as taken:
            settings = Settings(metrics_listen=f"127.0.0.1:{taken.getsockname()[1]}")
            with pytest.raises(UsageError, match=r"^GENINT_METRICS_LISTEN: cannot listen on"):
                async with serve_metrics(settings, Metrics().page):
                    pass


@pytest.fixture
async def known(client) -> dict[str, set[str]]:
    """Labels of every figure that the service and its workers have, by name."""
    service = client.app[SERVICE]
    service.metrics.job_ended("completed", 1.0)
    await until_working(service.supervisor)
    await client.get("/api/v1/health")
    page = await page_of(client)
    labels: dict[str, set[str]] = {"up": set()}
    for family in text_string_to_metric_families(page.decode()):
        for name in (family.name, f"{family.name}_total"):
            labels.setdefault(name, set())
        for sample in family.samples:
            labels.setdefault(sample.name, set()).update(sample.labels)
    return labels


def asked(expression: str) -> dict[str, set[str]]:
    """Figures that a query names, and the labels that it selects by."""
    names = re.findall(r"\b((?:genint|process)_[a-z_]+|up)\b(?:\{([^}]*)\})?", expression)
    return {name: set(re.findall(r"(\w+)\s*[=!]~?\"", chosen)) for name, chosen in names}


def queries() -> list[str]:
    """Of the dashboard and the alerts."""
    board = json.loads((DEPLOY / "grafana" / "genint.json").read_text())
    rules = yaml.safe_load((DEPLOY / "prometheus" / "alerts.yml").read_text())
    shown = [target["expr"] for panel in board["panels"] for target in panel["targets"]]
    return shown + [rule["expr"] for group in rules["groups"] for rule in group["rules"]]


async def test_dashboard_and_alerts_ask_for_figures_and_labels_that_exist(known):
    assert len(queries()) > 30
    for query in queries():
        assert asked(query), query
        for name, selected in asked(query).items():
            assert name in known, query
            assert selected <= known[name] | {"job", "instance"}, query
        grouped = {
            label.strip()
            for labels in re.findall(r"\bby \(([^)]*)\)", query)
            for label in labels.split(",")
        }
        there = set().union(*(known[name] for name in asked(query)))
        assert grouped <= there | {"job", "instance"}, query
        assert query.count("(") == query.count(")"), query


async def test_every_alert_says_how_urgent_it_is_and_leads_to_a_runbook():
    text = (DEPLOY.parent / "docs" / "runbooks.md").read_text("utf-8")
    anchors = {
        re.sub(r"[^a-z0-9 -]", "", title.lower()).replace(" ", "-")
        for title in re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    }
    rules = yaml.safe_load((DEPLOY / "prometheus" / "alerts.yml").read_text())
    for rule in rules["groups"][0]["rules"]:
        assert rule["labels"]["severity"] in {"page", "ticket"}
        page, _, anchor = rule["annotations"]["runbook"].partition("#")
        assert page == "docs/runbooks.md"
        assert anchor in anchors, anchor
