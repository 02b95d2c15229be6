"""What a piece of work costs, told so that a slow or busy machine fails no test.

Tests bound how costs grow, or allow many times what is usual: seconds are for ``benchmarks/``.
"""

import time
from collections.abc import Callable


def least_cpu_s(work: Callable[[], object], times: int = 3) -> float:
    """Least CPU time of this thread (s) in some runs of the same work."""

    def cost_s() -> float:
        before_s = time.thread_time()
        work()
        return time.thread_time() - before_s

    return min(cost_s() for _ in range(times))
