"""Parameters as the text of ``rescue.toml``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from genint.knowledge.rescue import FrameModel
from genint.model.rescue import HeldOut
from training.genes.models import LEAST, Models

PATTERNS: Mapping[str, tuple[float, str]] = {
    "outer_spanin_in_inner_spanin": (2.0, "stated: a lipoprotein of its size where one must be"),
    "lysis_in_external_scaffold": (2.0, "stated: in all microviruses of phiX174's kind"),
    "scaffold_in_microvirus_replication": (2.0, "stated: in all microviruses of phiX174's kind"),
    "lysis_over_levivirus_replicase": (2.0, "stated: in all leviviruses of MS2's kind"),
    "shorter_microvirus_replication": (3.0, "stated: in all microviruses of phiX174's kind"),
    "shorter_primase_helicase": (3.0, "stated: in phages of T7's kind"),
    "scaffold_in_head_protease": (6.0, "stated: lifts Nu3 of lambda to about one in eight"),
    "dual_start_of_holin": (7.5, "stated: lifts such a start to about one in three"),
}
"""Log-odds and what they rest on: too few of each are annotated to fit them."""


def text_of(
    models: Models,
    homology: Mapping[str, float],
    *,
    version: str,
    basis: str,
    measured: Sequence[HeldOut] = (),
) -> str:
    """The file."""
    lines = [*_lines(models, homology, version, basis), *_measured(measured)]
    return "\n".join(lines) + "\n"


def _measured(measured: Sequence[HeldOut]) -> Iterator[str]:
    if measured:
        yield ""
        yield "# How often probabilities held in genomes that were left out of the fit."
    for one in measured:
        yield "[[measured]]"
        yield from (f"{name} = {value}" for name, value in one._asdict().items())


def _lines(
    models: Models, homology: Mapping[str, float], version: str, basis: str
) -> Iterator[str]:
    yield "# How probable it is that a frame which the gene finder leaves out is a gene: addends of"
    yield "# log-odds, fitted by `python -m training.genes` (figures: training/genes/figures.md)."
    yield f'version = "{version}"'
    yield f'basis = "{basis}"'
    yield f"least = {LEAST}"
    yield "# Added in genomes of bacteria, where fewer such frames are genes."
    yield f"in_bacteria = {models.in_bacteria}"
    yield ""
    yield "# What a search of the frame's protein says: of families of genint's own, of Pfam."
    yield "[homology]"
    yield from (f"{name} = {value}" for name, value in homology.items())
    yield ""
    yield "[patterns]"
    for name, (value, reason) in PATTERNS.items():
        yield f"{name} = {value} # {reason}"
    for name, model in (
        ("nested", models.nested),
        ("outside", models.outside),
        ("filtered", models.filtered),
        ("internal", models.internal),
    ):
        yield ""
        yield from _model(name, model)


def _model(name: str, model: FrameModel) -> Iterator[str]:
    yield f"[{name}]"
    yield f"prior = {model.prior}"
    yield f"threshold = {model.threshold}"
    if model.columns:
        yield f"[{name}.columns]"
    for column, one in model.columns.items():
        yield f"{column} = {{ weight = {one.weight}, mean = {one.mean} }}"
