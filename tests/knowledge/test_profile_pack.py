"""The codec of the profile pack: what it keeps, what it loses, what it refuses."""

from __future__ import annotations

import gzip
import struct
from itertools import islice

import numpy as np
import pyhmmer
import pytest
from Bio import SeqIO
from pyhmmer.easel import Alphabet, DigitalSequenceBlock, TextSequence
from pyhmmer.plan7 import Background, Builder, HMMFile, HMMPressedFile

from genint.errors import UnavailableError
from genint.knowledge import profile_pack, table_files

ALPHABET = Alphabet.amino()
LAMBDA_REPRESSOR = (
    "MSTKKKPLTQEQLEDARRLKAIYEKKKNELGLSQESVADKMGMGQSGVGALFNGINALNAYNAALLAKILKVSVEEFSPSIAREIYEMYE"
    "AVSMQPSLRSEYEYPVFSHVQAGMFSPELRTFTKGDAERWVSTTKKASDSAFWLEVEGNSMTAPTGSKPSFPDGMLILVDPEQAVEPGDF"
    "CIARLGGDEFTFKKLIRDSGQVFLQPLNPQYPMIPCNESCSVVGKVIASQWPEETFG"
)


def digital(name, residues):
    return TextSequence(name=name, sequence=residues).digitize(ALPHABET)


@pytest.fixture(scope="module")
def profiles():
    """Two profiles of one protein's halves, dressed as families."""
    made = []
    for name, residues in (("front", LAMBDA_REPRESSOR[:90]), ("back", LAMBDA_REPRESSOR[90:])):
        profile, _, _ = Builder(ALPHABET).build(digital(name, residues), Background(ALPHABET))
        profile.accession = f"PF9{len(made):04}.7"
        profile.description = f"{name} half of λ's repressor"
        profile.cutoffs.gathering = (20.3 + len(made), 19.7)
        made.append(profile)
    return tuple(made)


def test_every_probability_comes_back_within_six_percent(profiles):
    for original, rebuilt in zip(
        profiles, profile_pack.decode(profile_pack.encode(profiles)), strict=True
    ):
        for matrix in ("match_emissions", "transition_probabilities"):
            before = np.asarray(getattr(original, matrix))
            after = np.asarray(getattr(rebuilt, matrix))
            assert np.array_equal(before == 0, after == 0)
            assert np.allclose(after, before, rtol=0.06, atol=0)
        rebuilt.validate()


def test_names_thresholds_and_calibration_come_back_exactly(profiles):
    for original, rebuilt in zip(
        profiles, profile_pack.decode(profile_pack.encode(profiles)), strict=True
    ):
        assert rebuilt.name == original.name
        assert rebuilt.accession == original.accession
        assert rebuilt.description == original.description
        assert original.M == rebuilt.M
        assert rebuilt.cutoffs.gathering == original.cutoffs.gathering
        assert list(rebuilt.evalue_parameters.as_vector()) == list(
            original.evalue_parameters.as_vector()
        )
        assert len(rebuilt.consensus) == original.M
        assert rebuilt.composition is not None


def test_pressed_profiles_are_read_in_their_order_with_their_thresholds(profiles, tmp_path):
    assert profile_pack.press(profiles, tmp_path / "made") == len(profiles)
    with HMMPressedFile(tmp_path / "made") as file:
        read = [(profile.name, profile.cutoffs.gathering1) for profile in file]
    assert read == [(profile.name, profile.cutoffs.gathering1) for profile in profiles]


def test_a_rebuilt_profile_finds_its_protein_with_nearly_the_same_score(profiles):
    block = DigitalSequenceBlock(ALPHABET, [digital("cI", LAMBDA_REPRESSOR)])

    def scores(queries):
        found = pyhmmer.hmmer.hmmsearch(queries, block, cpus=1, bit_cutoffs="gathering", Z=1)
        return [hits[0].score for hits in found]

    rebuilt = scores(profile_pack.decode(profile_pack.encode(profiles)))
    assert rebuilt == pytest.approx(scores(profiles), abs=1.0)


def test_the_same_profiles_give_the_same_bytes(profiles):
    assert profile_pack.encode(profiles) == profile_pack.encode(profiles)


def test_encoding_what_was_decoded_changes_nothing_more(profiles):
    once = profile_pack.encode(profiles)
    assert profile_pack.encode(profile_pack.decode(once)) == once


@pytest.mark.parametrize(("steps_per_bit", "tolerance"), [(12, 0.06), (6, 0.12), (4, 0.19)])
def test_the_header_says_the_steps_and_they_set_the_precision(profiles, steps_per_bit, tolerance):
    packed = profile_pack.encode(profiles, steps_per_bit)
    assert profile_pack.read_header(packed).steps_per_bit == steps_per_bit
    for original, rebuilt in zip(profiles, profile_pack.decode(packed), strict=True):
        before = np.asarray(original.match_emissions)[1:]
        after = np.asarray(rebuilt.match_emissions)[1:]
        assert np.allclose(after, before, rtol=tolerance, atol=0)
        rebuilt.validate()


