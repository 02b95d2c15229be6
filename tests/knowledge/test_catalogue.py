"""The catalogue of what ships."""

from __future__ import annotations

import hashlib
from importlib import resources

from genint.knowledge import PFAM_FAMILIES, FamilyPack, build_version, databases, read_shipped
from genint.knowledge.catalogue import load_knowledge


def test_every_database_says_source_release_and_licence():
    for database in databases():
        assert database.source
        assert database.version
        assert database.licence in {"CC0 1.0", "CC BY 4.0", "public domain"}
        assert database.made_by.startswith("training/")
        assert database.entries > 0
        assert database.size_bytes > 0
        assert database.used.name == database.name


def test_size_and_checksum_are_those_of_the_file():
    for database in databases():
        content = read_shipped(database.file)
        assert database.size_bytes == len(content)
        assert database.sha256 == hashlib.sha256(content).hexdigest()


def test_genomes_of_one_process_share_the_tables_that_caches_of_names_refer_to():
    one, other = load_knowledge(), load_knowledge()
    assert one.products is other.products
    assert one.roles is other.roles


WRITTEN_FOR_GENINT = {
    "confidence.toml",
    "rescue.toml",
    "dark_ranking.toml",
    "contig_kinds.toml",
    "lifestyles.toml",
    "defence_names.toml",
    "universal_proteins.toml",
    "safety_markers.toml",
    "relatives.tsv",
    "relatives.toml",
    "prophages.toml",
    "record_kinds.toml",
    "gene_order.toml",
    "roles.toml",
    "function_words.toml",
    "name_judge.toml",
    "column_kinds.tsv",
    "name_lengths.tsv",
    "products.tsv",
    "product_keys.tsv",
    "product_go_terms.tsv",
}
TABLES_OF_OWN_FAMILIES = {"families.tsv", "family_members.tsv"}  # versioned with the packs


def test_every_shipped_data_file_that_came_from_elsewhere_is_listed():
    files = {entry.name for entry in resources.files("genint.knowledge").joinpath("data").iterdir()}
    packs = {pack.file for pack in FamilyPack}  # not listed while they are empty
    listed = {database.file for database in databases()}
    assert files - WRITTEN_FOR_GENINT - TABLES_OF_OWN_FAMILIES - packs == listed - packs


def test_own_families_of_another_folder_are_listed_with_their_number(family_build):
    own = {item.name: item for item in databases(family_build)}
    phages = own["genint families of phages"]
    assert phages.entries == 2
    packed = (family_build / "phage_families.bin").read_bytes()
    assert phages.sha256 == hashlib.sha256(packed).hexdigest()
    versions = {phages.version, own["genint families of bacteria"].version}
    assert versions == {build_version(family_build)}
    assert "2 families" in phages.used.version


def test_the_stated_interpro_release_is_that_of_the_table():
    interpro = next(item for item in databases() if item.name == "InterPro")
    heading = read_shipped(PFAM_FAMILIES).decode().splitlines()[0]
    assert interpro.version in heading
