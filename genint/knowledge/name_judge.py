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

from collections.abc import Iterable, Sequence
from itertools import product

from genint.knowledge.judge_rules import (
    Verdict,
    by_words,
    mistaken,
    opposed,
    other_member,
    same_words,
    says_less,
    symbol_shared,
)
from genint.knowledge.judge_words import NamedFunction, functions_of
from genint.knowledge.product_names import NameKind, classify_product, clean_product
from genint.knowledge.products import ProductVocabulary, Relation

__all__ = ["Verdict", "is_telling", "judge"]

_BEST_FIRST = (
    Verdict.SAME_WORDS,
    Verdict.SAME_FUNCTION,
    Verdict.VAGUER,
    Verdict.OPPOSITE,
    Verdict.WRONG,
    Verdict.UNTELLING,
)


def is_telling(name: str, vocabulary: ProductVocabulary) -> bool:
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
        return Verdict.UNTELLING
    if not _says_anything(told, vocabulary):
        if not any(symbol_shared(one, other) for one, other in product(true, said)):
            return Verdict.UNTELLING
        return Verdict.VAGUER if any(one.domain for one in said) else Verdict.SAME_FUNCTION
    verdict = _judge_all(truth, told, vocabulary)
    domain_truth = bool(true) and all(one.domain for one in true)
    domain_told = bool(said) and all(one.domain for one in said)
    if domain_truth and not verdict.right:
        less = verdict is Verdict.VAGUER and domain_told
        return Verdict.VAGUER if less else Verdict.UNTELLING
    if domain_told and not domain_truth:
        return Verdict.WRONG if verdict in (Verdict.WRONG, Verdict.OPPOSITE) else Verdict.VAGUER
    return verdict


def _says_anything(name: str, vocabulary: ProductVocabulary) -> bool:
    if any(one.domain and one.words for one in functions_of(name)):
        return True
    return is_telling(name, vocabulary)


def _judge_all(truth: str, told: str, vocabulary: ProductVocabulary) -> Verdict:
    """The best verdict of any function of one with any of the other; whole names first."""
    if clean_product(truth).casefold() == clean_product(told).casefold():
        return Verdict.SAME_WORDS
    true, said = functions_of(truth), functions_of(told)
    if not true or not said:
        return _by_vocabulary(truth, told, vocabulary) or Verdict.UNTELLING
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
