"""Features to genes: names, flags, proteins, gene features without CDS."""

from __future__ import annotations

import pytest

from genint.errors import FormatError
from genint.model import CalledBy, Qualifier


def codes(genome):
    return [warning.code for warning in genome.warnings]


def test_cds_becomes_a_gene_with_all_that_the_file_says(genbank, read):
    [gene] = read(
        genbank(
            """
            CDS 1..30
            /gene="abcA"
            /locus_tag="T_01"
            /note="first"
            /product="tail protein"
            /product="another name"
            /codon_start=1
            /transl_table=11
            /protein_id="P1.1"
            /artificial
            /translation="MKRLAEYDL"
            """
        )
    ).genes
    assert (gene.id, gene.name, gene.product) == ("T_01", "abcA", "tail protein")
    assert (gene.protein, gene.translation_table, gene.codon_start) == ("MKRLAEYDL", 11, 1)
    assert gene.called_by is CalledBy.GENBANK
    assert gene.qualifiers == (
        Qualifier("note", "first"),
        Qualifier("product", "another name"),
        Qualifier("artificial", None),
    )


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ('/protein_id="P1.1"\n/gene="abcA"', "P1.1"),
        ('/gene="abcA"', "abcA"),
        ("/note=x", "X1_CDS1"),
    ],
)
def test_gene_is_named_by_the_best_name_it_has(genbank, read, lines, expected):
    assert [gene.id for gene in read(genbank(f"CDS 1..30\n{lines}")).genes] == [expected]


def test_names_are_unique_in_the_whole_file_and_a_warning_says_so(genbank, read):
    record = 'CDS 1..30\n/locus_tag="T"\n/translation="MKRLAEYDL"'
    genome = read(genbank(record) + genbank(record, name="X2"))
    assert [gene.id for gene in genome.genes] == ["T", "T_2"]
    assert codes(genome) == ["duplicate_gene_id"]


def test_the_gene_feature_lends_symbol_tag_and_pseudo(genbank, read):
    [gene] = read(
        genbank('gene 1..30\n/gene="abcA"\n/locus_tag="T_01"\n/pseudo\nCDS 1..30\n/product="x"')
    ).genes
    assert (gene.id, gene.symbol, gene.pseudo) == ("T_01", "abcA", True)


def test_gene_feature_with_an_open_reading_frame_is_a_gene(genbank, read):
    [gene] = read(genbank('gene 1..30\n/locus_tag="T_01"')).genes
    assert (gene.called_by, gene.protein) == (CalledBy.GENBANK_GENE, "MKRLAEYDL")


@pytest.mark.parametrize(
    ("table", "reason"),
    [
        ('gene 1..30\n/locus_tag="T"\n/pseudo', "pseudogene"),
        ('gene 1..30\n/locus_tag="T"\n/pseudogene="unknown"', "pseudogene"),
        ('gene 1..27\n/locus_tag="T"', "no clean open reading frame"),
        ('gene 2..30\n/locus_tag="T"', "no clean open reading frame"),
        ('gene complement(1..30)\n/locus_tag="T"', "no clean open reading frame"),
    ],
)
def test_other_gene_features_are_listed_with_the_reason(genbank, read, table, reason):
    [contig] = read(genbank(table)).contigs
    assert contig.genes == ()
    assert [(other.id, other.reason) for other in contig.other_features] == [("T", reason)]


def test_rna_and_its_gene_feature_give_one_rna_gene(genbank, read):
    [contig] = read(
        genbank('gene 1..30\n/locus_tag="R1"\ntRNA 1..30\n/locus_tag="R1"\n/product="tRNA-Ala"')
    ).contigs
    assert [(rna.id, rna.kind, rna.product) for rna in contig.rna_genes] == [
        ("R1", "tRNA", "tRNA-Ala")
    ]
    assert contig.genes == contig.other_features == ()


def test_codon_start_moves_the_first_codon(genbank, read):
    [gene] = read(genbank("CDS <3..30\n/codon_start=2")).genes
    assert gene.codon_start == 2
    assert gene.protein == "KRLAEYDL"
    assert gene.location.partial_5


def test_a_gene_without_its_start_is_read_in_the_frame_of_its_stop(genbank, read):
    genome = read(genbank("CDS <2..30"))  # codon_start of the whole gene: TGA AAC ...
    [gene] = genome.genes
    assert (gene.codon_start, gene.protein) == (3, "KRLAEYDL")
    assert [one.code for one in genome.warnings] == ["bad_codon_start", "translation_missing"]


