"""The corpus of the families: what is read, under which record, and what is hidden."""

from __future__ import annotations

import gzip
import hashlib
from pathlib import Path

import pytest

from training.families.corpus import ReadCorpus, collect, read_corpus, sequence_hash
from training.families.exclusion import read_exclusion, unknown_records
from training.families.inputs import Input, InputError, Reader, check, load_inputs
from training.families.readers import Reading, pooled_id, record_id
from training.families.values import Corpus, Exclusion, Lineage, Naming, Origin

ONE = "MKTLLVAGGSDRNWEQTPYFHICKMNDE"
OTHER = "MSEQRRKLLNDVAAGTHWWPYCFIMKKE"


def naming(record: str, product: str = "portal protein") -> Naming:
    return Naming(record, product, "", Origin.SUBMITTER, Lineage.PHAGE)


def reading(residues: str, record: str = "A", product: str = "portal protein") -> Reading:
    return Reading(residues, naming(record, product))


def entry(path: Path, folder: Path, reader: Reader, **more: object) -> Input:
    content = hashlib.sha256(path.read_bytes()).hexdigest()
    fields = {"path": str(path.relative_to(folder)), "sha256": content, "reader": reader, **more}
    return Input.parsed(fields)


@pytest.mark.parametrize(
    ("written", "record"),
    [
        ("NC_001416.1", "NC_001416"),
        ("NC_001416", "NC_001416"),
        ("NZ_CP001668.1", "NZ_CP001668"),
        ("NZ_LAEX01000001.1", "NZ_LAEX01000001"),
        ("Z18946.1", "Z18946"),
        ("gi|291010735|gb|GQ451696.1|", "GQ451696"),
        ("PHACTS_10760.1", "PHACTS_10760.1"),
        ("contig_1", "contig_1"),
    ],
)
def test_a_record_is_known_without_its_version_but_keeps_other_numbers(
    written: str, record: str
) -> None:
    assert record_id(written) == record


def test_one_sequence_of_two_records_is_one_protein_with_both_namings() -> None:
    read = collect([reading(ONE, "B"), reading(ONE.lower() + "*", "A")])
    (protein,) = read.corpus.proteins.values()
    assert protein.residues == ONE
    assert [naming.record for naming in protein.namings] == ["A", "B"]
    assert protein.hash == sequence_hash(ONE)


def test_cog_letters_of_one_copy_belong_to_the_protein() -> None:
    read = collect([reading(ONE, "A"), Reading(ONE, naming("B"), letters="KL")])
    assert read.corpus.proteins[sequence_hash(ONE)].cogs == ("K", "L")


@pytest.mark.parametrize(
    ("poor", "reason"),
    [
        (reading("MKTLL"), "shorter than 20 aa"),
        (reading(ONE[:14] + "*" + ONE[14:]), "stop or other sign inside the sequence"),
        (reading(ONE[:14] + "XXXX" + ONE[14:]), "more than 5% unknown residues"),
        (reading(ONE, product="portal protein (fragment)"), "named a fragment"),
        (reading(ONE, product="truncated integrase"), "named a fragment"),
        (Reading(ONE, naming("A"), partial=True), "pseudogene"),
    ],
)
def test_what_would_spoil_an_alignment_is_left_out_with_its_reason(
    poor: Reading, reason: str
) -> None:
    read = collect([poor, reading(OTHER)])
    assert read.dropped == {reason: 1}
    assert list(read.corpus.proteins) == [sequence_hash(OTHER)]


def test_a_product_of_a_natural_frameshift_is_no_fragment() -> None:
    read = collect([reading(ONE, product="tail assembly chaperone frameshift protein")])
    assert len(read.corpus.proteins) == 1


def test_only_what_nothing_but_a_pool_has_may_be_thinned() -> None:
    pooled = Reading(ONE, naming("sprot:A1"), thinned=True)
    read = collect([pooled, reading(ONE, "B"), Reading(OTHER, naming("sprot:A2"), thinned=True)])
    assert read.pooled == {sequence_hash(OTHER)}


def test_order_of_the_inputs_does_not_matter() -> None:
    some = [reading(ONE, "A"), reading(OTHER, "B"), reading(ONE, "C")]
    assert collect(some) == collect(reversed(some))


def test_an_excluded_record_takes_only_its_own_namings() -> None:
    corpus = collect([reading(ONE, "A"), reading(ONE, "B"), reading(OTHER, "A")]).corpus
    left = corpus.without(Exclusion(records=frozenset({"A"})))
    assert list(left.proteins) == [sequence_hash(ONE)]
    assert [naming.record for naming in left.proteins[sequence_hash(ONE)].namings] == ["B"]


