r"""Text of the input made safe for Markdown, whoever renders it.

CommonMark itself, and what forges add to it: tables, strike-through, mathematics between
``$``, links made of bare addresses, mentions of people (``@name``) and pictures for
``:names:``. Most of it is switched off by a backslash. Mentions and pictures are looked for
in the finished page, where no backslash is left, so an empty comment cuts those.

What forges link in comments beyond that (numbers of issues, commits) is left alone: it
changes no text and calls nobody.

Source: CommonMark 0.31; GitHub Flavored Markdown 0.29, section 6.9 (autolinks).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from genint.report.result import CrisprArrayItem, GeneItem, GenintResult, RescueItem, RnaGeneItem
from genint.report.score import signed
from genint.report.wording import (
    near_misses,
    rescue_meaning,
    rescue_place,
    rescue_sum,
    rescue_terms,
    rescued,
    rna_score,
    search_text,
    shown_text,
    spacer_words,
    spans_text,
    start_base,
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


def heading_words(name: str) -> str | None:
    """A name as it may stand in a heading that is linked to, None where it may not.

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
