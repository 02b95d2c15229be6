"""RNA genes written for the tests."""

from __future__ import annotations

import random

_ARMS = ("GCCCGGATAGCTCAGTCGGTAGAGCAGGGGATT", "AATCCCCGTGTCCTTGGTTCGATTCCGAGTCCGGGCACCA")
"""A cloverleaf in front of the anticodon and behind it: stems of 7, 4, 5 and 5 pairs."""


def trna(anticodon: str = "GAA") -> str:
    """A tRNA of 76 bases with an anticodon of choice."""
    return f"{_ARMS[0]}{anticodon}{_ARMS[1]}"


def random_bases(length: int, seed: int = 1) -> str:
    return "".join(random.Random(seed).choices("ACGT", k=length))


def crispr(*, spacers: int = 5, seed: int = 3) -> str:
    """Made-up repeats of 29 bases with random spacers of 32."""
    repeat = "CGGTTCATCCCCGCGAATGCGGGGAATAC"
    return repeat + "".join(random_bases(32, seed=seed + each) + repeat for each in range(spacers))
