"""Files of figures, read back by what reads such files."""

import io
import math
import os
import subprocess
import sys
from itertools import combinations
from typing import NamedTuple
from xml.etree import ElementTree

import pytest
from matplotlib.transforms import Bbox
from PIL import Image
from pypdf import PdfReader

from genint import interpret_genome
from genint.errors import InputError, UsageError
from genint.pipeline.gene_calling import Payload
from genint.pipeline.library import as_result
from genint.report import render_json
from genint.report.figures import canvas
from genint.report.figures.circular import draw_circular
from genint.report.figures.comparison import draw_comparison, link_colour
from genint.report.figures.content import genome_map
from genint.report.figures.genomes_aligned import GeneLink, arranged
from genint.report.figures.linear import draw_linear
from genint.report.figures.palette import OTHER_STRAND, SAME_STRAND
from genint.report.figures.render import draw_comparison_of, draw_genome
from genint.report.formats import FIGURE_DPI

LAMBDA = "lambda_NC_001416.gb"
GENOMES = (LAMBDA, "AcinetobacterApostate_NC_049491.gbk", "phiX174_NC_001422.gb")
E_COLI = "E_coli_K12_MG1655_NC_000913.gbk.gz"
SVG = "{http://www.w3.org/2000/svg}"
LAYOUTS = ("circular", "linear")
A4_IN = 297 / 25.4


def texts_of(svg: bytes) -> list[str]:
    return ["".join(one.itertext()) for one in ElementTree.fromstring(svg).iter(f"{SVG}text")]  # noqa: S314 - ours


def test_a_png_has_300_dpi_and_the_width_of_two_columns(phix):
    image = Image.open(io.BytesIO(draw_genome(phix, ("png",)).files["png"]))
    image.load()
    assert image.info["dpi"] == pytest.approx((300, 300), abs=0.1)
    assert image.width / 300 * 25.4 == pytest.approx(180, abs=0.2)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_text_of_an_svg_is_text_and_has_the_functions(phix, layout):
    drawn = draw_genome(phix, ("svg",), layout=layout)
    texts = texts_of(drawn.files["svg"])
    functions = {
        one.label for record in genome_map(phix).records for one in record.features if one.label
    }
    assert drawn.labels >= 7
    beginnings = tuple(text.removesuffix("…") for text in texts)
    shown = [one for one in beginnings if any(name.startswith(one) for name in functions)]
    assert len(shown) == drawn.labels
    assert not {gene.id for gene in phix.genes} & set(texts)
    assert not any("hypothetical" in text for text in texts)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_record_without_a_gene_is_drawn_without_a_legend(layout):
    payload = Payload(b">e\nACGTACGTACGTNNNNNNACGT\n", "tiny.fasta")
    result = as_result(interpret_genome(payload))
    assert not result.genes
    drawn = draw_genome(result, ("svg",), layout=layout)
    assert drawn.labels == 0
    assert "e" in texts_of(drawn.files["svg"])


def test_a_letter_that_no_font_has_is_a_question_mark_and_is_told_but_in_svg(phix):
    (record,) = (one.model_copy(update={"organism": "phage \U00012ff1"}) for one in phix.records)
    result = phix.model_copy(update={"records": (record,), "genes": ()})
    drawn = draw_genome(result, ("pdf",))
    assert "phage ?" in PdfReader(io.BytesIO(drawn.files["pdf"])).pages[0].extract_text()
    assert drawn.notes[0].startswith("no installed font has \U00012ff1, which is written ?")
    alone = draw_genome(result, ("svg",))
    assert "phage \U00012ff1" in texts_of(alone.files["svg"])
    assert alone.notes == ()


def test_text_of_a_pdf_can_be_read_and_its_fonts_are_embedded(phix):
    page = PdfReader(io.BytesIO(draw_genome(phix, ("pdf",)).files["pdf"])).pages[0]
    text = page.extract_text()
    assert "head and packaging" in text
    assert "major coat protein" in text
    assert float(page.mediabox.width) == pytest.approx(180 / 25.4 * 72, abs=0.1)
    fonts = [font.get_object() for font in page["/Resources"]["/Font"].get_object().values()]
    assert {font["/Subtype"] for font in fonts} == {"/Type0"}
    below = [font["/DescendantFonts"][0].get_object() for font in fonts]
    assert all("/FontFile2" in one["/FontDescriptor"].get_object() for one in below)


