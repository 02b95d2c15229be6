from __future__ import annotations

import asyncio
import gzip
from dataclasses import replace

import pytest

from genint.service.endpoint import SERVICE

from .conftest import TINY

pytestmark = pytest.mark.finished_job(TINY)


async def test_a_report_needs_no_credential(client, finished):
    answer = await client.get(finished["report_url"])
    assert (answer.status, answer.content_type, answer.charset) == (200, "text/html", "utf-8")
    assert (await answer.text()).rstrip().endswith("</html>")


async def test_a_report_is_kept_from_search_engines_and_from_other_pages(client, finished):
    headers = (await client.get(finished["report_url"])).headers
    assert "noindex" in headers["X-Robots-Tag"]
    assert headers["Referrer-Policy"] == "no-referrer"
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe-inline" not in policy


async def test_a_report_that_the_reader_has_is_not_sent_again(client, finished):
    first = await client.get(finished["report_url"])
    again = await client.get(
        finished["report_url"], headers={"If-None-Match": first.headers["ETag"]}
    )
    assert (again.status, await again.read()) == (304, b"")


@pytest.mark.parametrize(
    "path",
    [
        "/reports/{id}",
        "/reports/{id}.json",
        "/reports/{id}.1.html",
        "/reports/",
        "/reports/..%2fgenint.sqlite3.html",
        "/reports/%2e%2e/jwt_secret.html",
        "/reports/....//x.html",
        "/reports/%00.html",
        "/reports/%ff.html",
    ],
)
async def test_nothing_else_is_served_beside_reports(client, finished, path):
    answer = await client.get(path.format(id=finished["job_id"]))
    assert answer.status == 404
    assert set(await answer.json()) == {"detail"}


async def test_the_old_report_stays_until_the_new_one_is_there(ada, client, finished):
    await ada.post(f"/api/v1/jobs/{finished['job_id']}/rerun")
    while True:
        job = await ada.job(finished["job_id"])
        assert (await client.get(finished["report_url"])).status == 200
        if job["status"] == "COMPLETED":
            break


def as_html(job) -> str:
    """Where the owner of a job gets its report."""
    return f"/api/v1/jobs/{job['job_id']}/result?format=html"


async def test_a_report_whose_file_is_gone_is_made_again_for_its_owner_alone(
    ada, bob, client, finished, service_settings
):
    (file,) = (service_settings.data_folder / "reports").glob("*.html")
    before = file.read_text()
    file.unlink()
    answers = await asyncio.gather(*(client.get(finished["report_url"]) for _ in range(50)))
    assert {answer.status for answer in answers} == {404}
    assert "its owner can have it made again" in (await answers[0].json())["detail"]
    assert (await bob.get(as_html(finished))).status == 403
    assert not file.exists()
    assert await (await ada.get(as_html(finished))).text() == before
    assert await (await client.get(finished["report_url"])).text() == before


async def test_strangers_get_the_report_of_an_older_version_as_it_was_made(
    client, finished, service_settings
):
    (file,) = (service_settings.data_folder / "reports").glob("*.html")
    file.write_text("made by an older version")
    service = client.app[SERVICE]
    jobs = service.storage.jobs
    assert await jobs.set_report_version(finished["job_id"], finished["attempt"], "0.0.1")
    answers = await asyncio.gather(*(client.get(finished["report_url"]) for _ in range(50)))
    assert {await answer.text() for answer in answers} == {"made by an older version"}
    assert file.read_text() == "made by an older version"
    (tag,) = {answer.headers["ETag"] for answer in answers}
    again = await client.get(finished["report_url"], headers={"If-None-Match": tag})
    assert again.status == 304
    assert (await jobs.get(finished["job_id"])).report_version == "0.0.1"