@pytest.mark.parametrize(
    ("place", "shape", "cut"),
    [
        ("31..60", "linear", (False, True)),
        ("2..30", "linear", (True, False)),
        ("complement(31..60)", "linear", (True, False)),
        ("31..58", "linear", (False, True)),
        ("31..57", "linear", (False, False)),  # the record goes on
        ("1..30", "linear", (False, False)),  # from ATG to its stop
        ("31..60", "circular", (False, False)),
    ],
)
def test_what_goes_up_to_an_end_without_stop_or_start_codon_is_cut_off(
    place, shape, cut, genbank, read
):
    genome = read(genbank(f"CDS {place}", shape=shape))
    [gene] = genome.genes
    assert (gene.location.partial_5, gene.location.partial_3) == cut
    said = [one for one in genome.warnings if "taken as cut off" in one.text]
    assert len(said) == any(cut)


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("/codon_start=4", "bad_codon_start"),
        ("/transl_table=99", "bad_transl_table"),
        ("/transl_table=eleven", "bad_transl_table"),
        ("/transl_except=(pos:2..4,aa:Sec)", "bad_transl_except"),
        ("/transl_except=nonsense", "bad_transl_except"),
        ('/translation="MKRLAEYD"', "translation_differs"),
        ('/translation="MKRLAEYDW"', "translation_differs"),
    ],
)
def test_wrong_qualifier_is_mended_with_a_warning(genbank, read, line, code):
    genome = read(genbank(f"CDS 1..30\n{line}"))
    assert [gene.protein for gene in genome.genes] == ["MKRLAEYDL"]
    assert code in codes(genome)


def test_genetic_code_4_reads_tga_as_tryptophan(genbank, read):
    [gene] = read(genbank("CDS 1..12\n/transl_table=4", bases="ATGTGAAAATAA" + "A" * 40)).genes
    assert gene.protein == "MWK"


def test_table_of_a_record_is_that_of_most_of_its_genes(genbank, read):
    table = "CDS 1..30\n/transl_table=4\nCDS 1..30\n/transl_table=4\nCDS 1..30\n/transl_table=11"
    [contig] = read(genbank(table)).contigs
    assert contig.translation_table == 4
    assert read(genbank("CDS 1..30")).contigs[0].translation_table is None


@pytest.mark.parametrize(
    ("location", "bases", "position"),
    [
        ("1..15", "ATGTGAAAACCCTAA", "4..6"),
        ("complement(1..15)", "TTAGGGTTTTCACAT", "complement(10..12)"),
        ("complement(1..15)", "TTAGGGTTTTCACAT", "10..12"),
        ("join(1..5,7..16)", "ATGTGAAAAACCCTAA", "join(4..5,7..7)"),
    ],
)
def test_selenocysteine_is_put_in_by_transl_except(genbank, read, location, bases, position):
    table = f'CDS {location}\n/transl_except=(pos:{position},aa:Sec)\n/translation="MUKP"'
    genome = read(genbank(table, bases=bases + "C" * 40))
    assert codes(genome) == []
    assert [gene.protein for gene in genome.genes] == ["MUKP"]


def test_start_codon_other_than_atg_is_methionine(genbank, read):
    bases = "GTGAAACCCTAA" + "C" * 40
    for stated in ("MKP", "VKP"):
        genome = read(genbank(f'CDS 1..12\n/translation="{stated}"', bases=bases))
        assert ([gene.protein for gene in genome.genes], codes(genome)) == (["MKP"], [])


@pytest.mark.parametrize(
    "line", ['/exception="RNA editing"', "/ribosomal_slippage", "/artificial_location"]
)
def test_files_translation_stands_where_the_file_explains_it(genbank, read, line):
    genome = read(genbank(f'CDS 1..30\n{line}\n/translation="MKRLAEYDLWWW"'))
    assert [gene.protein for gene in genome.genes] == ["MKRLAEYDLWWW"]
    assert codes(genome) == []


def test_translation_of_odd_letters_is_not_taken(genbank, read):
    genome = read(genbank('CDS 1..30\n/exception="x"\n/translation="MK1?"'))
    assert [gene.protein for gene in genome.genes] == ["MKRLAEYDL"]


def test_unreadable_location_costs_one_feature_and_is_named(genbank, read):
    genome = read(genbank('CDS 1..x\n/locus_tag="T_01"\nCDS 1..30\n/translation="MKRLAEYDL"'))
    assert [gene.protein for gene in genome.genes] == ["MKRLAEYDL"]
    [warning] = genome.warnings
    assert (warning.code, warning.line) == ("feature_unreadable", 9)
    assert "T_01" in warning.text


def test_unclosed_quote_costs_no_other_qualifier(genbank, read):
    genome = read(genbank('CDS 1..30\n/note="open\n/product="tail protein"\n/gene="abcA"'))
    [gene] = genome.genes
    assert (gene.product, gene.symbol) == ("tail protein", "abcA")
    assert gene.values("note") == ("open",)
    assert "qualifier_mended" in codes(genome)


def test_genes_that_cover_the_record_too_often_are_refused(genbank, read):
    with pytest.raises(FormatError, match="damaged"):
        read(genbank("CDS 1..60\n" * 5000))
