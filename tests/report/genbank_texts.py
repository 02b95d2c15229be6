"""Small GenBank texts, their results, and what biopython makes of rendered ones."""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterable
from typing import Any

import gb_io
from Bio import SeqIO
from Bio.SeqFeature import SeqFeature
from Bio.SeqRecord import SeqRecord

from genint.formats import Original, read_original
from genint.genes import call_genes, decide
from genint.knowledge import load_confidence
from genint.report import GenintResult, build_result
from tests.builders.results import summarise

BASES = "ATGAAACGTCTGGCAGAATACGATCTGTAAGCATGCATGCTTGCATGCATGCATGCATGC"
"""60 bases; 1..30 is a gene (MKRLAEYDL)."""
HEAD = (
    "LOCUS       X1                        60 bp    DNA     linear   PHG 01-JAN-2020\n"
    "DEFINITION  A small test phage.\nACCESSION   X1\nVERSION     X1.1\n"
)
TABLE = "FEATURES             Location/Qualifiers\n"
TAIL = f"ORIGIN\n        1 {BASES.lower()}\n//\n"
PORTAL = ('/locus_tag="T_01"', '/product="portal protein"')


def record(*features: tuple[str, Iterable[str]]) -> str:
    """A GenBank record with these features."""
    lines = []
    for place, qualifiers in features:
        key, location = place.split()
        lines.append(f"     {key:<16}{location}")
        lines += [" " * 21 + line for line in qualifiers]
    return HEAD + TABLE + "".join(f"{line}\n" for line in lines) + TAIL


def annotated(text: str) -> tuple[GenintResult, Original]:
    """The result of a text, on annotations alone or on predicted genes."""
    original = read_original(text.encode(), "x.gbk")
    genome = original.genome
    if not genome.genes and genome.length_bp > 1000:
        genome = decide(call_genes(genome))
    return build_result(summarise(genome), load_confidence()), original


def changed(result: GenintResult, **fields: Any) -> GenintResult:
    """The result with these fields of its only gene changed."""
    [gene] = result.genes
    return result.model_copy(update={"genes": (gene.model_copy(update=fields),)})


def biopython(text: str) -> SeqRecord:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return SeqIO.read(io.StringIO(text), "genbank")


def cds_of(text: str) -> SeqFeature:
    [feature] = [one for one in biopython(text).features if one.type == "CDS"]
    assert len(gb_io.load(io.BytesIO(text.encode()))) == 1
    return feature
