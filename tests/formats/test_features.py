"""The two front-ends agree, and gb-io is only asked what it reads without loss."""

from __future__ import annotations

import pytest

from genint.formats.biopython_frontend import biopython_features
from genint.formats.codes import WarningLog
from genint.formats.features import is_regular
from genint.formats.flatfile import split_records
from genint.formats.gb_io_frontend import gb_io_features

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
