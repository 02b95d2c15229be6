"""A gauge of text that comes in pieces agrees with undoing the whole archive at once."""

from __future__ import annotations

import bz2
import gzip
import random
import tracemalloc

import pytest

from genint.errors import FormatError
from genint.formats.compression import HEAD_BYTES, TextGauge, decompressed

MB = 1 << 20


def gauged(raw: bytes, *, piece_bytes: int = MB, max_bytes: int = 10**9) -> TextGauge:
    gauge = TextGauge(source="x.gz", max_bytes=max_bytes, most_payload_bytes=len(raw))
    for at in range(0, len(raw), piece_bytes):
        gauge.feed(raw[at : at + piece_bytes])
    gauge.finish()
    return gauge


ARCHIVES = {
    "plain": lambda text: text,
    "gzip": gzip.compress,
    "bzip2": bz2.compress,
    "gzip members": lambda text: gzip.compress(text) + gzip.compress(b"more") + gzip.compress(b""),
    "gzip padding": lambda text: gzip.compress(text) + bytes(1000),
    "gzip padded member": lambda text: gzip.compress(text) + bytes(9) + gzip.compress(b"more"),
    "bzip2 streams": lambda text: bz2.compress(text) + bz2.compress(b"more"),
    "bzip2 junk": lambda text: bz2.compress(text) + b"trailing junk",
}


@pytest.mark.parametrize("wrap", ARCHIVES.values(), ids=ARCHIVES)
@pytest.mark.parametrize(
    "size", [0, 1, 2, 3, HEAD_BYTES, HEAD_BYTES + 1, MB - 1, MB, MB + 1, 3 * MB]
)
@pytest.mark.parametrize("kind", ["repeated", "random"])
def test_size_and_head_are_those_of_the_whole_text(wrap, size, kind):
    text = b"A" * size if kind == "repeated" else random.Random(size).randbytes(size)
    raw = wrap(text)
    whole = decompressed(raw, source="x.gz")
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
    "gzip other method": b"\x1f\x8b\x07" + bytes(20),
    "bzip2 cut off": bz2.compress(b"ACGT" * 999)[:-5],
    "bzip2 header cut off": b"BZh",
    "bzip2 junk inside": b"BZh9" + b"junk" * 50,
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
        with pytest.raises(FormatError, match="unpacks to more than 200 times its size"):
            gauged(raw)
        assert tracemalloc.get_traced_memory()[1] < 5 * MB
    finally:
        tracemalloc.stop()


def test_such_a_file_is_found_at_its_end_where_its_size_is_not_known_before():
    raw = bz2.compress(bytes(80 * MB))
    gauge = TextGauge(source="x", max_bytes=10**9, most_payload_bytes=10**9)
    gauge.feed(raw)
    with pytest.raises(FormatError, match="unpacks to more than 200 times its size"):
        gauge.finish()


def test_long_runs_of_n_are_no_attack():
    assert gauged(gzip.compress(b"N" * 60 * MB)).text_bytes == 60 * MB


def test_blanks_that_fill_the_head_are_passed_over():
    raw = b" \n" * 200_000 + b">x\nACGT\n"
    for piece_bytes in (MB, 5000):
        assert gauged(raw, piece_bytes=piece_bytes).head.strip() == b">x\nACGT"
    assert gauged(b"\n" * 400_000).head == b"\n"
