"""Regular feature tables through gb-io."""

from __future__ import annotations

import io
from collections.abc import Iterable
from typing import Any

from genint.formats.annotation import KEYS_READ, RawFeature, RawLocation, RawPart, clean_value
from genint.formats.flatfile import FEATURE_START, RecordText
from genint.model.genome import Qualifier


def gb_io_features(record: RecordText) -> tuple[RawFeature, ...] | None:
    """What gb-io reads; None where it stops or counts other features than there are."""
    import gb_io  # noqa: PLC0415 - only GenBank files need it; keeps starting up fast

    frame = (
        "LOCUS       X                          1 bp    DNA     linear   UNK 01-JAN-2000\n"
        f"FEATURES             Location/Qualifiers\n{record.table.rstrip()}\n"
        "ORIGIN\n        1 a\n//\n"
    )
    try:
        [parsed] = gb_io.load(io.BytesIO(frame.encode("utf-8")))
    except (KeyboardInterrupt, SystemExit, MemoryError):
        raise
    except BaseException:  # noqa: BLE001 - a panic of the Rust library is a BaseException
        return None
    lines = _start_lines(record)
    if len(lines) != len(parsed.features):
        return None
    return tuple(
        RawFeature(feature.kind, _from_gb_io(feature.location), _qualifiers(feature), line)
        for feature, line in zip(parsed.features, lines, strict=True)
        if feature.kind in KEYS_READ
    )


def _start_lines(record: RecordText) -> list[int]:
    """The line that each feature starts on."""
    lines: list[int] = []
    line, seen = record.table_line, 0
    for found in FEATURE_START.finditer(record.table):
        line += record.table.count("\n", seen, found.start())
        seen = found.start()
        lines.append(line)
    return lines


def _qualifiers(feature: Any) -> tuple[Qualifier, ...]:
    return tuple(
        Qualifier(name, None if value is None else clean_value(name, value))
        for name, value in ((item.key, item.value) for item in feature.qualifiers)
    )


def _from_gb_io(location: Any) -> RawLocation:
    return RawLocation(tuple(_parts_of(location, reverse=False)))


def _parts_of(location: Any, *, reverse: bool) -> Iterable[RawPart]:
    """Flatten gb-io's tree; a reversed join is transcribed from its last part on."""
    kind = type(location).__name__
    if kind == "Range":
        return (
            RawPart(location.start + 1, location.end, reverse, location.before, location.after),
        )
    if kind == "Complement":
        return _parts_of(location.location, reverse=not reverse)
    inner = reversed(location.locations) if reverse else location.locations
    return [part for piece in inner for part in _parts_of(piece, reverse=reverse)]
