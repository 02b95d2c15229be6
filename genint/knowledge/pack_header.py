"""What a profile pack says of itself, read without the libraries that read its profiles.

The layout is that of :mod:`genint.knowledge.pack`.
"""

from __future__ import annotations

import struct
from typing import NamedTuple

from genint.errors import UnavailableError

FORMAT_VERSION = 2
_READABLE_VERSIONS = (1, 2)
MAGIC = b"GIPROFIL"
HEADER = struct.Struct("<8sHIQ32s")
STEPS = struct.Struct("<H")
"""Behind the header, since format 2."""
HEADER_BYTES = HEADER.size + STEPS.size
"""So many bytes of a file are enough for :func:`read_header`."""
FINEST_STEPS = 12
"""Per bit. Finer ones would put probabilities that HMMER scores beyond the byte; format 1
had these."""


class PackHeader(NamedTuple):
    """What a pack says of itself.

    Attributes:
        format_version: Of the layout.
        profiles: How many it holds.
        payload_bytes: Size when unpacked.
        digest: SHA-256 of what was packed, hex: its identity.
        steps_per_bit: How finely probabilities are kept.
    """

    format_version: int
    profiles: int
    payload_bytes: int
    digest: str
    steps_per_bit: int

    @property
    def size_bytes(self) -> int:
        """Length of the header itself."""
        return HEADER.size if self.format_version == 1 else HEADER.size + STEPS.size


def read_header(packed: bytes) -> PackHeader:
    """Read what a pack says of itself; needs its first bytes only.

    Raises:
        UnavailableError: not a pack, or of a version that is not known here.
    """
    if len(packed) < HEADER.size or not packed.startswith(MAGIC):
        raise UnavailableError("the profile pack is damaged: it has no header")
    _, version, profiles, payload_bytes, digest = HEADER.unpack_from(packed)
    if version not in _READABLE_VERSIONS:
        raise UnavailableError(
            f"the profile pack has format {version}, this version reads "
            f"{' and '.join(map(str, _READABLE_VERSIONS))}"
        )
    steps_per_bit = FINEST_STEPS
    if version > 1:
        if len(packed) < HEADER.size + STEPS.size:
            raise UnavailableError("the profile pack is damaged: its header is cut off")
        (steps_per_bit,) = STEPS.unpack_from(packed, HEADER.size)
    if not 1 <= steps_per_bit <= FINEST_STEPS:
        raise UnavailableError(f"the profile pack is damaged: it has {steps_per_bit} steps a bit")
    return PackHeader(version, profiles, payload_bytes, digest.hex(), steps_per_bit)
