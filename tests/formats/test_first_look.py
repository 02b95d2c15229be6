"""The first look refuses what is no genome, and never what the readers read."""

from __future__ import annotations

import bz2
import gzip
import random
from pathlib import Path

import pytest

from genint.errors import FormatError
from genint.formats import HEAD_BYTES, TextGauge, decompressed, first_look, read_genome_bytes
from genint.model import FileFormat

FASTA, GENBANK = FileFormat.FASTA, FileFormat.GENBANK
LIMIT = 2_000_000_000
PROTEIN = "MKRLAEYDLFQPIVNGTSWE" * 4


def look(raw: bytes, *, piece_bytes: int = 1 << 20) -> FileFormat:
    """What an upload does: gauge piece by piece, look as soon as the head is full."""
    gauge = TextGauge(source="x", max_bytes=LIMIT, most_payload_bytes=len(raw))
    found = None
    for at in range(0, len(raw), piece_bytes):
        gauge.feed(raw[at : at + piece_bytes])
        if gauge.has_full_head and found is None:
            found = first_look(gauge.head, source="x", is_whole=False)
    gauge.finish()
    if found is None:
        found = first_look(gauge.head, source="x", is_whole=gauge.text_bytes <= HEAD_BYTES)
    return found


WRAPPINGS = {
    "plain": lambda raw: raw,
    "gzip": lambda raw: gzip.compress(raw, 1),
    "bzip2": bz2.compress,
    "members": lambda raw: gzip.compress(raw[:900], 1) + bytes(512) + gzip.compress(raw[900:], 1),
    "CRLF": lambda raw: raw.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n"),
    "CR": lambda raw: raw.replace(b"\r\n", b"\n").replace(b"\n", b"\r"),
    "BOM": lambda raw: b"\xef\xbb\xbf" + raw,
    "blank lines": lambda raw: b"\n \r\n" + raw,
    "many blank lines": lambda raw: b"\n" * 3 * HEAD_BYTES + raw,
    "UTF-16": lambda raw: raw.decode("latin-1").encode("utf-16"),
    "UTF-16 BE": lambda raw: b"\xfe\xff" + raw.decode("latin-1").encode("utf-16-be"),
    "accents": lambda raw: raw.replace(b"phage", "ph\u00e2ge".encode()),
    "Latin-1 accents": lambda raw: raw.replace(b"phage", b"ph\xe2ge"),
}


def genomes() -> list[str]:
    folder = Path(__file__).resolve().parents[3] / "shared" / "data" / "genomes"
    return sorted(
        path.name for path in folder.glob("*") if path.is_file() and path.suffix != ".tsv"
    )


def readable(raw: bytes) -> FileFormat | None:
    """What the readers say: the format, or None where they refuse the file."""
    try:
        return read_genome_bytes(raw, "x").source.format
    except FormatError:
        return None


@pytest.mark.parametrize("name", genomes() or ["missing"])
def test_what_the_readers_read_is_never_refused(shared_data, name):
    given = (shared_data / "genomes" / name).read_bytes()
    raw = decompressed(given, source=name)
    found = readable(given)
    if found is None:
        return
    assert look(given) is found
    assert look(raw) is found
    if len(raw) < 1_000_000:
        for wrap in ("gzip", "CRLF", "CR", "BOM", "UTF-16"):
            if wrap != "UTF-16" or raw.isascii():
                assert look(WRAPPINGS[wrap](raw)) is found


@pytest.mark.parametrize("name", ["phiX174.gbk", "lambda.fasta"])
@pytest.mark.parametrize("wrap", WRAPPINGS.values(), ids=WRAPPINGS)
@pytest.mark.parametrize("piece_bytes", [1 << 20, 4099])
def test_no_wrapping_that_the_readers_undo_is_refused(examples, name, wrap, piece_bytes):
    raw = wrap((examples / name).read_bytes())
    assert look(raw, piece_bytes=piece_bytes) is readable(raw)
    assert readable(raw) is not None


@pytest.mark.parametrize("name", ["phiX174.gbk", "lambda.fasta"])
@pytest.mark.parametrize("wrap", ["plain", "BOM", "UTF-16", "UTF-16 BE", "accents", "CRLF"])
def test_a_head_may_end_anywhere(examples, name, wrap):
    text = (examples / name).read_text()
    raw = WRAPPINGS[wrap](text.encode())
    expected = readable(raw)
    assert all(
        first_look(raw[:end], source="x", is_whole=False) is expected for end in range(24, 2500)
    )


