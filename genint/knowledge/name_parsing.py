"""Parsing of product names for their comparison: words, symbols, subunits, numbers, families.

Words and phrases are those of ``data/name_judge.toml``.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from genint.knowledge.patterns import Pattern, pattern_of
from genint.knowledge.product_names import clean_product
from genint.knowledge.spelling import plain_wording
from genint.knowledge.table_files import read_shipped

_WORD_LISTS = "empty light class_words partners modules inhibition wide shared_ec".split()


@dataclass(frozen=True, slots=True)
class NameTable:
    """The table; see the comments of ``data/name_judge.toml``."""

    empty: frozenset[str]
    light: frozenset[str]
    class_words: frozenset[str]
    partners: frozenset[str]
    modules: frozenset[str]
    inhibition: frozenset[str]
    wide: frozenset[str]
    shared_ec: frozenset[str]
    opposites: tuple[tuple[str, str], ...]
    opposites_of_one: tuple[tuple[str, str], ...]
    mistaken: tuple[tuple[str, str], ...]
    kinds: Mapping[str, frozenset[str]]
    phrases: tuple[tuple[Pattern, str], ...]

    def wider(self, word: str) -> frozenset[str]:
        """All words that a word is a kind of."""
        found: set[str] = set()
        left = [word]
        while left:
            for parent in self.kinds.get(left.pop(), frozenset()) - found:
                found.add(parent)
                left.append(parent)
        return frozenset(found)


@lru_cache(maxsize=1)
def load_name_table() -> NameTable:
    """Read the table that ships. Cost: 5 ms, once."""
    table = tomllib.loads(read_shipped("name_judge.toml").decode())
    words = {name: frozenset(table[name].split()) for name in _WORD_LISTS}
    return NameTable(
        **words,
        opposites=tuple((left, right) for left, right in table["opposites"]),
        opposites_of_one=tuple((left, right) for left, right in table["opposites_of_one"]),
        mistaken=tuple((truth, given) for truth, given in table["mistaken"]),
        kinds={word: frozenset(wide.split()) for word, wide in table["kinds"].items()},
        phrases=tuple((pattern_of(old), new) for old, new in table["phrases"].items()),
    )


_SYMBOL = re.compile(
    r"\b(?:[A-Za-z][a-z]{2}[A-Z]{1,3}\d{0,2}"  # RecA, RsmG, thyX, RecBCD
    r"|[cC]I{1,3}|Bet|Gam|Kil|Ral|Cro|Lom|Bor|Xis|Roi|Ner|Dam|Dcm|Erf|Ocr|Ren|Rex[AB]|Fis|Obg|Era|Der|Ffh"
    r"|Hfq|Iss|Lon|Tig|Tsf|Tuf)\b"
)
_ONLY_SYMBOL = re.compile(
    r"(?:bet|gam|kil|ral|cro|lom|bor|xis|roi|ner|ocr|ren|c[Ii]{1,3}|c1)", re.I
)
_FIRST = {"c1": "ci", "iss": "bor"}
"""Other symbols of one gene."""
_TARGET = re.compile(
    rf"({_SYMBOL.pattern})"
    r"(?=[ -](?:\w*inhibit|suppress|bind|interact|modulat|activat|load|specific))"
    rf"|(?<=\bof )({_SYMBOL.pattern})|(?<=\bto )({_SYMBOL.pattern})"
)
"""Symbols of what a protein acts on, not of itself."""
_FAMILY = pattern_of(
    r"\b((?!(?:phage|tail|sugar|protein|ABC)\b)[A-Za-z]*[A-Z\d][\w-]*(?:/[\w-]+)*)[ -]"
    r"(?:type )?(?:sub|super)?family\b"
)
_FAMILY_AFTER = pattern_of(r"\bfamily ([A-Z]\d+[A-Z]?)\b")
_LIKE = pattern_of(r"\b([A-Za-z]{3,5}\d?)-like\b")
_EC = re.compile(r"\b(?:EC[ :]?)?(\d+\.\d+\.\d+\.\d+)\b")
_DOMAIN = re.compile(
    r"^(?:contains? |with )an? (?P<contained>.+?)(?: domains?)?$"
    r"|^(?P<named>(?:(?! with ).)+?)[ -]domain(?:[ -]containing)?(?: protein)?$",
    re.IGNORECASE,
)
_COMMENT = re.compile(
    r"^ (?:UNVERIFIED\w*|MULTISPECIES):\s*|\s+#.*$|,?\s+(?:pro)?phage[- ]associated\b"
    r"|\((?:TC|EC)[^)]*\)"
    r"|\s+(?:of|fro?m|in) (?:entero)?(?:bacterio|pro)?phage\b.*$"
    r"|;\s+[A-Z]\w*(?: cryptic)? (?:prophage|phage-like element)$"
    r"|\((?:[Gg][Pp]\w{1,4}|(?:minor|major) capsid protein \w{1,3})\)"
    r"|;\s+(?:target|involved|required|possibly|similar|related|contains)\b.*$"
    r"|\b(?:encoded by|similar to) (?:a )?(?:pro)?phage\b"
)
_NUMBERED_GENE = re.compile(r"\b(?:gp|orf|p)[ -]?\d+[a-z]?\b|\bfig\d+\b|\b\d+ ?kda\b")
_ORGANISM = re.compile(
    r"\b(?:t[3-7]|lambda|mu|p[124]|p22|n4|spp1|hk97|phi ?\w*|t[47] ?like|e\.? coli)\b(?: like\b)?"
)
_GREEK = frozenset("alpha beta gamma delta epsilon zeta theta omega".split())
_ROMAN = {"i": "1", "ii": "2", "iii": "3", "iv": "4", "v": "5", "vi": "6", "vii": "7"}
_SUBUNIT_WORDS = r"(?:subunit|chain|component|sector|su)"
_LETTER = (
    r"(?:[a-z]|e?ii[a-d]{1,3}|[12]|alpha|beta|gamma|delta|epsilon|theta|omega|large|small"
    r"|tau|chi|psi)"
)
_SUBUNIT = pattern_of(
    rf"\b{_SUBUNIT_WORDS} ({_LETTER})\b|\b({_LETTER}) {_SUBUNIT_WORDS}\b"
    r"|\bpts\b.*\b(e?ii[a-d]{1,3})\b"
    rf"|\b(?:synthase|ligase|reductase|polymerase) ({'|'.join(sorted(_GREEK))})\b"
)
_NUMBER = re.compile(
    r"(?<=[a-z])(?<!class)(?<!type)(?<!family)(?<!group)"
    r"[ ](\d{1,2}|(?<!protein )(?<!tail )(?:i{1,3}|iv|v|vi{1,2}))(?= |,|$)"
)
_LOCANT = re.compile(r"\b\d-(?=[a-z]{4})")
"""Where a group sits in the substrate: 1- and 6-phosphofructokinase are two enzymes."""
_TYPED = pattern_of(r"\bpenicillin binding protein (\d[a-z]?)\b")
"""Types whose letter counts with their number."""
_LAST_LETTER = re.compile(r"[a-z]{3,} ([a-z])$")
_RIBOSOMAL = pattern_of(
    r"\b(?:(?:30s|50s|[ls]su|large|small)[ ])?(?:subunit[ ])?(?:ribosomal[ ](?:subunit[ ])?protein)"
    r"[ ]([ube]?)([sl]\d+)[pe]?\b(?:[ ]\(?[sl]\d+\w*\)?)?"
)
_AMINO_ACIDS = {
    "alanyl": "alanine", "arginyl": "arginine", "asparaginyl": "asparagine",
    "aspartyl": "aspartate", "cysteinyl": "cysteine", "glutaminyl": "glutamine",
    "glutamyl": "glutamate", "glycyl": "glycine", "histidyl": "histidine",
    "isoleucyl": "isoleucine", "leucyl": "leucine", "lysyl": "lysine",
    "methionyl": "methionine", "phenylalanyl": "phenylalanine", "prolyl": "proline",
    "seryl": "serine", "threonyl": "threonine", "tryptophanyl": "tryptophan",
    "tryptophyl": "tryptophan", "tyrosyl": "tyrosine", "valyl": "valine",
}  # fmt: skip
_TRNA_LIGASE = pattern_of(
    rf"\b({'|'.join(_AMINO_ACIDS)}|{'|'.join(sorted(set(_AMINO_ACIDS.values())))})"
    r"[ ]{1,2}trna[ ](?:synthetase|ligase)\b"
)
_AMINOACYL = pattern_of(r"\baminoacyl trna (?:synthetase|ligase)\b|\btrna ligase\b")
_GREEK_ENZYME = pattern_of(rf"\b({'|'.join(_GREEK)})[ -](?=\w+ase\b)")
_ENDING = r"(?:ase|ases|in|ins|protein|regulator|repressor|factor|subunit|initiator)"
_BETWEEN_FUNCTIONS = re.compile(
    rf"\s+with\s+(?:an?\s+)?(?=.*domain)|\s+/\s*|\s*/\s+|\s@\s|;\s|(?<=ase)/|(?<=lin)/(?=\w)"
    r"|(?<=protein)/|\s+or\s+(?=[\w-]+ protein$)"
    rf"|\s+and\s+(?=\S.*\b\w*{_ENDING}$)"
)
_ONE_NAME = re.compile(
    r"serine/threonine|(?:host range|sheath stabili[sz]er) and "
    r"|(?<=[a-z])/(?=[\w-]+ (?:family|ABC))",
    re.IGNORECASE,
)
_LABEL = re.compile(r"\d+|[iv]+[abc]?|(?:duf|upf)\d*|[a-z]{3}\d[a-z]")
_LONG_WORD, _SHORT_WORD = 4, 2
_STEM = 3  # Letters of a gene symbol without the one of the locus.


@dataclass(frozen=True, slots=True)
class NamedFunction:
    """One function that a name states.

    Attributes:
        text: The wording, cleaned.
        plain: Its words with spelling alone unified.
        words: Its words with synonyms unified, empty ones left out.
        symbols: Gene symbols in it, lower case.
        models: Symbols of what it is merely like (RecA-like), among ``symbols``.
        targets: Symbols of what it acts on (FtsH of an FtsH inhibitor).
        family: Families that it belongs to; they don't name it.
        subunit: Which part of a complex: alpha, large, a, iic.
        number: Type or letter that distinguishes it: 1, 2, g.
        ec: Complete EC numbers.
        domain: Only a domain in the protein is named.
    """

    text: str
    plain: frozenset[str]
    words: frozenset[str]
    symbols: frozenset[str]
    models: frozenset[str]
    targets: frozenset[str]
    family: frozenset[str]
    subunit: frozenset[str]
    number: frozenset[str]
    ec: frozenset[str]
    domain: bool


@lru_cache(maxsize=32_768)
def functions_of(name: str) -> tuple[NamedFunction, ...]:
    """The functions that a name states, in its order; () where it states none."""
    text = _COMMENT.sub(" ", " " + name)[1:]
    text = clean_product(plain_wording(text))
    domain = _DOMAIN.match(text)
    if domain:
        text = domain["contained"] or domain["named"] or text
    # EC numbers are kept apart from the names, so all functions share them.
    numbers = frozenset(_EC.findall(name))
    guarded = _ONE_NAME.sub(lambda match: match[0].replace("/", "|").replace(" and ", "&"), text)
    pieces = (
        piece.replace("|", "/").replace("&", " and ") for piece in _BETWEEN_FUNCTIONS.split(guarded)
    )
    found = (_function(piece, numbers, bool(domain)) for piece in pieces if piece.strip())
    return tuple(one for one in found if one.words or one.symbols)


def names_only_class(name: str) -> bool:
    """Whether a name consists of words that many functions share: transport protein, esterase.

    Numbers, symbols, families and subunits tell the members of a class apart.
    """
    if any(letter.isdigit() for letter in name):
        return False
    table = load_name_table()
    common = table.class_words | table.light | table.modules
    found = functions_of(name)
    return bool(found) and all(
        one.words <= common
        and not (one.symbols or one.number or one.family or one.subunit or one.ec)
        for one in found
    )


@lru_cache(maxsize=16_384)
def words_and_kinds(names: tuple[str, ...]) -> frozenset[str]:
    """Words, symbols and families of names, and what the words are kinds of.

    Words that say nothing or little are left out, and so are the widest kinds.
    """
    table = load_name_table()
    found: set[str] = set()
    for one in (one for name in names for one in functions_of(name)):
        found |= one.symbols | one.family
        for word in one.words | one.targets:
            found |= {word, *table.wider(word)} - table.light - table.empty - table.wide
    return frozenset(found)


def _function(text: str, ec: frozenset[str], domain: bool) -> NamedFunction:
    table = load_name_table()
    families = [*_FAMILY.findall(text), *_FAMILY_AFTER.findall(text)]
    named = _FAMILY_AFTER.sub(" ", _FAMILY.sub(" ", text)) if families else text
    targets = frozenset(match[0].lower() for match in _TARGET.finditer(named))
    symbols = frozenset(_FIRST.get(w.lower(), w.lower()) for w in _SYMBOL.findall(named)) - targets
    likes = _LIKE.findall(named)
    symbols |= {
        _FIRST.get(w.lower(), w.lower())
        for w in re.findall(r"\w+", named)
        if _ONLY_SYMBOL.fullmatch(w)
    } - targets
    symbols = frozenset(one for one in symbols if not _is_complex(one, symbols))
    lowered = _flat(named)
    whole = _flat(text) if families else lowered
    spelt = _GREEK_ENZYME.sub(r"\1", lowered)
    rewritten = _rewritten(spelt, table)
    marks = frozenset(mark for match in _SUBUNIT.findall(rewritten) for mark in match if mark)
    subunit = frozenset(part for mark in marks for part in _parts_of(mark))
    number = frozenset(_ROMAN.get(mark, mark) for mark in _NUMBER.findall(rewritten))
    number = frozenset(_TYPED.findall(lowered)) or number
    number |= frozenset(_LAST_LETTER.findall(rewritten)) | frozenset(_LOCANT.findall(named))
    return NamedFunction(
        text=text,
        plain=_words(whole, table.empty),
        words=_words(rewritten, table.empty)
        - (symbols - table.kinds.keys())
        - targets
        - subunit
        - marks
        - _FIRST.keys(),
        symbols=symbols,
        models=symbols & {like.lower() for like in likes},
        targets=targets,
        family=frozenset(part.lower() for family in families for part in family.split("/")),
        subunit=subunit,
        number=number - subunit,
        ec=ec,
        domain=domain,
    )


def _parts_of(mark: str) -> Iterable[str]:
    """The parts that a subunit's name states: EIICBA is three of them in one chain."""
    enzyme_two = re.fullmatch(r"e?ii([a-d]+)", mark)
    return [f"ii{letter}" for letter in enzyme_two[1]] if enzyme_two else [mark]


