"""Reports that are their owner's alone, and links that open them."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.finished_job("tiny.fasta")


@pytest.fixture
def service_settings(service_settings):
    """Reports are not public."""
    return service_settings.model_copy(update={"public_reports": False})


async def test_a_report_that_is_not_public_is_its_owners(ada, bob, finished):
    address = finished["report_url"]
    anonymous = await ada.client.get(address)
    assert anonymous.status == 401
    assert "ask its owner for a link" in (await anonymous.json())["detail"]
    assert (await bob.get(address)).status == 403
    page = await ada.get(address)
    assert page.status == 200
    assert "tiny.fasta" in await page.text()


async def test_a_link_opens_a_report_until_it_is_revoked(ada, bob, finished):
    links = f"/api/v1/jobs/{finished['job_id']}/links"
    made = await ada.post(links, json={})
    assert made.status == 201
    link = await made.json()
    assert link["expires_at"] is None
    assert (await ada.client.get(link["url"])).status == 200
    assert (await ada.client.head(link["url"])).status == 200
    assert (await ada.client.get(link["url"] + "x")).status == 401
    listed = (await (await ada.get(links)).json())["links"]
    assert [entry["id"] for entry in listed] == [link["id"]]
    assert "url" not in listed[0]
    for refused in (bob.get(links), bob.post(links, json={}), bob.delete(f"{links}/{link['id']}")):
        assert (await refused).status == 403
    assert (await ada.delete(f"{links}/{link['id']}")).status == 204
    assert (await ada.delete(f"{links}/{link['id']}")).status == 404
    assert (await ada.client.get(link["url"])).status == 401


async def test_a_link_opens_no_other_report_and_says_when_it_expires(ada, finished):
    other = await ada.submitted()
    made = await ada.post(f"/api/v1/jobs/{other}/links", json={"expires_in_minutes": 5})
    link = await made.json()
    assert link["created_at"] < link["expires_at"]
    key = link["url"].partition("?")[2]
    assert (await ada.client.get(f"{finished['report_url']}?{key}")).status == 401
    for minutes in (0, -1, 5_256_001, "5"):
        body = {"expires_in_minutes": minutes}
        assert (await ada.post(f"/api/v1/jobs/{other}/links", json=body)).status == 422
