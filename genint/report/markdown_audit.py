"""Section of the Markdown report: the products of the file held against the evidence."""

from __future__ import annotations

from collections.abc import Sequence

from genint.report.audit import AuditRow, audit_view
from genint.report.markdown_text import escaped, table
from genint.report.result import GenintResult


def audit_section(result: GenintResult) -> str:
    """Counts, every contradicted product, the first refined ones; empty without annotation."""
    view = audit_view(result)
    if not view.counts:
        return ""
    counted = [
        (str(verdict), f"{genes:,}", view.meanings[verdict]) for verdict, genes in view.counts
    ]
    blocks = [
        "## Audit of the annotation",
        "The product of each gene of the file, held against evidence that comes neither from "
        "the file nor from this very record. The format audit has all of it as a table.",
        table(("Verdict", "Genes", "Meaning"), counted),
        *_listed("Contradicted", view.contradicted, len(view.contradicted)),
        *_listed("Refined", view.refined, view.most_refined),
    ]
    return "\n\n".join(blocks)


def _listed(title: str, rows: Sequence[AuditRow], most: int) -> list[str]:
    if not rows:
        return []
    cells = [
        (
            escaped(row.name),
            escaped(row.product or "no product"),
            escaped(row.found or ""),
            "" if row.score is None else f"{row.score:.2f}",
            escaped(row.reason),
        )
        for row in rows[:most]
    ]
    header = ("Gene", "Product of the file", "Found", "Score", "Why")
    told = [f"### {title}", table(header, cells)]
    left = len(rows) - most
    return [*told, f"{left:,} more are in the table of the audit."] if left > 0 else told
