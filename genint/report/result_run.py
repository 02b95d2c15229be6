"""How a result was made: input, parameters, references, what levels mean; the base of all parts."""

from __future__ import annotations

import ast
import datetime
import inspect
import sys
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from genint.model.genome import FileFormat
from genint.model.online import OnlineService
from genint.model.vocabulary import ConfidenceLevel, GenomeKind

if TYPE_CHECKING:
    from pydantic import GetJsonSchemaHandler
    from pydantic.json_schema import JsonSchemaValue
    from pydantic_core import CoreSchema


class Part(BaseModel):
    """Base of all parts: frozen, and absent values stay as null.

    Validators are built for the parts that are used by themselves, and the docstrings of fields
    are read only for the JSON Schema: most runs need neither, and both take long.
    """

    model_config = ConfigDict(frozen=True, defer_build=True)

    def model_post_init(self, context: object, /) -> None:
        """Share one set of names of fields: one for each part is a third of a large result."""
        object.__setattr__(self, "__pydantic_fields_set__", _names_of_fields(type(self)))

    @classmethod
    def __get_pydantic_json_schema__(
        cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler, /
    ) -> JsonSchemaValue:
        """The schema, with the docstrings of fields as their descriptions."""
        schema = handler(core_schema)
        properties = handler.resolve_ref_schema(schema)["properties"]
        for name, text in _docstrings_of_fields(cls).items():
            properties[name] = properties[name] | {"description": text}
        return schema


@cache
def _names_of_fields(model: type[BaseModel]) -> set[str]:
    return set(model.model_fields)


def _docstrings_of_fields(model: type[BaseModel]) -> dict[str, str]:
    """What the source says below each field."""
    return _docstrings(model.__module__)[model.__qualname__]


@cache
def _docstrings(module: str) -> dict[str, dict[str, str]]:
    """By class of a module and by field; read once, as parsing a source takes long."""
    tree = ast.parse(inspect.getsource(sys.modules[module]))
    return {
        definition.name: {
            field.target.id: inspect.cleandoc(said.value.value)
            for field, said in pairwise(definition.body)
            if isinstance(field, ast.AnnAssign)
            and isinstance(field.target, ast.Name)
            and isinstance(said, ast.Expr)
            and isinstance(said.value, ast.Constant)
            and isinstance(said.value.value, str)
        }
        for definition in tree.body
        if isinstance(definition, ast.ClassDef)
    }


class LevelItem(Part):
    """How often claims of a level were right for genes that were held out of the fit."""

    level: ConfidenceLevel
    """HIGH, MODERATE, LOW or SPECULATIVE."""
    regime: Literal["novel", "shipped"]
    """``novel``: relatives of the genome and what is >= 90 % identical were hidden."""
    right: int = Field(ge=0)
    """Claims that were right at the specificity that they claim."""
    full: int = Field(ge=0)
    """Of these, claims that say as much as the record; the others are wider."""
    judged: int = Field(ge=0)
    """Claims of genes whose record says something."""

    @model_validator(mode="after")
    def _is_counted(self) -> Self:
        if not self.full <= self.right <= self.judged:
            raise ValueError("more claims were right than were judged")
        return self


class RecordKindItem(Part):
    """Records of a file that were taken for one kind of genome, where not all of them were."""

    genome_kind: GenomeKind
    """phage or bacterium: which model interprets its genes."""
    records: tuple[str, ...]
    """Ids of the records."""
    levels: tuple[LevelItem, ...] = ()
    """What the levels of their genes were measured to mean."""


class InputFile(Part):
    """The file that was read."""

    filename: str
    """Name without folder."""
    sha256: str
    """Digest of the bytes as given, compressed or not."""
    format: FileFormat
    """genbank, fasta or gff3."""


class UsedParameters(Part):
    """Everything besides input and databases that can change the result."""

    mode: Literal["offline", "local", "online"]
    """offline, local or online."""
    phage: bool
    """Whether nested genes were recovered."""
    ignore_annotations: bool
    """Whether genes of the file were left aside."""
    locus_tag_prefix: str | None
    """Of new locus tags; null where none were given."""
    locus_tags_before: int = Field(default=0, ge=0)
    """Numbers behind the prefix, in steps of ten, that earlier files of the same run took up.
    0 before 1.9."""
    confidence_parameters: str
    """Version of the confidence model."""
    confidence_basis: str = ""
    """What scores and levels were measured to mean, or that they were not."""
    genome_kind: GenomeKind | None = None
    """What the genome was taken for (of records of both kinds, most of their bases):
    confidence is calibrated for each kind. Null before 1.4."""
    record_kinds: tuple[RecordKindItem, ...] = ()
    """Which records were taken for what, where they differ in it; else empty. From 1.7 on."""
    confidence_mode: Literal["offline", "local", "online"] | None = None
    """The mode whose calibration the scores have: what was searched decides, not what was
    requested. Null before 1.4."""
    levels: tuple[LevelItem, ...] = ()
    """What the levels were measured to mean for this mode and kind of genome."""
    max_identity: float | None = None
    """Share of identical positions from which entries of references were left out."""
    online_services: tuple[OnlineService, ...] = ()
    """The services that online mode queries."""
    online_timeout_s: float | None = None
    """How long the queries might take; null for the default."""
    date: datetime.date | None = None
    """Of the run, as it was given: what GenBank, EMBL and XLSX are dated. Null for none, and
    before 1.9."""


class Database(Part):
    """A reference that was consulted."""

    name: str
    """As reports call it."""
    version: str
    """Release or digest."""
    licence: str
    """Under which it may be used."""


class Program(Part):
    """A program or library that had a part in the result."""

    name: str
    """Of the library."""
    version: str
    """That was installed."""


class Warned(Part):
    """Something in the input that was mended or is doubtful."""

    code: str
    """Stable word for programs."""
    text: str
    """For people."""
    record: str | None
    """That it is about; null for the file."""
    line: int | None
    """Of the file; null where there is none."""
