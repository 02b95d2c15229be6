"""A build of three families from made-up proteins, for tests that need families of their own."""

from __future__ import annotations

import hashlib
import random
from pathlib import Path
from typing import NamedTuple

from pyhmmer.easel import Alphabet, TextSequence
from pyhmmer.plan7 import HMM, Background, Builder

from genint.knowledge import FamilyPack, profile_pack

HEADING = (
    "id pack name product symbol length_aa threshold_bits members named_members records"
    " consensus informative origins cog cog_purity pfam go vague ec"
).split()
THRESHOLD_BITS = 25.0


def made_up(seed: int, length: int = 160) -> str:
    """A protein that nature never made, the same for the same seed."""
    return "M" + "".join(random.Random(seed).choices("ACDEFGHIKLMNPQRSTVWY", k=length - 1))


class MadeFamily(NamedTuple):
    """What a row of the table says, and the protein that the profile is made of."""

    id: str
    pack: FamilyPack
    name: str
    product: str
    protein: str
    columns: tuple[tuple[str, str], ...] = ()
    threshold_bits: float = THRESHOLD_BITS

    def row(self) -> str:
        """Its line of ``families.tsv``."""
        cells = {
            "id": self.id,
            "pack": self.pack.value,
            "name": self.name,
            "product": self.product,
            "length_aa": str(len(self.protein)),
            "threshold_bits": f"{self.threshold_bits}",
            "members": "18",
            "named_members": "16",
            "records": "12",
            "consensus": "0.930",
            "informative": "0.890",
            "origins": "swissprot:2 submitter:12 seed:2",
            "vague": "",
        } | dict(self.columns)
        return "\t".join(cells.get(column, "") for column in HEADING)

    def profile(self) -> HMM:
        """A profile of its one protein."""
        alphabet = Alphabet.amino()
        sequence = TextSequence(name=self.id, sequence=self.protein).digitize(alphabet)
        made, _, _ = Builder(alphabet, seed=42).build(sequence, Background(alphabet))
        made.accession = self.id
        made.cutoffs.gathering = (self.threshold_bits, self.threshold_bits)
        return made


TERMINASE = MadeFamily(
    "GF0000000A",
    FamilyPack.PHAGE,
    "terminase large subunit",
    "terminase_large_subunit",
    made_up(1),
    (("symbol", "terL"), ("cog", "X"), ("cog_purity", "0.95"), ("go", "GO:0019073")),
)
FIBER = MadeFamily(
    "GF0000000B",
    FamilyPack.PHAGE,
    "tail fiber protein",
    "tail_fiber_protein",
    made_up(2),
    (("consensus", "0.700"), ("origins", "seed:5"), ("named_members", "14")),
)
GYRASE = MadeFamily(
    "GF0000000C", FamilyPack.BACTERIA, "DNA gyrase subunit A", "dna_gyrase_subunit_a", made_up(3)
)
FAMILIES = (TERMINASE, FIBER, GYRASE)


def member_digits(*proteins: str) -> str:
    """Proteins as ``family_members.tsv`` writes them."""
    return "".join(hashlib.sha256(protein.encode()).hexdigest()[:10] for protein in proteins)


def write_build(folder: Path, families: tuple[MadeFamily, ...] = FAMILIES) -> Path:
    """A folder as the build of families leaves it."""
    folder.mkdir(parents=True, exist_ok=True)
    for kind in FamilyPack:
        profiles = (family.profile() for family in families if family.pack is kind)
        (folder / kind.file).write_bytes(profile_pack.encode(profiles, 6))
    rows = ["# made for tests", "\t".join(HEADING), *(family.row() for family in families)]
    (folder / "families.tsv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    others = [made_up(seed) for seed in range(100, 113)]
    lines = [f"{family.id}\t{member_digits(family.protein, *others)}" for family in families]
    table = "\n".join(["# made for tests", "id\tmembers", *lines]) + "\n"
    (folder / "family_members.tsv").write_text(table, encoding="utf-8")
    return folder
