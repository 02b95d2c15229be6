"""Words of names that say what kind of function a protein has, and so its category.

The table is ``data/function_words.toml``, written for genint. It is for names that neither the
vocabulary nor a role covers, as files word them ("23S rRNA m(6)A1618 methyltransferase,
SAM-dependent"). Words give a category and nothing else: two names of one category are not one
function, and the model of gene order was fitted without them.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import lru_cache

from genint.knowledge.patterns import Pattern, either
from genint.knowledge.spelling import plain_wording
from genint.knowledge.table_files import FUNCTION_WORDS, read_shipped
from genint.model.vocabulary import Category

_CLAUSE_END = re.compile(r";\s|\s@\s|\s=>\s")
"""What parts the functions of one name; the first is the main one."""


@dataclass(frozen=True, slots=True)
class _Words:
    """Words of one category.

    Attributes:
        matches: Any of the words, in a lower-case clause.
        excludes: What such a clause never has.
        in_phage: Whose proteins they hold for: of phages, of cells, or None of both.
    """

    category: Category
    matches: Pattern
    excludes: Pattern | None
    in_phage: bool | None

    def are_in(self, clause: str) -> bool:
        if not self.matches.is_in(clause):
            return False
        return self.excludes is None or not self.excludes.is_in(clause)


@lru_cache(maxsize=32_768)
def category_by_words(name: str, *, in_phage: bool) -> Category | None:
    """Category that the words of a product name speak of; None where they leave it open.

    Args:
        name: As a file or a family words it.
        in_phage: It is the name of a phage's protein.

    Cost: 30 us, cached, as names recur; the table is read (20 ms) at the first call.
    """
    for clause in _CLAUSE_END.split(plain_wording(name.lower())):
        for words in _table():
            if words.in_phage in (None, in_phage) and words.are_in(clause):
                return words.category
    return None


@lru_cache(maxsize=1)
def _table() -> tuple[_Words, ...]:
    rows = tomllib.loads(read_shipped(FUNCTION_WORDS).decode())["words"]
    return tuple(
        _Words(
            category=Category(row["category"]),
            matches=either(row["patterns"]),
            excludes=either(row["exclude"]) if "exclude" in row else None,
            in_phage=row.get("in_phage"),
        )
        for row in rows
    )
