"""Whatever the bytes: a Genome or a FormatError, in bounded time."""

from __future__ import annotations

import bz2
import gzip
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from genint.errors import FormatError
from genint.formats import read_genome_bytes
from genint.model import Genome

ROOT = Path(__file__).resolve().parent.parent.parent
PAD = b" " * 21
MAX_SECONDS = 10.0
"""CPU time of a file below 1 MB."""

RECORD = (
    b"LOCUS       X1     60 bp    DNA     circular PHG 01-JAN-2020\nDEFINITION  A phage.\n"
    b"ACCESSION   X1\nVERSION     X1.1\nSOURCE      phage\n  ORGANISM  phage one\n"
    b"            Viruses; Caudoviricetes.\nFEATURES             Location/Qualifiers\n"
    b"     source          1..60\n" + PAD + b'/organism="phage one"\n'
    b"     gene            join(51..60,1..20)\n" + PAD + b'/locus_tag="T_01"\n'
    b"     CDS             join(51..60,1..20)\n" + PAD + b'/locus_tag="T_01"\n'
    + PAD + b"/codon_start=1\n" + PAD + b"/transl_except=(pos:51..53,aa:Sec)\n"
    + PAD + b'/product="tail ""fiber""\n' + PAD + b'protein"\n' + PAD + b"/pseudo\n"
    b"     tRNA            complement(<30..>40)\n"
    b"     CDS             one-of(1,4)..30\n" + PAD + b"/transl_table=11\n"
    b"CONTIG      join(U1.1:1..60)\nORIGIN\n"
    b"        1 atgaaacgtc tggcagaata cgatctgtaa gcatgcatgc ttgcatgcat gcatgcatgc\n//\n"
)  # fmt: skip
SEEDS = (
    RECORD,
    RECORD * 2,
    b">a circular\nACGTACGTNN\n>b [topology=linear]\nacguRYKM\n;old\nACGT\n",
    gzip.compress(RECORD),
    bz2.compress(b">a\nACGT\n" * 20),
    RECORD.decode().encode("utf-16"),
    (ROOT / "examples" / "phiX174.gbk").read_bytes(),
)
TOKENS = (
    b"LOCUS", b"//", b"\n//\n", b"ORIGIN\n", b"FEATURES\n", b"CONTIG ", b"     CDS             ",
    b"join(", b"complement(", b"order(", b"one-of(", b")", b"..", b"<", b">", b"^", b",", b"1..60",
    b"0..0", b"-5..5", b"99999999999999999999..1", b"J1.1:1..9", b'"', b'""', b"/", b"=", b"/note=",
    b"/transl_except=(pos:1..3,aa:TERM)", b"/transl_table=0", b"/codon_start=3", b" bp ", b" aa ",
    b"\r", b"\r\n", b"\n", b"\t", b" ", b"\x00", b"\xff", b"\xef\xbb\xbf", b"\xe2\x80\xa8", b";",
    b"\x1f\x8b", b"BZh9", b"\xff\xfe", b"-", b"*", b"U", b"X", b"1" * 30, b"\x0c", b"\x85",
    b"\xc2\xb2",
)  # fmt: skip


@st.composite
def mutated(draw: st.DrawFn, seeds: tuple[bytes, ...] = SEEDS) -> bytes:
    """A seed after a few cuts, copies, insertions and changed bytes."""
    raw = draw(st.sampled_from(seeds))
    for _ in range(draw(st.integers(1, 8))):
        at = draw(st.integers(0, len(raw)))
        to = min(len(raw), at + draw(st.integers(0, 200)))
        kind = draw(st.sampled_from(("cut", "copy", "token", "byte", "end", "move")))
        if kind == "cut":
            raw = raw[:at] + raw[to:]
        elif kind == "copy":
            raw = raw[:to] + raw[at:to] * draw(st.integers(1, 5)) + raw[to:]
        elif kind == "token":
            raw = raw[:at] + draw(st.sampled_from(TOKENS)) + raw[at:]
        elif kind == "byte":
            raw = raw[:at] + draw(st.binary(max_size=4)) + raw[at + 1 :]
        elif kind == "end":
            raw = raw[:at] if at > 20 else raw
        else:
            raw = raw[to:] + raw[at:to] + raw[:at]
    return raw