def test_an_excluded_record_takes_its_cog_letters_along() -> None:
    said = [Reading(ONE, naming("A"), letters="K"), Reading(ONE, naming("B"), letters="L")]
    corpus = collect([*said, reading(ONE, "C")]).corpus
    letters = {
        hidden: corpus.without(Exclusion(records=frozenset(hidden))).proteins[sequence_hash(ONE)]
        for hidden in ("A", "B", "C", "AB")
    }
    assert {hidden: one.cogs for hidden, one in letters.items()} == {
        "A": ("L",),
        "B": ("K",),
        "C": ("K", "L"),
        "AB": (),
    }


def test_an_excluded_protein_leaves_whichever_record_has_it() -> None:
    corpus = collect([reading(ONE, "A"), reading(ONE, "B"), reading(OTHER, "A")]).corpus
    left = corpus.without(Exclusion(proteins=frozenset({sequence_hash(ONE)})))
    assert list(left.proteins) == [sequence_hash(OTHER)]


def test_an_exclusion_file_names_records_and_proteins(tmp_path: Path) -> None:
    file = tmp_path / "exclude.txt"
    file.write_text(
        f"# a phage\nrecord NC_001416.1  # and its copies\n\nprotein {sequence_hash(ONE)}\n"
    )
    assert read_exclusion(file) == Exclusion(
        frozenset({"NC_001416"}), frozenset({sequence_hash(ONE)})
    )


@pytest.mark.parametrize("line", ["NC_001416", "record", "protein abc", "gene terL"])
def test_a_line_that_excludes_nothing_is_an_error_that_names_it(tmp_path: Path, line: str) -> None:
    file = tmp_path / "exclude.txt"
    file.write_text(f"# first\n{line}\n")
    with pytest.raises(InputError, match=r"exclude\.txt, line 2"):
        read_exclusion(file)


def test_excluded_records_that_the_corpus_has_not_are_told() -> None:
    corpus = collect([reading(ONE, "A")]).corpus
    assert unknown_records(Exclusion(frozenset({"A", "B"})), corpus) == ("B",)


def test_an_input_of_other_content_is_named(tmp_path: Path) -> None:
    file = tmp_path / "proteins.faa"
    file.write_text(">P1\nMKT\n")
    pinned = entry(file, tmp_path, Reader.PROKKA_FASTA)
    check(tmp_path, [pinned])
    file.write_text(">P1\nMKA\n")
    with pytest.raises(InputError, match=r"proteins\.faa has SHA-256"):
        check(tmp_path, [pinned])
    file.unlink()
    with pytest.raises(InputError, match=r"proteins\.faa is missing"):
        check(tmp_path, [pinned])


def read_one(folder: Path, *inputs: Input) -> Corpus:
    read: ReadCorpus = read_corpus(folder, inputs)
    return read.corpus


def test_training_proteins_are_read_even_where_ids_hold_bars(tmp_path: Path) -> None:
    table = tmp_path / "records.tsv"
    table.write_text(
        "record\tnames\nNC_001604.1\tsubmitter or RefSeq\ncontig_1\tSEED wording (2011)\n"
        "gi|5|gb|GQ451696.1|\tPHROG wording: do not use as labels\n"
    )
    proteins = tmp_path / "proteins.faa.gz"
    headers = (
        "1_NP_1.1|NC_001604.1|gp1|portal protein",
        "2_gnl|Bakta|X_001|contig_1||tail protein",
        "3_cds0|gi|5|gb|GQ451696.1|||capsid protein",
    )
    with gzip.open(proteins, "wt") as stream:
        stream.writelines(f">{header}\n{ONE}{'A' * at}\n" for at, header in enumerate(headers))
    corpus = read_one(
        tmp_path,
        entry(table, tmp_path, Reader.RECORD_TABLE),
        entry(proteins, tmp_path, Reader.TRAIN_FASTA, lineage="phage"),
    )
    namings = sorted(one.namings[0] for one in corpus.proteins.values())
    assert namings == [
        Naming("GQ451696", "capsid protein", "", Origin.MACHINE, Lineage.PHAGE),
        Naming("NC_001604", "portal protein", "gp1", Origin.SUBMITTER, Lineage.PHAGE),
        Naming("contig_1", "tail protein", "", Origin.SEED, Lineage.PHAGE),
    ]


def test_each_protein_of_a_collection_is_a_record_of_its_own(tmp_path: Path) -> None:
    file = tmp_path / "collection"
    file.write_text(f">P12345.2 1.1.1.1~~~abcD~~~Some synthase~~~COG0001\n{ONE}\n")
    corpus = read_one(
        tmp_path,
        entry(
            file,
            tmp_path,
            Reader.PROKKA_FASTA,
            origin="swissprot",
            lineage="archaea",
            pools=["*"],
        ),
    )
    (protein,) = corpus.proteins.values()
    assert protein.namings == (
        Naming(pooled_id("P12345"), "Some synthase", "abcD", Origin.SWISSPROT, Lineage.ARCHAEA),
    )


