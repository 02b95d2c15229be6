"""The service with uploads and results on an object store."""

from __future__ import annotations

from genint.storage import StorageAddress
from genint.storage.connect import file_store
from tests.servers.stalling_proxy import StallingProxy

from .conftest import person


async def stored(url, tmp_path) -> set[str]:
    files = file_store(StorageAddress(tmp_path / "look", tmp_path / "look" / "db", store=url))
    return {name for folder in ("uploads", "reports") async for name in files.objects.names(folder)}


async def test_a_job_lives_on_the_store_and_goes_with_all_its_files(
    open_service, service_settings, bucket_url, tmp_path
):
    client = await open_service(service_settings.model_copy(update={"store": bucket_url}))
    ada = await person(client)
    job_id = await ada.submitted()
    job = await ada.ended(job_id)
    assert job["status"] == "COMPLETED"
    assert len(job["genes"]) == job["total_genes"] > 0
    assert len(await stored(bucket_url, tmp_path)) == 4
    files = [f"/api/v1/jobs/{job_id}/result?format={name}" for name in ("json", "html", "gbk")]
    for path in (f"/reports/{job_id}.html", *files):
        answer = await ada.get(path)
        assert (answer.status, bool(await answer.read())) == (200, True)
    assert (await ada.delete(f"/api/v1/jobs/{job_id}")).status == 204
    assert await stored(bucket_url, tmp_path) == set()


async def test_requests_that_need_a_store_that_is_away_may_be_sent_again(
    open_service, service_settings, bucket_url, object_server, tmp_path, monkeypatch
):
    async with StallingProxy(object_server.port) as proxy:
        monkeypatch.setenv("AWS_ENDPOINT_URL", proxy.instead_of(object_server.url))
        client = await open_service(service_settings.model_copy(update={"store": bucket_url}))
        ada = await person(client)
        job_id = await ada.submitted()
        await ada.ended(job_id)
        await proxy.shut()
        told = await ada.submit()
        assert (told.status, "Retry-After" in told.headers) == (503, True)
        assert (await ada.get(f"/api/v1/jobs/{job_id}/result?format=json")).status == 503
        ready = await client.get("/api/v1/ready")
        assert ready.status == 503
        assert "the file store does not answer" in await ready.text()
        assert (await ada.get("/api/v1/jobs")).status == 200
        assert list((tmp_path / "data" / "uploads").iterdir()) == []
        await proxy.reopen()
        assert (await ada.get(f"/api/v1/jobs/{job_id}/result?format=json")).status == 200
        assert (await ada.ended(await ada.submitted()))["status"] == "COMPLETED"
