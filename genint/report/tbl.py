"""The five-column feature table that ``table2asn`` makes a GenBank submission from.

The sequences of the records beside it (``--format fna``) have the same ids. Products are worded as
GenBank takes them (:mod:`genint.report.submission_names`); places, tags and evidence are those of
the other formats. Only locus tags of the file, or by the rules of the INSDC, are written.

Source: NCBI, *Sequin five-column feature table* and *Prokaryotic genome annotation guide*.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Final

from genint.formats.genbank.writer import ascii_text
from genint.knowledge.product_names import NameKind, classify_product
from genint.knowledge.products import ProductVocabulary, load_products
from genint.model.genome import Topology
from genint.model.locus_tags import prefix_of
from genint.report.fasta import submission_ids
from genint.report.insdc import (
    OWN_NAMED,
    STOPS_INSIDE,
    UNNAMED,
    anticodon_value,
    has_stops_inside,
    inferences,
    product_name,
)
from genint.report.locus_tags import NO_GENES, OF_FILE, Tagged, old_tag_of, tag_of
from genint.report.result import (
    CrisprArrayItem,
    GeneItem,
    GenintResult,
    OtherFeatureItem,
    RnaGeneItem,
)
from genint.report.result_gene import Span
from genint.report.submission_names import submission_name
from genint.report.wording import on_both_strands, rna_inference, shown_text, transcribed

_TRANSLATED_STOPS: Final = {"U": "Sec", "O": "Pyl"}
_CODON_BP: Final = 3
_SLIP_BP: Final = 2
"""Between parts: ribosomes that slip leave out or read again at most this many bases."""
_TRNA: Final = re.compile(r"tRNA-(?:(?!Sup)[A-Z][a-z]{2}|fMet|Ile2|OTHER|Xxx|Undet|Sec|Pyl)")
_RIBOSOMAL: Final = re.compile(r"((?:5|5\.8|12|16|18|23|25|28)S)(?![\w.])", re.ASCII)
"""Size of the subunit's RNA; which operon it is of is no part of the name."""
_ENZYME: Final = re.compile(r"\d+(?:\.(?:\d+|-)){2}\.(?:n?\d+|-)", re.ASCII)
_GENBANK_PROTEIN: Final = re.compile(r"[A-Z]{3}(?:\d{5}|\d{7})\.\d+", re.ASCII)
_MODIFIED: Final = (("exception", "modified codon recognition"),)
"""Of tRNA for isoleucine whose anticodon CAU reads AUA: lysidine takes the place of the C."""
_RNA_KEYS: Final = frozenset({"tRNA", "rRNA", "tmRNA", "ncRNA", "misc_RNA"})
Qualifiers = tuple[tuple[str, str], ...]
Interval = tuple[str, str]


@dataclass(frozen=True, slots=True)
class _Feature:
    """One feature: first and last base of each part from 5' to 3', and its qualifiers."""

    key: str
    intervals: tuple[Interval, ...]
    qualifiers: Qualifiers

    def lines(self) -> Iterator[str]:
        (first, last), *more = self.intervals
        yield f"{first}\t{last}\t{self.key}"
        for first, last in more:
            yield f"{first}\t{last}"
        for name, value in self.qualifiers:
            yield f"\t\t\t{name}\t{value}" if value else f"\t\t\t{name}"


def render_tbl(result: GenintResult) -> str:
    """All features of a result for ``table2asn``, by record and place.

    Cost: about 0.1 ms a gene.
    """
    placed: dict[str, list[tuple[int, tuple[_Feature, ...]]]] = {
        record.id: [] for record in result.records
    }
    lengths = {record.id: record.length for record in result.records}
    lines_of = {one.id for one in result.records if one.topology is Topology.LINEAR}
    spans = _spans_of_tags(result.genes)
    written: set[tuple[str, str]] = set()
    for one in result.genes:
        gene = _to_the_end(one, lengths[one.record]) if one.record in lines_of else one
        features = _gene(gene, result, lengths[gene.record], spans)
        tag = tag_of(gene)
        if tag and (gene.record, tag) in written:  # one gene with several products
            features = features[1:]
        written.add((gene.record, tag or gene.id))
        placed[gene.record].append((gene.start, features))
    for rna in result.rna_genes:
        placed[rna.record].append((rna.start, _rna(rna, lengths[rna.record])))
    for array in result.crispr_arrays:
        placed[array.record].append((array.start, (_array(array, lengths[array.record]),)))
    for other in result.other_features:
        placed[other.record].append((other.start, (_other(other, lengths[other.record]),)))
    lines: list[str] = []
    ids = submission_ids(result)
    for record in result.records:
        lines.append(f">Feature {ids[record.id]}")
        for _, features in sorted(placed[record.id], key=lambda pair: pair[0]):
            lines += (line for feature in features for line in feature.lines())
    return "\n".join(lines) + "\n"


