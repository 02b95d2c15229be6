"""Evidence and genes for tests of the interpreter, and the judgement that ships."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from genint.interpret import ScoringModel
from genint.knowledge import ConfidenceParameters, load_products, load_roles, parse_confidence
from genint.model import (
    CalledBy,
    Evidence,
    EvidenceSource,
    EvidenceType,
    FamilySupport,
    Gene,
    Interval,
    Location,
    Measurements,
    ReferenceEntry,
    Specificity,
    Strand,
)


@pytest.fixture(scope="session")
def parameters() -> ConfidenceParameters:
    """Made-up ones: what ships moves with every fit."""
    return parse_confidence(Path(__file__).with_name("parameters.toml").read_text())


@pytest.fixture(scope="session")
def judgement(parameters: ConfidenceParameters) -> ScoringModel:
    return ScoringModel(parameters, load_roles(), load_products())


@pytest.fixture
def annotated() -> Callable[..., Evidence]:
    """A product of the file as evidence."""

    def make(name: str, **changes: object) -> Evidence:
        values: dict[str, object] = {
            "gene_id": "g1",
            "source": EvidenceSource.GENBANK,
            "type": EvidenceType.ANNOTATION,
            "specificity": Specificity.PROTEIN,
            "claim": name,
            "subject": name,
            "label": f"product in the file: {name}",
            "strength": "annotation",
            "origin": "annotation:c",
            "eco": "ECO:0000313",
            "accession": "XP_1",
        }
        return Evidence(**(values | changes))  # type: ignore[arg-type]

    return make


@pytest.fixture
def domain() -> Callable[..., Evidence]:
    """A Pfam hit as evidence."""

    def make(accession: str, name: str, **changes: object) -> Evidence:
        values: dict[str, object] = {
            "gene_id": "g1",
            "source": EvidenceSource.PFAM,
            "type": EvidenceType.DOMAIN,
            "specificity": Specificity.DOMAIN,
            "claim": f"contains a {name} domain",
            "subject": name,
            "label": f"{accession} {name}",
            "strength": "pfam_domain",
            "origin": f"pfam:{accession}",
            "eco": "ECO:0000256",
            "database": "Pfam 35.0",
            "accession": accession,
            "pfam": accession,
            "measured": Measurements(1e-40, 140.0, 25.0, 3, 120, 0.8, 0.95),
        }
        return Evidence(**(values | changes))  # type: ignore[arg-type]

    return make


@pytest.fixture
def family() -> Callable[..., Evidence]:
    """A hit of a family of genint's own as evidence."""

    def make(name: str, product: str | None = None, **changes: object) -> Evidence:
        values: dict[str, object] = {
            "gene_id": "g1",
            "source": EvidenceSource.GENINT_FAMILY,
            "type": EvidenceType.FAMILY,
            "specificity": Specificity.PROTEIN,
            "claim": name,
            "subject": name,
            "label": f"GF0A1B2C3D {name}",
            "strength": "family_agreed",
            "origin": "genint_family:GF0A1B2C3D",
            "eco": "ECO:0000256",
            "database": "genint families 1",
            "accession": "GF0A1B2C3D",
            "product": product,
            "measured": Measurements(1e-60, 210.3, 61.0, 4, 190, 0.95, 0.98),
            "support": FamilySupport(
                members=18,
                named_members=16,
                agreeing=14,
                records=12,
                consensus=0.93,
                informative=0.89,
                margin_bits=149.3,
                is_member=False,
            ),
        }
        return Evidence(**(values | changes))  # type: ignore[arg-type]

    return make


@pytest.fixture
def similar() -> Callable[..., Evidence]:
    """A similar protein of Swiss-Prot as evidence."""

    def make(name: str, product: str | None = None, **changes: object) -> Evidence:
        values: dict[str, object] = {
            "gene_id": "g1",
            "source": EvidenceSource.SWISSPROT,
            "type": EvidenceType.HOMOLOGY,
            "specificity": Specificity.PROTEIN,
            "claim": name,
            "subject": name,
            "label": f"P12345 {name}",
            "strength": "homology_near",
            "origin": f"protein:0123456789:{name}",
            "eco": "ECO:0000249",
            "database": "Swiss-Prot 2026_03",
            "accession": "P12345",
            "product": product,
            "measured": Measurements(
                1e-200,
                1840.25,
                None,
                5,
                1155,
                0.99,
                0.98,
                identity=0.63,
                target_from=7,
                target_to=1158,
            ),
            "similar": ReferenceEntry("P12345", name, organism="Escherichia coli", length_aa=1160),
        }
        return Evidence(**(values | changes))  # type: ignore[arg-type]

    return make


@pytest.fixture
def gene() -> Callable[..., Gene]:
    def make(**changes: object) -> Gene:
        values: dict[str, object] = {
            "id": "g1",
            "contig": "c",
            "location": Location.simple(Interval(0, 600), Strand.FORWARD),
            "protein": "M" * 199,
            "translation_table": 11,
            "called_by": CalledBy.GENBANK,
        }
        return Gene(**(values | changes))  # type: ignore[arg-type]

    return make
