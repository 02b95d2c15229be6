"""Answers of InterPro's Matches API, read record by record.

A record that cannot be read costs its own protein only; a body that is none at all is
malformed. Shapes: https://github.com/ProteinsWebTeam/interpro-matches-api
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from typing import Final, NamedTuple

from pydantic import TypeAdapter, ValidationError

from genint.knowledge.interpro_names import is_signature, library_of
from genint.model.online import (
    AnswerState,
    InterProAnswer,
    InterProEntry,
    InterProMatch,
    MatchPlace,
)
from genint.online.protocol import MalformedResponse
from genint.online.request import parse_json

SCHEMA: Final = 1
"""Version of what is kept; to be counted up when the matches' attributes change."""


def written(matches: tuple[InterProMatch, ...]) -> str:
    """The matches as a text; empty for none."""
    return _adapter().dump_json(matches).decode() if matches else ""


def read(text: str) -> tuple[InterProMatch, ...] | None:
    """The matches of a text; None where it is none of ours.

    Cost: 10 microseconds a match.
    """
    if not text:
        return ()
    try:
        return _adapter().validate_json(text)
    except ValidationError:
        return None


@cache
def _adapter() -> TypeAdapter[tuple[InterProMatch, ...]]:
    return TypeAdapter(tuple[InterProMatch, ...])


_LONGEST_TEXT = 400
_ACCESSION = re.compile(r"[A-Za-z0-9][\w.:-]{0,59}", re.ASCII)
_SPACES = re.compile(r"[\s_-]+")
_STEP = re.compile(r"(\d+)([MID])")


def as_mapping(value: object) -> Mapping[str, object]:
    """The value where it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def as_list(value: object) -> list[object]:
    """The value where it is a list, else an empty one."""
    return value if isinstance(value, list) else []


def as_text(value: object) -> str:
    """The value where it is a text, on one line and of bounded length; else empty."""
    if not isinstance(value, str):
        return ""
    if not value.isprintable():
        value = "".join(sign if sign.isprintable() else " " for sign in value)
    return " ".join(value.split())[:_LONGEST_TEXT]


def as_accession(value: object) -> str:
    """The value where it has the form of an accession, else empty."""
    text = as_text(value)
    return text if _ACCESSION.fullmatch(text) else ""


def as_number(value: object) -> float | None:
    """A finite number, also one written as text."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def as_evalue(value: object) -> float | None:
    """A number that is not negative."""
    number = as_number(value)
    return number if number is not None and number >= 0 else None


def as_position(value: object) -> int | None:
    """A residue or model position, from 1."""
    number = as_number(value)
    return int(number) if number is not None and number >= 1 and number == int(number) else None


def as_type(value: object) -> str:
    """Type of an entry or signature: the services write one in three spellings."""
    return _SPACES.sub("_", as_text(value).lower())


def model_part(cigar: object) -> tuple[int, int, int] | None:
    """First, last and number of model positions of a profile's alignment.

    Profiles of HAMAP and PROSITE report no positions of the model, but the steps of the
    alignment: those of the model are matches (M) and deletions (D).
    """
    text = as_text(cigar)
    steps = [(int(count), step) for count, step in _STEP.findall(text)]
    of_model = [(count, step) for count, step in steps if step != "I"]
    length = sum(count for count, _ in of_model)
    if not length or _STEP.sub("", text):
        return None
    head = of_model[0][0] if of_model[0][1] == "D" else 0
    tail = of_model[-1][0] if of_model[-1][1] == "D" else 0
    return (head + 1, length - tail, length) if head + tail < length else None


UNREADABLE: Final = "its record could not be read"
NO_RESULT: Final = "the answer had no result for it"

_MD5 = re.compile(r"[0-9A-F]{32}")
_RELEASE = re.compile(r"[\w.-]{1,40}")
_PREDICTOR = "interpron"
_WORDS = {"true": True, "false": False}


class Info(NamedTuple):
    """What the service answers about itself.

    Attributes:
        release: Of InterPro, such as 107.0.
        versions: Library (as in matches) -> its version.
    """

    release: str
    versions: Mapping[str, str]


class Batch(NamedTuple):
    """What one answer says.

    Attributes:
        answers: By MD5, upper case; one for each that was wanted.
        versions: Library -> version, of the signatures that were matched.
    """

    answers: Mapping[str, InterProAnswer]
    versions: Mapping[str, str]


def read_info(body: bytes) -> Info:
    """What ``GET /info`` answers.

    Raises:
        MalformedResponse: it is not JSON, or names no release.
    """
    sent = as_mapping(parse_json(body))
    release = sent.get("release")
    named = as_text(release) if isinstance(release, str) else str(as_number(release) or "")
    if not _RELEASE.fullmatch(named):
        raise MalformedResponse("it names no release")
    versions = {}
    for item in as_list(sent.get("analyses")):
        analysis = as_mapping(item)
        name, version = as_text(analysis.get("name")), as_text(analysis.get("version"))
        if name and version:
            versions[library_of(name)] = version
    return Info(named, versions)


