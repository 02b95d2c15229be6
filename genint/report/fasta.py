"""FASTA rendering: proteins, genes and records of a result, and the proteins of dark genes.

Headers are those of Prokka and Bakta: the id, then the product; of records the id, then
``[gcode=11] [topology=circular]``. An id of a gene has no blanks: what FASTA readers would end it
at is written as ``%20`` and the like. Records are called as databases take them
(:func:`submission_ids`), in feature tables and EMBL too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Final
from urllib.parse import quote

from genint.errors import InputError
from genint.formats.fasta import unique_names
from genint.formats.genbank.writer import ascii_text
from genint.model.sequence import reverse_complement
from genint.report.gff3 import escaped_seqid, render_gff3
from genint.report.insdc import UNNAMED, product_name
from genint.report.result import GeneItem, GenintResult, Record, RnaGeneItem
from genint.report.result_gene import NoveltyItem, Span
from genint.report.wording import on_both_strands, parts_text, shown_text, transcribed

_LINE_LETTERS: Final = 60
_NO_RESIDUE: Final = re.compile(r"[^A-Z]")
_KEPT_IN_IDS: Final = "!\"#$&'()*+,-./:;<=>?@[\\]^_`{|}~"
"""Punctuation that every reader of FASTA takes as part of an id; ``%`` is the escape."""
_NOT_IN_SUBMISSIONS: Final = re.compile(r"[^A-Za-z0-9\-_.:*#]")
_LONGEST_ID: Final = 50
_ROOM_FOR_NUMBER: Final = 6
"""Characters of an id that is cut, kept free so that a number fits behind it."""
_NO_BRACKETS: Final = str.maketrans("[]", "()")
"""A bracket would end the value of a modifier."""
_AGAIN: Final = "it was made by an older genint; interpret the genome again"


def render_faa(result: GenintResult) -> str:
    """Proteins of all genes but pseudogenes, in the order of the result; may be empty.

    Raises:
        InputError: the result was made before results held proteins (schema 1.0).
    """
    return "".join(
        _entry(f"{_identifier(gene.id)} {product_of(gene)}", _residues(gene))
        for gene in result.genes
        if _has_protein(gene) and not gene.pseudo
    )


def render_ffn(result: GenintResult) -> str:
    """Bases of all genes and RNA genes, 5' to 3', by record and place; may be empty.

    Raises:
        InputError: the result was made before results held sequences (schema below 1.9).
    """
    bases = {record.id: bases_of(record) for record in result.records}
    order = {record.id: at for at, record in enumerate(result.records)}
    every: Iterator[GeneItem | RnaGeneItem] = chain(result.genes, result.rna_genes)
    placed = sorted(every, key=lambda item: (order[item.record], item.start))
    return "".join(
        _entry(f"{_identifier(item.id)} {product_of(item)}", gene_bases(item, bases[item.record]))
        for item in placed
    )


def render_fna(result: GenintResult) -> str:
    """Bases of the records.

    Raises:
        InputError: the result was made before results held sequences (schema below 1.9).
    """
    ids = submission_ids(result)
    return "".join(
        _entry(_record_header(record, ids[record.id]), bases_of(record))
        for record in result.records
    )


def render_gff3_fasta(result: GenintResult) -> str:
    """The GFF3 of the result with its sequences behind it (``##FASTA``), as Prokka writes it.

    Raises:
        InputError: the result was made before results held sequences (schema below 1.9).
    """
    entries = (_entry(escaped_seqid(record.id), bases_of(record)) for record in result.records)
    return "".join((render_gff3(result), "##FASTA\n", *entries))


def render_dark_fasta(result: GenintResult) -> str:
    """Proteins of the dark genes in the order of their research priority; may be empty.

    Genes that have no protein (nothing can be translated) are left out.

    Raises:
        InputError: the result was made before results held proteins (schema 1.0).
    """
    dark = [(gene, gene.novelty) for gene in result.genes if gene.novelty is not None]
    dark.sort(key=lambda pair: pair[1].rank)
    return "".join(
        _entry(_dark_header(gene, novelty), _residues(gene))
        for gene, novelty in dark
        if _has_protein(gene)
    )


def product_of(item: GeneItem | RnaGeneItem) -> str:
    """The product of the file, else a name that is sure enough, else *hypothetical protein*."""
    if isinstance(item, RnaGeneItem):
        return shown_text(item.product or item.kind)
    if item.product:
        return shown_text(item.product)
    return UNNAMED if item.pseudo else product_name(item)


def bases_of(record: Record) -> str:
    """The sequence of a record.

    Raises:
        InputError: the result was made before results held sequences (schema below 1.9).
    """
    if record.sequence is None:
        raise InputError(f"the result holds no sequences: {_AGAIN}")
    return record.sequence


def gene_bases(item: GeneItem | RnaGeneItem, bases: str) -> str:
    """The bases of a gene as transcribed, parts joined; ``bases`` are those of its record."""
    if isinstance(item, RnaGeneItem):
        return _part_bases(Span(start=item.start, end=item.end, strand=item.strand), bases)
    return "".join(_part_bases(part, bases) for part in transcribed(item))


def _part_bases(part: Span, bases: str) -> str:
    if part.end < part.start:
        piece = bases[part.start - 1 :] + bases[: part.end]
    else:
        piece = bases[part.start - 1 : part.end]
    return piece if part.strand == "+" else reverse_complement(piece)


def _has_protein(gene: GeneItem) -> bool:
    if gene.length_aa and not gene.translation:
        raise InputError(f"the result holds no proteins: {_AGAIN}")
    return bool(gene.translation)


def _residues(gene: GeneItem) -> str:
    return _NO_RESIDUE.sub("X", gene.translation.upper())


def _entry(header: str, letters: str) -> str:
    lines = (letters[at : at + _LINE_LETTERS] for at in range(0, len(letters), _LINE_LETTERS))
    return "\n".join((f">{header}", *lines, ""))


def submission_ids(result: GenintResult) -> Mapping[str, str]:
    """What records are called where a database takes them, by their ids; each name once.

    The NCBI takes letters, digits and ``-_.:*#``, 50 characters at most. What breaks that is ``_``
    here, and what becomes alike gets a number.
    """
    ids = [record.id for record in result.records]
    safe = (_NOT_IN_SUBMISSIONS.sub("_", ascii_text(name)) for name in ids)
    short = [
        name if len(name) <= _LONGEST_ID else name[: _LONGEST_ID - _ROOM_FOR_NUMBER]
        for name in safe
    ]
    return dict(zip(ids, unique_names(short), strict=True))


def id_note(name: str) -> str:
    """The id of a record in the file that was read, for a note where it is called otherwise."""
    return f"id in the source file: {ascii_text(shown_text(name))}"


def _record_header(record: Record, name: str) -> str:
    code = record.translation_table
    facts = (
        name,
        f"[organism={shown_text(record.organism)}]" if record.organism else "",
        f"[gcode={code}]" if code else "",
        f"[topology={record.topology}]",
        f"[note={id_note(record.id).translate(_NO_BRACKETS)}]" if name != record.id else "",
    )
    return " ".join(filter(None, facts))


def _dark_header(gene: GeneItem, novelty: NoveltyItem) -> str:
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
