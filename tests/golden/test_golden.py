"""What genint writes of three genomes is what it wrote before, but for last digits of fractions."""

from __future__ import annotations

import difflib

import pytest

from genint.report import FORMATS
from tests.golden.making import GENOMES, are_alike, kept, outputs


@pytest.fixture(scope="module", params=GENOMES)
def made(request, pressed, tmp_path_factory) -> dict[str, bytes]:
    return outputs(request.param, tmp_path_factory.mktemp("golden"))


@pytest.mark.parametrize("name", FORMATS)
def test_the_output_is_the_golden_file(made, name):
    [file] = [file for file in made if file.endswith(f"_report.{FORMATS[name].extension}")]
    golden = kept()[file]
    if not are_alike(made[file], golden):
        lines = difflib.unified_diff(
            golden.decode().splitlines(), made[file].decode().splitlines(), file, "now", n=0
        )
        shown = "\n".join(line[:300] for line, _ in zip(lines, range(40), strict=False))
        pytest.fail(f"not the golden file (if that is meant: make golden)\n{shown}", pytrace=False)


@pytest.mark.parametrize(
    ("made", "golden", "alike"),
    [
        (b"E 1.513926e-112, 373.2079 bits", b"E 1.514316e-112, 373.2075 bits", True),
        (b"E 1.5e-112", b"E 1.6e-112", True),
        (b"E 1.5e-112", b"E 1.5e-111", False),
        (b"score 0.79", b"score 0.78", True),
        (b"score 0.79", b"score 0.77", False),
        (b"genint 0.1.0", b"genint 0.2.0", False),
        (b"4,319 genes", b"4,318 genes", False),
        (b"a holin", b"an antiholin", False),
    ],
)
def test_only_last_digits_of_fractions_may_differ(made, golden, alike):
    assert are_alike(made, golden) is alike


def test_there_is_a_golden_file_for_every_output_and_no_other(tmp_path):
    stems = {name.partition(".")[0] for name in GENOMES}
    wanted = {f"{stem}_report.{one.extension}" for stem in stems for one in FORMATS.values()}
    assert set(kept()) == wanted
