"""The judge of names: is the name that a program told right for a gene whose record says another?

For measuring, and for holding the product of a file against evidence. It shares the
vocabulary of products with the engine, but none of the
code that makes or groups claims, and its own table of words (``data/name_judge.toml``)
goes before the vocabulary where opposites are concerned.

What it decides, in words:

* Names say the same when their words are the same after empty ones are left out
  (``SAME_WORDS``), or after synonyms are brought together, or by the vocabulary, a
  shared gene symbol, a shared complete EC number, or most of their telling words
  (``SAME_FUNCTION``). Class words (kinase, transporter) never make names one.
* A told name that is wider (tail protein for a tail tube protein), or names one of two
  functions, is ``VAGUER``; so is a domain claim, at best, unless the record itself names
  no more than that domain.
* A told name that is narrower than what the record says (tail fiber protein where the
  record says tail protein) is ``SAME_FUNCTION``: nothing in the record speaks against it.
  A weakness: such a name is taken to be right though it may be the wrong tail protein.
  Only where the record names so wide a class that it says next to nothing (hydrolase),
  a narrower name without that word is not judged.
* Names of one thing and of what blocks it, of two parts of one complex, of two that are
  commonly mixed up (tail fiber and minor tail protein) are ``OPPOSITE``.
* A record that names nothing is not judged (``UNTELLING``). Nor is a told name where the
  record only names a domain, unless it is the same domain.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from itertools import product

from genint.knowledge.name_parsing import NamedFunction, functions_of, load_name_table
from genint.knowledge.product_names import NameKind, classify_product, clean_product
from genint.knowledge.products import ProductVocabulary, Relation

_ENOUGH_SHARED = 0.6
"""Share of both names' weight (Dice) that must be common where neither covers the other."""
_CLASS_WEIGHT = 0.5
_LIGHT_WEIGHT = 0.25
_LATIN = {"alpha": "a", "beta": "b"}
"""Subunits told by a Greek letter or its Latin counterpart."""
_STEM = 3
"""Letters of a gene symbol without the one that tells a locus."""


class Verdict(StrEnum):
    """How a told name stands to the name in the record."""

    SAME_WORDS = "same_words"
    SAME_FUNCTION = "same_function"
    VAGUER = "vaguer"
    WRONG = "wrong"
    OPPOSITE = "opposite"
    UNINFORMATIVE = "untelling"

    @property
    def right(self) -> bool:
        """Whether the name is right and as telling as the record's."""
        return self in (Verdict.SAME_WORDS, Verdict.SAME_FUNCTION)


def same_words(true: NamedFunction, said: NamedFunction) -> bool:
    """Whether the words are the same before any synonym is looked up."""
    return (true.plain, _core(true.words), true.subunit, true.number) == (
        said.plain,
        _core(said.words),
        said.subunit,
        said.number,
    )


def says_less(true: NamedFunction, said: NamedFunction) -> bool:
    """Whether every told word is but the class of one in the record, or a family is lost."""
    expected, found = _core(true.words), _core(said.words)
    if not found:  # A symbol alone is as good as the name that it stands for.
        return False
    if found <= expected <= _class_words() and not _marks_told(true, said):
        # The vocabulary knows both as one: a number may stand for a symbol (LepA, factor 4).
        return not (true.symbols and said.number and not true.number)
    return found < _with_wider(expected) - expected or (
        found <= expected and not _family_told(true, said)
    )


def opposed(true: NamedFunction, said: NamedFunction) -> bool:
    """Enzyme and inhibitor, two subunits of one complex, or a pair of the table."""
    table = load_name_table()
    if bool(true.words & table.inhibition) != bool(said.words & table.inhibition):
        targeted = true.symbols & said.targets or true.targets & said.symbols
        return bool(targeted) or _of_one(true, said, table.inhibition)
    if true.subunit and said.subunit and not _may_be_one_subunit(true, said):
        return _of_one(true, said, frozenset())
    ours, theirs = _with_wider(true.words), _with_wider(said.words)
    if any(_set_apart(ours, theirs, pair) for pair in table.opposites):
        return True
    return any(
        _set_apart(true.words, said.words, pair) and _of_one(true, said, frozenset(pair))
        for pair in table.opposites_of_one
    )


