import os
import shutil
import subprocess

import gffutils
import pytest

from genint.model import CalledBy, Topology
from genint.report import GeneItem, GenintResult, level_sentences, render_gff3
from tests.builders.hostile_results import rewritten, with_everything

from .gff3_reading import parts_of, rows
from .real_genomes import interpreted

HOSTILE = (
    ";Parent=gene-x", "a,b", "a=b&c", "100%", "%3B", "tab\there", "two\nlines\r\n", "\x00\x1b[31m",
    "\u202egnp", ">seq", "##FASTA", "#", "###", ".", '"quoted"', "back\\slash", "β噬菌体", " ", "~",
)  # fmt: skip


AGAINST_THE_STRAND = {"ArthCp047", "CPT_Shady_200528_012"}
"""GenomeTools computes the phases of a CDS as if its parts followed one another along the strand
of the first; those of rps12 and of a join that was written backwards do not. The specification
asks for phases in the order of translation, and test_gff3_phases proves them."""


def only(result: GenintResult, *genes: GeneItem) -> GenintResult:
    return result.model_copy(update={"genes": genes})


@pytest.fixture(scope="session")
def gt() -> str:
    """The program of GenomeTools; skipped visibly where it is absent, never under CI."""
    found = shutil.which("gt")
    if found is None and os.environ.get("CI"):
        pytest.fail("gt of GenomeTools is not installed, and CI has to test with it")
    return found or pytest.skip("needs gt of GenomeTools (tests/install_servers.sh installs it)")


@pytest.fixture(scope="module")
def full(phix_result) -> GenintResult:
    return with_everything(phix_result)


def refusal(gt: str, text: str) -> str:
    """What the validator of GenomeTools says against a file, with its ontology at hand."""
    command = [gt, "gff3validator", "-typecheck", "so"]
    done = subprocess.run(command, input=text.encode(), capture_output=True, check=False)
    return "" if done.returncode == 0 else done.stderr.decode()


def test_genometools_finds_every_real_genome_valid(gt, real):
    genes = [gene for gene in real.result.genes if gene.id not in AGAINST_THE_STRAND]
    assert refusal(gt, render_gff3(only(real.result, *genes))) == ""


def test_genometools_finds_the_examples_valid(gt, examples):
    for name in ("phiX174.gbk", "lambda.fasta"):
        assert refusal(gt, render_gff3(interpreted(examples / name).result)) == ""


@pytest.mark.parametrize("text", HOSTILE)
def test_genometools_finds_hostile_names_valid(gt, full, text):
    result = rewritten(full, lambda old: text + old + text)
    assert refusal(gt, render_gff3(result)) == ""


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_stays_in_its_attribute(full, text):
    plain = list(rows(render_gff3(full)))
    hostile = list(rows(render_gff3(rewritten(full, lambda old: text + old + text))))
    for one, other in zip(plain, hostile, strict=True):
        assert other[1:8] == one[1:8]
        # what is no accession becomes no cross-reference
        left_out = one.attributes.keys() - other.attributes.keys()
        assert left_out <= {"Dbxref", "inference"}
        assert other.attributes.keys() - one.attributes.keys() <= {"locus_tag"}
        assert other.attributes["Name"] != one.attributes["Name"]


def test_ids_are_unique_whatever_the_names(full):
    for text in HOSTILE:
        result = rewritten(full, lambda old, text=text: text + old)
        ids = [line.attributes["ID"][0] for line in rows(render_gff3(result)) if line.kind != "CDS"]
        assert len(set(ids)) == len(ids)


def test_directives_name_the_version_and_every_record(full):
    lines = render_gff3(full).splitlines()
    assert lines[0] == "##gff-version 3"
    assert "##sequence-region NC_001422 1 5386" in lines
    assert lines[-1] == "###"


def test_what_levels_mean_stands_in_front_as_comments(full):
    told = [f"# {one}" for one in level_sentences(full.parameters)]
    lines = render_gff3(full).splitlines()
    assert lines[2 : 2 + len(told)] == told
    assert "312 of 325" in lines[3]


def test_every_gene_has_a_gene_row_and_its_parts_below(full):
    found = list(rows(render_gff3(full)))
    ids = {line.attributes["ID"][0] for line in found}
    for gene in full.genes:
        assert f"gene-{gene.id}" in ids
    assert parts_of(render_gff3(full)).keys() == {gene.id for gene in full.genes}
    for line in found:
        assert set(line.attributes.get("Parent", ())) <= ids
        assert (line.kind == "CDS") == (line.phase != ".")


