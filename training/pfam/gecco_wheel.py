"""Fetch the wheel whose Pfam profiles and InterPro table genint's knowledge is made of.

The ``gecco`` package (Carroll et al. 2021, doi:10.1101/2021.05.03.442509) carries
2,766 families of Pfam 35.0 (CC0) and a table of InterPro entries (CC0) with their
GO terms (CC BY 4.0). Only these data are taken from it, none of its code.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
import zipfile
from pathlib import Path

VERSION = "0.11.0"
WHEEL = f"gecco-{VERSION}-py3-none-any.whl"
SHA256 = "99e899172b7216cbeee80917f97de80f56f00de195b517707e80e20cb6d385eb"
PROFILES = "gecco/hmmer/Pfam.h3m"
INTERPRO = "gecco/interpro/interpro.json"


def unpack(work: Path, wheel: Path | None) -> Path:
    """Folder with the two files in it, fetched with pip if no wheel is given.

    Exits if the wheel is not the one that this release was made from.
    """
    work.mkdir(parents=True, exist_ok=True)
    if wheel is None:
        print(f"downloading {WHEEL} into {work}")
        command = (sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary", ":all:")
        subprocess.run([*command, "--dest", str(work), f"gecco=={VERSION}"], check=True)
        wheel = work / WHEEL
    found = hashlib.sha256(wheel.read_bytes()).hexdigest()
    if found != SHA256:
        sys.exit(f"{wheel.name} has SHA-256 {found}, expected {SHA256}")
    print(f"{wheel.name}: SHA-256 is as expected")
    with zipfile.ZipFile(wheel) as archive:
        for member in (PROFILES, INTERPRO):
            archive.extract(member, work)
    return work
