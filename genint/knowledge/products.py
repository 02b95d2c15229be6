"""The controlled vocabulary of products: which term a product name means, whatever its wording.

The terms are written for genint (``training/vocabulary``) and ship as tables. A name finds a term
only as a whole: with one informative word more than the names of the term have, it finds nothing,
because an inhibitor, a loader or a domain of something is not that thing.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache, lru_cache
from types import MappingProxyType
from typing import Final, NamedTuple

from genint.knowledge.patterns import Pattern
from genint.knowledge.spelling import plain_wording
from genint.knowledge.table_files import (
    PRODUCT_GO_TERMS,
    PRODUCT_KEYS,
    PRODUCTS,
    LazyTable,
    read_lines,
    read_start,
    shipped_go_terms,
)
from genint.model.evidence import GoTerm
from genint.model.vocabulary import Category

_GREEK = re.compile("[\u0370-\u03ff]")
_SIGNS = str.maketrans("\u2019\u2032\u2013\u2014_", "''-- ")
"""Typographic apostrophes, primes and dashes as typed ones."""
_PHAGES = (
    r"hk97|hk022|lambda|lambdoid|mu|spp1|tp901(?:-?1)?|n4|n15|p1|p2|p4|p22|p27|p35|p60"
    r"|pbsx|skin|sp-?beta|phi-?\d+|phi-?[a-z]{1,2}\d*|t[1-7]|hp1|a118|r1t|bil\d+|b103|cp-?1"
    r"|prd1|pm2|pf1|xp10|g20c|186|k139|rtp|e15|epsilon15|sf6|apse-?\d?|es18"
)


class _Rewriting(NamedTuple):
    """One pattern that is rewritten."""

    pattern: Pattern
    wording: str


def _rewritings(*rows: tuple[str, str, str]) -> tuple[_Rewriting, ...]:
    """Of a mark, which every match has, a pattern and what its matches become."""
    return tuple(_Rewriting(Pattern(pattern, (mark,)), wording) for mark, pattern, wording in rows)


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
"""Words that are informative only beside others."""
_LONG_WORD = 5


@lru_cache(maxsize=65_536)
def name_key(text: str) -> str:
    """Comparison key of a product name; empty where the name has no informative word.

    Cost: about 20 microseconds, once per wording; cached. Idempotent.
    """
    key, before = text, None
    while key != before:
        words = sorted(_words(key))
        key, before = "" if _FRAME.issuperset(words) else " ".join(words), key
    return key


def _words(text: str) -> Iterator[str]:
    plain = _GREEK.sub(_letter_name, plain_wording(text.lower()).translate(_SIGNS))
    plain = _IDENTIFIER.sub(" ", _rewritten(plain, _NOISE))
    plain = _rewritten(plain, _PHRASES)
    if "'" in plain:
        plain = _PRIME.sub(lambda found: found[1] + "prime" * len(found[2]), plain)
    plain = _KIND.sub(lambda found: found[1] + _ROMAN.get(found[2], found[2]) + found[3], plain)
    yield from (word for word in map(_spelling, _WORD.findall(plain)) if word not in _EMPTY)


def _rewritten(plain: str, rewritings: tuple[_Rewriting, ...]) -> str:
    for pattern, wording in rewritings:
        if pattern.words[0] in plain:
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


class ProductKind(StrEnum):
    """Which vocabulary a product is from."""

    PHAGE = "phage"
    BACTERIA = "bacteria"


class Relation(StrEnum):
    """How one product is related to another."""

    SAME = "same"
    NARROWER = "narrower"
    """The one is a kind of the other."""
    BROADER = "broader"
    """The other is a kind of the one."""
    SIBLING = "sibling"
    """Both are kinds of a third."""
    OPPOSITE = "opposite"
    """Mutually exclusive: enzyme and inhibitor, large and small subunit."""
    UNRELATED = "unrelated"


@dataclass(frozen=True, slots=True)
class Product:
    """One term of the vocabulary.

    Attributes:
        id: Stable key, such as ``terminase_large_subunit``.
        name: The field's standard name, as reports say it.
        synonyms: Other whole names of it.
        symbols: Gene symbols that mean this product in whatever genome.
        category: Functional category.
        role: Id of the role it plays, None where no role fits.
        cog: COG letter, where practically every such protein has it.
        go: Terms that hold for every such protein.
        ec: Enzyme numbers, where the name means that enzyme.
        broader: Id of the product that this is a kind of.
        vague: It names a class, not a function.
        opposites: Ids of products that exclude this one.
        kind: Vocabulary that it is of.
    """

    id: str
    name: str
    synonyms: tuple[str, ...]
    symbols: tuple[str, ...]
    category: Category
    role: str | None
    cog: str | None
    go: tuple[GoTerm, ...]
    ec: tuple[str, ...]
    broader: str | None
    vague: bool
    opposites: frozenset[str]
    kind: ProductKind

    @property
    def names(self) -> tuple[str, ...]:
        """The name and its synonyms."""
        return (self.name, *self.synonyms)


VERSION_MARK = "# version "
"""Starts the line of the table of products that says its version."""
COLUMNS = tuple(
    "id kind name synonyms symbols category role cog go ec broader vague opposites".split()
)
NAME_BREAK = "|"
"""Between synonyms; everything else that is several is parted by spaces."""
_START_BYTES = 1024
"""Of the table of products: its version is on one of the first lines."""
_CATEGORIES = {str(category): category for category in Category}
_KINDS = {str(kind): kind for kind in ProductKind}


def read_version() -> str:
    """Version of the vocabulary, empty where the table says none."""
    start = read_start(None, PRODUCTS, _START_BYTES).decode(errors="ignore")
    for line in start.splitlines():
        if line.startswith(VERSION_MARK):
            return line.removeprefix(VERSION_MARK)
        if not line.startswith("#"):
            break
    return ""


def read_keys() -> dict[str, str]:
    """Id of the product by the key of each of its names and symbols."""
    cells = "\t".join(read_lines(PRODUCT_KEYS)).split("\t")
    return dict(zip(cells[::2], cells[1::2], strict=True))


def read_products() -> Mapping[str, Product]:
    """The products by id."""
    terms = shipped_go_terms(PRODUCT_GO_TERMS)
    return LazyTable(read_lines(PRODUCTS), lambda row: _product(row, terms))


def _product(row: tuple[str, ...], terms: Mapping[str, GoTerm]) -> Product:
    (
        id_, kind, name, synonyms, symbols, category, role, cog, go, ec, broader, vague, opposites,
    ) = row  # fmt: skip
    return Product(
        id=id_,
        name=name,
        synonyms=tuple(synonyms.split(NAME_BREAK)) if synonyms else (),
        symbols=tuple(symbols.split()),
        category=_CATEGORIES[category],
        role=role or None,
        cog=cog or None,
        go=tuple(terms[term] for term in go.split()),
        ec=tuple(ec.split()),
        broader=broader or None,
        vague=bool(vague),
        opposites=frozenset(opposites.split()),
        kind=_KINDS[kind],
    )


_PARTS = re.compile(r"\s*;\s*|\s+@\s+|\s+/\s+|\s*\|\|\s*")
"""What separates the functions of one text; SEED writes ``/`` and ``@``."""
_ASIDE = re.compile(r"\s*[(\[]([\w.'-]{1,12})[)\]]")
"""One word in brackets: most often a symbol."""
_SYMBOL = re.compile(r"\s+(?:protein\s+)?([A-Z][a-z]{2}[A-Z]\d{0,2}|[A-Z][a-z]{2,3})$")
"""A gene symbol at the end, as UniProt and RefSeq write it: TerL, LysK, Hin."""
_MEMBER = re.compile(
    r"\s+(?:protein\s+)?(?:[A-Z]|[Vv]?[Pp]\d{1,3}[a-z]?|\d{1,2})(?:\s+protein)?(?:, putative)?$"
)
"""What distinguishes the proteins of one genome within a class: structural protein VP4."""
_SOME_SUBUNIT = re.compile(r"ymerase,? (?:subunit|chain)s?$|^subunit of .*ymerase$", re.I)
_ONE_SUBUNIT = re.compile(
    r"\b(?:subunit|chain),? (?:\d|[IVX]+|[A-Z])\b|\b(?:\d|[IVX]+|[A-Z]) (?:subunit|chain)\b"
)
_SUBUNIT = re.compile(r"subunit|component|polypeptide [\dIVX]|(?<!peptide )chain", re.I)
_HOMOLOG = re.compile(r"[- ]homolog(?:ue)?\b")
_LIKE = re.compile(r"[- ]like\b")
_FAMILY = re.compile(r"^([^,;]+?)[ -](?:super|sub)?family(?: protein| member)?(?:, putative)?$")


@dataclass(frozen=True, eq=False)
class ProductVocabulary:
    """All products, found by any wording of their names.

    Attributes:
        version: Of the vocabulary files, for reports.
        products: By id.
        keys: Id by key (:func:`name_key`) of every name, synonym and gene symbol.
    """

    version: str
    products: Mapping[str, Product]
    keys: Mapping[str, str] = field(repr=False)

    def find(self, text: str) -> Product | None:
        """The product that a product text names as a whole; None rather than a guess.

        Cost: microseconds, cached.
        """
        return _find(self, text)

    def by_key(self, key: str) -> Product | None:
        """The product that has this comparison key, as a name or as a symbol."""
        id_ = self.keys.get(key)
        return None if id_ is None else self.products[id_]

    def lineage(self, id: str) -> tuple[Product, ...]:
        """The product, then ever broader ones.

        Raises:
            KeyError: no product has this id.
        """
        chain = [self.products[id]]
        while chain[-1].broader is not None:
            chain.append(self.products[chain[-1].broader])
        return tuple(chain)

    def related(self, one: str, other: str) -> Relation:
        """How one product (id) relates to another (id).

        Raises:
            KeyError: no product has one of the ids.
        """
        if one == other:
            return Relation.SAME
        above_one = {product.id for product in self.lineage(one)}
        above_other = {product.id for product in self.lineage(other)}
        if any(above_other & self.products[id].opposites for id in above_one):
            return Relation.OPPOSITE
        if other in above_one:
            return Relation.NARROWER
        if one in above_other:
            return Relation.BROADER
        return Relation.SIBLING if above_one & above_other else Relation.UNRELATED


NO_PRODUCTS: Final = ProductVocabulary("none", {}, {})
"""No vocabulary: names are compared by their words alone."""


@lru_cache(maxsize=65_536)
def _find(vocabulary: ProductVocabulary, text: str) -> Product | None:
    text = plain_wording(text.partition("#")[0])  # SEED's comments
    whole = _find_one(vocabulary, text)
    parts = [part for part in _PARTS.split(text) if name_key(part)]
    if whole is not None and _is_written_in_parts(whole, name_key(text)):
        return whole
    found = [_find_one(vocabulary, part) for part in parts] if len(parts) > 1 else [None]
    if whole is not None and None in found:
        return whole
    return _most_specific(vocabulary, found)  # a capsid / scaffold is no scaffold of a capsid


def _is_written_in_parts(product: Product, key: str) -> bool:
    """Whether the name of a product that has this key lists several functions itself."""
    return any(_PARTS.search(name) and name_key(name) == key for name in product.names)


def _find_one(vocabulary: ProductVocabulary, text: str) -> Product | None:
    """The product of a text that names one thing."""
    named = vocabulary.by_key(name_key(text))
    if named is not None and _SOME_SUBUNIT.search(text) and named.name.endswith("polymerase"):
        return None  # one of several proteins that are the polymerase together
    if named is not None and _ONE_SUBUNIT.search(text) and not _has_subunits(named, name_key(text)):
        return None  # subunit 1 of an exonuclease is not exonuclease I
    if named is not None and _HOMOLOG.search(text) and _is_symbol(named, name_key(text)):
        return None  # a homologue of DnaJ may share no more than a domain with it
    return (
        named
        or _find_beside_symbol(vocabulary, text, _ASIDE)
        or _find_beside_symbol(vocabulary, text, _SYMBOL)
        or _find_class(vocabulary, text)
        or _find_like(vocabulary, text)
        or _find_family(vocabulary, text)
    )


def _has_subunits(product: Product, key: str) -> bool:
    """Whether the name of a product that has this key is that of a subunit."""
    return any(_SUBUNIT.search(name) and name_key(name) == key for name in product.names)


def _is_symbol(product: Product, key: str) -> bool:
    """Whether a key is that of a gene symbol of the product."""
    return key in map(name_key, product.symbols)


def _find_like(vocabulary: ProductVocabulary, text: str) -> Product | None:
    """The product that a text compares something with.

    In records of phages -like expresses doubt about a name (holin-like protein). Of bacterial
    proteins it means a fold (thioredoxin-like), which many functions share: there it means no
    more than the class.
    """
    if _LIKE.search(text) is None:
        return None
    key = name_key(_LIKE.sub("", text))
    named = vocabulary.by_key(key)
    if named is None or _is_symbol(named, key):
        return None
    return named if named.kind is ProductKind.PHAGE else _class_of(vocabulary, named)


def _find_family(vocabulary: ProductVocabulary, text: str) -> Product | None:
    """The class of a product of which a text names the family: the function may be another."""
    member = _FAMILY.search(text)
    if member is None:
        return None
    key = name_key(member[1])
    named = vocabulary.by_key(key)
    if named is None or _is_symbol(named, key):
        return None
    return _class_of(vocabulary, named)


def _class_of(vocabulary: ProductVocabulary, product: Product) -> Product | None:
    """The nearest vague product that this one is, or is a kind of."""
    return next((wider for wider in vocabulary.lineage(product.id) if wider.vague), None)


def _find_beside_symbol(
    vocabulary: ProductVocabulary, text: str, pattern: re.Pattern[str]
) -> Product | None:
    """What a text names besides a symbol, where the symbol does not say otherwise."""
    symbol = pattern.search(text)
    if symbol is None:
        return None
    named = vocabulary.by_key(name_key(pattern.sub("", text)))
    meant = vocabulary.by_key(name_key(symbol[1]))
    return named if meant is None else _most_specific(vocabulary, [named, meant])


def _find_class(vocabulary: ProductVocabulary, text: str) -> Product | None:
    """The class that a text names one member of: tail protein E is a tail protein."""
    named = vocabulary.by_key(name_key(_MEMBER.sub("", text)))
    return named if named is not None and named.vague else None


def _most_specific(
    vocabulary: ProductVocabulary, found: Sequence[Product | None]
) -> Product | None:
    """The one of which all others are wider kinds; None if one is not or is missing."""
    products = [product for product in found if product is not None]
    if not products or len(products) < len(found):
        return None
    deepest = max(products, key=lambda product: len(vocabulary.lineage(product.id)))
    lineage = vocabulary.lineage(deepest.id)
    return deepest if all(product in lineage for product in products) else None


@cache
def load_products() -> ProductVocabulary:
    """Read the vocabulary that ships with genint. Cost: 10 ms."""
    return ProductVocabulary(
        version=read_version(),
        products=read_products(),
        keys=MappingProxyType(read_keys()),
    )
