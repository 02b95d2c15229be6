"""What a gene's interpretation adds to a GenBank feature, and features of predicted genes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Final, NamedTuple

from genint.formats.fasta import unique_names
from genint.formats.genbank.features import AUTOMATIC, NOTE_START, additions_note
from genint.formats.genbank.flatfile import RawPart
from genint.formats.genbank.writer import (
    ascii_text,
    feature_lines,
    location_text,
    one_word,
    plain_value,
)
from genint.model.genome import Qualifier
from genint.model.vocabulary import ConfidenceLevel, GoAspect
from genint.report.audit import audit_note
from genint.report.insdc import (
    STOPS_INSIDE,
    UNNAMED,
    VERDICTS,
    anticodon_value,
    context_text,
    cross_references,
    feature_names,
    has_stops_inside,
    inferences,
    is_protein_entry,
    note,
    online_references,
    product_name,
    program_of,
)
from genint.report.locus_tags import tag_of
from genint.report.result import CrisprArrayItem, GeneItem, GenintResult, RnaGeneItem
from genint.report.result_gene import GoTermItem, Span
from genint.report.wording import (
    Alternatives,
    alternative_texts,
    answer_texts,
    array_text,
    first_base,
    rescue_meaning,
    rescue_place,
    rna_facts,
    rna_inference,
    rna_reference,
)

_NON_CODING: Final = "ncRNA"
_REGULATORY: Final = "regulatory"
_ANY_RNA: Final = "misc_RNA"
_KEY: Final = re.compile(r"[A-Za-z_\-]{1,15}", re.ASCII)
"""What a feature key is made of."""


class ReportedGene(NamedTuple):
    """A gene with the result that it is of, and its other starts and products."""

    gene: GeneItem
    result: GenintResult
    alternatives: Alternatives


def rna_feature(gene: RnaGeneItem, *, length_bp: int, with_tag: bool = False) -> tuple[str, ...]:
    """Lines of an RNA gene.

    Args:
        gene: The gene.
        length_bp: Of its record.
        with_tag: A gene that was found has its id as locus tag: in records of our own.
    """
    span = RawPart(gene.start, gene.end, gene.strand == "-")
    found = gene.method is not None
    values = (
        ("locus_tag", tag_of(gene) or (gene.id if found and with_tag else None)),
        ("gene", gene.name),
        ("product", gene.product),
        ("anticodon", anticodon_value(gene, length_bp)),
        # the feature has to name a class
        ("ncRNA_class", _class_of(gene, _NON_CODING)),
        ("regulatory_class", _class_of(gene, _REGULATORY)),
        ("inference", rna_inference(gene)),
        ("db_xref", rna_reference(gene)),
        ("note", "; ".join(rna_facts(gene)) if found else None),
    )
    qualifiers = [Qualifier(name, value) for name, value in values if value]
    if gene.pseudo:
        qualifiers.append(Qualifier("pseudo", None))
    key = gene.kind if _KEY.fullmatch(gene.kind) else _ANY_RNA
    place = location_text([span], length_bp, partial_5=gene.partial_5, partial_3=gene.partial_3)
    return feature_lines(key, place, qualifiers)


def _class_of(gene: RnaGeneItem, kind: str) -> str | None:
    """The class of a found gene whose feature key is ``kind``."""
    if gene.method is None or gene.kind != kind:
        return None
    return gene.insdc_class or "other"


def array_feature(array: CrisprArrayItem, *, length_bp: int) -> tuple[str, ...]:
    """Lines of a CRISPR array."""
    span = RawPart(array.start, array.end, reverse=False)
    qualifiers = (
        Qualifier("rpt_family", "CRISPR"),
        Qualifier("rpt_type", "direct"),
        Qualifier("rpt_unit_seq", array.repeat.lower()),
        Qualifier("note", array_text(array)),
    )
    return feature_lines("repeat_region", location_text([span], length_bp), qualifiers)


def rescue_note(gene: GeneItem) -> str | None:
    """Why there is a gene that the gene finder leaves out, with what its probability means."""
    if gene.rescue is None:
        return f"gene call: {gene.call_note}" if gene.call_note else None
    why = (gene.call_note or rescue_place(gene.rescue)).removesuffix(".")
    return f"gene call: {why}; {rescue_meaning(gene.rescue)}"


SET_ASIDE: Final = "gene predicted with the annotation of the file set aside"
"""Note of a new feature in a file that has genes of its own."""

_GO_QUALIFIERS: Final = MappingProxyType(
    {
        GoAspect.FUNCTION: "GO_function",
        GoAspect.PROCESS: "GO_process",
        GoAspect.COMPONENT: "GO_component",
    }
)
_GO_NUMBER: Final = re.compile(r"(?<!\d)\d{7}(?!\d)")
_PREDICTION: Final = "ab initio prediction:"
_NOTE_CHARACTERS: Final = 300
"""Length from which a list in a note is cut: it is to be read in an editor's window."""
_MOST_RIVALS: Final = 3