def _is_complex(symbol: str, symbols: Iterable[str]) -> bool:
    """Whether a symbol is of the complex (KtrAB) that another is a part of (KtrA)."""
    return any(len(one) < len(symbol) and one[:_STEM] == symbol[:_STEM] for one in symbols)


def _flat(text: str) -> str:
    """Lower case, anti- joined to its word, hyphens and brackets as spaces."""
    text = text.lower().replace("- ", "-")
    text = re.sub(r"\banti[- ](?=[a-z])", "anti", text)
    text = re.sub(r"[^a-z0-9]+", " ", text).replace("fibre", "fiber").replace("sulph", "sulf")
    text = _NUMBERED_GENE.sub(" ", text)
    return " ".join(_ORGANISM.sub(" ", text).split())


def _rewritten(text: str, table: NameTable) -> str:
    """The text with synonyms brought together, phrase by phrase."""
    text = _RIBOSOMAL.sub(lambda match: f"ribosomalprotein {match[2]}", text)
    text = _TRNA_LIGASE.sub(
        lambda match: f"{_AMINO_ACIDS.get(match[1], match[1])} aminoacyltrnaligase", text
    )
    text = _AMINOACYL.sub("aminoacyltrnaligase", text)
    text = re.sub(r"\b(\w{5,})s\b(?<!ss)(?<!us)(?<!is)", r"\1", text)
    for pattern, concept in table.phrases:
        for word in pattern.words:
            if word in text:
                text = pattern.sub(concept, text)
                break
    return " ".join(text.split())


def _words(text: str, empty: frozenset[str]) -> frozenset[str]:
    return frozenset(_informative(text.split(), empty))


def _informative(words: Iterable[str], empty: frozenset[str]) -> Iterable[str]:
    for word in words:
        singular = word
        if len(word) > _LONG_WORD and word.endswith("s") and word[-2:] not in ("ss", "us", "is"):
            singular = word[:-1]
        if singular in empty or len(singular) < _SHORT_WORD or _LABEL.fullmatch(singular):
            continue
        yield singular
