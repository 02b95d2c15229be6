"""What genint writes of three genomes is, byte for byte, what it wrote before."""

from __future__ import annotations

import difflib

import pytest

from genint.report import FORMATS
from tests.golden.making import GENOMES, kept, outputs


@pytest.fixture(scope="module", params=GENOMES)
def made(request, pressed, tmp_path_factory) -> dict[str, bytes]:
    return outputs(request.param, tmp_path_factory.mktemp("golden"))


@pytest.mark.parametrize("name", FORMATS)
def test_the_output_is_the_golden_file(made, name):
    [file] = [file for file in made if file.endswith(f"_report.{FORMATS[name].extension}")]
    golden = kept()[file]
    if made[file] != golden:
        lines = difflib.unified_diff(
            golden.decode().splitlines(), made[file].decode().splitlines(), file, "now", n=0
        )
        shown = "\n".join(line[:300] for line, _ in zip(lines, range(40), strict=False))
        pytest.fail(f"not the golden file (if that is meant: make golden)\n{shown}", pytrace=False)


def test_there_is_a_golden_file_for_every_output_and_no_other(tmp_path):
    stems = {name.partition(".")[0] for name in GENOMES}
    wanted = {f"{stem}_report.{one.extension}" for stem in stems for one in FORMATS.values()}
    assert set(kept()) == wanted
