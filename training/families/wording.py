"""Product texts of the corpus: what is noise, and what a name is a kind of.

English product names carry their head last: a "ribose ABC transporter permease" is a
kind of "ABC transporter permease", but a "helicase loader" is no kind of helicase.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from genint.knowledge.product_names import NameKind, classify_product, clean_product
from genint.knowledge.spelling import spaced
from genint.knowledge.unknown_names import is_y_symbol

_COMMENTS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"\s*#.*$",  # SEED's own comments: "#Fam0045", "# Phage intron"
        r"\s*\((?:EC|TC)[ :]?[\d.\-n]+\)?.*$",
        r"^(?:T4|T5|T7|T3|P2|P4|P22|Mu|N4|HK97|lambda|SPP1|phi29|T-odd|T-even)-?like (?:phage )?",
        r"\s+(?:from|of) (?:a |putative |bacterio)*(?:phage|prophage)(?: origin)?$",
        r",?\s+(?:phage|prophage)[ -](?:associated|related|encoded)$",
        r"^(?:phage|prophage)[ -](?:associated|related|encoded)\s+",
        r",\s*(?:phage|prophage)$",
        r"^(?:bacteriophage|prophage|phage)[,:]?\s+(?!shock|integration)",
        r"\s+(?:homolog|homologue)?\s*[A-Z]{2,5}[ _]?\d{3,5}$",  # locus tags
        r"\s+(?:activity )?in vitro$|,? unusual start codon.*$",
        r"\s*\((?:gp\w+|gene \w+|phage[^)]*|prophage[^)]*|plasmid)\)",
        r"\s*\b(?:gp|gene product)[ -]?\d+(?:\.\d+)?[a-z]?(?:-like)?$",
        r"\s*;\s*[\w-]+ prophage$",
        r"(?<=\w{5})\s+Y[a-z]{2}[A-Z]\d?$",  # symbol of a gene of unknown function
        r"^[\w/()-]+-resistant\s+",  # alleles resist, families are of the enzyme
        r"^gp[ -]?\d+(?:\.\d+)?[ ,:]+(?=\w{3})",
        r"^(?:Gifsy-\d|Fels-\d|lambda(?:So)?)(?: (?:pro)?phage)?[:,]?\s+(?=\S+ \S)",
    )
)
_SAYS_NOTHING = re.compile(
    r"""
      hypothetical[ -]protein .* | .* belonging\ to\ T4-like\ GC .*
    | (?:[\w-]+[ ])?(?:gp|orf|gene)[ -]?\d+(?:\.\d+)?[a-z]?-?\ ?(?:like|family)(?:[ ]protein)?
    | .*\b\d+(?:\.\d+)?[ -]?kda?\b.* (?:protein|polypeptide)? | generated\ by\ .*
    | tail[ ]superfamily | FluMu[ ]protein.* | uncharacteri[sz]ed\ .* | .*conserved\ hypothetical.*
    | conserved\ .*(?:membrane|viral|virion|plasmid|sulfolobus)\ protein.*
    | conserved\ phage\ .* | (?:shares|contains)\ .*
    | .*\bc-?x-?x-?c\b.* | .*\w\ or\ \w.* | JK[ ]\d+P | associated\ with\ .*
    | mycobacteriophage\ \w+\ protein.* | ea[a-e]\ protein
    | .*\btransmembrane\ (?:helix|domain|protein).*
    | (?:family[ ])?(?:protein[ ])?[A-Z]{1,4}[ _-]?\d+p?(?:[ ]protein)?
    | [\w/-]+[ ](?:sub|super)family
    | protein[ ][A-Z]+[a-z]?[ _]?\d+[a-z]? | (?:UPF|DUF)\d+[ ]family[ ]protein.*
    | (?:e14|rac|qin|cp4-?\d+|dlp12)?[ ]?prophage(?:[ ]protein)?
    | elements\ of\ external\ origin .* | (?:non-?)?structural\ gene
    | (?:putative[ ])?(?:phage|prophage|viral|virus)?[ -]?(?:related[ ]|associated[ ])?
      (?:protein|function|gene)s?
    | (?:putative[ ])?orf\b.* | protein\ of\ unknown\ function.* | .*\bunknown\ function\b.*
    | (?:essential|non-?essential|early|late|middle|immediate[ ]early|delayed[ ]early|conserved)
      (?:[ ](?:phage|gene|protein|region))*
    | note .* | similar\ to\ .*(?:orf|gp|hypothetical|unknown).*
    | (?:nonstructural|morphogenetic|morphogenesis)[ ](?:protein|function)
    | similar[ ](?:to[ ])?bacterio?phage\b.* | (?:putative[ ])?COG\d+:.* | involved\ in\ .*
    | .*\bother\ members\ are\ part\ of\b.* | .*\bfound\ clustered\ with\b.*
    | .*\bco-occurring\ with\b.* | .*\b(?:GTG|TTG|unusual)\ start\ codon.* | prosite\ motif\b.*
    | [\w-]+\ (?:prophage|prohage)\ protein(?:\ homolog)? | gp[A-Z]+-like\ protein
    | pi\d\ protein\ \d+.* | (?:LexA[ -]regulated|modulates)\ .* | .*\bregulated\ by\ LexA
    | (?:pro)?phage\ [\w-]+\ protein\ homolog | (?:functions\ and\ prophages|uknown|fusion\ protein)
    """,
    re.VERBOSE | re.IGNORECASE,
)
_HEDGE = re.compile(
    r"\b(?:putative|probable|possible|possibly|predicted|potential|presumed|candidate|tentative)\b"
    r"[\s,:]*|\s*\(?\b(?:putative|fragment|partial|truncated|precursor|pseudogene|fusion)\)?$",
    re.IGNORECASE,
)


def hedged(text: str) -> bool:
    """Whether the name is given with a doubt in words ("putative"); "-like" is none here."""
    found = _HEDGE.search(clean_product(spaced(text)))
    return found is not None and found[0].strip(" ,:()").lower() not in {
        "fragment",
        "partial",
        "truncated",
        "precursor",
        "pseudogene",
        "fusion",
    }


_TELLING = (NameKind.NAME, NameKind.HEDGED)


def _first_function(name: str) -> str:
    """The first telling one of "several; descriptions", as E. coli's products are written."""
    parts = [part.strip() for part in name.split(";")]
    telling = [
        part
        for part in parts
        if classify_product(part) in _TELLING and not _SAYS_NOTHING.fullmatch(part)
    ]
    return clean_product(telling[0]) if len(parts) > 1 and telling else name


