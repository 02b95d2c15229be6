"""One key for all wordings of one product name.

Two names have one key when they differ only in what says nothing of the function:
case, punctuation, order of words, plural, British or American spelling, doubt
(putative), the phage that the name was first given in, sizes, identifiers.
What tells functions apart stays: inhibitor and anti-, large and small, alpha and
beta, major and minor, DNA and RNA, the number of a type or subunit, and how often
a word stands (the toxin and the antitoxin of a toxin-antitoxin system). What belongs to
a family, has a domain, or is like something need not be that thing: these words stay too.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

_GREEK = re.compile("[\u0370-\u03ff]")
_SIGNS = str.maketrans("\u2019\u2032\u2013\u2014_", "''-- ")
"""Typographic apostrophes, primes and dashes as typed ones."""
_PHAGES = (
    r"hk97|hk022|lambda|lambdoid|mu|spp1|tp901(?:-?1)?|n4|n15|p1|p2|p4|p22|p27|p35|p60"
    r"|pbsx|skin|sp-?beta|phi-?\d+|phi-?[a-z]{1,2}\d*|t[1-7]|hp1|a118|r1t|bil\d+|b103|cp-?1"
    r"|prd1|pm2|pf1|xp10|g20c|186|k139|rtp|e15|epsilon15|sf6|apse-?\d?|es18"
)


class _Rewriting(NamedTuple):
    """One pattern that is rewritten; looked for only in names that hold its mark."""

    mark: str
    pattern: re.Pattern[str]
    wording: str


def _rewritings(*rows: tuple[str, str, str]) -> tuple[_Rewriting, ...]:
    return tuple(_Rewriting(mark, re.compile(pattern), wording) for mark, pattern, wording in rows)


_NOISE = _rewritings(
    ("#", r"\s*#.*$", " "),  # comments of SEED
    (".", r"[(\[]?\b(?:ec|tc)[ :]\d[\dn]*(?:\.(?:\d+|-|n\d*)){1,3}[)\]]?", " "),
    ("fig", r"^fig\d+:\s*", " "),
    ("tigr", r"\btigr\d{5}\b", " "),
    ("cog", r"\bcog\d{4}\b", " "),
    ("%2c", "%2c", ", "),  # left over from GFF files
    ("%3b", "%3b", "; "),
    ("[", r"\[[a-z][^\]]* [^\]]*\]\s*$", " "),  # organism
    ("aclame", r"\baclame[ :]*\d*", " "),
    (
        ":",
        r"^(?:unverified(?: \w+)?|multispecies|recname: full|low quality protein)\s*:\s*",
        " ",
    ),
    ("=", r"^recname: full=", " "),
    ("kd", r"(?<!shock )\b\d+(?:[.,]\d+)?[ -]?kda?\b(?! chaperonin)", " "),
    (
        "phage",
        r"\b(?:from|of) (?:a |an )?(?:putative |lambdoid )*(?:bacterio|pro)?phage"
        r"(?: origin| [\w-]*\d[\w-]*)?(?![\w-])",
        " ",
    ),
    (
        "phage",
        r"\b(?:pro|bacterio)?phage[- ](?:associated|related|encoded|derived|borne)\b",
        " ",
    ),
    ("phage-", r"\b(?:pro|bacterio)?phage-(?:type|like)\b", " "),
    *(
        (
            mark[-4:],
            rf"\b(?:{_PHAGES})(?:[- ]gp(?:[ -]?\d+(?:\.\d+)?|[a-z]))?{mark}\b(?! atp)",
            " ",
        )
        for mark in ("[- ](?:sub)?family", "-type", "-like")
    ),
    ("phage ", rf"\b(?:bacterio|pro|coli)?phage (?:{_PHAGES})\b(?! (?:of|and)\b)", " "),
    (" a", r"\b(?:of|from|in|with|to|is|as|for|by) an?\b", " "),
    (
        "prophage",
        r"[;,]\s*[\w-]+(?: \([^)]*\))?(?: putative)?(?: cryptic| defective)? prophage\s*$"
        r"|^[\w-]+(?: \([^)]*\))? prophage;",
        " ",
    ),
    ("phage-like element", r"[;,]\s*[\w-]+ phage-like element\s*$", " "),
    ("tpa", r"^tpa(?: asm)?:", " "),
    ("intein", r"@?\s*\bintein[- ]containing\b", " "),
    ("core region", r"\bcore region\b", " "),
)
_IDENTIFIER = re.compile(r"\bgp[ -]?\d+(?:\.\d+)?[a-z]?\b|\borf[ -]?\d+[a-z]?\b|\bgp(?=[a-z]\b)")
"""A gene's number in its own phage: it says nothing in the next one."""
_ROMAN = {"i": "1", "ii": "2", "iii": "3", "iv": "4", "v": "5", "vi": "6", "vii": "7", "viii": "8"}
_KIND = re.compile(r"\b(type|class|group|family|subtype|region)[ -]?(\d+|[ivx]+)([a-z]?)\b")
_PRIME = re.compile(r"\b(\d|[a-z]|alpha|beta|gamma|delta|epsilon|sigma|theta)('+)")
_WORD = re.compile(r"[a-z0-9+]+(?:\.\d+)?")

