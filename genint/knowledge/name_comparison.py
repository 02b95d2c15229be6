"""Comparison of names: is a given name right for a gene whose record has another one?

Used for the audit of a file's products and for measuring accuracy. It shares the vocabulary of
products with the interpretation, but none of the code that makes or groups claims; its own table
of words (``data/name_judge.toml``) takes precedence where opposites are concerned.

* Names are the same when their words are, after empty ones are left out (``SAME_WORDS``), or
  after synonyms are unified, or by the vocabulary, a shared gene symbol, a shared complete EC
  number, or most of their informative words (``SAME_FUNCTION``). Class words (kinase,
  transporter) alone never make names the same.
* A wider name (tail protein for a tail tube protein), or one of two functions, is ``VAGUER``; so
  is a domain claim, at best, unless the record itself names no more than that domain.
* A narrower name (tail fiber protein where the record has tail protein) is ``SAME_FUNCTION``, as
  nothing in the record contradicts it, though it may be the wrong tail protein. Only where the
  record names a very wide class (hydrolase), a narrower name without that word is not compared.
* Anti-X, inhibitor of X and decoy of X are one function (``SAME_FUNCTION``); inhibitors of X and of
  Y are two (``WRONG``), unless one is named after a class or a process only.
* Names of a thing and its inhibitor, of two parts of one complex, of two that are commonly
  confused (tail fiber and minor tail protein) are ``OPPOSITE``.
* A record that names nothing is not compared (``UNINFORMATIVE``), nor is a name with a record
  that only names a domain, unless it is the same domain.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from functools import lru_cache
from itertools import product

from genint.knowledge.name_parsing import NamedFunction, functions_of, load_name_table
from genint.knowledge.product_names import NameKind, classify_product, clean_product
from genint.knowledge.products import ProductVocabulary, Relation
from genint.knowledge.spelling import plain_wording

_ENOUGH_SHARED = 0.6
"""Share of both names' weight (Dice) that must be common where neither covers the other."""
_CLASS_WEIGHT = 0.5
_LIGHT_WEIGHT = 0.25
_LATIN = {"alpha": "a", "beta": "b"}
"""Subunits named by a Greek letter or its Latin counterpart."""
_ANTI = re.compile(
    r"anti(?!sense|codon|bio|microb|bacter|gen|port|fung|viral|oxid|freez|mutat)(\w{3,})"
)
"""What a word that begins with anti- says is blocked (antisigma: sigma)."""
_STEM = 3
"""Letters of a gene symbol without the one of the locus."""


class Verdict(StrEnum):
    """How a given name compares with the name in the record."""

    SAME_WORDS = "same_words"
    SAME_FUNCTION = "same_function"
    VAGUER = "vaguer"
    WRONG = "wrong"
    OPPOSITE = "opposite"
    UNINFORMATIVE = "untelling"

    @property
    def right(self) -> bool:
        """Whether the name is right and as informative as the record's."""
        return self in (Verdict.SAME_WORDS, Verdict.SAME_FUNCTION)


_BEST_FIRST = (
    Verdict.SAME_WORDS,
    Verdict.SAME_FUNCTION,
    Verdict.VAGUER,
    Verdict.OPPOSITE,
    Verdict.WRONG,
    Verdict.UNINFORMATIVE,
)


def is_informative(name: str, vocabulary: ProductVocabulary) -> bool:
    """Whether a record's name states what the whole protein is or does.

    Not informative: placeholders, symbols of unknown function (NinE family protein), a
    domain alone. Classes (tail protein, ATPase) are informative.
    """
    if vocabulary.find(name) is not None:
        return True
    if classify_product(name) in (NameKind.PLACEHOLDER, NameKind.SYMBOL):
        return False
    return any(not one.domain and (one.words or one.symbols) for one in functions_of(name))