async def test_after_an_upgrade_the_owner_has_old_reports_made_again(
    ada, client, finished, service_settings
):
    job = finished
    (file,) = (service_settings.data_folder / "reports").glob("*.html")
    file.write_text("made by an older version")
    service = client.app[SERVICE]
    stored = await service.storage.jobs.get(job["job_id"])
    assert stored is not None
    assert await service.storage.jobs.set_report_version(stored.id, stored.attempt, "0.0.1")
    assert (await ada.get(as_html(job))).status == 200
    answer = await client.get(job["report_url"])
    assert job["genes"][0]["id"] in await answer.text() if job["genes"] else answer.status == 200
    assert "older version" not in file.read_text()
    renewed = await service.storage.jobs.get(job["job_id"])
    assert renewed == replace(stored, report_version=renewed.report_version)
    assert renewed.report_version != "0.0.1"


async def test_an_old_report_is_served_where_it_cannot_be_made_again(
    ada, client, finished, service_settings
):
    job = finished
    reports = service_settings.data_folder / "reports"
    (page,) = reports.glob("*.html")
    made = page.read_text()
    older = made.replace("script-src &#39;sha256-", "script-src &#39;sha256-older")
    assert older != made
    page.write_text(older)
    (result,) = reports.glob("*.json.gz")
    result.write_bytes(b"damaged")
    service = client.app[SERVICE]
    assert await service.storage.jobs.set_report_version(job["job_id"], job["attempt"], "0.0.1")
    assert await (await ada.get(as_html(job))).text() == older
    answer = await client.get(job["report_url"])
    assert (answer.status, await answer.text()) == (200, older)
    # ... under the policy that it was made with: under ours its script would not run.
    assert "script-src 'sha256-older" in answer.headers["Content-Security-Policy"]
    assert answer.headers["Content-Security-Policy"].endswith("; frame-ancestors 'none'")


@pytest.mark.parametrize("content", [b"damaged", b"", gzip.compress(b"{}", mtime=0)])
async def test_a_report_that_cannot_be_made_of_its_result_asks_for_a_rerun(
    ada, client, finished, service_settings, content
):
    reports = service_settings.data_folder / "reports"
    (page,), (result,) = reports.glob("*.html"), reports.glob("*.json.gz")
    page.unlink()
    result.write_bytes(content)
    answer = await ada.get(as_html(finished))
    assert answer.status == 409
    assert "run the job again" in (await answer.json())["detail"]
    await ada.post(f"/api/v1/jobs/{finished['job_id']}/rerun")
    await ada.ended(finished["job_id"])
    assert (await client.get(finished["report_url"])).status == 200


async def test_a_report_that_is_gone_with_its_result_is_404(
    ada, client, finished, service_settings
):
    for file in (service_settings.data_folder / "reports").iterdir():
        file.unlink()
    assert (await ada.get(as_html(finished))).status == 404
    assert (await client.get(finished["report_url"])).status == 404


async def test_two_results_are_compared_for_the_owner_of_both(ada, bob, finished):
    path = f"/api/v1/jobs/{finished['job_id']}/difference?other={finished['job_id']}"
    page = await ada.get(path)
    assert (page.status, page.content_type) == (200, "text/html")
    assert "style-src 'sha256-" in page.headers["Content-Security-Policy"]
    assert (await (await ada.get(f"{path}&format=json")).json())["changes"] == []
    assert (await ada.get(f"{path}&format=pdf")).status == 422
    foreign = await bob.submitted()
    statuses = {path: 403, f"/api/v1/jobs/{foreign}/difference?other={finished['job_id']}": 403}
    assert {path: (await bob.get(path)).status for path in statuses} == statuses
    unknown = path.partition("=")[0] + "=00000000-0000-4000-8000-000000000000"
    assert (await ada.get(unknown)).status == 404


async def test_a_job_without_a_result_is_compared_with_nothing(ada, finished):
    broken = await ada.submitted(b">a\n" + b"ACGT" * 30_000 + b"\nACGT!!!\n", "broken.fasta")
    await ada.ended(broken)
    path = f"/api/v1/jobs/{finished['job_id']}/difference?other={broken}"
    answer = await ada.get(path)
    assert answer.status == 409
    assert "broken.fasta has no result" in (await answer.json())["detail"]
