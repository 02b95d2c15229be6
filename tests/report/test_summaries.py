"""A genome in one sentence, and each gene in one."""

from __future__ import annotations

import pytest

from genint.model import ConfidenceLevel, NameBasis
from genint.model.interpretation import AuditVerdict
from genint.report import GeneItem, gene_summary, headline, level_text, render
from genint.report.result import Counts

COUNTS = Counts(
    total_genes=4319, interpreted_genes=3771, high=0, moderate=3771, low=0, speculative=0,
    dark=548, supported_genes=1801, file_only_genes=1970,
)  # fmt: skip


def test_the_headline_tells_support_from_names_that_only_the_file_gives():
    assert headline(COUNTS) == (
        "4,319 genes: 1,801 supported by evidence, 1,970 only repeat the file's name, 548 dark"
    )


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        (
            {"file_only_genes": 0, "supported_genes": 3771},
            "4,319 genes: 3,771 supported by evidence, 548 dark",
        ),
        ({"file_only_genes": 1}, "1 only repeats the file's name"),
        ({"supported_genes": None}, "4,319 genes: 3,771 interpreted, 548 dark"),
        ({"total_genes": 1}, "1 gene: "),
    ],
)
def test_the_headline_says_what_is_there_only(changes, words):
    assert words in headline(COUNTS.model_copy(update=changes))


@pytest.fixture
def named(phix_result) -> GeneItem:
    return next(gene for gene in phix_result.genes if gene.basis is NameBasis.FILE)


def test_a_name_that_only_repeats_the_file_says_so_beside_its_level(phix_result, named):
    assert level_text(named).endswith("), only repeats the file's name")
    for name in ("md", "notes", "gbk"):
        told = " ".join(render(phix_result, name).split()) if name != "gbk" else ""
        assert name == "gbk" or "only repeats the file's name" in told
    assert "genint_basis=file" in render(phix_result, "gff3")
    assert '"basis": "file"' in render(phix_result, "json")


def test_the_sentence_of_a_gene_says_how_sure_it_is_and_by_what(phix_result, named):
    assert gene_summary(named) == f"Only the file names it “{named.function}”."
    worded = named.model_copy(update={"product": "Abi family protein"})
    assert (
        gene_summary(worded)
        == f"Only the file names it “Abi family protein”, here called “{named.function}”."
    )
    seen = named.model_copy(
        update={"basis": NameBasis.EVIDENCE, "confidence": ConfidenceLevel.HIGH}
    )
    assert gene_summary(seen).startswith(f"Very likely “{named.function}”, supported by ")


def test_the_sentence_says_contradicts_only_where_the_audit_does(named):
    sentence = gene_summary(named)
    conflict = f"“{named.function}” (genbank) against “holin” (genint_family): different modules"
    rival = named.hypotheses[0].model_copy(update={"function": "holin", "evidence": ()})
    disputed = named.model_copy(
        update={"conflicts": (conflict,), "hypotheses": (*named.hypotheses, rival)}
    )
    assert gene_summary(disputed).endswith("; the file suggests “holin”.")
    assert "contradicts" not in gene_summary(disputed)
    found = named.audit.model_copy(update={"verdict": AuditVerdict.CONTRADICTS})
    judged = gene_summary(disputed.model_copy(update={"audit": found}))
    assert judged == f"{sentence[:-1]}, but other evidence contradicts it."


def test_dark_means_not_recognised_with_the_databases_used(phix_result):
    dark = next(gene for gene in phix_result.genes if gene.is_dark)
    assert dark.summary.startswith("Not recognised with the databases used: ")
    for name in ("md", "html", "gff3", "notes"):
        assert "not recognised with the databases used" in render(phix_result, name).lower()


def test_the_counts_of_a_result_are_those_of_its_genes(phix_result):
    bases = [gene.basis for gene in phix_result.genes]
    counts = phix_result.summary
    assert counts.supported_genes == bases.count(NameBasis.EVIDENCE)
    assert counts.file_only_genes == bases.count(NameBasis.FILE)
    assert counts.supported_genes + counts.file_only_genes == counts.interpreted_genes
