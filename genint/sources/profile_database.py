"""Where profiles lie that proteins are searched with: a pack that ships, or what is installed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

import pyhmmer
from pyhmmer.plan7 import HMM

from genint.knowledge.pack_header import HEADER_BYTES, read_header
from genint.knowledge.shipped import PFAM_PACK, read_from, read_start

SEARCH_VERSION = 1
"""Raised with every change by which the same protein and profiles give another answer."""
_PFAM_FORWARD_P_VALUE = 1e-5
"""What HMMER asks of the Forward score before it looks for domains."""
_OWN_FORWARD_P_VALUE = 1e-6
"""The same for families of genint's own: they start from 25 bits (1e-9), and none of their
hits in eight genomes was lost by it."""


@dataclass(frozen=True, slots=True)
class ProfileDatabase:
    """Where profiles lie; small, hashable and picklable.

    Attributes:
        file: Name of the pack, or of the database that was installed.
        folder: Where the pack lies; None for what ships.
        digest: Identity of the profiles.
        profiles: How many there are.
        pressed: Path of the pressed profiles without suffix; None to rebuild them
            from the pack (some 1 s for each chunk).
        block_of: Profiles of the whole of which these are a part, for E-values; None
            where these are all.
        is_installed: There is no pack, only the pressed profiles.
    """

    file: str
    folder: Path | None
    digest: str
    profiles: int
    pressed: Path | None = None
    block_of: int | None = None
    is_installed: bool = False

    @classmethod
    def of(cls, file: str, folder: Path | None = None) -> Self:
        """A pack that ships with genint, or one of another build.

        Raises:
            UnavailableError: it is not there, damaged or of a format not known here.
        """
        header = read_header(read_start(folder, file, HEADER_BYTES))
        return cls(file, folder, header.digest, header.profiles)

    @classmethod
    def shipped(cls, pressed: Path | None = None) -> Self:
        """The Pfam pack that ships with genint."""
        return replace(cls.of(PFAM_PACK), pressed=pressed)

    @property
    def size(self) -> int:
        """The number of profiles that E-values refer to."""
        return self.profiles if self.block_of is None else self.block_of

    @property
    def forward_p_value(self) -> float:
        """P-value of the Forward score from which HMMER looks for domains."""
        is_pfam = self.is_installed or self.file == PFAM_PACK
        return _PFAM_FORWARD_P_VALUE if is_pfam else _OWN_FORWARD_P_VALUE

    @property
    def identity(self) -> str:
        """All that answers of a search with these profiles depend on, but for the protein."""
        parts = (self.digest, self.profiles, self.size, self.forward_p_value)
        return "|".join(map(str, (*parts, f"pyhmmer {pyhmmer.__version__}", SEARCH_VERSION)))

    def rebuild(self) -> Iterator[HMM]:
        """The profiles, decoded one after the other.

        Raises:
            UnavailableError: the pack is damaged; before the first profile.
        """
        from genint.knowledge.pack import decode  # noqa: PLC0415 - loads numpy

        return decode(read_from(self.folder, self.file))
