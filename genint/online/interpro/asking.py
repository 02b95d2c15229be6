"""InterPro: the signatures of all proteins of a run, by checksum, a hundred at a time.

Matches API of InterPro: https://www.ebi.ac.uk/interpro/matches/api
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from genint.cache.online import OnlineCache, OnlineKind
from genint.model.evidence import GoTerm
from genint.model.online import (
    AnswerState,
    InterProAnswer,
    InterProFindings,
    OnlineQuestions,
    OnlineService,
    ServiceUse,
)
from genint.online.interpro import records as interpro_records
from genint.online.interpro.answers import is_md5
from genint.online.interpro.batches import Batches
from genint.online.interpro.interpro2go import terms_of_entries
from genint.online.interpro.releases import UNKNOWN, Releases
from genint.online.interpro.words import problem_of
from genint.online.ports import Caller, CallLost, Host
from genint.online.uniprot.uniparc import uniparc_domains

SERVICE: Final = OnlineService.INTERPRO.value
KIND: Final = f"{OnlineKind.MD5}-{interpro_records.SCHEMA}"
"""Under what the cache keeps answers."""
_NO_SUM: Final = "its checksum is none"


async def ask_interpro(
    questions: OnlineQuestions,
    caller: Caller,
    cache: OnlineCache,
    *,
    installed_go: Mapping[str, tuple[GoTerm, ...]] | None = None,
) -> InterProFindings:
    """Ask InterPro about all proteins of a run.

    Args:
        questions: Only the MD5 sums are sent.
        caller: Sends the calls of this run, within its time.
        cache: Answers of the service's release are not asked for again, and kept.
        installed_go: Terms of InterPro entries that need not be fetched.

    Returns:
        An answer for every protein. Where InterPro gave none, UniParc is asked, which has the
        signatures too, without their figures. Nothing is raised but the cancelling of the call.

    Cost: 1 request for the release, 1 for 100 proteins that are not in the cache, 1 for GO
    terms in each release.
    """
    began_s = asyncio.get_running_loop().time()
    md5s = tuple(dict.fromkeys(protein.md5 for protein in questions.proteins))
    if not md5s:
        return InterProFindings({}, ServiceUse(OnlineService.INTERPRO))
    releases = Releases(caller)
    await releases.ask()
    kept = await asyncio.to_thread(_from_cache, cache, md5s, releases.newest)
    batches = Batches(caller, releases)
    await batches.ask([md5 for md5 in md5s if md5 not in kept and is_md5(md5)])
    fresh = _placed(batches, releases)
    await asyncio.to_thread(_keep, cache, releases, fresh)
    if not releases.newest:
        # Of a release, that is; what the service gave without telling one is as good as ever.
        kept = {md5: one._replace(is_stale=one.release is not None) for md5, one in kept.items()}
    own = {**_lost(batches.lost), **fresh, **kept}
    rescued = await _through_uniparc(batches.lost, caller)
    bad = InterProAnswer(AnswerState.ERROR, reason=_NO_SUM)
    answers = {md5: rescued.get(md5) or own.get(md5, bad) for md5 in md5s}
    go = await terms_of_entries(
        _entries(answers.values()), releases.newest, caller, cache, installed=installed_go
    )
    use = ServiceUse(
        OnlineService.INTERPRO,
        releases=_releases(releases, answers.values()),
        problem=problem_of(answers, rescued, releases.lost, list(batches.lost.values())),
        proteins=len(md5s),
        answered=sum(answer.state.is_answer for answer in answers.values()),
        requests=caller.requests(Host.INTERPRO) + caller.requests(Host.INTERPRO_GO),
        retries=caller.retries(Host.INTERPRO) + caller.retries(Host.INTERPRO_GO),
        from_cache=len(kept),
        seconds=asyncio.get_running_loop().time() - began_s,
    )
    return InterProFindings(answers, use, go.terms, go.note)


def _from_cache(cache: OnlineCache, md5s: Sequence[str], release: str) -> dict[str, InterProAnswer]:
    """Answers of the release, or the newest where the release is unknown."""
    found = {}
    for md5, kept in cache.find(SERVICE, KIND, md5s, release or None).items():
        matches = interpro_records.read(kept.payload)
        if matches is not None:
            found[md5] = InterProAnswer(kept.state, matches, kept.release or None)
    return found


def _placed(batches: Batches, releases: Releases) -> dict[str, InterProAnswer]:
    """All answers that came, each with its release."""
    found: dict[str, InterProAnswer] = {}
    for batch in batches.read:
        release = releases.release_of(batch.versions)
        for md5, answer in batch.answers.items():
            found[md5] = answer._replace(release=release)
    return found


def _keep(cache: OnlineCache, releases: Releases, fresh: dict[str, InterProAnswer]) -> None:
    """Keep what can be said to be of a release, or of the one that the service does not tell.

    In ``fresh`` a release that is not told becomes None.
    """
    rows: dict[str, dict[str, tuple[AnswerState, str]]] = {}
    for md5, answer in fresh.items():
        if answer.release is not None and answer.state.is_answer:
            payload = interpro_records.written(answer.matches)
            rows.setdefault(answer.release, {})[md5] = answer.state, payload
        if answer.release == UNKNOWN:
            fresh[md5] = answer._replace(release=None)
    for info in releases.told:
        cache.note_release(SERVICE, info.release, info.release_date)
    for release, of_release in rows.items():
        cache.keep(SERVICE, KIND, release, of_release)


def _lost(lost: Mapping[str, CallLost]) -> dict[str, InterProAnswer]:
    return {
        md5: InterProAnswer(
            AnswerState.ERROR if why.was_tried else AnswerState.NOT_ASKED, reason=why.reason
        )
        for md5, why in lost.items()
    }


async def _through_uniparc(
    lost: Mapping[str, CallLost], caller: Caller
) -> dict[str, InterProAnswer]:
    """What UniParc says of proteins that InterPro gave no answer for; none of it is kept."""
    if not lost:
        return {}
    told = await uniparc_domains(tuple(lost), caller)
    return {md5: answer for md5, answer in told.items() if answer.state.is_answer}


def _entries(answers: Iterable[InterProAnswer]) -> frozenset[str]:
    """Entries of InterPro among what it matched itself."""
    return frozenset(
        match.entry.accession
        for answer in answers
        if not answer.through_uniparc
        for match in answer.matches
        if match.entry is not None
    )


def _releases(releases: Releases, answers: Iterable[InterProAnswer]) -> tuple[str, ...]:
    """Releases that were told, and those of what was kept earlier."""
    told = [info.release for info in releases.told]
    of_answers = {
        answer.release for answer in answers if answer.release and not answer.through_uniparc
    }
    return tuple(dict.fromkeys((*sorted(of_answers.difference(told)), *told)))
