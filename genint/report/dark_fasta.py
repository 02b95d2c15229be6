"""FASTA of the dark proteins: what to search next, the most promising first.

A header is ``>id record:places(strand) length=.. rank=.. priority=.. reasons``, with the word
``pseudogene`` before the reasons where the file calls the gene one; lines hold 60 residues.
Ids have no blanks: blanks, ``%``, a leading ``>`` and all that is not ASCII are percent-
encoded, so that different genes keep different ids. Stop codons inside a protein, and whatever
else is no letter, are written as X: HMMER and BLAST take ``*`` for an error or drop it, and
places would move.
"""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import quote

from genint.errors import InputError
from genint.report.places import on_both_strands, parts_text
from genint.report.result import GeneItem, GenintResult, NoveltyItem
from genint.report.texts import shown_text

_LINE_RESIDUES: Final = 60
_NO_RESIDUE: Final = re.compile(r"[^A-Z]")
_KEPT_IN_IDS: Final = "!\"#$&'()*+,-./:;<=>?@[\\]^_`{|}~"
"""Punctuation that every reader of FASTA takes as part of an id; ``%`` is the escape."""


def render_dark_fasta(result: GenintResult) -> str:
    """Proteins of the dark genes in the order of their research priority; may be empty.

    Genes that have no protein (nothing can be translated) are left out.

    Raises:
        InputError: the result was made before results held proteins (schema 1.0).
    """
    dark = [(gene, gene.novelty) for gene in result.genes if gene.novelty is not None]
    dark.sort(key=lambda pair: pair[1].rank)
    return "".join(_entry(gene, novelty) for gene, novelty in dark if _has_protein(gene))


def _has_protein(gene: GeneItem) -> bool:
    if gene.length_aa and not gene.translation:
        raise InputError(
            "the result holds no proteins: it was made by an older genint; interpret the genome "
            "again"
        )
    return bool(gene.translation)


def _entry(gene: GeneItem, novelty: NoveltyItem) -> str:
    residues = _NO_RESIDUE.sub("X", gene.translation.upper())
    lines = (residues[at : at + _LINE_RESIDUES] for at in range(0, len(residues), _LINE_RESIDUES))
    return "\n".join((f">{_header(gene, novelty)}", *lines, ""))


def _header(gene: GeneItem, novelty: NoveltyItem) -> str:
    strand = "" if on_both_strands(gene) else f"({gene.strand})"
    facts = (
        _identifier(gene.id),
        f"{shown_text(gene.record)}:{parts_text(gene)}{strand}",
        f"length={gene.length_aa}",
        f"rank={novelty.rank}",
        f"priority={novelty.priority}",
        "pseudogene" if gene.pseudo else "",
        shown_text("; ".join(novelty.reasons)),
    )
    return " ".join(filter(None, facts)).rstrip()


def _identifier(name: str) -> str:
    escaped = quote(name, safe=_KEPT_IN_IDS, errors="surrogatepass")
    return f"%3E{escaped[1:]}" if escaped.startswith(">") else escaped