def _to_the_end(gene: GeneItem, record_bp: int) -> GeneItem:
    """A gene that an end of the record cuts off, up to that very end.

    Gene finders begin at the first whole codon; GenBank wants the one or two bases before it too,
    and the number of the base where it is.
    """
    low, high = (gene.partial_5, gene.partial_3)[:: 1 if gene.strand == "+" else -1]
    left = gene.start - 1 if low and gene.start <= _CODON_BP else 0
    right = record_bp - gene.end if high and record_bp - gene.end < _CODON_BP else 0
    if not (left or right) or gene.end < gene.start or on_both_strands(gene):
        return gene
    added = left if gene.strand == "+" else right
    if not (added and gene.partial_5):
        added = 0
    if gene.codon_start + added > _CODON_BP:
        return gene
    parts = list(gene.parts)
    parts[0] = parts[0].model_copy(update={"start": gene.start - left})
    parts[-1] = parts[-1].model_copy(update={"end": gene.end + right})
    return gene.model_copy(
        update={
            "start": gene.start - left,
            "end": gene.end + right,
            "parts": tuple(parts),
            "codon_start": gene.codon_start + added,
        }
    )


def submission_product(gene: GeneItem) -> str:
    """The product of a gene as GenBank takes it.

    That of the file where it says what the protein is; else a name of level MODERATE or better;
    else what the file has (a family of unknown function), or *hypothetical protein*.
    """
    of_file, own = gene.product or UNNAMED, submission_name(product_name(gene))
    if classify_product(of_file) is NameKind.PLACEHOLDER and own != UNNAMED:
        return own
    name = submission_name(of_file)
    return own if name == UNNAMED else name


def _gene(
    gene: GeneItem,
    result: GenintResult,
    record_bp: int,
    spans: dict[tuple[str, str], Span],
) -> tuple[_Feature, ...]:
    """The gene, and the CDS where it makes a protein."""
    tag = tag_of(gene)
    names: Qualifiers = (
        *_given("gene", _symbol(gene, tag)),
        *_tags(gene),
    )
    over = spans.get((gene.record, tag or "")) if not gene.trans_spliced else None
    parts = transcribed(gene)
    whole = (over,) if over else parts if gene.trans_spliced else (_whole(gene),)
    ends = (gene.partial_5, gene.partial_3)
    exception = _exception(gene)
    pseudo = gene.pseudo or has_stops_inside(gene)
    of_gene = _Feature(
        "gene",
        _intervals(whole, record_bp, *ends),
        (
            *names,
            *((("pseudo", ""),) if pseudo else ()),
            *(_given("note", _pseudo_note(gene)) if pseudo else ()),
            *(_given("exception", exception) if gene.trans_spliced else ()),
        ),
    )
    if pseudo:
        return (of_gene,)
    product = submission_product(gene)
    coding = _Feature(
        "CDS",
        _intervals(parts, record_bp, *ends),
        (
            *names,
            ("product", product),
            *_given("protein_id", _protein_id(gene, tag)),
            ("codon_start", str(gene.codon_start)),
            *_given("transl_table", str(gene.translation_table or "")),
            *(("EC_number", number) for number in _enzyme_numbers(gene, product)),
            *(("experiment", _plain(one)) for one in gene.experiments),
            *_given("exception", exception),
            *(("transl_except", one) for one in _read_stops(gene, parts, record_bp)),
            *(("inference", _plain(one)) for one in inferences(gene, result)),
            *_given("note", _renamed(gene, product)),
        ),
    )
    return (of_gene, coding)


def _symbol(gene: GeneItem, tag: str | None) -> str | None:
    """The name of the gene, unless that is only another of its ids."""
    is_id = gene.name in {tag, gene.protein_id}
    made = gene.name == gene.id and (
        gene.called_by not in OF_FILE
        or gene.new_locus_tag is not None
        or gene.name.startswith(f"{gene.record}_CDS")
    )
    return None if is_id or made else gene.name


