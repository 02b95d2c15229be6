"""Each regime hides what it says, and scores with the parameters that it says."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.accuracy.regimes import (
    AS_SHIPPED,
    Library,
    Regime,
    confidence_of,
    hidden_from,
    own_proteins,
    parse_hidden,
)
from genint.model import (
    CalledBy,
    Contig,
    FileFormat,
    Gene,
    Genome,
    GenomeKind,
    GenomeSource,
    Interval,
    Location,
    Strand,
)
from training.blind.relatives import Hidden
from training.confidence.hiding import Folders
from training.confidence.panel import Group, PanelGenome
from training.families.corpus import collect, sequence_hash
from training.families.readers import Reading
from training.families.values import Corpus, Lineage, Naming, Origin

OWN = "MKTAYIAKQRQISFVKSHFSRQ" * 3
OTHER = "MLEERLGLIEVQAPILSRVGDGTQD" * 3


def reading(residues: str, record: str) -> Reading:
    naming = Naming(record, "portal protein", "", Origin.SUBMITTER, Lineage.PHAGE)
    return Reading(residues, naming)


@pytest.fixture
def corpus() -> Corpus:
    return collect(
        [
            reading(OWN, "NC_1"),
            reading(OWN, "sprot:P1"),
            reading(OWN, "NC_2"),
            reading(OTHER, "sprot:P2"),
            reading(OTHER, "NC_2"),
        ]
    ).corpus


@pytest.fixture
def genome() -> PanelGenome:
    place = Location.simple(Interval(0, 201), Strand.FORWARD)
    gene = Gene("g", "c", place, OWN, 11, CalledBy.GENBANK)
    source = GenomeSource(filename="c", sha256="", format=FileFormat.FASTA)
    genome = Genome((Contig(id="c", bases="N" * 201, genes=(gene,)),), source)
    return PanelGenome("T", GenomeKind.PHAGE, ("NC_1",), genome, truth={}, stated={})


def test_as_shipped_a_genome_alone_is_left_out_of_the_reference(
    genome: PanelGenome, corpus: Corpus
) -> None:
    assert own_proteins(genome, corpus) == Hidden(("NC_1", "sprot:P1"), ())


def test_what_an_exclusion_file_hides_is_read_back() -> None:
    hidden = Hidden(("NC_1", "sprot:P1"), (sequence_hash(OWN),))
    assert parse_hidden(hidden.text("a title")) == hidden


def test_what_is_hidden_is_searched_for_once(
    genome: PanelGenome, corpus: Corpus, tmp_path: Path
) -> None:
    group = Group("Small phages", (genome,))
    first = hidden_from([group], corpus, [], tmp_path)["Small phages"]
    assert "NC_1" in first.records
    assert sequence_hash(OWN) in first.proteins
    assert hidden_from([group], Corpus({}), [], tmp_path)["Small phages"] == first


def test_without_leave_to_build_a_complete_build_that_hides_as_much_is_taken_or_none(
    genome: PanelGenome, corpus: Corpus, tmp_path: Path
) -> None:
    group = Group("Small phages", (genome,))
    hidden = Hidden(("NC_1",), (sequence_hash(OWN),))
    folders = Folders(tmp_path, tmp_path, tmp_path)
    library = Library(corpus, folders, {group.name: hidden}, parameters=None, may_build=False)
    build = tmp_path / "families" / "fold_2"
    build.mkdir(parents=True)
    (build / "exclusion.txt").write_text(Hidden((), ()).text(group.name))
    with pytest.raises(FileNotFoundError, match="no build without Small phages"):
        library.known(genome, group, Regime.NOVEL)
    other = tmp_path / "families" / "fold_1"
    other.mkdir()
    (other / "exclusion.txt").write_text(Hidden(("NC_2",), ()).text("the other fold"))
    more = Hidden(("NC_1", "NC_9"), (sequence_hash(OWN), sequence_hash(OTHER)))
    (build / "exclusion.txt").write_text(more.text("several groups"))
    known = library.known(genome, group, Regime.NOVEL)
    assert (known.families, known.max_identity) == (build, 0.9)
    shipped = library.known(genome, group, Regime.SHIPPED)
    assert (shipped.families, shipped.max_identity) == (None, None)
    assert shipped.reference.digest != known.reference.digest


def test_left_out_parameters_are_for_the_novel_regime(tmp_path: Path) -> None:
    folder = tmp_path / "parameters"
    folder.mkdir()
    (folder / "small_phages.toml").write_text("made up")
    novel = confidence_of("small_phages", Regime.NOVEL, None, tmp_path)
    assert (novel.text, novel.said) == ("made up", "fitted without small_phages")
    assert confidence_of("small_phages", Regime.SHIPPED, None, tmp_path) == AS_SHIPPED
    assert confidence_of("others", Regime.NOVEL, None, tmp_path) == AS_SHIPPED


def test_parameters_that_were_asked_for_are_for_both_regimes_and_must_be_there(
    tmp_path: Path,
) -> None:
    (tmp_path / "small_phages.toml").write_text("made up")
    assert confidence_of("small_phages", Regime.SHIPPED, tmp_path, tmp_path / "x").text == "made up"
    with pytest.raises(FileNotFoundError):
        confidence_of("others", Regime.NOVEL, tmp_path, tmp_path / "x")


def test_what_ships_judges_genomes_that_nothing_was_fitted_on(
    genome: PanelGenome, corpus: Corpus, tmp_path: Path
) -> None:
    (tmp_path / "relatives.toml").write_text("made up")
    assert confidence_of(None, Regime.NOVEL, tmp_path, tmp_path) == AS_SHIPPED
    folders = Folders(tmp_path, tmp_path, tmp_path)
    said = {}
    for left_out in (None, "Relatives"):
        library = Library(corpus, folders, {}, tmp_path, False, {"New": left_out})
        known = library.known(genome, Group("New", (genome,)), Regime.SHIPPED)
        said[left_out] = known.confidence.said
    assert said == {None: "as shipped", "Relatives": "fitted without relatives"}