@lru_cache(maxsize=32_768)
def compare_names(truth: str, given_name: str, vocabulary: ProductVocabulary) -> Verdict:
    """Whether ``given_name`` is right for a gene whose record says ``truth``.

    Args:
        truth: Product of the record.
        given_name: Of a program; ``contains a ... domain`` counts as a domain claim.
        vocabulary: Products with their synonyms and relations.

    Cost: 50 us for names not seen before.
    """
    true, given = functions_of(truth), functions_of(given_name)
    if not _is_comparable(truth, vocabulary):
        return Verdict.UNINFORMATIVE
    if not _is_comparable(given_name, vocabulary):
        if not any(share_symbol(one, other) for one, other in product(true, given)):
            return Verdict.UNINFORMATIVE
        return Verdict.VAGUER if any(one.domain for one in given) else Verdict.SAME_FUNCTION
    verdict = _compare_all(truth, given_name, vocabulary)
    domain_truth = bool(true) and all(one.domain for one in true)
    given_domain = bool(given) and all(one.domain for one in given)
    if domain_truth and not verdict.right:
        less = verdict is Verdict.VAGUER and given_domain
        return Verdict.VAGUER if less else Verdict.UNINFORMATIVE
    if given_domain and not domain_truth:
        return Verdict.WRONG if verdict in (Verdict.WRONG, Verdict.OPPOSITE) else Verdict.VAGUER
    return verdict


def _is_comparable(name: str, vocabulary: ProductVocabulary) -> bool:
    if any(one.domain and one.words for one in functions_of(name)):
        return True
    return is_informative(name, vocabulary)


def _compare_all(truth: str, given_name: str, vocabulary: ProductVocabulary) -> Verdict:
    """The best verdict of any function of one with any of the other; whole names first."""
    first, second = (clean_product(plain_wording(name)) for name in (truth, given_name))
    if first.casefold() == second.casefold():
        return Verdict.SAME_WORDS
    true, given = functions_of(truth), functions_of(given_name)
    if not true or not given:
        return _by_vocabulary(truth, given_name, vocabulary) or Verdict.UNINFORMATIVE
    if len(true) == len(given) == 1:
        return _compare_one(true[0], given[0], truth, given_name, vocabulary)
    verdicts = [[_compare_one(t, s, t.text, s.text, vocabulary) for s in given] for t in true]
    best = [min(row, key=_BEST_FIRST.index) for row in verdicts]
    if set(best) == {Verdict.SAME_WORDS} and len(true) == len(given):
        return Verdict.SAME_WORDS
    whole = _by_vocabulary(truth, given_name, vocabulary)
    enough = "@" in truth or " or " in truth or _opposed_to_itself(true)
    by_symbol = any(
        row.right and not one.words for one, row in zip(true, best, strict=True)
    ) and any(one.words for one in true)
    return _together(best, whole, enough=enough or by_symbol)


def _together(best: Sequence[Verdict], whole: Verdict | None, *, enough: bool) -> Verdict:
    """One verdict of those on each function of the record.

    Args:
        best: For each function of the record, the best of the given ones.
        whole: The verdict of the vocabulary on the names as they are.
        enough: Any one of the functions will do: ``@`` joins names of one function in
            several settings, "or" leaves it open which, holin/antiholin names both sides of
            one gene, and the symbol of NinB / recombination mediator is its other name.
    """
    found = min(best, key=_BEST_FIRST.index)
    if whole is not None and (whole.right or not found.right):
        return whole
    if not found.right:
        return found
    return Verdict.SAME_FUNCTION if enough or all(one.right for one in best) else Verdict.VAGUER


def _opposed_to_itself(functions: Iterable[NamedFunction]) -> bool:
    """A record that names both of a pair (holin/antiholin): either is right for it."""
    listed = list(functions)
    return any(are_opposite(one, other) for one, other in product(listed, listed))


