"""An upload from its first byte to a file that is ready to be committed.

Names, sizes and the beginning of the content are judged while the bytes come in, so a
wrong file is refused as early as it can be. Unpacking and digesting happen in a thread;
the event loop only cuts the form.
"""

from __future__ import annotations

import asyncio
import datetime
import unicodedata
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import aclosing, contextmanager
from dataclasses import dataclass
from typing import NoReturn

from genint.errors import (
    BusyError,
    FormatError,
    InvalidRequest,
    InvalidValue,
    UnsupportedUpload,
    UsageError,
)
from genint.model.interpretation import checked_date
from genint.model.locus_tags import checked_prefix
from genint.service.multipart_form import (
    FileBegin,
    FileBytes,
    FileEnd,
    FormEvent,
    Limits,
    TextField,
    is_form,
    read_form,
)
from genint.service.upload_checks import ContentCheck, GenomeCheck, ProteinCheck
from genint.storage import PROTEINS, UploadFile

EXTENSIONS = (".gb", ".gbk", ".gbff", ".genbank", ".fa", ".fasta", ".fna")
_COMPRESSED = ".gz"
_MAX_NAME_CHARACTERS = 255
_PIECE_BYTES = 1 << 20
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
"""Unicode categories that show nothing or change how what follows is shown: control
and formatting characters (writing direction too), surrogates, unassigned ones."""

_YES = frozenset({"true", "1", "on", "yes"})
_NO = frozenset({"false", "0", "off", "no"})
_MODES = ("offline", "local", "online")
_TEXT_FIELDS = frozenset({"phage_mode", "mode", "ignore_annotations", "locus_tag_prefix", "date"})
_FILE = ("body", "file")
_FILES = frozenset({"file", "proteins"})


@dataclass(frozen=True, slots=True)
class ReceivedProteins:
    """Proteins of the user's own, as they came with a genome.

    Attributes:
        filename: For display, as that of the genome.
        file: All bytes are in it; who gets this commits or discards it.
        size_bytes: Of the file as it came.
        sha256: Of the same, hex.
    """

    filename: str
    file: UploadFile
    size_bytes: int
    sha256: str


@dataclass(frozen=True, slots=True)
class ReceivedUpload:
    """A form that was read to its end and found good.

    Attributes:
        filename: For display: no folders, no control characters, 255 at most.
        phage_mode: Recover nested genes.
        mode: ``offline``, ``local`` or ``online``.
        ignore_annotations: Predict and interpret genes of the file afresh.
        locus_tag_prefix: By the rules of the INSDC; None where none was given.
        date: Of the run; None where none was given.
        file: All bytes are in it; who gets this commits or discards it.
        size_bytes: Of the file as it came.
        sha256: Of the same, hex.
        bases: Of the genome, as far as they can be counted without parsing it.
        proteins: To compare with; None where none came.
    """

    filename: str
    phage_mode: bool
    mode: str
    ignore_annotations: bool
    locus_tag_prefix: str | None
    date: datetime.date | None
    file: UploadFile
    size_bytes: int
    sha256: str
    bases: int
    proteins: ReceivedProteins | None = None


async def receive_upload(
    content_type: str | None,
    content_length: int | None,
    chunks: AsyncIterator[bytes],
    open_file: Callable[[str], UploadFile],
    limits: Limits,
) -> ReceivedUpload:
    """Read a form with a genome and check all that can be checked without parsing it.

    Args:
        content_type: Header of the request.
        content_length: Header of the request.
        chunks: Of the body, as they come, not decoded.
        open_file: Gives a file for an extension such as ``.gb.gz``; called once for the genome,
            and once for proteins that come with it.
        limits: What is too much.

    Raises:
        BadRequest: the form is broken.
        InvalidRequest: a field is missing or wrong, or a file is not what it has to be.
        UnsupportedUpload: the file's extension, or a content encoding.
        TooLarge: the file or its decompressed text.
        RequestTimeout: the body came too slowly.
        BusyError: the file cannot be written now.

    Whatever is raised, cancellation too, the files are gone then.
    """
    if content_type is None or not is_form(content_type):
        _refuse_missing()
    receiver = _Receiver(open_file, limits, content_length)
    try:
        form = read_form(content_type, content_length, chunks, limits)
        async with aclosing(form) as events:
            async for event in events:
                await receiver.take(event)
        return receiver.received()
    except BaseException:
        await receiver.discard()
        raise


