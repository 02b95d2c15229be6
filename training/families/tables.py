"""What ships: two profile packs, the table of families, and who is a member of which.

Readers: :mod:`genint.knowledge.own_families`. Same families, same bytes.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pyhmmer.plan7 import HMM

from genint.knowledge import profile_pack
from genint.knowledge.own_families import FamilyPack, build_version
from genint.knowledge.table_files import OWN_FAMILIES, OWN_FAMILY_MEMBERS
from genint.model.evidence import residues_digest
from training.families.attributes import Attributes
from training.families.naming import Label
from training.families.profiles import STEPS_PER_BIT
from training.families.values import Lineage, TrainingProtein
from training.families.wording import plain_text

COLUMNS = (
    "id pack name product symbol length_aa threshold_bits members named_members records consensus "
    "informative origins cog cog_purity pfam go vague ec"
).split()
_COMMENT = (
    "# Protein families of genint's own (training/families), named from INSDC and RefSeq records, "
    "UniProt (CC BY 4.0) and SEED annotations; GO terms CC BY 4.0, Pfam CC0"
)
_FILES = (*(which.file for which in FamilyPack), OWN_FAMILY_MEMBERS, OWN_FAMILIES)
"""In the order in which they are put in place."""
_MEMBERS_COMMENT = (
    "# Members that carry their family's name: the first 10 hex digits of the SHA-256 of each"
)


@dataclass(frozen=True, slots=True)
class FamilyRow:
    """A family that ships.

    Attributes:
        id: Such as GF0A1B2C3D.
        pack: Where its profile goes.
        label: Its name and what that rests on.
        length_aa: Match positions of its profile.
        threshold_bits: From which score a protein is a member.
        attributes: What else is known of it.
    """

    id: str
    pack: FamilyPack
    label: Label
    length_aa: int
    threshold_bits: float
    attributes: Attributes


def pack_of(members: Iterable[TrainingProtein]) -> FamilyPack:
    """The phage pack if any member was seen in a phage or prophage."""
    for member in members:
        if any(naming.lineage is Lineage.PHAGE for naming in member.namings):
            return FamilyPack.PHAGE
    return FamilyPack.BACTERIA


def write(
    folder: Path,
    rows: Iterable[FamilyRow],
    profiles: Mapping[str, HMM],
    steps_per_bit: int = STEPS_PER_BIT,
) -> dict[str, int]:
    """Write all four files, or none; returns their sizes in bytes by name, in the order written.

    Args:
        folder: Made if it is missing.
        rows: The families.
        profiles: By family id, with their thresholds and E-value parameters.
        steps_per_bit: How finely the packs keep probabilities.

    Raises:
        KeyError: a family has no profile.
    """
    folder.mkdir(parents=True, exist_ok=True)
    ordered = sorted(rows, key=lambda row: row.id)
    with tempfile.TemporaryDirectory(prefix=".unfinished-", dir=folder) as unfinished:
        _write_all(Path(unfinished), ordered, profiles, steps_per_bit)
        # Without its table a build is refused, so half of one is never taken for a whole.
        (folder / OWN_FAMILIES).unlink(missing_ok=True)
        for name in _FILES:
            Path(unfinished, name).replace(folder / name)
    return {name: (folder / name).stat().st_size for name in _FILES}


def _write_all(
    folder: Path, ordered: Sequence[FamilyRow], profiles: Mapping[str, HMM], steps_per_bit: int
) -> None:
    for which in FamilyPack:
        members = [profiles[row.id] for row in ordered if row.pack is which]
        (folder / which.file).write_bytes(profile_pack.encode(members, steps_per_bit))
    _write_lines(
        folder / OWN_FAMILY_MEMBERS,
        _MEMBERS_COMMENT,
        ("id", "members"),
        ((row.id, _members(row.label)) for row in ordered),
    )
    _write_lines(folder / OWN_FAMILIES, _COMMENT, COLUMNS, map(_cells, ordered))


def write_empty(folder: Path) -> dict[str, int]:
    """Write a set of no families: with it, what Pfam alone can do is measured."""
    return write(folder, (), {})


def print_sizes(folder: Path, sizes: Mapping[str, int]) -> None:
    """Say what was written."""
    for name, size in sizes.items():
        print(f"wrote {name}: {size / 1e6:.2f} MB")
    print(f"together {sum(sizes.values()) / 1e6:.2f} MB, families {build_version(folder)}")


def _cells(row: FamilyRow) -> tuple[str, ...]:
    label, known = row.label, row.attributes
    return (
        row.id,
        row.pack.value,
        plain_text(label.name),
        label.product or "",
        plain_text(label.symbol or ""),
        str(row.length_aa),
        f"{row.threshold_bits:.1f}",
        str(label.members),
        str(label.named_members),
        str(label.records),
        f"{label.consensus:.3f}",
        f"{label.informative:.3f}",
        " ".join(f"{origin.value}:{count}" for origin, count in label.origins),
        known.cog or "",
        f"{known.cog_purity:.3f}" if known.cog else "",
        " ".join(known.pfam),
        " ".join(known.go),
        "yes" if label.vague else "",
        " ".join(known.ec),
    )


def _members(label: Label) -> str:
    return "".join(member[:_HASH_DIGITS] for member in label.agreeing)


_HASH_DIGITS = len(residues_digest(""))


def _write_lines(
    path: Path, comment: str, heading: Sequence[str], rows: Iterable[tuple[str, ...]]
) -> None:
    lines = [comment, "\t".join(heading), *("\t".join(row) for row in rows)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8", newline="\n")
