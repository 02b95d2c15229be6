"""Files of marker proteins: what headers of VFDB, CARD and others say."""

from __future__ import annotations

import gzip

import pytest

from genint.errors import FormatError
from genint.formats.markers import read_markers

RESIDUES = "MKKMLLATALALLITGCAQQTFTVQNKPAAVAPKETITHHFFVSGIGQKK"


def marker_of(header, **options):
    [marker] = read_markers(f">{header}\n{RESIDUES}\n".encode(), "given.faa", **options)
    return marker


@pytest.mark.parametrize(
    ("header", "accession", "gene", "product", "kind"),
    [
        (
            "VFG000001(gb|WP_000000001) (fdxA) ferredoxin [Iron uptake (VF0123) - "
            "Nutritional/Metabolic factor (VFC0272)] [Escherichia coli]",
            "VFG000001",
            "fdxA",
            "ferredoxin",
            "Nutritional/Metabolic factor",
        ),
        (
            "VFG037176(gb|WP_001) (plc(1)) phospholipase C [PLC (VF0470) - Exotoxin (VFC0235)] "
            "[Acinetobacter baumannii ACICU]",
            "VFG037176",
            "plc(1)",
            "phospholipase C",
            "Exotoxin",
        ),
        ("VFG9 (x) y", "VFG9", "x", "y", ""),
        (
            "gb|ACT97415.1|ARO:3002999|CblA-1 [mixed culture bacterium]",
            "ACT97415.1",
            "CblA-1",
            "",
            "antibiotic resistance",
        ),
        (
            "WP_1 ~~~blaTEM~~~class A beta-lactamase~~~",
            "WP_1",
            "blaTEM",
            "class A beta-lactamase",
            "",
        ),
        ("mine some toxin", "mine", "", "some toxin", ""),
        ("mine", "mine", "", "", ""),
    ],
)
def test_headers_give_gene_product_and_class(header, accession, gene, product, kind):
    marker = marker_of(header)
    assert marker.protein.entry.accession == accession
    assert (marker.gene, marker.product, marker.kind) == (gene, product, kind)
    assert marker.protein.residues == RESIDUES


def test_compressed_files_are_read_as_any_other():
    packed = gzip.compress(f">gb|AC1.1|ARO:3000001|abc [x y]\n{RESIDUES}\n".encode())
    [marker] = read_markers(packed, "given.faa.gz")
    assert marker.gene == "abc"


def test_nucleotides_are_refused_with_the_cure():
    with pytest.raises(FormatError, match="nucleotides"):
        read_markers(b">VFG000001(gb|x) (a) b\n" + b"ACGT" * 60, "given.fna")
