"""Gene notes: fields of SEA-PHAGES annotators, and nothing that was not computed."""

from __future__ import annotations

import re

import pytest

from genint.formats import read_genome
from genint.genes import call_genes, decide
from genint.knowledge import load_confidence
from genint.model import ConfidenceLevel, EvidenceSource
from genint.report import (
    UNNAMED,
    ComparedItem,
    GenintResult,
    Span,
    StartItem,
    build_result,
    level_sentences,
    product_name,
    render_notes,
)
from tests.builders.cpu_cost import least_cpu_s
from tests.builders.hostile_results import rewritten, with_everything
from tests.builders.results import summarise

FIELDS = (
    "SSC CP SCS ST BLAST-Start GAP LO RBS F FS SIF-BLAST SIF-HHPRED SIF-FAMILY SIF-PFAM SIF-Syn"
).split()
"""In the order in which annotators know them."""
_FIELD = re.compile(r"(?:^| )(" + "|".join(FIELDS) + r"): ")
HOSTILE = (
    "a\nCDS 1 - 9",
    "a\r\n     /note=SSC: 1-9",
    '"',
    "\x1b[31m",
    "\u202egnp",
    "β噬菌体",
    "# x",
)


@pytest.fixture(scope="module")
def full(phix_result) -> GenintResult:
    return with_everything(phix_result)


@pytest.fixture(scope="module")
def lambda_result(examples) -> GenintResult:
    genome = decide(call_genes(read_genome(examples / "lambda.fasta")))
    return build_result(summarise(genome), load_confidence())


def blocks_of(notes: str) -> list[list[str]]:
    """The lines of every gene."""
    return [block.rstrip().split("\n") for block in notes.split("\n\n") if block.startswith("CDS ")]


def fields_of(block: list[str]) -> dict[str, str]:
    """The compact note of a gene as its fields."""
    (line,) = [line for line in block if line.startswith("     /note=SSC: ")]
    _, *pieces = _FIELD.split(line.removeprefix("     /note="))
    return dict(zip(pieces[::2], pieces[1::2], strict=True))


def first_fields(result: GenintResult, **values: object) -> dict[str, str]:
    """The fields of the first gene after it was changed."""
    gene = result.genes[0].model_copy(update=values)
    changed = result.model_copy(update={"genes": (gene, *result.genes[1:])})
    return fields_of(blocks_of(render_notes(changed))[0])


def test_every_gene_has_one_block_with_every_field_in_order(full, lambda_result):
    for result in (full, lambda_result):
        blocks = blocks_of(render_notes(result))
        assert len(blocks) == len(result.genes)
        for block in blocks:
            assert list(fields_of(block)) == FIELDS
            assert all(line.startswith(("     /", "CDS ")) for line in block)


def test_what_is_not_run_is_said_to_be_not_computed(full):
    for block in blocks_of(render_notes(full)):
        told = fields_of(block)
        assert told["ST"] == told["SIF-HHPRED"] == "not computed"
        run = [line for line in block if "/note=Next steps: " not in line]
        assert not re.search(r"Glimmer|Starterator|HHpred", "\n".join(run))


def test_genes_of_the_file_have_no_scores_of_a_gene_finder(phix_result):
    for block in blocks_of(render_notes(phix_result)):
        told = fields_of(block)
        assert told["CP"] == told["RBS"] == "not computed (gene of the file)"
        assert told["SCS"] == "file"


def test_predicted_genes_tell_what_the_gene_finder_measured(lambda_result):
    blocks = blocks_of(render_notes(lambda_result))
    for gene, block in zip(lambda_result.genes, blocks, strict=True):
        told, call = fields_of(block), gene.call
        assert f"coding score {call.coding:.1f}, total score {call.total:.1f}" in told["CP"]
        assert f"confidence {call.confidence:.3f}" in told["CP"]
        assert "GeneMark: not computed" in told["CP"]
        assert told["RBS"].startswith(call.rbs_motif or "none found")
        assert f"start codon {call.start_codon}" in told["RBS"]
        assert told["SCS"].startswith(("pyrodigal", "genint"))


