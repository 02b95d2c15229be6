"""Product names as text: cleaning, placeholders, hedges, and the words that names share.

Names are cleaned, not rewritten: wordings of one function are brought together by
:mod:`genint.knowledge.products`, :mod:`genint.knowledge.roles` and shared words. What counts as a
name follows the International Protein Nomenclature Guidelines (NCBI, EBI, PIR, SIB; 2020).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from enum import StrEnum
from functools import lru_cache
from itertools import pairwise

from genint.knowledge.spelling import plain_wording
from genint.knowledge.unknown_names import (
    is_known,
    is_partner_of_a_symbol,
    is_y_symbol,
    relative_of,
    says_there_is_none,
    without_codes,
)


class NameKind(StrEnum):
    """How much a product name states about function."""

    NAME = "name"
    """Says what the protein does or is."""
    HEDGED = "hedged"
    """Says so with a doubt: putative, probable, -like."""
    BROAD = "broad"
    """Names a class so wide that the function stays open (tail protein, oxidoreductase)."""
    SYMBOL = "symbol"
    """A gene symbol and nothing else (NinD protein): known by name, not by function."""
    PLACEHOLDER = "placeholder"
    """Says nothing of function: hypothetical protein, gp12, DUF1234, membrane protein."""


_HEDGES = r"putative|probable|possible|predicted|potential|presumed|candidate|tentative"
_HEDGE_WORD = re.compile(rf"\b(?:{_HEDGES})\b[\s,:-]*", re.IGNORECASE)
_LEADING_HEDGE = re.compile(rf"^(?:{_HEDGES})\b[\s,:-]*", re.IGNORECASE)
_UNCHARACTERIZED = re.compile(r"uncharacteri[sz]ed\b", re.IGNORECASE)
"""In front of a class this is a hedge (uncharacterized acetyltransferase)."""
_LIKE = re.compile(r"(?:-| )(?:like|related|homolog(?:ue)?)\b", re.IGNORECASE)
_NOISE = (
    re.compile(r"\s*\((?:EC|TC)[ :]?\d[\dA-Z.\-n]*\)", re.IGNORECASE),  # numbers are kept apart
    re.compile(r"^FIG\d+:\s*"),  # SEED's family numbers
    re.compile(r"\s*\[[A-Z][^\]]*\]\s*$"),  # organism at the end
    re.compile(
        r"^(?:UNVERIFIED(?:_\w+)?|MULTISPECIES|RecName: Full|LOW QUALITY PROTEIN)\s*[:=]\s*"
    ),
    re.compile(r"^(?:[A-Za-z0-9-]+ )?prophage;\s*", re.IGNORECASE),  # "Rac prophage; ..."
    re.compile(r",\s*[A-Za-z0-9-]+ prophage\s*$", re.IGNORECASE),
)
_DUF = re.compile(r"\b(?:DUF|UPF|PRK|COG|TIGR)[_ -]?\d+(?:[-/]\w+)*", re.IGNORECASE)
"""Families of unknown function, with what is written against them (DUF3971-AsmA2)."""

# Words that may surround a placeholder without adding a function: where the
# protein sits, how large it is, that it is conserved, that a phage has it.
EMPTY_WORDS = frozenset(
    """
    a an and associated at bacteriophage cell cellular conserved containing cryptic cytoplasmic
    cytosolic domain encoded exported expressed expression fragment from function gene genes
    generic hydrophobic hyp hypothetical in inner integral kda large lipid lipoprotein lipoproteins
    localised localized lysogen membrane membrane-anchored membrane-associated membrane-spanning
    molecular n-terminal c-terminal not novel of orf orfan orphan outer partial peptide periplasmic
    phage phage-associated phage-related plasmid polypeptide possible predicted product prophage
    prophage-derived prot protein proteins putative probable rich secreted small surface-exposed
    the transmembrane truncated type unassigned uncharacterised uncharacterized undefined
    unidentified unknown unnamed viral virus weight whose with family superfamily
    domain-containing repeat-containing
    helix-rich proline-rich glycine-rich alanine-rich serine-rich spanning single multi pass
    verified chain cluster
    anchored bound soluble extracellular exposed remnant homolog homologs homologue homologues like
    similar to domains
    """.split()
)
_EMPTY_IN_NAMES = frozenset(
    """
    acidic basic charged cogs coil complexity dimeric genus group highly hydrophilic isoform
    lambdoid low mega moron multidomain-containing new non-essential or redundant regulated
    repetative repetitive region strongly tandem universal
    """.split()
)
"""Words that make no name a statement, though names that share them may be of one protein."""
_IDENTIFIER = re.compile(
    r"""^(?:
        g(?:ene)?p?[ _-]?\d+(?:\.\d+)?[a-z]?   # gp12, gp5.9, g3p
      | gp[a-z]{1,3}                            # gpJ, gpFII
      | orf[ _-]?[a-z]?\d*[a-z]?(?:[.-]\d+)?    # orf, ORF92, orf-401
      | ea\d+(?:\.\d+)?                         # lambda's ea47
      | nin[adefhx]                             # named after lambda's nin region; B, G, I are known
      | [a-z]\w*\dp_?\d{1,3}                   # codes of phage and frame: phiSA1p32
      | y[a-z]{2}[a-z]\d?                       # E. coli symbols of unknown function (yjbD)
      | [a-z]{1,8}[_-]?\d{2,}(?:[._-]?[a-z\d]{1,5})?  # locus tags: SPy0919, Z1234, SAV_2345
      | [a-z][\w-]*\.-?\d+[a-z]?               # frames named after a gene before: rIIA.1, a-gt.2
      | \w*orf[_-]?[a-z]?\d+[a-z]?             # STSV1pORF32
      | \d+(?:\.\d+)?[a-z]?                     # bare numbers
      | [ivx]+
      | [a-z][*']*
    )$""",
    re.VERBOSE | re.IGNORECASE,
)
_SAYS_UNKNOWN = re.compile(
    r"""\b(?:unknown[ ]function|function[ ]unknown|uncharacteri[sz]ed[ ]protein)\b
      | ^hypothetical[ -]protein(?:[ ][\w.-]+)?[ ][\w.-]*\d[\w.-]*(?:,[ ]partial)?$
      | ^(?:hypothetical-protein[ ])?/?[ ]?belonging[ ]to\b | ^generated[ ]by\b | ^unk?n?own\b
      | ^(?:\S+[ ])?gp[\d.]+-like(?:[ ]protein)?$
      | ^similar[ ]to[ ](?:\S+[ ])?gp[\d.]+(?:[ ]protein)?$
      | ^[\w-]*\d[\w-]*[ ](?:pro)?phage[ ]protein(?:[ ][\w/.-]*\d[\w/.-]*)?$  # of Gifsy-1 prophage
      | ^[a-z]+[ ]phage[ ][\w-]*\d[\w-]*[ ]protein$  # of Lactococcus phage M3
      | ^released[ ]from[ ]the[ ]phage\b            # when it is seen
      | ^[\w -]*\b(?:repeat|redundancy|phage|genome)-encoded[ ](?:protein|product)$  # where it lies
      | ^(?:similar[ ])?to[ ](?:[a-z]{1,4}[ ])?\w*\d\w*[ ]protein[ ]of[ ](?:bacterio)?phage\b
      | [,;][ ]related[ ]to[ ][a-z]+[ ]protein[ ]\(?\d{4,}\)?$
      | ^(?:(?:integral|inner|outer|membrane|periplasmic|transmembrane)[ ])*
        components?(?:[ ]protein)?$
      | ^(?:(?:major|very|delayed|immediate)[ -])*(?:early|middle|late)(?:[ ]phage)?(?:[ ]gene)?
        (?:[ ](?:protein|product|gp))?(?:[ ][\w.]*\d[\w.]*)?$  # when it is made
      | ^(?:host|infection|immunogenic(?:[ ]secreted)?|(?:cell[ ])?surface|resistance|virulence
        |stress[ ]response(?:[ ]membrane)?)[ ]protein$ | ^IS,[ ]phage,[ ]Tn\b  # where it comes from
      | ^stress[ ]response[ ]membrane$
      | ^(?:[\w-]*\d[\w-]*[ ])?gene[ ]\d[\d.]*[a-z]?(?:[ ](?:protein|product))?$  # T7 gene 4.1
      | ^\S+[ ]orf[ ]?\d+[a-z]?(?:-like)?(?:[ ](?:protein|product))?$  # phiETA ORF 25-like protein
      | ^(?:ead/)?ea\d+(?:\.\d+)?(?:-like)?(?:[ ]family)?(?:[ ]protein)?$
      | ^c-?x-?x-?c[ -]?(?:motif)?(?:[ -]containing)?(?:[ ]protein)?$  # residues in common
      | ^(?:one|two|three|four|single|double)[ ]transmembrane[ ](?:helix|helices|segments?)
        (?:[ ]protein)?$
      | \bbogus[ ]protein\b | ^is[ ]not[ ]a[ ]protein$
      | ^protein[ ]y[a-z]{2}[a-z][ ]in\b.*\b(?:cluster|operon|locus)$""",
    re.VERBOSE | re.IGNORECASE,
)
"""Names that say outright that nothing is known, with words that would seem informative."""
_UNKNOWN_WORDS = frozenset(
    """
    hypothetical conserved uncharacterised uncharacterized unknown unnamed unidentified undefined
    membrane transmembrane periplasmic exported secreted cytoplasmic kda
    """.split()
)
"""Words of names that say where a protein is or that it is there, and not what it does. Beside
them a gene symbol, a number or a code is no function (MobD.5 hypothetical protein)."""
_NUMBERED_FRAME = re.compile(r"\w*orf[_-]?[a-z]?\d+[a-z]?$", re.IGNORECASE)
_CONTEXT_WORDS = frozenset(
    """
    coiled-coil defective early hgt island kilodalton late len middle operon origin precursor region
    """.split()
)
"""Words that add nothing to such a name."""
_NEIGHBOURS = re.compile(
    r"\b(?:in|near|within|upstream|downstream|clustered|co-?occurr?ing)\b.*"
    r"\b(?:operon|cluster|locus|island|with|of)\b.*"
    r"|\blies[ ](?:with)?in\b.*|\([^()]*\?\)",
    re.IGNORECASE,
)
"""What lies beside a gene is not what it does (hypothetical protein in X operon), nor is a guess
with a question mark."""
_LOCUS = re.compile(r"\b(?!\w*(?:ase|in) )[A-Z]?[A-Za-z]{2,5}[ _][A-Za-z]{0,2}\d{3,}\w*\b")
"""A locus tag whose underscore became a blank: Npun R3528, Bmul 0854."""
_CODE = re.compile(r"(?=.*(?:\d|[a-z][A-Z]|^[A-Z]{2,6}$))[\w.'*/-]+$")
"""A gene symbol, locus tag or other code: YghT, SCP1.94, OMPA."""
_KNOWN_CODE = re.compile(
    r"""(?:[DRtm]?[tmrs]?[DR]NA|[AGCTU][DMT]P|NAD[PH]*|FAD|FMN|CoA|ABC|MFS|RND|HNH|HTH|HAD|PAAR|CRISPR
      |SAM|TPR|AAA|LPS|PTS|HEAT|WD40|SH3|PAS|GGDEF|EAL|LysM|CHAP|ParA|ParB|RecA|P450|FeS|Fe-?S)(?:[-/].*)?$
      | .*(?:ases?|ins?)(?:[-/].*)?$
      | .*-(?:like|binding|type|family|related|interacting|dependent|specific|resistance)$""",
    re.VERBOSE,
)
"""Codes that say something of what a protein does or contains, and words such as ATPase."""
_LIKE_GENE = re.compile(r"^([A-Z][a-z]{2}[A-Z])-like$")
_DOMAIN_WORDS = frozenset({"domain", "domains", "domain-containing"})
_GROUP = frozenset(
    """
    family superfamily domain domain-containing repeat repeat-containing fold motif type system
    """.split()
)
"""A code in front of these names a family (DedA family membrane protein)."""
_CONDITION = re.compile(r"-(?:induced|inducible|regulated|responsive|repressed|rich)$", re.I)
"""When a gene is switched on says nothing of what it does (stress-induced protein)."""
_SYMBOL = re.compile(r"^[A-Z]?[a-z]{1,3}[A-Z]{1,2}\d{0,2}$|^[A-Z][a-z]{2}\d?$|^[A-Z]{2,4}\d?$")
_PLACE = re.compile(
    r"\bin (?:the )?\S+ (?:intergenic |[35]['\u2019]? ?-?)region\b.*", re.IGNORECASE
)
"""Between which genes a protein is encoded: in nrdC-mobD intergenic region, in rpsB 5'region."""
_JOINED_SYMBOLS = re.compile(r"^[A-Z][a-z]{2}[A-Z]?(?:[-_][A-Z][a-z]{2}[A-Z]?)+$")
"""Imp-YgjV, PhzC-PhzF."""
_MOTIF = re.compile(r"^(?!.*(?:IN|ASE|OR|ONE)S?$)[A-Z]{2}[A-Zx]{3,6}$")
"""Residues that a family of unknown function has in common, or the first letters of what it has
(MOLPALP, PDxFFG, SRPBCC); a name all in capitals is a name."""
_SYMBOL_FRAME = frozenset({"protein", "family", "gene", "product", "lipoprotein", "the", "phage"})

# Classes so wide that the name leaves the function open.
_BROAD = re.compile(
    r"""^(?:(?:phage|membrane|inner[ ]membrane|periplasmic|metal-dependent|atp-dependent)[ ])*(?:
        (?:tail|head|capsid|structural|virion|coat|virion[ ]structural|baseplate|internal[ ]virion)
            (?:[ ](?:protein|component|subunit))?
      | (?:dna|rna|atp|gtp|nad\(p\)|nucleotide|metal|zinc|iron|nucleic[ ]acid|heme|calcium|ion)
            [ -]?binding[ ]protein
      | (?:oxidoreductase|hydrolase|transferase|enzyme|lyase|isomerase|kinase|reductase
            |dehydrogenase|phosphatase|peptidase|protease|nuclease|transporter|permease
            |atpase|gtpase|methyltransferase|acetyltransferase|synthase|ligase|chaperone
            |toxin|antitoxin|adhesin|terminase)(?:[ ]protein)?
      | (?:transcriptional[ ])?(?:regulator|regulatory[ ]protein)
      | (?:[\w-]+[ ]){0,2}repeat(?:-containing)?[ ]protein
      | (?:[\w-]+[ ]family[ ])?protein[ ]with[ ](?:an?[ ])?(?:[NC]-terminal[ ])?[\w-]+[ ]domain
      | cell[ ]lysis[ ]protein | transfer[ ]protein | [\w/ -]+domain(?:[ -]containing)?[ ]protein
    )$""",
    re.VERBOSE | re.IGNORECASE,
)


_SPELT_OUT = re.compile(r"[A-Z][a-z]{3}[a-z-]*[,;:]?$")
"""A capital that only starts a sentence: not that of Hin, RecA or N-acetyl."""
_PROPER_NAMES = frozenset(
    # Persons.
    """
    Bowman Calvin Entner Fenton Gram Greek Holliday Huntington Kazal Klenow Krebs Kunitz Michaelis
    Okazaki Pribnow Rieske Rossmann Sanger Shiga Shine Walker Warburg Watson Werner
    """.split()
    # Places, organelles named after persons, and genera that no ending gives away.
    + """
    Agrobacterium Arabidopsis Bacteroides Borrelia Bordetella Caenorhabditis Chlamydia Clostridium
    Corynebacterium Drosophila Escherichia Ebola Golgi Haemophilus Helicobacter Legionella Listeria
    Mycobacterium Neisseria Plasmodium Pseudomonas Rhizobium Rhodopirellula Rickettsia
    Saccharomyces Salmonella Shigella Streptomyces Treponema Vibrio Wolbachia Xenopus Yersinia
    """.split()
    # Names put together from others, and genes named after what their loss looks like.
    + "Cache Fido Ftsk Harbinger Hint Kelch Nudix Susd Thil Thoeris Toprim Tudor Yqey".split()
)
_GENUS = re.compile(r"[A-Z][a-z]+(?:coccus|bacter|bacillus|monas|myces|plasma|spirillum)")


@lru_cache(maxsize=32_768)
def clean_product(text: str) -> str:
    """The name without what is no part of it; wording, underscores and case of words stay.

    Removed: EC numbers, organism in brackets, record flags (``MULTISPECIES:``),
    prophage prefixes, doubled spaces, trailing punctuation. A doubt in front is
    written ``putative`` whatever its word was.
    """
    name = " ".join(text.split())
    for noise in _NOISE:
        name = noise.sub("", name)
    name = name.strip(" ,;:.-")
    if _LEADING_HEDGE.match(name):
        name = "putative " + _LEADING_HEDGE.sub("", name)
    first = name.split(" ", 1)[0]
    if _SPELT_OUT.match(first) and not _is_proper_name(first):
        name = name[:1].lower() + name[1:]
    return name


def _is_proper_name(word: str) -> bool:
    """Of a person, place, genus or protein: Rieske, Gram-negative, Mycoplasma, Toprim."""
    bare = re.split(r"[-,;:/]", word, maxsplit=1)[0]
    return bare in _PROPER_NAMES or _GENUS.fullmatch(bare) is not None


@lru_cache(maxsize=32_768)
def classify_product(text: str) -> NameKind:
    """What kind of statement a product name is; cached, as names recur."""
    name = clean_product(plain_wording(without_codes(text)))
    core = _HEDGE_WORD.sub("", name).partition(" #")[0]  # what follows is a comment of SEED
    core = _PLACE.sub("", core)
    words = _with_symbols_of_relatives(_bare_words(core))
    if not _informative(words, core):
        return NameKind.PLACEHOLDER
    if _is_symbol_only(words):
        return NameKind.SYMBOL
    if _BROAD.match(_LIKE.sub("", core)):
        return NameKind.BROAD
    if _HEDGE_WORD.search(name) or _LIKE.search(name) or _UNCHARACTERIZED.match(name):
        return NameKind.HEDGED
    return NameKind.NAME


def _informative(words: Sequence[str], core: str) -> bool:
    """Whether a word is left that could state a function."""
    if _SAYS_UNKNOWN.search(core) or says_there_is_none(core):
        return False
    of_domains = not _DOMAIN_WORDS.isdisjoint(words)  # VWA and DUF3520 domains
    if any(_is_unknown(bare) or (_DUF.fullmatch(bare) and not of_domains) for bare in words):
        return _informative_beside_unknown(core)
    return any(_says_something(bare) for bare in words)


def _with_symbols_of_relatives(words: Sequence[str]) -> list[str]:
    """Words, X for X-like where nobody knows X; a domain called after a gene is a domain."""
    of_domain = not _DOMAIN_WORDS.isdisjoint(words)
    symbols = ((word, relative_of(word)) for word in words)
    return [
        symbol if symbol and not (of_domain and is_y_symbol(symbol)) else word
        for word, symbol in symbols
    ]


def _is_unknown(bare: str) -> bool:
    """Whether a word says that the function is not known, beside which a code is no function."""
    return bare.lower() in _UNKNOWN_WORDS or _NUMBERED_FRAME.match(bare) is not None


def _bare_words(name: str) -> list[str]:
    """Words without punctuation around them."""
    return [bare for word in re.split(r"[\s,;/()]+", name) if (bare := word.strip("'\".-:"))]


def _says_something(bare: str) -> bool:
    return not (
        bare.lower() in EMPTY_WORDS
        or bare.lower() in _EMPTY_IN_NAMES
        or is_y_symbol(bare)
        or _DUF.fullmatch(bare)
        or _IDENTIFIER.match(bare)
        or _CONDITION.search(bare)
    )


def _informative_beside_unknown(core: str) -> bool:
    """Whether a name that says what is not known, or where a protein is, says what it does too."""
    bare_words = _bare_words(_LOCUS.sub("", _NEIGHBOURS.sub("", core)))
    for bare, after in pairwise((*bare_words, "")):
        if not _says_something(bare) or bare.lower() in _CONTEXT_WORDS:
            continue
        is_code = (_CODE.match(bare) and not _KNOWN_CODE.match(bare)) or (
            is_partner_of_a_symbol(bare) or not _says_something(relative_of(bare) or bare)
        )
        if not is_code or after.lower() in _GROUP:
            return True
    return False


def _is_symbol_only(words: Sequence[str]) -> bool:
    """Such as ``NinB protein``, ``NinB family protein``, ``TreN-like membrane protein``."""
    left = [
        word
        for word in words
        if word.lower() not in _SYMBOL_FRAME | EMPTY_WORDS | _EMPTY_IN_NAMES
        and not _CONDITION.search(word)
        and not word.isdigit()
    ]
    if any(map(_is_unknown, words)) and _DOMAIN_WORDS.isdisjoint(words):
        left = [_LIKE_GENE.sub(r"\1", word) for word in left]
    if len(left) != 1:
        return False
    if _SYMBOL.match(left[0]) or _JOINED_SYMBOLS.match(left[0]):
        return True
    return (
        _MOTIF.match(left[0]) is not None
        and _DOMAIN_WORDS.isdisjoint(words)
        and not is_known(left[0])
        and not all(map(str.isupper, words))
    )


def display_product(text: str) -> str:
    """The normalised product to show: cleaned, or ``hypothetical protein``."""
    if classify_product(text) is NameKind.PLACEHOLDER:
        return "hypothetical protein"
    return clean_product(text)


_CLASS_WORDS = frozenset(
    """
    acid acetyltransferase atp atpase binding carboxylase deacetylase decarboxylase dehydratase
    dehydrogenase dna enzyme esterase gtp gtpase hydrolase isomerase kinase ligase lyase
    metal methyltransferase mutase nad nadp nuclease oxidase oxidoreductase peptidase permease
    phosphatase phosphate protease reductase regulator regulatory rna synthase synthetase
    transcriptional transcription transferase transport transporter virion zinc
    """.split()
)
"""Words that many different functions share: they count half."""

_INHIBITION = frozenset({"inhibitor", "inhibition", "inhibitory", "antagonist", "immunity"})
"""On one side only, these show that the names are of an enzyme and of its inhibitor."""
_INHIBITOR = re.compile(
    r"""\b(?:inhibitors?|inhibitory|antagonists?|decoys?)\b(?:[ ]of\b)?
      | \banti-(?!(?:sense|codon|biotic|microbial|bacterial|gen|port))
      | \banti(?=repressor|holin|toxin|terminat|restriction|sigma|crispr)""",
    re.VERBOSE | re.IGNORECASE,
)
"""What turns the name of a protein into that of its inhibitor."""
_OPPOSITES = (
    (frozenset({"large"}), frozenset({"small"})),
    (frozenset({"heavy"}), frozenset({"light"})),
    (frozenset({"activator"}), frozenset({"repressor"})),
    (frozenset({"toxin"}), frozenset({"antitoxin"})),
    (frozenset({"repressor"}), frozenset({"antirepressor"})),
    (frozenset({"holin"}), frozenset({"antiholin"})),
    (
        frozenset({"termination", "terminator"}),
        frozenset({"antitermination", "antiterminator"}),
    ),
    (frozenset({"import", "importer", "uptake"}), frozenset({"export", "exporter", "efflux"})),
)
"""A word of the left on one side and of the right on the other: they cannot both hold."""
_DIFFERENT = (
    (frozenset({"alpha"}), frozenset({"beta"})),
    (frozenset({"major"}), frozenset({"minor"})),
    (frozenset({"dna"}), frozenset({"rna"})),
    (frozenset({"permease"}), frozenset({"atp"})),
)
"""The same, but both may hold of one protein: such names are merely not alike."""
_DECIDING_WORDS = _INHIBITION.union(*(side for pair in _OPPOSITES + _DIFFERENT for side in pair))
_HALF_WORDS = _CLASS_WORDS | _DECIDING_WORDS
_STOP_WORDS = (EMPTY_WORDS - _DECIDING_WORDS) | frozenset(
    """
    activity based by chain component dependent element factor for group i ii iii iv is
    involved like module motif or other member part possibly region repeat required sequence
    specific species structural structure subfamily subunit system terminal terminus that this
    """.split()
)
_SPELLINGS = {
    "tapemeasure": ("tape", "measure"),
    "fibre": ("fiber",),
    "fibres": ("fiber",),
    "endodeoxyribonuclease": ("endonuclease",),
    "endonucleases": ("endonuclease",),
    "integrases": ("integrase",),
    "tailspike": ("tail", "spike"),
    "prohead": ("head",),
    "procapsid": ("capsid",),
    "anti-termination": ("antitermination",),
    "anti-repressor": ("antirepressor",),
    "anti-holin": ("antiholin",),
    "anti-toxin": ("antitoxin",),
    "his": ("histidine",),
    "sensory": ("sensor",),
    "sulphur": ("sulfur",),
}
_WORD = re.compile(r"anti-[a-z]+|[a-z0-9]+(?:'{1,2})?")
_LONG_WORD = 4
_AGREEMENT_SHARE = 0.5
"""Share of the shorter name's weight that both names must have in common."""


@lru_cache(maxsize=32_768)
def words_of(name: str) -> frozenset[str]:
    """The informative words of a name, lower case, plural s removed.

    Cached, as families and their aliases recur with every hit.
    """
    words: set[str] = set()
    for match in _WORD.findall(plain_wording(name).lower()):
        for word in _SPELLINGS.get(match, (match,)):
            singular = (
                word[:-1]
                if len(word) > _LONG_WORD and word.endswith("s") and word[-2] != "s"
                else word
            )
            if singular not in _STOP_WORDS and not singular.isdigit() and len(singular) > 1:
                words.add(singular)
    return frozenset(words)


def inhibition_target(name: str) -> str | None:
    """The name of what a protein of this name inhibits; None where it inhibits nothing.

    ``lysozyme inhibitor`` inhibits ``lysozyme``, ``antirepressor`` ``repressor``, and a ``decoy of
    sigma factor`` keeps ``sigma factor`` from its work as an ``anti-sigma factor`` does.
    """
    target, inhibitors = _INHIBITOR.subn("", plain_wording(name))
    return " ".join(target.split()) or None if inhibitors else None


def opposed(first: frozenset[str], second: frozenset[str]) -> bool:
    """Whether two names are opposites of one thing: enzyme and inhibitor, large and small.

    Opposites share what is left when the opposing words are taken away; names that
    share nothing else are unrelated, not opposites.
    """
    inhibited = bool(first & _INHIBITION) != bool(second & _INHIBITION)
    if not inhibited and not _set_apart(first, second, _OPPOSITES):
        return False
    return _overlap(first - _DECIDING_WORDS, second - _DECIDING_WORDS) or bool(
        not (first - _DECIDING_WORDS) and not (second - _DECIDING_WORDS)
    )


def _set_apart(
    first: frozenset[str],
    second: frozenset[str],
    pairs: Iterable[tuple[frozenset[str], frozenset[str]]],
) -> bool:
    """Whether a pair of words distinguishes the names; a name with both does not count."""
    if first.isdisjoint(_DECIDING_WORDS) or second.isdisjoint(_DECIDING_WORDS):
        return False
    return any(
        (_only(first, left, right) and _only(second, right, left))
        or (_only(first, right, left) and _only(second, left, right))
        for left, right in pairs
    )


def set_apart(first: frozenset[str], second: frozenset[str]) -> bool:
    """Whether a word distinguishes two names: large and small, alpha and beta, DNA and RNA."""
    return _set_apart(first, second, _OPPOSITES + _DIFFERENT)


def _only(words: frozenset[str], wanted: frozenset[str], other: frozenset[str]) -> bool:
    return bool(words & wanted) and not words & other


def _weight(words: frozenset[str]) -> float:
    return len(words) - 0.5 * len(words & _HALF_WORDS)


def _overlap(first: frozenset[str], second: frozenset[str]) -> bool:
    shared = _weight(first & second)
    smaller = min(_weight(first), _weight(second))
    return shared > 0 and shared >= _AGREEMENT_SHARE * smaller


def alike(first: frozenset[str], second: frozenset[str]) -> bool:
    """Whether two names share enough informative words to be of one function.

    Class words (kinase, transporter) count half. Names that a word distinguishes
    (inhibitor on one side only, alpha and beta, DNA and RNA) are never alike.
    """
    if bool(first & _INHIBITION) != bool(second & _INHIBITION):
        return False
    return _overlap(first, second) and not set_apart(first, second)
