import asyncio
import subprocess
import sys
import textwrap

import pytest

import genint
from genint import (
    GenBankParser,
    GenomeInterpreter,
    interpret_genome,
    interpret_genome_async,
    render_report,
    render_report_bytes,
)
from genint.errors import FormatError, InputError, UsageError
from genint.formats import read_original
from genint.knowledge import load_confidence
from genint.model import ConfidenceLevel, EvidenceType
from genint.pipeline.gene_calling import Payload
from genint.report import FORMATS, build_result, parse_result, render_json


@pytest.fixture(scope="session")
def phix(examples, pressed):
    """phiX174 interpreted from its GenBank record."""
    return interpret_genome(examples / "phiX174.gbk", cache_folder=pressed)


@pytest.fixture(scope="session")
def lambda_fasta(examples, pressed):
    """Lambda interpreted from its bare sequence."""
    return interpret_genome(examples / "lambda.fasta", cache_folder=pressed)


def json_of(summary):
    return render_json(build_result(summary, load_confidence()))


def test_the_names_of_the_specification_are_there(phix):
    assert phix.total_genes == 11
    assert phix.interpreted_genes + phix.novel_gene_report.dark_matter_count == 11
    for result in phix.results:
        assert isinstance(result.gene_id, str)
        told = result.interpretation
        if told is None:
            continue
        assert isinstance(told.hypothesis, str)
        assert told.confidence_level.value in {"HIGH", "MODERATE", "LOW", "SPECULATIVE"}
        assert 0 <= told.confidence_score <= 1
        assert {"cog_category", "cog_name"} <= told.metadata.keys()
        assert all(isinstance(step, str) for step in told.reasoning_chain)
        assert isinstance(told.reasoning_chain, list)


def test_a_bare_sequence_gets_genes_and_names(lambda_fasta):
    assert lambda_fasta.total_genes >= 55
    claims = {
        result.interpretation.hypothesis for result in lambda_fasta.results if result.interpretation
    }
    assert any("integrase" in claim.lower() for claim in claims)


def test_without_annotation_high_takes_a_family_and_another_type_that_agrees(lambda_fasta):
    levels = [result.confidence_level for result in lambda_fasta.results]
    assert levels.count(ConfidenceLevel.HIGH) > 10
    for result in lambda_fasta.results:
        if result.confidence_level is ConfidenceLevel.HIGH:
            best = result.interpretation.hypotheses[0]
            assert EvidenceType.FAMILY in best.types
            assert best.types & {EvidenceType.DOMAIN, EvidenceType.GENE_CONTEXT}


def test_predicted_genes_say_how_they_were_called(lambda_fasta):
    (contig,) = lambda_fasta.genome.contigs
    assert contig.calling.method.startswith("pyrodigal")
    assert contig.calling.translation_table == 11
    assert contig.calling.code_reason
    assert contig.calling.topology_reason
    first = lambda_fasta.results[0]
    assert first.gene_id == f"{contig.id}_00010"


async def test_a_parsed_genome_and_its_path_give_the_same(examples, pressed, phix):
    genome = GenBankParser().parse(str(examples / "phiX174.gbk"))
    summary = await interpret_genome_async(genome, cache_folder=pressed)
    assert json_of(summary) == json_of(phix)


async def test_the_number_of_workers_does_not_change_a_byte(examples, pressed, lambda_fasta):
    summary = await interpret_genome_async(
        examples / "lambda.fasta", workers=2, cache_folder=pressed
    )
    assert json_of(summary) == json_of(lambda_fasta)


async def test_progress_reaches_the_end_of_every_stage(examples, pressed):
    seen = []
    await interpret_genome_async(
        examples / "phiX174.gbk", progress=seen.append, cache_folder=pressed
    )
    last = {step.stage: step for step in seen}
    assert list(last) == ["reading", "finding genes", "searching", "interpreting"]
    assert all(step.done == step.total for step in last.values())


async def test_the_synchronous_face_works_inside_a_running_loop(examples):
    summary = GenomeInterpreter(phage_mode=True).interpret_genome(examples / "phiX174.gbk")
    assert summary.total_genes == 11


async def test_cancelling_stops_the_computing(examples, pressed):
    started = asyncio.Event()

    def watch(step):
        if step.stage == "searching":
            started.set()

    task = asyncio.create_task(
        interpret_genome_async(examples / "lambda.fasta", progress=watch, cache_folder=pressed)
    )
    await started.wait()
    task.cancel()
    async with asyncio.timeout(5):
        with pytest.raises(asyncio.CancelledError):
            await task


