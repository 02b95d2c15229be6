"""Fit the models of left-out genes, measure them on what was left out, write ``rescue.toml``.

``python -m training.genes --help``. Cost: half a minute, mostly for the bacteria.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from genint.errors import GenintError
from genint.knowledge.rescue import RescueParameters, load_rescue, parse_rescue
from genint.knowledge.table_files import RESCUE
from genint.model.rescue import HeldOut
from training.genes.examples import Frames, read_decoys, read_frames
from training.genes.figures import Figures, figures_text
from training.genes.homology import Searched, pooled, search
from training.genes.measuring import held_out, measure, measure_all
from training.genes.models import Models, fit_models, without_each
from training.genes.panel import read_panel, slug
from training.genes.writing import text_of
from training.pfam.pack import OUTPUT

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
    parser.add_argument(
        "--families",
        type=Path,
        help="blind builds of training.confidence (its work folder, then families); without them"
        " what homology adds stays as it ships",
    )
    options = parser.parse_args(arguments)
    groups = read_panel()
    try:
        frames = read_frames(groups, options.data / "genomes")
        decoys = read_decoys(
            [group for group in groups if not group.bacterium], options.data / "genomes"
        )
    except (GenintError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        raise SystemExit(2) from error
    made = fit_all(frames, decoys, options.families)
    (options.output / RESCUE).write_text(made.text, encoding="utf-8")
    if options.left_out is not None:
        options.left_out.mkdir(parents=True, exist_ok=True)
        for name, text in made.left_out.items():
            (options.left_out / f"{slug(name)}.toml").write_text(text, encoding="utf-8")
    options.figures.write_text(made.figures, encoding="utf-8")
    print(made.figures)


class Made(NamedTuple):
    """Texts.

    Attributes:
        text: Of the file that ships.
        left_out: Of the files without each group, by its name.
        figures: The document.
    """

    text: str
    left_out: Mapping[str, str]
    figures: str


def fit_all(
    frames: Sequence[Frames], decoys: Sequence[Frames], families: Path | None = None
) -> Made:
    """Fit with everything and without each group, measure what was left out.

    Args:
        frames: Of genomes.
        decoys: Of decoys of the phages among them.
        families: Folder of builds that know nothing of the genomes; None: none is there.
    """
    phages = [one for one in frames if not one.group.bacterium]
    bacteria = [one for one in frames if one.group.bacterium]
    basis = basis_of(phages, bacteria)
    everything = fit_models((*phages, *decoys), bacteria)
    models = without_each((*phages, *decoys), bacteria)
    reported = [one for one in phages if one.group.reported]
    shipped = load_rescue().homology
    searched: tuple[Searched, ...] = ()
    if families is not None:
        texts = {name: written(model, shipped, basis) for name, model in models.items()}
        searched = search(reported, parsed(texts), families)
    adds = {name: pooled(searched, name).log_odds if searched else shipped for name in models}
    texts = {name: written(model, adds[name], basis) for name, model in models.items()}
    parameters = parsed(texts)
    alone = measure_all(reported, parameters)
    hits = {one.frames.genome: one.hits for one in searched}
    blind = tuple(
        measure(one, parameters[one.group.name], hits[one.genome])
        for one in reported
        if one.genome in hits
    )
    false = tuple(measure(one, parameters[one.group.name]) for one in decoys if one.group.reported)
    all_adds = pooled(searched).log_odds if searched else shipped
    return Made(
        written(everything, all_adds, basis, held_out(blind or alone)),
        texts,
        figures_text(Figures(alone, blind, false, pooled(searched)), basis),
    )


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


def written(
    models: Models,
    homology: Mapping[str, float],
    basis: str,
    measured: Sequence[HeldOut] = (),
) -> str:
    """The text of a file of parameters."""
    return text_of(models, homology, version=VERSION, basis=basis, measured=measured)


def parsed(texts: Mapping[str, str]) -> dict[str, RescueParameters]:
    """Parameters of texts."""
    return {name: parse_rescue(text) for name, text in texts.items()}


if __name__ == "__main__":
    main()
