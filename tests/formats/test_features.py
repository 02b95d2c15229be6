"""The two front-ends agree, and gb-io is only asked what it reads without loss."""

from __future__ import annotations

import pytest

from genint.formats import WarningLog, biopython_features, gb_io_features, is_regular, split_records

PAD = " " * 21


def record_of(text):
    [record] = split_records(text, source="x", log=WarningLog())
    return record


@pytest.mark.parametrize(
    "table",
    [
        "     CDS             1..30\n",
        "     CDS             complement(join(<1..9,12..>30))\n",
        f"     CDS             join(complement(20..30),\n{PAD}complement(1..9))\n",
        "     CDS             7\n",
        f'     CDS             1..30\n{PAD}/note="a ""b""\n{PAD}c  d"\n',
        f'     CDS             1..30\n{PAD}/translation="MK\n{PAD}RL"\n{PAD}/pseudo\n',
        f"     CDS             1..30\n{PAD}/transl_except=(pos:1..3,\n{PAD}aa:Sec)\n",
        f'     misc_feature    order(1..2,4..5)\n{PAD}/note="x"\n     gene            1..30\n',
        f'     gene            1..30\n{PAD}/gene="\u00e9"\n{PAD}/codon_start=1\n',
    ],
)
def test_regular_table_reads_the_same_through_both(genbank, table):
    text = genbank().replace("ORIGIN", f"{table}ORIGIN")
    record = record_of(text)
    assert is_regular(record.table)
    features = gb_io_features(record)
    assert features == biopython_features(record, contig="x", log=WarningLog())
    assert features


@pytest.mark.parametrize(
    "lines",
    [
        "     CDS             one-of(1,5)..9\n",
        "     CDS             order(1..5,7..9)\n",
        "     CDS             (1.5)..9\n",
        "     CDS             1..<5\n",
        "     CDS             >1..5\n",
        "     CDS             1..5,7..9\n",
        "     CDS             1 .. 5\n",
        "     CDS             J00194.1:1..5\n",
        f'     CDS             1..5\n{PAD}/note="x" y\n',
        f'     CDS             1..5\n{PAD}/note="x"\n{PAD}stray\n',
        f'     CDS             1..5\n{PAD}/note="open\n',
        f"     CDS             1..5\n{PAD}/label=two\n{PAD}lines\n",
        f"     CDS             1..5\n{PAD}/=x\n",
        f'     CDS             1..5\n{PAD}/note = "x"\n',
    ],
)
def test_table_that_gb_io_would_misread_is_irregular(lines):
    assert not is_regular(lines)


def test_wrapped_values_are_joined_by_one_blank(genbank, read):
    table = f'     CDS             1..30\n{PAD}/product="two\n{PAD}words"\n'
    [gene] = read(genbank().replace("ORIGIN", f"{table}ORIGIN")).genes
    assert gene.product == "two words"


def test_what_genint_wrote_on_an_earlier_run_is_not_read(genbank, read):
    own = '/locus_tag="T_01"\n/product="tail fiber protein"\n/db_xref="GO:0003677"\n'
    added = (
        '/note="genint: DNA packaging; confidence LOW (0.40)"\n'
        '/GO_process="GO:0019073 - viral DNA genome packaging"\n'
        '/note="genint: version 1.0 added: GO_process GO:0019073"\n'
    )
    [before] = read(genbank(f"CDS 1..30\n{own}")).genes
    genome = read(genbank(f"CDS 1..30\n{own}{added}"))
    assert genome.genes == (before,)
    [code] = {warning.code for warning in genome.warnings} - {"translation_missing"}
    assert code == "written_by_genint"


def test_a_product_that_genint_gave_is_no_product_of_the_file(genbank, read):
    added = (
        '/note="genint: portal protein; confidence HIGH (0.90)"\n/product="portal protein"\n'
        '/note="genint: version 1.0 added: product portal protein"\n'
    )
    [gene] = read(genbank(f"CDS 1..30\n/locus_tag=T_01\n{added}")).genes
    assert gene.product is None
    changed = added.replace('/product="', '/product="phage ')
    [gene] = read(genbank(f"CDS 1..30\n/locus_tag=T_01\n{changed}")).genes
    assert gene.product == "phage portal protein"
