"""Settings from the environment; no other file reads it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Self


@dataclass(frozen=True, slots=True)
class Settings:
    """What the environment decides.

    Attributes:
        cache_folder: Where pressed profiles are kept; safe to delete at any time.
            ``GENINT_CACHE_DIR``, else the platform's user cache folder.
    """

    cache_folder: Path

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] | None = None) -> Self:
        """Read the settings; pass a mapping instead of the real environment in tests."""
        values = os.environ if environment is None else environment
        chosen = values.get("GENINT_CACHE_DIR")
        if chosen:
            return cls(cache_folder=Path(chosen).expanduser())
        from platformdirs import user_cache_path  # noqa: PLC0415 - only needed here

        return cls(cache_folder=user_cache_path("genint", appauthor=False))
