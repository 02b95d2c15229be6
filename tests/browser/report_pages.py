"""Results whose pages are tested, and how a test reads a page."""

from __future__ import annotations

from pathlib import Path

from playwright.async_api import Download, Locator, Page

from genint import interpret_genome
from genint.knowledge import load_confidence
from genint.model import Category
from genint.report import GeneItem, GenintResult, build_result

STILL = {"reduced_motion": "reduce"}
CROWDED = {
    "function": "a very long name of a function that says a lot of things " * 4,
    "category": Category.REPLICATION,
    "cog_category": "L",
    "pfam_id": "PF00001",
    "go_terms": tuple(f"GO:000000{n}" for n in range(8)),
    "pseudo": True,
    "partial": True,
    "partial_5": True,
}
"""What fills a row to the brim."""
ROWS = "#gene-table tbody tr[data-gene]"


def result_of(genome: Path) -> GenintResult:
    return build_result(interpret_genome(genome), load_confidence())


def with_domain(result: GenintResult) -> GeneItem:
    """A gene whose evidence lies somewhere on its protein."""
    return next(
        gene
        for gene in result.genes
        if any(item.protein_start is not None for item in gene.evidence)
    )


def by_place(result: GenintResult) -> list[GeneItem]:
    """In the order of the table, which is not that of the file where a gene wraps."""
    return sorted(result.genes, key=lambda gene: gene.start)


def first_dark(result: GenintResult) -> GeneItem:
    return next(gene for gene in result.genes if gene.novelty and gene.novelty.rank == 1)


async def names(page: Page) -> list[str]:
    return await page.locator(f"{ROWS} button.gene").all_inner_texts()


async def download(button: Locator) -> Download:
    """What a button saves. It is pressed by the keyboard: on a slow machine a page that still
    settles can move it from under the mouse between press and release: then there is no click.
    """
    async with button.page.expect_download() as saving:
        await button.press("Enter")
    return await saving.value


async def focused(page: Page) -> str:
    return await page.evaluate("document.activeElement.textContent")


def enlarged(phage: GenintResult, *, copies: int = 20, crowded: bool = True) -> GenintResult:
    """A genome of more genes than the table keeps in the page."""
    length = phage.records[0].length
    genes = tuple(
        gene.model_copy(
            update={
                "id": f"{gene.id}_{copy}",
                "name": f"{gene.name}_{copy}",
                "start": gene.start + copy * length,
                "end": gene.end + copy * length,
                **(CROWDED if crowded and copy % 3 == 0 else {}),
            }
        )
        for copy in range(copies)
        for gene in phage.genes
    )
    record = phage.records[0].model_copy(update={"length": copies * length, "topology": "linear"})
    return phage.model_copy(update={"genes": genes, "records": (record,)})
