import pytest

from genint.report import FORMATS, report_name, stem_of


@pytest.mark.parametrize(
    ("filename", "stem"),
    [
        ("lambda.fasta", "lambda"),
        ("lambda.FNA.BZ2", "lambda"),
        ("NC_001416.1.gbk", "NC_001416.1"),
        ("x.gz", "x"),
        (".gbk", ".gbk"),
        (".gz", ".gz"),
        ("", ""),
    ],
)
def test_the_stem_loses_compression_and_one_extension(filename, stem):
    assert stem_of(filename) == stem


def test_every_format_has_a_file_name_of_its_own():
    names = {report_name("lambda", name) for name in FORMATS}
    assert len(names) == len(FORMATS)
    assert "lambda_report.gff3" in names
