r"""Markdown rendering: readable as plain text and on a forge.

Sections of genes have headings that forges make known anchors of; genomes of many genes
get a table of contents with links to them.

Whatever comes from the input is escaped, for CommonMark itself and for what forges add to it:
tables, strike-through, mathematics between ``$``, links made of bare addresses, mentions of
people (``@name``) and pictures for ``:names:``. Most of it is switched off by a backslash.
Mentions and pictures are looked for in the finished page, where no backslash is left, so an
empty comment cuts those. What forges link in comments beyond that (numbers of issues, commits)
is left alone: it changes no text and runs no script.

Source: CommonMark 0.31; GitHub Flavored Markdown 0.29, section 6.9 (autolinks).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from genint.model.interpretation import NameVerdict
from genint.model.vocabulary import ConfidenceLevel
from genint.report.audit import AuditRow, audit_view
from genint.report.insdc import VERDICTS, context_text, feature_text
from genint.report.result import (
    CrisprArrayItem,
    EvidenceItem,
    GeneItem,
    GenintResult,
    HypothesisItem,
    NoveltyItem,
    Record,
    RescueItem,
    RnaGeneItem,
)
from genint.report.score import level_sentences, printed_sum, printed_terms, signed, weight_text
from genint.report.wording import (
    SENT,
    answer_texts,
    dark_text,
    near_misses,
    not_used,
    on_both_strands,
    parts_text,
    problem_texts,
    repeat_text,
    rescue_meaning,
    rescue_place,
    rescue_sum,
    rescue_terms,
    rescued,
    rna_score,
    search_text,
    services_text,
    shown_text,
    spacer_text,
    spans_text,
    start_base,
    use_texts,
    yes_or_no,
)

_CONTENTS_FROM_GENES = 40
"""Genomes with more genes get a table of all genes in front of their sections."""
_COUNTED = (
    ("HIGH", "high"),
    ("MODERATE", "moderate"),
    ("LOW", "low"),
    ("SPECULATIVE", "speculative"),
    ("NONE", "dark"),
)


_CUT: Final = "<!-- -->"
_MARKS: Final = re.compile(
    r"""[\\`*\[\]<>|\#~&${}]
    | (?<![A-Za-z0-9])_ | _(?![A-Za-z0-9])   # one inside a word means nothing
    | (?<=[A-Za-z]):(?=//)                   # https://
    | (?<=[Ww]{3})\.                         # www.
    """,
    re.VERBOSE,
)
_LOOKED_FOR_LATER: Final = re.compile(r"@(?=[A-Za-z0-9])|:(?=[A-Za-z0-9_+-]+:)")
_OPENS_A_BLOCK: Final = re.compile(r"^(?=[-+=])|^\d{1,9}(?=[.)](?:\s|$))")
_PLAIN_WORD: Final = re.compile(r"[A-Za-z0-9]+(?:[-_.'][A-Za-z0-9]+)*'?", re.ASCII)
_PADDED_TO: Final = 28
"""Columns are lined up for readers of the plain text, but long cells push no others away."""


def render_markdown(result: GenintResult) -> str:
    """The whole report; every text that came from the input is escaped.

    Cost: about 0.1 ms and 1 kB a gene (0.5 s for Escherichia coli).
    """
    genes = enumerate(result.genes, start=1)
    return (
        _joined(
            f"# Interpretation of {escaped(result.input.filename)}",
            _summary(result),
            _records(result.records),
            _comparison(result),
            _audit_section(result),
            _warnings(result),
            _contents(result),
            "## Genes",
            *(gene_section(at, gene) for at, gene in genes if gene.novelty is None),
            _dark_matter(result),
            _rescued(result),
            _starts(result),
            _products(result),
            _rna_of_file([gene for gene in result.rna_genes if gene.method is None]),
            _rna_genes(result),
            _arrays(result.crispr_arrays),
            _other_features(result),
            _provenance(result),
        )
        + "\n"
    )


def _joined(*blocks: str) -> str:
    return "\n\n".join(block for block in blocks if block)


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
    first, *measured = level_sentences(result.parameters)
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
    return _joined("## Records", table(header, rows), "\n".join(notes))


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


def _audit_section(result: GenintResult) -> str:
    """Counts, every contradicted product, the first refined ones; empty without annotation."""
    view = audit_view(result)
    if not view.counts:
        return ""
    counted = [
        (str(verdict), f"{genes:,}", view.meanings[verdict]) for verdict, genes in view.counts
    ]
    blocks = [
        "## Audit of the annotation",
        "The product of each gene in the file, compared with evidence that comes neither from "
        "the file nor from this record itself. The format audit has the whole table.",
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
    header = ("Gene", "Product in the file", "Function by the evidence", "Score", "Reason")
    blocks = [f"### {title}", table(header, cells)]
    left = len(rows) - most
    return [*blocks, f"{left:,} more are in the audit table."] if left > 0 else blocks


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
        for at, gene in enumerate(result.genes, start=1)
    ]
    header = ("No.", "Gene", "Locus", "Hypothesis", "Confidence", "Score", "COG")
    return "## Contents\n\n" + table(header, rows)


def heading(number: int, gene: GeneItem) -> str:
    """The heading of a gene, the same for every renderer; unusual names are shown below it only."""
    words = heading_text(gene.name)
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
        lines += ["", *_rescue_table(gene.rescue)]
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
        f"* Locus: {_locus(gene)}",
        f"* Reasons: {escaped('; '.join(novelty.reasons))}",
    ]
    if gene.pfam_id:
        lines.append(f"* Pfam: {escaped(gene.pfam_id)}")
    lines += [f"* Observed: {escaped(text)}" for text in novelty.observations]
    lines += _seen(gene)
    lines += [f"* Neighbour {escaped(text)}" for text in novelty.neighbours]
    if gene.rescue is not None:
        lines.append(f"* Gene call: {escaped(rescue_place(gene.rescue))}")
    lines.append(f"* Next step: {escaped(novelty.next_step)}")
    if gene.rescue is not None:
        lines += ["", *_rescue_table(gene.rescue)]
    return "\n".join(lines)


def _gene_facts(gene: GeneItem) -> list[str]:
    facts = [
        f"* Locus: {_locus(gene)}",
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
        facts.append(f"* Reason for the gene call: {escaped(gene.call_note)}")
    return facts


def _locus(gene: GeneItem) -> str:
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
    lines = [f"* Sequence feature: {escaped(feature_text(one))}" for one in gene.features]
    if gene.context is not None:
        lines.append(f"* Gene context: {escaped(context_text(gene.context))}")
    lines += [f"* {escaped(text)}" for text in answer_texts(gene)]
    return lines


def _score_table(hypotheses: Sequence[HypothesisItem]) -> list[str]:
    """The addends of the leading hypothesis's score, their sum, and its probability."""
    if not hypotheses:
        return []
    best = hypotheses[0]
    terms = [(term.what, term.log_odds) for term in printed_terms(best)]
    return ["Score:", "", _addends(terms, printed_sum(best), best.score)]


def _addends(terms: Iterable[tuple[str, float]], total: float, probability: float) -> str:
    rows = [(escaped(reason), signed(log_odds)) for reason, log_odds in terms]
    rows.append(("sum", signed(total)))
    rows.append((f"probability, 1 / (1 + exp({0.0 - total:.2f}))", f"{probability:.2f}"))
    return table(("Reason", "Log-odds"), rows)


def _evidence_line(gene: GeneItem, place: int) -> str:
    """An observation with its number, what it was measured by, its code and its weight."""
    item = gene.evidence[place]
    measured = _measures(item)
    weight = weight_text(gene, place)
    if weight is not None:
        measured.append(escaped(weight))
    facts = "".join(f"; {fact}" for fact in measured)
    return f"{place + 1}. [{item.conf:.2f}] {item.source}: {escaped(item.label)}{facts}"


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


def _dark_matter(result: GenintResult) -> str:
    dark = [
        (at, gene, gene.novelty)
        for at, gene in enumerate(result.genes, start=1)
        if gene.novelty is not None
    ]
    if not dark:
        return "## Dark matter\n\nNo gene is without evidence."
    dark.sort(key=lambda item: item[2].rank)
    intro = (
        f"Genes without a functional claim from any source: {len(dark)}. They are ranked by how "
        "useful and how feasible it is to find their function; the priority is a ranking aid, "
        "not a probability."
    )
    if (unasked := dark_text(result)) is not None:
        intro += f" {unasked}"
    return "\n\n".join(["## Dark matter", intro, *(dark_section(*item) for item in dark)])


def _rescue_table(rescue: RescueItem) -> list[str]:
    """The addends of the probability that there is a gene, their sum, and what it means."""
    return [
        "Is it a gene? (The gene finder did not call it.)",
        "",
        _addends(rescue_terms(rescue), rescue_sum(rescue), rescue.probability),
        "",
        f"{escaped(rescue_meaning(rescue))}.",
    ]


def _rescued(result: GenintResult) -> str:
    found = rescued(result)
    misses = near_misses(result)
    if not found and misses is None:
        return ""
    blocks = ["## Genes missed by the gene finder"]
    if found:
        rows = [
            (
                escaped(gene.name),
                _place(gene),
                str(gene.length_aa),
                f"{rescue.probability:.2f}",
                escaped(rescue_place(rescue)),
                escaped(gene.call_note or ""),
            )
            for gene, rescue in found
        ]
        header = ("Gene", "Place", "Length (aa)", "Probability", "Position", "Reason for the call")
        blocks += [
            "They are counted and interpreted like all other genes. The probability is that of "
            "being a gene, fitted on annotated genomes and checked on held-out ones; it says "
            "nothing about the function.",
            table(header, rows),
        ]
    if misses is not None:
        blocks.append(escaped(misses[:1].upper() + misses[1:]))
    return "\n\n".join(blocks)


def _place(item: GeneItem | RnaGeneItem | CrisprArrayItem) -> str:
    strand = "" if isinstance(item, CrisprArrayItem) else f" ({item.strand})"
    return f"{escaped(item.record)} {item.start}-{item.end}{strand}"


def _starts(result: GenintResult) -> str:
    if not result.alternative_starts:
        return ""
    rows = [
        (
            escaped(one.gene),
            f"{start_base(one)} ({one.strand})",
            escaped(one.codon),
            escaped(one.rbs_motif or "none found"),
            f"{one.start_score:.1f}",
            str(one.length_aa),
            f"{one.share:.2f}",
            f"{one.probability:.2f}",
            escaped(one.reason),
        )
        for one in result.alternative_starts
    ]
    header = (
        "Gene", "First base", "Codon", "Ribosome binding site", "Start score", "Length (aa)",
        "Share of the gene", "Probability", "Reason",
    )  # fmt: skip
    return "\n\n".join(
        (
            "## Alternative starts",
            "Shorter products with the reading frame and the stop codon of a gene; none is counted "
            "as a gene. The probability is that the shorter product is made too; start scores "
            "are log-odds of the gene finder.",
            table(header, rows),
        )
    )


def _products(result: GenintResult) -> str:
    if not result.alternative_products:
        return ""
    rows = [
        (
            escaped(one.id),
            escaped(one.gene),
            escaped(one.joined or "no called gene"),
            f"{escaped(one.record)} {spans_text(one.parts).replace(',', ', ')}",
            f"{one.shift:+d} at {escaped(one.heptamer)} ({one.site_start}-{one.site_end})",
            str(one.length_aa),
            f"{one.probability:.2f}",
            escaped(one.reason),
        )
        for one in result.alternative_products
    ]
    header = (
        "Product", "Starts in", "Continues in", "Place", "Frameshift", "Length (aa)", "Probability",
        "Reason",
    )  # fmt: skip
    return "\n\n".join(
        (
            "## Alternative products",
            "Products of ribosomal frameshifting; none is counted as a gene. The probability is "
            "that the product is made.",
            table(header, rows),
        )
    )


def _rna_of_file(genes: Sequence[RnaGeneItem]) -> str:
    if not genes:
        return ""
    rows = [
        (
            escaped(gene.id),
            escaped(gene.kind),
            escaped(gene.product or ""),
            f"{gene.start}-{gene.end} ({gene.strand})",
        )
        for gene in genes
    ]
    named = table(("RNA gene", "Kind", "Product", "Place"), rows)
    return f"## RNA genes of the file\n\n{named}"


def _rna_genes(result: GenintResult) -> str:
    """RNA genes that a search found, and what was searched for."""
    found = [gene for gene in result.rna_genes if gene.method is not None]
    if not found and not result.searches:
        return ""
    blocks = ["## RNA genes"]
    if found:
        rows = [
            (
                escaped(gene.id),
                escaped(gene.kind) + (", pseudogene" if gene.pseudo else ""),
                escaped(gene.product or ""),
                _place(gene),
                escaped(gene.anticodon or ""),
                escaped(gene.method or ""),
                escaped(rna_score(gene)),
                escaped(gene.accession or ""),
                escaped(gene.note or ""),
            )
            for gene in found
        ]
        header = (
            "RNA gene", "Kind", "Product", "Place", "Anticodon", "Found by", "Score", "Model",
            "Note",
        )  # fmt: skip
        blocks += [
            "They are not counted among the protein-coding genes. The score is that of the "
            "search, not a probability.",
            table(header, rows),
        ]
    if result.searches:
        lines = "\n".join(f"* {escaped(search_text(one))}" for one in result.searches)
        blocks.append(f"Searches besides protein-coding genes:\n\n{lines}")
    return "\n\n".join(blocks)


def _arrays(arrays: Sequence[CrisprArrayItem]) -> str:
    if not arrays:
        return ""
    rows = [
        (
            escaped(one.id),
            _place(one),
            escaped(one.repeat),
            str(one.repeats),
            escaped(spacer_text(one)),
            escaped(one.method),
        )
        for one in arrays
    ]
    header = ("Array", "Place", "Repeat (consensus)", "Repeats", "Spacers", "Found by")
    spacers = "The spacers themselves are in the JSON result, under the key crispr_arrays."
    return "\n\n".join(("## CRISPR arrays", table(header, rows), spacers))


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
    queried = services_text(result)
    settings = [
        f"* genint {escaped(result.genint_version)}, result format {result.schema_version}",
        f"* Mode: {used.mode}{f' ({queried})' if queried else ''}; phage: {yes_or_no(used.phage)}; "
        f"annotations ignored: {yes_or_no(used.ignore_annotations)}",
        f"* Confidence parameters: {escaped(used.confidence_parameters)}",
        f"* Input: {escaped(result.input.filename)} ({result.input.format}), "
        f"sha256 {escaped(result.input.sha256)}",
    ]
    if result.programs:
        named = ", ".join(escaped(f"{item.name} {item.version}") for item in result.programs)
        settings.insert(1, f"* Programs: {named}")
    settings += [f"* Not used: {escaped(text)}" for text in not_used(result)]
    return _joined("## Databases and parameters", databases, "\n".join(settings), _services(result))


def _services(result: GenintResult) -> str:
    """The queries of online services and their outcome."""
    texts = [escaped(text) for text in use_texts(result)]
    return "\n\n".join(["### Online services", *texts, escaped(SENT)]) if texts else ""


def escaped(text: str) -> str:
    """A text on one line that reads as it is and means nothing to Markdown.

    Control and direction characters, which could drive a terminal or hide text, are shown
    as a replacement character.
    """
    line = " ".join(shown_text(text).split())
    line = _MARKS.sub(r"\\\g<0>", line)
    line = _LOOKED_FOR_LATER.sub(rf"\g<0>{_CUT}", line)
    return _OPENS_A_BLOCK.sub(r"\g<0>\\", line)


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; cells must be escaped already. Its columns line up as plain text."""
    lines = [tuple(header), *(tuple(row) for row in rows)]
    widths = [
        min(max(3, *(len(line[at]) for line in lines)), _PADDED_TO) for at in range(len(header))
    ]
    rule = tuple("-" * width for width in widths)
    return "\n".join(_row(line, widths) for line in (lines[0], rule, *lines[1:]))


def _row(cells: Sequence[str], widths: Sequence[int]) -> str:
    padded = (cell.ljust(width) for cell, width in zip(cells, widths, strict=True))
    return f"| {' | '.join(padded)} |"


def heading_text(name: str) -> str | None:
    """A name as it may appear in a heading that is linked to, None where it may not.

    Forges make the anchor of a heading from its text, each by rules of its own. They
    agree on letters, digits and what joins them in one word.
    """
    if _PLAIN_WORD.fullmatch(name) is None or name.lower().startswith("www."):
        return None
    return name


def anchor(heading: str) -> str:
    """The anchor that GitHub, GitLab and Gitea make of a heading of plain words."""
    kept = re.sub(r"[^a-z0-9_ -]", "", heading.lower())
    return kept.replace(" ", "-")
