"""The made-up Pfam-A of the benchmark of local mode."""

import gzip
import hashlib

import pytest
from pyhmmer.easel import Alphabet, TextSequence
from pyhmmer.plan7 import HMM, Background, Builder, HMMFile

from benchmarks.search.pfam_tiles import FOLDER, RELEASE, tiles, write_mirror
from genint.cli.main import run


def made_profile(number: int) -> HMM:
    alphabet = Alphabet.amino()
    residues = "MKTAYIAKQRQISFVKSHFSRQLEERLGLIEVQ"[number:] * 2
    sequence = TextSequence(name=f"family{number}", sequence=residues).digitize(alphabet)
    profile, _, _ = Builder(alphabet, seed=1).build(sequence, Background(alphabet))
    profile.name, profile.accession = f"family{number}", f"PF{number + 1:05d}.7"
    profile.cutoffs.gathering = (25.0, 25.0)
    return profile


@pytest.fixture(scope="module")
def release(tmp_path_factory):
    """A release of eight families made of three profiles; its folder, and the binary file."""
    folder = tmp_path_factory.mktemp("release")
    profiles = [made_profile(number) for number in range(3)]
    write_mirror(profiles, 8, folder / "mirror", folder / "all.h3m")
    return folder


def test_families_have_accessions_and_names_of_their_own():
    made = list(tiles([made_profile(0), made_profile(1)], 7))
    assert len({tile.accession for tile in made}) == len({tile.name for tile in made}) == 7


def test_both_forms_hold_the_same_profiles(release):
    with (
        gzip.open(release / "mirror" / FOLDER / "Pfam-A.hmm.gz") as text,
        HMMFile(text) as text_profiles,
        HMMFile(release / "all.h3m") as binary_profiles,
    ):
        looks = [
            [(one.name, one.accession, one.M, one.cutoffs.gathering) for one in profiles]
            for profiles in (text_profiles, binary_profiles)
        ]
    assert looks[0] == looks[1]
    assert len(looks[0]) == 8


def test_checksums_are_those_of_the_files(release):
    folder = release / "mirror" / FOLDER
    for line in (folder / "md5_checksums").read_text().splitlines():
        md5, name = line.split()
        content = (folder / name).read_bytes()
        assert hashlib.md5(content, usedforsecurity=False).hexdigest() == md5


def test_the_release_can_be_installed(release, tmp_path, monkeypatch):
    monkeypatch.setenv("GENINT_DATABASES_DIR", str(tmp_path))
    assert run(["db", "install", "pfam", "--mirror", str(release / "mirror")]) == 0
    assert list((tmp_path / "pfam").glob(f"{RELEASE}-*"))
