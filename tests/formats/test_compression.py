"""A gauge of text that comes in pieces agrees with undoing the whole archive at once.

Both agree with the standard library's own readers, and stop where a file is made to do harm.
"""

from __future__ import annotations

import bz2
import gzip
import random
import struct
import time
import tracemalloc
from functools import lru_cache

import pytest

from genint.errors import FormatError
from genint.formats import HEAD_BYTES, TextGauge, decompressed
from tests.builders.cpu_cost import least_cpu_s

MB = 1 << 20


def gauged(raw: bytes, *, piece_bytes: int = MB, max_bytes: int = 10**9) -> TextGauge:
    gauge = TextGauge(source="x.gz", max_bytes=max_bytes, most_payload_bytes=len(raw))
    for at in range(0, len(raw), piece_bytes):
        gauge.feed(raw[at : at + piece_bytes])
    gauge.finish()
    return gauge


gzipped, bzipped = (lru_cache(maxsize=2)(pack) for pack in (gzip.compress, bz2.compress))

ARCHIVES = {
    "plain": lambda text: text,
    "gzip": gzipped,
    "bzip2": bzipped,
    "gzip members": lambda text: gzipped(text) + gzip.compress(b"more") + gzip.compress(b""),
    "gzip padding": lambda text: gzipped(text) + bytes(1000),
    "gzip padded member": lambda text: gzipped(text) + bytes(9) + gzip.compress(b"more"),
    "bzip2 streams": lambda text: bzipped(text) + bz2.compress(b"more"),
    "bzip2 junk": lambda text: bzipped(text) + b"trailing junk",
}


def plainly_read(raw: bytes) -> bytes:
    if raw.startswith(b"\x1f\x8b"):
        return gzip.decompress(raw)
    return bz2.decompress(raw) if raw.startswith(b"BZh") else raw


@pytest.mark.parametrize("wrap", ARCHIVES.values(), ids=ARCHIVES)
@pytest.mark.parametrize(
    "size", [0, 1, 2, 3, HEAD_BYTES, HEAD_BYTES + 1, MB - 1, MB, MB + 1, 2 * MB]
)
@pytest.mark.parametrize("kind", ["repeated", "random"])
def test_size_and_head_are_those_of_the_whole_text(wrap, size, kind):
    text = b"A" * size if kind == "repeated" else random.Random(size).randbytes(size)
    raw = wrap(text)
    whole = decompressed(raw, source="x.gz")
    assert whole == plainly_read(raw)
    for piece_bytes in (MB, 70_001) if len(raw) > 100_000 else (MB, 1, 7):
        gauge = gauged(raw, piece_bytes=piece_bytes)
        assert gauge.text_bytes == len(whole)
        assert gauge.head == whole[:HEAD_BYTES]


DAMAGED = {
    "gzip cut off": gzip.compress(b"ACGT" * 999)[:-5],
    "gzip header cut off": b"\x1f\x8b",
    "gzip only begun": gzip.compress(b"ACGT")[:11],
    "gzip wrong checksum": gzip.compress(b"ACGT" * 99)[:-8] + bytes(8),
    "gzip junk behind": gzip.compress(b"ACGT") + b"junk",
    "gzip junk inside": gzip.compress(random.Random(1).randbytes(5000))[:900] + b"\xff" * 5000,
    "gzip reserved flag": b"\x1f\x8b\x08\x20" + gzip.compress(b"ACGT")[4:],
    "gzip other method": b"\x1f\x8b\x07" + bytes(20),
    "bzip2 cut off": bz2.compress(b"ACGT" * 999)[:-5],
    "bzip2 header cut off": b"BZh",
    "bzip2 junk inside": b"BZh9" + b"junk" * 50,
    "bzip2 second stream damaged": bz2.compress(b"ACGT") + bz2.compress(b"ACGT" * 99)[:30] * 2,
    "bzip2 second stream cut off": bz2.compress(b"ACGT") + bz2.compress(b"ACGT" * 99)[:30],
}


@pytest.mark.parametrize("raw", DAMAGED.values(), ids=DAMAGED)
@pytest.mark.parametrize("piece_bytes", [MB, 1])
def test_a_damaged_archive_is_refused(raw, piece_bytes):
    with pytest.raises(FormatError, match=r"^x.gz: the compressed file is (damaged|cut off)"):
        gauged(raw, piece_bytes=piece_bytes)
    with pytest.raises(FormatError, match=r"^x.gz: the compressed file is (damaged|cut off)"):
        decompressed(raw, source="x.gz")


@pytest.mark.parametrize("compress", [gzip.compress, bz2.compress, bytes], ids=["gz", "bz2", ""])
def test_measuring_stops_at_the_limit(compress):
    raw = compress(b"ACGT" * 1_500_000)
    assert gauged(raw, max_bytes=6_000_000).is_too_large is False
    assert gauged(raw, max_bytes=5_999_999).is_too_large
    gauge = gauged(raw, max_bytes=1_000_000)
    assert gauge.is_too_large
    assert gauge.text_bytes <= 1_000_000 + MB


