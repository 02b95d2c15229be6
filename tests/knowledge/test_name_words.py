import pytest

from genint.knowledge.product_names import alike, opposed, words_of


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("terminase large subunit", "Phage terminase large subunit (GpA)"),
        ("S49 family peptidase", "Peptidase family S49"),
        ("integrase", "Phage integrase family"),
        ("tapemeasure protein", "tail length tape measure protein"),
        ("tail fibre protein", "tail fiber protein"),
        ("lysozyme inhibitor", "Membrane-bound lysozyme-inhibitor of c-type lysozyme"),
    ],
)
def test_wordings_of_one_function_are_alike(one, other):
    assert alike(words_of(one), words_of(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("terminase large subunit", "terminase small subunit"),
        ("lysozyme", "lysozyme inhibitor"),
        ("transcriptional activator CII", "transcriptional repressor CI"),
        ("toxin HicA", "antitoxin HicA"),
        ("major tail protein", "minor tail protein"),
        ("DNA polymerase", "RNA polymerase"),
        ("holin", "antiholin"),
        ("repressor protein", "anti-repressor protein"),
        ("transcription terminator", "transcription antiterminator"),
        ("shikimate kinase", "histidine kinase"),
        ("portal protein", "tail protein"),
        ("iron importer", "iron exporter"),
    ],
)
def test_opposites_and_strangers_are_never_alike(one, other):
    assert not alike(words_of(one), words_of(other))
    assert not alike(words_of(other), words_of(one))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("lysozyme inhibitor", "Phage lysozyme"),
        ("terminase, small subunit", "terminase, large subunit"),
        ("arabinose activator", "arabinose repressor"),
    ],
)
def test_opposites_share_the_rest_of_their_names(one, other):
    assert opposed(words_of(one), words_of(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("mRNA interferase toxin, antitoxin is MazE", "mRNA interferase PemK-like"),
        ("Fe-S cluster assembly protein", "iron-sulphur cluster biosynthesis"),
        ("catalase inhibitor protein; ATPase, ribosome-associated", "50S ribosome-binding GTPase"),
        ("RNA polymerase, sigma 54 factor", "sigma-54, DNA binding"),
        ("holin", "repressor"),
    ],
)
def test_names_of_other_things_are_strangers_not_opposites(one, other):
    assert not opposed(words_of(one), words_of(other))
