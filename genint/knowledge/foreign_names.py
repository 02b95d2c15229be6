"""Words of names that no protein of a bacterium or phage should have: organs, organelles, hosts.

Such names come from databases: a family is named after the member that was studied first, or a
record copied the name of a remote relative. A comparison (``-like``, ``-type``, homolog) states
no more than a likeness, and what acts on such a thing (keratinase, a fibronectin-binding
adhesin, a mosquitocidal toxin) is of bacteria. Bacteria have machines that no phage was found to
carry; such a name in a phage is a remote likeness too.
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

_NO_PHAGE = re.compile(
    r"""\b(?:
        (?P<rubisco>rubisco | ribulose[ -](?:1[,;][ ]?5-)?(?:(?:bis|di)-?phosphate[ ])?
            (?:carboxylase|oxygenase) | ribulose-1(?:$|[,;]))
      | (?P<nitrogenase>nitrogenase)(?![ -](?:like|accessory))
      | (?P<atp>(?:f0f1[ -]|v-type[ -])?atp[ ]synthase(?:[ ]subunit|$))
      | (?P<nadh>nadh(?:[ :-](?:ubi|plasto|mena)?quinone)?[ ](?:dehydrogenase|oxidoreductase)
            [ ](?:subunit|chain|i\b))
      | (?P<oxidase>cytochrome[ ](?:c|bd|o|d)[ -](?:ubiquinol[ ])?oxidase)
      | (?P<methyl>methyl-coenzyme[ ]m[ ]reductase)
    )""",
    re.VERBOSE | re.IGNORECASE,
)
_OF_NO_PHAGE = {
    "rubisco": "ribulose bisphosphate carboxylase",
    "nitrogenase": "nitrogenase",
    "atp": "ATP synthase",
    "nadh": "respiratory NADH dehydrogenase",
    "oxidase": "terminal oxidase",
    "methyl": "methyl-coenzyme M reductase",
}
"""Machines of autotrophs and of respiration, of many subunits. Of 105,000 proteins of phages at
hand four bear such names, three of them one family of staphylococcal phages. Photosystems are no
such thing: cyanophages have their D1 and D2."""


@lru_cache(maxsize=16_384)
def no_phage_word(name: str) -> str | None:
    """What a name says that no phage is known to have; None for other names.

    Cost: microseconds, cached, as names recur.
    """
    found = _NO_PHAGE.search(name)
    return None if found is None or found.lastgroup is None else _OF_NO_PHAGE[found.lastgroup]


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