def test_cancelling_and_failing_callbacks_leave_no_noise(tmp_path, examples, pressed):
    script = tmp_path / "script.py"
    script.write_text(
        textwrap.dedent(f"""
        import asyncio, gc
        from pathlib import Path
        from genint import interpret_genome_async
        path, pressed = {str(examples / "lambda.fasta")!r}, Path({str(pressed)!r})

        class Stop(Exception):
            pass

        def fail(step):
            raise Stop

        async def main():
            task = asyncio.create_task(interpret_genome_async(path, cache_folder=pressed))
            await asyncio.sleep(0.3)
            task.cancel()
            try:
                await task
            except asyncio.CancelledError:
                print("cancelled")
            try:
                await interpret_genome_async(path, progress=fail, cache_folder=pressed)
            except Stop:
                print("failed")
            gc.collect()

        asyncio.run(main())
        """)
    )
    done = subprocess.run(
        [sys.executable, script], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout == "cancelled\nfailed\n"
    assert done.stderr == ""


async def test_the_event_loop_stays_responsive(examples, pressed):
    longest = 0.0
    loop = asyncio.get_running_loop()

    async def tick():
        nonlocal longest
        while True:
            before = loop.time()
            await asyncio.sleep(0)
            await asyncio.sleep(0.005)
            longest = max(longest, loop.time() - before)

    ticking = asyncio.create_task(tick())
    await interpret_genome_async(examples / "lambda.fasta", cache_folder=pressed)
    ticking.cancel()
    assert longest < 0.5


def test_ignoring_annotations_predicts_afresh_and_compares(examples, pressed):
    summary = interpret_genome(
        examples / "phiX174.gbk", ignore_annotations=True, cache_folder=pressed
    )
    found = summary.comparison
    assert found.genes_in_file == 11
    assert found.same_stop >= 7
    assert found.same_start <= found.same_stop
    assert len(found.missed) == 11 - found.same_stop
    assert all(result.gene.product is None for result in summary.results)
    compared = [result.compared for result in summary.results if result.compared]
    # Two genes of the file may share a stop (A and A*): one call answers for both.
    assert found.same_stop - 2 <= len(compared) <= found.same_stop


def test_local_mode_says_what_is_not_installed(examples, pressed):
    summary = interpret_genome(examples / "phiX174.gbk", mode="local", cache_folder=pressed)
    assert any("Pfam-A" in text for text in summary.unavailable)


@pytest.mark.parametrize("workers", [0, 5, -1])
def test_workers_out_of_range_are_refused(examples, workers):
    with pytest.raises(UsageError, match="workers must be 1 to 4"):
        interpret_genome(examples / "phiX174.gbk", workers=workers)


@pytest.mark.parametrize("share", [0, -1, 1.01, float("nan"), "0.9", True])
def test_a_greatest_identity_that_is_no_share_is_refused(examples, share):
    with pytest.raises(UsageError, match="max_identity"):
        interpret_genome(examples / "phiX174.gbk", max_identity=share)


@pytest.mark.parametrize("proteins", [b">a\nMKK", 123])
def test_proteins_that_are_no_file_are_refused(examples, proteins):
    with pytest.raises(UsageError, match="proteins must be a path"):
        interpret_genome(examples / "phiX174.gbk", proteins=proteins)


def test_an_unknown_mode_is_refused(examples):
    with pytest.raises(UsageError, match="mode"):
        interpret_genome(examples / "phiX174.gbk", mode="offlien")


@pytest.mark.parametrize("workers", [1, 2])
def test_a_bad_file_raises_its_own_error_whatever_the_workers(tmp_path, pressed, workers):
    bad = tmp_path / "bad.fasta"
    bad.write_text(">x\nACGT!CGT\n")
    with pytest.raises(FormatError) as caught:
        interpret_genome(bad, workers=workers, cache_folder=pressed)
    assert caught.value.source == "bad.fasta"
    assert caught.value.line == 2


def test_a_five_line_script_without_a_main_guard_works(tmp_path, examples, pressed):
    script = tmp_path / "script.py"
    script.write_text(
        textwrap.dedent(f"""
        from genint import GenBankParser, GenomeInterpreter
        genome = GenBankParser().parse({str(examples / "phiX174.gbk")!r})
        summary = GenomeInterpreter().interpret_genome(genome)
        print(summary.total_genes)
        """)
    )
    done = subprocess.run(
        [sys.executable, script], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout == "11\n"


@pytest.mark.parametrize("name", FORMATS)
def test_a_summary_and_its_stored_result_are_rendered_alike(examples, phix, name):
    original = examples / "phiX174.gbk" if FORMATS[name].needs_original else None
    stored = parse_result(json_of(phix).encode())
    content = render_report_bytes(phix, name, original)
    assert content
    assert render_report_bytes(stored, name, original) == content
    if FORMATS[name].is_binary:
        with pytest.raises(UsageError, match="no text: use render_report_bytes"):
            render_report(phix, name, original)
    else:
        assert content.endswith(b"\n")
        assert render_report(phix, name, original).encode() == content


def test_a_report_is_markdown_unless_another_format_is_named(phix):
    assert render_report(phix) == render_report(phix, "md")


def test_the_original_may_be_a_path_bytes_or_read_already(examples, phix):
    path = examples / "phiX174.gbk"
    given = (str(path), Payload(path.read_bytes(), path.name))
    expected = render_report(phix, "gbk", read_original(path.read_bytes(), path.name))
    assert [render_report(phix, "gbk", one) for one in given] == [expected, expected]


def test_an_unknown_format_is_refused_with_the_choice(phix):
    with pytest.raises(UsageError, match="choose from md, html"):
        render_report(phix, "docx")


def test_a_format_that_needs_the_original_says_so(phix):
    with pytest.raises(UsageError, match="give it"):
        render_report(phix, "gbk")


@pytest.mark.parametrize("name", ["nothing.gbk", "a\0b", ""])
def test_an_original_that_cannot_be_read_is_an_error_of_ours(tmp_path, phix, name):
    with pytest.raises(InputError, match="cannot be read"):
        render_report(phix, "gbk", tmp_path / name)


def test_another_file_is_no_original(examples, phix):
    with pytest.raises(InputError):
        render_report(phix, "gbk", examples / "lambda.fasta")


def test_the_public_names_are_importable_and_complete():
    for name in genint.__all__:
        assert getattr(genint, name) is not None
    with pytest.raises(AttributeError):
        genint.nothing_of_that_name  # noqa: B018


def test_importing_the_package_imports_nothing_heavy():
    heavy = ("numpy", "Bio", "pyhmmer", "pyrodigal", "pydantic")
    code = f"import sys, genint; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_process_of_the_service_loads_neither_numpy_nor_hmmer():
    heavy = ("numpy", "Bio", "pyhmmer", "pyrodigal", "pyopal")
    code = (
        "import sys, genint.service.app, genint.service.server; "
        f"print([name for name in {heavy} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
