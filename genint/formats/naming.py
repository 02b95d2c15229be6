"""Names made unique."""

from __future__ import annotations

from collections.abc import Sequence


def unique_names(stems: Sequence[str]) -> tuple[str, ...]:
    """Each stem as it is the first time, with ``_2``, ``_3`` ... when it comes again.

    A suffixed name never takes one that stands among the stems itself, so that
    ``a, a, a_2`` gives ``a, a_3, a_2``.

    Cost: O(n).
    """
    reserved = set(stems)
    used: set[str] = set()
    next_number: dict[str, int] = {}
    names: list[str] = []
    for stem in stems:
        name = stem
        number = next_number.get(stem, 2)
        while name in used or (name != stem and name in reserved):
            name = f"{stem}_{number}"
            number += 1
        next_number[stem] = number
        used.add(name)
        names.append(name)
    return tuple(names)
