"""Models of the result file for what is said of a genome as a whole."""

from __future__ import annotations

from pydantic import Field

from genint.model.overview import Outcome, Topic
from genint.model.vocabulary import ConfidenceLevel
from genint.report.result_run import Part


class GeneRoleItem(Part):
    """A gene that a statement on the genome rests on."""

    gene: str
    """Id of the gene."""
    role: str
    """What it is taken for here."""
    level: ConfidenceLevel
    """Of the interpretation that says so; NONE where another search does."""
    reason: str = ""
    """Where another search says so: which, with its figures."""


class GenomeStatementItem(Part):
    """One statement on a record as a whole."""

    topic: Topic
    """What it is about, such as lifestyle, module, prophage."""
    record: str
    """Id of the record that it lies on."""
    subject: str
    """What is judged, such as ``lysis`` of the modules."""
    value: str
    """The answer in a word or two."""
    text: str
    """The answer as a sentence."""
    outcome: Outcome
    """found, not found (by what was searched) or cannot tell."""
    probability: float | None = Field(ge=0, le=1)
    """That the statement is right; null where that was not measured."""
    level: ConfidenceLevel
    """Of the probability; NONE where there is none."""
    right: int = Field(ge=0)
    """Of such statements on genomes that were left out of the fit, those that held."""
    judged: int = Field(ge=0)
    """How many there were; 0 where that was not measured."""
    start: int | None
    """1-based first base of the stretch that it is about; null for all of the record."""
    end: int | None
    """Its last base; smaller than start over the origin."""
    genes: tuple[GeneRoleItem, ...]
    """Genes that it rests on."""
    missing: tuple[str, ...]
    """What was expected and not recognised."""
    reasoning: tuple[str, ...]
    """Steps from the evidence to the statement."""
    searched: tuple[str, ...]
    """With what was searched; what was not found may be there all the same."""
    uncertainties: tuple[str, ...]
    """What speaks against it or was not looked at."""
    parts: tuple[GenomeStatementItem, ...] = ()
    """What is said of the stretch itself, such as the modules of a prophage."""
