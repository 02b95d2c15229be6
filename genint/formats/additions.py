"""What genint wrote into a GenBank feature, told apart from what the file says itself.

genint marks what it writes: every note of it begins with ``genint:``, and the last of them
lists the other qualifiers that it added, name and value. So they are known wherever an
editor moves them, and one that a curator changes is the curator's from then on. Readers
leave out what is marked (it must not become evidence for itself), writers replace it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from genint.formats.annotation import RawFeature
from genint.model.genome import Qualifier

NOTE_START: Final = "genint: "
"""How every note of genint begins; no tool but genint should write such notes."""
AUTOMATIC: Final = "[Evidence IEA]"
"""Behind each GO term that genint adds: inferred from electronic annotation."""
MARK: Final = '"genint:'
"""What a text with such notes holds, however they are wrapped."""

_LIST_START: Final = re.compile(r"genint: version \S+ added: ")
_GO_QUALIFIER: Final = re.compile(r"GO_\w+")
_GO_ID: Final = re.compile(r"GO:\d{7}")
_GO_GROUNDS: Final = re.compile(r"\[(?:evidence|pmid|goid|go_?ref)[^\]]*\]", re.IGNORECASE)
"""What a qualifier of a GO term says of its grounds, blanks left out."""


def additions_note(version: str, added: Iterable[Qualifier]) -> str:
    """Value of the note that lists what was added to a feature besides notes.

    Args:
        version: Of genint.
        added: With the values as written.
    """
    return f"{NOTE_START}version {version} added: " + "; ".join(_entry(one) for one in added)


def is_ours(qualifiers: Sequence[Qualifier]) -> tuple[bool, ...]:
    """For each qualifier of a feature whether genint wrote it and nobody changed it since.

    Args:
        qualifiers: Values on one line, quotes and line breaks resolved.

    Cost: O(length).
    """
    notes = [one.name == "note" and _is_note(one.value) for one in qualifiers]
    if not any(notes):
        return tuple(notes)
    listed = "".join(
        f";{_packed(one.value[found.end() :])};"
        for one, ours in zip(qualifiers, notes, strict=True)
        if ours and one.value and (found := _LIST_START.match(one.value))
    )
    return tuple(
        ours or f";{_packed(_entry(one))};" in listed
        for one, ours in zip(qualifiers, notes, strict=True)
    )


def without_additions(feature: RawFeature) -> RawFeature:
    """The feature as it was before genint wrote into it; itself where genint did not."""
    ours = is_ours(feature.qualifiers)
    if not any(ours):
        return feature
    kept = (one for one, mine in zip(feature.qualifiers, ours, strict=True) if not mine)
    return feature._replace(qualifiers=tuple(kept))


def _is_note(value: str | None) -> bool:
    return value is not None and value.startswith(NOTE_START.rstrip())


def _entry(qualifier: Qualifier) -> str:
    """How the list names a qualifier; a GO term by its id, as names of terms change.

    Grounds of its own make a term another one: a curator put them there.
    """
    value = qualifier.value or ""
    term = _GO_ID.match(value) if _GO_QUALIFIER.fullmatch(qualifier.name) else None
    if term:
        grounds = _GO_GROUNDS.findall(_packed(value))
        value = " ".join([term[0], *(one for one in grounds if one != _packed(AUTOMATIC))])
    # the list is cut at semicolons
    return f"{qualifier.name} {value}".replace(";", ",")


def _packed(text: str) -> str:
    """Without blanks: wrapping may add some, inside long words too."""
    return "".join(text.split())
