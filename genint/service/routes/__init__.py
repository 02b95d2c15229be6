"""All endpoints of the service, in the order of the document."""

from genint.service.endpoint import Endpoint
from genint.service.routes import (
    accounts,
    archive,
    differences,
    events,
    jobs,
    keys,
    pages,
    report_links,
    sessions,
    webhook,
)

ENDPOINTS: tuple[Endpoint, ...] = (
    *pages.STATUS_ENDPOINTS,
    *accounts.ENDPOINTS,
    *sessions.ENDPOINTS,
    *keys.ENDPOINTS,
    *jobs.ENDPOINTS,
    *events.ENDPOINTS,
    *jobs.RESULT_FILE_ENDPOINTS,
    *archive.ENDPOINTS,
    *differences.ENDPOINTS,
    *jobs.DARK_GENE_ENDPOINTS,
    *jobs.REPORT_ENDPOINTS,
    *report_links.ENDPOINTS,
    *webhook.ENDPOINTS,
    *pages.ENDPOINTS,
)

__all__ = ["ENDPOINTS"]
