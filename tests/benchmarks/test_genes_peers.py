"""What PHANOTATE and giae print is read as the genes that they found."""

from __future__ import annotations

import json

from benchmarks.genes_figures import Span
from benchmarks.genes_peers import parse_giae, parse_phanotate
from genint.model.interval import Interval, Strand

PRINTED = """#id:\tc0
#START\tSTOP\tFRAME\tCONTIG\tSCORE
191\t736\t+\tc0\t-4.827981E+02
<900\t701\t-\tc0\t-1.0E+00
"""


def test_genes_of_phanotate_are_read_on_both_strands() -> None:
    assert parse_phanotate("a warning\n" + PRINTED) == (
        Span(Interval(190, 736), Strand.FORWARD),
        Span(Interval(700, 900), Strand.REVERSE),
    )


def test_genes_of_giae_are_half_open_already() -> None:
    printed = "a warning\n" + json.dumps([{"start": 190, "end": 736, "strand": -1}])
    assert parse_giae(printed) == (Span(Interval(190, 736), Strand.REVERSE),)
