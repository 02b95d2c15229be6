"""Uploads through the real reader to real files: what is taken, and what is refused with what.

The rows F1 to F39 are the usual bad uploads: files, names and forms.
"""

from __future__ import annotations

import asyncio
import bz2
import gzip
import hashlib
import io
import random
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import NamedTuple

import pytest

from genint.errors import BusyError, GenintError, InvalidRequest, RequestTimeout, TooLarge
from genint.service.multipart_form import Limits
from genint.service.upload import ReceivedUpload, receive_upload, shown_name
from genint.storage import FileStore, UploadFile
from genint.storage.files import upload_name

TYPE = "multipart/form-data; boundary=XyZ"
LIMITS = Limits(max_upload_bytes=3_000_000)
FASTA = b">x\nACGTACGTACGT\n"
GENBANK = (
    b"LOCUS       X1   12 bp    DNA     linear   PHG 01-JAN-2020\n"
    b"FEATURES             Location/Qualifiers\n"
    b'     CDS             1..12\n                     /product="p"\n'
    b"ORIGIN\n        1 atgaaacgtc tg\n//\n"
)
PROTEIN = b"MKRLAEYDLFQPIVNGTSWE" * 4


class Part(NamedTuple):
    """One part of a form; ``disposition`` follows the name."""

    name: str
    content: bytes
    disposition: str = ""
    headers: str = ""

    def raw(self) -> bytes:
        head = f'Content-Disposition: form-data; name="{self.name}"{self.disposition}\r\n'
        return b"--XyZ\r\n" + (head + self.headers).encode() + b"\r\n" + self.content + b"\r\n"


def file(content: bytes, filename: str = "x.gb", headers: str = "") -> Part:
    return Part("file", content, f'; filename="{filename}"', headers)


def form(*parts: Part) -> bytes:
    return b"".join(part.raw() for part in parts) + b"--XyZ--\r\n"


async def sliced(body: bytes, size: int):
    for at in range(0, len(body), size):
        yield body[at : at + size]


