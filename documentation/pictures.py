"""The pictures of ``docs/images``, of real runs: ``python -m documentation.pictures``.

Interprets phage lambda (``examples/``) and a crAss-like phage (of the folder of real data; its
pictures stay as they are where that is absent), opens the pages in headless Chromium and keeps
what a reader sees. Takes half a minute. Renew them after a change of the page that is meant,
and look at them.
"""

from __future__ import annotations

import argparse
import io
import shutil
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from genint import interpret_genome, render_report

ROOT = Path(__file__).resolve().parent.parent
IMAGES = ROOT / "docs" / "images"
LAMBDA = ROOT / "examples" / "lambda.fasta"
NEW_PHAGE = "crAss_BK025033.fa"
INTEGRASE = "NC_001416.1_00280"
_COLOURS = 128
"""Colours kept in a picture: a page has few, and the file is a third as large."""
_PADDING_PX = 12


def first_screen(page: Page) -> bytes:
    """What a reader sees first."""
    return page.screenshot()


def genome_as_a_whole(page: Page) -> bytes:
    """The statements on the genome, the lifestyle with its reasons."""
    page.locator("#overview details summary").nth(1).click()
    return _part(page, "#overview", height_px=760)


def genes(page: Page) -> bytes:
    """The head of the table of genes."""
    return _part(page, "#genes", height_px=620)


def gene_in_full(page: Page) -> bytes:
    """The drawer of a gene: facts and evidence."""
    page.locator("#find").fill(INTEGRASE)
    page.locator("#gene-table tbody tr[data-gene] button.gene").first.click()
    page.locator("#drawer h3").first.wait_for()
    return page.locator("#drawer").screenshot()


def reasoning(page: Page) -> bytes:
    """The same gene: how its score was summed up."""
    page.locator("#find").fill(INTEGRASE)
    page.locator("#gene-table tbody tr[data-gene] button.gene").first.click()
    heading = page.locator("#drawer h3", has_text="Reasoning")
    # The head of the drawer stays in place above what is scrolled.
    heading.evaluate("one => { one.style.scrollMarginTop = '140px'; one.scrollIntoView(); }")
    return page.locator("#drawer").screenshot()


def dark_genes(page: Page) -> bytes:
    """The first dark genes, as targets of research."""
    return _part(page, "#dark", height_px=560)


def _part(page: Page, selector: str, height_px: int) -> bytes:
    """A section of the page, cut below."""
    page.evaluate("window.scrollTo(0, 0)")  # boxes count from the view, the picture from the page
    box = page.locator(selector).bounding_box()
    if box is None:
        raise LookupError(f"the page shows no {selector}")
    clip = {
        "x": max(0.0, box["x"] - _PADDING_PX),
        "y": max(0.0, box["y"] - _PADDING_PX),
        "width": box["width"] + 2 * _PADDING_PX,
        "height": min(box["height"], height_px) + _PADDING_PX,
    }
    return page.screenshot(full_page=True, clip=clip)  # type: ignore[arg-type]


OF_LAMBDA: Mapping[str, Callable[[Page], bytes]] = {
    "report": first_screen,
    "report-genome": genome_as_a_whole,
    "report-genes": genes,
    "report-gene": gene_in_full,
    "report-reasoning": reasoning,
    "report-dark": dark_genes,
}
OF_NEW_PHAGE: Mapping[str, Callable[[Page], bytes]] = {"new-phage": first_screen}


def take(
    browser: Browser, genome: Path, pictures: Mapping[str, Callable[[Page], bytes]], folder: Path
) -> None:
    """Interpret a genome and keep pictures of its page."""
    report = folder / f"{genome.stem}.html"
    report.write_text(render_report(interpret_genome(genome), "html"), encoding="utf-8")
    for name, picture in pictures.items():
        page = browser.new_page(
            viewport={"width": 1280, "height": 860}, reduced_motion="reduce", color_scheme="light"
        )
        page.goto(report.as_uri())
        page.locator("#gene-table tbody tr[data-gene]").first.wait_for()
        keep(picture(page), IMAGES / f"{name}.png")
        page.close()


def keep(png: bytes, path: Path) -> None:
    """Write a picture with few colours."""
    with Image.open(io.BytesIO(png)) as image:
        few = image.convert("RGB").quantize(_COLOURS, method=Image.Quantize.MEDIANCUT)
    few.save(path, optimize=True)
    print(f"{path.relative_to(ROOT)}: {path.stat().st_size:,} bytes")


def main() -> int:
    """Renew the pictures; 1 where there is no Chromium."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    options = parser.parse_args()
    program = shutil.which("chromium") or shutil.which("chromium-headless-shell")
    if program is None:
        print("chromium is not installed (tests/install_servers.sh installs it)", file=sys.stderr)
        return 1
    IMAGES.mkdir(exist_ok=True)
    new_phage = options.data / "genomes" / NEW_PHAGE
    with tempfile.TemporaryDirectory() as made, sync_playwright() as playwright:
        folder = Path(made)
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        take(browser, LAMBDA, OF_LAMBDA, folder)
        if new_phage.is_file():
            shutil.copy(new_phage, folder / "my_phage.fasta")
            take(browser, folder / "my_phage.fasta", OF_NEW_PHAGE, folder)
        browser.close()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
