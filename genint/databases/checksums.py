"""Reading what publishers put beside their files: checksums, releases, dates.

All of it comes from a network and is read with limits: a document type (and with it
every entity) of an XML file is refused, fields and lists have a greatest length.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple
from xml.parsers import expat

from genint.errors import InstallError


class PublishedFile(NamedTuple):
    """What is published about a file; None for what is not.

    Attributes:
        size: Its size in bytes.
        md5: Its MD5, 32 lower-case hexadecimal digits.
    """

    size: int | None
    md5: str | None


class Release(NamedTuple):
    """A release and its date.

    Attributes:
        number: As the publisher writes it: ``38.0``, ``2026_03``, ``releases/2026-06-15``.
        date: ISO date, to the day or to the month; None if it is not published.
    """

    number: str
    date: str | None


_MOST_FILES = 10_000
_MOST_DEPTH = 20
_LONGEST_FIELD = 400
_HEAD_CHARACTERS = 8_000

_MD5_FIRST = re.compile(r"([0-9a-fA-F]{32})[ \t]+\*?(\S.*)")
_MD5_LAST = re.compile(r"MD5 ?\((.+)\) ?= ?([0-9a-fA-F]{32})")
_MD5 = re.compile(r"[0-9a-fA-F]{32}")

_PFAM_RELEASE = re.compile(r"\b(?:release|pfam)[\s:]*(?:release[\s:]*)?(\d{1,3}\.\d{1,2})\b", re.I)
_SWISSPROT_RELEASE = re.compile(r"Swiss-Prot\s+Release\s+(\d{4}_\d{2})(?:\s+of\s+(\S+))?", re.I)
_PLAIN_RELEASE = re.compile(r"[A-Za-z0-9._-]+(?: [A-Za-z0-9._-]+)*")
_UNIPROT_RELEASE = re.compile(r"\d{4}_\d{2}")

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_NAMED_DATE = re.compile(
    rf"(?:\b(\d{{1,2}})[ -])?\b({'|'.join(_MONTHS)})[a-z]*[ ,-]+(\d{{4}})\b", re.I
)
_NCBI_VERSION = re.compile(r"(\d{4}-\d{2}-\d{2})(?:\.\d+)?")
_ISO_DATE = re.compile(r"\b(\d{4}-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?)\b")


def read_md5_list(content: bytes, where: str) -> Mapping[str, PublishedFile]:
    """Read lines of an MD5 and a file name, the way round of GNU or of BSD.

    Names in folders are known by their last part too, if it has one MD5 only. Lines
    of another form are passed over.

    Args:
        content: The file.
        where: What messages call it.

    Raises:
        InstallError: no line is of that form, or a file has two checksums.
    """
    whole: dict[str, str] = {}
    last_parts: dict[str, set[str]] = {}
    for line in content.decode("utf-8", "replace").splitlines():
        if match := _MD5_FIRST.fullmatch(line.strip()):
            md5, name = match.groups()
        elif match := _MD5_LAST.fullmatch(line.strip()):
            name, md5 = match.groups()
        else:
            continue
        name, md5 = name.removeprefix("./"), md5.lower()
        if whole.setdefault(name, md5) != md5:
            raise _unusable(where, f"{_short(name)} has two checksums")
        last_parts.setdefault(name.rpartition("/")[2], set()).add(md5)
        if len(whole) > _MOST_FILES:
            raise _unusable(where, f"it lists more than {_MOST_FILES:,} files")
    if not whole:
        raise _unusable(where, "it has no line of a checksum and a file name")
    alone = {name: min(md5s) for name, md5s in last_parts.items() if len(md5s) == 1}
    return {name: PublishedFile(None, md5) for name, md5 in (alone | whole).items()}


def read_metalink(content: bytes, where: str) -> tuple[str | None, Mapping[str, PublishedFile]]:
    """Read release and files of a metalink (version 3) file.

    Args:
        content: The file.
        where: What messages call it.

    Raises:
        InstallError: it is not XML, has a document type, or names no file.
    """
    reader = _MetalinkReader(where)
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.StartDoctypeDeclHandler = reader.doctype
    parser.StartElementHandler = reader.start
    parser.EndElementHandler = reader.end
    parser.CharacterDataHandler = reader.text
    try:
        parser.Parse(content, True)
    except expat.ExpatError as cause:
        raise _unusable(where, f"it is not well-formed XML (line {cause.lineno})") from cause
    except (LookupError, ValueError) as cause:
        raise _unusable(where, "its encoding is not known") from cause
    if not reader.files:
        raise _unusable(where, "it names no file")
    return reader.release, reader.files


class _MetalinkReader:
    """Collects release, sizes and checksums while a metalink is parsed."""

    def __init__(self, where: str) -> None:
        self.where = where
        self.release: str | None = None
        self.files: dict[str, PublishedFile] = {}
        self._path: list[str] = []
        self._field = ""
        self._file: str | None = None
        self._hash_type = ""

    def doctype(self, *_: object) -> None:
        raise _unusable(self.where, "it has a document type, which is not read")

    def start(self, name: str, attributes: dict[str, str]) -> None:
        self._path.append(name.rpartition(" ")[2])
        if len(self._path) > _MOST_DEPTH:
            raise _unusable(self.where, f"it is nested more than {_MOST_DEPTH} deep")
        self._field = ""
        match self._path:
            case ["metalink", "files", "file"]:
                self._open_file(attributes.get("name", ""))
            case [*_, "hash"]:
                self._hash_type = attributes.get("type", "").lower()

    def text(self, text: str) -> None:
        self._field = (self._field + text)[: _LONGEST_FIELD + 1]

    def end(self, _: str) -> None:
        value = self._field.strip()
        match self._path:
            case ["metalink", "version"]:
                self._keep_release(value)
            case ["metalink", "files", "file", "size"]:
                self._keep_size(value)
            case ["metalink", "files", "file", "verification", "hash"]:
                self._keep_hash(value)
        self._path.pop()
        self._field = ""

    def _open_file(self, name: str) -> None:
        if not name or len(name) > _LONGEST_FIELD:
            raise _unusable(self.where, "a file of it has no name, or one that is too long")
        if name in self.files:
            raise _unusable(self.where, f"{_short(name)} appears in it twice")
        if len(self.files) >= _MOST_FILES:
            raise _unusable(self.where, f"it lists more than {_MOST_FILES:,} files")
        self._file = name
        self.files[name] = PublishedFile(None, None)

    def _keep_release(self, value: str) -> None:
        if not _UNIPROT_RELEASE.fullmatch(value):
            raise _unusable(self.where, f"{_short(value)!r} is not a release")
        self.release = value

    def _keep_size(self, value: str) -> None:
        if not (value.isascii() and value.isdigit() and len(value) <= len(str(1 << 62))):
            raise _unusable(self.where, f"{_short(value)!r} is not the size of {self._file}")
        name = self._file or ""
        self.files[name] = self.files[name]._replace(size=int(value))

    def _keep_hash(self, value: str) -> None:
        if self._hash_type != "md5":
            return
        if not _MD5.fullmatch(value):
            raise _unusable(self.where, f"{_short(value)!r} is not the MD5 of {self._file}")
        name = self._file or ""
        self.files[name] = self.files[name]._replace(md5=value.lower())


def read_pfam_notes(content: bytes, where: str, *, of: str = "Pfam") -> Release:
    """Read the release from Pfam's release notes, or from Rfam's, which look alike.

    The date is taken from the lines around the release alone: the notes name many dates.

    Args:
        content: The file.
        where: What messages call it.
        of: Whose notes they are.

    Raises:
        InstallError: no release is found near the beginning.
    """
    head = content[:_HEAD_CHARACTERS].decode("utf-8", "replace")
    lines = [line for line in head.splitlines() if line.strip()]
    for number, line in enumerate(lines):
        if match := _PFAM_RELEASE.search(line):
            return Release(match[1], _first_date(lines[number : number + 4]))
    raise _unusable(where, f"it does not name a release of {of}")


def read_uniprot_dates(content: bytes, where: str) -> Release:
    """Read the release of Swiss-Prot from UniProt's ``reldate.txt``.

    Args:
        content: The file.
        where: What messages call it.

    Raises:
        InstallError: it does not name a release of Swiss-Prot.
    """
    match = _SWISSPROT_RELEASE.search(content[:_HEAD_CHARACTERS].decode("utf-8", "replace"))
    if match is None:
        raise _unusable(where, "it does not name a release of Swiss-Prot")
    return Release(match[1], _first_date([match[2] or ""]))


def read_ncbi_version(content: bytes, where: str) -> Release:
    """Read a release that is a date with a number, such as ``2024-12-18.1``.

    Args:
        content: The file.
        where: What messages call it.

    Raises:
        InstallError: it holds something else.
    """
    text = content[:_HEAD_CHARACTERS].decode("utf-8", "replace").strip()
    match = _NCBI_VERSION.fullmatch(text)
    if match is None:
        raise _unusable(where, "it is not a date with a number")
    return Release(text, match[1])


def is_plain_release(text: str) -> bool:
    """Whether a release has letters, digits, ``.``, ``_``, ``-`` and single spaces only."""
    return len(text) <= _LONGEST_FIELD and _PLAIN_RELEASE.fullmatch(text) is not None


def _first_date(lines: Iterable[str]) -> str | None:
    for line in lines:
        if match := _ISO_DATE.search(line):
            return match[1]
        if match := _NAMED_DATE.search(line):
            day, month, year = match.groups()
            date = f"{year}-{_MONTHS.index(month.lower()) + 1:02d}"
            return f"{date}-{int(day):02d}" if day else date
    return None


class UnusableFile(InstallError):
    """What is published beside the files cannot be read.

    Attributes:
        reason: What is wrong with it.
    """

    def __init__(self, where: str, reason: str) -> None:
        super().__init__(
            f"{where} cannot be used: {reason}; try again later or give another --mirror"
        )
        self.reason = reason


def _unusable(where: str, reason: str) -> UnusableFile:
    return UnusableFile(where, reason)


def _short(text: str) -> str:
    """A piece of a foreign file that is safe in a message."""
    return "".join(each if each.isprintable() else "?" for each in text[:60])