_LETTERED = re.compile(r"Phage \D+ [A-Z]")
_ESCAPES = {"%2C": ",", "%2c": ",", "%3B": ";", "%3b": ";", "&apos;": "'", "&gt;": ">"}


def plain_text(text: str) -> str:
    """One line without control characters and escapes of other formats.

    SEED's comment stands for the name where it repeats that and says more, or names a gene of
    lambda: "Phage minor tail protein #Phage minor tail protein U".
    """
    for escape, sign in _ESCAPES.items():
        text = text.replace(escape, sign)
    text = " ".join(re.sub(r"[\x00-\x1f\x7f]+", " ", text).split())
    name, _, comment = text.partition("#")
    says_more = set(name.split()) < set(comment.split()) or _LETTERED.fullmatch(comment.strip())
    return comment.strip() if name.strip() and says_more else text


def _without_shouting(name: str) -> str:
    words = name.split()
    if len(words) > 1 and name.isupper() and max(map(len, words)) > 5:
        return name.lower()
    return name


@lru_cache(maxsize=65_536)
def bare_name(text: str) -> str | None:
    """The name without doubts, comments and mentions of a phage; None if nothing is left.

    Whether a bare symbol tells a function is for the vocabulary to say: it stays.
    """
    name = _first_function(clean_product(spaced(text)))
    if _SAYS_NOTHING.fullmatch(name):
        return None
    for _ in range(2):  # a comment may hide another: "..., phage-associated # Fam12"
        for comment in _COMMENTS:
            name = comment.sub("", name)
        name = " ".join(_HEDGE.sub("", name).split()).strip(" ,;:.-'\"")
    name = _without_shouting(clean_product(name))
    if (
        _SAYS_NOTHING.fullmatch(name)
        or not name
        or classify_product(name) is NameKind.PLACEHOLDER
        or classify_product(text) is NameKind.PLACEHOLDER
    ):
        return None
    return name


