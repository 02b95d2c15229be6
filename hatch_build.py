"""Compile genint's inner loops for the wheel, with whatever C compiler there is.

Where there is none the build asks for the package ``ziglang``, which brings one: an installation
needs nothing but the package registry.
"""

from __future__ import annotations

import importlib.util
import os
import platform
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

COMPILER_PACKAGE = "ziglang>=0.13"
FOLDER = Path("genint", "native")
SOURCES = ("prefilter.c", "similarity.c", "start_table.c", "subnormals.c")
LIBRARY = "_native" + {"win32": ".dll", "darwin": ".dylib"}.get(sys.platform, ".so")

FLAGS = (
    *("-std=c11", "-O3", "-Wall", "-Wextra", "-shared", "-fPIC", "-fvisibility=hidden"),
    "-ffp-contract=off",  # fractions are rounded alike on every machine
)
X86_FLAGS = ("-mssse3", "-mpopcnt")
"""Every x86 processor since 2008 has both."""


def compiler() -> list[str] | None:
    """The command of a C compiler that works; None where there is none."""
    wanted = os.environ.get("CC", "").split()
    candidates = [wanted] if wanted else [["cc"], ["gcc"], ["clang"]]
    if importlib.util.find_spec("ziglang"):
        candidates.append([sys.executable, "-m", "ziglang", "cc"])
    return next((command for command in candidates if _works(command)), None)


def _works(command: list[str]) -> bool:
    """Whether a command compiles: some systems have one that only says what to install."""
    if not shutil.which(command[0]):
        return False
    with tempfile.TemporaryDirectory() as folder:
        source, made = Path(folder, "small.c"), Path(folder, "small.so")
        source.write_text("#include <stdlib.h>\nint small(void) { return abs(-1); }\n")
        tried = [*command, "-shared", "-fPIC", str(source), "-o", str(made)]
        return (
            subprocess.run(tried, capture_output=True, check=False).returncode == 0
            and made.exists()
        )


def compile_library(root: Path) -> Path:
    """Compile into the source tree; where the library is, below ``root``."""
    command = compiler()
    if command is None:
        raise RuntimeError(
            "genint needs a C compiler that works to be built (CC names another than cc): "
            f"install one, or `pip install '{COMPILER_PACKAGE}'`"
        )
    machine = X86_FLAGS if platform.machine().lower() in {"x86_64", "amd64"} else ()
    made = root / FOLDER / f"{LIBRARY}.{os.getpid()}"
    sources = [str(root / FOLDER / source) for source in SOURCES]
    try:
        subprocess.run([*command, *FLAGS, *machine, *sources, "-o", str(made)], check=True)
        made.replace(root / FOLDER / LIBRARY)  # whoever runs meanwhile keeps the library it has
    finally:
        made.unlink(missing_ok=True)
    return FOLDER / LIBRARY


class CustomBuildHook(BuildHookInterface[Any]):
    """Called for wheels, also for the one of an editable installation."""

    def dependencies(self) -> list[str]:
        """What the build needs besides its own tools."""
        return [] if compiler() else [COMPILER_PACKAGE]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile, and name the platform in the wheel's tag."""
        del version
        if self.target_name != "wheel":
            return
        library = compile_library(Path(self.root))
        build_data["artifacts"].append(f"/{library.as_posix()}")
        build_data["pure_python"] = False
        system = sysconfig.get_platform().replace("-", "_").replace(".", "_")
        # No part of Python is compiled against: one wheel serves every version.
        build_data["tag"] = f"py3-none-{system}"
