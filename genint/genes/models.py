"""Gene models: those of Prodigal and of its viral extension, sorted by genetic code.

A model is a set of parameters learned from one organism. None is for a code that
it was not trained for, so for recoded genomes the models of code 11 are lent:
:func:`recoded` gives a codon that is no longer a stop a neutral weight.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING

from genint.model.sequence import stop_codons

if TYPE_CHECKING:
    from pyrodigal import MetagenomicBin, MetagenomicBins

STANDARD_CODE = 11
VIRAL_MODEL_CODES = (15,)
"""Code 15 has models in the viral extension only; code 4 has the Mycoplasma models of both."""
_DIGITS = {"A": 0, "G": 1, "C": 2, "T": 3}
_NEUTRAL = 0.0
"""Log-likelihood ratio of a hexamer that says nothing for or against coding."""


@lru_cache(maxsize=8)
def models_for(code: int) -> MetagenomicBins:
    """Models to choose from on a contig of NCBI genetic code ``code``.

    Cost: nothing for code 11; about 0.1 s once per process for any other.
    """
    from pyrodigal import METAGENOMIC_BINS, MetagenomicBins  # noqa: PLC0415 - native, loaded late

    shipped = tuple(METAGENOMIC_BINS)
    if code in VIRAL_MODEL_CODES:
        from pyrodigal_gv import METAGENOMIC_BINS as VIRAL  # noqa: PLC0415 - native, loaded late

        shipped = tuple(VIRAL)
    native = [model for model in shipped if model.training_info.translation_table == code]
    if code == STANDARD_CODE:
        return MetagenomicBins(native)
    standard = [m for m in shipped if m.training_info.translation_table == STANDARD_CODE]
    return MetagenomicBins([*native, *(recoded(model, code) for model in standard)])


def recoded(model: MetagenomicBin, code: int) -> MetagenomicBin:
    """The same model for another genetic code.

    Args:
        model: A model of code 11.
        code: NCBI genetic code whose stop codons are among those of code 11.

    Returns:
        A model in which hexamers with a codon that is no longer a stop weigh
        nothing (in the original they weigh as much as a stop inside a gene).
        Weakness: it cannot see that such a codon is usual in this genome.
    """
    from pyrodigal import MetagenomicBin, TrainingInfo  # noqa: PLC0415 - native, loaded late

    weights = list(model.training_info.coding_statistics)
    for index in _freed_hexamers(code):
        weights[index] = _NEUTRAL
    parameters = model.training_info.to_dict()
    parameters.update(translation_table=code, coding_statistics=weights)
    return MetagenomicBin(TrainingInfo(**parameters), f"{model.description}, recoded to {code}")


@lru_cache(maxsize=8)
def _freed_hexamers(code: int) -> tuple[int, ...]:
    """Indices of hexamers with a stop of code 11 that ``code`` reads, and no stop of its own.

    Prodigal packs a hexamer in two bits a base, first base lowest, A G C T as 0 to 3.
    """
    stops = stop_codons(code)
    freed = stop_codons(STANDARD_CODE) - stops
    return tuple(
        sum(_DIGITS[base] << (2 * place) for place, base in enumerate(bases))
        for bases in product("ACGT", repeat=6)
        if (codons := {"".join(bases[:3]), "".join(bases[3:])}) & freed and not codons & stops
    )
