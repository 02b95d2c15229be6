"""Markdown rendering: readable as plain text and on a forge.

Sections of genes have headings that forges make known anchors of; genomes of many genes
get a table of contents with links to them. Whatever comes from the input is escaped.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from genint.model.audit import NameVerdict
from genint.model.vocabulary import ConfidenceLevel
from genint.report.found_words import repeat_text
from genint.report.levels import levels_in_words
from genint.report.markdown_audit import audit_section
from genint.report.markdown_found import found_sections
from genint.report.markdown_genes import dark_section, gene_section, heading
from genint.report.markdown_text import anchor, escaped, table
from genint.report.online_words import (
    SENT,
    dark_text,
    not_used,
    problem_texts,
    services_text,
    use_texts,
)
from genint.report.result import GeneItem, GenintResult, Record

_CONTENTS_FROM_GENES = 40
"""Genomes with more genes get a table of all genes in front of their sections."""
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

    Cost: about 0.1 ms and 1 kB a gene (0.5 s for Escherichia coli).
    """
    blocks = [
        _head(result),
        _summary(result),
        _records(result.records),
        _comparison(result),
        audit_section(result),
        _warnings(result),
        _contents(result),
        "## Genes",
        *(gene_section(at, gene) for at, gene in _numbered(result) if gene.novelty is None),
        _dark_matter(result),
        *found_sections(result),
        _other_features(result),
        _provenance(result),
    ]
    return "\n\n".join(block for block in blocks if block) + "\n"


def _numbered(result: GenintResult) -> list[tuple[int, GeneItem]]:
    """Genes with their number, by which they can be referred to."""
    return list(enumerate(result.genes, start=1))


def _head(result: GenintResult) -> str:
    return f"# Interpretation of {escaped(result.input.filename)}"


def _summary(result: GenintResult) -> str:
    counts = result.summary
    rows = [
        (level, str(getattr(counts, field)), ConfidenceLevel(level).meaning)
        for level, field in _COUNTED
    ]
    problems = "".join(f"{escaped(text)}.\n\n" for text in problem_texts(result))
    return (
        f"**{counts.interpreted_genes} of {counts.total_genes} protein-coding genes interpreted**, "
        f"{counts.dark} {'is' if counts.dark == 1 else 'are'} dark matter.\n\n{problems}"
        + table(("Level", "Genes", "Meaning"), rows)
        + f"\n\n{escaped(result.parameters.confidence_basis)}\n\n{_levels(result)}"
    )


def _levels(result: GenintResult) -> str:
    first, *measured = levels_in_words(result.parameters)
    return "\n\n".join((first, *(["\n".join(f"* {one}" for one in measured)] if measured else ())))


def _records(records: Sequence[Record]) -> str:
    rows = [
        [
            escaped(record.id),
            f"{record.length:,}",
            record.topology,
            str(record.translation_table or ""),
            escaped(record.organism or ""),
            escaped(record.description),
        ]
        for record in records
    ]
    notes = [
        f"* {escaped(record.id)}: genes by {escaped(record.gene_calling)}; genetic code "
        f"{record.translation_table}: {escaped(record.translation_table_reason or '')}; "
        f"{record.topology}: {escaped(record.topology_reason or '')}."
        for record in records
        if record.gene_calling and record.gene_calling != "genbank"
    ]
    header = ["Record", "Length (bp)", "Topology", "Genetic code", "Organism", "Description"]
    if any(record.terminal_repeat_bp for record in records):
        header.append("Terminal repeat (bp)")
        repeats = [str(record.terminal_repeat_bp or "") for record in records]
        rows = [[*row, repeat] for row, repeat in zip(rows, repeats, strict=True)]
        notes += [
            f"* {escaped(record.id)}: {repeat_text(record.terminal_repeat_bp)}."
            for record in records
            if record.terminal_repeat_bp
        ]
    blocks = ("## Records", table(header, rows), "\n".join(notes))
    return "\n\n".join(block for block in blocks if block)


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
            f"[{at}](#{anchor(heading(at, gene))})",
            escaped(gene.name),
            escaped(gene.locus),
            escaped(gene.function or "dark matter"),
            gene.confidence,
            f"{gene.score:.2f}" if not gene.is_dark else "",
            escaped(gene.cog_category or ""),
        )
        for at, gene in _numbered(result)
    ]
    header = ("No.", "Gene", "Locus", "Hypothesis", "Confidence", "Score", "COG")
    return "## Contents\n\n" + table(header, rows)


def _dark_matter(result: GenintResult) -> str:
    dark = [(at, gene, gene.novelty) for at, gene in _numbered(result) if gene.novelty is not None]
    if not dark:
        return "## Dark matter\n\nNo gene is without evidence."
    dark.sort(key=lambda item: item[2].rank)
    intro = (
        f"Genes without a functional claim from any source: {len(dark)}. They are ranked by how "
        "much an answer would be worth and how reachable it is; the priority is a ranking aid, "
        "not a probability."
    )
    if (unasked := dark_text(result)) is not None:
        intro += f" {unasked}"
    return "\n\n".join(["## Dark matter", intro, *(dark_section(*item) for item in dark)])


def _other_features(result: GenintResult) -> str:
    if not result.other_features:
        return ""
    rows = [
        (
            escaped(f.id),
            escaped(f.name or ""),
            f"{f.start}-{f.end} ({f.strand})",
            escaped(f.reason),
        )
        for f in result.other_features
    ]
    named = table(("Feature", "Name", "Place", "Why not interpreted"), rows)
    return f"## Other gene features of the file\n\n{named}"


def _provenance(result: GenintResult) -> str:
    used = result.parameters
    databases = table(
        ("Database", "Version", "Licence"),
        [
            (escaped(item.name), escaped(item.version), escaped(item.licence))
            for item in result.databases
        ],
    )
    asked = services_text(result)
    settings = [
        f"* genint {escaped(result.genint_version)}, result format {result.schema_version}",
        f"* Mode: {used.mode}{f' ({asked})' if asked else ''}; phage: {_yes(used.phage)}; "
        f"annotations ignored: {_yes(used.ignore_annotations)}",
        f"* Confidence parameters: {escaped(used.confidence_parameters)}",
        f"* Input: {escaped(result.input.filename)} ({result.input.format}), "
        f"sha256 {escaped(result.input.sha256)}",
    ]
    if result.programs:
        named = ", ".join(escaped(f"{item.name} {item.version}") for item in result.programs)
        settings.insert(1, f"* Programs: {named}")
    settings += [f"* Not used: {escaped(text)}" for text in not_used(result)]
    blocks = ("## Databases and parameters", databases, "\n".join(settings), _services(result))
    return "\n\n".join(block for block in blocks if block)


def _services(result: GenintResult) -> str:
    """What was asked of online services and what came of it."""
    told = [escaped(text) for text in use_texts(result)]
    return "\n\n".join(["### Online services", *told, escaped(SENT)]) if told else ""


def _yes(value: bool) -> str:
    return "yes" if value else "no"
