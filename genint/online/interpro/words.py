"""What did not work with InterPro, in words that follow its name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from genint.model.online import InterProAnswer
from genint.online.ports import CallLost


def problem_of(
    answers: Mapping[str, InterProAnswer],
    rescued: Mapping[str, InterProAnswer],
    no_release: CallLost | None,
    lost: Sequence[CallLost],
) -> str:
    """The problem of a run; empty where all went well.

    Args:
        answers: Of all proteins.
        rescued: Those that UniParc gave.
        no_release: Why the release could not be asked for.
        lost: Why proteins were lost, one by one.
    """
    own = {md5: answer for md5, answer in answers.items() if md5 not in rescued}
    answered = sum(answer.state.is_answer for answer in own.values())
    is_stale = any(answer.is_stale for answer in own.values())
    if answered == len(answers):
        if not is_stale or no_release is None:
            return ""
        return f"could not be asked: {no_release.reason}; what it said earlier is used"
    reasons = [why.reason for why in lost if why.was_tried] or [why.reason for why in lost]
    reasons += [answer.reason for answer in own.values() if not answer.state.is_answer]
    reason = Counter(reasons).most_common(1)[0][0]
    if lost and (not answered or is_stale):
        words = f"could not be asked: {reason}"
        if answered:
            words += f"; what it said earlier of {answered} of {len(answers)} proteins is used"
    else:
        words = f"answered for {answered} of {len(answers)} proteins only: {reason}"
    if rescued:
        words += f"; UniParc, asked instead, answered for {len(rescued)}"
    return words