def mistaken(true: NamedFunction, said: NamedFunction) -> bool:
    """Whether the table says that one name is commonly told for the other, and wrongly."""
    return any(
        _only(ours, left, right)
        and _only(theirs, right, left)
        and _of_one(true, said, frozenset((left, right)))
        for ours, theirs in ((true.words, said.words), (true.plain, said.plain))
        for left, right in load_name_table().mistaken
    )


def other_member(true: NamedFunction, said: NamedFunction) -> bool:
    """Whether each name tells by number or letter which of a class it is, and not the same."""
    ours, theirs = (
        frozenset(mark for mark in one.number if mark[0].isdigit()) for one in (true, said)
    )
    if ours and theirs:
        return ours.isdisjoint(theirs)
    ours, theirs = true.number - ours, said.number - theirs
    # Synthase B and the synthase of position 55 may be one: only marks of one kind are compared.
    return bool(ours and theirs) and ours.isdisjoint(theirs)


def _may_be_one_subunit(true: NamedFunction, said: NamedFunction) -> bool:
    """Whether marks of subunits are the same, or of two ways to tell them (A, alpha, large).

    Subunits a and alpha of ATP synthases are two.
    """
    if not true.subunit.isdisjoint(said.subunit):
        return True
    if "atpsynthase" in true.words | said.words:
        return False
    ours, theirs = ({_LATIN.get(mark, mark) for mark in one.subunit} for one in (true, said))
    return not ours.isdisjoint(theirs)


def _of_one(true: NamedFunction, said: NamedFunction, deciding: frozenset[str]) -> bool:
    """Whether what is left of two names, less the words that oppose them, is of one thing."""
    table = load_name_table()
    ours, theirs = _core(true.words) - deciding, _core(said.words) - deciding
    return ours == theirs or bool((ours & theirs) - table.class_words)


def _set_apart(ours: frozenset[str], theirs: frozenset[str], pair: tuple[str, str]) -> bool:
    left, right = pair
    return (_only(ours, left, right) and _only(theirs, right, left)) or (
        _only(ours, right, left) and _only(theirs, left, right)
    )


def _only(words: frozenset[str], wanted: str, other: str) -> bool:
    return wanted in words and other not in words


def by_words(true: NamedFunction, said: NamedFunction) -> Verdict:
    """Judge by words, symbols and numbers of one function against one other."""
    if symbol_shared(true, said):
        return Verdict.SAME_FUNCTION
    by_letter = true.plain == said.plain and true.words != said.words
    if by_letter and _lettered(true) != _lettered(said):
        # Minor tail protein U is a minor tail protein, though the letter tells its function.
        return Verdict.VAGUER if _lettered(true) else Verdict.SAME_FUNCTION
    if _partner_of(true, said):
        return Verdict.WRONG
    if _apart(true, said):
        return Verdict.WRONG
    if (true.ec & said.ec) - load_name_table().shared_ec:
        return Verdict.SAME_FUNCTION
    return _by_cover(true, said) if true.words and said.words else Verdict.WRONG


def _lettered(one: NamedFunction) -> bool:
    """Whether a letter tells which gene of its kind is meant (minor tail protein U)."""
    return any(len(word) == 1 for word in one.text.replace("-", " ").split())


def _by_cover(true: NamedFunction, said: NamedFunction) -> Verdict:
    """Which of two names says more, or how much of both is common."""
    expected, found = _core(true.words), _core(said.words)
    less_told = found <= _with_wider(expected)
    if expected <= _with_wider(found):
        if _too_wide(true, said):
            return Verdict.UNINFORMATIVE
        if _marks_told(true, said) and (_family_told(true, said) or not less_told):
            return Verdict.SAME_FUNCTION
        return Verdict.VAGUER if less_told else Verdict.WRONG
    if less_told:
        return Verdict.VAGUER
    return Verdict.SAME_FUNCTION if _mostly_shared(expected, found) else Verdict.WRONG


def _too_wide(true: NamedFunction, said: NamedFunction) -> bool:
    """Whether the record says too little to judge a narrower name.

    So it is with a class such as hydrolase, and with a family whose class the told name
    fits (LacI family transcriptional regulator) where that names one gene of it or another.
    """
    expected, found = _core(true.words), _core(said.words)
    one_gene = bool(true.family and said.symbols and not said.family)
    return (expected <= load_name_table().wide and not expected & found) or (
        one_gene and expected <= _class_words()
    )