class Store(FileStore):
    """The real store, which closes at the end of a test what nobody closed."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.opened: list[UploadFile] = []

    def new_upload(self, job_id: str, extension: str) -> UploadFile:
        self.opened.append(super().new_upload(job_id, extension))
        return self.opened[-1]


@pytest.fixture
async def store(tmp_path):
    made = Store(tmp_path)
    yield made
    for upload in made.opened:
        await upload.discard()


async def send(
    store: FileStore,
    body: bytes,
    *,
    content_type: str | None = TYPE,
    limits: Limits = LIMITS,
    size: int = 1 << 16,
) -> ReceivedUpload:
    return await receive_upload(
        content_type,
        len(body),
        sliced(body, size),
        lambda extension: store.new_upload("job", extension),
        limits,
    )


def kept(store: FileStore) -> list[str]:
    return sorted(path.name for path in store.uploads.iterdir())


def zipped(content: bytes) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("x.gb", content)
    return packed.getvalue()


def gzipped(content: bytes, times: int = 1) -> bytes:
    for _ in range(times):
        content = gzip.compress(content)
    return content


def noise(size: int) -> bytes:
    return random.Random(1).randbytes(size)


TAKEN: dict[str, bytes] = {
    "F6 gzip": gzipped(GENBANK),
    "F9 members": gzipped(GENBANK[:40]) + gzipped(GENBANK[40:]),
    "bzip2": bz2.compress(GENBANK),
    "F10 CRLF": GENBANK.replace(b"\n", b"\r\n"),
    "F10 CR": GENBANK.replace(b"\n", b"\r"),
    "F10 mixed": GENBANK.replace(b"\n", b"\r\n", 3),
    "F10 no last line end": GENBANK.rstrip(),
    "F11 BOM": b"\xef\xbb\xbf" + GENBANK,
    "F12 UTF-16 LE": b"\xff\xfe" + GENBANK.decode().encode("utf-16-le"),
    "F12 UTF-16 BE": b"\xfe\xff" + GENBANK.decode().encode("utf-16-be"),
    "F13 Latin-1": GENBANK.replace(b'"p"', b'"prot\xe9ine"'),
    "F16 2.9 MB on a line": b">x\n" + b"ACGT" * 725_000 + b"\n",
    "F19 RNA": b">x\nACGUACGU\n",
    "F19 gaps": b">x\nAC--GT\n",
    "F19 digits": b">x\n1 ACGT 2\n",
    "F19 lower case": b">x\nacgtnnrykm\n",
    "F19 IUPAC": b">x\nACGTACGTRYSWKMBDHVN\n",
    "F19 all N": b">x\n" + b"N" * 9000,
    "F20 same ids": FASTA * 3,
    "F20 id of 10 kB": b">" + b"x" * 10_000 + b"\nACGT\n",
    "F20 id is a path": b">../../etc/passwd\nACGT\n",
    "F20 id is markup": b">x<script>alert(1)</script>\nACGT\n",
    "F20 id is SQL": b">x'; DROP TABLE job; --\nACGT\n",
    "F21 half of it": GENBANK[: len(GENBANK) // 2],
    "F22 no end": GENBANK.replace(b"//\n", b""),
    "F22 second cut off": GENBANK + GENBANK[:90],
    "F23 LOCUS cut": GENBANK.replace(b"   12 bp    DNA     linear   PHG 01-JAN-2020", b""),
    "F23 length lies": GENBANK.replace(b"12 bp", b"999999999 bp"),
    "F24 no ORIGIN": GENBANK[: GENBANK.index(b"ORIGIN")] + b"//\n",
    "F25 odd coordinates": GENBANK.replace(b"1..12", b"-5..0"),
    "F27 5,000 digits": GENBANK.replace(b"1..12", b"1.." + b"9" * 5000),
    "F30 many pieces": GENBANK.replace(b"1..12", b"join(" + b"1..2," * 10_000 + b"3..4)"),
    "F33 unclosed quote": GENBANK.replace(b'"p"', b'"p'),
    "F33 markup": GENBANK.replace(b'"p"', b'"</script><img onerror=alert(1)>"'),
    "F35 comments": b";old\n>x\nAC;GT\n;new\nACGT\n",
    "F35 header in a line": b">x > y >z\nACGT\n\n\nACGT\n",
    "F35 one base a line": b">x\n" + b"A\n" * 500_000,
    "F36 one base": b">x\nA\n",
}


@pytest.mark.parametrize("content", TAKEN.values(), ids=TAKEN)
async def test_what_may_be_a_genome_is_taken_byte_for_byte(store, content):
    received = await send(store, form(file(content)))
    assert received.size_bytes == len(content)
    assert received.sha256 == hashlib.sha256(content).hexdigest()
    assert await received.file.commit() == "job.gb"
    assert store.objects.path(upload_name("job.gb")).read_bytes() == content


REFUSED: dict[str, tuple[bytes, str]] = {
    # name: (content of the file, beginning of what is said)
    "F1 empty": (b"", "the file is empty"),
    "F2 blanks": (b" \t\r\n" * 9, "the file holds nothing but blanks"),
    "F2 1 MB of newlines": (b"\n" * 1_000_000, "the file holds nothing but blanks"),
    "F3 noise": (noise(1_000_000), "this is a binary file"),
    "F4 ELF": (b"\x7fELF" + noise(999), "this is a program"),
    "F4 PNG": (b"\x89PNG\r\n" + noise(999), "this is a PNG image"),
    "F4 PDF": (b"%PDF-1.7\n" + noise(999), "this is a PDF document"),
    "F4 SQLite": (b"SQLite format 3\0" + noise(99), "this is an SQLite database"),
    "F5 zip": (zipped(GENBANK), "this is a zip archive"),
    "F9 gzip twice": (gzipped(GENBANK, 2), "this is a gzip file inside another one"),
    "F9 gzip five times": (gzipped(GENBANK, 5), "this is a gzip file inside another one"),
    "gzip cut off": (gzipped(GENBANK)[:-9], "the compressed file is cut off"),
    "gzip damaged": (gzipped(GENBANK)[:30] + noise(60), "the compressed file is damaged"),
    "gzip of nothing": (gzipped(b""), "the file is empty"),
    "gzip of many members": (gzipped(b"") * 100_000, "the compressed file has more than 1,000"),
    "bzip2 of many streams": (bz2.compress(b"") * 100_000, "the compressed file has more than"),
    "F12 UTF-32": (GENBANK.decode().encode("utf-32"), "neither GenBank, FASTA nor GFF3"),
    "F14 NUL": (GENBANK.replace(b"cgtc", b"cg\0c"), "this is a binary file"),
    "F17 header only": (b">x\n", "no record holds a sequence"),
    "F18 prose": (b"Read me\n\nThese are my genomes.\n", "neither GenBank, FASTA nor GFF3"),
    "F18 HTML": (b"<!doctype html><html>404</html>", "this is a web page (HTML)"),
    "F18 JSON": (b'{"genes": []}', "this is a JSON file"),
    "F19 protein": (b">p\n" + PROTEIN, "p is a protein"),
    "F19 GenPept": (GENBANK.replace(b"bp", b"aa"), "X1 is a protein record (GenPept)"),
    "F22 end only": (b"//\n", "neither GenBank, FASTA nor GFF3"),
    "F34 EMBL": (b"ID   X56734; SV 1; linear; mRNA; STD; PLN; 1859 BP.\n", "this is an EMBL"),
    "F34 GFF3": (b"##gff-version 3\n", "the GFF3 file holds no bases"),
    "F34 FASTQ": (b"@r1\nACGT\n+\nIIII\n", "this is a FASTQ file"),
    "F34 VCF": (b"##fileformat=VCFv4.2\n", "this is a VCF"),
    "F34 SAM": (b"@HD\tVN:1.6\n", "this is a SAM"),
    "F34 ABI": (b"ABIF" + noise(99), "this is an ABI sequencing trace"),
}


@pytest.mark.parametrize(("content", "reason"), REFUSED.values(), ids=REFUSED)
async def test_what_is_no_genome_is_refused_with_a_reason(store, content, reason):
    with pytest.raises(InvalidRequest) as caught:
        await send(store, form(file(content)))
    [value] = caught.value.values
    assert value.location == ("body", "file")
    assert value.kind == "bad_format"
    assert value.message.startswith(reason)
    assert kept(store) == []


MISSING = (422, ("body", "file"), "missing")
PLAIN = file(FASTA)
FORMS: dict[str, tuple[bytes, object]] = {
    # name: (body, status or status with place and kind; True: taken)
    "fields before and after": (
        form(Part("mode", b"local"), PLAIN, Part("phage_mode", b"true")),
        True,
    ),
    "no file": (form(Part("phage_mode", b"true")), MISSING),
    "no parts": (b"--XyZ--\r\n", MISSING),
    "no file chosen": (form(file(b"", "")), MISSING),
    "other field is the file": (form(Part("genome", FASTA, '; filename="x.gb"')), MISSING),
    "F38 two files": (form(PLAIN, PLAIN), (422, ("body", "file"), "too_long")),
    "F38 file as text": (form(Part("file", FASTA)), (422, ("body", "file"), "file_type")),
    "F38 charset field": (form(Part("_charset_", b"utf-7"), PLAIN), True),
    "unknown fields": (form(Part("status", b"COMPLETED"), Part("id", b"1"), PLAIN), True),
    "unknown file": (form(Part("other", noise(99), '; filename="x"'), PLAIN), True),
    "option as a file": (
        form(Part("phage_mode", b"true", '; filename="x"'), PLAIN),
        (422, ("body", "phage_mode"), "string_type"),
    ),
    "F8 encoded part": (form(file(gzipped(FASTA), headers="Content-Encoding: gzip\r\n")), 415),
    "F38 base64": (form(file(FASTA, headers="Content-Transfer-Encoding: base64\r\n")), 400),
    "F38 cut off": (form(PLAIN)[:-20], 400),
    "F38 17 parts": (form(PLAIN, *[Part("a", b"")] * 16), 400),
    "F38 nested": (form(file(FASTA, headers="Content-Type: multipart/mixed\r\n")), 400),
    "F38 header of 20 kB": (form(file(FASTA, headers=f"X-A: {'b' * 20_000}\r\n")), 400),
    "F15 over the limit": (form(file(b">x\n" + b"A" * 3_000_000)), 413),
    "F7 bomb": (form(file(gzipped(b">x\n" + b"ACGT" * 5_000_000))), 413),
    "bzip2 bomb": (form(file(bz2.compress(b">x\n") + bz2.compress(b"ACGT" * 250_000) * 20)), 413),
    "text over the limit": (form(Part("phage_mode", b"1" * 65_000), PLAIN), 413),
}


@pytest.mark.parametrize("compress", [gzip.compress, bz2.compress], ids=["gz", "bz2"])
async def test_f7_a_bomb_is_too_large_even_where_its_text_is_within_the_limit(store, compress):
    body = form(file(compress(b">x\n" + b"A" * 70_000_000)))
    limits = Limits(max_upload_bytes=100_000_000)
    with pytest.raises(TooLarge, match="unpacks to more than 200 times its size"):
        await send(store, body, limits=limits)
    assert kept(store) == []


@pytest.mark.parametrize("compress", [bytes, gzip.compress])
@pytest.mark.parametrize(
    "content",
    [FASTA * 5, GENBANK.replace(b" 12 bp", b" 51 bp"), GENBANK * 5],
    ids=["fasta", "genbank", "many records"],
)
async def test_a_genome_of_more_bases_than_allowed_is_refused_in_words(store, content, compress):
    body = form(file(compress(content)))
    with pytest.raises(InvalidRequest, match="holds more than 50 bases") as caught:
        await send(store, body, limits=Limits(3_000_000, max_bases=50))
    assert caught.value.values[0].location == ("body", "file")
    assert kept(store) == []
    await send(store, body, limits=Limits(3_000_000, max_bases=60))


async def test_f7_a_bomb_whose_size_is_not_known_before_is_too_large_at_its_end(store):
    body = form(file(gzipped(b">x\n" + b"A" * 70_000_000)))
    limits = Limits(max_upload_bytes=100_000_000)
    with pytest.raises(TooLarge, match="unpacks to more than 200 times its size"):
        await receive_upload(
            TYPE, None, sliced(body, 65_536), lambda ext: store.new_upload("job", ext), limits
        )
    assert kept(store) == []


async def outcome(store: FileStore, body: bytes, content_type: str | None = TYPE) -> object:
    try:
        received = await send(store, body, content_type=content_type)
    except InvalidRequest as fault:
        return 422, fault.values[0].location, fault.values[0].kind
    except GenintError as fault:
        return fault.http_status
    await received.file.discard()
    return True


@pytest.mark.parametrize(("body", "expected"), FORMS.values(), ids=FORMS)
async def test_a_form_gets_the_stated_answer_and_leaves_nothing(store, body, expected):
    assert await outcome(store, body) == expected
    assert kept(store) == []


@pytest.mark.parametrize(
    "content_type", [None, "", "application/json", "text/plain", "multipart/mixed; boundary=XyZ"]
)
async def test_a_body_that_is_no_form_has_no_file(store, content_type):
    assert await outcome(store, form(PLAIN), content_type) == MISSING


async def test_a_form_without_boundary_is_broken(store):
    assert await outcome(store, form(PLAIN), "multipart/form-data") == 400


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        *[(text, True) for text in ("true", "True", "TRUE", "1", "on", "yes", " true\r\n")],
        *[(text, False) for text in ("false", "False", "0", "off", "no")],
    ],
)
async def test_phage_mode_is_read_in_every_usual_spelling(store, text, expected):
    received = await send(store, form(PLAIN, Part("phage_mode", text.encode())))
    assert received.phage_mode is expected


@pytest.mark.parametrize("text", [b"", b"2", b"truee", b"null", b"\xff", b"\xef\xbc\x91", b"t\0"])
async def test_any_other_phage_mode_is_wrong(store, text):
    found = await outcome(store, form(PLAIN, Part("phage_mode", text)))
    assert found == (422, ("body", "phage_mode"), "bool_parsing")


async def test_what_is_left_out_is_off_and_offline(store):
    received = await send(store, form(PLAIN))
    assert (received.phage_mode, received.mode) == (False, "offline")


@pytest.mark.parametrize("mode", ["offline", "local", "online"])
async def test_every_mode_is_taken(store, mode):
    assert (await send(store, form(Part("mode", mode.encode()), PLAIN))).mode == mode


@pytest.mark.parametrize("mode", [b"on-line", b"ONLINE", b"", b"OFFLINE", b"quick", b"\xff"])
async def test_any_other_mode_is_wrong(store, mode):
    assert await outcome(store, form(PLAIN, Part("mode", mode))) == (422, ("body", "mode"), "enum")


async def test_all_wrong_fields_are_told_at_once(store):
    body = form(Part("mode", b"x"), PLAIN, Part("phage_mode", b"x"))
    with pytest.raises(InvalidRequest) as caught:
        await send(store, body)
    places = [value.location for value in caught.value.values]
    assert places == [("body", "phage_mode"), ("body", "mode")]


EXTENSIONS = [".gb", ".gbk", ".gbff", ".genbank", ".fa", ".fasta", ".fna"]


@pytest.mark.parametrize("extension", EXTENSIONS)
@pytest.mark.parametrize("packed", ["", ".gz", ".GZ"])
async def test_every_supported_extension_is_taken_in_any_case(store, extension, packed):
    for name in (f"x{extension}{packed}", f"a.b{extension.upper()}{packed}"):
        received = await send(store, form(file(FASTA, name)))
        assert received.filename == name
        assert await received.file.commit() == f"job{extension}{packed.lower()}"


@pytest.mark.parametrize(
    "name",
    [
        "x.txt", "x", "x.gb.bz2", "x.gb.gz.gz", "x.gz", "x.gb.", "x.gbx", "xgb", "gb", "x.gb.exe",
        "x.embl", "x.gff", "x.zip", "x.gb/", "x.gb\\", "..", ".", "/", "x.gb;.txt",
    ],
)  # fmt: skip
async def test_any_other_extension_is_unsupported(store, name):
    assert await outcome(store, form(file(FASTA, name))) == 415
    assert kept(store) == []


SHOWN = {
    # sent: shown
    "../../etc/x.gb": "x.gb",
    "/etc/x.gb": "x.gb",
    "C:\\Users\\me\\x.gb": "x.gb",
    "..\\..\\x.gb": "x.gb",
    "a/b\\c/x.gb": "x.gb",
    "x\0.gb": "x.gb",
    "x\r\nSet-Cookie: a=b.gb": "xSet-Cookie: a=b.gb",
    "x\x1b[31m.gb": "x[31m.gb",
    "x\u202ebg.exe.gb": "xbg.exe.gb",
    "x\u200b\ufeff\u2028\u2066.gb": "x.gb",
    "x\ud800.gb": "x.gb",
    "  x.gb  ": "x.gb",
    "con.gb": "con.gb",
    ".gb": ".gb",
    "\u0411\u0430\u043a.gb": "\u0411\u0430\u043a.gb",
    "\u566c\u83cc\u4f53 1 (copy).gb": "\u566c\u83cc\u4f53 1 (copy).gb",
    "'; DROP TABLE job; --.gb": "'; DROP TABLE job; --.gb",
    "<img src=x>.gb": "<img src=x>.gb",
    "%2e%2e%2fx.gb": "%2e%2e%2fx.gb",
    "x" * 5000 + ".gb": "x" * 252 + ".gb",
    "x" * 5000 + ".Genbank.GZ": "x" * 244 + ".Genbank.GZ",
    "x" * 5000: "x" * 255,
    "x" * 255: "x" * 255,
    "a.gb/": "",
    "": "",
}


@pytest.mark.parametrize(("sent", "shown"), SHOWN.items(), ids=lambda name: ascii(name)[:30])
def test_f37_a_name_is_shown_without_folders_and_without_what_cannot_be_seen(sent, shown):
    assert shown_name(sent) == shown
    assert shown_name(shown) == shown


@pytest.mark.parametrize("sent", [name for name in SHOWN if name.isascii() and name.isprintable()])
async def test_f37_no_name_decides_where_the_file_lies(store, tmp_path, sent):
    escaped = sent.replace("\\", "\\\\") if '\\"' in sent else sent
    await outcome(store, form(file(FASTA, escaped)))
    assert kept(store) == []
    assert sorted(path.name for path in tmp_path.iterdir()) == ["reports", "scratch", "uploads"]


async def test_a_wrong_file_is_refused_before_its_end(store):
    asked = 0

    async def chunks():
        nonlocal asked
        yield form(file(b""))[:-11]
        for asked in range(1, 1000):  # noqa: B007 - counted by the loop itself
            yield b"<html>" * 10_000
        raise AssertionError("all of it was read")

    limits = Limits(max_upload_bytes=100_000_000)
    with pytest.raises(InvalidRequest, match="web page"):
        await receive_upload(TYPE, None, chunks(), lambda ext: store.new_upload("job", ext), limits)
    assert asked <= 18  # the first MB
    assert kept(store) == []


async def test_a_file_without_end_is_cut_off_at_the_limit(store):
    async def endless():
        yield form(file(b">x\n"))[:-11]
        while True:
            yield b"A" * 65_536

    async with asyncio.timeout(30):
        with pytest.raises(GenintError, match="larger than 3 MB"):
            await receive_upload(
                TYPE, None, endless(), lambda ext: store.new_upload("job", ext), LIMITS
            )
    assert kept(store) == []


class Held(UploadFile):
    """A file whose opening or writing waits until it may go on."""

    def __init__(self, store: FileStore, holds: str) -> None:
        super().__init__(store.uploads, "job.gb", store.objects)
        self.begun, self.go_on = asyncio.Event(), asyncio.Event()
        self.holds = holds

    async def hold(self, what: str) -> None:
        if what == self.holds:
            self.begun.set()
            await self.go_on.wait()

    async def _open(self) -> None:
        await self.hold("open")
        await super()._open()

    async def _write(self, content: bytes) -> None:
        await self.hold("write")
        await super()._write(content)


@pytest.mark.parametrize("holds", ["open", "write"])
async def test_a_client_that_goes_away_while_the_file_is_used_leaves_nothing(store, holds):
    held = Held(store, holds)
    body = form(file(FASTA))
    task = asyncio.create_task(receive_upload(TYPE, None, sliced(body, 99), lambda _: held, LIMITS))
    async with asyncio.timeout(30):
        await held.begun.wait()
    task.cancel()
    done, _ = await asyncio.wait([task], timeout=0.05)
    assert not done  # it waits for what was begun, or the file would be left
    held.go_on.set()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert kept(store) == []


async def test_a_body_that_stalls_leaves_nothing(store):
    async def stalling():
        yield form(file(FASTA))[:-20]
        await asyncio.Event().wait()

    limits = Limits(max_upload_bytes=1000, idle_timeout_s=0.02)
    with pytest.raises(RequestTimeout):
        await receive_upload(
            TYPE, None, stalling(), lambda ext: store.new_upload("job", ext), limits
        )
    assert kept(store) == []


async def test_a_full_disk_is_no_fault_of_the_client(store):
    class Full(UploadFile):
        async def _open(self) -> None:
            raise OSError(28, "No space left on device")

    full = Full(store.uploads, "job.gb", store.objects)
    with pytest.raises(BusyError, match="No space left"):
        await receive_upload(TYPE, None, sliced(form(PLAIN), 99), lambda _: full, LIMITS)


async def test_how_the_body_is_cut_into_chunks_does_not_matter(store):
    body = form(Part("phage_mode", b"on"), file(gzipped(GENBANK), "x.gb.gz"))
    found = set()
    for size in (1, 2, 3, 7, 64, 1000, 1 << 20):
        received = await send(store, body, size=size)
        await received.file.discard()
        found.add((received.filename, received.phage_mode, received.sha256, received.size_bytes))
    assert len(found) == 1


def genomes() -> list[str]:
    folder = Path(__file__).resolve().parents[3] / "shared" / "data" / "genomes"
    names = sorted(path.name for path in folder.glob("*"))
    endings = tuple(extension + packed for extension in EXTENSIONS for packed in ("", ".gz"))
    return [name for name in names if name.endswith(endings)]


@pytest.mark.parametrize("name", genomes() or ["missing"])
async def test_every_real_file_is_taken_or_refused_for_what_it_is(store, shared_data, name):
    refused = {
        "odd_empty_0bytes.gb": "the file is empty",
        "odd_blank_seq.gb": "NP_001832 is a protein record",
        "odd_protein_refseq_genpept.gb": "NP_034640 is a protein record",
        "odd_qualifier_escaping.gb": "NP_034640 is a protein record",
        "odd_tsa_acropora_master.gb": "GHGH01000000 is the master record",
    }
    content = (shared_data / "genomes" / name).read_bytes()
    limits = Limits(max_upload_bytes=100_000_000)
    if name in refused:
        with pytest.raises(InvalidRequest, match=refused[name]):
            await send(store, form(file(content, name)), limits=limits)
        return
    received = await send(store, form(file(content, name)), limits=limits)
    assert received.sha256 == hashlib.sha256(content).hexdigest()
    await received.file.discard()


PROGRAM = """
import asyncio, resource, sys
from pathlib import Path
from genint.service.upload import Limits, receive_upload
from genint.storage.files import FileStore

HEAD = b'--XyZ\\r\\nContent-Disposition: form-data; name="file"; filename="x.fa"\\r\\n\\r\\n>x\\n'

async def chunks(count):
    yield HEAD
    for _ in range(count):
        yield b"ACGT" * 16_384
    yield b"\\r\\n--XyZ--\\r\\n"

def peak_kb():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

async def main():
    store = FileStore(Path(sys.argv[1]))
    async def upload(count):
        received = await receive_upload(
            "multipart/form-data; boundary=XyZ", None, chunks(count),
            lambda extension: store.new_upload(f"job{count}", extension),
            Limits(max_upload_bytes=120_000_000),
        )
        await received.file.discard()
        return received.size_bytes
    await upload(32)
    before = peak_kb()
    print(await upload(1600), peak_kb() - before)

asyncio.run(main())
"""


def test_f15_memory_stays_flat_during_an_upload_of_100_mb(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(tmp_path)],
        check=True,
        capture_output=True,
        text=True,
        timeout=120,
    )
    size_bytes, grown_kb = map(int, done.stdout.split())
    assert size_bytes == 3 + 1600 * 65_536
    assert grown_kb < 20_000