def read_matches(body: bytes, wanted: Collection[str]) -> Batch:
    """What ``POST /matches`` answers.

    Args:
        body: JSON.
        wanted: MD5 sums, upper case. Results of others are left out.

    Raises:
        MalformedResponse: it is not JSON, or has no list of results.

    Cost: 20 microseconds a match.
    """
    results = as_mapping(parse_json(body)).get("results")
    if not isinstance(results, list):
        raise MalformedResponse("it has no results")
    answers: dict[str, InterProAnswer] = {}
    for item in results:
        record = as_mapping(item)
        md5 = as_text(record.get("md5")).upper()
        if md5 not in wanted or (md5 in answers and answers[md5].state.is_answer):
            continue
        answers[md5] = _answer(record)
    for md5 in set(wanted).difference(answers):
        answers[md5] = InterProAnswer(AnswerState.ERROR, reason=NO_RESULT)
    versions = {
        match.library: match.library_version
        for answer in answers.values()
        for match in answer.matches
        if match.library_version and not match.is_prediction
    }
    return Batch(answers, versions)


def is_md5(text: str) -> bool:
    """Whether it is a sum as questions have them."""
    return _MD5.fullmatch(text) is not None


def state_of(matches: Collection[InterProMatch]) -> AnswerState:
    """Whether signatures were matched: predictions and what residues look like are none."""
    return AnswerState.HIT if any(map(is_signature, matches)) else AnswerState.NO_MATCH


def _answer(record: Mapping[str, object]) -> InterProAnswer:
    is_found, items = _found(record.get("found")), record.get("matches")
    if not isinstance(items, list):
        if is_found is False and items is None:
            return InterProAnswer(AnswerState.NOT_IN_DATABASE)
        return InterProAnswer(AnswerState.ERROR, reason=UNREADABLE)
    if not items:
        # Unless it is stated, that nothing was found is not known to be a finding.
        state = AnswerState.NO_MATCH if is_found else AnswerState.NOT_IN_DATABASE
        return InterProAnswer(state)
    matches = tuple(_match(as_mapping(item)) for item in items)
    read = tuple(match for match in matches if match is not None)
    if len(read) < len(matches):
        return InterProAnswer(AnswerState.ERROR, reason=UNREADABLE)
    return InterProAnswer(state_of(read), read)


def _found(value: object) -> bool | None:
    if isinstance(value, str):
        return _WORDS.get(value.strip().lower())
    return bool(value) if isinstance(value, int) else None


def _match(sent: Mapping[str, object]) -> InterProMatch | None:
    """A match; None where it does not say of what."""
    signature = as_mapping(sent.get("signature"))
    accession = as_accession(signature.get("accession"))
    library = as_mapping(signature.get("signatureLibraryRelease"))
    source = as_text(sent.get("source"))
    title = as_text(library.get("library")) or source
    if not accession or not title:
        return None
    return InterProMatch(
        accession=accession,
        library=library_of(title),
        library_title=title,
        library_version=as_text(library.get("version")),
        name=as_text(signature.get("name")),
        description=as_text(signature.get("description")),
        type=as_type(signature.get("type")),
        entry=_entry(as_mapping(signature.get("entry"))),
        is_prediction=library_of(source) == _PREDICTOR,
        evalue=as_evalue(sent.get("evalue")),
        score_bits=as_number(sent.get("score")),
        places=tuple(
            place for item in as_list(sent.get("locations")) for place in _places(as_mapping(item))
        ),
    )


def _entry(sent: Mapping[str, object]) -> InterProEntry | None:
    accession = as_accession(sent.get("accession"))
    if not accession:
        return None
    return InterProEntry(
        accession=accession,
        name=as_text(sent.get("name")),
        description=as_text(sent.get("description")),
        type=as_type(sent.get("type")),
        parent=as_accession(sent.get("parent")) or None,
    )


def _places(sent: Mapping[str, object]) -> Iterator[MatchPlace]:
    """One for each stretch: a domain that another one is put into has two."""
    evalue = as_evalue(sent.get("evalue"))
    if evalue is None:
        evalue = as_evalue(sent.get("pvalue"))
    score, (first, last, length) = as_number(sent.get("score")), _model(sent)
    parts = (as_mapping(item) for item in as_list(sent.get("location-fragments")))
    stretches = [found for part in parts if (found := _stretch(part)) is not None]
    for start, end in stretches or filter(None, (_stretch(sent),)):
        yield MatchPlace(start, end, first, last, length, evalue, score)


def _stretch(sent: Mapping[str, object]) -> tuple[int, int] | None:
    start, end = as_position(sent.get("start")), as_position(sent.get("end"))
    return (start, end) if start is not None and end is not None and start <= end else None


def _model(sent: Mapping[str, object]) -> tuple[int | None, int | None, int | None]:
    """First, last and number of positions of the model."""
    of_alignment = model_part(sent.get("cigarAlignment"))
    if of_alignment is not None:
        return of_alignment
    first, last = as_position(sent.get("hmmStart")), as_position(sent.get("hmmEnd"))
    length = as_position(sent.get("hmmLength"))
    if first is None or last is None or length is None or not first <= last <= length:
        return None, None, None
    return first, last, length
