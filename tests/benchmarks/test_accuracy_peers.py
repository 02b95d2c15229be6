"""What other programs write is read as what they told."""

from __future__ import annotations

import json

from benchmarks.accuracy_peers import parse_giae, parse_prokka
from training.blind.truth import Place

GFF = """##gff-version 3
c0\tProdigal:002006\tCDS\t191\t736\t.\t+\t0\tID=A_1;inference=ab initio prediction:Prodigal,\
similar to AA sequence:UniProtKB:P03707;product=Terminase%2C small subunit
c0\tProdigal:002006\tCDS\t800\t900\t.\t-\t0\tID=A_2;product=hypothetical protein
c1\tProdigal:002006\tCDS\t900\t1000\t.\t+\t0\tID=A_3;product=Holin
c1\tAragorn\ttRNA\t1\t70\t.\t+\t.\tproduct=tRNA-Met
##FASTA
>c0
ACGT
"""


def test_genes_of_prokka_lie_where_its_gff_says() -> None:
    first, second, third = parse_prokka(GFF, (None, 1000))
    assert first.place == Place(0, 736, 1)
    assert second.place == Place(0, 799, -1)
    assert third.place == Place(1, 0, 1)


def test_names_of_prokka_are_decoded_and_hypothetical_is_none() -> None:
    first, second, _ = parse_prokka(GFF, (None, None))
    assert (first.name, first.source) == (
        "Terminase, small subunit",
        "similar to AA sequence:UniProtKB:P03707",
    )
    assert second.name == ""


def test_genes_of_giae_are_half_open_and_begin_at_nought() -> None:
    said = {"name": "Serine protease", "score": 0.35, "level": "low"}
    silent = {"name": None, "score": None, "level": None}
    printed = "a warning\n" + json.dumps(
        [
            {"start": 190, "end": 736, "strand": 1, **said},
            {"start": 70, "end": 631, "strand": -1, **silent},
        ]
    )
    first, second = parse_giae(printed, (None,))
    assert (first.place, first.name, first.level) == (Place(0, 736, 1), "Serine protease", "LOW")
    assert (second.place, second.name) == (Place(0, 70, -1), "")
