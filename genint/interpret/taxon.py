"""Evidence from where it cannot come: proteins of viruses that infect no bacterium, and the like.

Swiss-Prot's viruses are mostly those of animals and plants. A phage shares enzymes of
nucleotide metabolism with them, and little else, so a name that rests on one of them is told
with that doubt. Told by the names of organisms: no taxonomy ships.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from genint.model.evidence import Evidence

_OF_EUKARYOTES = re.compile(
    r"""\b(?:human|homo|bovine|porcine|equine|canine|feline|murine|avian|simian|chicken|mouse|rat
        |rabbit|monkey|fowl|turkey|duck|swine|fish|insect|mosquito|bat|frog|snake)\b(?!.*\bphage\b)
      | (?:adeno|alphaherpes|arena|arteri|asfi|astro|baculo|birna|bunya|calici|circo|corona
        |cytomegalo|entero|filo|flavi|gemini|hepadna|herpes|influenza|irido|lenti|luteo|mimi
        |nano|nucleopolyhedro|orthomyxo|papilloma|paramyxo|parvo|picorna|polyoma|potex|poty|pox
        |reo|retro|rhabdo|rota|tobamo|toga|tombus|vaccinia|variola)[a-z]*\ ?virus
      | \b(?:vaccinia|variola|hepatitis|measles|rabies|ebola|dengue|mosaic
        |polyhedrosis|fever)\b.*\bvirus\b
      | \b(?:saccharomyces|arabidopsis|drosophila|caenorhabditis|homo\ sapiens|mus\ musculus)\b""",
    re.VERBOSE | re.IGNORECASE,
)
_PHAGE = re.compile(r"\b(?:phage|bacteriophage)\b|\bphage[A-Za-z0-9]", re.IGNORECASE)
_EUKARYOTIC_PART = re.compile(
    r"\b(?:nuclear pore|nucleolar|spliceosom\w+|kinetochore|centromer\w+|mitochondri\w+"
    r"|chloroplast\w*|thylakoid|peroxisom\w+|golgi|endoplasmic reticulum|ubiquitin ligase"
    r"|proteasome 19S|histone H[1-4]|tubulin|actin cytoskeleton|myosin|kinesin|dynein"
    r"|sarcoplasmic|neuron\w*|synap\w+)\b",
    re.IGNORECASE,
)
"""What no bacterium and no phage has."""


def taxon_doubts(evidence: Iterable[Evidence]) -> tuple[str, ...]:
    """What makes the taxon of evidence implausible for a bacterium or a phage, in plain words."""
    found: dict[str, None] = {}
    for item in evidence:
        organism = item.similar.organism if item.similar is not None else ""
        if organism and _OF_EUKARYOTES.search(organism) and not _PHAGE.search(organism):
            found[
                f"taxon: {item.accession} is of {organism}, which is no bacterium and infects none"
            ] = None
        part = _EUKARYOTIC_PART.search(item.claim)
        if part:
            found[f"taxon: “{part[0]}” in “{item.claim}” is of eukaryotes"] = None
    return tuple(found)