@pytest.mark.parametrize("mark", ["\u00e9", "\u20ac", "\U0001f9ec"])
@pytest.mark.parametrize("coding", ["utf-8-sig", "utf-16", "utf-8"])
def test_a_character_that_the_end_of_the_head_cuts_is_no_fault(mark, coding):
    for shift in range(8):
        raw = (f">x {'a' * shift}" + mark * 40_000 + "\nACGT\n").encode(coding)
        assert first_look(raw[:HEAD_BYTES], source="x", is_whole=False) is FASTA


def random_fasta(seed: int) -> bytes:
    """Records of IUPAC letters, many of them rare ones, of any length."""
    chance = random.Random(seed)
    records = []
    for number in range(chance.randint(1, 40)):
        letters = chance.choice(["ACGT", "ACGTRYSWKMBDHVN", "RYKMSWBDHV", "N", "acgtu-", "RYACGT"])
        bases = "".join(chance.choices(letters, k=chance.choice([1, 3, 50, 4000, 70_000])))
        width = chance.choice([1, 60, 10**6])
        lines = "\n".join(bases[at : at + width] for at in range(0, len(bases), width))
        records.append(f">r{number}\n{lines}\n")
    return "".join(records).encode()


@pytest.mark.parametrize("seed", range(60))
def test_a_head_is_judged_no_harder_than_the_whole(seed):
    raw = random_fasta(seed)
    if readable(raw) is None:
        return
    for end in (100, 1000, 5000, HEAD_BYTES, len(raw)):
        assert first_look(raw[:end], source="x", is_whole=end >= len(raw)) is FASTA


def test_a_draft_of_rare_letters_that_the_head_cuts_is_not_taken_for_a_protein():
    whole = b">a\nACGT\n>b\n" + b"RYKMSW" * 3 + b"ACGT" * 100 + b"\n"
    assert readable(whole) is FASTA
    assert first_look(whole[:29], source="x", is_whole=False) is FASTA


RECORD = b"LOCUS       X1   8 bp    DNA     linear   PHG 01-JAN-2020\nORIGIN\n  1 acgtacgt\n//\n"
GENPEPT = b"LOCUS       P1   8 aa            linear   PHG 01-JAN-2020\nORIGIN\n  1 mkrlaeyd\n//\n"
MASTER = b"LOCUS       W1   9 bp    DNA     linear   BCT 01-JAN-2020\nWGS         W1-W9\n//\n"

REFUSED = {
    # name: (text, beginning of the reason)
    "empty": (b"", "the file is empty"),
    "blank": (b" \n\t\r\n", "the file holds nothing but blanks"),
    "1 MB of newlines": (b"\n" * 1_000_000, "the file holds nothing but blanks"),
    "HTML": (b"<!DOCTYPE html>\n<html>", "this is a web page (HTML)"),
    "JSON": (b'{"a": 1}', "this is a JSON file"),
    "prose": (b"Dear colleague,\n", "neither GenBank, FASTA nor GFF3: starts with 'Dear"),
    "FASTQ": (b"@r1\nACGT\n+\nIIII\n", "this is a FASTQ file of reads"),
    "EMBL": (b"ID   X1; SV 1; linear; DNA; PHG; 10 BP.\n", "this is an EMBL file"),
    "GFF3": (b"##gff-version 3\n", "the GFF3 file holds no bases"),
    "VCF": (b"##fileformat=VCFv4.2\n", "this is a VCF variant file"),
    "SAM": (b"@HD\tVN:1.6\n", "this is a SAM alignment"),
    "PDF": (b"%PDF-1.7\n", "this is a PDF document"),
    "zip": (b"PK\x03\x04" + bytes(30), "this is a zip archive"),
    "ELF": (b"\x7fELF" + bytes(30), "this is a program"),
    "NUL": (b">x\nAC\0GT\n", "this is a binary file"),
    "UTF-32": (">x\nACGT\n".encode("utf-32"), "neither GenBank, FASTA nor GFF3"),
    "damaged UTF-16": (b"\xff\xfe>\0x", "the text is marked as UTF-16 but is damaged"),
    "no header": (b"ACGTACGT\n", "this is a sequence without a header"),
    "protein": (f">p1 terminase\n{PROTEIN}\n".encode(), "p1 is a protein"),
    "proteome": (f">p1\n{PROTEIN}\n>p2\n{PROTEIN}\n".encode() * 600, "p1 is a protein"),
    "long protein": (f">p1\n{PROTEIN * 2000}\n".encode(), "p1 is a protein"),
    "header only": (b">x\n", "no record holds a sequence"),
    "header without line end": (b">x", "no record holds a sequence"),
    "headers only": (b">x\n>y\n\n>z\n", "no record holds a sequence"),
    "gaps only": (b">x\n---\n- -\n", "no record holds a sequence"),
    "comments only": (b";a\n;b\n", "no record holds a sequence"),
    "GenPept": (GENPEPT, "P1 is a protein record (GenPept)"),
    "GenPept in lower case": (GENPEPT.replace(b"aa", b"AA"), "P1 is a protein record (GenPept)"),
    "GenPept cut off": (GENPEPT[:40], "P1 is a protein record (GenPept)"),
    "GenPept behind words": (b"A release\n\n" + GENPEPT, "P1 is a protein record (GenPept)"),
    "long GenPept": (GENPEPT + b" " * 100_000, "P1 is a protein record (GenPept)"),
    "protein behind a genome": (RECORD + GENPEPT, "P1 is a protein record (GenPept)"),
    "protein before a genome": (GENPEPT + RECORD, "P1 is a protein record (GenPept)"),
    "list of records": (RECORD.replace(b"bp", b"rc"), "X1 is the master record of an assembly"),
    "WGS master": (MASTER, "W1 is the master record of an assembly"),
    "gzip in gzip": (gzip.compress(gzip.compress(b">x\nACGT\n")), "this is a gzip file inside"),
}