def _by_vocabulary(truth: str, given_name: str, vocabulary: ProductVocabulary) -> Verdict | None:
    """What the vocabulary says of two names; None where it does not know both as one line."""
    expected, found = vocabulary.find(truth), vocabulary.find(given_name)
    if expected is None or found is None:
        return None
    match vocabulary.related(found.id, expected.id):
        case Relation.SAME | Relation.NARROWER:
            return Verdict.SAME_FUNCTION
        case Relation.BROADER:
            return Verdict.VAGUER
        case Relation.OPPOSITE:
            # There it means "never to be taken for": mostly neighbours, not opposites.
            return Verdict.WRONG
    return None


def _compare_one(
    true: NamedFunction,
    given: NamedFunction,
    truth: str,
    given_name: str,
    vocabulary: ProductVocabulary,
) -> Verdict:
    if same_words(true, given):
        return Verdict.SAME_WORDS
    if are_confused(true, given):
        return Verdict.WRONG
    blocking = _by_what_is_blocked(true, given)
    if blocking is not None:
        return blocking
    known = _by_vocabulary(truth, given_name, vocabulary)
    if are_opposite(true, given):
        # "Cro (antirepressor)" is Cro: of one symbol the vocabulary knows more than the words.
        one = known is not None and known.right and share_symbol(true, given)
        return Verdict.SAME_FUNCTION if one else Verdict.OPPOSITE
    if known is None and _block_two_things(true, given):
        return Verdict.WRONG
    vague = _one_is_vague(truth, given_name, vocabulary)
    return _of_vocabulary_and_words(known, true, given, vague=vague)


def _of_vocabulary_and_words(
    known: Verdict | None, true: NamedFunction, given: NamedFunction, *, vague: bool
) -> Verdict:
    """The verdict of the words, and of the vocabulary where it knows both names.

    Args:
        known: Of the vocabulary.
        true: Of the record.
        given: Of a program.
        vague: Whether the vocabulary knows one of them as a class of several proteins.
    """
    worded = by_words(true, given)
    if known is not None and known.right and vague and _have_other_symbols(true, given):
        return Verdict.VAGUER  # SlyA and MarR: the class is right, the protein another one
    one_class = true.words == given.words or vague
    others = worded is Verdict.WRONG and one_class and other_member(true, given)
    return worded if known is None or others else _combined(known, worded, true, given)


def _combined(
    known: Verdict, worded: Verdict, true: NamedFunction, given: NamedFunction
) -> Verdict:
    """One verdict of the vocabulary's and that of the words."""
    if known.right and is_less_specific(true, given) and not share_symbol(true, given):
        return Verdict.VAGUER
    # Of two that both say something for the name, the one that says more for it.
    if known is Verdict.VAGUER or worded is Verdict.VAGUER:
        return min(known, worded, key=_BEST_FIRST.index)
    return known


def _have_other_symbols(true: NamedFunction, given: NamedFunction) -> bool:
    """Whether both names have gene symbols, and none in common."""
    return bool(true.symbols and given.symbols) and not share_symbol(true, given)


def _one_is_vague(truth: str, given_name: str, vocabulary: ProductVocabulary) -> bool:
    """Whether the vocabulary knows one of the names as a class of several proteins."""
    return any(
        found is not None and found.vague for found in map(vocabulary.find, (truth, given_name))
    )


def same_words(true: NamedFunction, given: NamedFunction) -> bool:
    """Whether the words are the same before any synonym is looked up."""
    return (true.plain, _core(true.words), true.subunit, true.number) == (
        given.plain,
        _core(given.words),
        given.subunit,
        given.number,
    )


def is_less_specific(true: NamedFunction, given: NamedFunction) -> bool:
    """Whether the given words are only classes of those in the record, or a family is lost."""
    expected, found = _core(true.words), _core(given.words)
    if not found:  # A symbol alone is as good as the name that it stands for.
        return False
    if found <= expected <= _class_words() and not _marks_given(true, given):
        # The vocabulary knows both as one: a number may stand for a symbol (LepA, factor 4).
        return not (true.symbols and given.number and not true.number)
    return found < _with_wider(expected) - expected or (
        found <= expected and not _family_given(true, given)
    )


