"""What the tests of sources share."""

from __future__ import annotations

import pytest

from genint.knowledge import load_families
from genint.sources.interpro import observe
from tests.sources.interpro_matches import answer, gene


@pytest.fixture(scope="session")
def pfam():
    """What Pfam families mean to the local search."""
    return load_families()


@pytest.fixture
def seen(pfam):
    """What InterPro's matches of one protein say."""

    def make(*matches, go=None, local=(), **more):
        return observe([gene()], {"g": answer(*matches, **more)}, go or {}, pfam, local)

    return make
