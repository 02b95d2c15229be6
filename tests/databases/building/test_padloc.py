"""Profiles, their limits and the definitions of systems of PADLOC-DB."""

from __future__ import annotations

import pytest
from pyhmmer.plan7 import HMMPressedFile

from genint.databases.build.padloc import build
from genint.errors import FormatError
from genint.knowledge.defence import load_defence
from tests.databases.published_padloc import (
    ARCHIVE,
    PROTEINS,
    archive,
    defence_profile,
    definition,
    padloc_members,
    sample,
)


@pytest.fixture
def built(tmp_path):
    """Builds in a folder of its own from the members of an archive, or from its bytes."""

    def build_of(content: dict[str, bytes | None] | bytes):
        file = tmp_path / ARCHIVE
        if isinstance(content, dict):
            there = {path: one for path, one in content.items() if one is not None}
            content = archive(there)
        file.write_bytes(content)
        target = tmp_path / "target"
        target.mkdir()
        made = build({ARCHIVE: file}, target, lambda _: None)
        return made, load_defence(target, "PADLOC-DB 2.0.0"), target

    return build_of


def test_profiles_are_pressed_in_the_order_of_their_table(built):
    made, database, target = built(padloc_members())
    with HMMPressedFile(target / "profiles") as pressed:
        names = [profile.name for profile in pressed]
    assert names == [profile.name for profile in database.profiles.values()]
    assert made.entries == len(PROTEINS)
    assert made.release == "2.0.0"


def test_a_profile_keeps_its_limits_and_has_the_usual_ones_where_it_states_none(built):
    _, database, _ = built(padloc_members())
    limits = {one.proteins[0]: one[5:] for one in database.profiles.values()}
    assert limits["MadA"] == (1e-5, 0.5, 0.3)
    assert limits["MadX"] == (1e-5, 0.3, 0.3)


def test_systems_that_are_to_be_searched_are_kept_without_missing_genes(built):
    _, database, _ = built(padloc_members())
    first, other = database.systems
    assert (first.id, first.title, first.group) == ("mad_type_I", "Mad Type I", "DMS")
    assert (first.most_between, first.least_core, first.least_total) == (1, 2, 2)
    assert (first.neutral, first.prohibited) == ((), ("MadX",))
    assert other.is_other
    assert database.proteins(first.secondary) >= {"MadC"}


def test_genes_whose_names_look_like_something_else_stay_names(built):
    odd = padloc_members() | {"sys/mad_type_I.yaml": definition(core_genes=["NO", "1e5", "on"])}
    _, database, _ = built(odd)
    assert database.systems[0].core == ("NO", "1e5", "on")


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"hmm_meta.txt": None}, "no hmm_meta.txt"),
        ({"sys_meta.txt": None}, "no sys_meta.txt"),
        ({"sys/mad_other.yaml": None}, "no definition of the system 'mad_other'"),
        ({"sys/mad_other.yaml": b"{"}, "is no YAML"),
        ({"sys/mad_other.yaml": b"- a\n"}, "is no table"),
        ({"sys/mad_other.yaml": definition(minimum_core="many")}, "lacks a number"),
        ({"sys/mad_other.yaml": definition(core_genes=["NA"])}, "has no core genes"),
        ({"hmm/PDLC90051.hmm": None}, "not of one release"),
        ({"hmm/PDLC90051.hmm": b"no profile\n"}, "no file of HMMER3 profiles"),
        ({"hmm/again.hmm": defence_profile("MadA")}, "twice"),
    ],
)
def test_an_archive_that_lacks_something_is_refused_with_what_it_is(built, changed, reason):
    with pytest.raises(FormatError, match=reason):
        built(padloc_members() | changed)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"no archive", "damaged"),
        (archive(padloc_members())[:-2_000], "cut short"),
        (archive({}), "no hmm_meta.txt"),
    ],
    ids=["text", "cut", "empty"],
)
def test_what_is_no_whole_archive_is_refused(built, content, reason):
    with pytest.raises(FormatError, match=reason):
        built(content)


def test_real_profiles_and_all_real_definitions_are_read(built, shared_data):
    made, database, _ = built(sample(shared_data / "reference"))
    assert made.entries > 100
    assert len(database.systems) == 384
    (abie,) = (one for one in database.systems if one.id == "AbiE")
    assert (abie.core, abie.most_between) == (("AbiEi", "AbiEii"), 1)
    assert len(database.proteins(["cas_effector"])) > 10