@pytest.mark.parametrize("name", ["svg", "pdf", "png"])
def test_the_same_result_gives_the_same_bytes(phix, name):
    assert draw_genome(phix, (name,)).files == draw_genome(phix, (name,)).files


def test_another_process_and_the_clock_change_no_byte(phix, tmp_path):
    stored = tmp_path / "phix.json"
    stored.write_text(render_json(phix))
    script = (
        "import sys; from genint.report import parse_result, render_bytes; "
        "result = parse_result(open(sys.argv[1], 'rb').read()); "
        "[open(f'{sys.argv[1]}.{one}', 'wb').write(render_bytes(result, one)) "
        "for one in ('svg', 'pdf', 'png')]"
    )
    environment = os.environ | {"PYTHONHASHSEED": "5", "SOURCE_DATE_EPOCH": "1000"}
    subprocess.run([sys.executable, "-c", script, stored], check=True, env=environment)
    for name, content in draw_genome(phix, ("svg", "pdf", "png")).files.items():
        assert (tmp_path / f"phix.json.{name}").read_bytes() == content, name


class Placed(NamedTuple):
    """A text that is seen: its place on paper, and its size and angle before it was turned."""

    text: str
    box: Bbox
    width: float
    height: float
    angle: float


def placed_texts(figure) -> list[Placed]:
    renderer = figure.canvas.get_renderer()
    found = []
    for text in (one for axes in figure.axes for one in axes.texts if one.get_text()):
        box, angle = text.get_window_extent(renderer), text.get_rotation()
        text.set_rotation(0)
        level = text.get_window_extent(renderer)
        found.append(Placed(text.get_text(), box, level.width, level.height, math.radians(angle)))
    return found


def overlap(one: Placed, other: Placed) -> float:
    """How far two texts lie over one another in pixels; below 0 where they do not."""
    if one.angle and other.angle:  # neighbours along a ring are turned almost alike
        dx = (one.box.x0 + one.box.x1 - other.box.x0 - other.box.x1) / 2
        dy = (one.box.y0 + one.box.y1 - other.box.y0 - other.box.y1) / 2
        sin, cos = math.sin(one.angle), math.cos(one.angle)
        wide = (one.width + other.width) / 2 - abs(dx * cos + dy * sin)
        return min(wide, (one.height + other.height) / 2 - abs(dy * cos - dx * sin))
    wide = min(one.box.x1, other.box.x1) - max(one.box.x0, other.box.x0)
    return min(wide, min(one.box.y1, other.box.y1) - max(one.box.y0, other.box.y0))


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", [*GENOMES, "odd_lambda_5contigs.gbk"])
def test_no_text_touches_another_or_is_cut_off(result_of, name, layout):
    genome = genome_map(result_of(name), in_lines=layout == "linear")
    with canvas.settings():
        if layout == "linear":
            figures, placed = draw_linear(genome)
        else:
            figure, placed = draw_circular(genome)
            figures = (figure,)
        pages = [(figure, placed_texts(figure)) for figure in figures]
    assert placed >= 5
    for figure, texts in pages:
        assert_apart(figure, texts)


def assert_apart(figure, texts):
    for one in texts:
        assert min(one.box.x0, one.box.y0) >= -1, one
        assert one.box.x1 <= figure.bbox.x1 + 1, one
        assert one.box.y1 <= figure.bbox.y1 + 1, one
    for one, other in combinations(texts, 2):
        assert overlap(one, other) <= 0.2 * canvas.LINE_IN * FIGURE_DPI, (one, other)


def many_contigs(phix, count):
    """Copies of one genome as contigs of one file."""
    records, genes = [], []
    for number in range(count):
        name = f"contig_{number:02}"
        records.append(phix.records[0].model_copy(update={"id": name, "topology": "linear"}))
        genes += [
            gene.model_copy(update={"id": f"{gene.id}_{number}", "record": name})
            for gene in phix.genes
            if gene.end > gene.start
        ]
    return phix.model_copy(update={"records": tuple(records), "genes": tuple(genes)})


@pytest.fixture(scope="module")
def virome(phix):
    return many_contigs(phix, 60)


