"""All other RNA: genes and regulatory stretches that families of an installed Rfam recognise.

A hit counts from the gathering threshold of its family on. The filters in front of the
covariance models are set as Rfam sets them for whole databases (``--rfam`` of Infernal):
some seven times cheaper than its settings for a single genome, for a few remote hits.

Source: Nawrocki & Eddy 2013, doi:10.1093/bioinformatics/btt509 (Infernal, through
``pyinfernal``); Ontiveros-Palacios et al. 2025, doi:10.1093/nar/gkae1023 (Rfam).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from genint.errors import WorkCancelled
from genint.model.interval import Strand
from genint.native.subnormals import subnormals_as_zero
from genint.rna.merge import RnaHit, SearchedContig

if TYPE_CHECKING:
    from pyinfernal.cm import Hit


WHAT = "other RNA"
SHORTEST_BP = 20
_RFAM_FILTERS = (0.06, 0.02, 0.0002, 0.0002, 0.0002, 0.0001)
"""P-values that windows have to reach at the six filters (F1 to F6 of ``--rfam``)."""
_UNIT = "bits"
_COLUMNS = 7
_SEARCHED_BP = 10_000_000
"""What E-values refer to: a constant, so that no contig's hits depend on those beside it."""


class RnaKind(NamedTuple):
    """How INSDC calls a family.

    Attributes:
        key: Feature key.
        insdc_class: ``/ncRNA_class`` or ``/regulatory_class``; None where the key has none.
        product: Name that is the usual one; None to take the family's description.
    """

    key: str
    insdc_class: str | None
    product: str | None = None


class Family(NamedTuple):
    """A family of the table that ``genint db install rfam`` writes.

    Attributes:
        accession: Such as ``RF00010``.
        name: Such as ``RNaseP_bact_a``.
        length: Consensus positions.
        gathering_bits: Score from which a hit counts.
        type: Rfam's own, such as ``Gene; ribozyme;``.
        clan: Accession of its clan; empty for none.
        description: In words.
    """

    accession: str
    name: str
    length: int
    gathering_bits: float
    type: str
    clan: str
    description: str


_TMRNA = RnaKind("tmRNA", None, "transfer-messenger RNA")
_BY_NAME = (
    ("tmRNA", _TMRNA),
    ("RNaseP", RnaKind("ncRNA", "RNase_P_RNA", "RNase P RNA component")),
    ("RNase_P", RnaKind("ncRNA", "RNase_P_RNA", "RNase P RNA component")),
    ("_SRP", RnaKind("ncRNA", "SRP_RNA", "signal recognition particle RNA")),
)
"""Part of a family's name -> kind, where the type alone does not tell."""
_BY_TYPE = (
    ("Cis-reg; riboswitch", RnaKind("regulatory", "riboswitch")),
    ("Cis-reg; frameshift_element", RnaKind("regulatory", "recoding_stimulatory_region")),
    ("Cis-reg", RnaKind("regulatory", "other")),
    ("Gene; antisense", RnaKind("ncRNA", "antisense_RNA")),
    ("Gene; ribozyme", RnaKind("ncRNA", "ribozyme")),
    ("Gene; rRNA", RnaKind("rRNA", None)),
    ("Gene; tRNA", RnaKind("tRNA", None)),
    ("Gene", RnaKind("ncRNA", "other")),
    ("Intron", RnaKind("misc_feature", None)),
)
"""Beginning of a type -> kind, the narrower ones first."""


def find_rfam(
    contigs: Sequence[SearchedContig],
    block: Path,
    families: Mapping[str, Family],
    name: str,
    *,
    is_cancelled: Callable[[], bool] | None = None,
) -> tuple[tuple[RnaHit, ...], ...]:
    """What the families of a block recognise on each contig; overlapping hits are all there.

    Args:
        contigs: Where to look.
        block: A file of covariance models.
        families: The table of families.
        name: What the method is called.
        is_cancelled: Called before every family.

    Raises:
        WorkCancelled: ``is_cancelled`` returned true.
        ValueError, OSError: the block or its table is damaged.

    Cost: 0.06 CPU s a family and megabase, 2 ms a family at least.
    """
    from pyhmmer.easel import (  # noqa: PLC0415 - native, loaded late
        Alphabet,
        DigitalSequenceBlock,
        TextSequence,
    )
    from pyinfernal.cm import CMFile, Pipeline  # noqa: PLC0415

    alphabet = Alphabet.rna()
    targets = DigitalSequenceBlock(
        alphabet,
        [
            TextSequence(name=str(at), sequence=contig.text).digitize(alphabet)
            for at, contig in enumerate(contigs)
            if len(contig.bases) >= SHORTEST_BP
        ],
    )
    found: list[list[RnaHit]] = [[] for _ in contigs]
    with CMFile(str(block), db=False) as models:
        for model in models:
            if is_cancelled is not None and is_cancelled():
                raise WorkCancelled("the search for RNA was stopped")
            family = families[str(model.accession)]
            pipeline = Pipeline(alphabet, Z=_SEARCHED_BP, T=family.gathering_bits)
            for number, value in enumerate(_RFAM_FILTERS, start=1):
                setattr(pipeline, f"F{number}", value)
            with subnormals_as_zero():
                hits = pipeline.search_cm(model, targets).reported if len(targets) else ()
            for hit in hits:
                at = int(hit.name)
                gene = _hit(contigs[at], hit, family, name)
                if gene is not None:
                    found[at].append(gene)
    return tuple(map(tuple, found))


def method(release: str) -> str:
    """Program, version and release, as results name it."""
    return f"Infernal cmsearch (pyinfernal {version('pyinfernal')}), Rfam {release}"


def is_available() -> bool:
    """Whether the library is there: it has no wheel for every platform."""
    return find_spec("pyinfernal") is not None


@lru_cache(maxsize=2)
def read_families(table: Path) -> Mapping[str, Family]:
    """Accession -> family, of the table of an installed Rfam."""
    families = {}
    with table.open(encoding="utf-8") as lines:
        next(lines, None)
        for line in lines:
            columns = line.rstrip("\n").split("\t")
            if len(columns) != _COLUMNS:
                raise ValueError(f"{table.name}: {len(columns)} columns instead of {_COLUMNS}")
            accession, name, length, gathering, *rest = columns
            families[accession] = Family(accession, name, int(length), float(gathering), *rest)
    return families


def kind_of(family_type: str, name: str) -> RnaKind:
    """Key and class of a family.

    Args:
        family_type: Rfam's, such as ``Gene; ribozyme;``.
        name: Rfam's, such as ``RNaseP_bact_a``.
    """
    for part, kind in _BY_NAME:
        if part in name and family_type.startswith("Gene"):
            return kind
    for beginning, kind in _BY_TYPE:
        if family_type.startswith(beginning):
            return kind
    return RnaKind("misc_feature", None)


def _hit(contig: SearchedContig, hit: Hit, family: Family, name: str) -> RnaHit | None:
    aligned = hit.alignment
    first, last = sorted((int(aligned.target_from), int(aligned.target_to)))
    interval = contig.place(first - 1, last)
    if interval is None:
        return None
    kind = kind_of(family.type, family.name)
    return RnaHit(
        interval=interval,
        strand=Strand.FORWARD if hit.strand == "+" else Strand.REVERSE,
        kind=kind.key,
        product=kind.product or family.description or family.name,
        method=name,
        score=round(float(hit.score), 1),
        score_unit=_UNIT,
        insdc_class=kind.insdc_class,
        accession=family.accession,
        clan=family.clan or None,
        note=f"Rfam family {family.name}, threshold {family.gathering_bits:.1f} bits.",
    )
