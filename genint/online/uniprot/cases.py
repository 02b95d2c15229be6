"""What a run knows so far of each protein that it asks UniProt about, and what it makes of it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from genint.model.online import AnswerState, ProteinQuestion, UniProtAnswer, UniProtEntry
from genint.online.identifiers import is_cds_protein, is_refseq_protein, unversioned
from genint.online.ports import CallLost
from genint.online.uniprot.entries import Found, best_first


@dataclass(slots=True)
class Case:
    """One protein.

    Attributes:
        question: What is asked.
        entries: Found so far, by accession.
        releases: Of the answers that tell of it.
        in_uniparc: Whether UniParc knows the sequence; None where it was not asked, or the
            answer was lost.
        accessions: Entries that have the sequence, by UniParc.
        is_brief: Fewer of its entries were fetched than the run's plan has it.
        ids_asked: All entries that its protein ids stand for were asked for.
        lost: Why its sequence could not be looked up; None where nothing went wrong.
        lost_ids: Why its ids could not.
    """

    question: ProteinQuestion
    entries: dict[str, UniProtEntry] = field(default_factory=dict)
    releases: set[str] = field(default_factory=set)
    in_uniparc: bool | None = None
    accessions: tuple[str, ...] = ()
    is_brief: bool = False
    ids_asked: bool = False
    lost: CallLost | None = None
    lost_ids: CallLost | None = None

    @property
    def refseq_ids(self) -> tuple[str, ...]:
        """Protein ids of RefSeq that have the form of one."""
        return tuple(filter(is_refseq_protein, self.question.refseq_ids))

    @property
    def cds_ids(self) -> tuple[str, ...]:
        """Protein ids of GenBank, EMBL and DDBJ that have the form of one."""
        return tuple(filter(is_cds_protein, self.question.cds_ids))

    @property
    def is_answered(self) -> bool:
        """Whether an entry has the very sequence."""
        return any(entry.same_sequence for entry in self.entries.values())

    @property
    def is_reviewed(self) -> bool:
        """Whether a reviewed entry has the very sequence."""
        return any(entry.same_sequence and entry.reviewed for entry in self.entries.values())

    def note(self, release: str | None) -> None:
        """Remember which release told of it."""
        if release is not None:
            self.releases.add(release)


class Cases:
    """All proteins of a run that the cache has no answer for, in the order of the questions."""

    def __init__(self, questions: Iterable[ProteinQuestion]) -> None:
        self.all = tuple(Case(question) for question in questions)
        self._by_md5 = {case.question.md5: case for case in self.all}
        self._by_id: defaultdict[str, list[Case]] = defaultdict(list)
        for case in self.all:
            for id_ in dict.fromkeys(map(unversioned, (*case.refseq_ids, *case.cds_ids))):
                self._by_id[id_].append(case)

    def of(self, md5: str) -> Case | None:
        """The protein with a checksum."""
        return self._by_md5.get(md5)

    @property
    def open(self) -> list[Case]:
        """Those that no entry with their sequence was found for."""
        return [case for case in self.all if not case.is_answered]

    @property
    def unreviewed(self) -> list[Case]:
        """Those that no reviewed entry with their sequence was found for."""
        return [case for case in self.all if not case.is_reviewed]

    def take(self, found: Iterable[Found], release: str | None) -> None:
        """Put entries to the proteins that they tell of: by sequence, or by a protein id."""
        for one in found:
            same = self._by_md5.get(one.entry.md5)
            if same is not None:
                same.entries[one.entry.accession] = one.entry
                same.note(release)
            other = replace(one.entry, same_sequence=False)
            for case in self._with_ids({*one.protein_ids, unversioned(one.asked_by)}):
                if case is not same:
                    case.entries[other.accession] = other
                    case.note(release)

    def _with_ids(self, ids: Iterable[str]) -> Iterable[Case]:
        for id_ in ids:
            yield from self._by_id.get(id_, ())


def answer_of(case: Case, taxon_id: int | None) -> UniProtAnswer:
    """What becomes of asking, whatever went wrong on the way."""
    release = max(case.releases, default=None)
    if case.entries:
        entries = best_first(case.entries.values(), taxon_id)
        return UniProtAnswer(AnswerState.HIT, entries, release)
    if case.lost is not None:
        state = AnswerState.ERROR if case.lost.was_tried else AnswerState.NOT_ASKED
        return UniProtAnswer(state, release=release, reason=case.lost.reason)
    if case.in_uniparc is None:
        return UniProtAnswer(AnswerState.NOT_ASKED, reason="it was not asked")
    state = AnswerState.NO_MATCH if case.in_uniparc else AnswerState.NOT_IN_DATABASE
    return UniProtAnswer(state, release=release)


def is_complete(case: Case) -> bool:
    """Whether an answer is all that UniProt has to say: only such ones are kept.

    What the ids would have found is not missed where the sequence was found. What two releases
    told is of neither.
    """
    settled = case.is_answered or (case.in_uniparc is not None and case.lost_ids is None)
    return case.lost is None and settled and len(case.releases) == 1