def test_a_gene_tells_what_it_is_and_how_sure_that_is(full):
    [line] = parts_of(render_gff3(full))[full.genes[0].id]
    gene, told = full.genes[0], line.attributes
    assert (line.score, told["confidence"]) == (str(gene.score), [gene.confidence])
    assert told["confidence_score"] == [str(gene.score)]
    assert told["product"] == ["old product"]
    assert told["product_in_file"] == ["old name"]
    assert told["id_in_file"] == ["phiX_01"]
    assert told["Ontology_term"] == ["GO:0019069"]
    assert told["Dbxref"] == ["PFAM:PF02305"]
    assert told["evidence_eco"] == [full.genes[0].evidence[0].eco]
    assert told["cog_category"] == ["X"]
    assert told["Note"][0].startswith("genint: ")
    assert told["Note"][1] == "nested in gene A"


def test_features_and_context_are_attributes(full):
    told = parts_of(render_gff3(full))[full.genes[0].id][0].attributes
    assert told["genint_features"] == ["transmembrane segment 7-25"]
    assert told["genint_context"][0].startswith("category tail predicted from neighbours")
    others = parts_of(render_gff3(full))[full.genes[1].id][0].attributes
    assert not {"genint_features", "genint_context"} & others.keys()


def test_a_dark_gene_has_no_score(full):
    dark = {gene.id for gene in full.genes if gene.is_dark}
    for gene, lines in parts_of(render_gff3(full)).items():
        for line in lines:
            assert (line.score == ".") == (gene in dark)
            assert ("confidence_score" not in line.attributes) == (gene in dark)
    assert dark


def test_the_locus_tag_of_a_predicted_gene_is_its_id(examples):
    result = interpreted(examples / "lambda.fasta").result
    tags = {
        (line.attributes["ID"][0], *line.attributes["locus_tag"])
        for line in rows(render_gff3(result))
        if line.kind in {"gene", "CDS"}
    }
    assert tags == {
        (f"{kind}-{gene.id}", gene.id) for gene in result.genes for kind in ("gene", "cds")
    }


def test_a_predicted_gene_tells_its_program_and_has_no_name_before_it_is_sure(phix_result):
    gene = next(gene for gene in phix_result.genes if gene.is_dark)
    predicted = gene.model_copy(update={"called_by": CalledBy.PYRODIGAL, "product": None})
    [[line]] = parts_of(render_gff3(only(phix_result, predicted))).values()
    assert line.source == "pyrodigal"
    assert line.attributes["product"] == ["hypothetical protein"]
    assert line.attributes["inference"][0].startswith("ab initio prediction:pyrodigal")


def test_a_pseudogene_has_no_coding_row(full):
    pseudo = full.genes[1]
    found = [
        line
        for line in rows(render_gff3(full))
        if line.attributes["ID"][0] in {f"gene-{pseudo.id}", f"cds-{pseudo.id}"}
    ]
    assert [line.kind for line in found] == ["pseudogene", "pseudogenic_CDS"]
    assert all(line.attributes["pseudo"] == ["true"] for line in found)


def test_a_pseudogene_without_product_is_not_named(full):
    pseudo = full.genes[1].model_copy(update={"product": None})
    [[line]] = parts_of(render_gff3(only(full, pseudo))).values()
    assert line.kind == "pseudogenic_CDS"
    assert "product" not in line.attributes


@pytest.mark.parametrize(
    ("key", "pseudo", "term"),
    [
        ("tRNA", False, "tRNA"),
        ("rRNA", False, "rRNA"),
        ("tmRNA", False, "tmRNA"),
        ("ncRNA", False, "ncRNA"),
        ("misc_RNA", False, "transcript"),
        ("precursor_RNA", False, "primary_transcript"),
        ("tRNA", True, "pseudogenic_tRNA"),
        ("ncRNA", True, "pseudogenic_transcript"),
    ],
)
def test_rna_genes_have_terms_of_the_sequence_ontology(gt, full, key, pseudo, term):
    rna = full.rna_genes[0].model_copy(update={"kind": key, "pseudo": pseudo})
    text = render_gff3(full.model_copy(update={"rna_genes": (rna,)}))
    [line] = (line for line in rows(text) if line.attributes["ID"] == ["rna-r1"])
    assert line.kind == term
    assert line.attributes["feature_key"] == [key]
    assert line.attributes["Parent"] == ["rnagene-r1"]
    assert refusal(gt, text) == ""


