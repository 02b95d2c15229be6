"""Words of names that no protein of a bacterium or phage should have: organs, organelles, hosts.

Such names come from databases: a family is named after the member that was studied first, or a
record copied the name of a remote relative. A comparison (``-like``, ``-type``, homolog) states
no more than a likeness, and what acts on such a thing (keratinase, a fibronectin-binding
adhesin, a mosquitocidal toxin) is of bacteria.
"""

from __future__ import annotations

import re
from functools import lru_cache

_FOREIGN = re.compile(
    r"""\b(?:
        # organelles and structures of eukaryotic cells
        nuclear[ ](?:pore|receptor|envelope|import|export|localization) | nucleol\w+ | nucleosom\w+
      | spliceosom\w+ | pre-?mrna | mrna[ ]splicing | kinetochore | centromer\w+ | centrosom\w+
      | centriol\w+ | mitochondri\w+ | chloroplast\w* | peroxisom\w+ | golgi
      | endoplasmic[ ]reticulum | sarcoplasmic | (?<!non-)lysosom\w+ | cilium | cilia | sarcomer\w+
      | ubiquitin[ ]ligase | proteasome[ ]19s | histone[ ](?:h[1-4]|(?:acetyl|methyl)transferase)
      | (?:alpha|beta|gamma)[ -]tubulin | actin[ ]cytoskeleton | kinesin | dynein | myosin(?!-cross)
        # organs, tissues and cells
      | brain | neuron\w* | neural | axon\w* | synap(?:se|tosom\w+|tobrevin|tonemal|totagmin|sin)
      | retina | retinoblastoma | cornea\w* | liver | kidney | heart | cardiac | lung | pulmonary
      | skeletal | muscle | bone | cartilage | keratin | sperm | spermatogenesis | testis
      | ovar(?:y|ian) | oocyte\w* | placenta\w* | uterus | prostat(?:e|ic) | pancrea\w+ | thyroid
      | pituitary | thymus | thymocyte | spleen | platelet(?!\ binding) | erythrocyt\w+
      | lymphocyt\w+ | macrophage[ ]migration | myeloid | t-cell | b-cell | embryo\w* | zygot\w+
      | pollen | anther
        # signals, diseases and hosts
      | interleukin | interferon | cytokine | chemokine | tumou?r | cancer | carcinoma | oncogene
      | leuka?emia | lymphoma | melanoma | apoptosis(?:-\w+)? | huntingtin
      | insulin(?!\ activator) | glucagon
      | estrogen | androgen | steroid[ ]receptor | hormone[ ]receptor | growth[ ]hormone
      | neuropeptide | neurotransmitter | olfactory | taste[ ]receptor
      | g[ -]protein[ -]coupled[ ]receptor | receptor-associated[ ]kinase | cadherin | integrin
      | meio(?:sis|tic) | mito(?:sis|tic) | cyclin
      | human | mouse | murine | bovine | drosophila | arabidopsis | xenopus
    )\b(?!-?(?:like|type|related|homolog(?:ue)?|binding|degrading|cleaving))""",
    re.VERBOSE | re.IGNORECASE,
)
_OF_BACTERIA = re.compile(
    r"\b(?:phage|bacterial|prokaryotic|mammalian cell entry|toxin|adhesin|virulence)\b",
    re.IGNORECASE,
)
_PLACE = re.compile(
    r",\s*(?:mitochondrial|chloroplastic|peroxisomal|lysosomal|nuclear)\b", re.IGNORECASE
)
"""Where a relative works, said behind its function, which the protein may have nevertheless."""


@lru_cache(maxsize=16_384)
def foreign_word(name: str) -> str | None:
    """The part of a name that is of eukaryotes; None where the name reads sober.

    Cost: microseconds, cached, as names recur.
    """
    if _OF_BACTERIA.search(name):
        return None
    found = _FOREIGN.search(name)
    return None if found is None else found[0]


def foreign_function(name: str) -> str | None:
    """The same, for what the protein does: a place behind the function is left aside."""
    return foreign_word(_PLACE.sub("", name))