def test_a_file_made_to_fill_the_memory_does_not():
    raw = gzip.compress(bytes(200 * MB))
    tracemalloc.start()
    try:
        gauge = gauged(raw)
        assert gauge.is_bomb
        assert not gauge.is_too_large
        assert gauge.text_bytes <= 65 * MB
        assert tracemalloc.get_traced_memory()[1] < 5 * MB
    finally:
        tracemalloc.stop()
    with pytest.raises(FormatError, match="unpacks to more than 200 times its size"):
        decompressed(raw, source="x")


def test_such_a_file_is_found_at_its_end_where_its_size_is_not_known_before():
    raw = bz2.compress(bytes(80 * MB))
    gauge = TextGauge(source="x", max_bytes=10**9, most_payload_bytes=10**9)
    gauge.feed(raw)
    assert not gauge.is_bomb
    gauge.finish()
    assert gauge.is_bomb


CRUMBS = {
    # name: (archive, whether it is read)
    "a thousand empty gzip members": (gzip.compress(b"") * 1000, True),
    "one more": (gzip.compress(b"") * 1001, False),
    "a thousand empty bzip2 streams": (bz2.compress(b"") * 1000, True),
    "one more stream": (bz2.compress(b"") * 1001, False),
    "padded": ((gzip.compress(b"") + bytes(20)) * 1001, False),
    "999 bytes each": (gzip.compress(b"A" * 999) * 1001, False),
    "999 bytes a stream": (bz2.compress(b"A" * 999) * 1001, False),
    "1,000 bytes each": (gzip.compress(b"A" * 1000) * 1001, True),
    "1,000 bytes a stream": (bz2.compress(b"A" * 1000) * 1001, True),
    "a large one among them": (gzip.compress(b"A" * 10**6) + gzip.compress(b"") * 1000, False),
    "a large enough one": (gzip.compress(b"A" * 1_001_000) + gzip.compress(b"") * 1000, True),
    "a large one too late": (gzip.compress(b"") * 1001 + gzip.compress(b"A" * 10**7), False),
    "an end after each block": ((gzip.compress(b"A" * 2000) + gzip.compress(b"")) * 1200, True),
}


@pytest.mark.parametrize(("raw", "is_read"), CRUMBS.values(), ids=CRUMBS)
def test_many_members_of_hardly_any_text_are_refused_by_reader_and_gauge_alike(raw, is_read):
    if is_read:
        whole = decompressed(raw, source="x.gz")
        assert whole == plainly_read(raw)
        for piece_bytes in (MB, 1000, 1):
            assert gauged(raw, piece_bytes=piece_bytes).text_bytes == len(whole)
        return
    expected = r"^x.gz: the compressed file has more than 1,000 parts of hardly any text"
    with pytest.raises(FormatError, match=expected):
        decompressed(raw, source="x.gz")
    for piece_bytes in (MB, 1000, 1):
        with pytest.raises(FormatError, match=expected):
            gauged(raw, piece_bytes=piece_bytes)


@pytest.mark.parametrize("compress", [gzip.compress, bz2.compress], ids=["gz", "bz2"])
def test_a_heap_of_empty_members_costs_a_tenth_of_a_second_at_most(compress):
    raw = compress(b"") * 1_000_000

    def refused(read):
        with pytest.raises(FormatError, match="hardly any text"):
            read()

    for read in (lambda: decompressed(raw, source="x"), lambda: gauged(raw)):
        assert least_cpu_s(lambda read=read: refused(read)) < 0.1  # to read all takes seconds


@pytest.mark.parametrize("compress", [gzip.compress, bz2.compress], ids=["gz", "bz2"])
@pytest.mark.parametrize(
    "read",
    [lambda raw: decompressed(raw, source="x"), lambda raw: gauged(raw, piece_bytes=len(raw))],
    ids=["reader", "gauge"],
)
def test_a_member_costs_the_same_however_much_comes_behind_it(compress, read):
    member = compress(b"A" * 1000)

    def cost_s(members: int) -> float:
        raw = member * members
        before_s = time.thread_time()
        read(raw)
        return time.thread_time() - before_s

    assert cost_s(60_000) < 5 * 10 * cost_s(6000)


def test_blocks_of_bgzip_files_one_behind_another_are_read():
    extra = struct.pack("<BBBBIBBHBBHH", 31, 139, 8, 4, 0, 0, 255, 6, 66, 67, 2, 27)
    end = extra + b"\x03\0" + bytes(8)
    block = gzip.compress(b"ACGT" * 1000)
    raw = (block + end) * 1500
    assert end.hex() == "1f8b08040000000000ff0600424302001b0003000000000000000000"
    assert gauged(raw).text_bytes == len(decompressed(raw, source="x")) == 6_000_000


def test_long_runs_of_n_are_no_attack():
    assert gauged(gzip.compress(b"N" * 60 * MB)).text_bytes == 60 * MB


def test_blanks_that_fill_the_head_are_passed_over():
    raw = b" \n" * 200_000 + b">x\nACGT\n"
    for piece_bytes in (MB, 5000):
        assert gauged(raw, piece_bytes=piece_bytes).head.strip() == b">x\nACGT"
    assert gauged(b"\n" * 400_000).head == b"\n"
