"""Sections of genes in Markdown: one sentence on top, then facts, evidence and reasoning.

What the numbered chain says is not said again beside it, and what many chains repeat is said once
for all: names of GO terms and COG letters, the release of Pfam. So a report of a bacterium stays
small enough for forges and editors. Figures of the arithmetic are in HTML and JSON.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Final

from genint.model.interpretation import StatementKind
from genint.model.rescue import percent
from genint.model.vocabulary import EvidenceSource
from genint.report.insdc import VERDICTS
from genint.report.markdown_text import escaped, heading_text
from genint.report.result import GeneItem
from genint.report.result_gene import EvidenceItem, NoveltyItem
from genint.report.summaries import (
    NOT_RECOGNISED,
    SINGLE_SOURCE,
    level_text,
    next_steps,
    summary_of,
)
from genint.report.wording import (
    answer_texts,
    on_both_strands,
    parts_text,
    rescue_arithmetic,
    statement_text,
)

_FIGURES: Final = re.compile(r" \((?:[^()]|\([^()]*\))*\)$")
"""Figures at the end of a label, such as ``(E 3.3e-284, 100% of the protein)``."""
_LIKELIER: Final = " times likelier than elsewhere"
_CLASSIFICATION: Final = "Classification: "
_GO_NAME: Final = re.compile(r"(GO:\d{7}) (?:(?!, GO:|\.\Z).)+", re.DOTALL)
_PFAM: Final = re.compile(r"^Pfam \d+\.\d+ (?=PF\d{5}: )")
_OWN_FAMILY: Final = re.compile(r"^genint family (?=GF[0-9A-F]{8}: )")
_CALLED: Final = re.compile(r" named members from (\d[\d,]*) records? are called (?=“)")
_DIFFER: Final = re.compile(
    r"(the names in family (GF[0-9A-F]{8}) differ): (\d+ of \d+) members have this one"
)
_ITSELF: Final = ", this very protein among them"
_COVERED: Final = re.compile(r"(\d+%) of protein, (\d+%) of profile(?=\))")
_RESIDUES: Final = re.compile(r"(?<=[,;] )residues (?=\d+-\d+ \()")
_SCORE: Final = "Score: "
_ADDS_NOTHING: Final = re.compile(r" [+-] 0\.00(?: \(\w+\))?(?= [+=-])")
_LOG_ODDS: Final = " log-odds, probability "
_ADDEND: Final = re.compile(r"\\\[([+-]\d+\.\d\d)\\\]")
"""Of a step, escaped; brackets around a number mean nothing to Markdown."""
_REPEATED: Final = re.compile("the file calls it|short protein")
"""Observations that the summary of a dark gene says too."""
_LAST: Final = "only if nothing is found: "
_NO_RESIDUE: Final = re.compile(r"[^A-Za-z*]")


def heading(number: int, gene: GeneItem) -> str:
    """The heading of a gene, the same for every renderer; unusual names are shown below it only."""
    words = heading_text(gene.name)
    return f"Gene {number}: {words}" if words else f"Gene {number}"


def gene_section(number: int, gene: GeneItem, *, records: int = 2) -> str:
    """What the evidence says of a gene, step by step.

    Args:
        number: Of the gene, from 1.
        gene: With its interpretation.
        records: Of the file; the only one is not named at every gene.
    """
    lines = [
        f"### {heading(number, gene)}",
        "",
        f"{escaped(gene.name)}: {escaped(summary_of(gene))}",
        "",
        *_gene_facts(gene, records),
    ]
    steps, others = _told(gene)
    if others:
        lines.append(f"* Further evidence: {'; '.join(others)}")
    lines += ["", *(f"{at}. {step}" for at, step in enumerate(steps, start=1))]
    return "\n".join([*lines, *_doubts(gene)])


def _told(gene: GeneItem) -> tuple[list[str], list[str]]:
    """The steps of the chain, those of an observation with its reliability in front.

    And in short the observations without a step, which support other hypotheses.
    """
    waiting, chain = list(gene.evidence), "\n".join(gene.reasoning_chain)
    steps = []
    for step in gene.reasoning_chain:
        found = next((item for item in waiting if _describes(step, item)), None)
        if found is not None:
            waiting.remove(found)
        conf = f"[{found.conf:.2f}] " if found is not None else ""
        steps.append(f"{conf}{_step(gene, step)}")
    others = [
        f"[{item.conf:.2f}] {_source(item)}{escaped(_FIGURES.sub('', item.label))}"
        for item in waiting
        if not (item.source == EvidenceSource.GENE_CONTEXT and item.label in chain)
    ]
    return steps, others


def _source(item: EvidenceItem) -> str:
    """The source, where the accession in the label does not show it."""
    shown = item.source in (EvidenceSource.GENINT_FAMILY, EvidenceSource.PFAM)
    return "" if shown and item.accession else f"{item.source}: "


def _describes(step: str, item: EvidenceItem) -> bool:
    """Whether a step is that of an observation."""
    match item.source:
        case EvidenceSource.GENBANK:
            return step.startswith("The file ")
        case EvidenceSource.GENE_CONTEXT:
            return step.startswith("Gene context: ")
    return bool(item.accession) and f"{item.accession}" in step.partition(": ")[0]


def _step(gene: GeneItem, step: str) -> str:
    """A step of the chain, without what the section on abbreviations says once for all."""
    if step.startswith(_CLASSIFICATION):
        step = _GO_NAME.sub(r"\1", step)
        letter = f"COG {gene.cog_category}"
        step = step.replace(f"{letter} ({gene.cog_name})", letter).removeprefix(_CLASSIFICATION)
        step = step.replace("by its genint family", "by its family", 1)
    elif step.startswith(_SCORE):
        step = _ADDS_NOTHING.sub("", step).replace(_LOG_ODDS, ", probability ")
    else:
        step = _OWN_FAMILY.sub("", _PFAM.sub("", step)).replace(_ITSELF, ", its own too", 1)
        step = _COVERED.sub(r"\1/\2", _CALLED.sub(r" names (\1 records): ", step, count=1))
        step = _RESIDUES.sub("", step, count=1)
        step = step.replace(f"records): “{gene.function}”", "records) are this one", 1)
        step = step.replace(_LIKELIER, " times likelier", 1)
    return _ADDEND.sub(r"[\1]", escaped(step))


def go_names(genes: Iterable[GeneItem]) -> dict[str, str]:
    """The Gene Ontology terms of all genes, by id, with their names."""
    named = {term.id: term.name for gene in genes for term in gene.go if term.name}
    return dict(sorted(named.items()))


def cog_names(genes: Iterable[GeneItem]) -> dict[str, str]:
    """The COG letters of all genes, with their names."""
    named = {gene.cog_category: gene.cog_name for gene in genes if gene.cog_category}
    return {letter: name for letter, name in sorted(named.items()) if name}


def _doubts(gene: GeneItem) -> list[str]:
    """Conflicts, uncertainties and rivals as one line each; what the chain says is left out."""
    chain = "\n".join(gene.reasoning_chain)
    conflicts = [text for text in gene.conflicts if f"Conflict: {text}." not in chain]
    doubts = [
        _without_counts(text, chain)
        for text in gene.uncertainties
        if text.removeprefix(SINGLE_SOURCE) not in chain
    ]
    rivals = [
        f"{rival.function} [{rival.score:.2f}], {rival.verdict}"
        for rival in gene.hypotheses[1:]
        if f"Competing hypothesis: “{rival.function}”" not in chain
    ]
    parts = (("Conflicts", conflicts), ("Uncertainty", doubts), ("Competing hypotheses", rivals))
    lines = []
    for title, texts in parts:
        if texts:
            lines += ["", f"{title}: {escaped('; '.join(texts))}"]
    return lines


def _without_counts(doubt: str, chain: str) -> str:
    """A doubt without how many names of a family agree, where the step of the family says it."""
    found = _DIFFER.match(doubt)
    if found is None or f"{found[2]}: {found[3]} named members" not in chain:
        return doubt
    return found[1]


def dark_section(
    number: int,
    gene: GeneItem,
    novelty: NoveltyItem,
    common: Sequence[str] = (),
    *,
    records: int = 2,
) -> str:
    """What is seen of a gene that is not recognised; steps that all have are told once for all."""
    lines = [
        f"### {heading(number, gene)}",
        "",
        f"**{novelty.rank}. {escaped(gene.name)}** (dark, priority {novelty.priority:.2f}): "
        f"{escaped(summary_of(gene).removeprefix(f'{NOT_RECOGNISED.capitalize()}: '))}",
        "",
        f"* Locus: {_locus(gene, records)}",
    ]
    reasons = [text for text in novelty.reasons if f"({gene.length_aa} amino acids)" not in text]
    if reasons:
        lines.append(f"* Priority: {escaped('; '.join(reasons))}")
    seen = [text for text in novelty.observations if not _REPEATED.match(text)]
    if seen:
        lines.append(f"* Observed: {escaped('; '.join(seen))}")
    lines += _stated(gene)
    lines += _seen(gene)
    if novelty.neighbours:
        lines.append(f"* Neighbours: {escaped('; '.join(novelty.neighbours))}")
    if gene.rescue is not None:
        lines.append(f"* Is it a gene? {escaped(rescue_arithmetic(gene.rescue))}")
    steps = [step for step in next_steps(novelty) if step not in common]
    if steps:
        told = "; then ".join(steps)
        is_last = told.startswith(_LAST)
        title = "If nothing is found" if is_last else "Next step"
        lines.append(f"* {title}: {escaped(told.removeprefix(_LAST))}")
    if gene.translation:
        lines.append(f"* Sequence: `{_NO_RESIDUE.sub('X', gene.translation)}`")
    return "\n".join(lines)


def common_steps(novelties: Iterable[NoveltyItem]) -> tuple[str, ...]:
    """Steps that several dark genes share, all but the last one of each, in their order."""
    counted = Counter(step for one in novelties for step in next_steps(one)[:-1])
    return tuple(step for step, genes in counted.items() if genes > 1)


def _gene_facts(gene: GeneItem, records: int) -> list[str]:
    """Confidence and classes, then the place, then what the file says where it differs."""
    level, aside = gene.confidence, level_text(gene).removeprefix(f"{gene.confidence} ")
    facts = [
        f"* {'; '.join((f'Confidence: {level} {escaped(aside)}', *_classes(gene)))}",
        f"* Locus: {_locus(gene, records)}",
    ]
    product = gene.normalized_product or "hypothetical protein"
    if product != gene.function:
        facts.append(f"* Product: {escaped(product)}")
    if gene.product not in (None, gene.normalized_product, gene.function):
        facts.append(f"* Product in the file: {escaped(gene.product or '')}")
    if gene.compared is not None:
        own = escaped(gene.compared.product or "no product")
        facts.append(
            f"* In the file: {escaped(gene.compared.id)}, {own} ({VERDICTS[gene.compared.verdict]})"
        )
    facts += _stated(gene)
    facts += _seen(gene)
    if gene.call_note and not any(gene.call_note in step for step in gene.reasoning_chain):
        facts.append(f"* Reason for the gene call: {escaped(gene.call_note)}")
    return facts


def _classes(gene: GeneItem) -> list[str]:
    """COG, Pfam, GO and category; what the chain names is not named again."""
    chain = "\n".join(gene.reasoning_chain)
    found = []
    if gene.cog_category and f"COG {gene.cog_category} ({gene.cog_name}" not in chain:
        named = f"{gene.cog_category} (source: {gene.cog_source})"
        found.append(f"COG: {escaped(named)}")
    if gene.pfam_id and gene.pfam_id not in chain:
        found.append(f"Pfam: {escaped(gene.pfam_id)}")
    terms = [f"{term.id} {term.name}".strip() for term in gene.go if term.id not in chain]
    if terms:
        found.append(f"GO: {escaped(', '.join(terms))}")
    if gene.category:
        found.append(f"Category: {gene.category}")
    return found


def _locus(gene: GeneItem, records: int) -> str:
    places = parts_text(gene).replace(",", ", ")
    strand = "" if on_both_strands(gene) else f" ({gene.strand})"
    locus = f"{escaped(gene.locus)}, " if not gene.locus.startswith(f"{gene.record}:") else ""
    over = ", over the origin" if gene.end < gene.start else ""
    pseudo = ", pseudogene" if gene.pseudo else ""
    partial = ", partial" if gene.partial else ""
    size = f"{gene.length_aa} aa{over}{pseudo}{partial}"
    record = f"{escaped(gene.record)} " if records > 1 else ""
    return f"{locus}{record}{places}{strand}, {size}"


def _stated(gene: GeneItem) -> list[str]:
    """What is safe to say of a gene whose name is not."""
    found = gene.statement
    if found is None or found.kind is StatementKind.NAME:
        return []
    return [f"* Safe to say: {escaped(statement_text(found))}"]


def _seen(gene: GeneItem) -> list[str]:
    """What the residues, the neighbours and online services say, each on one line."""
    lines = []
    kinds = [
        f"{kind} {', '.join(f'{one.start}-{one.end}' for one in items)}"
        for kind, items in groupby(gene.features, key=lambda one: one.kind)
    ]
    if kinds:
        lines.append(f"* Sequence features: {escaped('; '.join(kinds))}")
    if gene.context is not None:
        found = gene.context
        right = f"right for {percent(found.probability)} of such genes"
        lines.append(f"* Gene context: {escaped(found.category)} by the neighbours ({right})")
    return lines + [f"* {escaped(text)}" for text in answer_texts(gene)]
