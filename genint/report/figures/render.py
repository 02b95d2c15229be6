"""The door to figures: results in, files out.

Drawing takes a second to some ten seconds of processor time; call it from a thread or a process
where an event loop runs. Settings of matplotlib are those of the process, so one figure is drawn
at a time; they are what they were afterwards.
"""

from __future__ import annotations

import threading
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from genint.errors import InputError, UsageError
from genint.report.figures.content import LONGEST_TITLE, GenomeMap, genome_map
from genint.report.figures.genomes_aligned import GeneLink, arranged
from genint.report.formats import (
    FIGURE_DPI,
    FIGURE_DPI_RANGE,
    FIGURE_FORMATS,
    FIGURE_LAYOUTS,
    MOST_COMPARED,
    require_plot_extra,
)
from genint.report.result import GenintResult
from genint.report.wording import shown_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from matplotlib.figure import Figure

    from genint.report.figures.canvas import Fonts

_DRAWING: Final = threading.Lock()


@contextmanager
def _packages() -> Iterator[None]:
    """Say what to do where a package for figures is there and cannot be loaded."""
    try:
        yield
    except ImportError as error:
        raise UsageError(
            f"the packages for figures cannot be loaded ({error}); "
            'install them again: pip install --force-reinstall "genint[plot]"'
        ) from error


@dataclass(frozen=True, slots=True)
class DrawnFigure:
    """A figure in one or more formats.

    Attributes:
        files: Content by format; of several pages the first, but of PDF all.
        further: The other pages of formats whose files have one page (SVG, PNG), in order.
        labels: How many labels found a place.
        notes: What a caption has to say: genomes that are drawn turned, records left out.
    """

    files: Mapping[str, bytes]
    labels: int
    notes: tuple[str, ...] = ()
    further: Mapping[str, tuple[bytes, ...]] = field(default_factory=dict)


@_packages()
def draw_genome(  # noqa: PLR0913 - options with defaults
    result: GenintResult,
    formats: Sequence[str] = ("svg",),
    *,
    layout: str = "circular",
    labels: Collection[str] = (),
    title: str | None = None,
    dpi: int = FIGURE_DPI,
) -> DrawnFigure:
    """The map of one genome, 180 mm wide.

    Args:
        result: What was found.
        formats: ``svg``, ``pdf`` or ``png``; the same figure in each.
        layout: ``circular``, or ``linear``: lines under one another.
        labels: Words; genes whose function or name has one of them get their label first.
        title: What stands for the name of the genome; default: organism, description, id or
            file, whichever is known first.
        dpi: Dots per inch of PNG, 72 to 1200.

    Returns:
        The figure; the same bytes for the same result and the same versions of the libraries.

    Raises:
        UsageError: the extra ``plot`` is not installed, or there is no such format or layout.
        InputError: the result has no record.

    Cost: 1 to 3 s for a phage, 5 to 15 s for a bacterium.
    """
    if layout not in FIGURE_LAYOUTS:
        raise UsageError(f"no layout {layout!r}; choose from {', '.join(FIGURE_LAYOUTS)}")
    _check(formats, dpi)
    genome = _map(result, labels, in_lines=layout == "linear")
    if title is not None:
        genome = replace(genome, title=_checked_title(title, formats))
    fonts = _fonts_of([genome], formats)
    genome = _written(genome, fonts)
    if layout == "circular":
        from genint.report.figures.circular import draw_circular  # noqa: PLC0415 - extra

        drawn = _saved(lambda: _one_page(draw_circular(genome)), formats, dpi, fonts)
    else:
        from genint.report.figures.linear import draw_linear  # noqa: PLC0415 - extra

        drawn = _saved(lambda: draw_linear(genome), formats, dpi, fonts)
    left = f"{genome.left_out:,} of {len(result.records):,} records, the shortest, are not drawn"
    notes = [left] if genome.left_out else []
    return replace(drawn, notes=(*drawn.notes, *notes, *map(_no_label, genome.unmatched)))


@_packages()
def draw_comparison_of(  # noqa: PLR0913 - options with defaults
    results: Sequence[GenintResult],
    links: Sequence[Sequence[GeneLink]],
    formats: Sequence[str] = ("svg",),
    *,
    labels: Collection[str] = (),
    rotate_linear: bool = False,
    title: str | None = None,
    dpi: int = FIGURE_DPI,
) -> DrawnFigure:
    """Genomes under one another with links between corresponding genes.

    Genomes are reversed, and circular ones cut open, where their genes agree best with their
    neighbour's (:func:`genint.report.figures.genomes_aligned.arranged`); the figure says which.
    Numbers on rulers stay those of the files.

    Args:
        results: 2 to 12, from the top.
        links: Between each and the next, as :func:`genint.pipeline.related_genes.related_genes`
            finds them.
        formats: As for :func:`draw_genome`.
        labels: As for :func:`draw_genome`.
        rotate_linear: Cut linear records open too: for phages whose genomes are permuted.
        title: Above the figure; default: none.
        dpi: As for :func:`draw_genome`.

    Raises:
        UsageError: the extra ``plot`` is not installed, there is no such format, or the number
            of genomes or of links does not fit.
        InputError: a result has no record.
    """
    _check(formats, dpi)
    if not 2 <= len(results) <= MOST_COMPARED:  # noqa: PLR2004 - a comparison
        raise UsageError(f"a comparison takes 2 to {MOST_COMPARED} genomes, not {len(results)}")
    if len(links) != len(results) - 1:
        raise UsageError(f"{len(results)} genomes have {len(results) - 1} pairs, not {len(links)}")
    genomes = [_map(result, labels) for result in results]
    head = "" if title is None else _checked_title(title, formats)
    fonts = _fonts_of(genomes, formats, head)
    genomes = [_written(genome, fonts) for genome in genomes]
    rows = arranged(genomes, links, rotate_linear=rotate_linear)
    from genint.report.figures.comparison import draw_comparison  # noqa: PLC0415 - extra

    drawn = _saved(lambda: _one_page(draw_comparison(rows, links, head)), formats, dpi, fonts)
    notes = [f"{row.genome.title} is drawn {row.words}" for row in rows if row.words]
    nowhere = set(labels).intersection(*(genome.unmatched for genome in genomes))
    return replace(drawn, notes=(*drawn.notes, *notes, *map(_no_label, sorted(nowhere))))


