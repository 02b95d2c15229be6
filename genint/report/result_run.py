"""Parts of the result file that tell of the run: what was read, by which settings and with what."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import Field, model_validator

from genint.model.genome import FileFormat
from genint.model.online import AnswerState, OnlineService
from genint.model.vocabulary import ConfidenceLevel, GenomeKind
from genint.report.result_parts import Part


class InputFile(Part):
    """The file that was read."""

    filename: str
    """Name without folder."""
    sha256: str
    """Digest of the bytes as given, compressed or not."""
    format: FileFormat


class LevelItem(Part):
    """How often claims of a level were right for genes that were held out of the fit."""

    level: ConfidenceLevel
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


class UsedParameters(Part):
    """Everything besides input and databases that can change the result."""

    mode: Literal["offline", "local", "online"]
    phage: bool
    ignore_annotations: bool
    locus_tag_prefix: str | None
    confidence_parameters: str
    """Version of the confidence model."""
    confidence_basis: str = ""
    """What scores and levels were measured to mean, or that they were not."""
    genome_kind: GenomeKind | None = None
    """What the genome was taken for: confidence is calibrated for each kind. Null before 1.4."""
    confidence_mode: Literal["offline", "local", "online"] | None = None
    """The mode whose calibration the scores have: what was searched decides, not what was
    asked for. Null before 1.4."""
    levels: tuple[LevelItem, ...] = ()
    """What the levels were measured to mean for this mode and kind of genome."""
    max_identity: float | None = None
    """Share of identical positions from which entries of similarity references were left
    out; null: none were."""
    online_services: tuple[OnlineService, ...] = ()
    """Which services online mode was to ask."""
    online_timeout_s: float | None = None
    """How long asking them might take; null for the default."""


class Database(Part):
    """A reference that was consulted."""

    name: str
    version: str
    licence: str


class Program(Part):
    """A program or library that had a part in the result."""

    name: str
    version: str


class Warned(Part):
    """Something in the input that was mended or is doubtful."""

    code: str
    text: str
    record: str | None
    line: int | None


class OnlineUseItem(Part):
    """How a service that online mode was to ask answered.

    What asking cost is not in it: answers from the cache make the same result.
    """

    service: OnlineService
    releases: tuple[str, ...]
    """That answers are of, in order; several where a release came out meanwhile."""
    problem: str
    """What did not work, in words that follow the service's name; empty where all did."""
    proteins: int = Field(ge=0)
    """Distinct proteins of the genome that could be asked about."""
    answered: int = Field(ge=0)
    """Those of them that an answer came for."""


class OnlineAnswerItem(Part):
    """What became of asking a service about a gene."""

    service: OnlineService
    state: AnswerState
    """``hit``: it knows something of the protein; ``no_match``: it knows the sequence and has
    no entry or signature for it; ``not_in_database``: it does not know the sequence, which
    says nothing of the protein; ``not_asked`` and ``error``: there is no answer."""
    release: str | None
    """Of the service; null where unknown."""
    reason: str
    """Why there is no answer; empty where there is one."""
    is_stale: bool
    """From the cache although its release could not be compared with today's."""
    accessions: tuple[str, ...]
    """What was found: entries of UniProtKB; of InterPro its entries, and signatures that
    belong to none."""
