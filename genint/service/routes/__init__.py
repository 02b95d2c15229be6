"""All endpoints of the service, in the order of the document."""

from genint.service.endpoint import Endpoint
from genint.service.routes import (
    accounts,
    api_keys,
    dark_genes,
    documents,
    jobs,
    reports,
    result_files,
    status,
)

ENDPOINTS: tuple[Endpoint, ...] = (
    *status.ENDPOINTS,
    *accounts.ENDPOINTS,
    *api_keys.ENDPOINTS,
    *jobs.ENDPOINTS,
    *result_files.ENDPOINTS,
    *dark_genes.ENDPOINTS,
    *reports.ENDPOINTS,
    *documents.ENDPOINTS,
)

__all__ = ["ENDPOINTS"]
