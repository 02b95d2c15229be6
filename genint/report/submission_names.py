"""Product names as a public database takes them.

What a name says stays; how it says it changes: remarks, evidence, numbers of other databases and
notes on the state of a gene are no part of a name, and a name that is nothing else is
*hypothetical protein*. A wrong name is worse than no name: where a part of a name is dropped, it
is always the narrower one.

Source: EMBL-EBI, NCBI, PIR and SIB, *International protein nomenclature guidelines*; NCBI,
*Prokaryotic genome annotation guide* and the rules for suspect product names of its discrepancy
report.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache, partial
from types import MappingProxyType
from typing import Final

from genint.formats.genbank.writer import UNKNOWN_CHARACTER, ascii_text
from genint.knowledge.product_names import NameKind, classify_product, clean_product
from genint.knowledge.spelling import plain_wording
from genint.report.insdc import UNNAMED

LONGEST: Final = 100
"""Characters that a product name may have before it is taken for a description."""
_PUTATIVE: Final = "putative "
_HEDGES: Final = re.compile(
    r"\b(?:putative(?:ly)?|probabl[ey]|possibl[ey]|potential(?:ly)?|predicted|presumed|presumptive|proposed|"
    r"likely|suspected|tentative|hypothetical|uncharacteri[sz]ed)\b(?!-)[ ,]*",
    re.IGNORECASE,
)
"""All doubts are called putative."""
_TRAILING_HEDGE: Final = re.compile(
    r"^(.+?)[ ,;]+\(?(?:putative|probable|possible|predicted|potential)\)?$", re.IGNORECASE
)
_NO_NAME: Final = re.compile(
    r"^(?:protein with a region like|uncharacteri[sz]ed (?:conserved )?protein|unknown|unnamed|"
    r"unclassified|"
    r"(?:conserved )?hypothetical (?:conserved )?(?:protein|orf)\b|conserved protein\b|orf\d*\b)"
    r"|\bof unknown function|\bunknown function|\bopen reading frame",
    re.IGNORECASE,
)
"""Says that nothing is known, or of the protein as a whole nothing."""
_UNKNOWN_BEHIND: Final = re.compile(r"[,;] (?:function unknown|of unknown function)$", re.I)
"""Says nothing of the name in front of it."""
_FAMILY: Final = re.compile(
    r"\b(?:DUF|UPF)\d+|^[A-Z][a-z]{2}[A-Z](?:/[A-Z][a-z]{2}[A-Z])* (?:super|sub)?family\b"
)
"""A family of proteins whose function is not known: accepted as a name all the same."""
_STATE: Final = re.compile(
    r"[ ,;(\[]*\b(?:"
    r"(?:n|c|amino|carboxy)-terminal(?: fragment| part| half| end| region)?(?! domain)"
    r"|fragments?|truncat\w*|partial|interrupted(?: by \S+)?|disrupted|degenerate|"
    r"remnants?|incomplete|frame-?shift\w*|"
    r"authentic (?:frame-?shift|point mutation)|pseudogene|pseudo|novel|cryptic|"
    r"(?:(?:highly|strongly|widely|weakly|narrowly) )?conserved)\b[)\]]*",
    re.IGNORECASE,
)
"""The state of a gene, or how widely it is found, is no part of its product's name."""
_NUMBERS: Final = re.compile(
    r"""\s*[(\[]?(?:
        \b(?:EC|E\.C\.|TC)[ :=-]*\d[\d.\-n]*
      | (?<![\w.,])[1-7](?:\.(?:\d+|-)){3}(?![\w.])
      | \b(?:COG|KOG|NOG|ENOG|TIGR|PRK|FIG|IPR|PTHR|pfam|cd|K)\d{4,7}\b
      | \bPF\d{5}\b
      | \b(?:[NXYWA]P|ZP)_\d+(?:\.\d+)?
      | \b(?!DUF|UPF)[A-Z]{2,6}_?[a-z]?\d{4,}(?:\.\d+)?(?![\w-])
      | \bRv\d{4}c?\b
      | \b\w+_\w*\d{3}\w*\b
    )[)\]]?""",
    re.VERBOSE,
)
"""Enzyme numbers, accessions and identifiers have qualifiers of their own."""
_COFACTOR: Final = re.compile(
    r"(?:[ACGTUI][DMT]P|NAD|NADP|NAD\(P\)|F[AM]D|FMN|quinone|ubiquinone|menaquinone|cytochrome|"
    r"ferredoxin|thioredoxin|flavodoxin|acceptor|pyrophosphate|diphosphate|glutamine|ammonia|"
    r"isomeri[sz]ing|[a-z]+-(?:forming|hydroly[sz]ing|transferring|specific|producing)|"
    r"fumarate|oxaloacetate|\w+(?:yz|iz|at)ing|acyl[ -]\w+|\w+-CoA|methionine|cysteine)[\w()+, -]*",
    re.IGNORECASE,
)
"""In brackets behind the name of an enzyme: accepted names have them."""
_REMARK: Final = re.compile(r"\s+[(\[](?P<text>(?:[^()\[\]]|\([^()]*\))*)[)\]](?=$|[,;.])")
_ORGANISM: Final = re.compile(r"\s*\[[A-Z][a-z]+ [^\]]*\]|\b[A-Z]\. ?[a-z]{3,}\b")
_GENUS: Final = re.compile(r"\b[A-Za-z][a-z]{3,}(?:coccal|bacterial|bacillary)\s+(?!membrane)")
"""A name holds for relatives too."""
_CLAUSE: Final = re.compile(
    r";(?!\d)|(?<=\w{3})\.\s+|\s+(?:[/@#=|]|=>)\s+|/\s+|\s-(?=[a-z])|: "
    r"|,\s(?:and|or|involved|required|similar|contains?|containing)\b"
)
_CONTAINS: Final = re.compile(
    r"[ ,]*\b(?:contain(?:s|ing)|includes?)\b.*"
    r"|[ ,]+with (?:an? )?[^,;]*\b(?:domain|motif|fold|repeat|region|activity|terminus)s?$",
    re.IGNORECASE,
)
_FUSED: Final = re.compile(r"(?!bifunctional)([^/;,@]+ase(?: \w+)?) / ([^/;,@]+ase(?: \w+)?)$")
"""Two enzymes in one protein, as SEED writes them."""
_WHERE: Final = re.compile(
    r"(?:prophage|phage|plasmid|element|transposon|island|operon)$", re.IGNORECASE
)
"""Where a gene lies says nothing of its product."""
_DOES: Final = re.compile(
    r"\b(?:regulator|repressor|activator|protein|factor|inhibitor|\w+ase) (?:of|for)\b",
    re.IGNORECASE,
)
"""What it does there says something: activator of cyn operon."""
_LIST: Final = re.compile(r"(?<=\w)/\s+(?=[\w-])")
"""A slash of a list, behind which a line was broken."""
_ENZYME: Final = re.compile(r"\w+ase$")
_FACTOR: Final = re.compile(r"\bfactor(?: \w{1,3})?$", re.IGNORECASE)
"""Inverted behind the enzyme that it belongs to: RNA polymerase, sigma S factor."""
_DOMAIN_OF: Final = re.compile(
    r"^(?:protein )?(?:containing|contains|with)(?: an?)? "
    r"(?P<what>.+?) (?P<kind>domain|motif|repeat)s?$",
    re.IGNORECASE,
)
_HEAD: Final = re.compile(
    r"(?:"
    r"\w{3,}(?:or|er)|\w+ase|\w{3,}in|\w+zyme|\w*peptide|chaperone|channel|antigen|pump)"
    r"(?: [\w/'()-]{1,12})?$",
    re.IGNORECASE,
)
"""The noun that a name is about."""
_PART: Final = re.compile(r"\b(?:subunit|component|chain)(?: [\w/'-]{1,8})?$", re.IGNORECASE)
"""Of a complex."""
_COMPLEX: Final = re.compile(
    r"(?:transporter|system|exporter|importer|complex|apparatus|machinery)(?: [\w/-]{1,8})?$",
    re.IGNORECASE,
)
"""Several proteins: behind it stands which."""
_OF_PHAGE: Final = re.compile(r" (?:of|from) (?:bacterio)?phage \S+$", re.IGNORECASE)
_OF_FAMILY: Final = re.compile(
    r"^(?P<what>.+?)[ ,]+(?:of|from|belonging to) (?:the )?(?P<family>\S+ (?:super|sub)?family)$",
    re.IGNORECASE,
)
_KINS: Final = r"(?:homolog|ortholog|paralog|analog)(?:ue)?s?"
_LIKE: Final = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"^(?:\w+ly |very )?(?:similar(?:ity)?|homolog(?:y|ous)) (?:to|with) (?:an? )?(.+)$",
        rf"^{_KINS} (?:of|to) (?:an? )?(.+)$",
        r"^related to (?:an? )?(.+)$",
        rf"^(.+?)[ -]{_KINS}$",
    )
)
"""Likeness to a protein is ``-like protein``."""
_KINSHIP: Final = re.compile(
    r"\b(?:non-)?(?:ortho|para)logous "
    r"|[ ,]+(?:homology\b|(?:with )?similar(?:ity)? (?:to|with)\b|(?:homologous|related) to\b).*"
    r"|[ ,]+(?:and )?related (?:enzymes?|proteins?)\b"
    r"|[ ,]+and (?:inactivated|inactive) derivatives?\b",
    re.IGNORECASE,
)
_KIN: Final = re.compile(rf"[ -]{_KINS}\b", re.IGNORECASE)
_RELATIONS: Final = r"(?:of|for|in|to|with|conferring|during)"
_PROCESSES: Final = (
    "(?:transport|repair|biosynthesis|biogenesis|synthesis|assembly|replication|resistance|"
    "regulatory|maturation|metabolism|response|export|import|uptake|membrane|structural|"
    "morphogenesis|packaging|conjugation|recombination|mobilization|segregation|partition|"
    "partitioning|sporulation|competence)"
)
"""What a protein takes part in is not yet its name."""
_ENDINGS: Final = (
    (re.compile(r"\bDUF ?(\d+)(?: domain)?(?: protein)?$"), r"DUF\1 domain-containing protein"),
    (re.compile(r"\b(UPF\d+)(?: protein)?$"), r"\1 family protein"),
    (re.compile(r"\b(domain|motif|repeat)s?$"), r"\1-containing protein"),
    (re.compile(r"\b(domain|motif|repeat)s? protein$"), r"\1-containing protein"),
    (re.compile(r"\b(domain|motif|repeat)s? contain\w+"), r"\1-containing"),
    (re.compile(r"(?<!-)\bcontaining protein$"), r"-containing protein"),
    (re.compile(r"\b((?:super|sub)?famil)(?:y|ies)(?: members?)?$"), r"\1y protein"),
    (re.compile(r"\b(?<![- ]like )(\w+)-like[- ]?protein$"), r"\1-like protein"),
    (re.compile(r"-like$"), r"-like protein"),
    (re.compile(r"[- ](binding|associated|related|inducible|dependent)$"), r"-\1 protein"),
    (re.compile(rf"^((?:(?! {_RELATIONS} ).)+) ({_PROCESSES})$"), r"\1 \2 protein"),
    (re.compile(r"(?: (?:for|of|from|with|to|by|in|and|or|the))+$"), ""),
    (re.compile(r"\bprotein protein$"), "protein"),
    (re.compile(r"\bproteins?[ -]like protein$"), "-like protein"),
)  # fmt: skip
_PLURAL: Final = re.compile(
    r"\b(\w*(?:ase|protein|RNA|factor|regulator|subunit|component|transporter|permease|porter|domain|"
    r"enzyme|chaperone|repressor|activator|kinase|toxin|phage|system|inhibitor|receptor|channel|"
    r"antigen|\win))s\b",
    re.IGNORECASE,
)
_BRITISH: Final = (
    (re.compile(r"sulph", re.I), "sulf"),
    (re.compile(r"\bhaem", re.I), "hem"),
    (re.compile(r"(?<=.)haem", re.I), "heme"),
    (re.compile(r"fibre\b", re.I), "fiber"),
    (re.compile(r"fibres\b", re.I), "fibers"),
    (re.compile(r"tumour", re.I), "tumor"),
    (re.compile(r"colour", re.I), "color"),
    (re.compile(r"faecal", re.I), "fecal"),
    (re.compile(r"aluminium", re.I), "aluminum"),
    (re.compile(r"signalling", re.I), "signaling"),
    (re.compile(r"(\w{4,}|util|mobil|local|organ)is(ation|ing|ed|er)\b"), r"\1iz\2"),
)  # fmt: skip
_NOT_BRITISH: Final = re.compile(
    r"\b(?:advis|revis|rais|promis|surpris|exerc|superv|compr)\w*", re.I
)
_SPACES: Final = re.compile(r"\s+")
_SYMBOLS: Final = MappingProxyType(
    {ord(c): " " for c in '"#%=@|\\<>{}!~^$'} | {ord("?"): "", ord(";"): ","}
)
_BARE_SYMBOL: Final = re.compile(r"[A-Za-z][a-z]{2}[A-Z]\d?|gp\d+(?:\.\d+)?")
"""Of a gene alone: a protein is ``protein RecA``."""
_NO_NOUN: Final = re.compile(r"(?:of|involved|region|part|no|required|encoded) ", re.IGNORECASE)
_CODE: Final = re.compile(r"[A-Z]{1,5}")
_SHOUTED: Final = re.compile(r"\b(?!CRISPR\b)[A-Z]{5,}\b")
_EDGES: Final = " ,;:.-/_'"
_EMPTY: Final = frozenset("protein gene product phage and of the a an to in for".split())


