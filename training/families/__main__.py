"""Build genint's own families: ``python -m training.families --help``.

From the corpus (inputs.toml) to the packs and tables of ``genint/knowledge/data``. Two
runs give the same bytes. With ``--exclude`` the build knows nothing of the records and
proteins of that file, and does again only what they touch.
"""

from __future__ import annotations

import argparse
import os
import sqlite3
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyfamsa
import pyhmmer

from genint.knowledge.products import load_products
from genint.knowledge.table_files import FINEST_STEPS
from training.families import mmseqs
from training.families.build import Material, Work, gather, make
from training.families.corrections import FILE, id_of, load_corrections, unused
from training.families.exclusion import read_exclusion
from training.families.inputs import INPUTS, InputError, load_inputs
from training.families.naming import check_decided
from training.families.profiles import STEPS_PER_BIT
from training.families.report import Log
from training.families.rivals import load_rivals_read
from training.families.shipping import ship
from training.families.values import Exclusion

OUTPUT = Path(__file__).resolve().parents[2] / "genint" / "knowledge" / "data"
REPORT = "report.json"


def main(arguments: Sequence[str] | None = None) -> None:
    """Build, and say what was done; exit status 2 and one line where that cannot be."""
    options = _options(arguments)
    log = Log()
    try:
        _build(options, log)
    except (InputError, OSError, sqlite3.Error) as error:
        print(f"error: {error}", file=sys.stderr)
        raise SystemExit(2) from error


def _check_options(options: argparse.Namespace) -> None:
    """What can be told wrong before any costly step.

    Raises:
        InputError: an option asks for what cannot or must not be done.
    """
    if options.exclude and options.output.resolve() == OUTPUT.resolve():
        raise InputError("--exclude makes a blind build, which must not ship: give --output")
    if options.processes < 1:
        raise InputError(f"--processes is {options.processes}, at least 1 is needed")
    if not 1 <= options.steps_per_bit <= FINEST_STEPS:
        raise InputError(f"--steps-per-bit is {options.steps_per_bit}, not 1 to {FINEST_STEPS}")
    for option, folder in (("--work", options.work), ("--output", options.output)):
        _check_folder(option, folder.absolute())


def _check_folder(option: str, folder: Path) -> None:
    """Whether a folder can be written, or made; makes nothing yet."""
    nearest = next(path for path in (folder, *folder.parents) if path.exists())
    if not nearest.is_dir():
        raise InputError(f"{option} {folder}: {nearest} is not a folder")
    if not os.access(nearest, os.W_OK | os.X_OK):
        raise InputError(f"{option} {folder}: {nearest} cannot be written to")


def _build(options: argparse.Namespace, log: Log) -> None:
    _check_options(options)
    exclusion = read_exclusion(options.exclude) if options.exclude else Exclusion()
    work = Work(
        data=options.data,
        folder=options.work,
        inputs=load_inputs(options.inputs),
        vocabulary=load_products(),
        corrections=load_corrections(options.corrections, with_names_read=not options.exclude),
        rivals_read=frozenset() if options.exclude else load_rivals_read(),
        processes=options.processes,
        steps_per_bit=options.steps_per_bit,
    )
    check_decided(work.corrections, work.vocabulary)
    for tool, version in _versions(work).items():
        log.count(tool, version)
    for one in work.inputs:
        log.count(f"input {one.path}", one.sha256, shown=False)
    material = gather(work, exclusion, log)
    if not options.exclude:
        log.names("corrections that fit nothing", _unused(work, material))
    built = make(work, material, log)
    log.count("families", len(built))
    ship(work, material, built, options.output, log)
    log.write(options.work / REPORT)


def _unused(work: Work, material: Material) -> tuple[str, ...]:
    ids = {id_of(member) for group in material.clusters for member in group.members}
    ids.update(group.id for group in material.clusters)
    return unused(work.corrections, material.corpus.proteins.values(), ids)


def _versions(work: Work) -> dict[str, str]:
    return {
        "MMseqs2": mmseqs.VERSION,
        "pyfamsa": pyfamsa.__version__,
        "pyhmmer": pyhmmer.__version__,
        "numpy": np.__version__,
        "product vocabulary": work.vocabulary.version,
    }


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="training.families", description=__doc__)
    parser.add_argument(
        "--data", type=Path, default=Path("../shared/data"), help="folder of the inputs"
    )
    parser.add_argument(
        "--work", type=Path, default=Path("build/families"), help="what costs time is kept here"
    )
    parser.add_argument("--output", type=Path, default=OUTPUT, help="where packs and tables go")
    parser.add_argument("--exclude", type=Path, help="records and proteins not to know of")
    parser.add_argument("--inputs", type=Path, default=INPUTS, help="another list of inputs")
    parser.add_argument(
        "--corrections", type=Path, default=FILE, help="another file of corrections"
    )
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument(
        "--steps-per-bit", type=int, default=STEPS_PER_BIT, help="how fine the packs are, 1 to 12"
    )
    return parser.parse_args(arguments)


if __name__ == "__main__":
    main()
