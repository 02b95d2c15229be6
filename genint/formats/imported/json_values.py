"""Values of JSON files that other programs wrote: whatever is not as expected counts as absent."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from genint.formats.imported.tables import broken


def loaded(text: str, source: str) -> Any:
    """The content of a JSON file.

    Raises:
        FormatError: it is damaged, with the line.
    """
    try:
        return json.loads(text)
    except json.JSONDecodeError as fault:
        reason = f"the JSON is damaged or cut off: {fault.msg}"
        raise broken(source, fault.lineno, reason) from None
    except (RecursionError, ValueError):
        raise broken(source, None, "the JSON is nested too deeply or holds a huge number") from None


def mapping(value: object) -> Mapping[str, Any]:
    """An object; empty where it is none."""
    return value if isinstance(value, dict) else {}


def listed(one: Mapping[str, Any], key: str) -> list[Any]:
    """A list; empty where there is none."""
    value = one.get(key)
    return value if isinstance(value, list) else []


def text(one: Mapping[str, Any], *keys: str) -> str:
    """The first of some texts that is there and not empty; else empty."""
    return next((one[key] for key in keys if isinstance(one.get(key), str) and one[key]), "")


def real(one: Mapping[str, Any], key: str) -> float | None:
    """A number; None where there is none."""
    value = one.get(key)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if abs(value) < 1e300 else None  # noqa: PLR2004 - no figure is larger


def whole(one: Mapping[str, Any], key: str) -> int | None:
    """A whole number; None where there is none."""
    value = one.get(key)
    return value if isinstance(value, int) and not isinstance(value, bool) else None