def test_a_round_map_of_many_contigs_names_each_and_no_runs(virome):
    with canvas.settings():
        figure, placed = draw_circular(genome_map(virome))
        texts = placed_texts(figure)
    assert placed == 40
    assert {record.id for record in virome.records[:40]} <= {one.text for one in texts}
    assert not any("phage structural genes" in one.text for one in texts)


def test_lines_of_many_contigs_are_pages_with_functions(virome):
    drawn = draw_genome(virome, ("pdf", "svg"), layout="linear")
    pages = PdfReader(io.BytesIO(drawn.files["pdf"])).pages
    svgs = [drawn.files["svg"], *drawn.further["svg"]]
    assert len(pages) == len(svgs) > 1
    assert all(float(page.mediabox.height) <= A4_IN * 72 for page in pages)
    texts = [texts_of(svg) for svg in svgs]
    names = [text for page in texts for text in page if text.startswith("contig_")]
    assert sorted(names) == [record.id for record in virome.records[:40]]
    assert all("major capsid protein" in page or "major coat protein" in page for page in texts)
    assert drawn.files == draw_genome(virome, ("pdf", "svg"), layout="linear").files


def test_curves_of_lines_have_a_window_for_every_few_points_of_a_line(result_of):
    record = genome_map(result_of(LAMBDA), in_lines=True).records[0]
    assert len(record.windows) >= 100 * math.ceil(record.length / 12_500)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_word_that_no_gene_has_is_said(phix, layout):
    drawn = draw_genome(phix, labels=("lysis", "zzzz"), layout=layout)
    assert drawn.notes == ("no gene that is drawn has 'zzzz' in its function or name",)


def test_a_word_that_one_of_the_compared_genomes_has_is_not_missed(phix):
    bare = phix.model_copy(update={"genes": ()})
    notes = draw_comparison_of([phix, bare], [[]], labels=("lysis", "zzzz")).notes
    assert notes == ("no gene that is drawn has 'zzzz' in its function or name",)


def test_a_guess_has_a_question_mark_and_the_legend_says_why(phix):
    sure, guess = phix.genes[8], phix.genes[9].model_copy(update={"confidence": "LOW"})
    texts = texts_of(draw_genome(phix.model_copy(update={"genes": (sure, guess)})).files["svg"])
    assert f"{guess.function}?" in texts
    assert sure.function in texts
    assert "?: LOW or SPECULATIVE" in texts
    assert "?: LOW or SPECULATIVE" not in texts_of(draw_genome(phix).files["svg"])


def test_names_of_compared_genomes_stay_clear_of_their_lines(result_of):
    genome = genome_map(result_of("AcinetobacterApostate_NC_049491.gbk"))
    with canvas.settings():
        figure, _ = draw_comparison(arranged([genome] * 2, [[]]), [[]])
        names = [one for one in placed_texts(figure) if "Apostate" in one.text]
        lines = [
            path.vertices[:, 0].min()
            for axes in figure.axes
            for drawn in axes.collections
            for path in drawn.get_paths()
        ]
    assert len(names) == 2
    assert max(one.box.x1 for one in names) / FIGURE_DPI < min(lines) - 0.03


def test_genomes_without_links_have_no_empty_band_and_no_words_about_links(phix):
    rows = arranged([genome_map(phix)] * 2, [[]])
    gene = phix.genes[0].id
    with canvas.settings():
        linked, _ = draw_comparison(rows, [[GeneLink(gene, gene, 1.0)]])
        bare, _ = draw_comparison(rows, [[]])
        texts = [one.text for one in placed_texts(bare)]
    assert bare.get_figheight() < linked.get_figheight() - 0.5
    assert "No two genes correspond." in texts
    assert not any("Links join" in text for text in texts)


@pytest.mark.slow
@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_bacterium_is_drawn_with_its_landmarks(result_of, layout):
    drawn = draw_genome(result_of(E_COLI), ("svg",), layout=layout)
    texts = texts_of(drawn.files["svg"])
    # Along lines one may find no place beside landmarks of more weight.
    assert texts.count("rRNA (16S, 23S, 5S)") >= (7 if layout == "circular" else 6)
    assert "RNA gene" in texts
    assert len(drawn.files["svg"]) < 5_000_000


