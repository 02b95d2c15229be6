from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import genint

from .import_rules import ALLOWED, violations

PACKAGE = Path(genint.__file__).parent


def test_every_import_is_one_that_the_table_allows():
    assert violations(PACKAGE) == ()


def test_the_table_has_no_circle():
    """Leaving out the shell: service and cli may see everything."""
    open_layers = {
        layer: set(ALLOWED[layer]) for layer in ALLOWED if layer not in {"cli", "service"}
    }
    while ready := [layer for layer, needs in open_layers.items() if not needs & set(open_layers)]:
        for layer in ready:
            del open_layers[layer]
    assert set(open_layers) <= {"__main__", "__init__"}


def plant(folder: Path, file: str, source: str) -> Path:
    package = folder / "genint"
    place = package / file
    place.parent.mkdir(parents=True)
    place.write_text(source)
    return package


@pytest.mark.parametrize(
    ("file", "source", "line"),
    [
        ("interpret/scoring.py", "import genint.sources.annotation\n", 1),
        ("interpret/scoring.py", "from genint import sources\n", 1),
        ("interpret/scoring.py", "from genint.sources import annotation as a\n", 1),
        ("interpret/scoring.py", "from .. import sources\n", 1),
        ("interpret/scoring.py", "from ..sources.annotation import observe\n", 1),
        ("interpret/deep/scoring.py", "from ...sources import annotation\n", 1),
        ("interpret/__init__.py", "from ..sources import annotation\n", 1),
        ("interpret/scoring.py", "def score():\n    from genint.sources import annotation\n", 2),
        (
            "interpret/scoring.py",
            "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import genint.sources\n",
            3,
        ),
        (
            "compute/processes.py",
            "import importlib\nimportlib.import_module('genint.formats')\n",
            2,
        ),
        ("compute/processes.py", "__import__('genint.formats')\n", 1),
        ("model/gene.py", "from genint.knowledge import roles\n", 1),
        ("model/gene.py", "import genint\n", 1),
        ("storage/jobs.py", "from genint.service import app\n", 1),
        ("settings.py", "from genint.model import genome\n", 1),
        ("errors.py", "from genint.version import __version__\n", 1),
        ("tools/anything.py", "", 1),
        ("report/build.py", "import sqlite3\n", 1),
        ("pipeline.py", "import os\n\nplace = os.environ.get('HOME')\n", 3),
        ("cache/profiles.py", "from os import getenv\n", 1),
    ],
)
def test_a_planted_violation_is_reported_with_file_and_line(tmp_path, file, source, line):
    found = violations(plant(tmp_path, file, source))
    assert [(one.file, one.line) for one in found] == [(file, line)]


@pytest.mark.parametrize("layer", ["model", "interpret"])
@pytest.mark.parametrize(
    "source",
    [
        *(
            f"import {name}\n"
            for name in "os time random asyncio pathlib socket subprocess".split()
        ),
        "from pathlib import Path\n",
        "import concurrent.futures\n",
        "def late():\n    import os.path\n",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from pathlib import Path\n",
        "import pyhmmer\n",
        "text = open('/etc/hostname')\n",
        "from datetime import datetime\nmoment = datetime.now()\n",
    ],
)
def test_impurity_in_a_pure_layer_is_reported(tmp_path, layer, source):
    (found,) = violations(plant(tmp_path, f"{layer}/gene.py", source))
    assert f"pure layer {layer}" in found.what
    assert found.line == source.count("\n")


@pytest.mark.parametrize(
    ("file", "source"),
    [
        ("interpret/scoring.py", "from genint.model.genome import Gene\nimport math\n"),
        ("interpret/scoring.py", "from . import explain\nfrom .explain import reasoning\n"),
        ("interpret/scoring.py", "from ..model import genome\nfrom ..errors import GenintError\n"),
        ("sources/domains.py", "import os\nimport pyhmmer\nfrom genint.knowledge import pack\n"),
        ("cache/answers.py", "import sqlite3\n"),
        ("settings.py", "import os\nhome = os.environ['HOME']\n"),
        ("cli/main.py", "from genint.pipeline import interpret_genome\nimport genint\n"),
    ],
)
def test_what_the_table_allows_is_not_reported(tmp_path, file, source):
    assert violations(plant(tmp_path, file, source)) == ()


@pytest.mark.parametrize(
    ("module", "kept_out"),
    [
        ("genint.service.app", ("numpy", "pyhmmer", "Bio")),
        ("genint.cli.main", ("numpy", "pyhmmer", "Bio", "pydantic", "aiohttp", "asyncio")),
        ("genint", ("asyncio", "pydantic", "click")),
    ],
)
def test_what_costs_much_to_load_is_not_loaded_by(module, kept_out):
    script = f"import sys, {module}; print([name for name in {kept_out!r} if name in sys.modules])"
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
