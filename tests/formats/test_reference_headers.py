"""Headers in the wordings that databases and annotation programs use."""

from __future__ import annotations

import pytest

from genint.formats import ReferenceHeader, read_header


@pytest.mark.parametrize(
    ("header", "told"),
    [
        (
            "sp|P12345|MADE_ECOLI Made-up kinase (Fragment) OS=Escherichia coli (strain K12)"
            " OX=83333 GN=mukA PE=3 SV=2",
            ReferenceHeader(
                "P12345",
                "Made-up kinase (Fragment)",
                symbol="mukA",
                organism="Escherichia coli (strain K12)",
                existence=3,
            ),
        ),
        (
            "tr|A0A0A0AAA1|A0A0A0AAA1_9CAUD Tail protein OS=Some phage OX=1 PE=4 SV=1",
            ReferenceHeader("A0A0A0AAA1", "Tail protein", organism="Some phage", existence=4),
        ),
        (
            "UniRef90_P12345 Cluster: Made-up kinase n=3 Tax=Escherichia TaxID=561 RepID=X_ECOLI",
            ReferenceHeader("UniRef90_P12345", "Made-up kinase", organism="Escherichia"),
        ),
        (
            "WP_000000001.1 MULTISPECIES: tape measure protein [Enterobacteriaceae]",
            ReferenceHeader(
                "WP_000000001.1", "tape measure protein", organism="Enterobacteriaceae"
            ),
        ),
        (
            "WP_000000002.1 [NiFe] hydrogenase [[Clostridium] madeup]",
            ReferenceHeader(
                "WP_000000002.1", "[NiFe] hydrogenase", organism="[Clostridium] madeup"
            ),
        ),
        (
            "gi|1234|ref|NP_000001.1| terminase [Some phage]",
            ReferenceHeader(
                "NP_000001.1", "terminase", organism="Some phage"
            ),
        ),
        (
            "lcl|NC_1.1_prot_NP_000001.1_1 [gene=nu1] [locus_tag=x_1]"
            " [db_xref=COG:COG0001,GeneID:1] [protein=terminase [small] subunit]"
            " [protein_id=NP_000001.1] [location=1..9] [gbkey=CDS]",
            ReferenceHeader(
                "NP_000001.1", "terminase [small] subunit", symbol="nu1", cog="COG0001"
            ),
        ),
        (
            "Q00000 2.7.1.99;3.1.1.1~~~mukA~~~Made-up kinase~~~COG0524",
            ReferenceHeader(
                "Q00000",
                "Made-up kinase",
                symbol="mukA",
                ec=("2.7.1.99", "3.1.1.1"),
                cog="COG0524",
            ),
        ),
        ("Q00000 ~~~~~~Nameless protein~~~", ReferenceHeader("Q00000", "Nameless protein")),
        ("gene_7 holin", ReferenceHeader("gene_7", "holin")),
        ("gene_7", ReferenceHeader("gene_7")),
        ("", ReferenceHeader("")),
        ("  ", ReferenceHeader("")),
    ],
)  # fmt: skip
def test_a_header_tells_what_its_wording_can(header: str, told: ReferenceHeader) -> None:
    assert read_header(header) == told


def test_a_header_of_any_text_is_read() -> None:
    for text in (
        "|",
        "sp||",
        "x [",
        "x ]",
        "~~~~~~~~~~~~",
        "x OS=",
        "a [protein=] [gene=]",
        "\x00",
    ):
        assert isinstance(read_header(text), ReferenceHeader)
