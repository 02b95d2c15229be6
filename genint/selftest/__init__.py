"""Whether an installation works, and what to do where it does not: ``genint selftest``."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
