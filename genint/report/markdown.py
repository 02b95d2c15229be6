"""Markdown rendering: readable as plain text and on a forge.

Sections of genes have headings that forges make known anchors of; genomes of many genes
get a table of contents with links to them.

Whatever comes from the input is escaped, see :mod:`genint.report.markdown_text`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from genint.model.interpretation import FOLDSEEK, HHPRED, NameVerdict
from genint.model.vocabulary import ConfidenceLevel, NameBasis
from genint.report.audit import AuditRow, audit_view
from genint.report.markdown_genes import (
    cog_names,
    common_steps,
    dark_section,
    gene_section,
    go_names,
    heading,
)
from genint.report.markdown_text import anchor, escaped, table
from genint.report.overview import (
    RecordOverview,
    TopicStatements,
    has_few_records,
    overviews,
    place_text,
    remarks,
    usual_search,
    usual_search_text,
)
from genint.report.result import (
    CrisprArrayItem,
    GeneItem,
    GenintResult,
    Record,
    RnaGeneItem,
)
from genint.report.result_overview import GenomeStatementItem
from genint.report.score import level_sentences
from genint.report.summaries import DARK_MEANING, headline
from genint.report.wording import (
    SENT,
    dark_text,
    near_misses,
    not_used,
    problem_texts,
    repeat_text,
    rescue_place,
    rescued,
    rna_score,
    search_text,
    services_text,
    spacer_text,
    spans_text,
    start_base,
    topology_text,
    use_texts,
    yes_or_no,
)

_CONTENTS_FROM_GENES = 40
_CONTENTS_UP_TO_GENES = 1000
"""Genomes with so many genes get a table of all genes in front of their sections; of more genes
the table is that of ``--format tsv``, and forges show no page of that size anyway."""
_ALL_STATEMENTS = "All statements are in the formats `json`, `overview` and `xlsx`."
_HOW_TO_READ = (
    "Each gene has one sentence, its facts, and the numbered reasoning. A number in front of a "
    "step is how often such evidence is right by itself; the one at its end is what it adds to the"
    " score in log-odds; the last step is their sum, in log-odds too, without those that add 0.00."
    " GF and eight letters or digits are a genint family, followed by how many of its named "
    "members (from how many records) are called so or a kind of it; “its own too” means that this "
    "very protein is one of them. Behind a match stand its residues, its E-value and two "
    "percentages, such as 99%/97%: how much of the protein and of the profile of the family "
    "match. Neighbours make a category likelier than elsewhere, where no such genes are near. A "
    "step that begins with a COG letter or a GO term is the classification. The version of the "
    "families and the release of Pfam stand under databases, the names of COG letters and GO "
    "terms behind the genes."
)
_COUNTED = (
    ("HIGH", "high"),
    ("MODERATE", "moderate"),
    ("LOW", "low"),
    ("SPECULATIVE", "speculative"),
    ("NONE", "dark"),
)


def render_markdown(result: GenintResult) -> str:
    """The whole report; every text that came from the input is escaped.

    Cost: about 0.1 ms and 1 kB a gene (0.5 s for Escherichia coli).
    """
    genes = enumerate(result.genes, start=1)
    return (
        _joined(
            f"# Interpretation of {escaped(result.input.filename)}",
            _summary(result),
            _overview(result),
            _records(result.records),
            _comparison(result),
            _audit_section(result),
            _warnings(result),
            _contents(result),
            "## Genes",
            _HOW_TO_READ if result.genes else "",
            *(
                gene_section(at, gene, records=len(result.records))
                for at, gene in genes
                if gene.novelty is None
            ),
            _class_names(result),
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
        f"**{headline(counts)}.**{f' {DARK_MEANING}' if counts.dark else ''}\n\n{problems}"
        + table(("Level", "Genes", "Meaning"), rows)
        + f"\n\n{escaped(result.parameters.confidence_basis)}\n\n{_levels(result)}"
    )


def _levels(result: GenintResult) -> str:
    first, *measured = level_sentences(result.parameters)
    return "\n\n".join((first, *(["\n".join(f"* {one}" for one in measured)] if measured else ())))


def _overview(result: GenintResult) -> str:
    """What is said of the genome as a whole, before any gene."""
    found = overviews(result)
    if not found:
        return ""
    blocks = ["## The genome as a whole"]
    if len(result.records) > 1:
        blocks.append(_kinds(found))
    if not has_few_records(result):
        return _joined(*blocks, _ALL_STATEMENTS)
    blocks.append(escaped(usual_search_text(result)))
    usual = usual_search(result)
    for one in found:
        if len(result.records) > 1:
            blocks.append(f"### Record {escaped(one.record.id)}")
        blocks += (_topic(group, usual) for group in one.topics)
    return _joined(*blocks)


def _kinds(found: Sequence[RecordOverview]) -> str:
    """What each record is taken for."""
    rows = [
        (
            escaped(one.record.id),
            f"{one.record.length:,}",
            one.kind,
            "" if one.kind_probability is None else f"{one.kind_probability:.2f}",
            escaped(one.answers),
        )
        for one in found
    ]
    return table(("Record", "Length (bp)", "Kind", "Probability", "Taken for"), rows)


def _topic(group: TopicStatements, usual: tuple[str, ...]) -> str:
    lines = [f"**{group.topic.heading}**", ""]
    for one in group.statements:
        lines += _statement(one)
        lines += (f"  * {escaped(text)}" for text in remarks(one, usual))
        # Their remarks are those of the same topics of any phage, and in the JSON result.
        for part in one.parts:
            lines += (f"  {line}" for line in _statement(part, f"{part.topic.heading}: "))
    return "\n".join(lines)


def _statement(one: GenomeStatementItem, heading: str = "") -> Iterator[str]:
    place = place_text(one)
    yield f"* {heading}{escaped(one.text)}{f' ({place})' if place else ''}"
    yield from (f"  {at}. {escaped(step)}" for at, step in enumerate(one.reasoning, start=1))


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
        f"{record.translation_table} ({escaped(record.translation_table_reason or '')}); "
        f"{escaped(topology_text(record))}."
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
    if not _CONTENTS_FROM_GENES <= len(result.genes) <= _CONTENTS_UP_TO_GENES:
        return ""
    rows = [
        (
            f"[{at}](#{anchor(heading(at, gene))})",
            escaped(gene.name),
            escaped(gene.function or "dark matter"),
            f"{gene.confidence}, file" if gene.basis is NameBasis.FILE else gene.confidence,
            f"{gene.score:.2f}" if not gene.is_dark else "",
        )
        for at, gene in enumerate(result.genes, start=1)
    ]
    header = ("No.", "Gene", "Hypothesis", "Confidence", "Score")
    aside = ""
    if any(gene.basis is NameBasis.FILE for gene in result.genes):
        aside = "“file” beside a level: the name only repeats that in the file.\n\n"
    return f"## Contents\n\n{aside}{table(header, rows)}"


def _dark_matter(result: GenintResult) -> str:
    dark = [
        (at, gene, gene.novelty)
        for at, gene in enumerate(result.genes, start=1)
        if gene.novelty is not None
    ]
    if not dark:
        return ""
    dark.sort(key=lambda item: item[2].rank)
    common = common_steps(novelty for *_, novelty in dark)
    intro = (
        f"{len(dark):,} {'gene is' if len(dark) == 1 else 'genes are'} not recognised with the "
        "databases used. Those come first that are probably unknown to science, not only missing "
        "here: in annotated phages short genes seldom have a known function, long ones and gaps "
        "between genes of the virion mostly do. The priority is a ranking aid, not a probability; "
        "genes that are no research targets say so."
    )
    if (unasked := dark_text(result)) is not None:
        intro += f" {unasked}"
    steps = "\n".join(f"{at}. {_linked(step)}" for at, step in enumerate(common, start=1))
    told = f"Before any experiment, with the sequence that is given for each:\n\n{steps}"
    records = len(result.records)
    sections = (dark_section(*item, common, records=records) for item in dark)
    return _joined("## Dark matter", intro, told if common else "", *sections)


def _class_names(result: GenintResult) -> str:
    """Names of COG letters and GO terms, which the sections of genes give without them."""
    interpreted = [gene for gene in result.genes if not gene.is_dark]
    sections = (
        ("COG categories", cog_names(interpreted)),
        ("Gene Ontology terms", go_names(interpreted)),
    )
    return _joined(*(_names(title, names) for title, names in sections if names))


def _names(title: str, names: Mapping[str, str]) -> str:
    lines = [f"* {escaped(f'{id_} {name}')}" for id_, name in names.items()]
    return f"## {title}\n\n" + "\n".join(lines)


def _linked(step: str) -> str:
    """A step with its pages as links; what is no page of ours stays text."""
    text = escaped(step)
    for page in (HHPRED, FOLDSEEK):
        text = text.replace(escaped(page), f"<{page}>")
    return text


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
