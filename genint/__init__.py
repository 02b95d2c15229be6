"""genint: what each gene of a phage or bacterium does, how sure that is, and why.

    import asyncio
    from genint import interpret_genome_async, render_report

    summary = asyncio.run(interpret_genome_async("lambda.gbk"))
    for result in summary.results:
        if result.interpretation:
            print(result.gene_id, result.interpretation.hypothesis)
    page = render_report(summary, "html")

Names are imported when they are first used: ``import genint`` costs nothing.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
