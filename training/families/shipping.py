"""The last steps: what else is known of the families, and the files that ship."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

from genint.knowledge.own_families import FamilyPack
from genint.knowledge.pfam import load_families
from training.families import attributes, tables
from training.families.build import BuiltFamily, Material, Work
from training.families.profiles import load_profiles
from training.families.report import Log
from training.families.values import TrainingProtein


def ship(
    work: Work, material: Material, built: Sequence[BuiltFamily], output: Path, log: Log
) -> None:
    """Add Pfam, COG and GO; write packs and tables into the folder.

    Two calls with the same families write the same bytes.
    """
    with log.step("attributes"):
        known = _attributes(work, material, built)
    with log.step("packs and tables"):
        limits = {family.cluster.id: family.threshold.bits for family in built}
        wanted = [family.profile for family in built]
        profiles = {profile.name: profile for profile in load_profiles(wanted, work.store, limits)}
        rows = [
            tables.FamilyRow(
                id=family.cluster.id,
                pack=tables.pack_of(_members(family, material)),
                label=family.label,
                length_aa=profiles[family.cluster.id].M,
                threshold_bits=family.threshold.bits,
                attributes=known[family.cluster.id],
            )
            for family in built
        ]
        sizes = tables.write(output, rows, profiles, work.steps_per_bit)
    for name, size in sizes.items():
        log.count(f"{name} bytes", size)
        log.count(f"{name} SHA-256", hashlib.sha256((output / name).read_bytes()).hexdigest())
    log.count("bytes together", sum(sizes.values()))
    for which in FamilyPack:
        log.count(f"families in pack {which}", sum(row.pack is which for row in rows))
    log.count("profile positions", sum(row.length_aa for row in rows))
    tables.print_sizes(output, sizes)


def _members(family: BuiltFamily, material: Material) -> tuple[TrainingProtein, ...]:
    return tuple(material.corpus.proteins[key] for key in family.cluster.members)


def _attributes(
    work: Work, material: Material, built: Sequence[BuiltFamily]
) -> dict[str, attributes.Attributes]:
    searched = {
        protein
        for family in built
        for protein in attributes.searched(family.label, _members(family, material))
    }
    ordered = sorted(searched, key=lambda protein: protein.hash)
    matches = attributes.search(ordered, work.pfam, work.store, work.processes) if work.pfam else {}
    pfam = load_families()
    return {
        family.cluster.id: attributes.attributes(
            family.label, _members(family, material), matches, work.vocabulary, pfam
        )
        for family in built
    }
