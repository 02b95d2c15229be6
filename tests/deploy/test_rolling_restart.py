"""Services on one database, restarted in turn behind a proxy."""

from __future__ import annotations

import os

import pytest

from benchmarks.service.proxy import NGINX
from benchmarks.service.rolling import restart_in_turn
from benchmarks.service.running import Site

TINY = (
    b">tiny\n" + b"ATGAAACGTATTAGCACCACCATTACCACCACCATCACCATTACCACAGGTAACGGTGCGGGCTGA" * 8 + b"\n"
)


@pytest.mark.slow
@pytest.mark.skipif(not NGINX and not os.environ.get("CI"), reason="nginx is not installed")
def test_no_request_fails_and_no_job_is_lost_while_two_services_are_restarted_in_turn(
    tmp_path, postgresql_url, redis_url, pressed
):
    environment = {
        "DATABASE_URL": postgresql_url,
        "REDIS_URL": redis_url,
        "JWT_SECRET": "x" * 64,
        "GENINT_DATA_DIR": str(tmp_path / "data"),
        "GENINT_CACHE_DIR": str(pressed),
        "GENINT_CACHE_MB": "100",
    }
    site = Site("PostgreSQL", environment, tmp_path)
    rolled = restart_in_turn(site, TINY, settle_s=0.2, submit_every=80)
    assert rolled.failures == ()
    assert rolled.lost_jobs == 0
    assert rolled.requests > rolled.jobs > 0
    assert len(rolled.restart_s) == 2
