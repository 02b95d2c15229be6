"""Irregular feature tables, feature by feature, through biopython's line reader."""

from __future__ import annotations

import warnings
from collections.abc import Iterable

from genint.formats.annotation import KEYS_READ, RawFeature, clean_value
from genint.formats.codes import ReadCode, WarningLog
from genint.formats.flatfile import FEATURE_START, RecordText
from genint.formats.locations import parse_location
from genint.model.genome import Qualifier

_MAX_LINES = 5000
"""Lines of one feature; biopython needs time with the square of it, no real one has 1000."""


def biopython_features(
    record: RecordText, *, contig: str, log: WarningLog
) -> tuple[RawFeature, ...]:
    """Feature by feature with biopython's line reader; broken qualifiers are mended."""
    features: list[RawFeature] = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # biopython warns of what is mended here anyway
        for key, line, lines in _feature_blocks(record):
            if key not in KEYS_READ:
                continue
            location, qualifier_lines = _location_and_rest(lines)
            qualifiers, mended = _read_qualifiers(key, qualifier_lines)
            if mended:
                log.add(
                    ReadCode.QUALIFIER_MENDED,
                    f"A qualifier of this {key} breaks its format: {mended[:40]!r}.",
                    contig=contig,
                    line=line,
                )
            features.append(RawFeature(key, parse_location(location), qualifiers, line))
    return tuple(features)


def _feature_blocks(record: RecordText) -> Iterable[tuple[str, int, list[str]]]:
    """Key, first line number and stripped lines (location first) of each feature."""
    key, start, block = "", 0, list[str]()
    for number, line in enumerate(record.table.split("\n"), start=record.table_line):
        content = line.strip()
        if FEATURE_START.match(line):
            if key:
                yield key, start, block
            words = content.split(None, 1)
            key, start, block = words[0], number, words[1:]
        elif content:
            block.append(content)
    if key:
        yield key, start, block


def _location_and_rest(lines: list[str]) -> tuple[str, list[str]]:
    at = next((at for at, line in enumerate(lines) if line.startswith("/")), len(lines))
    return "".join(lines[:at]), lines[at:]


def _read_qualifiers(key: str, lines: list[str]) -> tuple[tuple[Qualifier, ...], str]:
    """Qualifiers, and the first text that had to be mended ("" where none had)."""
    pairs = _scan(key, lines)
    if pairs is not None:
        return tuple(Qualifier(name, _unquoted(name, value)) for name, value in pairs), ""
    qualifiers: list[Qualifier] = []
    mended = ""
    for group in _groups(lines):
        alone = _scan(key, group)
        if alone is not None:
            qualifiers.extend(Qualifier(name, _unquoted(name, value)) for name, value in alone)
            continue
        mended = mended or group[0]
        name, _, value = group[0][1:].partition("=")
        if name.isidentifier():
            text = "\n".join([value, *group[1:]]).replace('""', "'").replace('"', " ")
            qualifiers.append(Qualifier(name, clean_value(name, text.strip())))
    return tuple(qualifiers), mended


def _groups(lines: list[str]) -> Iterable[list[str]]:
    group: list[str] = []
    for line in lines:
        if line.startswith("/") and group:
            yield group
            group = []
        group.append(line)
    if group:
        yield group


def _scan(key: str, lines: list[str]) -> list[tuple[str, str | None]] | None:
    """Biopython's reading of the lines; None where it stops or quotes do not close."""
    from Bio.GenBank.Scanner import GenBankScanner  # noqa: PLC0415 - only odd tables need it

    if not lines:
        return []
    if len(lines) > _MAX_LINES:
        return None
    try:
        _, _, pairs = GenBankScanner().parse_feature(key, ["1", *lines])
    except Exception:  # noqa: BLE001 - it raises whatever its string handling raises
        return None
    return None if any(_is_broken(name, value) for name, value in pairs) else list(pairs)


def _is_broken(name: str, value: str | None) -> bool:
    if not name or not name.replace("-", "_").isidentifier():
        return True
    if value is None or '"' not in value:
        return False
    closed = len(value) > 1 and value.startswith('"') and value.endswith('"')
    return not closed or '"' in value[1:-1].replace('""', "")


def _unquoted(name: str, value: str | None) -> str | None:
    if value is None:
        return None
    if value.startswith('"'):
        return clean_value(name, value[1:-1].replace('""', '"'))
    return clean_value(name, value.replace("\n", "") if value.startswith("(") else value)
