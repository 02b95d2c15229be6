"""Profile search: what is found depends on the protein and the pack alone."""

from __future__ import annotations

import pickle
import random
import resource
import threading
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import replace
from multiprocessing import get_context

import pyrodigal
import pytest

from genint.compute import balanced_chunks
from genint.errors import WorkCancelled
from genint.knowledge import PFAM_PACK, FamilyPack, press
from genint.pipeline.searches import indexed
from genint.sources import LONGEST_PROTEIN, ProfileDatabase, search_chunk
from tests.builders.made_families import MadeFamily, made_up, write_build

REPRESSOR = (
    "MSTKKKPLTQEQLEDARRLKAIYEKKKNELGLSQESVADKMGMGQSGVGALFNGINALNAYNAALLAKILKVSVEEFSPSIAREIYEMYE"
    "AVSMQPSLRSEYEYPVFSHVQAGMFSPELRTFTKGDAERWVSTTKKASDSAFWLEVEGNSMTAPTGSKPSFPDGMLILVDPEQAVEPGDF"
    "CIARLGGDEFTFKKLIRDSGQVFLQPLNPQYPMIPCNESCSVVGKVIASQWPEETFG"
)
"""Lambda cI: a helix-turn-helix (PF01381) and a peptidase S24 domain (PF00717)."""


@pytest.fixture(scope="module")
def database(pressed):
    """What ships, indexed."""
    return indexed(ProfileDatabase.shipped(), pressed)


@pytest.fixture(scope="module")
def pressed_pack(tmp_path_factory):
    """All profiles that ship in HMMER's form, as installed ones are."""
    stem = tmp_path_factory.mktemp("pressed") / "profiles"
    shipped = ProfileDatabase.of(PFAM_PACK)
    press(shipped.rebuild(), stem)
    return replace(shipped, pressed=stem)


@pytest.fixture(scope="module")
def lambda_proteins(examples):
    lines = (examples / "lambda.fasta").read_text().splitlines()
    genes = pyrodigal.GeneFinder(meta=True).find_genes("".join(lines[1:]).encode())
    return tuple((f"g{at}", gene.translate().rstrip("*")) for at, gene in enumerate(genes))


@pytest.fixture(scope="module")
def lambda_hits(lambda_proteins, database):
    return search_chunk(lambda_proteins, database)


def test_the_domains_of_the_lambda_repressor_are_found_at_their_places(database):
    peptidase, helix = search_chunk([("cI", REPRESSOR)], database)
    assert (peptidase.accession, helix.accession) == ("PF00717", "PF01381")
    assert helix.protein_to < peptidase.protein_from
    for hit in (peptidase, helix):
        assert hit.gene_id == "cI"
        assert hit.score_bits >= hit.threshold_bits
        assert hit.evalue < 1e-8
        assert hit.profile_coverage > 0.9
        length = hit.protein_to - hit.protein_from + 1
        assert hit.protein_coverage == pytest.approx(length / len(REPRESSOR))


def test_the_result_is_the_same_whatever_the_chunks(lambda_proteins, lambda_hits, database):
    for residues in (1, 3_000, 100_000):
        lengths = [len(protein) for _, protein in lambda_proteins]
        chunks = [[lambda_proteins[at] for at in c] for c in balanced_chunks(lengths, residues)]
        found = tuple(hit for chunk in chunks[:12] for hit in search_chunk(chunk, database))
        searched = {gene for chunk in chunks[:12] for gene, _ in chunk}
        assert found == tuple(hit for hit in lambda_hits if hit.gene_id in searched)


def test_prefiltered_and_strictly_filtered_hits_of_a_phage_are_those_of_plain_hmmer(
    lambda_proteins, lambda_hits, database, pressed_pack
):
    plain = replace(pressed_pack, is_filtered=False)
    assert search_chunk(lambda_proteins, plain) == lambda_hits
    assert search_chunk(lambda_proteins, pressed_pack) == lambda_hits
    assert len({plain.identity, pressed_pack.identity, database.identity}) == 3


def test_hits_come_in_the_order_of_the_proteins_best_first(lambda_proteins, lambda_hits):
    place = {gene: at for at, (gene, _) in enumerate(lambda_proteins)}
    order = [(place[hit.gene_id], -hit.score_bits) for hit in lambda_hits]
    assert len(order) >= 12
    assert order == sorted(order)


def test_profiles_indexed_in_memory_find_the_same(lambda_proteins, lambda_hits):
    assert search_chunk(lambda_proteins, ProfileDatabase.shipped()) == lambda_hits


