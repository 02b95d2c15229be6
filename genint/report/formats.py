"""Every format that a result can be rendered to, by name.

Renderers are imported when they are called: naming formats costs nothing. A new format is
one module with a renderer, and one line here.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import PurePosixPath
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, cast

from genint.errors import UsageError

if TYPE_CHECKING:
    from genint.formats import Original
    from genint.report.result import GenintResult


@dataclass(frozen=True, slots=True)
class ReportFormat:
    """One format of a report.

    Attributes:
        name: What ``--format`` takes.
        extension: Of its files, without a leading dot.
        media_type: For HTTP.
        title: What it is, for help texts.
        renderer: Module and function: ``(result) -> text``, or ``(result, original) ->
            text`` where ``needs_original``.
        needs_original: It is written into the file that was interpreted, which the result
            does not hold.
        is_binary: The renderer returns bytes, not text.
    """

    name: str
    extension: str
    media_type: str
    title: str
    renderer: tuple[str, str]
    needs_original: bool = False
    is_binary: bool = False


_ALL: Final = (
    ReportFormat(
        "md",
        "md",
        "text/markdown; charset=utf-8",
        "Markdown, to be read",
        ("genint.report.markdown", "render_markdown"),
    ),
    ReportFormat(
        "html",
        "html",
        "text/html; charset=utf-8",
        "interactive page, one file",
        ("genint.report.page.render", "render_html"),
    ),
    ReportFormat(
        "json",
        "json",
        "application/json",
        "the whole result",
        ("genint.report.validation", "render_json"),
    ),
    ReportFormat(
        "tsv",
        "tsv",
        "text/tab-separated-values; charset=utf-8",
        "one gene a line, for spreadsheets",
        ("genint.report.tsv", "render_tsv"),
    ),
    ReportFormat(
        "tsv-short",
        "short.tsv",
        "text/tab-separated-values; charset=utf-8",
        "the same in a dozen columns, named as Bakta names them",
        ("genint.report.tables", "render_short_tsv"),
    ),
    ReportFormat(
        "xlsx",
        "xlsx",
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        "workbook, one sheet a topic",
        ("genint.report.tables", "render_xlsx"),
        is_binary=True,
    ),
    ReportFormat(
        "summary",
        "summary.txt",
        "text/plain; charset=utf-8",
        "counts of the genome, one a line",
        ("genint.report.tables", "render_summary"),
    ),
    ReportFormat(
        "overview",
        "overview.tsv",
        "text/tab-separated-values; charset=utf-8",
        "what is said of the genome as a whole, one statement a line",
        ("genint.report.tables", "render_overview"),
    ),
    ReportFormat(
        "audit",
        "audit.tsv",
        "text/tab-separated-values; charset=utf-8",
        "products in the file compared with the evidence",
        ("genint.report.audit", "render_audit"),
    ),
    ReportFormat(
        "gff3",
        "gff3",
        "text/x-gff3; charset=utf-8",
        "features for genome browsers",
        ("genint.report.gff3", "render_gff3"),
    ),
    ReportFormat(
        "gff3-fasta",
        "fasta.gff3",
        "text/x-gff3; charset=utf-8",
        "the same with the sequences of the records",
        ("genint.report.fasta", "render_gff3_fasta"),
    ),
    ReportFormat(
        "faa",
        "faa",
        "text/x-fasta; charset=utf-8",
        "proteins",
        ("genint.report.fasta", "render_faa"),
    ),
    ReportFormat(
        "ffn",
        "ffn",
        "text/x-fasta; charset=utf-8",
        "bases of genes and RNA genes",
        ("genint.report.fasta", "render_ffn"),
    ),
    ReportFormat(
        "fna",
        "fna",
        "text/x-fasta; charset=utf-8",
        "bases of the records",
        ("genint.report.fasta", "render_fna"),
    ),
    ReportFormat(
        "tbl",
        "tbl",
        "text/tab-separated-values; charset=utf-8",
        "feature table for submission to GenBank (table2asn), with fna as its .fsa",
        ("genint.report.tbl", "render_tbl"),
    ),
    ReportFormat(
        "notes",
        "notes.txt",
        "text/plain; charset=utf-8",
        "gene notes in the fields of SEA-PHAGES annotators",
        ("genint.report.notes", "render_notes"),
    ),
    ReportFormat(
        "dark-fasta",
        "dark.faa",
        "text/x-fasta; charset=utf-8",
        "proteins of unknown function, the most promising first",
        ("genint.report.fasta", "render_dark_fasta"),
    ),
    ReportFormat(
        "gbk",
        "gbk",
        "text/plain; charset=utf-8",
        "GenBank: your file with notes, inferences and GO terms added",
        ("genint.report.genbank", "render_genbank"),
        needs_original=True,
    ),
    ReportFormat(
        "embl",
        "embl",
        "text/plain; charset=utf-8",
        "the same in EMBL's lines",
        ("genint.report.embl", "render_embl"),
        needs_original=True,
    ),
)

FORMATS: Final[Mapping[str, ReportFormat]] = MappingProxyType({item.name: item for item in _ALL})
"""Reports by name, in the order of help texts."""

FIGURE_FORMATS: Final[Mapping[str, ReportFormat]] = MappingProxyType(
    {
        name: ReportFormat(
            name,
            name,
            media_type,
            title,
            ("genint.report.figures.render", f"render_{name}"),
            is_binary=name != "svg",
        )
        for name, media_type, title in (
            ("svg", "image/svg+xml", "round map of the genome for papers, text stays text"),
            ("pdf", "application/pdf", "the same, fonts embedded"),
            ("png", "image/png", "the same, 300 dpi"),
        )
    }
)
"""Figures by name. They need the extra ``plot``, so the service does not offer them."""
FIGURE_LAYOUTS: Final = ("circular", "linear")
"""Of the map of one genome: one round map, or lines under one another."""
FIGURE_DPI: Final = 300
FIGURE_DPI_RANGE: Final = range(72, 1201)
"""Dots per inch that a PNG may have: a screen's to what printers ask for line art."""
MOST_COMPARED: Final = 12
"""Genomes of one comparison: more do not fit on a page."""
_PLOT_PACKAGES: Final = ("matplotlib", "pycirclize", "pygenomeviz")


