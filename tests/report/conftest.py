"""Results to render: the phiX174 example, and one gene with every odd character."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from genint.formats import read_genome, read_genome_bytes
from genint.knowledge import load_confidence
from genint.model import InterpretationSummary
from genint.report import GenintResult, build_result
from tests.builders.results import summarise

from .real_genomes import EVERY_GENOME, Interpreted, interpreted
from .submitted import NAMES, submitted_genome

NASTY = "tail | fiber <script>alert(1)</script> `code` *bold* [link](x) # protein"


TEMPLATE = """Submit-block ::= {
  contact { contact { name name { last "Darwin" , first "Charles" , initials "C." } ,
    affil std { affil "University" , city "Camford" , country "United Kingdom" } } } ,
  cit { authors { names std { { name name { last "Darwin" , first "Charles" ,
    initials "C." } } } , affil std { affil "University" , city "Camford" ,
    country "United Kingdom" } } } ,
  subtype new }
"""
"""Who submits, as tbl2asn wants to know it."""


@pytest.fixture(scope="session")
def tbl2asn() -> Callable[[Path], None]:
    """Makes, checks and writes out the submissions of a folder with the NCBI's program.

    Skipped visibly where it is absent, never under CI.
    """
    if shutil.which("tbl2asn") is None or shutil.which("asndisc") is None:
        if os.environ.get("CI"):
            pytest.fail("tbl2asn is not installed, and CI has to test with it")
        pytest.skip("needs tbl2asn (tests/install_servers.sh installs it)")

    def run(folder: Path) -> None:
        (folder / "template.sbt").write_text(TEMPLATE)
        command = "tbl2asn -p . -t template.sbt -a s -V vb -Z report.dr".split()
        subprocess.run(command, cwd=folder, check=True, capture_output=True, timeout=300)

    return run


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests of all real genomes are left out of quick runs."""
    for item in items:
        if "real" in getattr(item, "fixturenames", ()):
            item.add_marker("slow")


@pytest.fixture(scope="session", params=EVERY_GENOME)
def real(request: pytest.FixtureRequest, shared_data: Path) -> Interpreted:
    """A real genome and its result; pytest runs all tests of one genome before the next."""
    return interpreted(shared_data / "genomes" / request.param)


@pytest.fixture(scope="session", params=NAMES)
def submitted(request: pytest.FixtureRequest, examples: Path) -> GenintResult:
    """Results of predicted genes with locus tags: a line, a circle, contigs of a virome."""
    return submitted_genome(request.param, examples)[0]


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
