"""Feature tables: gb-io where the table is regular, biopython where it is not.

gb-io reads fast but passes over what it does not know (``one-of(1,5)..9`` becomes
two bases, text behind a closing quote is dropped). So a table goes to gb-io only
where a pattern of the regular grammar covers all of it, and its answer is taken
only where it has as many features as the table. Everything else is read feature
by feature with biopython's line reader, so that one broken feature costs no other.
"""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Iterable, Sequence
from typing import Any, Final

from genint.formats.genbank.flatfile import (
    FEATURE_START,
    KEYS_READ,
    RawFeature,
    RawLocation,
    RawPart,
    RecordText,
    clean_value,
    feature_start_lines,
)
from genint.formats.genbank.locations import parse_location
from genint.formats.warnings import ReadCode, WarningLog
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
_GO_EVIDENCE: Final = re.compile(r"\[(?:evidence|pmid|goid|go_?ref)[^\]]*\]", re.IGNORECASE)
"""The evidence that a qualifier of a GO term states, blanks left out."""
_MAX_LINES = 5000
"""Lines of one feature; biopython needs time with the square of it, no real one has 1000."""
# Possessive (``*+``) are single characters only: around groups that backtrack, possessive
# repeats do not match what they should before Python 3.11.5.
_RANGE = r"(?:<?\d{1,12}\.\.>?\d{1,12}|\d{1,12})(?![\d.^])"
_STRETCH = rf"(?:complement\({_RANGE}\)|{_RANGE})"
_COMMA = r",(?:\n {21})?"
_JOINED = (
    rf"join\({_STRETCH}(?:{_COMMA}{_STRETCH})+\)"
    rf"|complement\(join\({_RANGE}(?:{_COMMA}{_RANGE})+\)\)"
)
_QUOTED = r'"[^"\n]*+(?:(?:""|\n {21}(?! ))[^"\n]*+)*"'
_BRACKETED = r"\([^\n\"]*+(?:\n {21}[^/\n\" ][^\n\"]*+)*"
_VALUE = rf"={_QUOTED}|={_BRACKETED}|=[^\s\"(][^\n\"]*+|"
_QUALIFIERS = rf"(?: {{21}}/[A-Za-z_][\w\-]*+(?:{_VALUE}) *\n)*"
_KEYS = "|".join(sorted(KEYS_READ))
_FEATURE = rf"     (?=.{{15}} )(?:{_KEYS}) ++(?:{_STRETCH}|{_JOINED})(?!\S) *\n{_QUALIFIERS}"
# where other features lie does not matter, so their locations may be anything
_PASSED_OVER = (
    rf"     (?=.{{15}} )(?!(?:{_KEYS}) )[^\s/]++ ++[^\s/][^\n]*+(?:\n {{21}}[^\s/][^\n]*+)*\n"
    rf"{_QUALIFIERS}"
)
_REGULAR_FEATURE = re.compile(rf"{_FEATURE}|{_PASSED_OVER}", re.ASCII)


def read_features(record: RecordText, *, contig: str, log: WarningLog) -> tuple[RawFeature, ...]:
    """Features of a record that the builder looks at, in file order.

    What genint wrote into a feature on an earlier run is left out of it.

    Args:
        record: Text of the record.
        contig: Its id, for warnings.
        log: Gets a warning on every feature or qualifier that had to be mended.

    Cost: O(length); about 60 MB/s for regular tables, 5 MB/s for others.
    """
    if not record.table.strip():
        return ()
    features = gb_io_features(record) if is_regular(record.table) else None
    if features is None:
        features = biopython_features(record, contig=contig, log=log)
    return _as_before_genint(features, contig, log) if MARK in record.table else features


def is_regular(table: str) -> bool:
    """Whether a feature table keeps to the grammar that gb-io reads without loss."""
    end = 0
    while found := _REGULAR_FEATURE.match(table, end):
        end = found.end()
    return end > 0 and not table[end:].strip("\n")


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
    lines = feature_start_lines(record)
    if len(lines) != len(parsed.features):
        return None
    return tuple(
        RawFeature(
            feature.kind,
            RawLocation(tuple(_parts_of(feature.location, reverse=False))),
            _qualifiers(feature),
            line,
        )
        for feature, line in zip(parsed.features, lines, strict=True)
        if feature.kind in KEYS_READ
    )


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


def additions_note(version: str, added: Iterable[Qualifier]) -> str:
    """Value of the note that lists what was added to a feature besides notes.

    Args:
        version: Of genint.
        added: With the values as written.
    """
    return f"{NOTE_START}version {version} added: " + "; ".join(_entry(one) for one in added)


def is_ours(qualifiers: Sequence[Qualifier]) -> tuple[bool, ...]:
    """For each qualifier of a feature whether genint wrote it and it was not changed since.

    Args:
        qualifiers: Values on one line, quotes and line breaks resolved.

    Cost: O(length).
    """
    notes = [
        one.name == "note" and (one.value or "").startswith(NOTE_START.rstrip())
        for one in qualifiers
    ]
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


def _entry(qualifier: Qualifier) -> str:
    """How the list names a qualifier; a GO term by its id, as names of terms change.

    Evidence of its own makes a term another one: a curator put them there.
    """
    value = qualifier.value or ""
    term = _GO_ID.match(value) if _GO_QUALIFIER.fullmatch(qualifier.name) else None
    if term:
        evidence = _GO_EVIDENCE.findall(_packed(value))
        value = " ".join([term[0], *(one for one in evidence if one != _packed(AUTOMATIC))])
    # the list is cut at semicolons
    return f"{qualifier.name} {value}".replace(";", ",")


def _packed(text: str) -> str:
    """Without blanks: wrapping may add some, inside long words too."""
    return "".join(text.split())


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


def _qualifiers(feature: Any) -> tuple[Qualifier, ...]:
    return tuple(
        Qualifier(name, None if value is None else clean_value(name, value))
        for name, value in ((item.key, item.value) for item in feature.qualifiers)
    )


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


def _as_before_genint(
    features: tuple[RawFeature, ...], contig: str, log: WarningLog
) -> tuple[RawFeature, ...]:
    """Features without what genint wrote into them, which must not become evidence."""
    before = tuple(without_additions(feature) for feature in features)
    changed = sum(old is not new for old, new in zip(before, features, strict=True))
    if changed:
        log.add(
            ReadCode.WRITTEN_BY_GENINT,
            f"What genint wrote into features of {contig} on an earlier run ({changed} of them) "
            "was not read as evidence.",
            contig=contig,
        )
    return before