_PHRASES = _rewritings(
    ("5'", r"\b5'[- ]*(?:to[- ])?3'", "fromfive"),
    ("3'", r"\b3'[- ]*(?:to[- ])?5'", "fromthree"),
    ("dna", r"\bss[ -]?dna\b", "single stranded dna"),
    ("dna", r"\bds[ -]?dna\b", "double stranded dna"),
    ("strand", r"\b(single|double)[ -]strand\b", r"\1 stranded"),
    ("measure", r"\btape[ -]?measure\b", "tape measure"),
    ("spike", r"\btail[ -]?spikes?\b", "tail spike"),
    ("tail", r"\btail[ -]?fib(?:er|re)s?\b", "tail fiber"),
    ("base", r"\bbase[ -]plate\b", "baseplate"),
    ("two", r"\btwo[ -]component\b", "twocomponent"),
    ("pro", r"\bpro[ -]?(head|capsid)\b", r"pro\1"),
    ("regulatory", r"\bregulatory proteins?\b", "regulator"),
    ("termin", r"\b(?:amino|n)[- ]termin(?:al|us)\b", "nterminal"),
    ("termin", r"\b(?:carboxy|c)[- ]termin(?:al|us)\b", "cterminal"),
    ("modification", r"\brestriction (?:and |/ ?)?modification\b", "restrictionmodification"),
    (
        "protein",  # what acts on proteins, of what else acts
        r"\bprotein[- ]+(?=(?:de)?(?:acet|glutam|amid)|kinase|(?:\w+ )?phosphatase|disulfide|methyl"
        r"|tyrosine|serine|arginine|lysine|histidine|export|secret|trans[lp]|fold|repair|degrad"
        r"|synth|n-|l-|adp|glyc)",
        "protein",
    ),
    ("like", r"\b(histone|collagen|mucin|virus|ig|immunoglobulin|actin|tubulin)-like\b", r"\1like"),
    ("anti", r"\banti[- ]+(?=[a-z]{3})", "anti"),
    ("-", r"\b(non|co|pre|pro|de|sub|super|endo|exo|multi|inter)-+(?=[a-z]{3})", r"\1"),
    ("depend", r"\b([\w+]+)[- ]dependent\b", r"\1dependent "),
    ("direct", r"\b([\w+]+)[- ]directed\b", r"\1dependent "),
)
"""Wordings of one thing; last the signs by which two words are one."""
_SPELLINGS = {
    "fibre": "fiber",
    "antitermination": "antiterminator",
    "antiterminating": "antiterminator",
    "transcriptional": "transcription",
    "translational": "translation",
    "methyltransferase": "methylase",
    "transmethylase": "methylase",
    "proteinase": "protease",
    "acetylase": "acetyltransferase",
    "scaffolding": "scaffold",
    "acetylmuramyl": "acetylmuramoyl",
    "haem": "heme",
    "signalling": "signaling",
    "tailed": "tail",
    "deoxyribonuclease": "dnase",
    "ribonuclease": "rnase",
    "exodeoxyribonuclease": "exonuclease",
    "endodeoxyribonuclease": "endonuclease",
    "superfamily": "family",
    "subfamily": "family",
}
_EMPTY = frozenset(
    """
    an the of in for to by from at on or as is
    phage bacteriophage prophage coliphage caudovirales viral
    protein polypeptide product gene gp orf
    putative probable possible predicted potential presumed candidate tentative possibly likely
    probably hypothetical conserved similar homolog homologue homology
    subunit chain monomer component
    fragment partial truncated precursor pseudogene incomplete
    containing
    """.split()
)
_FRAME = frozenset({"like", "family", "domain"})
"""Words that tell something only beside others."""
_LONG_WORD = 5


@lru_cache(maxsize=65_536)
def name_key(text: str) -> str:
    """Comparison key of a product name; empty where the name has no telling word.

    Cost: about 20 microseconds, once per wording; remembered. Idempotent.
    """
    key, before = text, None
    while key != before:
        words = sorted(_words(key))
        key, before = "" if _FRAME.issuperset(words) else " ".join(words), key
    return key


def _words(text: str) -> Iterator[str]:
    plain = _GREEK.sub(_letter_name, text.lower().translate(_SIGNS))
    plain = _IDENTIFIER.sub(" ", _rewritten(plain, _NOISE))
    plain = _rewritten(plain, _PHRASES)
    if "'" in plain:
        plain = _PRIME.sub(lambda found: found[1] + "prime" * len(found[2]), plain)
    plain = _KIND.sub(lambda found: found[1] + _ROMAN.get(found[2], found[2]) + found[3], plain)
    yield from (word for word in map(_spelling, _WORD.findall(plain)) if word not in _EMPTY)


def _rewritten(plain: str, rewritings: tuple[_Rewriting, ...]) -> str:
    for mark, pattern, wording in rewritings:
        if mark in plain:
            plain = pattern.sub(wording, plain)
    return plain


def _letter_name(greek: re.Match[str]) -> str:
    """Such as ``alpha``."""
    name = unicodedata.name(greek[0], "").rpartition(" ")[2].lower()
    return "lambda" if name == "lamda" else name


def _spelling(word: str) -> str:
    """The word in the singular and in American spelling, Roman numbers as Arabic."""
    if len(word) > _LONG_WORD and word.endswith("s") and word[-2] not in "sui":
        word = word[:-1]
    word = word.replace("sulph", "sulf")
    return _ROMAN.get(word) or _SPELLINGS.get(word, word)
