from dataclasses import replace

from genint.selftest import Outcome
from genint.selftest.search import REFERENCES, SimilaritySearch, known_genes, misses, read_made

CHECK = "genint.selftest.search:SimilaritySearch()"


async def test_the_nearest_protein_and_its_identity_are_found(places, near):
    found = await SimilaritySearch().run(places, near)
    assert found.outcome is Outcome.OK


def test_a_reference_without_the_nearest_proteins_is_found(installation, pressed_cache):
    entries = read_made(REFERENCES).decode().split(">")
    left = ">".join(entry for entry in entries if not entry.startswith("COPY05_90"))
    installation.damage(f"selftest/data/{REFERENCES}", left.encode())
    found = installation.check(CHECK, pressed_cache)
    assert found.startswith("FAILED|portal protein at ")
    assert "not COPY05_90" in found


def test_a_reference_whose_protein_changed_is_found(installation, pressed_cache):
    entries = read_made(REFERENCES).decode().split(">")
    changed = [
        entry.replace("L", "W") if entry.startswith("COPY11_90") else entry for entry in entries
    ]
    installation.damage(f"selftest/data/{REFERENCES}", ">".join(changed).encode())
    found = installation.check(CHECK, pressed_cache)
    assert found.startswith("FAILED|endolysin at ")


def test_a_hit_where_there_must_be_none_is_missed_by_name():
    gene = next(gene for gene in known_genes() if gene.nearest)
    (text,) = misses([(gene, None)])
    assert text == f"{gene.words} found nothing, not {gene.nearest}"
    assert misses([(replace(gene, nearest="", identity=None), None)]) == ()