def test_places_are_those_of_start_and_stop_codon(lambda_result):
    for gene, block in zip(
        lambda_result.genes, blocks_of(render_notes(lambda_result)), strict=True
    ):
        forward = gene.strand == "+"
        ends = (gene.start, gene.end) if forward else (gene.end, gene.start)
        assert fields_of(block)["SSC"] == "{}-{}".format(*ends)
        span = f"{gene.start} - {gene.end}"
        assert block[0] == (f"CDS {span}" if forward else f"CDS complement ({span})")


def test_parts_are_joined_and_cut_ends_marked(phix_result):
    parts = (Span(start=5, end=40, strand="-"), Span(start=60, end=99, strand="-"))
    values = {"parts": parts, "start": 5, "end": 99, "strand": "-", "partial_3": True}
    gene = phix_result.genes[0].model_copy(update=values)
    result = phix_result.model_copy(update={"genes": (gene,)})
    (block,) = blocks_of(render_notes(result))
    assert block[0] == "CDS join (complement (60 - 99), complement (5 - 40))"
    assert fields_of(block)["SSC"] == "99-<5"


def test_lambda_genes_that_share_four_bases_are_told_with_them(lambda_result):
    blocks = blocks_of(render_notes(lambda_result))
    gaps = {gene.start: fields_of(b)["GAP"] for gene, b in zip(lambda_result.genes, blocks)}  # noqa: B905 - as many as genes, see above
    assert gaps[191] == "no upstream gene"
    assert gaps[2633].startswith("4 bp overlap with ")
    assert gaps[2633].endswith(" (ATGA)")
    assert gaps[711].startswith("26 bp overlap with ")
    assert any(re.fullmatch(r"\d+ bp gap to .+", gap) for gap in gaps.values())


def test_genes_on_opposite_strands_share_no_codons(lambda_result):
    for gene, block in zip(
        lambda_result.genes, blocks_of(render_notes(lambda_result)), strict=True
    ):
        gap = fields_of(block)["GAP"]
        if "(" in gap:
            assert gap.startswith("4 bp overlap")
            assert gene.start_choice.codon.endswith("TG")


@pytest.mark.parametrize(
    ("choice", "said"),
    [
        (None, "not computed"),
        (StartItem(codon="ATG", upstream=()), "yes"),
        (StartItem(codon="ATG", upstream=(40, 31)), "no (further starts upstream: 40, 31)"),
        (
            StartItem(codon="GTG", upstream=(40, 31, 22, 13, 4)),
            "no (further starts upstream: 40, 31, 22 and 2 more)",
        ),
    ],
)
def test_other_starts_of_the_frame_are_named(phix_result, choice, said):
    assert first_fields(phix_result, start_choice=choice)["LO"] == said


@pytest.mark.parametrize("level", ConfidenceLevel)
def test_only_levels_that_can_be_signed_call_a_function(phix_result, level):
    gene = phix_result.genes[0]
    told = first_fields(phix_result, confidence=level)["F"]
    assert told == product_name(gene.model_copy(update={"confidence": level}))
    if level not in (ConfidenceLevel.HIGH, ConfidenceLevel.MODERATE):
        assert told == UNNAMED


def test_a_pseudogene_has_no_function(phix_result):
    assert first_fields(phix_result, pseudo=True)["F"] == "none, a pseudogene"


def test_a_similar_protein_is_told_with_figures(full):
    told = fields_of(blocks_of(render_notes(full))[0])
    assert told["BLAST-Start"].startswith("[capsid protein [Phage x]], PF02305, ")
    for figure in ("50% identical", "E 1.5e-31", "87% of the protein", "96% of that protein"):
        assert figure in told["SIF-BLAST"].replace("88%", "87%")
    assert told["SIF-BLAST"].endswith("[evidence 1]")


def test_without_a_reference_similarity_was_not_computed_and_with_one_nothing_was_found(
    phix_result,
):
    assert first_fields(phix_result)["SIF-BLAST"] == "not computed"
    own = phix_result.databases[0].model_copy(update={"licence": "the user's own file"})
    searched = phix_result.model_copy(update={"databases": (own,)})
    none = "no similar protein with an informative name"
    assert first_fields(searched)["SIF-BLAST"] == none