def additions(
    reported: ReportedGene,
    present: Sequence[Qualifier],
    *,
    name_it: bool,
    start_in_file: str | None = None,
    remarks: Sequence[str] = (),
) -> tuple[Qualifier, ...]:
    """Qualifiers to be added to the feature of a gene.

    Nothing that is there is repeated or contradicted: a product is added only where
    there is none, a cross-reference or term only where the feature has not got it. What
    makes no protein, a pseudogene, gets no product.

    Args:
        reported: With its interpretation.
        present: What the feature has, without what genint added before.
        name_it: Give it a product in any case, ``hypothetical protein`` at the least.
        start_in_file: Where the 5' end of the feature is, if it was predicted elsewhere.
        remarks: On the feature as the file has it.
    """
    gene, result, alternatives = reported
    broken = has_stops_inside(gene) and not {"pseudo", "pseudogene", "translation"} & {
        one.name for one in present
    }
    candidates = [
        *(() if broken else _products(gene, present, name_it=name_it)),
        *(
            Qualifier("inference", value)
            for value in inferences(gene, result)
            # no program predicted the feature as written where that starts elsewhere
            if start_in_file is None or not value.startswith(_PREDICTION)
        ),
        *(Qualifier("experiment", value) for value in gene.experiments),
        *(Qualifier("db_xref", value) for value in _references(gene, present)),
        *_terms(gene.go, present),
    ]
    known = {(one.name, (one.value or "").casefold()) for one in present}
    added = tuple(
        Qualifier(name, plain_value(value))
        for name, value in candidates
        if value is not None and (name, value.casefold()) not in known
    )
    added += (Qualifier("pseudo", None),) if broken else ()
    notes = [
        Qualifier("note", text)
        for text in (
            *_notes(gene, start_in_file),
            *(f"{NOTE_START}{text}" for text in remarks),
            *((f"{NOTE_START}{STOPS_INSIDE}",) if broken else ()),
            # a predicted gene has them as its own
            *(
                f"{NOTE_START}{text}"
                for text in alternative_texts(alternatives)
                if ("note", text.casefold()) not in known
            ),
        )
    ]
    if added:
        version = "".join(ascii_text(result.genint_version).split()) or "unknown"
        notes.append(Qualifier("note", additions_note(version, added)))
    return (*notes[:1], *added, *notes[1:])


def _references(gene: GeneItem, present: Sequence[Qualifier]) -> Iterable[str]:
    """Cross-references; where the feature names an entry of UniProtKB, that is the protein's."""
    values = (one.value or "" for one in present if one.name == "db_xref")
    named = any(is_protein_entry(value) for value in values)
    online = online_references(gene)
    for reference in cross_references(gene):
        if not (named and reference in online and is_protein_entry(reference)):
            yield reference


def _products(
    gene: GeneItem, present: Sequence[Qualifier], *, name_it: bool
) -> tuple[Qualifier, ...]:
    if gene.pseudo or any(_forbids_product(one) for one in present):
        return ()
    name = product_name(gene)
    signed = gene.confidence in (ConfidenceLevel.HIGH, ConfidenceLevel.MODERATE)
    if name_it or (signed and name != UNNAMED):
        return (Qualifier("product", name),)
    return ()


def _forbids_product(qualifier: Qualifier) -> bool:
    if qualifier.name == "product":
        return bool(qualifier.value)
    return qualifier.name in {"pseudo", "pseudogene"}


def _terms(terms: Iterable[GoTermItem], present: Sequence[Qualifier]) -> Iterable[Qualifier]:
    """GO terms by aspect; as cross-references where no source says which it is of.

    Written as the NCBI writes them; all that genint infers is without a curator's judgement.
    """
    stated = " ".join(
        one.value
        for one in present
        if one.value and (one.name == "db_xref" or one.name in _GO_QUALIFIERS.values())
    )
    known = set(_GO_NUMBER.findall(stated))
    for term in terms:
        if term.id.removeprefix("GO:") in known:
            continue
        if term.aspect is None:
            yield Qualifier("db_xref", term.id)
        else:
            text = f"{term.id} - {term.name}" if term.name else term.id
            yield Qualifier(_GO_QUALIFIERS[term.aspect], f"{text} {AUTOMATIC}")


