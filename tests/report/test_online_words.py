"""What services answered, in words: silence of a service is never told as a finding."""

from __future__ import annotations

import pytest

from genint.formats import read_genome
from genint.model.genome import Genome
from genint.model.online import OnlineService
from genint.report.build import answer_items
from genint.report.wording import (
    SENT,
    answer_texts,
    cell,
    dark_text,
    not_used,
    problem_texts,
    services_text,
    stated,
    unanswered_text,
    use_texts,
)
from tests.builders.online_results import (
    BOTH,
    OUTAGE,
    error,
    hit,
    known_without,
    not_asked,
    online_result,
    unknown,
)

UNIPROT, INTERPRO = BOTH
STALE_UNIPROT = "(from the cache, release 2026_03; the current one could not be checked)"
STALE_INTERPRO = "(from the cache, release 109.0; the current one could not be checked)"


@pytest.fixture(scope="module")
def genome(examples) -> Genome:
    return read_genome(examples / "phiX174.gbk")


def text_of(answer) -> str:
    [item] = answer_items([answer])
    return stated(item).text


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        (hit(UNIPROT, "P03034"), "UniProt: P03034 (2026_03)"),
        (hit(UNIPROT, "P03034")._replace(release=None), "UniProt: P03034"),
        (hit(UNIPROT, "P03034", "Q1XYZ2"), "UniProt: P03034, Q1XYZ2 (2026_03)"),
        (hit(UNIPROT, "P03034", stale=True), f"UniProt: P03034 {STALE_UNIPROT}"),
        (
            hit(UNIPROT, "P03034", stale=True)._replace(release=None),
            "UniProt: P03034 (from the cache; the current one could not be checked)",
        ),
        (hit(INTERPRO, "IPR001387", "PTHR30629"), "InterPro: IPR001387, PTHR30629 (109.0)"),
        (known_without(UNIPROT), "UniProt has the sequence, but no entry for it (2026_03)"),
        (
            known_without(INTERPRO),
            "InterPro has the sequence, but no signature matches it (109.0)",
        ),
        (
            known_without(INTERPRO, stale=True),
            f"InterPro has the sequence, but no signature matches it {STALE_INTERPRO}",
        ),
        (
            unknown(UNIPROT),
            "UniProt does not have the sequence, which says nothing about the protein (2026_03)",
        ),
        (not_asked(UNIPROT), "UniProt was not queried: the time was over"),
        (not_asked(INTERPRO, ""), "InterPro was not queried: no reason given"),
        (error(UNIPROT), "UniProt could not be queried: 503 after 4 attempts"),
        (error(INTERPRO)._replace(is_stale=True), "InterPro could not be queried: " + OUTAGE),
    ],
)
def test_every_state_has_its_words(answer, text):
    assert text_of(answer) == text


@pytest.mark.parametrize("service", OnlineService)
@pytest.mark.parametrize("answer", [error, not_asked, unknown])
def test_no_answer_is_never_told_as_nothing_known(service, answer):
    text = text_of(answer(service))
    for claim in ("no function", "nothing is known", "no entry", "none of its signatures"):
        assert claim not in text


def test_long_lists_of_accessions_are_cut_and_counted():
    text = text_of(hit(INTERPRO, *(f"IPR{at:06d}" for at in range(15))))
    assert text.endswith("IPR000011 and 3 more (109.0)")


def test_words_of_a_service_cannot_hide_or_drive_anything():
    text = text_of(error(UNIPROT, "bad\n\x1b[31m\u202eanswer"))
    assert text == "UniProt could not be queried: bad \ufffd[31m\ufffdanswer"


def test_a_table_has_accessions_or_the_word_of_the_state(genome):
    answers = [(hit(UNIPROT, "P1", "P2"), not_asked(INTERPRO)), (unknown(UNIPROT), error(INTERPRO))]
    first, second, *_ = online_result(genome, answers).genes
    assert (cell(first, UNIPROT), cell(first, INTERPRO)) == ("P1; P2", "not_asked")
    assert (cell(second, UNIPROT), cell(second, INTERPRO)) == ("not_in_database", "error")