_PARTS = re.compile(r"\s*;\s*|\s+@\s+|\s+/\s+")
"""SEED: "/" two functions, "@" one domain of two functions, ";" one or the other."""
_PART_OF = re.compile(
    r"\b(?:subunits?|chain|component|domain|fragment|inhibit\w+|loader|activat\w+|chaperone"
    r"|anti\w+|regulat\w+|accessory|small|large|alpha|beta|gamma|terminal)\b",
    re.IGNORECASE,
)
"""After a comma, these say that the name is of a part or a partner, not of a kind."""
_RELATION = re.compile(r"\s+(?:of|for|from|involved|required|with|to|that|which|in|by|via)\s+.*$")
_LAST_SYMBOL = re.compile(
    r"[\s,]+(?:[A-Z]\d?|\d{1,2}|[IVX]{1,4}|[A-Z]?[a-z]{2,3}[A-Z]{1,2}\d{0,2}(?:/[A-Z]\w*|-[A-Z]\d?)?"
    r"|(?<=subunit )(?:alpha|beta|gamma|delta|epsilon)"
    r"|[A-Za-z]{2,5}-?\(?\d*\(?[A-Z\d'-]*\)*(?<=[\d')])(?:-[IVX]+[a-z]{0,2})?|[A-Z]{2,4}-?\d{1,3}[a-z]?"
    r"|[A-Z][a-z]{2}\d?|[A-Za-z]{3,4}\(\w+\))$"
)
_IN_BRACKETS = re.compile(r"\s+\((?:[^()]|\([^()]*\))*\)$")
"""At the end: a cofactor, a substrate, another name."""
_CLASS_NOUNS = frozenset(
    """
    transporter permease porin channel antiporter symporter exporter importer regulator repressor
    activator toxin antitoxin chaperone chaperonin adhesin receptor pilin fimbrin flagellin
    ferredoxin flavodoxin cytochrome thioredoxin glutaredoxin rubredoxin lipoprotein
    integrase recombinase transposase excisionase resolvase invertase terminase
    lysozyme endolysin holin spanin helicase primase nuclease endonuclease exonuclease
    histone crystallin globin kinase phosphatase
    """.split()
)
_CLASS_TAILS = frozenset(
    """
    binding_protein ribosomal_protein tail_protein transfer_protein repeat_protein usher_protein
    resistance_protein efflux_protein regulatory_protein permease_protein transport_protein
    """.split()
)
_TOO_WIDE = frozenset("synthase synthetase enzyme base phase lipoprotein activator".split())
_NOT_BEFORE = frozenset("anti non pseudo and or of the with inhibitor - a an".split())
_NOT_FIRST = _NOT_BEFORE | frozenset(
    """
    family superfamily subfamily group subunit domain precursor protein like system carrier
    """.split()
)


_OF_A_SUBSTRATE = re.compile(
    r"acid |\d[\d,']*-(?:phosphate |(?:dehydrogen|reduct|(?:mono|di)?oxygen|hydroxyl|oxid|epimer"
    r"|isomer|kin|phosphat|synth|transfer)ase$)"
)
"""Begins with the end of a substrate's name: "arabinose | 1-dehydrogenase"."""


@lru_cache(maxsize=65_536)
def stems(name: str) -> tuple[str, ...]:
    """What is left of a name without what tells its kinds apart; most telling first.

    Without a second function, what follows a preposition or a comma, and a last symbol:
    each is a true generalisation. Parts, partners and opposites are none.
    """
    return _worth_saying(name, _stems(name))


@lru_cache(maxsize=65_536)
def endings(name: str) -> tuple[str, ...]:
    """Shorter and shorter ends of a name, and of its stems: the classes that it may be of.

    An end is a class only if it names one (:func:`names_class`, or a vocabulary).
    """
    whole = (name, *_stems(name)) if ", " not in name else tuple(_stems(name))
    return _worth_saying(name, (end for wording in whole for end in _suffixes(wording)))


