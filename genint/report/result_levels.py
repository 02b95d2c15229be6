"""What levels of confidence mean, in the result file; and the base of all its parts."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from genint.model.vocabulary import ConfidenceLevel, GenomeKind


class Part(BaseModel):
    """Base of all parts: frozen, and absent values stay as null."""

    model_config = ConfigDict(frozen=True, use_attribute_docstrings=True)


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


class RecordKindItem(Part):
    """Records of a file that were taken for one kind of genome, where not all of them were."""

    genome_kind: GenomeKind
    records: tuple[str, ...]
    """Ids of the records."""
    levels: tuple[LevelItem, ...] = ()
    """What the levels of their genes were measured to mean."""