def test_a_service_that_was_not_to_be_asked_has_no_cell(genome):
    result = online_result(genome, [(hit(UNIPROT, "P1"),)], services=[UNIPROT])
    assert cell(result.genes[0], INTERPRO) is None


def test_what_came_of_asking_is_counted_by_genes(genome):
    problem = f"could not be queried: {OUTAGE}"
    answers = [
        (hit(UNIPROT, "P1"), hit(INTERPRO, "IPR000001")),
        (known_without(UNIPROT), known_without(INTERPRO)),
        (unknown(UNIPROT), unknown(INTERPRO)),
        (error(UNIPROT), unknown(INTERPRO)),
    ]
    uniprot, interpro = use_texts(online_result(genome, answers, problems=[problem, ""]))
    assert uniprot == (
        "UniProt (release 2026_03) answered for 3 of 11 distinct proteins. Genes: 1 with an "
        "entry, 1 in the service without an entry, 1 not in the service (which says nothing about "
        "them), 8 not answered. UniProt could not be queried: 503 after 4 attempts."
    )
    assert interpro == (
        "InterPro (release 109.0) answered for 11 of 11 distinct proteins. Genes: 1 with a "
        "signature, 1 in the service without a signature, 9 not in the service (which says nothing "
        "about them)."
    )


def test_several_releases_are_named(genome):
    result = online_result(genome, [(hit(UNIPROT, "P1"),)], services=[UNIPROT])
    use = result.online[0].model_copy(update={"releases": ("2026_02", "2026_03")})
    [text] = use_texts(result.model_copy(update={"online": (use,)}))
    assert text.startswith("UniProt (releases 2026_02 and 2026_03) answered")


def test_a_genome_without_proteins_asks_nothing(genome):
    result = online_result(genome, [(hit(UNIPROT, "P1"),)], services=[UNIPROT])
    use = result.online[0].model_copy(update={"releases": (), "proteins": 0, "answered": 0})
    empty = result.model_copy(update={"online": (use,), "genes": ()})
    assert use_texts(empty) == ("UniProt: there was no protein to query.",)


def test_a_problem_is_a_sentence_of_its_own_and_not_told_twice(genome):
    problem = f"could not be queried: {OUTAGE}"
    result = online_result(genome, [(error(UNIPROT), unknown(INTERPRO))], problems=[problem, ""])
    assert problem_texts(result) == (f"UniProt {problem}",)
    unused = ("Pfam: not installed", f"UniProt {problem}; no answer for 11 of 11 proteins")
    assert not_used(result.model_copy(update={"unavailable": unused})) == unused[:1]


def test_dark_genes_that_a_service_was_silent_about_are_counted(genome):
    silent = online_result(genome, [(error(UNIPROT), unknown(INTERPRO))])
    assert silent.summary.dark == 1
    assert dark_text(silent) == (
        "For 1 of them a service gave no answer, so more may be known than is shown here."
    )
    [dark] = [gene for gene in silent.genes if gene.is_dark]
    assert unanswered_text(dark) == "UniProt could not be queried: 503 after 4 attempts"
    assert dark_text(online_result(genome, [(unknown(UNIPROT), unknown(INTERPRO))])) is None


def test_which_services_were_to_be_asked_is_told(genome):
    both = [(unknown(UNIPROT), unknown(INTERPRO))]
    assert services_text(online_result(genome, both)) == "queries UniProt and InterPro"
    assert services_text(online_result(genome, both, timeout_s=90)) == (
        "queries UniProt and InterPro for at most 90 s"
    )
    one = online_result(genome, [(unknown(INTERPRO),)], services=[INTERPRO], problems=[""])
    assert services_text(one) == "queries InterPro"


def test_offline_nothing_is_said(phix_result):
    assert services_text(phix_result) is None
    assert use_texts(phix_result) == problem_texts(phix_result) == ()
    assert dark_text(phix_result) is None
    assert not any(answer_texts(gene) for gene in phix_result.genes)


def test_what_was_sent_is_no_sequence():
    assert "no sequence" in SENT
