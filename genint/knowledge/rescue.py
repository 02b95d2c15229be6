"""Parameters of the models for genes that gene finders miss, read from ``data/rescue.toml``."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Any, NamedTuple

from genint.knowledge.table_files import RESCUE, read_shipped
from genint.model.rescue import HeldOut


class Column(NamedTuple):
    """One measured number in a model.

    Attributes:
        weight: Log-odds for each unit of it.
        mean: Its mean over the frames of the fit that are genes: there it adds nothing.
    """

    weight: float
    mean: float


@dataclass(frozen=True, slots=True)
class FrameModel:
    """A logistic model of one kind of frame.

    Attributes:
        prior: Log-odds of a frame that is in all columns like the mean of the genes.
        threshold: Probability from which such a frame is a gene.
        columns: What is measured of frames, by name.
    """

    prior: float
    threshold: float
    columns: Mapping[str, Column]


@dataclass(frozen=True, slots=True)
class RescueParameters:
    """All that was fitted.

    Attributes:
        version: Of the file.
        nested: For frames mostly inside a gene.
        outside: For frames that overlap genes less, or lie between them.
        filtered: For frames that score like genes and are left out for a limit alone.
        internal: For starts inside a gene, in its own frame.
        in_bacteria: Log-odds added in genomes of bacteria, where fewer such frames are genes.
        homology: Log-odds of what a profile search says: ``family``, ``domain``, ``part``,
            ``none``.
        patterns: Log-odds of overlaps that are known from phage modules, by name.
        least: Frames that are less probable than this before their proteins are searched
            are not searched.
        basis: What the parameters rest on, in one sentence.
        measured: How often probabilities held in genomes left out, by rising probability.
    """

    version: str
    nested: FrameModel
    outside: FrameModel
    filtered: FrameModel
    internal: FrameModel
    in_bacteria: float
    homology: Mapping[str, float]
    patterns: Mapping[str, float]
    least: float
    basis: str
    measured: tuple[HeldOut, ...] = ()

    def held_out(self, probability: float) -> HeldOut | None:
        """How often such a probability held; None where that was not measured."""
        fitting = (one for one in self.measured if one.low <= probability < one.high)
        return next(fitting, None)


def parse_rescue(text: str) -> RescueParameters:
    """Parameters from the text of a file.

    Raises:
        tomllib.TOMLDecodeError: it is no TOML.
        KeyError: something is missing.
    """
    table = tomllib.loads(text)
    return RescueParameters(
        version=str(table["version"]),
        nested=_model(table["nested"]),
        outside=_model(table["outside"]),
        filtered=_model(table["filtered"]),
        internal=_model(table["internal"]),
        in_bacteria=float(table["in_bacteria"]),
        homology=MappingProxyType({k: float(v) for k, v in table["homology"].items()}),
        patterns=MappingProxyType({k: float(v) for k, v in table["patterns"].items()}),
        least=float(table["least"]),
        basis=str(table["basis"]),
        measured=tuple(
            HeldOut(float(one["low"]), float(one["high"]), int(one["genes"]), int(one["frames"]))
            for one in table.get("measured", ())
        ),
    )


def _model(table: Mapping[str, Any]) -> FrameModel:
    columns = {
        name: Column(float(one["weight"]), float(one["mean"]))
        for name, one in table.get("columns", {}).items()
    }
    return FrameModel(float(table["prior"]), float(table["threshold"]), MappingProxyType(columns))


@lru_cache(maxsize=1)
def load_rescue() -> RescueParameters:
    """The parameters that ship. Cost: 1 ms once per process."""
    return parse_rescue(read_shipped(RESCUE).decode("utf-8"))