def test_domains_and_families_stand_apart(phix_result):
    gene = phix_result.genes[0]
    item = gene.evidence[0].model_copy(
        update={"source": EvidenceSource.PFAM, "accession": "PF02305", "evalue": 2e-30}
    )
    family = item.model_copy(
        update={"source": EvidenceSource.GENINT_FAMILY, "accession": "GF12345678"}
    )
    told = first_fields(phix_result, evidence=(item, family))
    assert told["SIF-PFAM"].startswith("PF02305 ")
    assert told["SIF-PFAM"].endswith("[evidence 1]")
    assert "E 2.0e-30" in told["SIF-PFAM"]
    assert told["SIF-FAMILY"].startswith("GF12345678 ")
    assert told["FS"] == "Pfam"


def test_neighbours_and_gene_order_are_told(full):
    told = fields_of(blocks_of(render_notes(full))[0])["SIF-Syn"]
    assert told.startswith("upstream ")
    assert "; downstream " in told
    assert (
        "category tail predicted from neighbours (such predictions are right for 82% of genes)"
        in told
    )


def test_the_function_call_has_level_score_and_sum(phix_result):
    for gene, block in zip(phix_result.genes, blocks_of(render_notes(phix_result)), strict=True):
        (call,) = [line for line in block if "/note=Function call: " in line]
        if gene.is_dark:
            assert "confidence NONE" in call
        else:
            assert f"confidence {gene.confidence} ({gene.score:.2f})" in call
            addends = call.partition("Log-odds: ")[2]
            *terms, total = map(float, re.findall(r"[+-]\d+\.\d\d\b", addends))
            assert sum(terms) == pytest.approx(total, abs=1e-9)


def test_features_rivals_conflicts_and_doubts_are_told(full):
    block = "\n".join(blocks_of(render_notes(full))[0])
    for said in (
        "sequence features: transmembrane segment, residues 7 to 25 (KD, score 1.9).",
        "Also considered: rival (",
        "Conflict: the file says lysis.",
        "Uncertain: a single source.",
        "Location call: nested in gene A",
        "Reviewed by:",
    ):
        assert said in block


def test_a_start_that_differs_from_the_file_is_said(lambda_result):
    for same, words in ((True, "the file has the same start"), (False, "another start in file")):
        compared = ComparedItem(id="x", product=None, same_start=same, verdict="neither")
        assert words in first_fields(lambda_result, compared=compared)["SCS"]


def test_the_head_explains_the_fields_and_the_levels(full):
    head = render_notes(full).partition("\n\n")[0]
    assert all(line.startswith("# ") for line in head.split("\n"))
    assert all(field.partition("-")[0] in head for field in FIELDS)
    assert all(told in head for told in level_sentences(full.parameters))


@pytest.mark.parametrize("text", HOSTILE)
def test_no_text_of_the_input_adds_a_line_or_ends_a_value(full, text):
    plain = render_notes(rewritten(full, lambda old: f"{old} x"))
    notes = render_notes(rewritten(full, lambda old: f"{old} {text}"))
    assert notes.isascii()
    assert notes.replace("\n", "").isprintable()
    starts = re.compile(r"^(CDS |tRNA |     /[a-z ]+=|# |$)", re.MULTILINE)
    assert len(starts.findall(notes)) == len(notes.split("\n"))
    assert notes.count("\n") == plain.count("\n")
    for line in notes.split("\n"):
        if (
            value := re.fullmatch(r'     /(?:product|function|locus tag)="(.*)"', line)
        ) is not None:
            assert '"' not in value[1]


def test_every_real_genome_has_notes_for_every_gene(real):
    notes = render_notes(real.result)
    assert notes.isascii()
    assert len(blocks_of(notes)) == len(real.result.genes)


def test_a_genome_without_genes_has_a_head_and_its_records(phix_result):
    notes = render_notes(phix_result.model_copy(update={"genes": ()}))
    assert blocks_of(notes) == []
    assert "# Record " in notes


def test_notes_of_a_bacterium_cost_no_more_for_a_gene_than_those_of_a_phage(lambda_result):
    def notes_s(copies):
        genes = tuple(
            gene.model_copy(update={"id": f"{gene.id}_{copy}"})
            for copy in range(copies)
            for gene in lambda_result.genes
        )
        return least_cpu_s(lambda: render_notes(lambda_result.model_copy(update={"genes": genes})))

    assert notes_s(40) < 3 * 10 * notes_s(4)
