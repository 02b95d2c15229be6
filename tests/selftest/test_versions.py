import pytest

from genint.selftest import Outcome
from genint.selftest.installation import Versions


@pytest.fixture
def distribution(tmp_path, monkeypatch):
    """Installs a program with requirements, and modules that break."""
    monkeypatch.syspath_prepend(tmp_path)

    def install(*requirements: str) -> str:
        folder = tmp_path / "odd_program-1.dist-info"
        folder.mkdir()
        lines = [f"Requires-Dist: {requirement}" for requirement in requirements]
        head = ["Metadata-Version: 2.1", "Name: odd-program", "Version: 1"]
        (folder / "METADATA").write_text("\n".join([*head, *lines, ""]))
        return "odd-program"

    return install


async def test_versions_are_told(places, near):
    found = await Versions().run(places, near)
    assert found.outcome is Outcome.OK
    for name in ("genint ", "Python 3.", "pyhmmer ", "pyrodigal ", "pyopal "):
        assert name in found.said


async def test_a_library_that_is_missing_or_too_old_is_named(places, near, distribution):
    name = distribution("numpy>=999.1", "no-such-library>=1", "click>=1", 'pip>=999; extra == "x"')
    found = await Versions(name, ()).run(places, near)
    assert found.outcome is Outcome.FAILED
    assert "genint needs 999.1 or newer" in found.said
    assert "no-such-library is not installed" in found.said
    assert "click" not in found.said
    assert "pip" not in found.said


async def test_a_library_that_does_not_load_is_named(places, near, distribution, tmp_path):
    (tmp_path / "half_a_library.py").write_text("raise OSError('wrong architecture')\n")
    found = await Versions(distribution(), ("half_a_library", "numpy")).run(places, near)
    assert found.outcome is Outcome.FAILED
    assert found.said == "half_a_library does not load: wrong architecture"


@pytest.mark.parametrize("least", ["1.0.0", "1", "0.9.9"])
async def test_a_version_that_is_new_enough_is_accepted(places, near, distribution, least):
    name = distribution(f"odd-program>={least}")
    assert (await Versions(name, ()).run(places, near)).outcome is Outcome.OK
