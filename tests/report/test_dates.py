"""The date of a run is the one that was given, in every format that carries one."""

from __future__ import annotations

import datetime
import io
import warnings

import openpyxl
import pytest
from Bio import BiopythonWarning, SeqIO

from genint import interpret_genome, render_report, render_report_bytes
from genint.errors import UsageError
from genint.model.interpretation import Parameters
from genint.pipeline.library import as_result
from genint.report import parse_result, render_json

DAY = datetime.date(2026, 11, 5)


@pytest.fixture(scope="module")
def source(examples, tmp_path_factory):
    record = SeqIO.read(examples / "phiX174.gbk", "genbank")
    path = tmp_path_factory.mktemp("dates") / "phi.fasta"
    path.write_text(f">phi one\n{record.seq}\n>phi2\n{record.seq}\n")
    return path


@pytest.fixture(scope="module", params=["interpreted", "read again"])
def dated(source, request):
    result = as_result(interpret_genome(source, date=DAY))
    if request.param == "read again":
        result = parse_result(render_json(result).encode())
    return result


def test_genbank_and_embl_carry_the_date_that_was_given(dated, source):
    text = render_report(dated, "gbk", source)
    records = list(SeqIO.parse(io.StringIO(text), "genbank"))
    assert [one.annotations["date"] for one in records] == ["05-NOV-2026"] * 2
    assert "is a fixed one and says nothing" not in " ".join(text.split())
    embl = render_report(dated, "embl", source)
    assert embl.count("\nDT   05-NOV-2026 (Created)\nXX\n") == 2
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", BiopythonWarning)
        again = list(SeqIO.parse(io.StringIO(embl), "embl"))
    assert [len(one.features) for one in again] == [len(one.features) for one in records]


def test_the_workbook_carries_the_date_that_was_given(dated):
    book = openpyxl.load_workbook(io.BytesIO(render_report_bytes(dated, "xlsx")))
    assert book.properties.created.date() == DAY
    rows = [[cell.value for cell in row] for row in book["Used"].rows]
    assert ["parameter", "date", "2026-11-05", None] in rows


def test_without_a_date_no_clock_is_read(source):
    result = as_result(interpret_genome(source))
    assert result.parameters.date is None
    text = render_report(result, "gbk", source)
    assert {one.annotations["date"] for one in SeqIO.parse(io.StringIO(text), "genbank")} == {
        "01-JAN-1980"
    }
    assert "\nDT " not in render_report(result, "embl", source)


def test_a_record_of_the_file_keeps_its_own_date(examples):
    file = examples / "phiX174.gbk"
    result = as_result(interpret_genome(file, date=DAY))
    first = file.read_text().partition("\n")[0]
    assert render_report(result, "gbk", file).startswith(first)
    assert "05-NOV-2026" not in render_report(result, "embl", file)


@pytest.mark.parametrize("wrong", ["2026-11-05", datetime.datetime(2026, 11, 5), 20261105])
def test_what_is_no_date_is_refused(wrong):
    with pytest.raises(UsageError, match="date must be"):
        Parameters(date=wrong)