@lru_cache(maxsize=16_384)
def submission_name(name: str) -> str:
    """A product name made fit for submission to GenBank, or *hypothetical protein*.

    What is fit already stays as it is, and what comes out is fit: the function applied again
    changes nothing.

    Args:
        name: As the file or genint has it.

    Cost: about 60 microseconds, cached.
    """
    for _ in range(_MOST_ROUNDS):
        changed = _once(name)
        if changed == name:
            break
        name = changed
    return name


_MOST_ROUNDS: Final = 6
"""What one rule lays bare another may mend."""


def _once(name: str) -> str:
    text = _UNKNOWN_BEHIND.sub("", ascii_text(name).replace(UNKNOWN_CHARACTER, "?"))
    if _NO_NAME.search(text):
        return UNNAMED
    text = _worded(_tidy(_TRAILING_HEDGE.sub(rf"{_PUTATIVE}\1", text)), _CUTS)
    is_putative = _HEDGES.search(text) is not None or "?" in text
    text = _worded(text, _WORDINGS)
    text = _tidy(_short(text, LONGEST - len(_PUTATIVE) * is_putative))
    if not _names_something(text):
        return UNNAMED
    if _BARE_SYMBOL.fullmatch(text):
        text = f"protein {text[0].upper()}{text[1:]}"
    return f"{_PUTATIVE}{text}" if is_putative else text


