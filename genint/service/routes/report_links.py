"""Links by which others read a report where reports are not public."""

from __future__ import annotations

from http import HTTPStatus

from genint.auth.keys import new_secret
from genint.errors import NotFound
from genint.service.endpoint import Call, Endpoint
from genint.service.routes.jobs import OWN, own_job
from genint.service.schemas import (
    CreatedReportLink,
    NewReportLinkBody,
    ReportLinkEntry,
    ReportLinkList,
)

_MINUTE_S = 60
_LINK_OWN = OWN | {404: "There is no such job, or it has no such link"}


async def create_report_link(call: Call, body: NewReportLinkBody) -> CreatedReportLink:
    """Make a link that opens the report of a job without a login; it is shown once.

    It is needed only where the service keeps reports to their owners, and works in any case. It
    opens whatever report the job has, also after a rerun, until it expires or is revoked.
    """
    job = await own_job(call)
    secret = new_secret()
    valid_s = None if body.expires_in_minutes is None else body.expires_in_minutes * _MINUTE_S
    link = await call.service.storage.report_links.add(job.id, secret.digest, valid_s=valid_s)
    url = f"/reports/{job.id}.html?key={secret.raw}"
    return CreatedReportLink(**link._asdict(), url=url)


async def list_report_links(call: Call) -> ReportLinkList:
    """The links to the report of a job that are valid, newest first, without their secrets."""
    job = await own_job(call)
    links = await call.service.storage.report_links.list(job.id)
    return ReportLinkList(links=tuple(ReportLinkEntry(**link._asdict()) for link in links))


async def revoke_report_link(call: Call) -> None:
    """Revoke a link: it opens nothing from now on."""
    job = await own_job(call)
    if not await call.service.storage.report_links.revoke(job.id, call.path("link_id")):
        raise NotFound("There is no such link")


ENDPOINTS = (
    Endpoint(
        "POST",
        "/api/v1/jobs/{job_id}/links",
        create_report_link,
        "Make a link to the report of a job",
        "reports",
        status=HTTPStatus.CREATED,
        needs_login=True,
        errors=OWN | {409: "The report has as many links as it may have"},
    ),
    Endpoint(
        "GET",
        "/api/v1/jobs/{job_id}/links",
        list_report_links,
        "List the links to the report of a job",
        "reports",
        needs_login=True,
        errors=OWN,
    ),
    Endpoint(
        "DELETE",
        "/api/v1/jobs/{job_id}/links/{link_id}",
        revoke_report_link,
        "Revoke a link to the report of a job",
        "reports",
        status=HTTPStatus.NO_CONTENT,
        needs_login=True,
        errors=_LINK_OWN,
    ),
)