def are_opposite(true: NamedFunction, given: NamedFunction) -> bool:
    """Enzyme and inhibitor, two subunits of one complex, or a pair of the table."""
    table = load_name_table()
    if bool(true.words & table.inhibition) != bool(given.words & table.inhibition):
        targeted = true.symbols & given.targets or true.targets & given.symbols
        return bool(targeted) or _of_one_thing(true, given, table.inhibition)
    if true.subunit and given.subunit and not _may_be_one_subunit(true, given):
        return _of_one_thing(true, given, frozenset())
    ours, theirs = _with_wider(true.words), _with_wider(given.words)
    if any(_differ_by(ours, theirs, pair) for pair in table.opposites):
        return True
    return any(
        _differ_by(true.words, given.words, pair) and _of_one_thing(true, given, frozenset(pair))
        for pair in table.opposites_of_one
    )


def _by_what_is_blocked(true: NamedFunction, given: NamedFunction) -> Verdict | None:
    """The verdict on two inhibitors of one thing that are called so in two ways; None on others."""
    (how, ours), (how_else, theirs) = _blocked(true), _blocked(given)
    if ours and given.words and given.words <= how and not (theirs or given.symbols):
        return Verdict.VAGUER  # an inhibitor, it does not say of what
    if not ours or not theirs or how == how_else:
        return None
    if ours <= theirs:
        return Verdict.SAME_FUNCTION
    return Verdict.VAGUER if theirs <= ours else None


def _block_two_things(true: NamedFunction, given: NamedFunction) -> bool:
    """Whether two inhibitors are named after what they block, and nothing of it is the same.

    A class (nuclease) or a process (division) may be that of the other's target.
    """
    (_, ours), (_, theirs) = _blocked(true), _blocked(given)
    table = load_name_table()
    common = table.class_words | table.light
    if not ours - common or not theirs - common or share_symbol(true, given):
        return False
    # What inhibits lysis (of the cell, by its holin) is no inhibitor of lysozyme.
    first, second = (_with_wider(of) - (table.modules - of) for of in (ours, theirs))
    return first.isdisjoint(theirs) and second.isdisjoint(ours)


def _blocked(one: NamedFunction) -> tuple[frozenset[str], frozenset[str]]:
    """By which words a name says that something is blocked, and the words of what that is.

    Both empty where it blocks nothing. An anti-sigma factor antagonist blocks anti-sigma factor.
    """
    how = one.words & load_name_table().inhibition
    if how:
        return how, (one.words - how) | one.targets
    bare = {word: found[1] for word in one.words if (found := _ANTI.fullmatch(word))}
    if not bare:
        return frozenset(), frozenset()
    return frozenset({"anti"}), (one.words - bare.keys()) | frozenset(bare.values()) | one.targets


def are_confused(true: NamedFunction, given: NamedFunction) -> bool:
    """Whether the table lists the given name as a common wrong name for the true one."""
    return any(
        _only(ours, left, right)
        and _only(theirs, right, left)
        and _of_one_thing(true, given, frozenset((left, right)))
        for ours, theirs in ((true.words, given.words), (true.plain, given.plain))
        for left, right in load_name_table().mistaken
    )


def other_member(true: NamedFunction, given: NamedFunction) -> bool:
    """Whether numbers or letters show that the names are of two members of a class."""
    ours, theirs = (
        frozenset(mark for mark in one.number if mark[0].isdigit()) for one in (true, given)
    )
    if ours and theirs:
        return ours.isdisjoint(theirs)
    ours, theirs = true.number - ours, given.number - theirs
    # Synthase B and the synthase of position 55 may be one: only marks of one kind are compared.
    return bool(ours and theirs) and ours.isdisjoint(theirs)