def _protein_id(gene: GeneItem, tag: str | None) -> str | None:
    """That of the file where GenBank gave it, else one of the prefix of the locus tag.

    Those of RefSeq are of its own copies, which nobody submits. Of several products of one tag
    each has its own.
    """
    if gene.protein_id and _GENBANK_PROTEIN.fullmatch(gene.protein_id):
        return gene.protein_id
    prefix = prefix_of(tag) if tag else None
    name = gene.id if gene.id.startswith(f"{tag}_") else tag
    return f"gnl|{prefix}|{name}" if prefix else None


def _spans_of_tags(genes: Sequence[GeneItem]) -> dict[tuple[str, str], Span]:
    """From end to end of the products that share a locus tag of the file."""
    found: dict[tuple[str, str], Span] = {}
    shared: set[tuple[str, str]] = set()
    for gene in genes:
        tag = tag_of(gene)
        if tag is None or gene.end < gene.start or gene.trans_spliced:
            continue
        key = (gene.record, tag)
        before = found.get(key)
        if before is not None:
            shared.add(key)
        found[key] = Span(
            start=min(gene.start, before.start) if before else gene.start,
            end=max(gene.end, before.end) if before else gene.end,
            strand=gene.strand,
        )
    return {key: found[key] for key in shared}


def _whole(gene: GeneItem) -> Span:
    return Span(start=gene.start, end=gene.end, strand=gene.strand)


def _intervals(
    parts: Iterable[Span], record_bp: int, partial_5: bool = False, partial_3: bool = False
) -> tuple[Interval, ...]:
    """First and last base of each part as read; what runs over the origin is cut there."""
    pieces: list[tuple[int, int]] = []
    for part in parts:
        if part.start <= part.end:
            cut = [(part.start, part.end)]
        else:
            cut = [(part.start, record_bp), (1, part.end)]
        pieces += cut if part.strand == "+" else [(high, low) for low, high in reversed(cut)]
    last = len(pieces) - 1
    return tuple(
        (
            f"{'<' if partial_5 and at == 0 else ''}{first}",
            f"{'>' if partial_3 and at == last else ''}{end}",
        )
        for at, (first, end) in enumerate(pieces)
    )


def _exception(gene: GeneItem) -> str | None:
    """Why the parts of a coding sequence are joined."""
    if gene.trans_spliced:
        return "trans-splicing"
    parts = transcribed(gene)
    forward = gene.strand == "+"
    for one, other in pairwise(parts):
        gap = other.start - one.end - 1 if forward else one.start - other.end - 1
        if gap and abs(gap) <= _SLIP_BP:
            return "ribosomal slippage"
    return None


def _read_stops(gene: GeneItem, parts: Sequence[Span], record_bp: int) -> Iterator[str]:
    """Codons that are stops elsewhere and read here, where the file has their residue."""
    wanted = [at for at, residue in enumerate(gene.translation) if residue in _TRANSLATED_STOPS]
    if not wanted:
        return
    bases = [base for part in parts for base in _bases(part, record_bp)]
    for at in wanted:
        codon = sorted(bases[gene.codon_start - 1 + 3 * at :][:3])
        if len(codon) == 3 and codon[2] - codon[0] == 2:  # noqa: PLR2004 - a codon
            place = f"{codon[0]}..{codon[2]}"
            place = place if gene.strand == "+" else f"complement({place})"
            yield f"(pos:{place},aa:{_TRANSLATED_STOPS[gene.translation[at]]})"


def _bases(part: Span, record_bp: int) -> Iterable[int]:
    if part.start <= part.end:
        places = list(range(part.start, part.end + 1))
    else:
        places = [*range(part.start, record_bp + 1), *range(1, part.end + 1)]
    return places if part.strand == "+" else reversed(places)


def _enzyme_numbers(gene: GeneItem, product: str) -> tuple[str, ...]:
    """The file's, else of a term that is sure enough; a part of an enzyme has that of all."""
    if product == UNNAMED:
        return ()
    if given := [one for one in gene.ec_numbers if _ENZYME.fullmatch(one)]:
        return tuple(dict.fromkeys(given))
    if gene.confidence not in OWN_NAMED:
        return ()
    vocabulary = _vocabulary()
    term = vocabulary.find(gene.normalized_product or "")
    return term.ec if term is not None and term is vocabulary.find(product) else ()


