import json
from pathlib import Path

import jsonschema
import pytest

import genint.report
from genint.report import GenintResult, json_schema, render_json

PUBLISHED = Path(genint.report.__file__).parent / "result.schema.json"


def test_the_published_schema_is_the_one_of_the_models():
    assert PUBLISHED.read_text("utf-8") == json_schema()


def test_a_result_is_valid_by_the_published_schema(phix_result):
    schema = json.loads(PUBLISHED.read_text("utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(json.loads(render_json(phix_result)), schema)


@pytest.mark.parametrize("key", ["score", "confidence", "evidence", "is_dark"])
def test_a_result_without_a_key_of_the_contract_is_invalid(phix_result, key):
    broken = json.loads(render_json(phix_result))
    del broken["genes"][0][key]
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(broken, json.loads(PUBLISHED.read_text("utf-8")))


def test_readers_ignore_keys_that_they_do_not_know(phix_result):
    newer = json.loads(render_json(phix_result)) | {"added_later": 1}
    assert GenintResult.model_validate(newer) == phix_result


def test_a_result_reads_back_as_itself(phix_result):
    assert GenintResult.model_validate_json(render_json(phix_result)) == phix_result


def test_genes_over_the_origin_end_before_they_start(phix_result):
    genes = {gene.protein_id: gene for gene in phix_result.genes}
    over = [gene for gene in genes.values() if gene.end < gene.start]
    assert sorted((gene.start, gene.end) for gene in over) == [
        (3981, 136),
        (4497, 136),
        (5075, 51),
    ]
    for gene in over:
        assert [(part.start, part.end) for part in gene.parts] == [(gene.start, gene.end)]


def test_dark_genes_have_no_claim_anywhere(nasty_result, phix_result):
    for result in (nasty_result, phix_result):
        for gene in result.genes:
            if gene.is_dark:
                assert (gene.confidence, gene.score, gene.function) == ("NONE", 0, None)
                assert (gene.evidence, gene.hypotheses) == ((), ())
                assert gene.novelty is not None


def test_the_counts_are_those_of_the_genes(phix_result):
    counts = phix_result.summary
    assert counts.total_genes == len(phix_result.genes) == 11
    assert counts.dark == sum(gene.is_dark for gene in phix_result.genes)
    levels = counts.high + counts.moderate + counts.low + counts.speculative
    assert levels == counts.interpreted_genes == counts.total_genes - counts.dark


def test_the_evidence_of_a_hypothesis_is_found_by_its_position(phix_result):
    for gene in phix_result.genes:
        positions = [at for hypothesis in gene.hypotheses for at in hypothesis.evidence]
        assert positions == list(range(len(gene.evidence)))


def test_reasoning_is_the_chain_joined_by_newlines(phix_result):
    for gene in phix_result.genes:
        assert gene.reasoning.split("\n") == list(gene.reasoning_chain or ("",))