def _worded(text: str, steps: Iterable[Callable[[str], str]]) -> str:
    """A tidy text after some steps, each of which mostly changes nothing."""
    for step in steps:
        changed = step(text)
        text = text if changed == text else _tidy(changed)
    return text


def _tidy(text: str) -> str:
    """Single blanks, no punctuation at the edges, brackets in pairs."""
    text = _SPACES.sub(" ", text).strip()
    text = re.sub(r"\(\s*\)|\[\s*\]", "", text)
    text = re.sub(r"\s+([,;:.)\]])", r"\1", text)
    text = re.sub(r"([,;])(?:\s*[,;])+", r"\1", text)
    return _balanced(text).strip(_EDGES if not text.endswith("'") else " ,;:.-/_")


def _balanced(text: str) -> str:
    """Without brackets that have no partner."""
    kept, opened = list(text), []
    for at, character in enumerate(text):
        if character in "([":
            opened.append(at)
        elif character in ")]":
            if opened and text[opened[-1]] + character in {"()", "[]"}:
                opened.pop()
            else:
                kept[at] = ""
    for at in opened:
        kept[at] = " "
    return "".join(kept)


def _without_numbers(text: str) -> str:
    text = re.sub(r"(?<=-\d)(?:, |;)(?=\d+-)", ",", text)  # 2, 4-dienoyl
    text = _LIST.sub("/", text)
    text = _NUMBERS.sub("", _ORGANISM.sub("", text))
    text = re.sub(r"(?<=[a-z])_(?=[A-Z])", "/", text)  # families of several proteins
    return plain_wording(_GENUS.sub("", text))


