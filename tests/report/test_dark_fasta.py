import io
import re

import pytest
from Bio import SeqIO
from hypothesis import given
from hypothesis import strategies as st
from pyhmmer.easel import Alphabet, SequenceFile

from genint.errors import InputError
from genint.report import GeneItem, GenintResult, render_dark_fasta
from tests.builders.hostile_results import rewritten

from .real_genomes import interpreted


def dark_of(result: GenintResult) -> list[GeneItem]:
    found = [gene for gene in result.genes if gene.novelty is not None]
    return sorted(found, key=lambda gene: gene.novelty.rank if gene.novelty else 0)


def changed(result: GenintResult, **fields: object) -> GenintResult:
    """The result with its first dark gene alone, and that changed."""
    gene = dark_of(result)[0].model_copy(update=fields)
    return result.model_copy(update={"genes": (gene,)})


def entries(text: str) -> list[SeqIO.SeqRecord]:
    return list(SeqIO.parse(io.StringIO(text), "fasta"))


@pytest.fixture(scope="module")
def lambda_result(examples) -> GenintResult:
    return interpreted(examples / "lambda.fasta").result


def test_dark_proteins_stand_by_rank_with_their_residues(lambda_result):
    found = entries(render_dark_fasta(lambda_result))
    expected = dark_of(lambda_result)
    assert len(expected) > 1
    assert [entry.id for entry in found] == [gene.id for gene in expected]
    assert [str(entry.seq) for entry in found] == [gene.translation for gene in expected]


def test_a_header_says_where_the_gene_lies_and_why_it_matters(phix_result):
    gene = dark_of(phix_result)[0]
    assert gene.novelty is not None
    [entry] = entries(render_dark_fasta(changed(phix_result)))
    assert entry.description == (
        f"{gene.id} NC_001422:51-221(+) length={gene.length_aa} rank=1 "
        f"priority={gene.novelty.priority} {'; '.join(gene.novelty.reasons)}"
    )


def test_a_pseudogene_is_called_one_in_its_header(phix_result):
    gene = dark_of(phix_result)[0]
    assert gene.novelty is not None
    [entry] = entries(render_dark_fasta(changed(phix_result, pseudo=True)))
    assert f"priority={gene.novelty.priority} pseudogene {gene.novelty.reasons[0]}" in (
        entry.description
    )


def test_joined_parts_are_all_in_the_header(phix_result):
    part = dark_of(phix_result)[0].parts[0]
    parts = (part, part.model_copy(update={"start": 5300, "end": 12}))
    assert ":51-221,5300-12(+) " in render_dark_fasta(changed(phix_result, parts=parts))
    mixed = (part, part.model_copy(update={"start": 300, "end": 412, "strand": "-"}))
    assert ":51-221(+),300-412(-) " in render_dark_fasta(changed(phix_result, parts=mixed))


@pytest.mark.parametrize("residues", [1, 59, 60, 61, 120, 121])
def test_lines_hold_at_most_sixty_residues(phix_result, residues):
    text = render_dark_fasta(changed(phix_result, translation="M" * residues, length_aa=residues))
    _, *lines = text.splitlines()
    assert "".join(lines) == "M" * residues
    assert all(len(line) == 60 for line in lines[:-1])
    assert 0 < len(lines[-1]) <= 60
    assert text.endswith("\n")


def test_stops_inside_a_protein_become_x_and_keep_its_length(phix_result):
    text = render_dark_fasta(changed(phix_result, translation="MK*L*V", length_aa=6))
    [entry] = entries(text)
    assert str(entry.seq) == "MKXLXV"


def test_nothing_in_a_protein_can_start_an_entry(phix_result):
    [entry] = entries(render_dark_fasta(changed(phix_result, translation="MK\n>x y\nk-.")))
    assert re.fullmatch("[A-Z]+", str(entry.seq))


def test_a_gene_without_protein_is_left_out(phix_result):
    assert render_dark_fasta(changed(phix_result, translation="", length_aa=0)) == ""


def test_a_genome_without_dark_genes_gives_an_empty_text(phix_result):
    assert render_dark_fasta(phix_result.model_copy(update={"genes": ()})) == ""


def test_an_older_result_without_proteins_says_what_to_do(phix_result):
    with pytest.raises(InputError, match=r"older genint; interpret the genome again"):
        render_dark_fasta(changed(phix_result, translation=""))


@pytest.mark.parametrize(
    "text",
    [">", " ", "\t", "\n>evil\nMKV\n", "\r", "\x01", "\u202e", "%", "%20", ";", "|", "β", "\u2028"],
)
def test_names_cannot_break_the_file(lambda_result, text, tmp_path):
    result = rewritten(lambda_result, lambda old: text + old + text)
    expected = [gene.translation for gene in dark_of(result)]
    fasta = render_dark_fasta(result)
    found = entries(fasta)
    assert [str(entry.seq) for entry in found] == expected
    assert len({entry.id for entry in found}) == len(expected)
    assert all(entry.id.isascii() and not entry.id.startswith(">") for entry in found)
    path = tmp_path / "dark.faa"
    path.write_text(fasta, "utf-8")
    with SequenceFile(path, digital=True, alphabet=Alphabet.amino()) as file:
        assert len(list(file)) == len(expected)


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1))
def test_any_name_gives_one_entry_with_the_same_first_word(phix_result, name):
    text = render_dark_fasta(changed(phix_result, id=name))
    assert text.count("\n>") == 0
    [entry] = entries(text)
    assert entry.description.split(" ")[1].startswith("NC_001422:51-221(+)")


def test_pyhmmer_reads_every_residue(lambda_result, tmp_path):
    path = tmp_path / "dark.faa"
    path.write_text(render_dark_fasta(lambda_result), "utf-8")
    with SequenceFile(path, digital=True, alphabet=Alphabet.amino()) as file:
        lengths = [len(sequence) for sequence in file]
    assert lengths == [gene.length_aa for gene in dark_of(lambda_result)]
