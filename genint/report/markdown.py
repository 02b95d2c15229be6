"""Markdown rendering: readable as plain text and on a forge.

Sections of genes have headings that forges make known anchors of; genomes of many genes
get a table of contents with links to them. Whatever comes from the input is escaped.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from genint.model.interpretation import NameVerdict
from genint.model.vocabulary import ConfidenceLevel
from genint.report.audit import AuditRow, audit_view
from genint.report.insdc import VERDICTS, context_words, feature_words
from genint.report.markdown_sections import (
    anchor,
    escaped,
    found_sections,
    heading_words,
    rescue_table,
    table,
)
from genint.report.result import (
    EvidenceItem,
    GeneItem,
    GenintResult,
    HypothesisItem,
    NoveltyItem,
    Record,
)
from genint.report.score import levels_in_words, printed_sum, printed_terms, signed, weight_words
from genint.report.wording import (
    SENT,
    answer_texts,
    dark_text,
    not_used,
    on_both_strands,
    parts_text,
    problem_texts,
    repeat_text,
    rescue_place,
    services_text,
    use_texts,
)


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


def heading(number: int, gene: GeneItem) -> str:
    """The heading of a gene, the same for every renderer; strange names stand below only."""
    words = heading_words(gene.name)
    return f"Gene {number}: {words}" if words else f"Gene {number}"


def gene_section(number: int, gene: GeneItem) -> str:
    """What the evidence says of a gene, step by step."""
    product = gene.normalized_product or "hypothetical protein"
    lines = [f"### {heading(number, gene)}", "", f"**{escaped(gene.name)}: {escaped(product)}**"]
    lines += ["", *_gene_facts(gene)]
    lines += ["", "Evidence:", ""]
    lines += [_evidence_line(gene, at) for at in range(len(gene.evidence))]
    lines += ["", "Reasoning:", ""]
    lines += [f"{at}. {escaped(step)}" for at, step in enumerate(gene.reasoning_chain, start=1)]
    lines += ["", *_score_table(gene.hypotheses)]
    if gene.rescue is not None:
        lines += ["", *rescue_table(gene.rescue)]
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


def dark_section(number: int, gene: GeneItem, novelty: NoveltyItem) -> str:
    """What is known of a gene of which nothing is claimed."""
    lines = [
        f"### {heading(number, gene)}",
        "",
        f"**{novelty.rank}. {escaped(gene.name)}** (dark, priority {novelty.priority:.2f})",
        "",
        f"* Locus: {_place(gene)}",
        f"* Why: {escaped('; '.join(novelty.reasons))}",
    ]
    if gene.pfam_id:
        lines.append(f"* Pfam: {escaped(gene.pfam_id)}")
    lines += [f"* Seen: {escaped(text)}" for text in novelty.observations]
    lines += _seen(gene)
    lines += [f"* Neighbour {escaped(text)}" for text in novelty.neighbours]
    if gene.rescue is not None:
        lines.append(f"* Gene call: {escaped(rescue_place(gene.rescue))}")
    lines.append(f"* Next step: {escaped(novelty.next_step)}")
    if gene.rescue is not None:
        lines += ["", *rescue_table(gene.rescue)]
    return "\n".join(lines)


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
            f"* In the file: {escaped(gene.compared.id)}, {own} ({VERDICTS[gene.compared.verdict]})"
        )
    if gene.cog_category:
        named = f"{escaped(gene.cog_category)} ({escaped(gene.cog_name or '')}"
        facts.append(f"* COG: {named}; source: {gene.cog_source})")
    if gene.pfam_id:
        facts.append(f"* Pfam: {escaped(gene.pfam_id)}")
    if gene.go:
        named = ", ".join(escaped(f"{term.id} {term.name}") for term in gene.go)
        facts.append(f"* GO: {named}")
    if gene.category:
        facts.append(f"* Category: {gene.category}")
    facts += _seen(gene)
    if gene.call_note:
        facts.append(f"* Why there is a gene: {escaped(gene.call_note)}")
    return facts


def _place(gene: GeneItem) -> str:
    places = parts_text(gene).replace(",", ", ")
    strand = "" if on_both_strands(gene) else f" ({gene.strand})"
    locus = f"{escaped(gene.locus)}, " if not gene.locus.startswith(f"{gene.record}:") else ""
    over = ", over the origin" if gene.end < gene.start else ""
    pseudo = ", pseudogene" if gene.pseudo else ""
    partial = ", partial" if gene.partial else ""
    size = f"{gene.length_aa} aa{over}{pseudo}{partial}"
    return f"{locus}{escaped(gene.record)} {places}{strand}, {size}"


def _seen(gene: GeneItem) -> list[str]:
    """What the residues, the neighbours and online services say."""
    lines = [f"* Sequence feature: {escaped(feature_words(one))}" for one in gene.features]
    if gene.context is not None:
        lines.append(f"* Gene context: {escaped(context_words(gene.context))}")
    lines += [f"* {escaped(text)}" for text in answer_texts(gene)]
    return lines


def _score_table(hypotheses: Sequence[HypothesisItem]) -> list[str]:
    """The addends of the leading hypothesis's score, their sum, and its probability."""
    if not hypotheses:
        return []
    best = hypotheses[0]
    total = printed_sum(best)
    rows = [(escaped(term.what), signed(term.log_odds)) for term in printed_terms(best)]
    rows.append(("sum", signed(total)))
    rows.append((f"probability, 1 / (1 + exp({0.0 - total:.2f}))", f"{best.score:.2f}"))
    return ["Score:", "", table(("What", "Log-odds"), rows)]


def _evidence_line(gene: GeneItem, place: int) -> str:
    """An observation with its number, what it was measured by, its code and its weight."""
    item = gene.evidence[place]
    measured = _measures(item)
    weight = weight_words(gene, place)
    if weight is not None:
        measured.append(escaped(weight))
    told = "".join(f"; {fact}" for fact in measured)
    return f"{place + 1}. [{item.conf:.2f}] {item.source}: {escaped(item.label)}{told}"


def _measures(item: EvidenceItem) -> list[str]:
    measured = []
    if item.evalue is not None and f"E {item.evalue:.1e}" not in item.label:
        measured.append(f"E-value {item.evalue:.1e}")
    if item.bits is not None:
        bound = "" if item.threshold_bits is None else f" (threshold {item.threshold_bits:.1f})"
        measured.append(f"{item.bits:.1f} bits{bound}")
    if item.eco:
        measured.append(escaped(item.eco))
    return measured


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
