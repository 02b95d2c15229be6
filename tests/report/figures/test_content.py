"""What figures show of a genome: functions as labels, landmarks of bacteria, GC windows."""

import random
from dataclasses import replace

import pytest

from genint.knowledge import NameKind, classify_product
from genint.model.vocabulary import ConfidenceLevel, EvidenceSource
from genint.report.figures.content import (
    gc_windows,
    genome_map,
    looks_of,
)
from genint.report.figures.names import function_label, label_of, landmark_of, shortened
from genint.report.figures.palette import DARK, RNA


@pytest.mark.parametrize(
    "name",
    [
        "hypothetical protein",
        "conserved phage protein",
        "gp12",
        "DUF1234 domain protein",
        "NinD",
        "bet",
        "",
    ],
)
def test_what_is_no_function_is_no_label(name):
    assert function_label(name) is None


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("terminase large subunit", "terminase large subunit"),
        ("tail  fiber\nprotein", "tail fiber protein"),
        ("protein with a region like tail fiber protein", "tail fiber protein-like region"),
    ],
)
def test_a_function_is_its_label(name, label):
    assert function_label(name) == label


def test_a_long_text_is_cut_at_a_blank():
    assert shortened("serine/threonine protein phosphatase", 30) == "serine/threonine protein…"
    assert shortened("a" * 40, 10) == "a" * 9 + "…"
    assert shortened("endolysin", 9) == "endolysin"


@pytest.mark.parametrize(
    "name", ["lambda_NC_001416.gb", "AcinetobacterApostate_NC_049491.gbk", "phiX174_NC_001422.gb"]
)
def test_labels_of_genes_are_functions_and_never_ids(result_of, name):
    result = result_of(name)
    genes = {gene.id: gene for gene in result.genes}
    drawn = [one for record in genome_map(result).records for one in record.features]
    labelled = [one for one in drawn if one.label and one.look is not RNA]
    assert labelled
    for one in labelled:
        assert not genes[one.id].is_dark
        assert one.label not in {one.id, genes[one.id].locus}
        assert classify_product(genes[one.id].function) is not NameKind.PLACEHOLDER
    assert all(one.label is None for one in drawn if one.look is DARK)


def test_every_gene_is_drawn_once_with_all_its_bases(result_of):
    result = result_of("lambda_NC_001416.gb")
    (record,) = genome_map(result).records
    drawn = {one.id: one for one in record.features}
    assert len(drawn) == len(record.features)
    for gene in result.genes:
        assert sum(end - start for start, end in drawn[gene.id].parts) == sum(
            part.end - part.start + 1 for part in gene.parts
        )


def test_a_gene_over_the_origin_ends_beyond_the_length(phix):
    (record,) = genome_map(phix).records
    over = [one for one in record.features if one.end > record.length]
    assert {gene.id for gene in phix.genes if gene.end < gene.start} == {one.id for one in over}
    assert over


@pytest.mark.parametrize(
    ("level", "sign"), [("HIGH", ""), ("MODERATE", ""), ("LOW", "?"), ("SPECULATIVE", "?")]
)
def test_labels_are_what_genint_found_and_guesses_have_a_question_mark(phix, level, sign):
    gene = phix.genes[0].model_copy(
        update={
            "function": "contains an NlpC/P60 domain",
            "normalized_product": "words of the file",
            "is_dark": False,
            "confidence": ConfidenceLevel(level),
        }
    )
    assert label_of(gene) == f"NlpC/P60 domain{sign}"


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("chromosomal replication initiator protein DnaA", "replication initiator DnaA"),
        ("DNA-directed RNA polymerase subunit beta", "RNA polymerase subunit beta"),
        ("DNA-directed RNA polymerase subunit beta'", None),
        ("DNA gyrase inhibitor", None),
        ("ATPase regulatory factor involved in DnaA inactivation", None),
        ("cell division protein FtsZ", "cell division protein FtsZ"),
        ("contains a region like DNA polymerase I", None),
    ],
)
def test_a_landmark_is_known_by_its_whole_function(phix, name, label):
    update = {"function": name, "is_dark": False, "confidence": ConfidenceLevel.HIGH}
    gene = phix.genes[0].model_copy(update=update | {"evidence": ()})
    assert landmark_of(gene) == label
    assert landmark_of(gene.model_copy(update={"confidence": ConfidenceLevel.LOW})) is None