class _Receiver:
    """What a form holds, as far as it has come."""

    def __init__(
        self, open_file: Callable[[str], UploadFile], limits: Limits, content_length: int | None
    ) -> None:
        self._open_file = open_file
        self._limits = limits
        self._content_length = content_length
        self._fields: dict[str, str] = {}
        self._genome: tuple[UploadFile, GenomeCheck] | None = None
        self._proteins: tuple[UploadFile, ProteinCheck] | None = None
        self._receiving: tuple[str, UploadFile, ContentCheck] | None = None
        self._pending = bytearray()

    async def take(self, event: FormEvent) -> None:
        """The next thing of the form; unknown fields are passed over."""
        match event:
            case FileBytes(content) if self._receiving:
                self._pending += content
                if len(self._pending) >= _PIECE_BYTES:
                    await self._write()
            case FileBegin("file", filename):
                await self._begin_genome(filename)
            case FileBegin("proteins", filename):
                await self._begin_proteins(filename)
            case FileBegin(name, _) if name in _TEXT_FIELDS:
                _refuse(("body", name), "must be text, not a file", "string_type")
            case FileEnd() if self._receiving:
                await self._write(is_last=True)
                self._receiving = None
            case TextField(name, value) if name in _FILES and (name == "file" or value.strip()):
                reason = "must be a file: the part has no filename"
                _refuse(("body", name), reason, "file_type")
            case TextField(name, value) if name in _TEXT_FIELDS:
                self._fields[name] = value

    def received(self) -> ReceivedUpload:
        """The form when it has ended, with every field that is wrong in one answer."""
        if self._genome is None:
            _refuse_missing()
        wrong: list[InvalidValue] = []
        phage_mode = self._truth("phage_mode", wrong)
        afresh = self._truth("ignore_annotations", wrong)
        mode = _mode(self._fields.get("mode", "offline"), wrong)
        prefix = _prefix(self._fields.get("locus_tag_prefix", ""), wrong)
        dated = _date(self._fields.get("date", ""), wrong)
        if wrong:
            raise InvalidRequest(*wrong)
        file, check = self._genome
        return ReceivedUpload(
            filename=check.source,
            phage_mode=phage_mode,
            mode=mode,
            ignore_annotations=afresh,
            locus_tag_prefix=prefix,
            date=dated,
            file=file,
            size_bytes=check.size_bytes,
            sha256=check.sha256.hexdigest(),
            bases=check.counter.bases,
            proteins=self._received_proteins(),
        )

    def _received_proteins(self) -> ReceivedProteins | None:
        if self._proteins is None:
            return None
        file, check = self._proteins
        return ReceivedProteins(check.source, file, check.size_bytes, check.sha256.hexdigest())

    def _truth(self, name: str, wrong: list[InvalidValue]) -> bool:
        """A field that is true or false; false where it is not there."""
        word = self._fields.get(name, "false").strip().lower()
        if word not in _YES | _NO:
            reason = "must be true or false"
            wrong.append(InvalidValue(("body", name), reason, "bool_parsing"))
        return word in _YES

    async def discard(self) -> None:
        """Remove the files, if there are any; a cancelled wait does not keep them."""
        files = [one[0].discard() for one in (self._genome, self._proteins) if one is not None]
        await asyncio.shield(asyncio.gather(*files))

    async def _begin_genome(self, filename: str) -> None:
        if self._genome is not None:
            _refuse(_FILE, "must be one file", "too_long")
        if not filename:
            _refuse_missing()
        name = shown_name(filename)
        file = self._open_file(_extension(name))
        check = GenomeCheck(name, body_bytes=self._content_length, limits=self._limits)
        self._genome = file, check
        await self._begin("file", file, check)

    async def _begin_proteins(self, filename: str) -> None:
        if not filename:  # a form whose field for them is left empty
            return
        if self._proteins is not None:
            _refuse(("body", "proteins"), "must be one file", "too_long")
        file = self._open_file(PROTEINS)
        name = shown_name(filename) or "proteins"
        check = ProteinCheck(name, body_bytes=self._content_length, limits=self._limits)
        self._proteins = file, check
        await self._begin("proteins", file, check)

    async def _begin(self, field: str, file: UploadFile, check: ContentCheck) -> None:
        self._receiving = field, file, check
        with _faults_of_file(field):
            await file.open()

    async def _write(self, *, is_last: bool = False) -> None:
        if self._receiving is None:
            raise AssertionError("bytes of a file come behind its beginning")
        field, file, check = self._receiving
        piece = bytes(self._pending)
        self._pending.clear()
        with _faults_of_file(field):
            await asyncio.to_thread(check.feed, piece)
            await file.write(piece)
            if is_last:
                await asyncio.to_thread(check.finish)


