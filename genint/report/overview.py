"""What is said of a genome as a whole, in words for all formats.

Statements that were looked for and not found name what was searched: not found is never absent.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import Final, NamedTuple

from genint.model.overview import Outcome, Topic
from genint.model.vocabulary import ConfidenceLevel, GenomeKind
from genint.report.result import GenintResult, Record
from genint.report.result_overview import GeneRoleItem, GenomeStatementItem

_FEW_RECORDS: Final = 20
"""Files of more records get one line for each record where people read."""
_ALARMING: Final = (Topic.SAFETY, Topic.PATHOGENICITY)
_ALARMS: Final = ("toxins", "antimicrobial resistance")
"""Of the safety panel, what a reader has to see at once."""
_SUMMED: Final = (Topic.KIND, Topic.LIFESTYLE, Topic.COMPLETENESS, Topic.HOST)
"""Topics that answer with a word or two, for lines on a record."""


_OF_STRETCHES: Final = frozenset(
    {
        Topic.PROPHAGE,
        Topic.MOBILE_ELEMENT,
        Topic.TOXIN_ANTITOXIN,
        Topic.RECODING,
        Topic.PSEUDOGENE,
    }
)


class TopicStatements(NamedTuple):
    """Statements of one topic on one record."""

    topic: Topic
    statements: tuple[GenomeStatementItem, ...]


class RecordOverview(NamedTuple):
    """A record with what is said of it, by topic."""

    record: Record
    topics: tuple[TopicStatements, ...]

    @property
    def line(self) -> str:
        """Short answers on one line, such as ``temperate, complete``; may be empty.

        What could not be determined is in the statements only.
        """
        values = (
            f"host {one.value}" if topic is Topic.HOST else one.value
            for topic in _SUMMED
            for one in self._found(topic)
        )
        prophages = sum(one.start is not None for one in self._found(Topic.PROPHAGE))
        counted = (f"{prophages} prophage{'s' * (prophages > 1)}",) if prophages else ()
        return ", ".join((*dict.fromkeys(values), *counted, *self._alarms))

    @property
    def _alarms(self) -> Iterator[str]:
        """Toxins and resistance that were found, such as ``toxins: 2 genes``."""
        for topic in _ALARMING:
            for one in self._found(topic):
                if one.subject in _ALARMS:
                    yield f"{one.subject}: {one.value}"

    @property
    def kind(self) -> str:
        """What its genes, or else its length, show it to be: for tables of records."""
        told = self._kind
        if told is not None:
            return told.value
        return "bacterium" if self.record.genome_kind is GenomeKind.BACTERIUM else ""

    @property
    def kind_probability(self) -> float | None:
        """That the kind is right, 0..1; None where it was not measured, as for long records."""
        return None if self._kind is None else self._kind.probability

    @property
    def answers(self) -> str:
        """The line without the kind."""
        kind = self._kind
        if kind is None or kind.outcome is not Outcome.FOUND:
            return self.line
        return self.line.removeprefix(kind.value).removeprefix(", ")

    @property
    def _kind(self) -> GenomeStatementItem | None:
        return next((one for one in self._of(Topic.KIND)), None)

    def _of(self, topic: Topic) -> Iterator[GenomeStatementItem]:
        return (one for group in self.topics if group.topic is topic for one in group.statements)

    def _found(self, topic: Topic) -> Iterator[GenomeStatementItem]:
        return (one for one in self._of(topic) if one.outcome is Outcome.FOUND)


def overviews(result: GenintResult) -> tuple[RecordOverview, ...]:
    """What is said of each record that something is said of, in the order of the file."""
    of_record: dict[str, list[GenomeStatementItem]] = {}
    for one in result.overview:
        of_record.setdefault(one.record, []).append(one)
    return tuple(
        RecordOverview(record, _by_topic(of_record[record.id]))
        for record in result.records
        if record.id in of_record
    )


def has_few_records(result: GenintResult) -> bool:
    """Whether each record gets sections of its own where people read."""
    return len(result.records) <= _FEW_RECORDS


def _by_topic(statements: Iterable[GenomeStatementItem]) -> tuple[TopicStatements, ...]:
    grouped = groupby(statements, key=lambda one: one.topic)
    return tuple(TopicStatements(topic, tuple(group)) for topic, group in grouped)


def measured_text(one: GenomeStatementItem) -> str:
    """How sure a statement is; empty where that was not measured."""
    if one.probability is None:
        return ""
    held = f"; such statements held for {one.right} of {one.judged}" if one.judged else ""
    return f"{one.level}, probability {one.probability:.2f}{held}"


def place_text(one: GenomeStatementItem) -> str:
    """Where a statement is about a stretch: its ends; empty for the whole record."""
    return "" if one.start is None else f"{one.start:,} to {one.end:,}"


def usual_search(result: GenintResult) -> tuple[str, ...]:
    """What most statements say was searched; empty where no two say the same."""
    said = Counter(one.searched for one in result.overview if one.searched)
    searched, number = said.most_common(1)[0] if said else ((), 0)
    return searched if number > 1 else ()


def usual_search_text(result: GenintResult) -> str:
    """The same in a sentence for the head of all statements; may be empty."""
    searched = usual_search(result)
    if not searched:
        return ""
    return (
        f"Where a statement names no search of its own, these were searched: {', '.join(searched)}."
    )


def remarks(one: GenomeStatementItem, usual: tuple[str, ...] = ()) -> tuple[str, ...]:
    """What belongs beside a statement: how sure, with what was searched, what is uncertain.

    Args:
        one: The statement.
        usual: What was searched for most, which is said once for all.
    """
    searched = ""
    if one.searched and one.searched != usual:
        searched = f"Searched: {', '.join(one.searched)}."
    measured = measured_text(one)
    found = (f"{measured}." if measured else "", searched, *one.uncertainties)
    return tuple(text for text in found if text)


def role_text(role: GeneRoleItem) -> str:
    """A gene with what it is taken for, and how sure that is or which search says so."""
    beside = role.reason or ("" if role.level is ConfidenceLevel.NONE else role.level)
    return f"{role.gene} ({role.role}{f', {beside}' if beside else ''})"


def roles_by_gene(result: GenintResult) -> Mapping[str, tuple[str, ...]]:
    """By gene, for which statements it matters: ``module: lysis (endolysin)``."""
    found: dict[str, dict[str, None]] = {}
    for one, where in _with_parts(result):
        if one.outcome is Outcome.FOUND:
            for role in one.genes:
                said = f"{where}{one.topic}: {one.subject} ({role.role})"
                found.setdefault(role.gene, {})[said] = None
    return {gene: tuple(said) for gene, said in found.items()}


def _with_parts(result: GenintResult) -> Iterator[tuple[GenomeStatementItem, str]]:
    """All statements; those that are part of another with what that is about."""
    for one in result.overview:
        yield one, ""
        yield from ((part, f"{one.subject}, ") for part in one.parts)


def overview_texts(result: GenintResult, record: str, *, whole: bool = False) -> tuple[str, ...]:
    """Each statement on a record as a paragraph, for comments in files.

    Args:
        result: With the statements.
        record: Id of the record.
        whole: Without prophages, pseudogenes and the like, of which a bacterium has hundreds.
    """
    return tuple(
        " ".join((f"{one.topic.heading}: {one.text}", *_measured(one)))
        for one in result.overview
        if one.record == record and not (whole and one.topic in _OF_STRETCHES)
    )


def _measured(one: GenomeStatementItem) -> tuple[str, ...]:
    measured = measured_text(one)
    return (f"({measured}.)",) if measured else ()
