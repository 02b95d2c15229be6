from dataclasses import replace

from genint.selftest import Outcome, run_checks
from genint.selftest.genome import REFERENCES, known_genes, read_data, wrong_hits
from tests.selftest.conftest import check_named

CHECK = "similarity search"


async def test_the_nearest_protein_and_its_identity_are_found(places):
    (found,) = await run_checks([check_named(CHECK)], places)
    assert found.outcome is Outcome.OK


def test_a_reference_without_the_nearest_proteins_is_found(installation, pressed_cache):
    entries = read_data(REFERENCES).decode().split(">")
    left = ">".join(entry for entry in entries if not entry.startswith("COPY05_90"))
    installation.damage(f"selftest/data/{REFERENCES}", left.encode())
    found = installation.check(CHECK, pressed_cache)
    assert found.startswith("FAILED|portal protein at ")
    assert "not COPY05_90" in found


def test_a_reference_whose_protein_changed_is_found(installation, pressed_cache):
    entries = read_data(REFERENCES).decode().split(">")
    changed = [
        entry.replace("L", "W") if entry.startswith("COPY11_90") else entry for entry in entries
    ]
    installation.damage(f"selftest/data/{REFERENCES}", ">".join(changed).encode())
    found = installation.check(CHECK, pressed_cache)
    assert found.startswith("FAILED|endolysin at ")


def test_a_hit_where_there_must_be_none_is_named():
    gene = next(gene for gene in known_genes() if gene.nearest)
    (text,) = wrong_hits([(gene, None)])
    assert text == f"{gene.label} found nothing, not {gene.nearest}"
    assert wrong_hits([(replace(gene, nearest="", identity=None), None)]) == ()