def test_a_landmark_is_known_by_its_family_where_the_file_has_other_words(phix):
    item = (
        phix.genes[0]
        .evidence[0]
        .model_copy(
            update={
                "source": EvidenceSource.GENINT_FAMILY,
                "label": "GF82126ED0 DNA recombination protein RecA (21 of 27 named members)",
            }
        )
    )
    update = {"function": "synaptase; ssDNA binding protein", "evidence": (item,)}
    gene = phix.genes[0].model_copy(
        update=update | {"is_dark": False, "confidence": ConfidenceLevel.HIGH}
    )
    assert landmark_of(gene) == "recombinase RecA"


def test_one_odd_window_does_not_flatten_a_curve(phix):
    (record,) = genome_map(phix).records
    odd = record.windows[0]._replace(gc=1.0, skew=1.0)
    genome = replace(genome_map(phix), records=(replace(record, windows=(odd, *record.windows)),))
    gc, skew = genome.curves
    assert gc.most < 0.2
    assert skew.most < 0.5
    assert gc.of(odd) == skew.of(odd) == 1


def test_of_a_bacterium_only_landmarks_are_labelled(result_of):
    genome = genome_map(result_of("E_coli_K12_MG1655_NC_000913.gbk.gz"))
    labels = [one.label for one in genome.records[0].features if one.label]
    assert genome.is_crowded
    assert 5 <= len(labels) <= 40
    assert labels.count("rRNA (16S, 23S, 5S)") == 7


def test_a_wanted_word_labels_genes_of_a_bacterium_too(result_of):
    result = result_of("E_coli_K12_MG1655_NC_000913.gbk.gz")
    labels = {one.label for one in genome_map(result, ["FTSZ"]).records[0].features if one.wanted}
    assert labels
    assert all(label for label in labels)


def test_a_wanted_word_gives_the_highest_weight(phix):
    (record,) = genome_map(phix, ["lysis"]).records
    first = max(record.features, key=lambda one: one.weight)
    assert first.wanted
    assert "lysis" in first.label


def test_the_legend_has_only_looks_that_are_there(phix):
    genome = genome_map(phix)
    there = {one.look for one in genome.records[0].features}
    assert set(looks_of([genome])) == there


def test_gc_windows_are_those_counted_by_hand():
    generator = random.Random(7)
    bases = "".join(generator.choices("ACGTN", (4, 3, 2, 4, 0.1), k=6000))
    length, width = 6000, 60
    for window in gc_windows(bases, width, is_circular=True):
        around = [bases[(int(window.at) + at) % length] for at in range(-width // 2, width // 2)]
        g, c = around.count("G"), around.count("C")
        known = sum(around.count(base) for base in "ACGT")
        assert window.gc == pytest.approx((g + c) / known)
        assert window.skew == pytest.approx((g - c) / (g + c))


def test_windows_of_a_line_end_with_it():
    windows = gc_windows("G" * 300 + "A" * 300, 60, is_circular=False)
    assert windows[0].gc == 1
    assert windows[-1].gc == 0


def test_a_short_or_missing_sequence_has_no_windows():
    assert gc_windows("", 60, is_circular=False) == gc_windows("ACGT", 60, is_circular=True) == ()


def test_names_of_contigs_are_without_what_assemblers_put_behind(phix):
    ids = ("NODE_1_length_5386_cov_12.5", "NODE_2_length_4000_cov_3.1", "other_length_x")
    records = tuple(phix.records[0].model_copy(update={"id": name}) for name in ids)
    bare = phix.model_copy(update={"records": records, "genes": (), "rna_genes": ()})
    assert [one.id for one in genome_map(bare).records] == ["NODE_1", "NODE_2", "other_length_x"]
    # not where two would be called alike
    again = (*records, records[0].model_copy(update={"id": "NODE_1_length_99_cov_1"}))
    names = [one.id for one in genome_map(bare.model_copy(update={"records": again})).records]
    assert names == [one.id for one in again]