@cache
def _vocabulary() -> ProductVocabulary:
    """Read once: what it finds is remembered with it."""
    return load_products()


def _pseudo_note(gene: GeneItem) -> str | None:
    name = gene.product or gene.function
    said = f"nonfunctional {_plain(submission_name(name))}" if name else ""
    return "; ".join(filter(None, (said, STOPS_INSIDE if has_stops_inside(gene) else ""))) or None


def _renamed(gene: GeneItem, product: str) -> str | None:
    """The product of the file where it was worded anew and says more."""
    own = _plain(gene.product or "")
    return f"product in the source annotation: {own}" if own and own != product else None


def _rna(rna: RnaGeneItem, record_bp: int) -> tuple[_Feature, ...]:
    """An RNA gene of the file or found, and what it makes."""
    place = _intervals(
        (Span(start=rna.start, end=rna.end, strand=rna.strand),),
        record_bp,
        rna.partial_5,
        rna.partial_3,
    )
    names: Qualifiers = (
        *_given("gene", rna.name),
        *_tags(rna),
    )
    pseudo: Qualifiers = (("pseudo", ""),) if rna.pseudo else ()
    key = rna.kind if rna.kind in _RNA_KEYS | NO_GENES else "misc_RNA"
    made = _Feature(
        key,
        place,
        (
            *(() if key in NO_GENES else names),
            *_given("product" if key not in NO_GENES else "note", _rna_product(rna, key)),
            *_given("ncRNA_class", (rna.insdc_class or "other") if key == "ncRNA" else None),
            *_given(
                "regulatory_class", (rna.insdc_class or "other") if key == "regulatory" else None
            ),
            *_given("inference", rna_inference(rna)),
            *_anticodon(rna, key, record_bp),
            *pseudo,
        ),
    )
    if key in NO_GENES:
        return (made,)
    return _Feature("gene", place, (*names, *pseudo)), made


def _anticodon(rna: RnaGeneItem, key: str, record_bp: int) -> Qualifiers:
    """Where the anticodon lies; a note where only its bases are known."""
    if key == "tRNA" and not rna.pseudo and (value := anticodon_value(rna, record_bp)):
        lysidine = rna.anticodon == "CAT" and ",aa:Ile," in value
        return (("anticodon", value), *(_MODIFIED if lysidine else ()))
    if rna.anticodon is None:
        return ()
    kind = "suppressor, " if (rna.product or "").startswith("tRNA-Sup") else ""
    return (("note", f"{kind}anticodon {rna.anticodon}"),)


def _rna_product(rna: RnaGeneItem, key: str) -> str | None:
    """As GenBank takes it: ``tRNA-Ala`` without the anticodon, ``16S ribosomal RNA``."""
    product = _plain(rna.product or "")
    if key == "rRNA" and (unit := _RIBOSOMAL.match(product)):
        return f"{unit[1]} ribosomal RNA"
    if key == "tRNA":
        found = _TRNA.match(product)
        return found[0] if found else "tRNA-OTHER"
    return product or (None if key in NO_GENES else rna.kind)


def _array(array: CrisprArrayItem, record_bp: int) -> _Feature:
    return _Feature(
        "repeat_region",
        _intervals((Span(start=array.start, end=array.end, strand="+"),), record_bp),
        (
            ("rpt_family", "CRISPR"),
            ("rpt_type", "direct"),
            ("rpt_unit_seq", array.repeat.lower()),
            ("note", f"{array.repeats} repeats"),
        ),
    )


def _other(other: OtherFeatureItem, record_bp: int) -> _Feature:
    """A gene of the file that was not interpreted."""
    tags = _tags(other)
    return _Feature(
        "gene",
        _intervals((Span(start=other.start, end=other.end, strand=other.strand),), record_bp),
        (
            *_given("gene", other.name if other.name not in {tag for _, tag in tags} else None),
            *tags,
            *((("pseudo", ""),) if other.reason == "pseudogene" else ()),
        ),
    )


def _tags(item: Tagged) -> Qualifiers:
    return (*_given("locus_tag", tag_of(item)), *_given("old_locus_tag", old_tag_of(item)))


def _given(name: str, value: str | None) -> Qualifiers:
    """A qualifier that may be absent."""
    return ((name, _plain(value)),) if value else ()


def _plain(text: str) -> str:
    """One line of ASCII: a tab or an end of line would be another column or feature."""
    return ascii_text(shown_text(text))
