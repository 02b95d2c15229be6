"""What a run uses: nothing installed when offline, what is sound when local, the user's own."""

from __future__ import annotations

import pickle

import pytest

from genint.errors import FormatError, InputError
from genint.model import EvidenceSource, Parameters
from genint.pipeline.gene_calling import Payload
from genint.pipeline.library import user_folders
from genint.pipeline.resources import Folders, held_open, load_resources
from tests.builders.made_families import TERMINASE, made_up

FASTA = f">one tail fiber protein\n{made_up(5)}\n>two\n{TERMINASE.protein}\n".encode()


@pytest.fixture
def folders(tmp_path):
    return Folders(cache=tmp_path / "cache", databases=tmp_path / "databases")


def test_folders_may_be_given_as_texts(tmp_path):
    given = user_folders(str(tmp_path / "cache"), str(tmp_path / "databases"), str(tmp_path))
    assert (given.cache, given.databases) == (tmp_path / "cache", tmp_path / "databases")
    assert given.families == tmp_path


def test_offline_nothing_installed_is_looked_at(folders, tmp_path):
    (tmp_path / "databases" / "pfam").mkdir(parents=True)
    (tmp_path / "databases" / "pfam" / "current").write_text("nonsense/../..")
    resources = load_resources(Parameters("offline"), folders)
    assert (resources.installed, resources.unavailable) == ({}, ())


def test_local_names_what_is_not_installed_and_what_is_done_without_it(folders):
    said = load_resources(Parameters("local"), folders).unavailable
    assert [text.partition(":")[0] for text in said] == [
        "Pfam-A",
        "Swiss-Prot",
        "Gene Ontology",
        "COG",
        "Rfam",
        "PADLOC-DB",
        "Reference genes of resistance",
    ]
    assert all("genint db install" in text for text in said)


def test_a_damaged_database_is_not_used_and_named_with_the_cure(folders, tmp_path):
    (tmp_path / "databases" / "pfam").mkdir(parents=True)
    (tmp_path / "databases" / "pfam" / "current").write_text("38.0-0123abcd\n")
    resources = load_resources(Parameters("local"), folders)
    assert "pfam" not in resources.installed
    assert "run `genint db install pfam`" in resources.unavailable[0]
    assert "not installed" not in resources.unavailable[0]


def test_the_users_proteins_are_indexed_once_and_kept(folders):
    payload = Payload(FASTA, "mine.faa")
    first, second = (load_resources(Parameters(), folders, payload).proteins for _ in range(2))
    assert first == second
    assert first.proteins == 2
    assert (first.reference.source, first.reference.name) == (
        EvidenceSource.USER_PROTEINS,
        "mine.faa",
    )
    assert first.reference.folder.parent == folders.cache


def test_other_proteins_are_another_reference(folders):
    one = load_resources(Parameters(), folders, Payload(FASTA, "mine.faa")).proteins
    other = load_resources(
        Parameters(), folders, Payload(FASTA.replace(b"fiber", b"spike"), "mine.faa")
    )
    assert one.reference.digest != other.proteins.reference.digest


def test_where_nothing_can_be_kept_the_index_lasts_as_long_as_the_run(tmp_path):
    blocked = tmp_path / "a file"
    blocked.write_text("not a folder")
    resources = load_resources(Parameters(), Folders(cache=blocked), Payload(FASTA, "mine.faa"))
    index = resources.proteins.reference.folder
    with held_open(resources):
        assert index.is_dir()
    assert not index.exists()


def test_a_file_that_holds_no_proteins_is_refused_by_name(folders):
    with pytest.raises(FormatError, match=r"mine\.txt"):
        load_resources(Parameters(), folders, Payload(b"hello", "mine.txt"))


def test_a_file_that_is_not_there_is_said_so_without_its_folder(folders, tmp_path):
    with pytest.raises(InputError, match=r"^gone\.faa: cannot be read") as caught:
        load_resources(Parameters(), folders, tmp_path / "gone.faa")
    assert str(tmp_path) not in str(caught.value)


def test_equipment_goes_to_worker_processes(folders):
    resources = load_resources(Parameters("local"), folders, Payload(FASTA, "mine.faa"))
    there = pickle.dumps(resources)
    assert pickle.loads(there) == resources  # noqa: S301 - our own bytes
