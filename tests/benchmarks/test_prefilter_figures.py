"""What is said of the filters of the profile search is what was measured."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_documents_quote_the_measured_losses_of_filters():
    measured = (ROOT / "benchmarks" / "search" / "prefilter.md").read_text(encoding="utf-8")
    hits, lost = re.search(r"all +(\d+) hits, (\d+) lost", measured).groups()
    said = (ROOT / "docs" / "confidence.md").read_text(encoding="utf-8")
    assert f"lose {lost} of {int(hits):,}\n" in said
    assert int(lost) <= 0.01 * int(hits)
