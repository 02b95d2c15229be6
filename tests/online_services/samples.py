"""A small world with one protein of each kind, for tests that need no genome."""

from __future__ import annotations

from .made import Ids, Known, Protein, world_of

TAXON = 2681611


def residues_of(number: int, length: int = 120) -> str:
    """A made-up protein, another one for each number."""
    letters = "ACDEFGHIKLMNPQRSTVWY"
    state, drawn = number * 2_654_435_761 % 2**32 or 1, ["M"]
    while len(drawn) < length:
        state = (state * 1_664_525 + 1_013_904_223) % 2**32
        drawn.append(letters[(state >> 16) % 20])
    return "".join(drawn)


def _ids(number: int) -> Ids:
    return Ids(f"NP_90{number:04d}.1", f"AAZ9{number:04d}.1", f"made_{number:04d}", f"mad{number}")


EXPERIMENTAL = Protein(
    residues_of(1), "DNA terminase large subunit", _ids(1), eco="ECO:0000269", ec=("3.6.4.-",)
)
SIMILAR = Protein(residues_of(2), "Portal protein B", _ids(2), eco="ECO:0000250")
BY_RULE = Protein(residues_of(3), "Tail fiber protein", _ids(3), known=Known.UNREVIEWED)
SUBMITTED = Protein(residues_of(4), "Putative lysozyme", _ids(4), known=Known.SUBMITTED)
OTHER_SEQUENCE = Protein(
    residues_of(5), "Integrase", _ids(5), eco="ECO:0000269", other_residues=residues_of(5, 118)
)
ELSEWHERE = Protein(
    residues_of(6), "Serine protease", _ids(6), taxon_id=10665, organism="Another made-up phage"
)
UNIPARC_ONLY = Protein(
    residues_of(7),
    "Helicase domain protein",
    _ids(7),
    known=Known.UNIPARC_ONLY,
    entry_type="Domain",
)
WITHOUT_SIGNATURE = Protein(residues_of(8), "Unnamed", _ids(8), known=Known.WITHOUT_SIGNATURE)
SPURIOUS = Protein(residues_of(9), "Unnamed", _ids(9), known=Known.SPURIOUS)
UNKNOWN = Protein(residues_of(10), "Unnamed", known=Known.UNKNOWN)
PROTEINS = (
    EXPERIMENTAL,
    SIMILAR,
    BY_RULE,
    SUBMITTED,
    OTHER_SEQUENCE,
    ELSEWHERE,
    UNIPARC_ONLY,
    WITHOUT_SIGNATURE,
    SPURIOUS,
    UNKNOWN,
)
SAMPLE_WORLD = world_of(PROTEINS)