def test_fewer_steps_take_less_room(profiles):
    assert len(profile_pack.encode(profiles, 4)) < len(profile_pack.encode(profiles, 12))


def test_packs_that_differ_in_steps_alone_have_another_identity(profiles):
    packed = bytearray(profile_pack.encode(profiles, 6))
    struct.pack_into("<H", packed, 54, 5)
    with pytest.raises(UnavailableError, match="digest differs"):
        profile_pack.decode(bytes(packed))


@pytest.mark.parametrize("steps_per_bit", [0, 13])
def test_steps_out_of_range_are_refused(profiles, steps_per_bit):
    with pytest.raises(ValueError, match="steps per bit must be 1 to 12"):
        profile_pack.encode(profiles, steps_per_bit)


def test_no_profiles_make_a_pack_too():
    packed = profile_pack.encode([])
    assert profile_pack.read_header(packed).profiles == 0
    assert list(profile_pack.decode(packed)) == []


def test_a_profile_without_gathering_threshold_is_refused():
    profile, _, _ = Builder(ALPHABET).build(digital("x", "MKVLAAGW"), Background(ALPHABET))
    with pytest.raises(ValueError, match="x has no gathering threshold"):
        profile_pack.encode([profile])


@pytest.mark.parametrize("place", [70, 200, -20])
def test_a_changed_byte_is_noticed_before_the_first_profile(profiles, place):
    packed = bytearray(profile_pack.encode(profiles))
    packed[place] ^= 0xFF
    with pytest.raises(UnavailableError, match="damaged"):
        profile_pack.decode(bytes(packed))


@pytest.mark.parametrize("kept", [0, 20, 60, 300])
def test_a_cut_off_pack_is_noticed(profiles, kept):
    with pytest.raises(UnavailableError, match="damaged"):
        profile_pack.decode(profile_pack.encode(profiles)[:kept])


def test_a_pack_of_another_version_is_named_as_such(profiles):
    packed = bytearray(profile_pack.encode(profiles))
    struct.pack_into("<H", packed, 8, 99)
    with pytest.raises(UnavailableError, match=r"format 99, this version reads 3"):
        profile_pack.read_header(bytes(packed))


def test_the_shipped_pack_is_whole_and_below_nine_megabytes():
    packed = table_files.read_shipped(table_files.PFAM_PACK)
    assert len(packed) < 9_000_000
    assert sum(1 for _ in profile_pack.decode(packed)) == profile_pack.read_header(packed).profiles


@pytest.mark.slow
def test_hits_differ_from_those_of_the_original_profiles_by_half_a_percent_at_most(shared_data):
    """Lambda, T7 and a third of M. pneumoniae at gathering thresholds, both ways counted."""
    rebuilt = {
        profile.accession.partition(".")[0]: profile
        for profile in profile_pack.decode(table_files.read_shipped(table_files.PFAM_PACK))
    }
    merged = shared_data / "reference/pfam/pfam_merged_3130.h3m.gz"
    with gzip.open(merged) as stream, HMMFile(stream) as models:
        originals = [model for model in models if model.accession.partition(".")[0] in rebuilt]
    assert len(originals) == len(rebuilt)
    block = DigitalSequenceBlock(ALPHABET, proteins(shared_data))
    wanted = found(originals, block)
    got = found(rebuilt.values(), block)
    assert len(wanted) > 200
    print(f"{len(wanted)} hits, {len(wanted - got)} lost, {len(got - wanted)} gained")
    assert len(wanted ^ got) <= 0.005 * len(wanted)


def proteins(shared_data):
    for name in ("lambda_NC_001416.gb", "T7_NC_001604.gb"):
        record = SeqIO.read(shared_data / "genomes" / name, "genbank")
        for at, feature in enumerate(record.features):
            for translation in feature.qualifiers.get("translation", ()):
                yield digital(f"{name}:{at}", translation)
    path = shared_data / "reference/ecoli_truth/cogclassifier_mycoplasma.faa"
    with path.open() as stream:
        for record in islice(SeqIO.parse(stream, "fasta"), 0, None, 3):
            yield digital(record.id, str(record.seq))


def found(profiles, block):
    searches = pyhmmer.hmmer.hmmsearch(
        profiles, block, cpus=1, bit_cutoffs="gathering", Z=1000, domZ=1000
    )
    return {
        (hit.name, hits.query.accession.partition(".")[0])
        for hits in searches
        for hit in hits.included
    }