def test_profiles_rebuilt_from_the_pack_find_what_pressed_ones_do(pressed_pack):
    rebuilt = replace(pressed_pack, pressed=None)
    assert search_chunk([("cI", REPRESSOR)], rebuilt) == search_chunk(
        [("cI", REPRESSOR)], pressed_pack
    )


@pytest.mark.parametrize("part", ["index", "pressed"])
def test_a_cache_that_vanished_costs_time_not_hits(tmp_path, database, pressed_pack, part):
    whole = {"index": database, "pressed": pressed_pack}[part]
    gone = replace(whole, **{part: tmp_path / "gone"})
    assert search_chunk([("cI", REPRESSOR)], gone) == search_chunk([("cI", REPRESSOR)], whole)


def test_a_worker_process_finds_the_same(lambda_proteins, lambda_hits, database):
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as executor:
        assert executor.submit(search_chunk, lambda_proteins, database).result() == lambda_hits


def test_threads_that_share_the_profiles_find_the_same(lambda_proteins, lambda_hits, database):
    with ThreadPoolExecutor(2) as executor:
        both = [executor.submit(search_chunk, lambda_proteins, database) for _ in range(2)]
        assert [search.result() for search in both] == [lambda_hits, lambda_hits]


def test_stops_and_odd_letters_are_searched_as_unknown_residues(database):
    places = {5: "*", 60: "?", 100: "-", 130: "u"}
    odd = "".join(places.get(at, residue) for at, residue in enumerate(REPRESSOR))
    hits = search_chunk([("odd", odd), ("rare", "MUOJBZX*" * 5)], database)
    assert [hit.accession for hit in hits] == ["PF00717", "PF01381"]


def test_empty_and_single_residue_proteins_have_no_hits(database):
    proteins = [("none", ""), ("one", "M"), ("cI", REPRESSOR), ("last", "")]
    assert {hit.gene_id for hit in search_chunk(proteins, database)} == {"cI"}
    assert search_chunk([("none", "")], database) == ()
    assert search_chunk([], database) == ()


def test_a_protein_beyond_the_limit_is_searched_up_to_it(tmp_path):
    """With one profile: all of the shipped ones take a minute for it."""
    family = MadeFamily("GF0000000C", FamilyPack.PHAGE, "repressor", "", REPRESSOR)
    database = ProfileDatabase.of(FamilyPack.PHAGE.file, write_build(tmp_path, (family,)))
    filler = "".join(random.Random(7).choices("ACDEFGHIKLMNPQRSTVWY", k=LONGEST_PROTEIN))
    (front,) = search_chunk([("long", REPRESSOR + filler)], database)
    assert (front.protein_from, front.profile_coverage > 0.9) == (1, True)
    assert search_chunk([("long", filler + REPRESSOR)], database) == ()


def test_a_giant_protein_beside_a_giant_profile_takes_bounded_memory(tmp_path):
    """In a process of its own, as only its peak tells; it is searched as far as it fits."""
    giant = MadeFamily("GF0000000D", FamilyPack.PHAGE, "tape measure", "", made_up(5, 3_500))
    folder = write_build(tmp_path, (giant,))
    before, after, hits = run_alone(giant.protein * 3, folder)
    assert after - before < 400_000  # kibibytes
    (hit,) = hits
    assert hit.protein_to <= 4_000
    assert hit.profile_coverage > 0.9


def run_alone(protein, folder):
    """Peak memory in kibibytes before and after a search, and what it found."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as executor:
        return executor.submit(_peaks, protein, folder).result()


def _peaks(protein, folder):
    search = ProfileDatabase.of(FamilyPack.PHAGE.file, folder)
    search_chunk([("small", REPRESSOR)], search)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    hits = search_chunk([("giant", protein)], search)
    return before, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, hits


def test_cancelling_stops_between_two_profiles(database):
    asked = []

    def is_cancelled():
        asked.append(threading.get_ident())
        return len(asked) == 10

    with pytest.raises(WorkCancelled):
        search_chunk([("cI", REPRESSOR)], database, is_cancelled=is_cancelled)
    assert len(asked) == 10
    assert len(search_chunk([("cI", REPRESSOR)], database)) == 2


def test_the_database_is_a_small_picklable_value(database):
    sent = pickle.dumps(database)
    assert len(sent) < 1000
    assert pickle.loads(sent) == database  # noqa: S301 - our own bytes


@pytest.mark.slow
def test_an_endless_repeat_is_passed_over_in_no_time(database):
    repeat = ("GSAT" * 25_000, "MKLV" * 2_000)
    chunk = [("long", repeat[0]), ("cI", REPRESSOR), ("shorter", repeat[1])]
    assert search_chunk(chunk, database) == search_chunk([("cI", REPRESSOR)], database)
