"""Reports: size and seconds of every format, and how quick the page is in a browser.

    python -m benchmarks.speed.reports [--runs N] [--genomes FOLDER] [--skip-peer]

Prints, for phage lambda and (where real genomes are at hand) Escherichia coli K-12, size and
rendering time of each format, and for the page in headless Chromium the time to the first
view, to a filtered table and map, and of a frame while the map is panned: medians over the
runs. The page of the ``giae`` package is opened in the same run, for comparison.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks.speed.speed import PEER, install_peer
from genint.formats import Original, read_original
from genint.knowledge.confidence import load_confidence
from genint.pipeline.library import interpret_genome
from genint.report.build import build_result
from genint.report.formats import FORMATS, render
from genint.report.result import GenintResult

ROOT = Path(__file__).resolve().parents[2]
LAMBDA = "lambda_NC_001416.gb"
BACTERIUM = "E_coli_K12_MG1655_NC_000913.gbk.gz"
WORDS = ("protein", "DNA", "kinase", "transport", "b00", "membrane", "zz no such gene")
"""What is searched for: much, some and nothing of a genome."""

DRAWN = "#gene-table tbody tr, #maps svg path"

FILTERED_MS = """word => new Promise((done) => {
  const box = document.getElementById("find");
  const started = performance.now();
  box.value = word;
  box.dispatchEvent(new Event("input", { bubbles: true }));
  requestAnimationFrame(() => setTimeout(() => done(performance.now() - started)));
})"""
"""From the key to the painted page: the frame after the work has been drawn when the task
behind it runs."""

PANNED_MS = """async () => {
  const map = document.querySelector("#maps svg");
  map.scrollIntoView();
  const box = map.getBoundingClientRect();
  const at = (x) => ({ clientX: x, clientY: box.top + box.height / 2, bubbles: true,
                       pointerId: 1, isPrimary: true, button: 0, buttons: 1 });
  const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  map.dispatchEvent(new PointerEvent("pointerdown", at(box.left + 500)));
  const times = [];
  for (let step = 1; step <= 30; step += 1) {
    const started = performance.now();
    map.dispatchEvent(new PointerEvent("pointermove", at(box.left + 500 - 8 * step)));
    await frame();
    times.push(performance.now() - started);
  }
  map.dispatchEvent(new PointerEvent("pointerup", at(box.left + 260)));
  return times;
}"""


@dataclass(frozen=True, slots=True)
class View:
    """How a page opened, in milliseconds since it was asked for, and its elements."""

    painted_ms: float
    ready_ms: float
    elements: int


def median_of(measure: Callable[[], float], runs: int) -> float:
    """Median of what a function measures."""
    return statistics.median(measure() for _ in range(runs))


def formats(result: GenintResult, original: Original, folder: Path, runs: int) -> Path:
    """Print size and rendering time of every format; the path of the page."""
    for name, found in FORMATS.items():
        given = original if found.needs_original else None

        def seconds(name: str = name, given: Original | None = given) -> float:
            started = time.perf_counter()
            render(result, name, given)
            return time.perf_counter() - started

        seconds()  # loads the renderer
        text = render(result, name, given)
        print(f"  {name:10s} {len(text.encode()):>12,} bytes {median_of(seconds, runs):8.2f} s")
        (folder / f"report.{found.extension}").write_text(text, encoding="utf-8")
    return folder / "report.html"


def opened(browser: Browser, file: Path, drawn: str = "body") -> tuple[Page, View]:
    """The page of a file, and how long it took to appear.

    Args:
        browser: Where to open it.
        file: The page.
        drawn: Selectors, all of which are there when the page is ready.
    """
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.goto(file.as_uri(), wait_until="commit")
    ready_ms = page.wait_for_function(
        """(drawn) => document.readyState === "complete"
           && drawn.split(", ").every((one) => document.querySelector(one))
           && performance.getEntriesByName("first-contentful-paint").length
           && performance.now()""",
        arg=drawn,
        polling="raf",
    ).json_value()
    painted_ms, elements = page.evaluate(
        """() => [performance.getEntriesByName("first-contentful-paint")[0].startTime,
                  document.querySelectorAll("*").length]"""
    )
    return page, View(painted_ms, ready_ms, elements)


def in_browser(browser: Browser, file: Path, runs: int) -> float:
    """Print how quick our page is; the median time until it is ready, in milliseconds."""
    views = []
    for _ in range(runs):
        page, view = opened(browser, file, DRAWN)
        views.append(view)
        if len(views) < runs:
            page.close()
    ready_ms = statistics.median(view.ready_ms for view in views)
    print(
        f"  first paint {statistics.median(view.painted_ms for view in views):.0f} ms, "
        f"table and map drawn {ready_ms:.0f} ms, {views[-1].elements:,} elements"
    )
    filtered = [page.evaluate(FILTERED_MS, word) for _ in range(runs) for word in WORDS]
    print(f"  filter: median {statistics.median(filtered):.0f} ms, worst {max(filtered):.0f} ms")
    page.evaluate(FILTERED_MS, "")
    zoom = page.get_by_role("button", name="Zoom in")
    for _ in range(3):
        zoom.click()
    frames = page.evaluate(PANNED_MS)
    print(f"  pan: median frame {statistics.median(frames):.0f} ms, worst {max(frames):.0f} ms")
    page.close()
    return ready_ms


def peer_page(browser: Browser, peer: Path, genome: Path, folder: Path, runs: int) -> float | None:
    """Print how quick the peer's page opens; None where it makes none."""
    file = folder / "peer.html"
    made = subprocess.run(
        [peer, "interpret", "--mode", "offline", "--format", "html", "-o", file, genome],
        capture_output=True,
        check=False,
    )
    if made.returncode or not file.exists():
        print(f"  {PEER}: makes no page of it")
        return None
    views = []
    for _ in range(runs):
        page, view = opened(browser, file)
        views.append(view)
        page.close()
    ready_ms = statistics.median(view.ready_ms for view in views)
    print(
        f"  {PEER}: {file.stat().st_size:,} bytes, first paint "
        f"{statistics.median(view.painted_ms for view in views):.0f} ms, loaded {ready_ms:.0f} ms, "
        f"{views[-1].elements:,} elements"
    )
    return ready_ms


def genomes(folder: Path) -> Sequence[Path]:
    """The genomes to report on."""
    real = [folder / LAMBDA, folder / BACTERIUM]
    if all(path.exists() for path in real):
        return real
    print(f"no real genomes in {folder.name}: the example alone")
    return [ROOT / "examples" / "lambda.fasta"]


def main() -> None:
    """Print all figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--genomes", type=Path, default=ROOT.parent / "shared" / "data" / "genomes")
    parser.add_argument("--skip-peer", action="store_true")
    options = parser.parse_args()
    chromium = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    if chromium is None:
        sys.exit("chromium is not installed; tests/install_servers.sh installs it")
    peer = None if options.skip_peer else install_peer()
    print(f"medians of {options.runs} runs")
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as name:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for path in genomes(options.genomes):
            folder = Path(name) / path.name
            folder.mkdir()
            original = read_original(path.read_bytes(), path.name)
            result = build_result(interpret_genome(path), load_confidence())
            print(f"{path.name}: {len(result.genes):,} genes")
            page = formats(result, original, folder, options.runs)
            ours_ms = in_browser(browser, page, options.runs)
            theirs_ms = peer_page(browser, peer, path, folder, options.runs) if peer else None
            if theirs_ms:
                print(f"  ours is ready in {ours_ms / theirs_ms:.2f} of the peer's time")
        browser.close()


if __name__ == "__main__":
    main()
