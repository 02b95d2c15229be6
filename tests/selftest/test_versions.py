import pytest

from genint.selftest.check import CheckFailed
from genint.selftest.checks import versions


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


def test_versions_are_reported(places):
    found = versions(places)
    for name in ("genint ", "Python 3.", "pyhmmer ", "pyrodigal ", "pyopal "):
        assert name in found


def test_a_library_that_is_missing_or_too_old_is_named(places, distribution):
    name = distribution("numpy>=999.1", "no-such-library>=1", "click>=1", 'pip>=999; extra == "x"')
    with pytest.raises(CheckFailed) as failure:
        versions(places, distribution=name, modules=())
    found = str(failure.value)
    assert "genint needs 999.1 or newer" in found
    assert "no-such-library is not installed" in found
    assert "click" not in found
    assert "pip" not in found


def test_a_library_that_does_not_load_is_named(places, distribution, tmp_path):
    (tmp_path / "half_a_library.py").write_text("raise OSError('wrong architecture')\n")
    name = distribution()
    with pytest.raises(CheckFailed, match=r"^half_a_library does not load: wrong architecture$"):
        versions(places, distribution=name, modules=("half_a_library", "numpy"))


@pytest.mark.parametrize("least", ["1.0.0", "1", "0.9.9"])
def test_a_version_that_is_new_enough_is_accepted(places, distribution, least):
    name = distribution(f"odd-program>={least}")
    assert versions(places, distribution=name, modules=())


def test_a_missing_compiled_library_is_named(tmp_path, places):
    with pytest.raises(CheckFailed, match=r"_native\.so, which is compiled .* is missing"):
        versions(places, library=tmp_path / "_native.so")
    (tmp_path / "_native.so").write_bytes(b"damaged")
    with pytest.raises(CheckFailed, match="does not load"):
        versions(places, library=tmp_path / "_native.so")