def test_other_gene_features_are_there_with_their_reason(full):
    [line] = (line for line in rows(render_gff3(full)) if line.attributes["ID"] == ["other-o1"])
    assert line.kind == "gene"
    assert line.attributes["Note"] == ["not interpreted: no clean open reading frame"]


def test_a_gene_over_the_origin_ends_behind_the_circle(phix_result):
    text = render_gff3(phix_result)
    [region] = (line for line in rows(text) if line.kind == "region")
    assert region.attributes["Is_circular"] == ["true"]
    over = next(gene for gene in phix_result.genes if gene.end < gene.start)
    [line] = parts_of(text)[over.id]
    assert (line.start, line.end) == (over.start, over.end + 5386)


def test_parts_behind_the_origin_lie_within_their_gene(phix_result, gt):
    over = next(gene for gene in phix_result.genes if gene.end < gene.start)
    parts = (
        over.parts[0].model_copy(update={"start": over.start, "end": 5380}),
        over.parts[0].model_copy(update={"start": 6, "end": over.end}),
    )
    text = render_gff3(only(phix_result, over.model_copy(update={"parts": parts})))
    first, second = parts_of(text)[over.id]
    assert (first.start, first.end) == (over.start, 5380)
    assert (second.start, second.end) == (6 + 5386, over.end + 5386)
    assert refusal(gt, text) == ""


def test_linear_records_are_not_called_circular(phix_result):
    record = phix_result.records[0].model_copy(update={"topology": Topology.LINEAR})
    straight = [gene for gene in phix_result.genes if gene.start < gene.end]
    text = render_gff3(only(phix_result, *straight).model_copy(update={"records": (record,)}))
    assert "Is_circular" not in text


@pytest.mark.parametrize(
    ("strand", "cut", "low", "high"),
    [
        ("+", {"partial_5": True}, True, False),
        ("+", {"partial_3": True}, False, True),
        ("-", {"partial_5": True}, False, True),
        ("-", {"partial_3": True}, True, False),
        ("-", {"partial_3": True, "partial_5": True}, True, True),
        ("+", {}, False, False),
    ],
)
def test_a_partial_gene_says_which_end_is_cut_off(phix_result, strand, cut, low, high):
    gene = phix_result.genes[0].model_copy(
        update={"strand": strand, "partial": bool(cut), "start": 100, "end": 180, **cut}
        | {"parts": (phix_result.genes[0].parts[0].model_copy(
            update={"start": 100, "end": 180, "strand": strand}),)}
    )  # fmt: skip
    for line in rows(render_gff3(only(phix_result, gene))):
        if line.kind == "region":
            continue
        told = line.attributes
        assert told.get("partial") == (["true"] if cut else None)
        assert told.get("start_range") == ([".", "100"] if low else None)
        assert told.get("end_range") == (["180", "."] if high else None)


def database(text: str) -> gffutils.FeatureDB:
    return gffutils.create_db(text, ":memory:", from_string=True, merge_strategy="create_unique")


@pytest.mark.parametrize("real", ["odd_chloroplast_NC_000932_transsplice.gb"], indirect=True)
def test_gffutils_reads_genes_with_their_parts(real):
    store = database(render_gff3(real.result))
    try:
        for gene in real.result.genes:
            children = list(store.children(f"gene-{gene.id}"))
            places = {(child.start, child.end, child.strand) for child in children}
            assert places == {(part.start, part.end, part.strand) for part in gene.parts}
        assert store.count_features_of_type("tRNA") == sum(
            rna.kind == "tRNA" for rna in real.result.rna_genes
        )
    finally:
        store.conn.close()


@pytest.mark.parametrize("text", HOSTILE)
def test_gffutils_reads_hostile_names(full, text):
    result = rewritten(full, lambda old: old + text)
    store = database(render_gff3(result))
    try:
        assert len(list(store.all_features())) == 1 + 2 * len(full.genes) + 4 + 1 + 2
        for feature in store.features_of_type("CDS"):
            [parent] = store.parents(feature.id)
            assert feature.attributes["Parent"] == [parent.id]
    finally:
        store.conn.close()
