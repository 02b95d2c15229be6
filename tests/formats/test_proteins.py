"""Files of proteins: FASTA in several wordings, GenBank, and what is neither."""

from __future__ import annotations

import bz2
import gzip
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from genint.errors import FormatError
from genint.formats import read_proteins
from genint.formats.proteins import first_look_at_proteins
from genint.model import residues_digest

ONE = "MKTAYIAKQRQISFVKSHFSRQLEERLGLIEVQAPILSRVGDGTQDNLSGAEKAVQVKVKALPDAQ"
TWO = "MSLLTEVETYVLSIVPSGPLKAEIAQRLEDVFAGKNTDLEALMEWLKTRPILSPLTKGILGFVFTLTV"


def fasta(*records: tuple[str, str]) -> bytes:
    return "".join(f">{header}\n{residues}\n" for header, residues in records).encode()


def test_a_fasta_file_gives_its_proteins_in_order() -> None:
    content = fasta(("a holin", ONE[:40] + "\n" + ONE[40:]), ("b tail tube protein [Phage x]", TWO))
    one, two = read_proteins(content, "mine.faa")
    assert (one.entry.accession, one.entry.name, one.residues) == ("a", "holin", ONE)
    assert (one.entry.length_aa, one.entry.digest) == (len(ONE), residues_digest(ONE))
    assert (two.entry.name, two.entry.organism) == ("tail tube protein", "Phage x")


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress])
def test_what_is_compressed_is_known_by_its_content(pack: Callable[[bytes], bytes]) -> None:
    content = fasta(("a holin", ONE))
    assert read_proteins(pack(content), "mine.txt") == read_proteins(content, "mine.txt")


def test_wording_of_the_file_does_not_matter() -> None:
    plain = read_proteins(fasta(("a holin", ONE)), "x")
    for content in (
        fasta(("a holin", ONE.lower() + "*")),
        b"\xef\xbb\xbf" + fasta(("a holin", ONE)).replace(b"\n", b"\r\n"),
        b"; a comment\n" + fasta(("a holin", " ".join(ONE))),
        b"\n\n" + fasta(("a holin", ONE), ("empty", ""), ("stop", "*")),
    ):
        assert read_proteins(content, "x") == plain


def test_a_stop_inside_is_an_unknown_residue() -> None:
    [one] = read_proteins(fasta(("a holin", ONE + "*" + TWO + "*")), "x")
    assert one.residues == f"{ONE}X{TWO}"


def test_a_used_name_gets_a_number_and_a_repetition_is_left_out() -> None:
    content = fasta(("a holin", ONE), ("a endolysin", TWO), ("a holin", ONE), ("", ONE))
    names = [protein.entry.accession for protein in read_proteins(content, "x")]
    assert names == ["a", "a_2", "protein_4"]


def test_another_name_of_the_same_protein_is_kept() -> None:
    content = fasta(("a holin", ONE), ("a endolysin", ONE), ("a  holin", ONE), ("a_2 x", TWO))
    told = [(one.entry.accession, one.entry.name) for one in read_proteins(content, "x")]
    assert told == [("a", "holin"), ("a_3", "endolysin"), ("a_2", "x")]


def test_names_lose_what_hides_or_reorders_them_and_end_somewhere() -> None:
    hidden = "\u202eendo\x1b[31mly\u200bsin\x07"
    content = fasta((f"a {hidden}", ONE), ("b " + "kinase " * 100, TWO))
    one, two = read_proteins(content, "x")
    assert one.entry.name == "endo[31mlysin"
    assert len(two.entry.name) <= 300
    assert two.entry.name.endswith("…")


def test_a_genbank_file_gives_the_proteins_of_its_genes(shared_data: Path) -> None:
    file = shared_data / "genomes" / "lambda_NC_001416.gb"
    proteins = read_proteins(file.read_bytes(), file.name)
    assert len(proteins) == 73
    small = next(protein for protein in proteins if protein.entry.accession == "NP_040580.1")
    assert small.entry.symbol == "nu1"
    assert small.entry.name == "terminase small subunit"
    assert "ambda" in small.entry.organism
    assert small.residues.startswith("MEVNKKQLADIFGASIRTIQNWQEQGMPVLRGGGKGNEVLYDSAAVIKWYAER")


