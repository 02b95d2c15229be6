"""The audit as a table, as sections of reports, and as notes for genome browsers."""

from __future__ import annotations

import csv
import io
import json
import re

import pytest

from genint.errors import FormatError
from genint.model import AuditVerdict
from genint.report import (
    MOST_REFINED,
    AuditItem,
    GenintResult,
    audit_note,
    audit_rows,
    audit_view,
    parse_result,
    render,
    render_json,
)
from genint.report.audit import COLUMNS
from tests.builders.hostile_results import rewritten, with_everything


def table_of(result: GenintResult) -> list[dict[str, str]]:
    text = render(result, "audit")
    return list(csv.DictReader(io.StringIO(text), delimiter="\t", strict=True))


def judged(result: GenintResult, *verdicts: AuditVerdict) -> GenintResult:
    """The first genes with these verdicts, and no others judged."""
    told = [
        AuditItem(
            verdict=verdict,
            product=f"product {at}",
            found="tail fiber protein",
            score=0.91,
            level="HIGH",
            reason=f"reason {at}",
            evidence=(0,) if result.genes[at % len(result.genes)].evidence else (),
        )
        for at, verdict in enumerate(verdicts)
    ]
    genes = result.genes * (len(verdicts) // len(result.genes) + 1)
    genes = tuple(gene.model_copy(update={"audit": None}) for gene in genes)
    changed = tuple(
        gene.model_copy(update={"audit": audit, "id": f"g{at}"})
        for at, (gene, audit) in enumerate(zip(genes, told, strict=False))
    )
    return result.model_copy(update={"genes": changed})


@pytest.fixture(scope="module")
def full(phix_result) -> GenintResult:
    return with_everything(phix_result)


@pytest.fixture(scope="module")
def unjudged(phix_result) -> GenintResult:
    genes = tuple(gene.model_copy(update={"audit": None}) for gene in phix_result.genes)
    return phix_result.model_copy(update={"genes": genes})


def test_every_gene_of_the_file_has_one_line_and_those_not_predicted_come_last(full):
    rows = table_of(full)
    assert len(rows) == len(audit_rows(full)) == len(full.genes) + 1
    *told, missed = rows
    assert [row["gene"] for row in told] == [gene.id for gene in full.genes]
    assert (missed["gene"], missed["gene_in_file"]) == ("", "A*")
    assert missed["verdict"] == "cannot judge"
    assert missed["product"] == "blocks the host"
    assert "no gene of its own was predicted" in missed["reason"]


def test_a_line_says_what_the_result_says(full):
    gene, row = full.genes[0], table_of(full)[0]
    assert row["verdict"] == "contradicts"
    assert (row["product"], row["found"]) == ("old name", "tail fiber")
    assert (row["score"], row["level"]) == ("0.83", "HIGH")
    assert row["reason"] == "a fiber is no coat"
    assert row["accessions"] == gene.evidence[0].accession
    assert (int(row["start"]), int(row["end"]), row["strand"]) == (
        gene.start,
        gene.end,
        gene.strand,
    )
    assert row["gene_in_file"] == "phiX_01"


def test_columns_are_named_in_snake_case_and_each_says_what_it_holds():
    names = [column.name for column in COLUMNS]
    assert len(set(names)) == len(names)
    assert all(re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", name) for name in names)
    assert all(column.meaning for column in COLUMNS)


@pytest.mark.parametrize("poison", ["=1+1", '"', "a\tb", "x\ny", "\u202egnp.exe"])
def test_no_text_of_the_input_becomes_a_formula_or_a_cell(full, poison):
    hostile = rewritten(full, lambda text: f"{poison}{text}")
    lines = render(hostile, "audit").split("\n")
    assert len(lines) == len(audit_rows(full)) + 2
    for line in lines[1:-1]:
        cells = line.split("\t")
        assert len(cells) == len(COLUMNS)
        assert not any(cell[:1] in {"=", '"'} or "\u202e" in cell for cell in cells)


def test_a_file_without_annotation_has_a_header_and_no_section(unjudged):
    assert len(render(unjudged, "audit").splitlines()) == 1
    assert audit_view(unjudged).counts == ()
    assert "Audit of the annotation" not in render(unjudged, "md")
    assert 'id="audit"' not in render(unjudged, "html")


def test_reports_count_all_four_verdicts_and_tell_every_contradiction(phix_result):
    result = judged(
        phix_result, AuditVerdict.CONTRADICTS, AuditVerdict.CONFIRMS, AuditVerdict.CONTRADICTS
    )
    view = audit_view(result)
    assert dict(view.counts) == {
        AuditVerdict.CONFIRMS: 1,
        AuditVerdict.REFINES: 0,
        AuditVerdict.CONTRADICTS: 2,
        AuditVerdict.CANNOT_JUDGE: 0,
    }
    markdown, page = render(result, "md"), render(result, "html")
    for text in (markdown, page):
        assert "Audit of the annotation" in text
        for told in ("product 0", "reason 0", "product 2", "reason 2", "0.91"):
            assert told in text
    assert 'href="#gene=g2"' in page
    assert "reason 1" not in markdown


def test_more_refined_products_than_fit_are_left_to_the_table(phix_result):
    result = judged(phix_result, *[AuditVerdict.REFINES] * (MOST_REFINED + 3))
    view = audit_view(result)
    assert len(view.refined) == MOST_REFINED + 3
    section = render(result, "md").split("### Refined")[1].split("\n## ")[0]
    assert section.count("\n| ") == MOST_REFINED + 2
    assert "3 more" in section
    assert "3 more" in render(result, "html")
    assert len(table_of(result)) == MOST_REFINED + 3


@pytest.mark.parametrize("name", ["gff3", "md", "tsv"])
def test_other_formats_tell_a_contradiction(full, name):
    assert "contradicts" in render(full, name).lower()


@pytest.mark.parametrize(
    ("verdict", "noted"),
    [
        (AuditVerdict.CONTRADICTS, True),
        (AuditVerdict.REFINES, True),
        (AuditVerdict.CONFIRMS, False),
        (AuditVerdict.CANNOT_JUDGE, False),
    ],
)
def test_features_are_noted_where_a_curator_has_something_to_do(phix_result, verdict, noted):
    gene, *_ = judged(phix_result, verdict).genes
    text = audit_note(gene)
    assert (text is not None) == noted
    if text is not None:
        assert text == f"genint: audit: {verdict} the product of the file; reason 0"


def test_the_audit_survives_the_stored_result(full):
    assert render(parse_result(render_json(full).encode()), "audit") == render(full, "audit")


def test_an_audit_that_rests_on_evidence_that_is_not_there_is_refused(full):
    value = json.loads(render_json(full))
    value["genes"][0]["audit"]["evidence"] = [99]
    with pytest.raises(FormatError, match="audit rests on evidence that is not there"):
        parse_result(json.dumps(value).encode())
