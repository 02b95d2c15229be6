"""Fit the confidence model and measure it: ``python -m training.confidence --data FOLDER``.

Writes ``confidence.toml`` with the parameters and what the levels meant, ``figures.md`` beside
the scripts with everything that was measured, and, in the work folder, the parameters fitted
without each group of genomes, for the bench. What takes long (blind families, searches) is
kept in the work folder; all of it takes two to three hours on two cores, again 12 min, half of
that with ``--skip-ablation``. Groups of genomes are in two folds, each with a build of families
that knows none of its genomes.

``--chosen`` fits nothing: it only takes over what is chosen (``annotation.toml``,
``online.toml``) into the parameters as they are; a new source begins with that.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from genint.knowledge.table_files import CONFIDENCE
from training.blind.builds import ROOT
from training.confidence.hiding import Folders
from training.confidence.run import run
from training.confidence.stated import with_chosen

OUTPUT = ROOT / "genint" / "knowledge" / "data" / CONFIDENCE
FIGURES = Path(__file__).with_name("figures.md")


def main(arguments: Sequence[str] | None = None) -> int:
    """Fit and write; 1 where the data folder is missing."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--work", type=Path, default=ROOT / "build" / "confidence")
    parser.add_argument("--families-work", type=Path, default=ROOT / "build" / "families")
    parser.add_argument("--output", type=Path, default=OUTPUT)
    parser.add_argument("--figures", type=Path, default=FIGURES)
    parser.add_argument("--skip-ablation", action="store_true")
    parser.add_argument("--chosen", action="store_true", help="take over chosen values, no fit")
    options = parser.parse_args(arguments)
    if options.chosen:
        present = options.output.read_text(encoding="utf-8")
        options.output.write_text(with_chosen(present), encoding="utf-8")
        print(f"wrote {options.output.name}")
        return 0
    if not (options.data / "genomes").is_dir():
        print(f"no such folder: {options.data}", file=sys.stderr)
        return 1
    folders = Folders(options.data, options.work, options.families_work)
    written = run(
        folders,
        with_ablation=not options.skip_ablation,
    )
    options.output.write_text(written.parameters, encoding="utf-8")
    options.figures.write_text(written.figures, encoding="utf-8")
    print(f"wrote {options.output.name} and {options.figures.name}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
