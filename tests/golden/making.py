"""Golden files: what genint writes of three genomes, in all formats.

Two genomes are the examples that the project carries, the third is made up here. The files are
made through the command line and compared byte for byte, but for last digits of fractions, which
processors with other vector units round otherwise; ``make golden`` renews them after a change that
is meant, and ``git diff`` then shows what users will see.
"""

from __future__ import annotations

import base64
import gzip
import random
import re
import shutil
import zipfile
from pathlib import Path

from genint.cli.main import run
from genint.report import FORMATS
from tests.builders.rna import crispr, random_bases, trna

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
FILES = Path(__file__).parent / "files"
GENOMES = ("lambda.fasta", "phiX174.gbk", "draft.fna")
LARGE_BYTES = 100_000
"""Files above this size are kept compressed."""
_ISLAND = re.compile(r"H4sI[A-Za-z0-9+/]+=*")
_CODE = re.compile(r"(<(style|script)>).*?(</\2>)", re.DOTALL)
_FRACTION = re.compile(rb"(\d+\.\d+(?:e[-+]?\d+)?|\d+e-\d+)")
_ROUNDING = 2e-3
"""Relative: scores of HMMER differ by up to 0.0005 bits from processor to processor."""
_FEW_DECIMALS = 2
"""From which a last digit may turn over: 0.785 is 0.78 or 0.79; a version (0.1) is exact."""
_DIGEST = re.compile(r"sha256-[A-Za-z0-9+/]+=*")


def outputs(name: str, folder: Path) -> dict[str, bytes]:
    """What genint writes of a genome into an empty folder: file name -> content."""
    genome = folder / name
    if name == "draft.fna":
        genome.write_text(draft(), "ascii")
    else:
        shutil.copy(EXAMPLES / name, genome)
    stem = f"{genome.stem}_report"
    formats = [word for one in FORMATS if one != "dark-fasta" for word in ("--format", one)]
    dark = ["--dark-fasta", f"{folder}/{stem}.dark.faa"]
    assert run(["interpret", str(genome), *formats, *dark, "-o", str(folder)]) == 0
    written = sorted(path for path in folder.iterdir() if path != genome)
    return {path.name: content_of(path) for path in written}


def content_of(path: Path) -> bytes:
    """The file; a page without its styles and scripts, and with its data unpacked.

    Styles and scripts are files of their own in the sources, and bytes of compressed data are
    those of the zlib of this machine.
    """
    if path.suffix == ".xlsx":
        return _parts_of(path)
    if path.suffix != ".html":
        return path.read_bytes()
    page = _DIGEST.sub("sha256-...", _CODE.sub(r"\1...\3", path.read_text("utf-8")))
    return _ISLAND.sub(_unpacked, page).encode()


def _parts_of(workbook: Path) -> bytes:
    """The XML files of a workbook, one after the other."""
    with zipfile.ZipFile(workbook) as parts:
        return b"\n".join(name.encode() + b"\n" + parts.read(name) for name in parts.namelist())


def _unpacked(island: re.Match[str]) -> str:
    return gzip.decompress(base64.b64decode(island[0])).decode()


def are_alike(made: bytes, golden: bytes) -> bool:
    """Whether two contents are the same but for the last digits of fractions."""
    ours, theirs = _FRACTION.split(made), _FRACTION.split(golden)
    return ours[::2] == theirs[::2] and all(
        one == other or _is_rounding(one.decode(), other.decode())
        for one, other in zip(ours[1::2], theirs[1::2], strict=True)
    )


def _is_rounding(one: str, other: str) -> bool:
    """Whether two fractions differ in their last digit, or by less than processors differ."""
    difference = abs(float(one) - float(other))
    if difference <= _ROUNDING * abs(float(other)):
        return True
    mantissa, _, exponent = min(one, other, key=len).partition("e")
    decimals = len(mantissa.partition(".")[2])
    if decimals < _FEW_DECIMALS and not exponent:
        return False
    return difference <= 1.01 * 10.0 ** (int(exponent or 0) - decimals)


def draft() -> str:
    """An assembly of three pieces: a mutated one that cuts genes, RNA genes, and random bases."""
    lines = (EXAMPLES / "lambda.fasta").read_text("ascii").splitlines()
    phage = "".join(lines[1:])
    pieces = {
        "piece_1 mutated, cut on both sides": mutated(phage[9_000:21_000], 0.03),
        "piece_2 with RNA genes": random_bases(400, seed=11)
        + trna()
        + random_bases(300, seed=12)
        + crispr()
        + phage[34_000:39_000].translate(str.maketrans("ACGT", "TGCA"))[::-1],
        "piece_3 of chance and gaps": random_bases(900, seed=13) + "N" * 50 + "acgtryn" * 20,
    }
    return "".join(f">{header}\n{bases}\n" for header, bases in pieces.items())


def mutated(bases: str, share: float) -> str:
    """The bases with a share of them replaced by chance, always the same ones."""
    chance = random.Random(7)
    return "".join(chance.choice("ACGT") if chance.random() < share else base for base in bases)


def kept(folder: Path = FILES) -> dict[str, bytes]:
    """The golden files: name -> content."""
    return {
        path.name.removesuffix(".gz"): gzip.decompress(path.read_bytes())
        if path.suffix == ".gz"
        else path.read_bytes()
        for path in sorted(folder.iterdir())
    }


def keep(made: dict[str, bytes], folder: Path = FILES) -> None:
    """Write golden files in place of all that were kept; unchanged ones are left alone."""
    folder.mkdir(exist_ok=True)
    before = kept(folder)
    for path in folder.iterdir():
        if path.name.removesuffix(".gz") not in made:
            path.unlink()
    for name, content in made.items():
        if before.get(name) != content:
            for old in (folder / name, folder / f"{name}.gz"):
                old.unlink(missing_ok=True)
            if len(content) > LARGE_BYTES:
                (folder / f"{name}.gz").write_bytes(gzip.compress(content, 9, mtime=0))
            else:
                (folder / name).write_bytes(content)
