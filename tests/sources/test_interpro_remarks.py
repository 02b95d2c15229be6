"""Spurious proteins and predictions: what InterPro says that is no function."""

from __future__ import annotations

from dataclasses import replace

from genint.model import EvidenceType
from tests.sources.interpro_matches import entry, loose, matched


def test_a_model_of_spurious_proteins_speaks_against_the_gene(seen):
    found = seen(loose("ANF00277", "antifam", 5, 280, "Spurious ORF of a repeat.", "region"))
    assert (found.evidence, found.unknown_domains) == ((), ())
    (item,) = found.spurious
    assert (
        item.claim == "looks like a spurious protein (AntiFam ANF00277: Spurious ORF of a repeat)"
    )
    assert (item.type, item.strength) == (EvidenceType.GENE_CALL, "antifam")
    assert (item.accession, item.origin) == ("ANF00277", "antifam:ANF00277")
    assert item.label.endswith("(E 1.0e-50, 92% of the protein)")


def test_a_small_part_that_looks_spurious_is_told_in_words_only(seen):
    found = seen(loose("ANF00277", "antifam", 5, 60, "Spurious ORF", "region"))
    assert found.spurious == ()
    assert found.predictions == {
        "g": ("19% of the protein looks like a spurious one (AntiFam ANF00277: Spurious ORF)",)
    }


def predicted(accession, first, last, score, library="pfam"):
    found = loose(accession, library, first, last, "", "", model=None, score=None, evalue=None)
    place = found.places[0]._replace(score=score, evalue=None)
    return replace(found, is_prediction=True, places=(place,))


def test_what_is_predicted_is_told_in_words_and_is_no_evidence(seen):
    found = seen(predicted("PF00589", 92, 210, 0.9990003), predicted("PF77777", 220, 290, 0.95))
    assert (found.evidence, found.unknown_domains) == ((), ())
    assert found.predictions["g"] == (
        "InterPro-N, a language model, expects Pfam PF00589 (Phage integrase family) "
        "at residues 92 to 210 (score 0.99); no signature confirms it",
        "InterPro-N, a language model, expects Pfam PF77777 "
        "at residues 220 to 290 (score 0.95); no signature confirms it",
    )


def test_predictions_that_are_unsure_known_or_of_folds_are_not_told(seen):
    domain = entry("IPR001387", "HTH", "Cro/C1-type, helix-turn-helix domain", "domain")
    found = seen(
        matched("PF01381", "pfam", 1, 60, domain),
        predicted("PF01381", 1, 60, 0.99),
        predicted("PF00002", 10, 50, 0.99),
        predicted("PF00003", 100, 200, 0.89),
        predicted("PF00004", 100, 200, None),
        predicted("G3DSA:1", 100, 200, 0.99, "cathgene3d"),
        predicted("ANF00001", 1, 290, 0.99, "antifam"),
    )
    assert found.predictions == {}
    assert found.spurious == ()
