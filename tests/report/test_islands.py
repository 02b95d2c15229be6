import base64
import gzip
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from genint.report import CHUNK_GENES, data_blocks, embedded_json


def unpacked(island):
    return gzip.decompress(base64.b64decode(island.content)).decode()


def of_kind(result, kind):
    return [island for island in data_blocks(result).packed if island.kind == kind]


@pytest.fixture(scope="module")
def large(phix_result):
    """More genes than two chunks hold."""
    genes = (phix_result.genes * 40)[: 2 * CHUNK_GENES + 7]
    return phix_result.model_copy(update={"genes": genes})


@given(st.text())
def test_text_in_an_island_cannot_end_it_and_comes_back(text):
    written = embedded_json([text.encode(errors="replace").decode(), "</script><!--"])
    assert not set(written) & set("<>&\u2028\u2029")
    assert json.loads(written) == [text.encode(errors="replace").decode(), "</script><!--"]


def test_every_gene_is_in_the_chunk_that_its_number_leads_to(large):
    chunks = of_kind(large, "details")
    assert [chunk.first for chunk in chunks] == [0, CHUNK_GENES, 2 * CHUNK_GENES]
    ids = [[gene["id"] for gene in json.loads(unpacked(chunk))["genes"]] for chunk in chunks]
    assert [one for chunk in ids for one in chunk] == [gene.id for gene in large.genes]
    assert [len(chunk) for chunk in ids] == [CHUNK_GENES, CHUNK_GENES, 7]


@pytest.mark.parametrize("text", ["a\nb", "tab\there", "\u202egnp", "bell\x07", "\x7f", 'q"\\n'])
def test_details_say_texts_as_they_may_be_shown(phix_result, text):
    first = phix_result.genes[0].model_copy(update={"product": text})
    result = phix_result.model_copy(update={"genes": (first, *phix_result.genes[1:])})
    gene = json.loads(unpacked(of_kind(result, "details")[0]))["genes"][0]
    assert gene["product"].isprintable()
    assert gene["product"] == text or not text.isprintable()
    assert gene["evidence"] == json.loads(first.model_dump_json())["evidence"]


def test_dark_genes_come_in_the_order_of_their_ranks(large):
    rows = [row for island in of_kind(large, "dark") for row in json.loads(unpacked(island))]
    ranks = [large.genes[row[0]].novelty.rank for row in rows]
    assert ranks == sorted(ranks)
    assert len(ranks) == sum(gene.is_dark for gene in large.genes)
    assert tuple(rows[0][-1]) == large.genes[rows[0][0]].novelty.next_steps


def test_the_same_result_gives_the_same_islands(large):
    assert data_blocks(large) == data_blocks(large)
