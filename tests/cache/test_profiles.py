"""Pressed profiles: made once, whole or not at all, and made anew when damaged."""

from __future__ import annotations

import os
import shutil
from concurrent.futures import ThreadPoolExecutor

import pytest
from pyhmmer.easel import Alphabet, TextSequence
from pyhmmer.plan7 import Background, Builder, HMMPressedFile

from genint.cache.profiles import pressed_profiles
from genint.knowledge import press

ALPHABET = Alphabet.amino()
SEQUENCES = {
    "one": "MSTKKKPLTQEQLEDARRLKAIYEKKKNELGLSQESVADKMGMGQSGVGALFNGINALNAYNAALLAKILKVSV",
    "two": "SMTAPTGSKPSFPDGMLILVDPEQAVEPGDFCIARLGGDEFTFKKLIRDSGQVFLQPLNPQYPMIPCNESCSVV",
    "three": "MKALIVLGLVLLSVTVQGKVFERCELARTLKRLGMDGYRGISLANWMCLAKWESGYNTRATNYNAGDRSTDYGI",
}


class Rebuild:
    """Gives three profiles and counts how often it was asked to."""

    def __init__(self):
        self.calls = 0

    def __call__(self):
        self.calls += 1
        for name, residues in SEQUENCES.items():
            sequence = TextSequence(name=name, sequence=residues).digitize(ALPHABET)
            profile, _, _ = Builder(ALPHABET).build(sequence, Background(ALPHABET))
            profile.cutoffs.gathering = (25.0, 25.0)
            yield profile


@pytest.fixture
def rebuild():
    return Rebuild()


def pressed(folder, rebuild, digest="d" * 64):
    return pressed_profiles(folder, digest=digest, press=lambda stem: press(rebuild(), stem))


def names(stem):
    with HMMPressedFile(stem) as file:
        return [profile.name for profile in file]


def test_profiles_are_pressed_once_and_read_in_their_order(tmp_path, rebuild):
    stem = pressed(tmp_path / "made" / "on the way", rebuild)
    assert names(stem) == list(SEQUENCES)
    assert pressed(tmp_path / "made" / "on the way", rebuild) == stem
    assert rebuild.calls == 1


def test_thresholds_survive_pressing(tmp_path, rebuild):
    with HMMPressedFile(pressed(tmp_path, rebuild)) as file:
        assert [profile.cutoffs.gathering1 for profile in file] == [25.0] * 3


def test_another_pack_has_a_folder_of_its_own(tmp_path, rebuild):
    assert pressed(tmp_path, rebuild) != pressed(tmp_path, rebuild, digest="e" * 64)
    assert rebuild.calls == 2


def test_nothing_but_the_finished_folder_is_left_behind(tmp_path, rebuild):
    stem = pressed(tmp_path, rebuild)
    assert list(tmp_path.iterdir()) == [stem.parent]


@pytest.mark.parametrize("suffix", [".h3f", ".h3p", ".h3m", ".h3i"])
def test_a_truncated_file_is_noticed_and_made_anew(tmp_path, rebuild, suffix):
    stem = pressed(tmp_path, rebuild)
    path = stem.with_suffix(suffix)
    os.truncate(path, path.stat().st_size // 2)
    assert names(pressed(tmp_path, rebuild)) == list(SEQUENCES)
    assert rebuild.calls == 2


def test_a_file_changed_in_place_is_noticed_even_with_its_old_time(tmp_path, rebuild):
    path = pressed(tmp_path, rebuild).with_suffix(".h3p")
    before = path.stat()
    content = bytearray(path.read_bytes())
    content[100] ^= 0xFF
    path.write_bytes(content)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert names(pressed(tmp_path, rebuild)) == list(SEQUENCES)
    assert rebuild.calls == 2


@pytest.mark.parametrize("manifest", ["", "{", "[]", "null", '{".h3f": 1}'])
def test_a_half_written_manifest_makes_it_anew(tmp_path, rebuild, manifest):
    stem = pressed(tmp_path, rebuild)
    (stem.parent / "manifest.json").write_text(manifest)
    assert names(pressed(tmp_path, rebuild)) == list(SEQUENCES)
    assert rebuild.calls == 2


def test_it_is_safe_to_delete(tmp_path, rebuild):
    shutil.rmtree(pressed(tmp_path, rebuild).parent)
    assert names(pressed(tmp_path, rebuild)) == list(SEQUENCES)


def test_racing_callers_all_get_sound_profiles(tmp_path):
    with ThreadPoolExecutor(4) as executor:
        stems = list(executor.map(lambda _: pressed(tmp_path, Rebuild()), range(4)))
    assert len(set(stems)) == 1
    assert names(stems[0]) == list(SEQUENCES)
    assert list(tmp_path.iterdir()) == [stems[0].parent]


def test_without_a_cache_folder_nothing_is_kept(rebuild):
    assert pressed(None, rebuild) is None
    assert rebuild.calls == 0


def test_a_place_that_cannot_be_written_gives_none(tmp_path, rebuild):
    blocked = tmp_path / "a file"
    blocked.write_text("not a folder")
    assert pressed(blocked, rebuild) is None
    assert pressed(blocked / "below", rebuild) is None


def test_a_full_disk_gives_none_and_leaves_nothing(tmp_path):
    """The rebuild fails as a write to a full disk does."""

    def fails():
        raise OSError(28, "No space left on device")
        yield

    assert pressed(tmp_path, fails) is None
    assert list(tmp_path.iterdir()) == []
