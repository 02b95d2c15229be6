"""The feature table for submissions: read back by its rules, and by the NCBI's own program."""

from __future__ import annotations

import io
import re
import warnings
from collections import Counter

from Bio import BiopythonWarning, SeqIO

from genint import interpret_genome
from genint.model.locus_tags import prefix_of
from genint.model.sequence import reverse_complement, translate
from genint.pipeline.library import as_result
from genint.report import render_fna, render_tbl
from genint.report.submission_names import submission_name
from tests.report.real_genomes import interpreted
from tests.report.submitted import PREFIX
from tests.report.tbl_reading import TblFeature, read_tbl

INFERENCE = re.compile(
    r"(?:COORDINATES:)?(?:ab initio prediction|profile|protein motif|similar to AA sequence)"
    r"(?::[A-Za-z][\w./-]*)(?::[\w.-]+)*"
)
"""A type, a program or database without blanks, and a version or accession."""


def bases_of(feature: TblFeature, records: dict[str, str]) -> str:
    pieces = []
    for start, end, strand in feature.bases():
        piece = records[feature.record][start:end]
        pieces.append(piece if strand == 1 else reverse_complement(piece))
    return "".join(pieces)


def sequences(result) -> dict[str, str]:
    return {one.id: str(one.seq) for one in SeqIO.parse(io.StringIO(render_fna(result)), "fasta")}


def test_every_gene_has_a_tag_by_the_rules_that_no_other_has(submitted):
    features = read_tbl(render_tbl(submitted))
    genes = [one for one in features if one.key == "gene"]
    tags = [one.value("locus_tag") for one in genes]
    assert len(tags) == len(set(tags)) == len(submitted.genes) + len(submitted.rna_genes)
    assert {prefix_of(tag) for tag in tags} == {PREFIX}
    for one in features:
        if one.key == "CDS":
            assert one.value("protein_id") == f"gnl|{PREFIX}|{one.value('locus_tag')}"


def test_every_coding_sequence_translates_to_its_protein(submitted):
    records = sequences(submitted)
    proteins = {gene.id: gene for gene in submitted.genes}
    coding = [one for one in read_tbl(render_tbl(submitted)) if one.key == "CDS"]
    assert len(coding) == len(proteins)
    for one in coding:
        gene = proteins[one.value("locus_tag")]
        bases = bases_of(one, records)[int(one.value("codon_start")) - 1 :]
        made = translate(bases, int(one.value("transl_table"))).rstrip("*")
        assert made[1:] == gene.translation[1:], gene.id
        assert one.parts[0][0].startswith("<") is gene.partial_5
        assert one.parts[-1][1].startswith(">") is gene.partial_3


def test_what_an_end_of_a_line_cuts_goes_up_to_that_end(submitted):
    records = sequences(submitted)
    topologies = {record.id: record.topology for record in submitted.records}
    for one in read_tbl(render_tbl(submitted)):
        if one.key != "CDS" or topologies[one.record] == "circular":
            continue
        for text in (one.parts[0][0], one.parts[-1][1]):
            if text[0] in "<>":
                assert int(text[1:]) in (1, len(records[one.record]))


def test_products_are_what_genbank_takes_and_of_sure_levels(submitted):
    genes = {gene.id: gene for gene in submitted.genes}
    products = Counter()
    for one in read_tbl(render_tbl(submitted)):
        if one.key != "CDS":
            continue
        product, gene = one.value("product"), genes[one.value("locus_tag")]
        products[product] += 1
        assert product == submission_name(product)
        if gene.confidence not in {"HIGH", "MODERATE"}:
            assert product == "hypothetical protein"
    assert len(products) > 1


def test_inferences_have_the_form_of_the_insdc(submitted):
    features = read_tbl(render_tbl(submitted))
    values = [value for one in features for value in one.values("inference")]
    assert values
    assert [value for value in values if not INFERENCE.fullmatch(value)] == []


def test_without_a_prefix_there_are_no_tags_and_no_protein_ids(examples):
    result = as_result(interpret_genome(examples / "lambda.fasta"))
    for one in read_tbl(render_tbl(result)):
        assert one.value("locus_tag") is one.value("protein_id") is None


def submission(result, tbl2asn, folder) -> tuple[str, str, list]:
    """What the program says against a result, its discrepancy report, and the GenBank records."""
    fasta = render_fna(result)
    if "[organism=" not in fasta:  # a FASTA file does not say it
        named = r">\1 [organism=Lambda virus]"
        fasta = re.sub(r"^>(\S+)", named, fasta, flags=re.MULTILINE)
    (folder / "g.fsa").write_text(fasta)
    (folder / "g.tbl").write_text(render_tbl(result))
    tbl2asn(folder)
    said = (folder / "g.val").read_text() if (folder / "g.val").exists() else ""
    written = (folder / "g.gbf").read_text()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", BiopythonWarning)
        records = list(SeqIO.parse(io.StringIO(written), "genbank"))
    return said, (folder / "report.dr").read_text(), records


EXPECTED = ("CompleteCircleProblem", "BadEcNumberValue", "UndesiredProteinName")
"""A circle is not said to be complete; the program's list of enzymes is of 2017."""


def test_tbl2asn_takes_it_without_error_and_makes_the_same_proteins(submitted, tbl2asn, tmp_path):
    said, report, records = submission(submitted, tbl2asn, tmp_path)
    assert [line for line in said.splitlines() if not any(one in line for one in EXPECTED)] == []
    assert "FATAL" not in report
    assert "DISC_PARTIAL_PROBLEMS" not in report
    made = {
        one.qualifiers["locus_tag"][0]: one.qualifiers["translation"][0]
        for record in records
        for one in record.features
        if one.type == "CDS"
    }
    assert len(made) == len(submitted.genes)
    for gene in submitted.genes:
        found = made[gene.id][1:]
        if gene.partial_3 and found[:-1] == gene.translation[1:]:
            continue  # two bases of a codon that is cut off say which residue it is
        assert found == gene.translation[1:], gene.id


def test_an_annotated_phage_keeps_its_tags_and_products(shared_data, tbl2asn, tmp_path):
    result = interpreted(shared_data / "genomes" / "AcinetobacterApostate_NC_049491.gbk").result
    said, report, records = submission(result, tbl2asn, tmp_path)
    assert [line for line in said.splitlines() if not any(one in line for one in EXPECTED)] == []
    assert "FATAL" not in report
    coding = [one for record in records for one in record.features if one.type == "CDS"]
    tags = [one.qualifiers["locus_tag"][0] for one in coding]
    assert tags == [gene.locus for gene in sorted(result.genes, key=lambda gene: gene.start)]
    products = [one.qualifiers["product"][0] for one in coding]
    assert sum(name != "hypothetical protein" for name in products) > 50


def test_every_real_genome_can_be_read_back(real):
    records = sequences(real.result)
    features = read_tbl(render_tbl(real.result))
    assert {one.record for one in features} <= records.keys()
    for one in features:
        length = len(records[one.record])
        assert all(0 <= start < end <= length for start, end, _ in one.bases()), one
        if one.key == "CDS":
            assert one.value("product")
            assert one.value("product") == submission_name(one.value("product"))
        for value in one.values("inference"):
            assert INFERENCE.fullmatch(value), value
    written = Counter(one.key for one in features)
    whole = [gene for gene in real.result.genes if not (gene.pseudo or "*" in gene.translation)]
    assert written["CDS"] == len(whole)
