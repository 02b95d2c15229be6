"""All endpoints of the service, in the order of the document."""

from genint.service.endpoint import Endpoint
from genint.service.routes import accounts, jobs, pages, reports

ENDPOINTS: tuple[Endpoint, ...] = (
    *pages.STATUS_ENDPOINTS,
    *accounts.ENDPOINTS,
    *accounts.API_KEY_ENDPOINTS,
    *jobs.ENDPOINTS,
    *reports.RESULT_FILE_ENDPOINTS,
    *jobs.DARK_GENE_ENDPOINTS,
    *reports.ENDPOINTS,
    *pages.ENDPOINTS,
)

__all__ = ["ENDPOINTS"]
