"""Made-up releases of Pfam and Swiss-Prot, as they are published."""

from __future__ import annotations

import hashlib

from genint.databases.recipes import RECIPES, Recipe
from tests.databases.faulty_server import content_of

PFAM = RECIPES["pfam"]


def md5_of(content: bytes) -> str:
    return hashlib.md5(content, usedforsecurity=False).hexdigest()


def path_of(recipe: Recipe, name: str) -> str:
    beside = [file for file in (recipe.checksums, recipe.release_file) if file is not None]
    (file,) = [each for each in (*recipe.files, *beside) if each.name == name]
    return f"/{file.places[0]}"


def pfam_release(number: str, seed: int) -> dict[str, bytes]:
    """What a release folder of Pfam has, by path."""
    contents = {f.name: content_of(20_000 + each, seed) for each, f in enumerate(PFAM.files)}
    listed = "".join(f"{md5_of(content)}  {name}\n" for name, content in contents.items())
    contents |= {
        "md5_checksums": listed.encode(),
        "relnotes.txt": f"RELEASE {number}\nMay 2026\n".encode(),
    }
    return {path_of(PFAM, name): content for name, content in contents.items()}


def metalink(release: str, contents: dict[str, bytes]) -> bytes:
    files = "".join(
        f'<file name="{name}"><size>{len(content)}</size><verification>'
        f'<hash type="md5">{md5_of(content)}</hash></verification></file>'
        for name, content in contents.items()
    )
    return (
        '<metalink version="3.0" xmlns="http://www.metalinker.org/">'
        f"<version>{release}</version><files>{files}</files></metalink>"
    ).encode()
