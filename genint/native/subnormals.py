"""Subnormal numbers as zero, while HMMER or Infernal compare sequences.

Their recurrences multiply probabilities that become ever smaller far from the alignment. Numbers
below 1e-38 are subnormal, and many processors take a hundred times as long for one. HMMER's own
programs have the processor take them for zero, in each thread; its library in Python does not.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager

from genint.native.library import library


@contextmanager
def subnormals_as_zero() -> Iterator[None]:
    """Within, the processor takes subnormal numbers for zero, in this thread and those it starts.

    Not to be held while a generator waits: whoever asked it would compute so too.

    Cost: 2 us.
    """
    before: int = library().genint_subnormals_as_zero()
    try:
        yield
    finally:
        library().genint_restore_subnormals(ctypes.c_uint64(before))
