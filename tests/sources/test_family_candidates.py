"""The prefilter: which families may a protein belong to?"""

from __future__ import annotations

import random
import shutil
from dataclasses import replace

import numpy as np
import pytest
from pyhmmer.easel import Alphabet, DigitalSequenceBlock, TextSequence
from pyhmmer.hmmer import hmmsearch

from genint.errors import UnavailableError, WorkCancelled
from genint.knowledge import FamilyPack, press
from genint.knowledge.family_index import (
    index_in_memory,
    is_index_of,
    open_family_index,
    write_index,
)
from genint.sources import ProfileDatabase, search_chunk
from genint.sources.family_candidates import FamilyFilter, are_nearest


@pytest.fixture(scope="module", params=FamilyPack)
def database(request):
    return ProfileDatabase.of(request.param.file, is_prefiltered=True)


@pytest.fixture(scope="module")
def index(database):
    return index_in_memory(database.unpacked())


@pytest.fixture(scope="module")
def written(database, tmp_path_factory):
    """The index in a folder that no test changes."""
    folder = tmp_path_factory.mktemp("index")
    write_index(database.unpacked(), folder)
    return folder


@pytest.fixture
def copied(written, tmp_path):
    """The index in a folder of the test's own."""
    return shutil.copytree(written, tmp_path / "copied")


@pytest.fixture(scope="module")
def members(index):
    """The consensus of every two hundredth family with a fifth of its residues changed."""
    chance = random.Random(5)
    return [
        (str(number), changed(index.profiles.profile(number).consensus, chance))
        for number in range(0, len(index.lengths), 200)
    ]


def candidates(index, proteins, **options):
    families = FamilyFilter(index)
    return families.candidates(proteins, families.alike(proteins, **options), **options)


def changed(consensus, chance, share=0.2):
    residues = list(consensus.upper())
    for at in chance.sample(range(len(residues)), int(len(residues) * share)):
        residues[at] = chance.choice("ACDEFGHIKLMNPQRSTVWY")
    return "".join(residues)


def test_prefiltered_hits_are_those_of_the_full_search_to_the_last_digit(database, members):
    full = search_chunk(members, replace(database, is_prefiltered=False))
    assert len(full) > len(members) / 2
    prefiltered = search_chunk(members, database)
    assert list(prefiltered) == [hit for hit in full if hit in prefiltered]
    # Changes by chance leave fewer words than those of nature do.
    assert len(prefiltered) >= 0.95 * len(full)


def test_hits_do_not_depend_on_the_number_of_threads(database, members):
    some = members[:20]
    assert search_chunk(some, database, threads=2) == search_chunk(some, database)


def test_proteins_near_the_threshold_of_a_family_are_hits_where_plain_hmmer_says_so(
    database, index, tmp_path
):
    """No domains are looked for where a Forward score is far below a threshold of many bits."""
    numbers = range(0, len(index.lengths), 100)
    chance = random.Random(8)
    proteins = [
        (f"{number} {share}", changed(index.profiles.profile(number).consensus, chance, share))
        for number in numbers
        for share in (0.5, 0.6, 0.7, 0.8, 0.9)
    ]
    block = DigitalSequenceBlock(
        Alphabet.amino(),
        [
            TextSequence(name=name, sequence=text).digitize(Alphabet.amino())
            for name, text in proteins
        ],
    )
    few = [index.profiles.profile(number) for number in numbers]
    plain = {
        (hit.name, profile.accession, hit.score)
        for profile, hits in zip(
            few, hmmsearch(few, block, bit_cutoffs="gathering", F3=1e-5, cpus=1), strict=True
        )
        for hit in hits.included
        if list(hit.domains.included)
    }
    press(few, tmp_path / "few")
    pressed = replace(database, profiles=len(few), pressed=tmp_path / "few", is_prefiltered=False)
    found = {(h.gene_id, h.accession, h.score_bits) for h in search_chunk(proteins, pressed)}
    assert 0.1 * len(proteins) < len(found) < 0.9 * len(proteins)
    assert found == plain


