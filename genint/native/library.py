"""The library that is compiled from the C files beside this one."""

from __future__ import annotations

import ctypes
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from numpy.typing import NDArray

_SUFFIX: Final = {"win32": ".dll", "darwin": ".dylib"}
LIBRARY: Final = Path(__file__).with_name(f"_native{_SUFFIX.get(sys.platform, '.so')}")
"""What ``hatch_build.py`` compiles."""


@cache
def library() -> ctypes.CDLL:
    """The compiled functions; they run without the interpreter's lock.

    Raises:
        OSError: the installation is not complete.
    """
    loaded = ctypes.CDLL(str(LIBRARY))
    for name in ("genint_ungapped", "genint_band", "genint_start_table"):
        getattr(loaded, name).restype = ctypes.c_int64
    for name in ("genint_kinds", "genint_alike", "genint_segments"):
        getattr(loaded, name).restype = None
    loaded.genint_subnormals_as_zero.restype = ctypes.c_uint64
    loaded.genint_restore_subnormals.restype = None
    return loaded


def pointer(array: NDArray[Any]) -> ctypes.c_void_p:
    """Of the first item of an array without gaps, which has to live as long."""
    if not array.flags.c_contiguous:
        raise ValueError("the items of an array do not lie one behind the other")
    return ctypes.c_void_p(array.ctypes.data)
