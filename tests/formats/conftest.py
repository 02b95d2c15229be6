"""Small GenBank texts to write tests with."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from genint.formats import read_genome_bytes
from genint.model import Genome

GenBankText = Callable[..., str]
BASES = "ATGAAACGTCTGGCAGAATACGATCTGTAAGCATGCATGCTTGCATGCATGCATGCATGC"
"""60 bases; 1..30 is a gene (MKRLAEYDL)."""


@pytest.fixture
def genbank() -> GenBankText:
    """A function that writes one record round a feature table."""

    def write(
        table: str = "", *, bases: str = BASES, shape: str = "linear", name: str = "X1"
    ) -> str:
        lines = [line for line in table.strip("\n").split("\n") if line.strip()]
        features = "".join(
            f"{' ' * 21}{line.strip()}\n" if line.strip().startswith("/") else
            f"     {line.split()[0]:<16}{''.join(line.split()[1:])}\n"
            for line in lines
        )  # fmt: skip
        return (
            f"LOCUS       {name:<16} {len(bases):>11} bp    DNA     {shape:<8} PHG 01-JAN-2020\n"
            f"DEFINITION  A small test phage.\nACCESSION   {name}\nVERSION     {name}.1\n"
            "SOURCE      Testphage\n  ORGANISM  Testphage one\n"
            "            Viruses; Caudoviricetes.\n"
            f"FEATURES             Location/Qualifiers\n{features}"
            f"ORIGIN\n        1 {bases.lower()}\n//\n"
        )

    return write


@pytest.fixture
def read() -> Callable[[str | bytes], Genome]:
    """A function that reads a text as a file of it would be read."""

    def read_text(text: str | bytes) -> Genome:
        return read_genome_bytes(text.encode() if isinstance(text, str) else text, "small.gbk")

    return read_text
