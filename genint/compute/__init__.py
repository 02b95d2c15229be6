"""The one door to worker processes: start, run, cancel, rebuild.

    async with open_backend(workers=2) as backend:
        hits = await run_with_retry(backend, search, proteins, profiles)

One worker computes in a thread of this process, more compute in processes of their
own. The caller sees the same protocol, :class:`Backend`, and the same results.
"""

from genint.compute.backend import Backend, balanced_chunks, run_with_retry
from genint.compute.processes import MAX_WORKERS, JobSlots, ProcessBackend, open_backend
from genint.compute.threads import ThreadBackend

__all__ = [
    "MAX_WORKERS",
    "Backend",
    "JobSlots",
    "ProcessBackend",
    "ThreadBackend",
    "balanced_chunks",
    "open_backend",
    "run_with_retry",
]
