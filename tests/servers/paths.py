"""Where processes that tests start find the tests and the package."""

from __future__ import annotations

from pathlib import Path

import genint

FOLDERS = (str(Path(__file__).resolve().parents[2]), str(Path(genint.__file__).parent.parent))
