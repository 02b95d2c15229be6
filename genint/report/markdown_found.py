"""Sections on what a gene finder leaves out, other products, RNA genes and CRISPR arrays."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from genint.report.arithmetic import signed
from genint.report.found_words import (
    near_misses,
    rescue_meaning,
    rescue_place,
    rescue_sum,
    rescue_terms,
    rescued,
    rna_score,
    search_text,
    spacer_words,
    spans_text,
    start_base,
)
from genint.report.markdown_text import escaped, table
from genint.report.result import (
    CrisprArrayItem,
    GeneItem,
    GenintResult,
    RescueItem,
    RnaGeneItem,
)


def found_sections(result: GenintResult) -> Iterator[str]:
    """Blocks in the order of the report; empty where there is nothing to tell."""
    yield _rescued(result)
    yield _starts(result)
    yield _products(result)
    yield _rna_of_file([gene for gene in result.rna_genes if gene.method is None])
    yield _rna_genes(result)
    yield _arrays(result.crispr_arrays)


def rescue_table(rescue: RescueItem) -> list[str]:
    """The addends of the probability that there is a gene, their sum, and what it means."""
    rows = [(escaped(reason), signed(value)) for reason, value in rescue_terms(rescue)]
    total = rescue_sum(rescue)
    rows.append(("sum", signed(total)))
    rows.append((f"probability, 1 / (1 + exp({0.0 - total:.2f}))", f"{rescue.probability:.2f}"))
    return [
        "Whether there is a gene (the gene finder leaves it out):",
        "",
        table(("What", "Log-odds"), rows),
        "",
        f"{escaped(rescue_meaning(rescue))}.",
    ]


def _rescued(result: GenintResult) -> str:
    found = rescued(result)
    misses = near_misses(result)
    if not found and misses is None:
        return ""
    blocks = ["## Genes that a gene finder leaves out"]
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
        header = ("Gene", "Place", "Length (aa)", "Probability", "How it lies", "Why it is one")
        blocks += [
            "They are counted and interpreted like all other genes. The probability is that it is "
            "a gene at all, fitted on annotated genomes and checked on those that were left out; "
            "what the gene does is another question.",
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
            escaped(one.rbs_motif or "none seen"),
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
        "Share of the gene", "Probability", "Why",
    )  # fmt: skip
    return "\n\n".join(
        (
            "## Alternative starts",
            "Shorter products with the frame and the stop of a gene; none is counted as a gene. "
            "The probability is that this product is made too; start scores are log-odds of the "
            "gene finder.",
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
        "Product", "Begins as", "Goes on in", "Place", "Frameshift", "Length (aa)", "Probability",
        "Why",
    )  # fmt: skip
    return "\n\n".join(
        (
            "## Alternative products",
            "What ribosomes may make that slip into another frame; none is counted as a gene. The "
            "probability is that the product is made.",
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
            "They are not counted among the protein-coding genes. A score is that of the search "
            "and no probability.",
            table(header, rows),
        ]
    if result.searches:
        lines = "\n".join(f"* {escaped(search_text(one))}" for one in result.searches)
        blocks.append(f"Searched besides protein-coding genes:\n\n{lines}")
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
            escaped(spacer_words(one)),
            escaped(one.method),
        )
        for one in arrays
    ]
    header = ("Array", "Place", "Repeat (consensus)", "Repeats", "Between them", "Found by")
    told = "The spacers themselves are in the JSON result, under the key crispr_arrays."
    return "\n\n".join(("## CRISPR arrays", table(header, rows), told))
