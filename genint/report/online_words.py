"""What online services answered, in words that all formats share.

A gene that a service was not asked about, or that it gave no answer for, is never told as one
that nothing is known of. Text comes back as it may be shown; escaping is the format's business.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from types import MappingProxyType
from typing import Final, NamedTuple

from genint.model.online import AnswerState, OnlineService
from genint.report.result import GeneItem, GenintResult, OnlineAnswerItem, OnlineUseItem
from genint.report.texts import shown_text

SENT: Final = (
    "Checksums of the proteins (MD5, CRC64) and identifiers of the file are all that was sent; "
    "no sequence was."
)
"""What left the machine."""

_MOST_ACCESSIONS: Final = 12
"""More than these are for the JSON result and the table."""
_KNOWN_WITHOUT: Final = MappingProxyType(
    {
        OnlineService.UNIPROT: "knows the sequence and has no entry for it",
        OnlineService.INTERPRO: "knows the sequence and none of its signatures matches it",
    }
)
_UNKNOWN: Final = "does not know the sequence, which says nothing of the protein"
_NOT_ASKED: Final = "was not asked"
_NO_ANSWER: Final = "could not be asked"
_NO_REASON: Final = "no reason given"


class Told(NamedTuple):
    """What a service answered about a gene: the service, what it has, and words behind that.

    Attributes:
        service: As it writes itself.
        accessions: Of what it has.
        said: Follows the accessions where there are any (its release), else the name of the
            service (what became of asking it); may be empty.
    """

    service: str
    accessions: tuple[str, ...]
    said: str

    @property
    def text(self) -> str:
        """All of it in one line."""
        if not self.accessions:
            return f"{self.service} {self.said}"
        listed = self.accessions[:_MOST_ACCESSIONS]
        left = len(self.accessions) - len(listed)
        more = f" and {left} more" if left else ""
        return f"{self.service}: {', '.join(listed)}{more} {self.said}".rstrip()


def told(answer: OnlineAnswerItem) -> Told:
    """What a service answered, as it may be shown."""
    service = answer.service.label
    accessions = tuple(shown_text(one) for one in answer.accessions)
    since = _since(answer)
    match answer.state:
        case AnswerState.HIT if accessions:
            return Told(service, accessions, since)
        case AnswerState.HIT:  # only in a result that was edited
            said = "has an answer"
        case AnswerState.NO_MATCH:
            said = _KNOWN_WITHOUT[answer.service]
        case AnswerState.NOT_IN_DATABASE:
            said = _UNKNOWN
        case AnswerState.NOT_ASKED:
            said = f"{_NOT_ASKED}: {shown_text(answer.reason) or _NO_REASON}"
        case AnswerState.ERROR:
            said = f"{_NO_ANSWER}: {shown_text(answer.reason) or _NO_REASON}"
    return Told(service, (), f"{said} {since}".rstrip())


def _since(answer: OnlineAnswerItem) -> str:
    """Of which release an answer is; empty where there is none, or it is not known."""
    release = shown_text(answer.release or "")
    if not answer.state.is_answer:
        return ""
    if answer.is_stale:
        of = f", release {release}" if release else ""
        return f"(from the cache{of}; today's could not be asked)"
    return f"({release})" if release else ""


def answer_texts(gene: GeneItem) -> tuple[str, ...]:
    """What each service answered about a gene, one line each; none but in online mode."""
    return tuple(told(answer).text for answer in gene.online)


def is_unanswered(gene: GeneItem) -> bool:
    """Whether a service that was to be asked about a gene gave no answer."""
    return any(not answer.state.is_answer for answer in gene.online)


def unanswered_text(gene: GeneItem) -> str | None:
    """Which services gave no answer about a gene and why; None where all did."""
    texts = [told(answer).text for answer in gene.online if not answer.state.is_answer]
    return "; ".join(texts) or None


def dark_text(result: GenintResult) -> str | None:
    """How many dark genes may be known to a service that gave no answer; None without any."""
    genes = sum(gene.is_dark and is_unanswered(gene) for gene in result.genes)
    if not genes:
        return None
    return (
        f"For {genes:,} of them a service could not be asked or was not, which is no sign that "
        "nothing is known."
    )


def cell(gene: GeneItem, service: OnlineService) -> str | None:
    """Accessions that a service has for a gene, else the word for what became of asking it."""
    for answer in gene.online:
        if answer.service is service:
            return "; ".join(answer.accessions) or answer.state.value
    return None


def problem_texts(result: GenintResult) -> tuple[str, ...]:
    """What did not work, one sentence without a full stop for each service."""
    return tuple(problem_text(use) for use in result.online if use.problem)


def not_used(result: GenintResult) -> tuple[str, ...]:
    """What was not used besides services, of which :func:`use_texts` tells."""
    problems = problem_texts(result)
    return tuple(text for text in result.unavailable if not text.startswith(problems))


def problem_text(use: OnlineUseItem) -> str:
    """What did not work with a service, one sentence without a full stop."""
    return shown_text(f"{use.service.label} {use.problem}").rstrip(".")


def use_texts(result: GenintResult) -> tuple[str, ...]:
    """What was asked and what came of it, one paragraph for each service."""
    states = _states(result)
    return tuple(
        shown_text(" ".join(_use_sentences(use, states[use.service]))) for use in result.online
    )


def _states(result: GenintResult) -> dict[OnlineService, Counter[AnswerState]]:
    found = {use.service: Counter[AnswerState]() for use in result.online}
    for gene in result.genes:
        for answer in gene.online:
            found.setdefault(answer.service, Counter())[answer.state] += 1
    return found


def _use_sentences(use: OnlineUseItem, genes: Counter[AnswerState]) -> Iterator[str]:
    name = use.service.label
    releases = " and ".join(use.releases)
    of = f" (release{'s' if len(use.releases) > 1 else ''} {releases})" if releases else ""
    if use.proteins:
        yield f"{name}{of} answered for {use.answered:,} of {use.proteins:,} distinct proteins."
    else:
        yield f"{name}: there was no protein to ask it about."
    if genes:
        yield f"Genes: {', '.join(_counted(use.service, genes))}."
    if use.problem:
        yield f"{problem_text(use)}."


def _counted(service: OnlineService, genes: Counter[AnswerState]) -> Iterator[str]:
    what = "an entry" if service is OnlineService.UNIPROT else "a signature"
    words = {
        AnswerState.HIT: f"with {what}",
        AnswerState.NO_MATCH: f"known to it without {what}",
        AnswerState.NOT_IN_DATABASE: "not known to it (which says nothing of them)",
        AnswerState.NOT_ASKED: "not asked about",
        AnswerState.ERROR: "that it could not be asked about",
    }
    for state, said in words.items():
        if genes[state]:
            yield f"{genes[state]:,} {said}"


def services_text(result: GenintResult) -> str | None:
    """Which services were to be asked and for how long at most; None but in online mode."""
    used = result.parameters
    if not used.online_services:
        return None
    named = " and ".join(service.label for service in used.online_services)
    if used.online_timeout_s is None:
        return f"asks {named}"
    return f"asks {named} for at most {used.online_timeout_s:g} s"
