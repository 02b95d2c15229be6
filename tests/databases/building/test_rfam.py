"""Models and families of Rfam."""

from __future__ import annotations

import gzip

import pytest

pytest.importorskip("pyinfernal", reason="has no wheel for every platform")

from pyinfernal.cm import CMFile

from genint.databases.build.rfam import build
from genint.errors import FormatError
from tests.databases.published_rfam import KEPT, models, rfam_files


@pytest.fixture
def built(tmp_path):
    """Builds in a folder of its own; gives what was built and the rows of the table."""

    def build_of(**changed: bytes | None):
        files = rfam_files() | {name.replace("__", "."): value for name, value in changed.items()}
        sources = {}
        for name, content in files.items():
            if content is not None and name != "README":
                sources[name] = tmp_path / name
                sources[name].write_bytes(content)
        target = tmp_path / "target"
        target.mkdir()
        made = build(sources, target, lambda _: None)
        rows = [line.split("\t") for line in (target / "families.tsv").read_text().splitlines()]
        return made, rows[1:], target

    return build_of


def test_families_of_bacteria_are_kept_and_others_are_not(built):
    made, rows, _ = built()
    assert tuple(row[0] for row in rows) == KEPT
    assert made.entries == len(KEPT)
    assert dict(made.facts)["chosen_by"] == "type and taxa"


def test_a_family_has_name_length_threshold_type_clan_and_description(built):
    _, rows, _ = built()
    by_accession = {row[0]: row[1:] for row in rows}
    assert by_accession["RF00107"] == [
        *("FinP", "76", "45.00", "Gene; antisense;", "CL00102", "The family FinP")
    ]
    assert by_accession["RF00029"][4] == ""


def test_the_models_of_a_block_can_be_read(built):
    _, _, target = built()
    with CMFile(str(target / "blocks" / "000.cm"), db=False) as block:
        assert tuple(model.accession for model in block) == KEPT


def test_without_taxa_the_type_decides(built):
    made, rows, _ = built(taxonomy__txt__gz=None)
    accessions = {row[0] for row in rows}
    assert accessions == {*KEPT, "RF00006", "RF01855"}
    assert dict(made.facts)["chosen_by"] == "type"


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "no model"),
        (b"INFERNAL1/a\nNAME x\n//\n", "cut short"),
        (b"HMMER3/f\n", "covariance model of Infernal"),
        (models()[:200_000], "cut short"),
        (models().replace(b"GA       ", b"GX       "), "no gathering threshold"),
        (models().replace(b"ACC      RF00042", b"ACC      XX00042"), "no accession of Rfam"),
        (models() + models(), "twice"),
    ],
    ids=["empty", "half", "a profile", "cut", "no threshold", "no accession", "twice"],
)
def test_models_that_cannot_be_used_are_refused(built, content, reason):
    with pytest.raises(FormatError, match=reason):
        built(Rfam__cm__gz=gzip.compress(content))


def test_files_of_two_releases_are_refused(built):
    lines = gzip.decompress(rfam_files()["family.txt.gz"]).decode()
    fewer = lines[: lines.index("RF01852")]
    with pytest.raises(FormatError, match="not of one release"):
        built(family__txt__gz=gzip.compress(fewer.encode()))


def test_a_file_that_is_no_gzip_is_refused(built):
    with pytest.raises(FormatError, match="damaged"):
        built(family__txt__gz=b"no gzip")
