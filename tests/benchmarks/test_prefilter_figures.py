"""What is said of the filters of the profile search is what was measured."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_documents_quote_the_measured_losses_of_filters():
    said = " ".join((ROOT / "docs" / "confidence.md").read_text(encoding="utf-8").split())
    for name, quoted in (
        (
            "prefilter",
            "lose {lost} of {hits:,} hits that matter in four genomes that the limits were",
        ),
        ("prefilter_held_out", "{lost} of {hits:,} in four that they were not"),
    ):
        path = ROOT / "benchmarks" / "search" / f"{name}.md"
        measured = path.read_text(encoding="utf-8")
        hits, lost = map(int, re.search(r"all +(\d+) hits, (\d+) lost", measured).groups())
        rows = re.findall(r" (\d+) hits, (\d+) lost, ", measured)
        assert (hits, lost) == tuple(sum(map(int, column)) for column in zip(*rows, strict=True))
        assert quoted.format(hits=hits, lost=lost) in said
        assert lost <= 0.01 * hits
