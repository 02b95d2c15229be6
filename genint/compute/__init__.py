"""The one door to worker processes: start, run, cancel, rebuild.

    async with open_backend(workers=2) as backend:
        hits = await run_with_retry(backend, search, proteins, profiles)

One worker computes in a thread of this process, more compute in processes of their
own. The caller sees the same protocol, :class:`Backend`, and the same results.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