def test_phage_proteins_without_records_are_records_of_their_own_and_lose_their_ids(
    tmp_path: Path,
) -> None:
    file = tmp_path / "more.faa"
    file.write_text(
        f">Q1 SPP1p028_tail component\tRefSeq\n{ONE}\n>Q2 hk97 gp5\tX\n{OTHER}\n"
        f">Q3 putative CDL74020.1_holin\tX\n{ONE[::-1]}\n"
        f">Q4 tr|A0A2R4P8T8|A0A2R4P8T8_9CAUD Tail fiber protein\tX\n{OTHER[::-1]}\n"
    )
    source = entry(file, tmp_path, Reader.TABBED_PHAGES, origin="submitter", lineage="phage")
    found = sorted(
        one.namings[0] for one in read_corpus(tmp_path, [source]).corpus.proteins.values()
    )
    assert [(one.record, one.product) for one in found] == [
        ("sprot:Q1", "tail component"),
        ("sprot:Q2", "hk97 gp5"),
        ("sprot:Q3", "holin"),
        ("sprot:Q4", "Tail fiber protein"),
    ]


def test_proteomes_are_one_record_an_organism_named_by_submitters_or_seed(tmp_path: Path) -> None:
    file = tmp_path / "proteomes.faa"
    file.write_text(
        f">N1 DNA ligase\tBacillus subtilis 168\tRefSeq wording\n{ONE}\n"
        f">N2 DNA ligase (EC 6.5.1.2)\tSulfolobus acidocaldarius\tSEED wording\n{OTHER}\n"
    )
    source = entry(
        file,
        tmp_path,
        Reader.TABBED_PROTEOMES,
        lineage="bacteria",
        archaea=["Sulfolobus acidocaldarius"],
    )
    found = sorted(
        one.namings[0] for one in read_corpus(tmp_path, [source]).corpus.proteins.values()
    )
    assert [(one.record, one.origin, one.lineage) for one in found] == [
        ("Bacillus_subtilis_168", Origin.SUBMITTER, Lineage.BACTERIA),
        ("Sulfolobus_acidocaldarius", Origin.SEED, Lineage.ARCHAEA),
    ]


def test_only_reviewed_enzymes_are_named_by_a_curator(tmp_path: Path) -> None:
    file = tmp_path / "enzymes.faa"
    file.write_text(
        f">UniRef90_A0JSV8 DNA ligase\treviewed\t6.5.1.2,6.5.1\tArthrobacter\tLIGA_ARTS2\n{ONE}\n"
        f">P0AB71 Aldolase class 2 (FBPA) (EC 4.1.2.13) (FBP aldolase)\tunreviewed\n{OTHER}\n"
    )
    source = entry(file, tmp_path, Reader.TABBED_ENZYMES, lineage="bacteria")
    found = sorted(
        one.namings[0] for one in read_corpus(tmp_path, [source]).corpus.proteins.values()
    )
    assert found == [
        Naming("sprot:A0JSV8", "DNA ligase", "", Origin.SWISSPROT, Lineage.BACTERIA)._replace(
            ec=("6.5.1.2",)
        ),
        Naming("sprot:P0AB71", "Aldolase class 2", "", Origin.AUTOMATIC, Lineage.BACTERIA),
    ]


def test_the_name_of_an_entry_has_a_symbol_only_where_some_gene_is_called_so() -> None:
    ligase = naming("sprot:A", "DNA ligase")
    read = collect(
        [
            Reading(ONE, ligase._replace(symbol="dnlJ"), is_symbol_of_entry=True),
            Reading(OTHER, ligase._replace(symbol="ligA"), is_symbol_of_entry=True),
            Reading(ONE[3:], naming("B", "DNA ligase")._replace(symbol="ligA")),
        ]
    )
    symbols = {one.residues: one.namings[0].symbol for one in read.corpus.proteins.values()}
    assert symbols == {ONE: "", OTHER: "ligA", ONE[3:]: "ligA"}


def test_a_header_with_more_fields_than_its_reader_knows_is_named(tmp_path: Path) -> None:
    file = tmp_path / "more.faa"
    file.write_text(f">Q1 tail\tRefSeq\tmore\n{ONE}\n")
    source = entry(file, tmp_path, Reader.TABBED_PHAGES, origin="submitter", lineage="phage")
    with pytest.raises(InputError, match=r"more\.faa: over 1 fields .*Q1 tail"):
        read_corpus(tmp_path, [source])


def test_a_genome_under_two_roofs_is_one_record(shared_data: Path) -> None:
    wanted = [one for one in load_inputs() if one.record == "NC_000913" or "MG1655" in one.path]
    corpus = read_one(shared_data, *wanted)
    records = {record for protein in corpus.proteins.values() for record in protein.records}
    assert records == {"NC_000913"}
    origins = {naming.origin for one in corpus.proteins.values() for naming in one.namings}
    assert origins == {Origin.SWISSPROT, Origin.SUBMITTER}


def test_every_pinned_input_is_here_and_unchanged(shared_data: Path) -> None:
    check(shared_data, load_inputs())