def _worth_saying(name: str, wordings: Iterable[str]) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for wording in (each.strip(" ,;:-") for each in wordings):
        if wording and wording != name and bare_name(wording) is not None:
            found[wording] = None
    return tuple(found)


def _stems(name: str) -> Iterator[str]:
    parts = _PARTS.split(name)
    for part in parts:
        if len(parts) > 1:
            yield part
        head, comma, rest = part.partition(", ")
        if comma and _PART_OF.search(rest):
            yield _without_symbol(part)
            continue
        plain = _RELATION.sub("", head)
        yield from (head, plain, _IN_BRACKETS.sub("", plain), _without_symbol(plain))


def _without_symbol(name: str) -> str:
    shorter = re.sub(r",?\s+(?:type|class|family)$", "", _LAST_SYMBOL.sub("", name))
    return shorter if shorter.split() else name


def _suffixes(name: str) -> Iterator[str]:
    """Endings of a name that name a class: its head and ever fewer of the words before it."""
    words = name.split()
    for start in range(1, len(words)):
        before, first = words[start - 1].lower().strip(","), words[start]
        if before in _NOT_BEFORE or first.lower() in _NOT_FIRST or not first[0].isalnum():
            continue
        ending = " ".join(words[start:])
        if not _OF_A_SUBSTRATE.match(ending):
            yield ending
    last = re.search(r"[)\d'+-]-([a-z]{5,}ase)$", name)
    if last:
        yield last[1]


_GENE_SYMBOL = r"[A-Za-z][a-z]{2}[A-Z]\d{0,2}"
"""KdpD, sohB, HtrA2: as genes of bacteria and their products are written."""
_SYMBOL_WITHIN = re.compile(rf"(?<!\w){_GENE_SYMBOL}(?!\w)")
_SYMBOL_LAST = re.compile(rf"(?P<before>\S+)\s+[(\[]?(?P<symbol>{_GENE_SYMBOL})[)\]]?$")
_SYMBOLS_OF_FAMILY = re.compile(
    rf"(?<!\w)(?:\w+/)*{_GENE_SYMBOL}(?:/\w+)*(?:[ -](?:sub|super)?family|-type|-like)"
)
_OF_ANOTHER = frozenset(
    "of for to by from with and or in on via against like family type anti upstream near".split()
)
"""Before a symbol: it is another gene's (repressor of LacZ)."""


@lru_cache(maxsize=65_536)
def last_symbol(name: str) -> str | None:
    """The gene symbol that a name ends in; None where there is none, or another gene's.

    Symbols of unknown genes (YhbY) say no more than the rest of the name.
    """
    found = _SYMBOL_LAST.search(name)
    if found is None or found["before"].lower().strip(",:;-") in _OF_ANOTHER:
        return None
    symbol = found["symbol"][0].upper() + found["symbol"][1:]
    before = _SYMBOLS_OF_FAMILY.sub(" ", name[: found.start("symbol")])
    others = _SYMBOL_WITHIN.search(before)
    unknown = is_y_symbol(symbol) or symbol.startswith("Orf")
    return None if unknown or others else symbol


def family_symbols(name: str) -> tuple[str, ...]:
    """Gene symbols that a name calls a family after: TetR/AcrR family regulator."""
    named = _SYMBOLS_OF_FAMILY.search(name)
    return tuple(_SYMBOL_WITHIN.findall(named[0])) if named is not None else ()


def names_class(wording: str) -> bool:
    """Whether an ending may stand as a name of its own: an enzyme, a transporter, ..."""
    words = wording.lower().split()
    if words[-1] in _TOO_WIDE and len(words) == 1:
        return False
    tail = "_".join(re.split(r"[\s-]", " ".join(words[-2:]))[-2:])
    return (
        words[-1] in _CLASS_NOUNS
        or re.fullmatch(r"(?!anti-)(?:[\w'-]*-)?[a-z]{4,}ase", words[-1]) is not None
        or tail in _CLASS_TAILS
    )