def _notes(gene: GeneItem, start_in_file: str | None) -> Iterable[str]:
    """The interpretation, then what a curator has to weigh against it."""
    yield note(gene)
    if gene.compared is not None:
        yield (
            f"{NOTE_START}interpreted with the annotation of the file set aside; compared with "
            f"{gene.compared.id} of the file: {VERDICTS[gene.compared.verdict]}"
        )
    if (audit := audit_note(gene)) is not None:
        yield audit
    if start_in_file is not None:
        yield f"{NOTE_START}predicted start {first_base(gene)} instead of {start_in_file}"
    rivals = [f"{one.function} ({one.score:.2f})" for one in gene.hypotheses[1:]]
    left = len(rivals) - _MOST_RIVALS
    if left > 0:
        rivals[_MOST_RIVALS:] = [f"and {left} more"]
    for title, texts in (
        ("also considered", rivals),
        ("conflict", gene.conflicts),
        ("uncertain", gene.uncertainties),
        ("sequence features", feature_names(gene)),
        ("gene context", (context_text(gene.context),) if gene.context else ()),
        ("online services", answer_texts(gene)),
    ):
        if texts:
            yield _shortened(f"{NOTE_START}{title}: {'; '.join(texts)}")


def _shortened(text: str) -> str:
    if len(text) <= _NOTE_CHARACTERS:
        return text
    return text[: _NOTE_CHARACTERS - 3].rsplit(" ", 1)[0] + "..."


def locus_tags(genes: Iterable[GeneItem], taken: Iterable[str] = ()) -> Mapping[str, str]:
    """Locus tags by gene: the ids in ASCII, without blanks.

    Ids that become alike get suffixes ``_2``, ``_3`` and so on, in the order of the
    genes; as are those that are taken.

    Args:
        genes: Predicted ones.
        taken: Names that the file has given to something else.
    """
    used = tuple(dict.fromkeys(taken))
    ids = [gene.id for gene in genes]
    tags = unique_names([*used, *(one_word(name) for name in ids)])[len(used) :]
    return dict(zip(ids, tags, strict=True))


def predicted_features(
    reported: ReportedGene,
    *,
    tag: str,
    length_bp: int,
    set_aside: bool,
) -> tuple[str, ...]:
    """Lines of the ``gene`` and the ``CDS`` feature of a predicted gene.

    What belongs to the prediction itself is not marked as added: the features stay when the
    file is interpreted again.

    Args:
        reported: With its interpretation.
        tag: Its locus tag (:func:`locus_tags`).
        length_bp: Of its record.
        set_aside: The record has an annotation that was set aside.
    """
    gene = reported.gene
    place = location_text(
        _stretches(gene.parts),
        length_bp,
        partial_5=gene.partial_5,
        partial_3=gene.partial_3,
    )
    named = Qualifier("locus_tag", tag)
    own = [named, *_of_prediction(reported, set_aside=set_aside)]
    # what may be replaced later comes last, where a later run puts it too
    own += additions(reported, own, name_it=True)
    return (*feature_lines("gene", place, [named]), *feature_lines("CDS", place, own))


def _of_prediction(reported: ReportedGene, *, set_aside: bool) -> Iterable[Qualifier]:
    gene, result, alternatives = reported
    yield Qualifier("codon_start", str(gene.codon_start))
    if gene.translation_table is not None:
        yield Qualifier("transl_table", str(gene.translation_table))
    program = program_of(gene, result)
    if program:
        yield Qualifier("inference", f"{_PREDICTION}{program.replace(' ', ':')}")
    if set_aside:
        yield Qualifier("note", SET_ASIDE)
    if (why := rescue_note(gene)) is not None:
        yield Qualifier("note", why)
    for text in alternative_texts(alternatives):
        yield Qualifier("note", text)
    if gene.pseudo:
        yield Qualifier("pseudo", None)
    elif gene.translation:
        yield Qualifier("translation", gene.translation)


def _stretches(parts: Sequence[Span]) -> list[RawPart]:
    return [RawPart(part.start, part.end, part.strand == "-") for part in parts]