def _first_clause(text: str) -> str:
    """What stands before a remark, an alternative or a second name."""
    text = _REMARK.sub(_kept_remark, text)
    if both := _FUSED.match(text):
        return f"bifunctional {clean_product(both[1])}/{clean_product(both[2])}"
    clauses = _CLAUSE.split(text)
    named = [one for one in clauses if _names_something(one) and not _is_place(one)]
    said = (one for one in named if classify_product(one) is not NameKind.SYMBOL)
    others = (one for one in clauses if one.strip() and not _is_place(one.strip()))
    chosen = next(said, named[0] if named else next(others, clauses[0]))
    return _TRAILING_HEDGE.sub(rf"{_PUTATIVE}\1", chosen)


def _is_place(clause: str) -> bool:
    """Whether a clause only says where a gene lies."""
    return _WHERE.search(clause) is not None and _DOES.search(clause) is None


def _kept_remark(found: re.Match[str]) -> str:
    return found[0] if _COFACTOR.fullmatch(found["text"]) else ""


def _without_commas(text: str) -> str:
    """Inverted names the right way round; a remark behind a comma goes.

    Commas of chemistry (2,4-) have no blank behind them.
    """
    head, *rest = [part for part in text.split(", ") if not _is_place(part)] or [text]
    if rest and not _names_something(head):
        families = (at for at, part in enumerate(rest) if _FAMILY.search(part))
        if (at := next(families, None)) is not None:
            head, rest = rest[at], rest[at + 1 :]
    if not any(noun.search(head) for noun in (_HEAD, _COMPLEX, _PART, _DOES)):
        # a list of attributes: the noun is behind the last of them
        nouns = [at for at, part in enumerate(rest) if _HEAD.search(part) or _COMPLEX.search(part)]
        behind = nouns[0] + 1 if nouns else 0
        head, rest = " ".join((head, *rest[:behind])), rest[behind:]
    for part in rest:
        if (
            (_FACTOR.search(part) and _ENZYME.search(head))
            or (_PART.search(part) and not _PART.search(head))
            or (_COMPLEX.search(head) and (_HEAD.search(part) or not _HEAD.search(head)))
        ):
            head = f"{head} {part}"
    return _OF_FAMILY.sub(r"\g<family> \g<what>", _OF_PHAGE.sub("", head))


