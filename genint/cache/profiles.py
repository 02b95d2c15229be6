"""Pressed profiles: a profile pack in the form in which HMMER reads it at once.

Rebuilding takes some 2 s for a million nodes, reading what was pressed 0.1 s, so it is
done once and kept.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Final

from genint.cache.folders import made_once

_LAYOUT: Final = 2
_STEM: Final = "profiles"


def pressed_name(digest: str) -> str:
    """Name of the folder of the pressed profiles of a pack, for this version of pyhmmer."""
    return f"pressed-{digest[:16]}-pyhmmer{version('pyhmmer')}-{_LAYOUT}"


def pressed_profiles(
    cache_folder: Path | None, *, digest: str, press: Callable[[Path], object]
) -> Path | None:
    """Path of the pressed profiles of a pack, pressed now where they are missing.

    Args:
        cache_folder: Where caches lie, made if missing; None for no cache at all.
        digest: Identity of the pack, in hexadecimal digits; each has its own folder, as has
            each version of pyhmmer.
        press: Writes the pressed profiles to the path without suffix that it is given, as
            :func:`genint.knowledge.pressing.press` does; called only where they are missing.

    Returns:
        Path without suffix, or None where nothing can be kept there (read-only or
        full): then the profiles are rebuilt in memory.

    Damaged and half-written profiles are made anew; see
    :func:`genint.cache.folders.made_once`.

    Cost: 300 bytes of disk a node (Pfam 126 MB, families of phages 250 MB, of bacteria
    145 MB); 2.5 s to press a million nodes, 0.01 s afterwards.
    """
    folder = made_once(cache_folder, pressed_name(digest), lambda place: press(place / _STEM))
    return None if folder is None else folder / _STEM
