"""Records of UniProt's answers as they are sent: every part may be missing, or null.

Only what is used is described; a record with a part of another shape than described is
refused as a whole.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, FailFast, Field, ValidationError
from pydantic.alias_generators import to_camel

from genint.online.ports import JsonValue

_T = TypeVar("_T")
_LONGEST_TEXT = 2_000
"""Characters; names have some 200 at most, what is said of functions rarely more."""
Many = Annotated[tuple[_T, ...], FailFast()]
"""Parts of a sort. The first wrong one settles it: a report of a million takes gigabytes."""


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

    def told(self, key: str) -> str:
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