def symbol_shared(true: NamedFunction, said: NamedFunction) -> bool:
    """One symbol on both sides; Obg and ObgE are one."""
    return any(
        ours == theirs or (min(len(ours), len(theirs)) == _STEM and ours[:_STEM] == theirs[:_STEM])
        for ours, theirs in product(true.symbols | (_families(true) & said.symbols), said.symbols)
    )


def _families(true: NamedFunction) -> frozenset[str]:
    """The families of the record, with the proteins that they are known by in phages."""
    return true.family | {"ci"} if "lexa" in true.family else true.family


def _marks_told(true: NamedFunction, said: NamedFunction) -> bool:
    """Whether the told name has number, subunit and symbol where the record's rests on them."""
    table = load_name_table()
    # The letter of ribonuclease H tells which; that of tail protein I is a gene's label.
    lettered = _core(true.words) <= table.class_words - table.modules
    numbers = {mark for mark in true.number if mark.isdigit() or lettered}
    # Symbols with y- stand for genes of unknown function: they are nobody's name for one.
    named = lettered and any(not one.startswith("y") for one in true.symbols - true.models)
    return (
        (not numbers or bool(said.number))
        and (not true.subunit or bool(said.subunit))
        and (not named or bool(said.symbols))
    )


def _family_told(true: NamedFunction, said: NamedFunction) -> bool:
    """Whether nothing is lost where the record adds a family (S49 family peptidase)."""
    return (
        not true.family
        or bool(said.family or said.symbols & true.family)
        or not _core(said.words) <= _class_words()
    )


def _class_words() -> frozenset[str]:
    return load_name_table().class_words


def _partner_of(true: NamedFunction, said: NamedFunction) -> bool:
    """Whether one names a partner of the other, its loader or assembly chaperone say."""
    table = load_name_table()
    if not (true.words ^ said.words) & table.partners:
        return False
    core = _core(true.words)
    if core <= table.modules and core <= _with_wider(said.words):
        return False
    ours, theirs = true.words & table.partners, said.words & table.partners
    if ours <= _with_wider(theirs) or theirs <= _with_wider(ours):
        return not (ours and theirs) and not _core(said.words) <= _with_wider(true.words)
    return True


def _apart(true: NamedFunction, said: NamedFunction) -> bool:
    """Numbers, subunits, symbols, families or enzymes that cannot be of one protein."""
    for ours, theirs in (
        (true.number, said.number),
        (true.symbols - true.models, said.symbols - said.models),
        (true.family, said.family),
        (true.ec, said.ec),
    ):
        if ours and theirs and ours.isdisjoint(theirs):
            return True
    if true.subunit and said.subunit and not _may_be_one_subunit(true, said):
        return True
    ours, theirs = _enzymes(true.words), _enzymes(said.words)
    if ours and theirs:
        return not (ours & _with_wider(theirs) or theirs & _with_wider(ours))
    if not ours and not theirs:
        return False
    # Thioredoxin is not its reductase; a tail protein may well be an enzyme.
    other = _core(said.words if ours else true.words)
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
    """Most of the weight is common, and a word in it that tells one function from others."""
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


_BEST_FIRST = (
    Verdict.SAME_WORDS,
    Verdict.SAME_FUNCTION,
    Verdict.VAGUER,
    Verdict.OPPOSITE,
    Verdict.WRONG,
    Verdict.UNINFORMATIVE,
)


def is_informative(name: str, vocabulary: ProductVocabulary) -> bool:
    """Whether a record's name says what the whole protein is or does.

    Not telling: placeholders, symbols of unknown function (NinE family protein), a
    domain alone. Classes (tail protein, ATPase) do tell something.
    """
    if vocabulary.find(name) is not None:
        return True
    if classify_product(name) in (NameKind.PLACEHOLDER, NameKind.SYMBOL):
        return False
    return any(not one.domain and (one.words or one.symbols) for one in functions_of(name))