def _like(text: str) -> str:
    for pattern in _LIKE:
        if found := pattern.match(text):
            bare = _HEDGES.sub("", found[1])
            bare = re.sub(r"[ -](?:like )?protein$", "", bare)
            return f"{bare}-like protein"
    return _KIN.sub("-like", _KINSHIP.sub("", text))


def _domains(text: str) -> str:
    if found := _DOMAIN_OF.match(text):
        return f"{found['what']} {found['kind']}-containing protein"
    return (
        _CONTAINS.sub("", text) if not re.search(r"-containing|domain containing", text) else text
    )


def _endings(text: str) -> str:
    for pattern, kept in _ENDINGS:
        text = pattern.sub(kept, text)
    return text.replace(" -", "-") if " -" in text else text


def _american(text: str) -> str:
    for pattern, kept in _BRITISH:
        text = pattern.sub(partial(_as_cased, to=kept), text)
    return text


def _as_cased(found: re.Match[str], to: str) -> str:
    if _NOT_BRITISH.match(found[0]):
        return found[0]
    new = found.expand(to)
    return new[:1].upper() + new[1:] if found[0][:1].isupper() else new


def _lower(text: str) -> str:
    """Words in capitals where the whole name is shouted; a first capital that means nothing."""
    if text.isupper() and " " in text:
        text = _SHOUTED.sub(lambda found: found[0].lower(), text)
    return text


def _singular(text: str) -> str:
    return _PLURAL.sub(r"\1", text)


_TAILS: Final = (
    *("conferring", "involved in", "involved with", "required for", "of the", "for", "that"),
    *("from", "in", "with", "and"),
)
"""Words behind which a name says less and less of what it is about."""


def _short(text: str, room: int) -> str:
    """At most ``room`` characters, without a part at the end; the noun stays as long as it fits.

    Empty where that would need a cut within a word or a list.
    """
    if len(text) > room:
        text = _BRACKETED_END.sub("", text)
    for stop in _TAILS:
        if len(text) > room and f" {stop} " in text:
            head, _, _ = text.partition(f" {stop} ")
            text = _FUSED_FROM.sub("", head) if stop == "and" else head
    while len(text) > room and "/" in text:
        first, _, others = text.partition("/")
        # Of a list in front of its noun (thiamine/thiamine phosphate transporter) the end stays.
        text = text.rpartition("/")[0] if _HEAD.search(first) else others
        text = text if "/" in text else _FUSED_FROM.sub("", text)
    return text if len(text) <= room else ""


_CUTS: Final[tuple[Callable[[str], str], ...]] = (
    _without_numbers,
    lambda text: _STATE.sub("", text),
    _first_clause,
    _without_commas,
)
"""What is no part of the name goes first: a doubt in it is none about the name."""
_WORDINGS: Final[tuple[Callable[[str], str], ...]] = (
    lambda text: _HEDGES.sub("", text.translate(_SYMBOLS)),
    _domains,
    _like,
    _american,
    _singular,
    _endings,
    _lower,
    clean_product,
)
"""In this order: each sees what those before it left."""
_BRACKETED_END: Final = re.compile(r" [(\[][^()\[\]]*[)\]]$")
_FUSED_FROM: Final = re.compile(r"^(?:fused|bifunctional|multifunctional|trifunctional) ", re.I)
"""No longer so where only the first of several enzymes is named."""
_LOCATED: Final = re.compile(
    r"\b(?:membrane|periplasmic|exported|secreted|virion|structural)(?: protein\b)|\blipoprotein\b"
)
"""Says no function, but something that is accepted as a name."""


def _names_something(text: str) -> bool:
    if not text or _EMPTY.issuperset(text.lower().split()):
        return False
    if _CODE.fullmatch(text) or _NO_NOUN.match(text):
        return False
    if _FAMILY.search(text) or _LOCATED.search(text):
        return True
    return classify_product(plain_wording(text)) is not NameKind.PLACEHOLDER