@pytest.mark.parametrize(
    ("content", "line", "reason"),
    [
        (b"", None, "is empty"),
        (b"  \n", None, "nothing but blanks"),
        (b"%PDF-1.4", None, "PDF"),
        (fasta(("a", "ACGT" * 30)), 1, "a is nucleotides, not a protein"),
        (fasta(("a", ONE), ("b", "acgtn" * 30)), 3, "b is nucleotides"),
        (fasta(("a", "ACGT"), ("b", "TTGACA")), 1, "these are nucleotides"),
        (fasta(("a", "ATGCGTNNRYKMTTAGCA" * 20)), 1, "these are nucleotides"),
        (fasta(("a", "ACGTRYSWKMBDHVACGTACGTNNACGTNNACGTUUACGTACGTACGTACGTACGTAC")), 1, "these"),
        (fasta(("a", ONE), ("b", ONE + "\nMK1")), 5, "digit '1' in the sequence of b"),
        (fasta(("a", "MKT--AY")), 2, "gap '-'"),
        (fasta(("a", "MKT€")), 2, "character"),
        (fasta(("a", "")), None, "no record has residues"),
        (ONE.encode(), 1, "."),
        (b"words of no format\n", 1, "."),
        (b"ID   MADE_ECOLI   Reviewed;   10 AA.\nAC   P1;\n", 1, "UniProt flat file"),
        (gzip.compress(fasta(("a", ONE)), mtime=0)[:-12], None, "cut off|damaged"),
    ],
)
def test_what_holds_no_proteins_is_told(content: bytes, line: int | None, reason: str) -> None:
    with pytest.raises(FormatError, match=reason) as caught:
        read_proteins(content, "folder/mine.faa")
    assert (caught.value.source, caught.value.line) == ("mine.faa", line)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (fasta(("a", "ACGT" * 30)), "nucleotides"),
        (fasta(("a", "MKT--AY")), "gap"),
        (b"%PDF-1.4", "PDF"),
    ],
)
def test_the_beginning_of_a_file_tells_what_is_wrong(content: bytes, reason: str) -> None:
    with pytest.raises(FormatError, match=reason):
        first_look_at_proteins(content, filename="mine.faa", is_whole=True)


def test_a_protein_that_the_beginning_of_a_file_breaks_off_is_no_fault() -> None:
    whole = fasta(("a", ONE), ("b", TWO))
    for end in range(1, len(whole)):
        first_look_at_proteins(whole[:end], filename="mine.faa", is_whole=False)


def test_peptides_of_letters_that_nucleotides_have_too_are_proteins() -> None:
    [one] = read_proteins(fasta(("a", "MKRSTWYVHD" * 5)), "x")
    assert one.entry.length_aa == 50


def test_the_cure_for_nucleotides_is_told() -> None:
    with pytest.raises(FormatError, match="give proteins"):
        read_proteins(fasta(("a", "ACGT" * 30)), "x")


def test_a_record_without_genes_holds_no_proteins(shared_data: Path) -> None:
    file = shared_data / "genomes" / "odd_no_cds_example.gb"
    with pytest.raises(FormatError, match="no gene has a protein"):
        read_proteins(file.read_bytes(), file.name)


def test_every_file_is_read_or_refused_in_words(shared_data: Path) -> None:
    files = [file for file in (shared_data / "genomes").glob("odd_*") if file.stat().st_size < 2e5]
    assert len(files) > 20
    refusals = [_refusal(file) for file in files]
    assert {refused.source for refused in refusals if refused} <= {file.name for file in files}
    assert None in refusals


def _refusal(file: Path) -> FormatError | None:
    try:
        read_proteins(file.read_bytes(), file.name)
    except FormatError as refused:
        return refused
    return None


@given(st.binary(max_size=60), st.sampled_from((b"", b">", b">a holin\n", b"LOCUS ", b"\x1f\x8b")))
@example(b"\xff", b">a\n")
@example(b"MK\xdf\n", b">a\n")
def test_any_bytes_are_read_or_refused_in_words(content: bytes, start: bytes) -> None:
    try:
        proteins = read_proteins(start + content, "x")
    except FormatError:
        return
    assert all(protein.residues.isascii() and protein.residues for protein in proteins)
