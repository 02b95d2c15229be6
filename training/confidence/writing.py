"""The file of parameters: readable, each number with what it rests on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from genint.knowledge.confidence import BackOff, Calibration, ConfidenceParameters, MeasuredLevel
from training.confidence.marks import reasons
from training.confidence.reliabilities import Reliability
from training.confidence.stated import read_stated

_HEAD = """\
# Parameters of the confidence model. Fitted, not written by hand:
#
#     python -m training.confidence --data ../shared/data
#
# Numbers of the calibrations are natural log-odds; a score is the logistic of their sum.
"""
_SINGLE = (
    "least_for_high",
    "least_for_moderate",
    "fits",
    "differing",
    "wider",
    "context",
)


def text_of(
    parameters: ConfidenceParameters, reliability: Mapping[str, Reliability], figures: Iterable[str]
) -> str:
    """The file.

    Args:
        parameters: All that it holds.
        reliability: Counts behind each class.
        figures: Lines on what the fit rests on, for the head.
    """
    return "\n".join(_lines(parameters, reliability, figures)) + "\n"


def _lines(
    parameters: ConfidenceParameters, reliability: Mapping[str, Reliability], figures: Iterable[str]
) -> Iterator[str]:
    yield _HEAD.rstrip()
    yield "#"
    yield from (f"# {line}".rstrip() for line in figures)
    yield f'\nversion = "{parameters.version}"'
    yield "\n# What a reader of a report is told about the meaning of scores and levels."
    yield f'basis = "{parameters.basis}"\n'
    yield "# Share of the statements of each kind (back_off) that is to hold."
    yield f"promise = {parameters.promise:g}\n"
    for name, why in reasons().items():
        yield from (f"# {line}" for line in why.splitlines())
        yield f"{name} = {getattr(parameters, name):g}\n"
    yield "# Classes whose numbers are chosen: what the file, services and other programs say."
    yield "chosen = ["
    yield from (f'    "{name}",' for name in sorted(parameters.chosen))
    yield "]\n"
    yield "# How often a claim of each class held alone, and of how many."
    yield "[reliability]"
    for name, share in parameters.reliability.items():
        said = reliability.get(name)
        chosen = read_stated().files.get(name)
        comment = f"  # {said.true:,} of {said.judged:,}" if said else ""
        comment = f"  # chosen: training/confidence/{chosen}" if chosen else comment
        yield f"{name} = {share:.3f}{comment}"
    for setting, calibration in sorted(parameters.calibrations.items()):
        yield ""
        yield from _calibration(f"calibration.{setting.mode}.{setting.kind.value}", calibration)
    yield "\n# Scores from which statements hold as often as promised; names are stated by level."
    for setting, limits in sorted(parameters.back_off.items()):
        yield from _back_off(f"back_off.{setting.mode}.{setting.kind.value}", limits)
    yield "\n# What the levels meant for genes of groups of genomes that were left out."
    for one in parameters.measured:
        yield from _measured(one)


def _calibration(name: str, calibration: Calibration) -> Iterator[str]:
    yield f"[{name}]"
    for single in (
        "least_for_high",
        "least_for_moderate",
        "fits",
        "differing",
        "wider",
        "context",
    ):
        yield f"{single} = {getattr(calibration, single):.3f}"
    for part in ("prior", "leads", "agrees", "says_less", "again"):
        yield f"\n[{name}.{part}]"
        for key, weight in getattr(calibration, part).items():
            yield f"{key} = {weight:.3f}"


def _back_off(name: str, limits: BackOff) -> Iterator[str]:
    yield f"\n[{name}]"
    yield f"context = {limits.context:g}"
    yield f"\n[{name}.least]"
    for kind, least in limits.least.items():
        yield f'"{kind.value}" = {least:.2f}'
    yield f"\n[{name}.held]  # right, judged"
    for kind, (right, judged) in limits.held.items():
        yield f'"{kind.value}" = [{right}, {judged}]'


def _measured(one: MeasuredLevel) -> Iterator[str]:
    yield "\n[[measured]]"
    yield f'regime = "{one.regime}"'
    yield f'mode = "{one.setting.mode}"'
    yield f'kind = "{one.setting.kind.value}"'
    yield f'level = "{one.level.value}"'
    yield f"right = {one.right}"
    yield f"full = {one.full}"
    yield f"judged = {one.judged}"
