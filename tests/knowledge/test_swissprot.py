"""Entries of a flat file written for these tests."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from genint.errors import FormatError
from genint.knowledge import read_swissprot
from genint.model import ReferenceProtein, residues_digest

RESIDUES = "MKTAYIAKQRQISFVKSHFSRQLEERLGLIEVQAPILSRVGDGTQDNLSGAEKAVQVKVKALPDAQ"
DESCRIPTION = """\
DE   RecName: Full=Made-up kinase {ECO:0000255|HAMAP-Rule:MF_00001};
DE            Short=MUK {ECO:0000255};
DE            EC=2.7.1.99 {ECO:0000255|HAMAP-Rule:MF_00001};
DE   AltName: Full=Another name of it;
DE   Flags: Precursor;
"""


def entry(
    *,
    accession: str = "P99991; Q99992;",
    description: str = DESCRIPTION,
    residues: str = RESIDUES,
    length: int | None = None,
) -> str:
    rows = [residues[at : at + 60] for at in range(0, len(residues), 60)]
    sequence = "".join(
        "     " + " ".join(row[at : at + 10] for at in range(0, len(row), 10)) + "\n"
        for row in rows
    )
    return (
        f"ID   MADE_ECOLI              Reviewed;         {len(residues)} AA.\n"
        f"AC   {accession}\n"
        "DT   01-JAN-2020, integrated into UniProtKB/Swiss-Prot.\n"
        f"{description}"
        "GN   Name=mukA {ECO:0000303|PubMed:1}; Synonyms=yzzZ;\n"
        "GN   OrderedLocusNames=b9999;\n"
        "OS   Escherichia coli (strain made up for tests, with a name that needs\n"
        "OS   two lines).\n"
        "OC   Bacteria; Pseudomonadota.\n"
        "CC   -!- FUNCTION: None. See http://example.org//\n"
        "DR   GO; GO:0005524; F:ATP binding; IEA:UniProtKB-KW.\n"
        "DR   GO; GO:0016301; F:kinase activity; IDA:EcoCyc.\n"
        "DR   eggNOG; COG0524; Bacteria.\n"
        "DR   eggNOG; ENOG502Z8EV; Bacteria.\n"
        "DR   Pfam; PF00294; PfkB; 1.\n"
        "PE   3: Inferred from homology;\n"
        f"SQ   SEQUENCE   {length or len(residues)} AA;  7000 MW;  0000000000000000 CRC64;\n"
        f"{sequence}//\n"
    )


def read(text: str) -> list[ReferenceProtein]:
    return list(read_swissprot(io.BytesIO(text.encode()), source="made.dat"))


def described(*lines: str) -> str:
    return "".join(f"DE   {line}\n" for line in lines)


def test_everything_that_a_gene_may_be_told_is_read() -> None:
    [protein] = read(entry())
    assert protein.residues == RESIDUES
    told = protein.entry
    assert (told.accession, told.name, told.symbol) == ("P99991", "Made-up kinase", "mukA")
    assert told.organism == (
        "Escherichia coli (strain made up for tests, with a name that needs two lines)"
    )
    assert told.ec == ("2.7.1.99",)
    assert told.go == ("GO:0005524", "GO:0016301")
    assert (told.pfam, told.cog, told.existence) == (("PF00294",), "COG0524", 3)
    assert (told.length_aa, told.digest) == (len(RESIDUES), residues_digest(RESIDUES))


def test_an_entry_without_a_recommended_name_has_its_submitted_one() -> None:
    [protein] = read(entry(description=described("SubName: Full=Some lyase {ECO:0000313};")))
    assert protein.entry.name == "Some lyase"


def test_names_that_say_nothing_stay_in() -> None:
    [protein] = read(entry(description=described("RecName: Full=Uncharacterized protein YzzA;")))
    assert protein.entry.name == "Uncharacterized protein YzzA"


def test_a_fragment_says_so_in_its_name() -> None:
    lines = ("RecName: Full=Enolase;", "         EC=4.2.1.11;", "Flags: Fragments;")
    [protein] = read(entry(description=described(*lines)))
    assert protein.entry.name == "Enolase (Fragment)"


def test_what_is_cut_out_of_a_protein_later_gives_it_no_ec_number() -> None:
    lines = (
        "RecName: Full=Polyprotein;",
        "Includes:",
        "  RecName: Full=First domain;",
        "           EC=1.1.1.1;",
        "Contains:",
        "  RecName: Full=Protease;",
        "           EC=3.4.22.66;",
    )
    [protein] = read(entry(description=described(*lines)))
    assert (protein.entry.name, protein.entry.ec) == ("Polyprotein", ("1.1.1.1",))


def test_entries_come_in_order_however_the_stream_is_cut() -> None:
    class Dripping(io.BytesIO):
        def read(self, size: int | None = -1, /) -> bytes:
            return super().read(7)

    text = "".join(entry(accession=f"P9999{number};") for number in range(5))
    found = read_swissprot(Dripping(text.encode()))
    assert [one.entry.accession for one in found] == [f"P9999{number}" for number in range(5)]


def test_windows_line_ends_change_nothing() -> None:
    text = entry() + entry(accession="P99993;")
    assert read(text.replace("\n", "\r\n")) == read(text)


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        (entry(accession="?;"), 1, "no accession"),
        (entry(description=""), 1, "entry P99991 has no name"),
        (entry(residues=""), 1, "no sequence"),
        (entry(residues="MKTA1"), 1, "no residues"),
        (entry(length=67), 1, f"has {len(RESIDUES)} residues, but says 67"),
        (entry(length=67).replace("67 AA;", "many;"), 1, "does not say how many"),
        (entry() + entry(description=""), entry().count("\n") + 1, "has no name"),
        (entry() + "ID   HALF_ECOLI\nAC   P99994;\n", entry().count("\n") + 1, "cut off"),
        ("<html>\nhttp://example.org//\n</html>\n", 1, "cut off"),
    ],
)
def test_what_is_no_entry_is_told_with_its_line(text: str, line: int, reason: str) -> None:
    with pytest.raises(FormatError, match=reason) as caught:
        read(text)
    assert (caught.value.source, caught.value.line) == ("made.dat", line)


@given(st.integers(0, 1_100), st.binary(max_size=12), st.integers(0, 30))
def test_a_damaged_file_is_read_or_refused_in_words(at: int, put: bytes, cut: int) -> None:
    content = entry().encode()
    damaged = content[:at] + put + content[at + cut :]
    try:
        found = list(read_swissprot(io.BytesIO(damaged), source="made.dat"))
    except FormatError:
        return
    assert all(one.residues and one.entry.name for one in found)
