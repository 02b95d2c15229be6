"""Collections of signatures that InterPro brings together, and what a match to one can mean."""

from __future__ import annotations

import re
from typing import Final

from genint.model.online import InterProMatch

ANTIFAM: Final = "antifam"
"""Models of translations that are no proteins."""

_BETWEEN = re.compile(r"[\s_-]+")
_OTHER_NAMES = {"gene3d": "cathgene3d", "funfam": "cathfunfam", "supfam": "superfamily"}
_FEATURES = ("phobius", "coils", "mobidb", "tmhmm", "deeptmhmm", "signalp")
_FOLDS = frozenset({"cathgene3d", "cathfunfam", "superfamily"})


def library_of(title: str) -> str:
    """The collection as matches have it, of any spelling: ``CATH-Gene3D`` is ``cathgene3d``."""
    bare = _BETWEEN.sub("", title.lower())
    return _OTHER_NAMES.get(bare, bare)


def is_feature(library: str) -> bool:
    """Whether it tells what residues look like (a coil, a membrane segment), no family."""
    return library.startswith(_FEATURES)


def is_fold(library: str) -> bool:
    """Whether its models stand for folds: common descent, many functions."""
    return library in _FOLDS


def is_signature(match: InterProMatch) -> bool:
    """Whether it is a family's signature that was matched, not predicted, and no feature."""
    return not match.is_prediction and not is_feature(match.library)
