"""Defence systems that were made up, and hits of their profiles."""

from __future__ import annotations

from genint.knowledge.defence import DefenceDatabase, DefenceProfile, DefenceSystem
from genint.model.overview import MarkerHit

DATABASE = "PADLOC-DB 2.0.0"


def system(id: str, core: str, secondary: str = "", **changed: object) -> DefenceSystem:
    """A system of two core proteins side by side; genes are parted by spaces."""
    values: dict[str, object] = {
        "title": id.replace("_", " "),
        "group": "DMS",
        "is_one_strand": False,
        "most_between": 1,
        "least_core": 2,
        "least_total": 2,
    }
    for name in ("neutral", "prohibited"):
        changed[name] = tuple(str(changed.get(name, "")).split())
    genes = {"core": tuple(core.split()), "secondary": tuple(secondary.split())}
    return DefenceSystem(id=id, **genes, **(values | changed))


def database(*systems: DefenceSystem, **groups: str) -> DefenceDatabase:
    """Systems with one profile for each protein of them; ``groups`` are of a protein."""
    named = {
        name: None
        for one in systems
        for name in (*one.core, *one.secondary, *one.neutral, *one.prohibited)
    } | dict.fromkeys(groups)
    profiles = (
        DefenceProfile(
            *(name, f"{name}_1", (name,), tuple(groups.get(name, "").split()), name),
            *(1e-5, 0.5, 0.3),
        )
        for name in named
    )
    return DefenceDatabase.of(DATABASE, profiles, systems)


def hit(gene_id: str, protein: str, evalue: float = 1e-30) -> MarkerHit:
    """A hit of the profile of a protein."""
    return MarkerHit(
        *(gene_id, DATABASE, protein, f"{protein}_1", protein),
        **{"score_bits": 100.0, "evalue": evalue, "identity": None},
        **{"coverage": 0.9, "target_coverage": 0.95},
    )


def hits(**proteins: str) -> dict[str, list[MarkerHit]]:
    """Gene id -> hits of proteins, of which the first is the best."""
    return {
        gene_id: [hit(gene_id, name, 10.0 ** (at - 30)) for at, name in enumerate(names.split())]
        for gene_id, names in proteins.items()
    }