def render_svg(result: GenintResult) -> str:
    """The round map as SVG; see :func:`draw_genome`."""
    return draw_genome(result, ("svg",)).files["svg"].decode()


def render_png(result: GenintResult) -> bytes:
    """The round map as PNG; see :func:`draw_genome`."""
    return draw_genome(result, ("png",)).files["png"]


def render_pdf(result: GenintResult) -> bytes:
    """The round map as PDF; see :func:`draw_genome`."""
    return draw_genome(result, ("pdf",)).files["pdf"]


def _check(formats: Sequence[str], dpi: int) -> None:
    for name in formats:
        if name not in FIGURE_FORMATS:
            raise UsageError(f"no figure format {name!r}; choose from {', '.join(FIGURE_FORMATS)}")
    if dpi not in FIGURE_DPI_RANGE:
        first, last = FIGURE_DPI_RANGE[0], FIGURE_DPI_RANGE[-1]
        raise UsageError(f"a figure has {first} to {last} dots per inch, not {dpi}")
    require_plot_extra()


def _checked_title(title: str, formats: Sequence[str]) -> str:
    from genint.report.figures.canvas import further_fonts  # noqa: PLC0415 - extra

    shown = shown_text(title).strip()
    if not 0 < len(shown) <= LONGEST_TITLE:
        raise UsageError(
            f"the title of a figure has 1 to {LONGEST_TITLE} characters, not {len(shown)}"
        )
    if missing := further_fonts(shown).missing if _needs_fonts(formats) else "":
        raise UsageError(
            f"no installed font has {missing} of the title; install one that does (such as Noto "
            "Sans CJK for Chinese, Japanese and Korean), or take the format svg alone"
        )
    return shown


def _needs_fonts(formats: Sequence[str]) -> bool:
    """Whether letters are drawn here; in SVG they are text that the reader's program draws."""
    return any(name != "svg" for name in formats)


def _fonts_of(genomes: Sequence[GenomeMap], formats: Sequence[str], title: str = "") -> Fonts:
    """The fonts that names need, and what none of them has; in SVG that is no matter."""
    from genint.report.figures.canvas import further_fonts  # noqa: PLC0415 - extra

    texts = [title]
    for genome in genomes:
        texts.append(genome.title)
        for record in genome.records:
            texts += (record.id, *(one.label for one in record.features if one.label))
    found = further_fonts("".join(sorted({*"".join(texts)})))
    return found if _needs_fonts(formats) else found._replace(missing="")


def _no_label(word: str) -> str:
    return f"no gene that is drawn has {shown_text(word)!r} in its function or name"


def _map(result: GenintResult, labels: Collection[str], *, in_lines: bool = False) -> GenomeMap:
    if not any(record.length for record in result.records):
        raise InputError(f"{result.input.filename}: the result has no record to draw")
    return genome_map(result, labels, in_lines=in_lines)


def _one_page(drawn: tuple[Figure, int]) -> tuple[tuple[Figure, ...], int]:
    return (drawn[0],), drawn[1]


def _written(genome: GenomeMap, fonts: Fonts) -> GenomeMap:
    """A genome whose names have a question mark for each letter that no font has."""
    if not fonts.missing:
        return genome
    unknown = str.maketrans(dict.fromkeys(fonts.missing, "?"))
    records = (
        replace(
            record,
            id=record.id.translate(unknown),
            features=tuple(
                replace(one, label=one.label.translate(unknown)) if one.label else one
                for one in record.features
            ),
        )
        for record in genome.records
    )
    return replace(genome, title=genome.title.translate(unknown), records=tuple(records))


def _saved(
    draw: Callable[[], tuple[tuple[Figure, ...], int]],
    formats: Sequence[str],
    dpi: int,
    fonts: Fonts,
) -> DrawnFigure:
    from genint.report.figures.canvas import saved, saved_pages, settings  # noqa: PLC0415 - extra

    unknown = f"no installed font has {fonts.missing}, which is written ? (svg alone keeps it)"
    with _DRAWING, settings(fonts.families):
        pages, placed = draw()
        files: dict[str, bytes] = {}
        further: dict[str, tuple[bytes, ...]] = {}
        for name in formats:
            if name == "pdf" and len(pages) > 1:
                files[name] = saved_pages(pages)
            else:
                files[name], *others = (saved(page, name, dpi) for page in pages)
                further[name] = tuple(others)
        notes = (unknown,) if fonts.missing else ()
        return DrawnFigure(files, placed, notes, further)