def test_candidates_of_a_protein_do_not_depend_on_the_others(index, members):
    texts = [residues for _, residues in members]
    together = {
        (family, protein) for family, chosen in candidates(index, texts) for protein in chosen
    }
    looked_at = range(0, len(texts), 9)
    alone = {
        (family, number) for number in looked_at for family, _ in candidates(index, [texts[number]])
    }
    assert {one for one in together if one[1] in looked_at} == alone


def test_the_nearest_family_of_each_protein_is_the_one_of_the_best_alignment(index, members):
    pairs = FamilyFilter(index).alike([residues for _, residues in members])
    nearest = pairs.where(are_nearest(pairs))
    best = {}
    for protein, score in zip(pairs.proteins.tolist(), pairs.scores.tolist(), strict=True):
        best[protein] = max(best.get(protein, 0), score)
    found = dict(zip(nearest.proteins.tolist(), nearest.scores.tolist(), strict=True))
    assert found == best
    assert len(nearest.proteins) == len(best) > 0.9 * len(members)


def test_what_cannot_reach_the_bits_that_a_hit_needs_is_no_candidate(index, members):
    texts = [residues for _, residues in members[:40]]
    families = FamilyFilter(index)
    pairs = families.alike(texts)

    def chosen(needed_bits):
        found = families.candidates(texts, pairs, np.full(len(texts), needed_bits))
        return {(family, protein) for family, proteins in found for protein in proteins}

    assert chosen(1_000.0) < chosen(200.0) < chosen(0.0) == chosen(1.0)


def test_few_families_are_candidates_of_a_protein_that_nature_never_made(index):
    chance = random.Random(3)
    proteins = ["".join(chance.choices("ACDEFGHIKLMNPQRSTVWY", k=300)) for _ in range(40)]
    assert sum(len(chosen) for _, chosen in candidates(index, proteins)) <= len(proteins)


@pytest.mark.parametrize("residues", ["", "M", "MKL", "X" * 50, "MÄ\u00df*-" * 9, "mkv" * 30])
def test_whatever_the_protein_is_there_is_an_answer(index, residues):
    assert isinstance(candidates(index, [residues, "", residues]), tuple)


def test_a_stored_index_finds_what_one_in_memory_does(index, written, members):
    texts = [residues for _, residues in members]
    assert candidates(open_family_index(written), texts) == candidates(index, texts)


def test_memory_that_was_given_back_is_read_again(index, written, members):
    texts = [residues for _, residues in members]
    mapped = open_family_index(written)
    before = candidates(mapped, texts)
    mapped.profiles.release()
    assert candidates(mapped, texts) == before == candidates(index, texts)
    index.profiles.release()  # of a pack that is in no file nothing can be given back
    assert index.profiles.emissions.any()


def test_the_same_pack_gives_the_same_index(database, written, tmp_path):
    write_index(database.unpacked(), tmp_path)
    folders = (written, tmp_path)
    one, other = ({path.name: path.read_bytes() for path in each.iterdir()} for each in folders)
    assert one == other


def test_one_wrong_byte_makes_it_the_index_of_no_pack(database, copied):
    assert is_index_of(database.unpacked(), copied)
    path = copied / "columns.u8"
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)
    assert not is_index_of(database.unpacked(), copied)


def test_a_damaged_index_is_refused_and_the_search_goes_on_without(database, members, copied):
    (copied / "columns.u8").write_bytes(b"cut")
    with pytest.raises(UnavailableError):
        open_family_index(copied)
    damaged = replace(database, index=copied)
    assert search_chunk(members[:5], damaged) == search_chunk(members[:5], database)


def test_the_prefilter_ends_soon_after_it_is_cancelled(index, members):
    with pytest.raises(WorkCancelled):
        candidates(index, [members[0][1]], is_cancelled=lambda: True)


def test_answers_with_and_without_prefilter_are_kept_apart(database):
    assert database.identity != replace(database, is_prefiltered=False).identity
