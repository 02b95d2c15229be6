"""Feature tables: gb-io where the table is regular, biopython where it is not.

gb-io reads fast but passes over what it does not know (``one-of(1,5)..9`` becomes
two bases, text behind a closing quote is dropped). So a table goes to gb-io only
where a pattern of the regular grammar covers all of it, and its answer is taken
only where it has as many features as the table. Everything else is read feature
by feature with biopython's line reader, so that one broken feature costs no other.
"""

from __future__ import annotations

import re

from genint.formats.additions import MARK, without_additions
from genint.formats.annotation import KEYS_READ, RawFeature
from genint.formats.biopython_frontend import biopython_features
from genint.formats.codes import ReadCode, WarningLog
from genint.formats.flatfile import RecordText
from genint.formats.gb_io_frontend import gb_io_features

# Possessive (``*+``) stand single characters only: around groups that backtrack, possessive
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
# where other features lie is not asked, so their locations may be what they will
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
        log: Gets a word on every feature or qualifier that had to be mended.

    Cost: O(length); about 60 MB/s for regular tables, 5 MB/s for others.
    """
    if not record.table.strip():
        return ()
    features = gb_io_features(record) if is_regular(record.table) else None
    if features is None:
        features = biopython_features(record, contig=contig, log=log)
    return _as_before_genint(features, contig, log) if MARK in record.table else features


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


def is_regular(table: str) -> bool:
    """Whether a feature table keeps to the grammar that gb-io reads without loss."""
    end = 0
    while found := _REGULAR_FEATURE.match(table, end):
        end = found.end()
    return end > 0 and not table[end:].strip("\n")