def _may_be_one_subunit(true: NamedFunction, given: NamedFunction) -> bool:
    """Whether marks of subunits are the same, or of two ways to write them (A, alpha, large).

    Subunits a and alpha of ATP synthases are two.
    """
    if not true.subunit.isdisjoint(given.subunit):
        return True
    if "atpsynthase" in true.words | given.words:
        return False
    ours, theirs = ({_LATIN.get(mark, mark) for mark in one.subunit} for one in (true, given))
    return not ours.isdisjoint(theirs)


def _of_one_thing(true: NamedFunction, given: NamedFunction, deciding: frozenset[str]) -> bool:
    """Whether what is left of two names, less the words that oppose them, is of one thing."""
    table = load_name_table()
    ours, theirs = _core(true.words) - deciding, _core(given.words) - deciding
    return ours == theirs or bool((ours & theirs) - table.class_words)


def _differ_by(ours: frozenset[str], theirs: frozenset[str], pair: tuple[str, str]) -> bool:
    left, right = pair
    return (_only(ours, left, right) and _only(theirs, right, left)) or (
        _only(ours, right, left) and _only(theirs, left, right)
    )


def _only(words: frozenset[str], wanted: str, other: str) -> bool:
    return wanted in words and other not in words


def by_words(true: NamedFunction, given: NamedFunction) -> Verdict:
    """Judge by words, symbols and numbers of one function against one other."""
    if share_symbol(true, given):
        return Verdict.SAME_FUNCTION
    by_letter = true.plain == given.plain and true.words != given.words
    if by_letter and _lettered(true) != _lettered(given):
        # Minor tail protein U is a minor tail protein, though the letter states its function.
        return Verdict.VAGUER if _lettered(true) else Verdict.SAME_FUNCTION
    if _partner_of(true, given) or _apart(true, given):
        return Verdict.WRONG
    if (true.ec & given.ec) - load_name_table().shared_ec:
        return Verdict.SAME_FUNCTION
    if _other_enzymes(true, given):
        return Verdict.WRONG
    return _by_cover(true, given) if true.words and given.words else Verdict.WRONG


def _lettered(one: NamedFunction) -> bool:
    """Whether a letter distinguishes the gene from others of its kind (minor tail protein U)."""
    return any(len(word) == 1 for word in one.text.replace("-", " ").split())


def _by_cover(true: NamedFunction, given: NamedFunction) -> Verdict:
    """Which of two names says more, or how much of both is common."""
    expected, found = _core(true.words), _core(given.words)
    given_less = found <= _with_wider(expected)
    if expected <= _with_wider(found):
        if _too_wide(true, given):
            return Verdict.UNINFORMATIVE
        if _marks_given(true, given) and (_family_given(true, given) or not given_less):
            return Verdict.SAME_FUNCTION
        return Verdict.VAGUER if given_less else Verdict.WRONG
    if given_less:
        return Verdict.VAGUER
    return Verdict.SAME_FUNCTION if _mostly_shared(expected, found) else Verdict.WRONG


def _too_wide(true: NamedFunction, given: NamedFunction) -> bool:
    """Whether the record says too little to compare a narrower name.

    So it is with a class such as hydrolase, and with a family whose class the given name
    fits (LacI family transcriptional regulator) where that names one gene of it or another.
    """
    expected, found = _core(true.words), _core(given.words)
    one_gene = bool(true.family and given.symbols and not given.family)
    return (expected <= load_name_table().wide and not expected & found) or (
        one_gene and expected <= _class_words()
    )


def share_symbol(true: NamedFunction, given: NamedFunction) -> bool:
    """One symbol on both sides; Obg and ObgE are one."""
    return any(
        ours == theirs or (min(len(ours), len(theirs)) == _STEM and ours[:_STEM] == theirs[:_STEM])
        for ours, theirs in product(true.symbols | (_families(true) & given.symbols), given.symbols)
    )


def _families(true: NamedFunction) -> frozenset[str]:
    """The family of the record, with the protein that it is known by in phages.

    A KefB/KefC family holds both relatives.
    """
    stems = Counter(one[:_STEM] for one in true.family)
    families = frozenset(one for one in true.family if stems[one[:_STEM]] == 1)
    return families | {"ci"} if "lexa" in families else families


