"""What a record says of the organism that it is from, in its ``source`` feature."""

from __future__ import annotations

import re
from collections.abc import Sequence

from genint.formats.annotation import RawFeature

_TAXON = re.compile(r"taxon:\s?([1-9]\d{0,8})")


def source_organism(features: Sequence[RawFeature]) -> str | None:
    """Name of the organism; None where no ``source`` feature gives one."""
    for feature in features:
        if feature.key == "source":
            return feature.value("organism")
    return None


def source_taxon(features: Sequence[RawFeature]) -> int | None:
    """Taxon of NCBI; None where no ``source`` feature gives one, or they give several."""
    found = {
        int(match[1])
        for feature in features
        if feature.key == "source"
        for qualifier in feature.qualifiers
        if qualifier.name == "db_xref"
        if (match := _TAXON.fullmatch((qualifier.value or "").strip()))
    }
    return found.pop() if len(found) == 1 else None
