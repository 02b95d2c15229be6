"""What an installation asks for before it downloads anything."""

from __future__ import annotations

import shutil
from types import SimpleNamespace

import pytest

from genint.databases.installation import Installation
from genint.databases.recipes import RECIPES
from genint.errors import InstallError


@pytest.mark.parametrize(
    ("free", "download", "told"),
    [
        (1_900_000, 400_000, "2.2 MB are needed in .*, 1.9 MB are free"),
        (90_000_000, 30_000_000, "99.0 MB are needed in .*, 90.0 MB are free"),
        (1_100_000_000, 400_000_000, "1.25 GB are needed in .*, 1.10 GB are free"),
    ],
)
def test_the_room_that_is_asked_for_is_in_proportion(tmp_path, monkeypatch, free, download, told):
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=free))
    job = Installation(RECIPES["cog"], tmp_path, (), False, lambda _: None, lambda _: None)
    with pytest.raises(InstallError, match=told):
        job.require_space(download, download)
    job.require_space(0, free // 8)