def judge(truth: str, told: str, vocabulary: ProductVocabulary) -> Verdict:
    """Whether ``told`` is right for a gene whose record says ``truth``.

    Args:
        truth: Product of the record.
        told: What a program says; ``contains a ... domain`` counts as a domain claim.
        vocabulary: Products with their synonyms and relations.

    Cost: 50 us for names not seen before.
    """
    true, said = functions_of(truth), functions_of(told)
    if not _says_anything(truth, vocabulary):
        return Verdict.UNINFORMATIVE
    if not _says_anything(told, vocabulary):
        if not any(symbol_shared(one, other) for one, other in product(true, said)):
            return Verdict.UNINFORMATIVE
        return Verdict.VAGUER if any(one.domain for one in said) else Verdict.SAME_FUNCTION
    verdict = _judge_all(truth, told, vocabulary)
    domain_truth = bool(true) and all(one.domain for one in true)
    domain_told = bool(said) and all(one.domain for one in said)
    if domain_truth and not verdict.right:
        less = verdict is Verdict.VAGUER and domain_told
        return Verdict.VAGUER if less else Verdict.UNINFORMATIVE
    if domain_told and not domain_truth:
        return Verdict.WRONG if verdict in (Verdict.WRONG, Verdict.OPPOSITE) else Verdict.VAGUER
    return verdict


def _says_anything(name: str, vocabulary: ProductVocabulary) -> bool:
    if any(one.domain and one.words for one in functions_of(name)):
        return True
    return is_informative(name, vocabulary)


def _judge_all(truth: str, told: str, vocabulary: ProductVocabulary) -> Verdict:
    """The best verdict of any function of one with any of the other; whole names first."""
    if clean_product(truth).casefold() == clean_product(told).casefold():
        return Verdict.SAME_WORDS
    true, said = functions_of(truth), functions_of(told)
    if not true or not said:
        return _by_vocabulary(truth, told, vocabulary) or Verdict.UNINFORMATIVE
    if len(true) == len(said) == 1:
        return _judge_one(true[0], said[0], truth, told, vocabulary)
    verdicts = [[_judge_one(t, s, t.text, s.text, vocabulary) for s in said] for t in true]
    best = [min(row, key=_BEST_FIRST.index) for row in verdicts]
    if set(best) == {Verdict.SAME_WORDS} and len(true) == len(said):
        return Verdict.SAME_WORDS
    whole = _by_vocabulary(truth, told, vocabulary)
    enough = "@" in truth or " or " in truth or _opposed_to_itself(true)
    by_symbol = any(
        row.right and not one.words for one, row in zip(true, best, strict=True)
    ) and any(one.words for one in true)
    return _together(best, whole, enough=enough or by_symbol)


def _together(best: Sequence[Verdict], whole: Verdict | None, *, enough: bool) -> Verdict:
    """One verdict of those on each function of the record.

    Args:
        best: For each function of the record, the best of the told ones.
        whole: What the vocabulary says of the names as they are.
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
    return any(opposed(one, other) for one, other in product(listed, listed))


def _by_vocabulary(truth: str, told: str, vocabulary: ProductVocabulary) -> Verdict | None:
    """What the vocabulary says of two names; None where it does not know both as one line."""
    expected, found = vocabulary.find(truth), vocabulary.find(told)
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


def _judge_one(
    true: NamedFunction,
    said: NamedFunction,
    truth: str,
    told: str,
    vocabulary: ProductVocabulary,
) -> Verdict:
    if same_words(true, said):
        return Verdict.SAME_WORDS
    if mistaken(true, said):
        return Verdict.WRONG
    if opposed(true, said):
        return Verdict.OPPOSITE
    known = _by_vocabulary(truth, told, vocabulary)
    worded = by_words(true, said)
    one_class = true.words == said.words or _one_is_vague(truth, told, vocabulary)
    others = worded is Verdict.WRONG and one_class and other_member(true, said)
    return worded if known is None or others else _weighed(known, worded, true, said)


def _weighed(known: Verdict, worded: Verdict, true: NamedFunction, said: NamedFunction) -> Verdict:
    """One verdict of the vocabulary's and that of the words."""
    if known.right and says_less(true, said):
        return Verdict.VAGUER
    # Of two that both say something for the name, the one that says more for it.
    if known is Verdict.VAGUER or worded is Verdict.VAGUER:
        return min(known, worded, key=_BEST_FIRST.index)
    return known


def _one_is_vague(truth: str, told: str, vocabulary: ProductVocabulary) -> bool:
    """Whether the vocabulary knows one of the names as a class of several proteins."""
    return any(found is not None and found.vague for found in map(vocabulary.find, (truth, told)))
