"""Results to render: the phiX174 example, and one gene with every odd character."""

from __future__ import annotations

from pathlib import Path

import pytest

from genint.formats import read_genome, read_genome_bytes
from genint.knowledge import load_confidence
from genint.model import InterpretationSummary
from genint.report import GenintResult, build_result
from tests.builders.results import summarise

from .real_genomes import EVERY_GENOME, Interpreted, interpreted

NASTY = "tail | fiber <script>alert(1)</script> `code` *bold* [link](x) # protein"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests of all real genomes are left out of quick runs."""
    for item in items:
        if "real" in getattr(item, "fixturenames", ()):
            item.add_marker("slow")


@pytest.fixture(scope="session", params=EVERY_GENOME)
def real(request: pytest.FixtureRequest, shared_data: Path) -> Interpreted:
    """A real genome and its result; pytest runs all tests of one genome before the next."""
    return interpreted(shared_data / "genomes" / request.param)


@pytest.fixture(scope="session")
def phix_summary(examples) -> InterpretationSummary:
    return summarise(read_genome(examples / "phiX174.gbk"))


@pytest.fixture(scope="session")
def phix_result(phix_summary) -> GenintResult:
    return build_result(phix_summary, load_confidence())


@pytest.fixture(scope="session")
def nasty_result(examples) -> GenintResult:
    """phiX174 with a product that Markdown and HTML would trip over."""
    text = (examples / "phiX174.gbk").read_text()
    old = '/product="major coat protein"'
    assert old in text
    changed = text.replace(old, f'/product="{NASTY}"')
    genome = read_genome_bytes(changed.encode(), "nasty|<name>.gbk")
    return build_result(summarise(genome), load_confidence())
