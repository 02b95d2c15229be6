"""What names have beside the words that could state a function: codes, places, relatives' symbols.

Protein AFV9_gp23 and YecA-like protein name a reading frame and a gene that nobody knows more of.
A relative that the vocabulary knows (RecA-like, HU-like) tells something, any other does not.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from genint.knowledge.table_files import PRODUCTS, read_lines

_AMINO_ACID: Final = (
    r"(?:ala|arg|asn|asp|cys|gln|glu|gly|his|ile|leu|lys|met|phe|pro|ser|thr|trp|tyr|val)"
    r"(?:[a-z]*in|[a-z]*ane|ophan|utamate|artate|[a-z]*ine|ucine)?e?"
)
_WITHOUT_FUNCTION: Final = (
    # Accession numbers and locus tags: CDL73997.1_, HALG_00049, STIV2_A103, NP_719297.2.
    re.compile(r"\b[A-Z]{2,3}\d{5,}\.\d+(?:[_ ]|$)"),
    re.compile(
        r"\b(?=[A-Za-z\d]*(?:\d|[A-Z]{2}))[A-Za-z][A-Za-z\d]{1,9}_[A-Za-z]{0,2}\d+[A-Za-z]?(?:\.\d+)?\b"
    ),
    re.compile(r"\b[A-Za-z]+\d+gp\d+\b"),
    # The number of a frame of a phage: Lp1 protein 19, FluMu protein gp46.
    re.compile(r"^(?:prophage )?(?:[A-Za-z]+\d|(?:Mu-like prophage )?FluMu) protein (?:gp)?\d+$"),
    re.compile(r"^Mu (?=phage\b)"),
    # How long it is: predicted protein of 45 aa.
    re.compile(r"\bof \d+ (?:aa|amino acids?|residues)\b", re.IGNORECASE),
    # What it was seen with, or is switched by: YciC, linked to IspA.
    re.compile(
        r"[;,] (?:linked to|(?:co-?occurr|cluster)ing with)\b.*|^co-?occurring with\b.*"
        r"|\bregulated by \w+$|[;,] [a-z]{3}[A-Z]* regulon$",
        re.IGNORECASE,
    ),
    # Where the gene lies.
    re.compile(r"[;,] (?:pro)?phage \S+$|; genus orphan$", re.IGNORECASE),
    re.compile(
        r"\b(?:that is )?part of an? [\w -]*\b(?:cluster|operon|locus)\b|\boperon(?= protein$)",
        re.I,
    ),
    # What it is made of, or when it is made.
    re.compile(
        rf"\b(?:large |small )?{_AMINO_ACID}(?:/{_AMINO_ACID})*[ -]rich\b|\bcysteine cluster\b",
        re.IGNORECASE,
    ),
    re.compile(
        r"\b(?:blue light|low temperature|(?:acid|alkaline|cold|heat|osmotic|salt|stationary)[ -])?"
        r"(?:,? (?:and|low temperature and) )?(?:shock|stress(?:es)?|starvation|phase)"
        r"[ -](?:induced|inducible|regulated|responsive|stimulated)\b",
        re.IGNORECASE,
    ),
    # Names of programs.
    re.compile(r"\b(?:made |generated )?(?:using|by) genemarks?\b.*", re.IGNORECASE),
)
_NOTHING: Final = re.compile(
    r"""(?:
        (?:there[ ](?:is|was)[ ]|shows?[ ]|has[ ])?(?:no|without)
        (?:[ ](?:significant|known|obvious|clear|detectable))?
        (?:[ ](?:blast[npx]?|database|sequence|pfam|protein|phrog|functional))?
        [ ](?:hits?|match(?:es)?|similarit(?:y|ies)|homolog\w*|annotations?|functions?|products?
          |names?|description|assignment)\b.*
      | (?:(?:protein|product|gene|function|name)[ ])?(?:not(?:[ ]yet)?|un)[ -]?
        (?:annotated|determined|classified|assigned|available|known|found|named|identified)
        (?:[ ](?:protein|product|gene|function|cds|orf))?
      | to[ ]be[ ](?:determined|annotated|named) | none | null | nan | n/?a | tbd | cds | orf | gene
      | pending | see[ ]notes? | dark[ ]matter | (?:gene|protein)[ ]product
      | [\W\d_]*
      # In Spanish, Italian, Portuguese, German and French.
      | prote[ií]na[ ]hipot[eéê]tica(?:[ ]conservada)? | proteina[ ]ipotetica
      | hypothetisches[ ]protein | prot[eé]ine[ ]hypoth[eé]tique
    )""",
    re.IGNORECASE | re.VERBOSE,
)
"""Whole names by which a file says that it has no name, or that nothing was found."""
_RELATIVE: Final = re.compile(
    r"^([A-Za-z][A-Za-z\d]{1,7})-(?:like|related)$|^([A-Z][a-z]{2}[A-Z]?)-associated$"
)
_SYMBOL: Final = re.compile(r"[A-Za-z][a-z]{2}[A-Z]\d?|[A-Z]{4,6}")
_CODE: Final = re.compile(r"[Yy][a-z]{2}[A-Z]{1,4}\d?|[A-Z]{1,6}\d{1,4}[A-Z]?")
_Y_SYMBOLS: Final = re.compile(r"[Yy][a-z]{2}[A-Z]{1,4}\d?")
_GENE: Final = re.compile(r"[a-z]{3}[A-Z]?\d?")
_WORDED: Final = re.compile(rf"\b(?:{_SYMBOL.pattern}|{_GENE.pattern})\b(?!-(?:like|related))")
"""Symbols in names."""
_CLASSES: Final = frozenset(
    "HSP20 HSP70 HSP90 MAPEG NADAR P450 PDDEXK RNAP1 RNAP2 SH3 SNF2".split()
)
"""Of proteins of all organisms, which are called by a code or by the letters of what they act on
(NAD and ADP-ribose)."""
_PARTNER: Final = re.compile(r"^[A-Za-z][a-z]{2}[A-Z]?\d?-(?:associated|related)$")


def without_codes(name: str) -> str:
    """A name without what says nothing of function: identifiers, places, composition, times.

    Args:
        name: In its own wording, underscores included.
    """
    for nothing in _WITHOUT_FUNCTION:
        name = nothing.sub(" ", name)
    return " ".join(name.split())


def says_there_is_none(name: str) -> bool:
    """Whether the words stand in place of a name: no significant hits, to be determined, ?."""
    return _NOTHING.fullmatch(name) is not None


def relative_of(word: str) -> str | None:
    """The symbol in X-like, X-related or X-associated; None where the vocabulary knows it.

    Words, and products of the vocabulary (RecA, HU), are relatives that tell something.
    """
    found = _RELATIVE.match(word)
    if found is None:
        return None
    symbol: str = found[1] or found[2]
    if found[1] and not (_SYMBOL.fullmatch(symbol) or _CODE.fullmatch(symbol)):
        return None
    return None if is_known(symbol) else symbol


def is_known(symbol: str) -> bool:
    """Whether the vocabulary, or all of biology, has a function for a symbol or code."""
    return symbol in _CLASSES or symbol.lower() in _known()


def is_y_symbol(word: str) -> bool:
    """Whether a word is a symbol that *E. coli* has for genes of unknown function (yjbD, YiaAB)."""
    return _Y_SYMBOLS.fullmatch(word) is not None


def is_partner_of_a_symbol(word: str) -> bool:
    """Whether a word says beside what gene a protein was seen: mga-associated."""
    return _PARTNER.match(word) is not None


@cache
def _known() -> frozenset[str]:
    """Symbols of the vocabulary, and of bacteria in its names, lower case. Cost: 40 ms, once.

    A code in capitals (TACO1) is a symbol of eukaryotes, whose function is of eukaryotes.
    """
    columns = [line.split("\t", 5) for line in read_lines(PRODUCTS)]
    names = "\n".join([f"{row[2]}\n{row[3]}" for row in columns])
    symbols = " ".join([row[4] for row in columns]).split()
    return frozenset(map(str.lower, [*symbols, *_WORDED.findall(names)]))
