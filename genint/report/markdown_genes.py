"""Sections of single genes in the Markdown report."""

from __future__ import annotations

from collections.abc import Sequence

from genint.report.arithmetic import printed_sum, printed_terms, signed, weight_words
from genint.report.found_words import rescue_place
from genint.report.markdown_found import rescue_table
from genint.report.markdown_text import escaped, heading_words, table
from genint.report.online_words import answer_texts
from genint.report.places import on_both_strands, parts_text
from genint.report.result import EvidenceItem, GeneItem, HypothesisItem, NoveltyItem
from genint.report.statements import VERDICTS, context_words, feature_words


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
