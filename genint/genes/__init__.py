"""Contig to genes: gene finding, genetic codes, circles, nested genes."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