@contextmanager
def _faults_of_file(field: str) -> Iterator[None]:
    """What is wrong with the content of a file is reported for its field."""
    try:
        yield
    except FormatError as fault:
        message = f"{fault.reason} ({fault.cure})" if fault.cure else fault.reason
        raise InvalidRequest(InvalidValue(("body", field), message, fault.code)) from fault
    except OSError as problem:
        raise BusyError(f"An upload cannot be written: {problem.strerror}") from problem


def shown_name(filename: str) -> str:
    """The name of a file for display: its last component, readable, 255 characters at most.

    A name that is too long loses the end of its stem, not its extension.
    """
    seen = "".join(
        character for character in filename if unicodedata.category(character) not in _UNSEEN
    )
    name = seen.replace("\\", "/").rpartition("/")[2].strip()
    if len(name) <= _MAX_NAME_CHARACTERS:
        return name
    extension = _known_extension(name)
    return name[: _MAX_NAME_CHARACTERS - len(extension)] + extension


def _known_extension(name: str) -> str:
    """Such as ``.gb`` or ``.gb.gz``, as written in the name; empty where there is none."""
    lower = name.lower()
    compressed = _COMPRESSED if lower.endswith(_COMPRESSED) else ""
    stem = lower.removesuffix(_COMPRESSED)
    found = next((ending for ending in EXTENSIONS if stem.endswith(ending)), "")
    return name[-len(found + compressed) :] if found else ""


def _extension(name: str) -> str:
    extension = _known_extension(name).lower()
    if not extension:
        known = ", ".join(EXTENSIONS)
        raise UnsupportedUpload(
            f"The file name must end in one of {known}, or one of these and .gz"
        )
    return extension


def _mode(text: str, wrong: list[InvalidValue]) -> str:
    if text not in _MODES:
        reason = f"must be one of {', '.join(_MODES)}"
        wrong.append(InvalidValue(("body", "mode"), reason, "enum"))
    return text


def _prefix(text: str, wrong: list[InvalidValue]) -> str | None:
    """A field of a form that is left empty is sent as nothing."""
    if not text.strip():
        return None
    try:
        return checked_prefix(text.strip())
    except UsageError as fault:
        wrong.append(InvalidValue(("body", "locus_tag_prefix"), str(fault), "value_error"))
        return None


def _date(text: str, wrong: list[InvalidValue]) -> datetime.date | None:
    if not text.strip():
        return None
    try:
        return checked_date(datetime.date.fromisoformat(text.strip()))
    except ValueError:
        reason, kind = "must be a day that exists, as YYYY-MM-DD", "date_parsing"
    except UsageError as fault:
        reason, kind = str(fault), "value_error"
    wrong.append(InvalidValue(("body", "date"), reason, kind))
    return None


def _refuse_missing() -> NoReturn:
    _refuse(_FILE, "a file is required", "missing")


def _refuse(location: tuple[str | int, ...], reason: str, kind: str) -> NoReturn:
    raise InvalidRequest(InvalidValue(location, reason, kind))
