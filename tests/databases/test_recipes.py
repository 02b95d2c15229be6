from __future__ import annotations

import re

import pytest

from genint.databases.recipes import RECIPES, Recipe, RemoteFile

EVERY = pytest.mark.parametrize("recipe", RECIPES.values(), ids=RECIPES.keys())


def _all_files(recipe: Recipe) -> tuple[RemoteFile, ...]:
    beside = (recipe.checksums, recipe.release_file)
    return (*recipe.files, *(file for file in beside if file is not None))


def test_the_databases_are_known_by_their_names():
    assert list(RECIPES) == ["pfam", "swissprot", "go", "cog", "rfam", "padloc", "amr"]
    assert all(name == recipe.name for name, recipe in RECIPES.items())


@EVERY
def test_every_database_says_its_licence_and_whom_to_cite(recipe):
    assert re.search(r"CC0 1\.0|CC BY 4\.0|MIT|public domain", recipe.licence)
    assert re.search(r"doi:10\.\d{4,5}/\S+", recipe.citation)
    assert recipe.title


@EVERY
def test_every_file_has_a_name_of_its_own_that_is_no_path(recipe):
    names = [file.name for file in _all_files(recipe)]
    assert len(set(names)) == len(names)
    for name in names:
        assert re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9_.-]*", name)
        assert not name.endswith((".part", ".json"))


@EVERY
def test_every_place_is_a_host_and_a_plain_path(recipe):
    for file in _all_files(recipe):
        assert file.places
        for place in file.places:
            assert re.fullmatch(r"[a-z0-9-]+(\.[a-z0-9-]+)+", place.host)
            assert re.fullmatch(r"[A-Za-z0-9_.-]+(/[A-Za-z0-9_.-]+)*", place.path)
            assert ".." not in place.path


@EVERY
def test_checksums_and_releases_come_with_their_format(recipe):
    assert (recipe.checksums is None) == (recipe.checksum_format is None)
    assert (recipe.release_file is None) == (recipe.release_format is None)


def test_only_some_databases_have_no_published_checksums():
    without = [name for name, recipe in RECIPES.items() if recipe.checksums is None]
    assert without == ["go", "rfam", "padloc", "amr"]


def test_swissprot_has_three_mirrors():
    for file in RECIPES["swissprot"].files:
        assert [place.host for place in file.places] == [
            "ftp.uniprot.org",
            "ftp.ebi.ac.uk",
            "ftp.expasy.org",
        ]
