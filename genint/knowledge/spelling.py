"""Product names as they are compared: words apart, common misspellings mended.

For classification and comparison only. What the file says is shown as the file says it: an
identifier with an underscore in it (P22_gp10) or a slip of the pen is the submitter's.

Long words that lack a letter of a word of the vocabulary, have one more, or two in the wrong
order are read as that word (octaprenyltranferase): words of twelve letters and more are not so
near to one another, unless they are plurals or put together of others (carboxy-lyase).

The other misspellings were looked for among the product names of some 450,000 public proteins:
words one letter away from one that is at least 25 times as frequent (in phages alone: 6 times),
each looked at, as most such words are right (glutarate is no glutamate).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from string import ascii_lowercase
from types import MappingProxyType
from typing import Final

from genint.knowledge.table_files import PRODUCTS, read_lines

_WORD: Final = re.compile(r"[A-Za-z]{5,}")
_PART: Final = re.compile(r"[a-z]{4,}")
_SHORT: Final = 4
_LONG: Final = 12
"""Letters of a word: shorter ones have right words one letter away (adhesin, adhesion)."""
_MISSPELT_AND_RIGHT: Final = (
    # What phages have.
    """
    capside capsid; chelicase helicase; dhistone histone; heicase helicase; lysosyme lysozyme
    lysozime lysozyme; lyzozyme lysozyme; masure measure; meausure measure; morphgenetic
    morphogenetic; mrohead prohead; propahge prophage; prohage prophage; bacteriphage bacteriophage
    restrction restriction; modifcation modification; modificaiton modification; spannin spanin
    stabilzer stabilizer; supressor suppressor; rpressor repressor; inihibitor inhibitor
    terminse terminase; topoisomerasae topoisomerase; translgycosylase transglycosylase
    transpoase transposase; uracyl uracil; wedget wedge; holine holin; integarse integrase
    nucloid nucleoid; thymidilate thymidylate; elogation elongation; intiation initiation
    invertion inversion; endonulease endonuclease; exonulease exonuclease; polymerse polymerase
    exonucelase exonuclease; endonucelase endonuclease; nucelase nuclease; teminase terminase
    """
    # Words that many names have.
    """
    assiociated associated; biding binding; bindin binding; bindng binding; consserved conserved
    containg containing; contining containing; comonent component; comopnent component
    compoent component; componen component; componenet component; componet component
    eynzyme enzyme; faimly family; familiy family; familty family; involeved involved
    puative putative; puatative putative; puitative putative; putataive putative
    putatiave putative; putativ putative; putuative putative; probale probable
    protei protein; proteiin protein; proten protein; rpotein protein; similiar similar
    specifc specific; subuint subunit; subuit subunit; subunint subunit; subunnit subunit
    subunt subunit; sununit subunit; supefamily superfamily; supeorfamily superfamily
    unkown unknown; unkwnown unknown; systemn system; systen system; sysytem system
    """
    # Places, transport and regulation.
    """
    accessaory accessory; accessroy accessory; accesory accessory; acessory accessory
    adhesine adhesin; antiporte antiporter; bioflim biofilm; bioflm biofilm; chanel channel
    chaparone chaperone; chaperon chaperone; cofacter cofactor; competance competence
    divison division; effflux efflux; effllux efflux; extracelluar extracellular
    extracelllular extracellular; extracelullar extracellular; flavoprtein flavoprotein
    inducibile inducible; inducilble inducible; lipopotein lipoprotein; mebrane membrane
    membran membrane; memrane membrane; multdrug multidrug; multifonctional multifunctional
    ntegral integral; pemease permease; peremase permease; permeae permease
    periplasmmic periplasmic; regualtor regulator; regualtory regulatory; reguator regulator
    reguatory regulatory; regulatoyr regulatory; reguratory regulatory; retgulatory regulatory
    reponse response; resposne response; tranport transport; tranporter transporter
    transcpriptional transcriptional; transcripitonal transcriptional; transcriptonal
    transcriptional; transcrition transcription; transmembran transmembrane
    transportor transporter; trasnporter transporter; trasporter transporter
    """
    # Enzymes.
    """
    acetyltranferase acetyltransferase; acetytransferase acetyltransferase
    acteyltransferase acetyltransferase; acitivity activity; adenolsyltransferase
    adenosyltransferase; amidotransfease amidotransferase; amlyase amylase
    anminopeptidase aminopeptidase; cytrochrome cytochrome; cyctochrome cytochrome
    dehydogenase dehydrogenase; dehydrogenease dehydrogenase; dehydrogenese dehydrogenase
    dehyrdrogenase dehydrogenase; dehyrogenase dehydrogenase; ferridoxin ferredoxin
    ferrodoxin ferredoxin; galatosidase galactosidase; gluaredoxin glutaredoxin
    glycoysltransferase glycosyltransferase; hydoxylase hydroxylase; hydratease hydratase
    hyrdrolase hydrolase; isomerse isomerase; mannoosyltransferase mannosyltransferase
    methlyltransferase methyltransferase; methyltransferse methyltransferase
    methytransferase methyltransferase; monoxygenase monooxygenase; oxidordeuctase
    oxidoreductase; oxidoreducatse oxidoreductase; oxidorreductase oxidoreductase
    oxidreductase oxidoreductase; hydolase hydrolase
    phosphtase phosphatase; phophatase phosphatase; phophodiesterase phosphodiesterase
    phophoribosyltransferase phosphoribosyltransferase; phoshatase phosphatase
    phospotransferase phosphotransferase; posphotransferase phosphotransferase
    pyrophosphatasee pyrophosphatase; pyrophosphohydolase pyrophosphohydrolase
    sufurtransferase sulfurtransferase; sulftase sulfatase; syntase synthase
    sythetase synthetase; thiolesterase thioesterase; thioeseterase thioesterase
    thiredoxin thioredoxin; tranferase transferase
    """
    # What they act on.
    """
    argninine arginine; biosynthesi biosynthesis; carbamyl carbamoyl; histitine histidine
    hydoxy hydroxy; hyroxy hydroxy; molibdenum molybdenum; molybdenium molybdenum
    monopohosphate monophosphate; panothenate pantothenate; penicilin penicillin
    pentapetide pentapeptide; pepdidoglycan peptidoglycan; phenylalanene phenylalanine
    phophatidylinositol phosphatidylinositol; phospahte phosphate; polysacharide polysaccharide
    pyrimidin pyrimidine; pyrmidine pyrimidine; pyuvate pyruvate; queosine queuosine
    riboncleoside ribonucleoside; techoic teichoic; theronine threonine; triphospate triphosphate
    """
    # What is typed by hand where nothing is known.
    """
    charaterized characterized; conseved conserved; conserverd conserved; consrved conserved
    funciton function; funtion function; hyothetical hypothetical; hypethetical hypothetical
    hypohetical hypothetical; hypohtetical hypothetical; hypotehtical hypothetical
    hypotetical hypothetical; hypotethical hypothetical; hypothecial hypothetical
    hypotheical hypothetical; hypothetcal hypothetical; hypothetcial hypothetical
    hypothethical hypothetical; hypothetial hypothetical; hypotheticl hypothetical
    hypothetica hypothetical; hypothtical hypothetical
    hypothical hypothetical; hypthetical hypothetical; hyptothetical hypothetical
    hypthotetical hypothetical; hpothetical hypothetical; portein protein; preotein protein
    proein protein; proetin protein; protien protein; protine protein; prtoein protein
    uncharacterzied uncharacterized; uncharaterised uncharacterised
    uncharaterized uncharacterized; unchracterized uncharacterized; uknown unknown
    unknonw unknown; unknow unknown; unknwon unknown; unkonwn unknown
    """
    # Single ones, found later, of names that one record has.
    """
    acriflavin acriflavine; adapotor adaptor; aptase atpase; asparty aspartyl
    biosyntheis biosynthesis; biosynthsis biosynthesis; biosythesis biosynthesis
    bisynthesis biosynthesis; biphosphate bisphosphate; briding bridging; cellbiose cellobiose
    cobalamine cobalamin; deferrrochelatase deferrochelatase; dicarbaxylate dicarboxylate
    epimeras epimerase; flutathione glutathione; galacitol galactitol; galacticol galactitol
    glucosyll glucosyl; glycoportein glycoprotein; glycosil glycosyl; hydroxt hydroxy
    hyphotheical hypothetical; leukocicin leukocidin; liprotein lipoprotein; mannnose mannose
    matabolism metabolism; methycitrate methylcitrate; methylhydaintoinase methylhydantoinase
    molybdochetalase molybdochelatase; monooxide monoxide; monoxyde monoxide; naphtoate naphthoate
    nucleotidy nucleotidyl; oxacyl oxoacyl; oxalacetate oxaloacetate; phosphatas phosphatase
    polypetide polypeptide; prolyne proline; reciever receiver; repetative repetitive
    rhodanase rhodanese; siderophose siderophore; subuits subunits; sufite sulfite
    tetracyclin tetracycline
    """
)
_WORDS: Final = _MISSPELT_AND_RIGHT.replace(";", " ").split()
SPELLINGS: Final = MappingProxyType(dict(zip(_WORDS[::2], _WORDS[1::2], strict=True)))
"""Misspelt word -> the word that is meant, both in lower case."""


def spaced(text: str) -> str:
    """The text with single blanks where it has underscores or several blanks."""
    return " ".join(text.replace("_", " ").split())


@lru_cache(maxsize=32_768)
def plain_wording(text: str) -> str:
    """How a product name is read when it is classified or compared; never shown.

    Cost: 5 us for names not seen before.
    """
    return mended(spaced(text))


def mended(text: str) -> str:
    """A name in which misspelt words are spelt as they are meant; all else stays as it is."""
    if not any(map(_meant, map(str.lower, _WORD.findall(text)))):
        return text
    return _WORD.sub(_mended, text)


def _mended(word: re.Match[str]) -> str:
    """The word that is meant, with the capital that the misspelt one begins with."""
    meant = _meant(word[0].lower())
    if meant is None:
        return word[0]
    return meant.capitalize() if word[0][0].isupper() else meant


@lru_cache(maxsize=32_768)
def _meant(word: str) -> str | None:
    """The word that a misspelt one stands for; None where it is right, or nobody can tell."""
    if word in SPELLINGS:
        return SPELLINGS[word]
    known = _vocabulary_words()
    if len(word) < _LONG or word in known or word.endswith("s") or _is_compound(word, known):
        return None
    meant = {near for near in _one_letter_away(word) if near in known}
    meant.discard(word.replace("ethyl", "methyl"))  # two things, and both are right
    return meant.pop() if len(meant) == 1 else None


def _one_letter_away(word: str) -> Iterator[str]:
    """With a letter less, a letter more, or two neighbours exchanged; none replaced."""
    for at in range(len(word) + 1):
        left, right = word[:at], word[at:]
        yield left + right[1:]
        if len(right) > 1:
            yield left + right[1] + right[0] + right[2:]
        yield from (left + letter + right for letter in ascii_lowercase)


def _is_compound(word: str, known: frozenset[str]) -> bool:
    """Whether a word is two words of the vocabulary."""
    cuts = range(_SHORT, len(word) - _SHORT + 1)
    return any(word[:at] in known and word[at:] in known for at in cuts)


@cache
def _vocabulary_words() -> frozenset[str]:
    """All words in the names of the vocabulary, lower case. Cost: 30 ms, once."""
    names = [name for line in read_lines(PRODUCTS) for name in line.split("\t", 4)[2:4]]
    return frozenset(_PART.findall("\n".join(names).lower()))