def format_of(name: str) -> ReportFormat:
    """The report or figure of a name.

    Raises:
        KeyError: no such format.
    """
    return FORMATS[name] if name in FORMATS else FIGURE_FORMATS[name]


def require_plot_extra() -> None:
    """Check that figures can be drawn; loads nothing.

    Raises:
        UsageError: the packages of the extra ``plot`` are not installed; says how to get them.
    """
    if any(importlib.util.find_spec(name) is None for name in _PLOT_PACKAGES):
        raise UsageError('figures need further packages: pip install "genint[plot]"')


def render(result: GenintResult, name: str, original: Original | None = None) -> str:
    """A result in a format that is text.

    Args:
        result: What was found.
        name: One of :data:`FORMATS` or :data:`FIGURE_FORMATS`.
        original: The file that was interpreted, where the format needs it.

    Raises:
        KeyError: no such format.
        ValueError: the format needs the original, and it was not given; or it is binary.
        InputError: the original is not the file that the result is of, or the result lacks
            what the format needs.
        UsageError: an optional package is needed that is not installed.
    """
    made = _rendered(result, format_of(name), original)
    if isinstance(made, bytes):
        raise ValueError(f"format {name} is binary")
    return made


def render_bytes(result: GenintResult, name: str, original: Original | None = None) -> bytes:
    """A result in any format, as the bytes of its file (text as UTF-8); see :func:`render`."""
    made = _rendered(result, format_of(name), original)
    return made if isinstance(made, bytes) else made.encode()


class Rendering:
    """Several formats of one result: what they share is made once.

    Figures of all formats are one drawing, and EMBL is the GenBank file in other lines. The bytes
    are those of :func:`render_bytes`.
    """

    def __init__(
        self, result: GenintResult, formats: Iterable[str], original: Callable[[], Original]
    ) -> None:
        """Take what is to be rendered.

        Args:
            result: What was found.
            formats: All that will be asked for.
            original: Reads the file that was interpreted; called once, where a format needs it.
        """
        self._result = result
        self._figure_formats = [name for name in dict.fromkeys(formats) if name in FIGURE_FORMATS]
        self._original = cache(original)
        self._figures = cache(self._drawn)
        self._genbank = cache(self._in_genbank)

    def bytes_of(self, name: str) -> bytes:
        """One of the formats; raises as :func:`render`."""
        if name in self._figure_formats:
            return self._figures()[name]
        if not format_of(name).needs_original:
            return render_bytes(self._result, name)
        if name == "gbk":
            return self._genbank().encode()
        if name == "embl":
            from genint.report.embl import render_embl  # noqa: PLC0415 - loads Biopython

            return render_embl(self._result, self._original(), self._genbank()).encode()
        return render_bytes(self._result, name, self._original())

    def _drawn(self) -> Mapping[str, bytes]:
        from genint.report.figures.render import draw_genome  # noqa: PLC0415 - extra

        return draw_genome(self._result, self._figure_formats).files

    def _in_genbank(self) -> str:
        return render(self._result, "gbk", self._original())


def _rendered(result: GenintResult, found: ReportFormat, original: Original | None) -> str | bytes:
    module, function = found.renderer
    renderer = getattr(importlib.import_module(module), function)
    if not found.needs_original:
        return cast("Callable[[GenintResult], str | bytes]", renderer)(result)
    if original is None:
        raise ValueError(f"format {found.name} needs the file that was interpreted")
    return cast("Callable[[GenintResult, Original], str | bytes]", renderer)(result, original)


DARK_FASTA: Final = "dark-fasta"
"""The format that is no report on all genes, but a list of some."""
_COMPRESSED: Final = (".gz", ".bz2", ".bgz")


def stem_of(filename: str) -> str:
    """Name of a file (no folders) without compression suffix and without one extension."""
    name = filename
    for suffix in _COMPRESSED:
        if name.lower().endswith(suffix):
            name = name[: -len(suffix)]
            break
    return PurePosixPath(name).stem or filename


def report_name(stem: str, name: str) -> str:
    """File name of a format's report, such as ``lambda_report.gff3``.

    Args:
        stem: Of the file that was interpreted.
        name: Of the format.
    """
    return f"{stem}_report.{format_of(name).extension}"