def test_the_legend_names_only_what_is_drawn(phix):
    texts = texts_of(draw_genome(phix).files["svg"])
    assert "head and packaging" in texts
    assert "tail" not in texts
    assert "CRISPR array" not in texts


def test_without_a_sequence_there_are_no_curves(phix):
    bare = phix.records[0].model_copy(update={"sequence": None})
    texts = texts_of(draw_genome(phix.model_copy(update={"records": (bare,)})).files["svg"])
    assert not any("GC" in text for text in texts)


def test_a_name_with_signs_of_formulas_is_text(phix):
    odd = phix.records[0].model_copy(update={"organism": r"phage $\frac{1}{0}$ <b> & x^2"})
    texts = texts_of(draw_genome(phix.model_copy(update={"records": (odd,)})).files["svg"])
    assert "$" in "".join(texts)


def test_a_genome_of_many_records_is_drawn_and_says_what_is_left_out(phix):
    record = phix.records[0].model_copy(update={"topology": "linear", "sequence": None})
    many = [record.model_copy(update={"id": f"c{n}", "length": 300 + n}) for n in range(60)]
    result = phix.model_copy(update={"records": (record, *many), "genes": phix.genes[:3]})
    drawn = draw_genome(result, ("svg",))
    assert drawn.notes == ("21 of 61 records, the shortest, are not drawn",)
    assert draw_genome(result, ("svg",), layout="linear").files["svg"]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_genome_without_genes_is_drawn(phix, layout):
    empty = phix.model_copy(update={"genes": ()})
    assert draw_genome(empty, ("svg",), layout=layout).labels == 0


def test_faults_are_errors_of_one_line(phix):
    with pytest.raises(InputError, match="no record to draw"):
        draw_genome(phix.model_copy(update={"records": (), "genes": ()}))
    with pytest.raises(UsageError, match="choose from circular, linear"):
        draw_genome(phix, layout="square")
    with pytest.raises(UsageError, match="choose from svg, pdf, png"):
        draw_genome(phix, ("gif",))
    with pytest.raises(UsageError, match="2 to 12 genomes, not 1"):
        draw_comparison_of([phix], [])
    with pytest.raises(UsageError, match="2 to 12 genomes, not 13"):
        draw_comparison_of([phix] * 13, [[]] * 12)
    with pytest.raises(UsageError, match="1 pairs, not 2"):
        draw_comparison_of([phix] * 2, [[], []])


def test_drawing_leaves_the_settings_of_matplotlib_as_they_were(phix):
    import matplotlib as mpl  # noqa: PLC0415 - not before the skip

    before = dict(mpl.rcParams)
    draw_genome(phix)
    assert dict(mpl.rcParams) == before


def test_links_are_shaded_by_identity_and_direction(phix):
    pair = phix.genes[0].id, phix.genes[1].id
    rows = arranged([genome_map(phix)] * 2, [[]])
    links = [[GeneLink(pair[0], pair[0], 1.0), GeneLink(pair[1], pair[1], 0.42)]]
    with canvas.settings():
        figure, _ = draw_comparison(rows, links)
        svg = canvas.saved(figure, "svg")
    for identity in (1.0, 0.42):
        assert link_colour(identity, 0.4, is_same=True).encode() in svg
    texts = texts_of(svg)
    assert {"40%", "100%"} <= set(texts)
    assert not any("opposite" in text for text in texts)


def test_the_scale_runs_from_the_least_identity_to_identical():
    assert link_colour(0.3, 0.3, is_same=True) == SAME_STRAND[0]
    assert link_colour(1.0, 0.3, is_same=True) == SAME_STRAND[1]
    assert link_colour(1.0, 0.3, is_same=False) == OTHER_STRAND[1]


def test_the_caption_says_which_genome_is_turned(phix):
    reverse = {"+": "-", "-": "+"}
    genes = tuple(gene.model_copy(update={"strand": reverse[gene.strand]}) for gene in phix.genes)
    links = [[GeneLink(gene.id, gene.id, 1.0) for gene in phix.genes]]
    drawn = draw_comparison_of([phix, phix.model_copy(update={"genes": genes})], links)
    assert any("reverse complement" in note for note in drawn.notes)
    assert any("reverse complement" in text for text in texts_of(drawn.files["svg"]))
