"""Markdown rendering: readable as plain text and on a forge."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from genint.model.interpretation import NameVerdict
from genint.model.vocabulary import ConfidenceLevel
from genint.report.result import EvidenceItem, GeneItem, GenintResult, NoveltyItem, Record
from genint.report.texts import shown_text

_CONTENTS_FROM_GENES = 40
"""Genomes with more genes get a table of all genes in front of their sections."""
_SPECIAL = re.compile(r"([\\`*\[\]<>|#~&]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9]))")
"""Marks with a meaning in Markdown; an underscore inside a word has none."""
_COUNTED = (
    ("HIGH", "high"),
    ("MODERATE", "moderate"),
    ("LOW", "low"),
    ("SPECULATIVE", "speculative"),
    ("NONE", "dark"),
)


def render_markdown(result: GenintResult) -> str:
    """The whole report: summary, genes, dark matter, databases and parameters.

    Every text that came from the input is escaped: nothing in a product name can
    break a table or open a tag.
    """
    blocks = [
        _head(result),
        _summary(result),
        _records(result.records),
        _comparison(result),
        _warnings(result),
        _contents(result),
        "## Genes",
        *(_gene(gene) for gene in result.genes if not gene.is_dark),
        _dark_matter(result),
        _other_features(result),
        _provenance(result),
    ]
    return "\n\n".join(block for block in blocks if block) + "\n"


def escaped(text: str) -> str:
    """Text of the input made safe for Markdown: one line, special marks quoted.

    Control and direction characters, which could drive a terminal or hide text, are
    shown as a replacement character.
    """
    line = " ".join(shown_text(text).split())
    return _SPECIAL.sub(r"\\\1", line)


def _table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    lines = ["| " + " | ".join(header) + " |", "|" + " --- |" * len(header)]
    lines.extend("| " + " | ".join(str(cell) for cell in row) + " |" for row in rows)
    return "\n".join(lines)


def _head(result: GenintResult) -> str:
    return f"# Interpretation of {escaped(result.input.filename)}"


def _summary(result: GenintResult) -> str:
    counts = result.summary
    rows = [
        (level, getattr(counts, field), ConfidenceLevel(level).meaning) for level, field in _COUNTED
    ]
    return (
        f"**{counts.interpreted_genes} of {counts.total_genes} protein-coding genes interpreted**, "
        f"{counts.dark} {'is' if counts.dark == 1 else 'are'} dark matter.\n\n"
        + _table(("Level", "Genes", "Meaning"), rows)
        + f"\n\n{escaped(result.parameters.confidence_basis)}"
    )


def _records(records: Sequence[Record]) -> str:
    rows = [
        (
            escaped(record.id),
            f"{record.length:,}",
            record.topology,
            record.translation_table or "",
            escaped(record.description),
        )
        for record in records
    ]
    notes = [
        f"* {escaped(record.id)}: genes by {record.gene_calling}; genetic code "
        f"{record.translation_table}: {record.translation_table_reason}; "
        f"{record.topology}: {record.topology_reason}."
        for record in records
        if record.gene_calling and record.gene_calling != "genbank"
    ]
    table = _table(("Record", "Length (bp)", "Topology", "Genetic code", "Description"), rows)
    return "## Records\n\n" + table + ("\n\n" + "\n".join(notes) if notes else "")


def _comparison(result: GenintResult) -> str:
    found = result.comparison
    if found is None:
        return ""
    verdicts = Counter(gene.compared.verdict for gene in result.genes if gene.compared)
    named = verdicts[NameVerdict.AGREES] + verdicts[NameVerdict.DIFFERS]
    lines = [
        "## Compared with the annotation of the file",
        "",
        f"* Genes in the file: {found.genes_in_file}; predicted with the same stop: "
        f"{found.same_stop}; with the same start too: {found.same_start}",
        f"* Named by both: {named}, of which {verdicts[NameVerdict.AGREES]} agree and "
        f"{verdicts[NameVerdict.DIFFERS]} differ in wording or in function",
        f"* Named only here: {verdicts[NameVerdict.ONLY_HERE]}; named only in the file: "
        f"{verdicts[NameVerdict.ONLY_IN_FILE]}",
    ]
    if found.missed:
        lines.append(f"* Not predicted: {', '.join(escaped(gene) for gene in found.missed)}")
    if found.extra:
        lines.append(f"* Not in the file: {', '.join(escaped(gene) for gene in found.extra)}")
    return "\n".join(lines)


def _warnings(result: GenintResult) -> str:
    if not result.warnings:
        return ""
    lines = []
    for warning in result.warnings:
        where = f" (line {warning.line})" if warning.line else ""
        record = f"{escaped(warning.record)}: " if warning.record else ""
        lines.append(f"* {record}{escaped(warning.text)}{where}")
    return "## Remarks on the input\n\n" + "\n".join(lines)


def _contents(result: GenintResult) -> str:
    if len(result.genes) < _CONTENTS_FROM_GENES:
        return ""
    rows = [
        (
            escaped(gene.name),
            escaped(gene.locus),
            escaped(gene.function or "dark matter"),
            gene.confidence,
            f"{gene.score:.2f}" if not gene.is_dark else "",
            gene.cog_category or "",
        )
        for gene in result.genes
    ]
    header = ("Gene", "Locus", "Hypothesis", "Confidence", "Score", "COG")
    return "## Contents\n\n" + _table(header, rows)


def _gene(gene: GeneItem) -> str:
    lines = [_gene_title(gene), "", *_gene_facts(gene)]
    lines += ["", "Evidence:", "", *(_evidence_line(item) for item in gene.evidence)]
    lines += ["", "Reasoning:", ""]
    lines += [f"{at}. {escaped(step)}" for at, step in enumerate(gene.reasoning_chain, start=1)]
    if gene.conflicts:
        lines += ["", "Conflicts:", "", *(f"* {escaped(text)}" for text in gene.conflicts)]
    if gene.uncertainties:
        lines += ["", "Uncertainty:", "", *(f"* {escaped(text)}" for text in gene.uncertainties)]
    if len(gene.hypotheses) > 1:
        lines += ["", "Competing hypotheses:", ""]
        lines += [
            f"* {escaped(rival.function)} [{rival.score:.2f}]: {escaped(rival.verdict)}"
            for rival in gene.hypotheses[1:]
        ]
    return "\n".join(lines)


def _gene_title(gene: GeneItem) -> str:
    product = gene.normalized_product or "hypothetical protein"
    return f"### {escaped(gene.name)}: {escaped(product)}"


def _gene_facts(gene: GeneItem) -> list[str]:
    facts = [
        f"* Locus: {_place(gene)}",
        f"* Hypothesis: **{escaped(gene.function or '')}**",
        f"* Confidence: **{gene.confidence}** ({gene.score:.2f})",
    ]
    if gene.product is not None and gene.product != gene.normalized_product:
        facts.append(f"* Product in the file: {escaped(gene.product)}")
    if gene.compared is not None:
        own = escaped(gene.compared.product or "no product")
        facts.append(
            f"* In the file: {escaped(gene.compared.id)}, {own} "
            f"({gene.compared.verdict.replace('_', ' ')})"
        )
    if gene.cog_category:
        facts.append(f"* COG: {gene.cog_category} ({gene.cog_name}; source: {gene.cog_source})")
    if gene.pfam_id:
        facts.append(f"* Pfam: {gene.pfam_id}")
    if gene.go:
        named = ", ".join(f"{term.id} {escaped(term.name)}".strip() for term in gene.go)
        facts.append(f"* GO: {named}")
    if gene.category:
        facts.append(f"* Category: {gene.category}")
    return facts


def _place(gene: GeneItem) -> str:
    parts = [f"{part.start}-{part.end}" for part in gene.parts]
    places = f"{gene.start}-{gene.end}" if len(parts) == 1 else f"join({', '.join(parts)})"
    locus = f"{escaped(gene.locus)}, " if not gene.locus.startswith(f"{gene.record}:") else ""
    over = ", over the origin" if gene.end < gene.start else ""
    return f"{locus}{escaped(gene.record)} {places} ({gene.strand}), {gene.length_aa} aa{over}"


def _evidence_line(item: EvidenceItem) -> str:
    return f"* [{item.conf:.2f}] {item.source}: {escaped(item.label)}"


def _dark_matter(result: GenintResult) -> str:
    dark = [(gene, gene.novelty) for gene in result.genes if gene.novelty is not None]
    if not dark:
        return "## Dark matter\n\nNo gene is without evidence."
    dark.sort(key=lambda pair: pair[1].rank)
    intro = (
        f"Genes without a functional claim from any source: {len(dark)}. They are ranked by how "
        "much an answer would be worth and how reachable it is; the priority is a ranking aid, "
        "not a probability."
    )
    return "\n\n".join(["## Dark matter", intro, *(_dark_gene(*pair) for pair in dark)])


def _dark_gene(gene: GeneItem, novelty: NoveltyItem) -> str:
    lines = [
        f"### {novelty.rank}. {escaped(gene.name)} (dark, priority {novelty.priority:.2f})",
        "",
        f"* Locus: {_place(gene)}",
        f"* Why: {escaped('; '.join(novelty.reasons))}",
    ]
    if gene.pfam_id:
        lines.append(f"* Pfam: {gene.pfam_id}")
    lines += [f"* Seen: {escaped(text)}" for text in novelty.observations]
    lines += [f"* Neighbour {escaped(text)}" for text in novelty.neighbours]
    lines.append(f"* Next step: {escaped(novelty.next_step)}")
    return "\n".join(lines)


def _other_features(result: GenintResult) -> str:
    blocks = []
    if result.rna_genes:
        rows = [
            (escaped(r.id), r.kind, escaped(r.product or ""), f"{r.start}-{r.end} ({r.strand})")
            for r in result.rna_genes
        ]
        table = _table(("RNA gene", "Kind", "Product", "Place"), rows)
        blocks.append("## RNA genes of the file\n\n" + table)
    if result.other_features:
        rows = [
            (escaped(f.id), escaped(f.name or ""), f"{f.start}-{f.end} ({f.strand})", f.reason)
            for f in result.other_features
        ]
        table = _table(("Feature", "Name", "Place", "Why not interpreted"), rows)
        blocks.append("## Other gene features of the file\n\n" + table)
    return "\n\n".join(blocks)


def _provenance(result: GenintResult) -> str:
    used = result.parameters
    databases = _table(
        ("Database", "Version", "Licence"),
        [(item.name, item.version, item.licence) for item in result.databases],
    )
    settings = [
        f"* genint {result.genint_version}, result format {result.schema_version}",
        f"* Mode: {used.mode}; phage: {_yes(used.phage)}; "
        f"annotations ignored: {_yes(used.ignore_annotations)}",
        f"* Confidence parameters: {used.confidence_parameters}",
        f"* Input: {escaped(result.input.filename)} ({result.input.format}), "
        f"sha256 {result.input.sha256}",
    ]
    settings += [f"* Not used: {escaped(text)}" for text in result.unavailable]
    return f"## Databases and parameters\n\n{databases}\n\n" + "\n".join(settings)


def _yes(value: bool) -> str:
    return "yes" if value else "no"
