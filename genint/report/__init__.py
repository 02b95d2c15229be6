"""A result as Markdown, JSON and more; nothing here computes anything new."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