def _marks_given(true: NamedFunction, given: NamedFunction) -> bool:
    """Whether the given name has number, subunit and symbol where the record's depends on them."""
    table = load_name_table()
    # The letter of ribonuclease H distinguishes it; that of tail protein I is a gene's label.
    lettered = _core(true.words) <= table.class_words - table.modules
    numbers = {mark for mark in true.number if mark.isdigit() or lettered}
    # Symbols with y- stand for genes of unknown function: they name no function.
    named = lettered and any(not one.startswith("y") for one in true.symbols - true.models)
    return (
        (not numbers or bool(given.number))
        and (not true.subunit or bool(given.subunit))
        and (not named or bool(given.symbols))
    )


def _family_given(true: NamedFunction, given: NamedFunction) -> bool:
    """Whether nothing is lost where the record adds a family (S49 family peptidase)."""
    return (
        not true.family
        or bool(given.family or given.symbols & true.family)
        or not _core(given.words) <= _class_words()
    )


def _class_words() -> frozenset[str]:
    return load_name_table().class_words


def _partner_of(true: NamedFunction, given: NamedFunction) -> bool:
    """Whether one names a partner of the other, its loader or assembly chaperone say."""
    table = load_name_table()
    if not (true.words ^ given.words) & table.partners:
        return False
    core = _core(true.words)
    if core <= table.modules and core <= _with_wider(given.words):
        return False
    ours, theirs = true.words & table.partners, given.words & table.partners
    if ours <= _with_wider(theirs) or theirs <= _with_wider(ours):
        return not (ours and theirs) and not _core(given.words) <= _with_wider(true.words)
    return True


def _apart(true: NamedFunction, given: NamedFunction) -> bool:
    """Numbers, subunits, symbols, families or enzyme numbers that cannot be of one protein."""
    for ours, theirs in (
        (true.number, given.number),
        (true.symbols - true.models, given.symbols - given.models),
        (true.family, given.family),
        (true.ec, given.ec),
    ):
        if ours and theirs and ours.isdisjoint(theirs):
            return True
    return bool(true.subunit and given.subunit) and not _may_be_one_subunit(true, given)


def _other_enzymes(true: NamedFunction, given: NamedFunction) -> bool:
    """Words for enzymes that cannot be of one protein."""
    ours, theirs = _enzymes(true.words), _enzymes(given.words)
    if ours and theirs:
        return not (ours & _with_wider(theirs) or theirs & _with_wider(ours))
    if not ours and not theirs:
        return False
    # Thioredoxin is not its reductase; a tail protein may well be an enzyme.
    other = _core(given.words if ours else true.words)
    return not (other <= _class_words() | _with_wider(ours | theirs)) and not (
        (ours | theirs) <= _with_wider(other)
    )


def _enzymes(words: Iterable[str]) -> frozenset[str]:
    return frozenset(word for word in words if word.endswith("ase") and word != "permease")


def _core(words: frozenset[str]) -> frozenset[str]:
    """The words that count; light ones where there are no others."""
    return words - load_name_table().light or words


def _with_wider(words: Iterable[str]) -> frozenset[str]:
    table = load_name_table()

    def each() -> Iterator[str]:
        for word in words:
            yield word
            yield from table.wider(word)

    return frozenset(each())


def _mostly_shared(ours: frozenset[str], theirs: frozenset[str]) -> bool:
    """Most of the weight is common, and a word in it that distinguishes functions."""
    shared = ours & theirs
    if not shared - _class_words():
        return False
    return 2 * _weight(shared) >= _ENOUGH_SHARED * (_weight(ours) + _weight(theirs))


def _weight(words: Iterable[str]) -> float:
    table = load_name_table()
    return sum(
        _LIGHT_WEIGHT
        if word in table.light
        else _CLASS_WEIGHT
        if word in table.class_words
        else 1.0
        for word in words
    )
