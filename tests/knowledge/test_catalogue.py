"""The catalogue of what ships."""

from __future__ import annotations

import hashlib
from importlib import resources

from genint.knowledge.catalogue import shipped_databases
from genint.knowledge.shipped import PFAM_FAMILIES, read_shipped


def test_every_database_says_source_release_and_licence():
    for database in shipped_databases():
        assert database.source
        assert database.version
        assert database.licence in {"CC0 1.0", "CC BY 4.0", "public domain"}
        assert database.made_by.startswith("training/")
        assert database.entries > 0
        assert database.used.name == database.name


def test_size_and_checksum_are_those_of_the_file():
    for database in shipped_databases():
        content = read_shipped(database.file)
        assert database.size_bytes == len(content)
        assert database.sha256 == hashlib.sha256(content).hexdigest()


def test_every_shipped_data_file_that_came_from_elsewhere_is_listed():
    ours = {"confidence.toml", "roles.toml"}  # written for genint
    files = {entry.name for entry in resources.files("genint.knowledge").joinpath("data").iterdir()}
    assert files - ours == {database.file for database in shipped_databases()}


def test_the_stated_interpro_release_is_that_of_the_table():
    interpro = next(item for item in shipped_databases() if item.name == "InterPro")
    heading = read_shipped(PFAM_FAMILIES).decode().splitlines()[0]
    assert interpro.version in heading
