"""Pfam-A, pressed in blocks."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from pyhmmer.plan7 import HMMPressedFile

from genint.databases.build import pfam
from genint.databases.build.pfam import build
from genint.databases.installed import pressed_kind
from genint.errors import FormatError
from tests.databases.published_formats import made_profiles, packed, pfam_files

PROFILES = "Pfam-A.hmm.gz"
DESCRIPTIONS = "Pfam-A.hmm.dat.gz"
CLANS = "Pfam-A.clans.tsv.gz"


@pytest.fixture
def target(tmp_path) -> Path:
    folder = tmp_path / "target"
    folder.mkdir()
    return folder


@pytest.fixture
def built(tmp_path, target):
    """Builds from five made-up families, some files of them changed."""

    def build_of(**changed: bytes):
        contents = pfam_files(made_profiles(5))
        contents |= {
            {"profiles": PROFILES, "descriptions": DESCRIPTIONS, "clans": CLANS}[name]: content
            for name, content in changed.items()
        }
        for name, content in contents.items():
            (tmp_path / name).write_bytes(content)
        return build({name: tmp_path / name for name in contents}, target, lambda _: None)

    return build_of


def rows_of(target: Path) -> list[list[str]]:
    return [line.split("\t") for line in (target / "families.tsv").read_text().splitlines()]


def test_every_family_has_a_row(built, target):
    made = built()
    heading, first, *_, last = rows_of(target)
    assert heading == list(pfam.COLUMNS)
    assert first == ["PF90001.1", "Made_1", "25", "21.00", "Domain", "CL0001", "Made-up domain 1"]
    assert last[0] == "PF90005.1"
    assert made.entries == 5


def test_a_family_of_no_clan_has_an_empty_column(built, target):
    built()
    assert rows_of(target)[3][5] == ""


def test_blocks_hold_all_profiles_in_order(built, target, monkeypatch):
    monkeypatch.setattr(pfam, "BLOCK_PROFILES", 2)
    made = built()
    accessions = []
    for block in ("00", "01", "02"):
        with HMMPressedFile(target / "blocks" / block) as pressed:
            accessions.append([profile.accession for profile in pressed])
    assert accessions == [["PF90001.1", "PF90002.1"], ["PF90003.1", "PF90004.1"], ["PF90005.1"]]
    assert dict(made.facts)["blocks"] == "3"


def test_what_was_pressed_says_for_which_machine(built, target):
    facts = dict(built().facts)
    assert facts["pressed_kind"] == pressed_kind()
    magic = (target / "blocks" / "00.h3f").read_bytes()[:4].hex()
    assert pressed_kind().startswith(f"{magic} ")
    assert facts["pressed_by"].startswith("pyhmmer ")


def test_a_profile_without_gathering_thresholds_is_named(built):
    profiles = made_profiles(3, gathering=False)
    with pytest.raises(FormatError, match=r"PF90001\.1 has no gathering thresholds"):
        built(profiles=packed(profiles))


def test_profiles_of_nucleotides_are_refused(built):
    profiles = made_profiles(5)
    text = profiles.replace(b"ALPH  amino", b"ALPH  DNA")
    with pytest.raises(FormatError, match=r"Pfam-A\.hmm\.gz: "):
        built(profiles=packed(text))


def test_an_archive_that_is_cut_short_is_said(built):
    with pytest.raises(FormatError, match=r"Pfam-A\.hmm\.gz: the file is cut short"):
        built(profiles=packed(made_profiles(5))[:-2000])


def test_a_text_that_ends_within_a_profile_is_said(built):
    text = made_profiles(5)
    whole = len(made_profiles(3))
    within = text.index(b"\nHMM ", whole) + 2_000  # among the numbers of the fourth
    with pytest.raises(FormatError, match=r"Pfam-A\.hmm\.gz: .*behind profile 3"):
        built(profiles=packed(text[:within]))


def test_a_text_that_ends_between_two_profiles_is_said(built):
    with pytest.raises(FormatError, match="lacks 2 of the 5 families"):
        built(profiles=packed(made_profiles(3)))


def test_a_damaged_archive_is_said(built):
    content = bytearray(packed(made_profiles(5)))
    content[-6] ^= 0xFF
    with pytest.raises(FormatError, match="damaged"):
        built(profiles=bytes(content))


@pytest.mark.parametrize(
    "content", [b"", gzip.compress(b"", mtime=0), gzip.compress(b"<html>\n", mtime=0), b"HMM"]
)
def test_what_is_no_file_of_profiles_is_one_line(built, content):
    with pytest.raises(FormatError, match=r"^Pfam-A\.hmm\.gz: [^\n]+$"):
        built(profiles=content)


def test_files_of_two_releases_are_refused(built):
    other = pfam_files(made_profiles(9))
    with pytest.raises(FormatError, match="not of one release"):
        built(descriptions=other[DESCRIPTIONS])


def test_clans_that_differ_are_refused(built):
    clans = gzip.decompress(pfam_files(made_profiles(5))[CLANS]).replace(b"CL0001", b"CL0777")
    with pytest.raises(FormatError, match="not of one release"):
        built(clans=packed(clans))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"# STOCKHOLM 1.0\n#=GF ID   x\n#=GF AC   PF1\n//\n", "line 4: 'PF1' is no accession"),
        (b"#=GF AC   PF90001.1\n//\n", "line 2: PF90001.1 has no type"),
        (b"#=GF AC\n//\n", "line 2: '' is no accession"),
        (b"#=GF AC   PF90001.1\n", "ends within a family"),
        (b"hello\n", "line 1: 'hello' is no line"),
        (b"", "no family"),
    ],
)
def test_malformed_descriptions_are_refused_with_their_line(built, text, said):
    with pytest.raises(FormatError, match=rf"Pfam-A\.hmm\.dat\.gz.*{said}"):
        built(descriptions=packed(text))


@pytest.mark.parametrize("text", [b"PF90001\n", b"PF90001\tCLAN\ta\tb\n", b"x\tCL0001\ta\tb\n"])
def test_malformed_clans_are_refused_with_their_line(built, text):
    with pytest.raises(FormatError, match=r"Pfam-A\.clans\.tsv\.gz, line 1: "):
        built(clans=packed(text))
