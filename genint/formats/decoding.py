"""Bytes of text -> text with plain line ends."""

from __future__ import annotations

import codecs

from genint.errors import FormatError
from genint.formats.codes import ReadCode, WarningLog

_UTF16_BOMS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def decoded(raw: bytes, *, source: str, log: WarningLog) -> str:
    r"""Text with ``\n`` line ends from UTF-8, UTF-16 with a mark, or Latin-1.

    Latin-1 is the last resort because it can read any bytes: names with
    accents from old files come out right, and a warning says so.

    Raises:
        FormatError: UTF-16 that is damaged.

    Cost: O(length).
    """
    if raw.startswith(_UTF16_BOMS):
        try:
            text = raw.decode("utf-16")
        except UnicodeDecodeError as cause:
            raise FormatError(
                source=source,
                line=None,
                reason="the text is marked as UTF-16 but is damaged",
                cure="save it as plain text in UTF-8",
            ) from cause
    else:
        try:
            text = raw.decode("utf-8-sig")
        except UnicodeDecodeError as fault:
            line = raw.count(b"\n", 0, fault.start) + 1
            log.add(ReadCode.NOT_UTF8, "The text is not UTF-8; read as Latin-1.", line=line)
            text = raw.decode("latin-1")
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text