def outcome(raw: bytes) -> Genome | FormatError:
    """What reading gives; any other error goes through."""
    try:
        return read_genome_bytes(raw, "fuzz.gbk", max_bytes=50_000_000)
    except FormatError as fault:
        return fault


def check(raw: bytes) -> None:
    """Read, and look at what came out."""
    started = time.process_time()
    found = outcome(raw)
    if isinstance(found, Genome):
        check_genome(found)
    else:
        assert found.source == "fuzz.gbk"
        assert found.reason
        assert found.line is None or found.line >= 1
    assert time.process_time() - started < MAX_SECONDS


def check_genome(genome: Genome) -> None:
    """Everything that later steps rely on."""
    assert genome.contigs
    assert len({contig.id for contig in genome.contigs}) == len(genome.contigs)
    assert len({gene.id for gene in genome.genes}) == len(genome.genes)
    for contig in genome.contigs:
        assert contig.bases
        assert not set(contig.bases) - set("ACGTRYSWKMBDHVN")
        for gene in contig.genes:
            assert gene.contig == contig.id
            assert not set(gene.protein) - set("ABCDEFGHIJKLMNOPQRSTUVWXYZ*")
            contig.coding_bases(gene)
            for part in gene.location.parts:
                first, last = part.interval.one_based(len(contig))
                assert 1 <= first <= len(contig)
                assert 1 <= last <= len(contig)


@settings(
    max_examples=250,
    deadline=None,
    database=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)
@given(mutated())
def test_damaged_files_give_a_genome_or_a_format_error(raw):
    check(raw)


@settings(max_examples=100, deadline=None, database=None, derandomize=True)
@given(st.binary(max_size=400) | st.text(max_size=400).map(str.encode))
def test_any_bytes_give_a_genome_or_a_format_error(raw):
    check(raw)


HEAVY = {
    "features": RECORD.replace(b"     tRNA", b"     CDS 1..60\n" * 30_000 + b"     tRNA"),
    "brackets": RECORD.replace(b"one-of(1,4)..30", b"join(" * 100_000),
    "choices": RECORD.replace(b"one-of(1,4)..30", b"(" + b"1," * 300_000),
    "parts": RECORD.replace(b"one-of(1,4)..30", b"join(" + b"1..60," * 100_000 + b"1..2)"),
    "qualifiers": RECORD.replace(b"/pseudo", b"/pseudo\n" * 100_000),
    "continuations": RECORD.replace(b"/pseudo\n", b"/a=b\n" + b"\tx\n" * 200_000),
    "exceptions": RECORD.replace(b"/pseudo", b"/transl_except=(pos:1..3,aa:Sec)\n" * 15_000),
    "open quotes": RECORD.replace(b"/pseudo", b'/note="a\n' * 60_000),
    "LOCUS blanks": b"LOCUS" + b" " * 900_000 + b"x",
    "records": b"LOCUS\nORIGIN\na\n" * 60_000,
    "headers": b">\nA\n" * 200_000,
    "short records": (b">a\n" + b"ACGT" * 15 + b"\n") * 15_000,
    "organisms": b">a " + b"[organism=" * 80_000 + b"\nACGT\n",
}


@pytest.mark.parametrize("raw", HEAVY.values(), ids=HEAVY)
def test_files_made_to_be_slow_are_not(raw):
    check(raw)


@pytest.mark.fuzz
@settings(
    max_examples=20_000, deadline=None, database=None, suppress_health_check=list(HealthCheck)
)
@given(mutated())
def test_long_run_on_the_seeds_of_the_project(raw):
    check(raw)


@pytest.mark.fuzz
@settings(
    max_examples=20_000, deadline=None, database=None, suppress_health_check=list(HealthCheck)
)
@given(data=st.data())
def test_long_run_on_the_oddities(data, shared_data):
    seeds = tuple(
        path.read_bytes()
        for path in sorted((shared_data / "genomes").iterdir())
        if path.stat().st_size < 40_000
    )
    check(data.draw(mutated(seeds)))
