"""What it adds to a frame's odds that a family recognises its protein, or that none does."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

LOG_ODDS: Mapping[str, float] = MappingProxyType({"family": 3.0, "domain": 3.0, "none": -0.2})
