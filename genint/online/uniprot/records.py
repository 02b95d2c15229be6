"""Records of UniProt's answers as they are sent: every part may be missing, or null.

Only what is used is described; a record with a part of another shape than described is
refused as a whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Annotated, Final, NamedTuple, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, FailFast, Field, ValidationError
from pydantic.alias_generators import to_camel

from genint.model.evidence import GoTerm, residues_digest
from genint.model.online import GO_ASPECTS, EcClaim, GoClaim, NameOrigin, UniProtEntry
from genint.online.identifiers import (
    crc64_of,
    is_accession,
    is_cds_protein,
    is_refseq_protein,
    md5_of,
    unversioned,
)
from genint.online.protocol import JsonValue

_T = TypeVar("_T")
_LONGEST_TEXT = 2_000
"""Characters; names have some 200 at most, texts on functions rarely more."""
Many = Annotated[tuple[_T, ...], FailFast()]
"""Parts of a sort. Only the first wrong one is reported: a report of a million takes gigabytes."""


class Sent(BaseModel):
    """Part of an answer."""

    model_config = ConfigDict(extra="ignore", frozen=True, alias_generator=to_camel)


class Support(Sent):
    """One piece of evidence of an item."""

    evidence_code: str


class Text(Sent):
    """An item with its evidence."""

    value: Annotated[str, AfterValidator(lambda text: text[:_LONGEST_TEXT])]
    evidences: Many[Support] = ()


class Names(Sent):
    """A name of a protein."""

    full_name: Text | None = None
    ec_numbers: Many[Text] = ()


class Section(Sent):
    """Names of a protein or of a part of it."""

    recommended_name: Names | None = None
    alternative_names: Many[Names] = ()
    submission_names: Many[Names] = ()


class Description(Section):
    """All names of an entry."""

    includes: Many[Section] = ()
    contains: Many[Section] = ()
    flag: str = ""


class GeneNames(Sent):
    """Names of a gene."""

    gene_name: Text | None = None
    ordered_locus_names: Many[Text] = ()


class Organism(Sent):
    """Where an entry is from."""

    scientific_name: str = ""
    taxon_id: int | None = None


class Residues(Sent):
    """A sequence and its checksums."""

    value: str = ""
    length: int = 0
    crc64: str = ""
    md5: str = ""


class Comment(Sent):
    """A comment; texts of those that have any."""

    comment_type: str = ""
    texts: Many[Text] = ()


class Reference(Sent):
    """A cross-reference."""

    database: str
    id: str
    properties: Many[dict[str, str]] = ()

    def value_of(self, key: str) -> str:
        """A property; empty where it has none of that name."""
        return next((one.get("value", "") for one in self.properties if one.get("key") == key), "")


class Entry(Sent):
    """An entry of UniProtKB."""

    entry_type: str
    primary_accession: str
    annotation_score: float | None = Field(None, allow_inf_nan=False)
    protein_existence: str = ""
    protein_description: Description = Description()
    genes: Many[GeneNames] = ()
    organism: Organism = Organism()
    sequence: Residues = Residues()
    comments: Many[Comment] = ()
    references: Many[Reference] = Field((), alias="uniProtKBCrossReferences")


class Mapped(Sent):
    """One result of an ID mapping."""

    from_id: str = Field(alias="from")
    to: Entry


class Place(Sent):
    """Of a feature."""

    start: int
    end: int


class InterProGroup(Sent):
    """The entry of InterPro that a signature belongs to."""

    id: str
    name: str = ""


class Feature(Sent):
    """A signature that a sequence of UniParc matches."""

    database: str
    database_id: str
    interpro_group: InterProGroup | None = None
    locations: Many[Place] = ()


class UniParcEntry(Sent):
    """A light record of UniParc."""

    accessions: Many[str] = Field((), alias="uniProtKBAccessions")
    sequence: Residues = Residues()
    features: Many[Feature] = Field((), alias="sequenceFeatures")


_S = TypeVar("_S", bound=Sent)


def read_records(records: Iterable[JsonValue], model: type[_S]) -> tuple[list[_S], int]:
    """Records of a page, and how many of them are not what was described."""
    found: list[_S] = []
    unreadable = 0
    for record in records:
        try:
            found.append(_read(record, model))
        except (ValidationError, RecursionError):
            unreadable += 1
    return found, unreadable


def _read(record: JsonValue, model: type[_S]) -> _S:
    try:
        return model.model_validate(record)
    except ValidationError:
        # A part that is null is as good as a missing one; that is rare, so it is tried last.
        return model.model_validate(_without_nulls(record))


def _without_nulls(value: JsonValue) -> JsonValue:
    if isinstance(value, list):
        return [_without_nulls(one) for one in value if one is not None]
    if isinstance(value, dict):
        return {key: _without_nulls(one) for key, one in value.items() if one is not None}
    return value


FIELDS: Final = (
    "accession,reviewed,id,protein_name,gene_names,gene_oln,organism_name,organism_id,ec,"
    "cc_function,go,annotation_score,protein_existence,sequence,uniparc_id,xref_pfam,xref_refseq,"
    "xref_embl"
)
"""Parts of an entry that are wanted; one that the server does not know has it refuse all."""
MOST_ENTRIES: Final = 5
"""Of one protein: more say no more."""
_REVIEWED: Final = "UniProtKB reviewed"
_INACTIVE: Final = "Inactive"
_GO_ID: Final = re.compile("GO:[0-9]{7}")
_EC: Final = re.compile(r"[1-7]\.(?:[0-9]+|-)\.(?:[0-9]+|-)\.(?:n?[0-9]+|-)")
_PFAM: Final = re.compile("PF[0-9]{5}")
_ECO: Final = re.compile("ECO:[0-9]{7}")
_LONGEST_ENTRY_TEXT: Final = 2_000
_UNKNOWN_EXISTENCE: Final = 9


class Found(NamedTuple):
    """An entry, and the protein ids of other databases that map to it.

    Attributes:
        entry: As used.
        protein_ids: Of RefSeq, GenBank, EMBL and DDBJ, without versions.
        found_by: The id that it was found by; empty where it was found otherwise.
    """

    entry: UniProtEntry
    protein_ids: frozenset[str]
    found_by: str = ""


class Page(NamedTuple):
    """Entries of an answer.

    Attributes:
        found: Active ones, in the answer's order.
        inactive: Number of deleted and demerged ones.
        unreadable: Number of records that are not what the documents promise.
    """

    found: tuple[Found, ...]
    inactive: int
    unreadable: int


def read_entries(records: Iterable[JsonValue]) -> Page:
    """Entries of a page. Cost: 0.2 ms each."""
    sent, unreadable = read_records(records, Entry)
    return _page([(one, "") for one in sent], unreadable)


def read_mapped(records: Iterable[JsonValue]) -> Page:
    """Entries of a page of mapped identifiers."""
    sent, unreadable = read_records(records, Mapped)
    return _page([(one.to, one.from_id) for one in sent], unreadable)


def _page(sent: Iterable[tuple[Entry, str]], unreadable: int) -> Page:
    found: list[Found] = []
    inactive = 0
    for one, found_by in sent:
        if one.entry_type == _INACTIVE:
            inactive += 1
        elif is_accession(one.primary_accession) and (one.sequence.md5 or one.sequence.value):
            found.append(Found(_entry(one), frozenset(_protein_ids(one.references)), found_by))
        else:
            unreadable += 1
    return Page(tuple(found), inactive, unreadable)


def best_first(entries: Iterable[UniProtEntry], taxon_id: int | None) -> tuple[UniProtEntry, ...]:
    """Up to five entries of a protein; which ones and in which order is a matter of them alone.

    Same sequence, reviewed, of the taxon, existence, annotation score, accession.
    """

    def rank(entry: UniProtEntry) -> tuple[object, ...]:
        return (
            not entry.same_sequence,
            not entry.reviewed,
            taxon_id is None or entry.taxon_id != taxon_id,
            entry.existence or _UNKNOWN_EXISTENCE,
            -(entry.annotation_score or 0),
            entry.accession,
        )

    return tuple(sorted(entries, key=rank)[:MOST_ENTRIES])


def _entry(sent: Entry) -> UniProtEntry:
    names = sent.protein_description
    name, origin = _name(names)
    residues = sent.sequence
    return UniProtEntry(
        accession=sent.primary_accession,
        reviewed=sent.entry_type.startswith(_REVIEWED),
        name=_named(name, names.flag) if name else "",
        name_origin=origin,
        name_eco=_codes(name) if name else (),
        symbol=next((_line(one.gene_name.value) for one in sent.genes if one.gene_name), ""),
        locus_tags=tuple(
            _line(tag.value) for gene in sent.genes for tag in gene.ordered_locus_names
        ),
        organism=_line(sent.organism.scientific_name),
        taxon_id=sent.organism.taxon_id,
        ec=tuple(_ec_claims(names)),
        go=tuple(_go_claims(sent.references)),
        pfam=tuple(one.id for one in _of("Pfam", sent.references) if _PFAM.fullmatch(one.id)),
        existence=_existence(sent.protein_existence),
        annotation_score=round(sent.annotation_score) if sent.annotation_score else None,
        function=_function(sent),
        length_aa=residues.length or len(residues.value),
        md5=(residues.md5 or md5_of(residues.value)).upper(),
        crc64=(residues.crc64 or (crc64_of(residues.value) if residues.value else "")).upper(),
        digest=residues_digest(residues.value) if residues.value else "",
    )


def _name(names: Description) -> tuple[Text | None, NameOrigin]:
    """The recommended name, else the first one that was submitted."""
    if names.recommended_name and names.recommended_name.full_name:
        return names.recommended_name.full_name, NameOrigin.RECOMMENDED
    submitted = (one.full_name for one in names.submission_names if one.full_name)
    name = next(submitted, None)
    return name, NameOrigin.SUBMITTED if name else NameOrigin.NONE


def _named(name: Text, flag: str) -> str:
    """The name, marked as the flat files mark it where the sequence is a piece of a protein."""
    mark = " (Fragment)" if "fragment" in flag.lower() else ""
    return f"{_line(name.value)}{mark}"


def _codes(item: Text) -> tuple[str, ...]:
    codes = (one.evidence_code for one in item.evidences)
    return tuple(dict.fromkeys(code for code in codes if _ECO.fullmatch(code)))


def _ec_claims(names: Description) -> Iterator[EcClaim]:
    """Each number once, of all names of the protein and of its parts."""
    codes_of: dict[str, dict[str, None]] = {}
    for text in chain.from_iterable(one.ec_numbers for one in _all_names(names)):
        if _EC.fullmatch(text.value):
            codes_of.setdefault(text.value, {}).update(dict.fromkeys(_codes(text)))
    return (EcClaim(number, tuple(codes)) for number, codes in codes_of.items())


def _all_names(names: Description) -> Iterator[Names]:
    for section in (names, *names.includes, *names.contains):
        if section.recommended_name:
            yield section.recommended_name
        yield from section.alternative_names
        yield from section.submission_names


def _go_claims(references: Iterable[Reference]) -> Iterator[GoClaim]:
    for one in _of("GO", references):
        letter, _, name = one.value_of("GoTerm").partition(":")
        code, _, assigned_by = one.value_of("GoEvidenceType").partition(":")
        if _GO_ID.fullmatch(one.id):
            yield GoClaim(GoTerm(one.id, _line(name), GO_ASPECTS.get(letter)), code, assigned_by)


def _protein_ids(references: Iterable[Reference]) -> Iterator[str]:
    for one in _of("RefSeq", references):
        if is_refseq_protein(one.id):
            yield unversioned(one.id)
    for one in _of("EMBL", references):
        if is_cds_protein(one.value_of("ProteinId")):
            yield unversioned(one.value_of("ProteinId"))


def _of(database: str, references: Iterable[Reference]) -> Iterator[Reference]:
    return (one for one in references if one.database == database)


def _existence(text: str) -> int | None:
    """The number in front of ``1: Evidence at protein level``."""
    number = text.partition(":")[0]
    return int(number) if number in {"1", "2", "3", "4", "5"} else None


def _function(sent: Entry) -> str:
    texts = (
        text.value
        for comment in sent.comments
        if comment.comment_type == "FUNCTION"
        for text in comment.texts
    )
    return _line(next(texts, ""))[:_LONGEST_ENTRY_TEXT]


def _line(text: str) -> str:
    """One line, without signs that steer a terminal or turn the direction of text."""
    return "".join(sign for sign in " ".join(text.split()) if sign.isprintable())
