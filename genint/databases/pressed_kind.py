"""Which pressed profiles the installed HMMER can read.

A pressed profile is a dump of vectors in memory. Its first four bytes, in the byte order
of the machine, name the format of HMMER (``3f``) and the vector unit (``s`` for SSE);
another HMMER refuses them. Nothing in it depends on the version of the library around
HMMER, so an upgrade of that alone costs no pressing.
Source: ``p7_oprofile_Write`` of HMMER 3 (``impl_sse/io.c``).
"""

from __future__ import annotations

import io
import platform
from functools import cache

_FAMILIES = {
    "x86_64": "x86",
    "amd64": "x86",
    "i686": "x86",
    "i386": "x86",
    "aarch64": "arm",
    "arm64": "arm",
}


@cache
def pressed_kind() -> str:
    """What is pressed here, as text to be compared: ``f3e6e6b3 x86``.

    Cost: 0.2 ms once, and loading HMMER.
    """
    from pyhmmer.easel import Alphabet, Randomness  # noqa: PLC0415 - loads HMMER
    from pyhmmer.plan7 import HMM, Background  # noqa: PLC0415 - loads HMMER

    alphabet = Alphabet.amino()
    profile = HMM.sample(alphabet, 2, Randomness(1))
    filters, parameters = io.BytesIO(), io.BytesIO()
    profile.to_profile(Background(alphabet)).to_optimized().write(filters, parameters)
    machine = platform.machine().lower()
    return f"{filters.getvalue()[:4].hex()} {_FAMILIES.get(machine, machine)}"