@pytest.mark.parametrize(("raw", "reason"), REFUSED.values(), ids=REFUSED)
def test_what_is_no_genome_is_refused_with_its_reason(raw, reason):
    with pytest.raises(FormatError) as caught:
        look(raw)
    assert caught.value.reason.startswith(reason)
    assert caught.value.cure
    assert readable(raw) is None


def test_the_second_record_that_is_a_protein_is_named_with_its_line():
    raw = f">x\nACGT\n>p2 lysin\n{PROTEIN}\n".encode()
    with pytest.raises(FormatError, match=r"^x, line 3: p2 is a protein"):
        first_look(raw, source="x", is_whole=True)


def test_a_protein_record_is_named_as_the_reader_names_it():
    for raw in (GENPEPT, RECORD * 3 + GENPEPT):
        with pytest.raises(FormatError) as looked:
            look(raw)
        with pytest.raises(FormatError) as read:
            read_genome_bytes(raw, "x")
        assert str(looked.value) == str(read.value)


def test_a_record_that_the_head_cuts_is_not_judged_by_what_is_missing():
    whole = b"LOCUS       P1   8 aaa aa\n"
    assert first_look(whole[:21], source="x", is_whole=False) is GENBANK
    with pytest.raises(FormatError, match="P1 8 aaa is a protein record"):
        first_look(whole, source="x", is_whole=False)
    with_sequence = MASTER.replace(b"//\n", RECORD[RECORD.index(b"ORIGIN") :])
    assert readable(with_sequence) is GENBANK
    for end in range(24, len(with_sequence)):
        assert first_look(with_sequence[:end], source="x", is_whole=False) is GENBANK


DEEPER = {
    "protein behind the head": RECORD + b"\n" * HEAD_BYTES + GENPEPT,
    "digit in the sequence": b">x\nACGT2\n",
    "letter that is no nucleotide": b">x\nACGTJACGTACGTACGTACGTACGT\n",
    "GenBank cut off": b"LOCUS       X1   10 bp    DNA     linear   PHG 01-JAN-2020\nFEATURES",
    "GenBank without sequence": b"LOCUS       X1   10 bp    DNA     linear\nFEATURES\n//\n",
    "text above the header": b";comment\nACGT\n>x\nACGT\n",
}


@pytest.mark.parametrize("raw", DEEPER.values(), ids=DEEPER)
def test_a_deeper_fault_is_left_to_the_readers(raw):
    assert look(raw) in (FASTA, GENBANK)
    assert readable(raw) is None


def test_words_above_the_first_record_are_passed_over():
    raw = b"GBPHG.SEQ   Genetic Sequence Data Bank\n\nLOCUS       X1   4 bp    DNA\n"
    assert look(raw) is GENBANK
