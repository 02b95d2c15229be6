"""Fit the models of left-out genes, measure them on what was left out, write ``rescue.toml``.

``python -m training.genes --help``. Cost: half a minute, mostly for the bacteria.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from genint.errors import GenintError
from genint.knowledge.rescue import RescueParameters, parse_rescue
from genint.knowledge.shipped import RESCUE
from training.genes.examples import Frames, read_frames
from training.genes.figures import figures_text
from training.genes.homology import LOG_ODDS
from training.genes.measuring import measure_all
from training.genes.models import Models, fit_models, without_each
from training.genes.panel import read_panel, slug
from training.genes.writing import text_of
from training.pfam_pack import OUTPUT

VERSION = "1.0"
FIGURES = Path(__file__).with_name("figures.md")


def main(arguments: Sequence[str] | None = None) -> None:
    """Read, fit, measure, write; exit status 2 and one line where that cannot be."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=Path("../shared/data"), help="data folder")
    parser.add_argument("--output", type=Path, default=OUTPUT, help="folder for the file")
    parser.add_argument("--figures", type=Path, default=FIGURES, help="document of figures")
    parser.add_argument("--left-out", type=Path, help="folder for the files without each group")
    options = parser.parse_args(arguments)
    try:
        frames = read_frames(read_panel(), options.data / "genomes")
    except (GenintError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        raise SystemExit(2) from error
    phages = [one for one in frames if not one.group.bacterium]
    bacteria = [one for one in frames if one.group.bacterium]
    basis = basis_of(phages, bacteria)
    text = written(fit_models(phages, bacteria), basis)
    (options.output / RESCUE).write_text(text, encoding="utf-8")
    texts = {
        name: written(models, basis) for name, models in without_each(phages, bacteria).items()
    }
    if options.left_out is not None:
        _write_left_out(texts, options.left_out)
    reported = [one for one in phages if one.group.reported]
    document = figures_text(measure_all(reported, parsed(texts)), basis)
    options.figures.write_text(document, encoding="utf-8")
    print(document)


def basis_of(phages: Sequence[Frames], bacteria: Sequence[Frames]) -> str:
    """What the models were fitted on, in one sentence."""
    genomes = len({one.genome for one in phages})
    stops = {(one.genome, stop) for one in phages for stop in one.stop.tolist()}
    genes = {
        (one.genome, stop)
        for one in phages
        for stop, is_gene in zip(one.stop.tolist(), one.is_gene.tolist(), strict=True)
        if is_gene
    }
    return (
        f"Fitted on {len(stops):,} frames of {genomes} annotated phages that the gene finder does"
        f" not call, {len(genes)} of them genes of the record; for bacteria on"
        f" {len({one.genome for one in bacteria})} genomes."
    )


def written(models: Models, basis: str) -> str:
    """The text of a file of parameters."""
    return text_of(models, LOG_ODDS, version=VERSION, basis=basis)


def parsed(texts: Mapping[str, str]) -> dict[str, RescueParameters]:
    """Parameters of texts."""
    return {name: parse_rescue(text) for name, text in texts.items()}


def _write_left_out(texts: Mapping[str, str], folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        (folder / f"{slug(name)}.toml").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
