from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from genint.databases.checksums import (
    PublishedFile,
    Release,
    read_md5_list,
    read_metalink,
    read_pfam_notes,
    read_uniprot_dates,
)
from genint.errors import InstallError

A, B = "0123456789abcdef" * 2, "fedcba9876543210" * 2

METALINK = f"""<?xml version="1.0" encoding="utf-8"?>
<metalink version="3.0" xmlns="http://www.metalinker.org/" type="dynamic">
  <publisher><name>UniProt</name><url>https://www.uniprot.org/</url></publisher>
  <version>2026_03</version>
  <files>
    <file name="one.dat.gz">
      <version>1</version>
      <size>230512345</size>
      <verification>
        <hash type="sha1">{"0" * 40}</hash>
        <hash type="MD5"> {A.upper()} </hash>
      </verification>
      <resources maxconnections="1">
        <url type="https" preference="100">https://ftp.example.org/one.dat.gz</url>
      </resources>
    </file>
    <file name="two.dat.gz"/>
  </files>
</metalink>
"""


@pytest.mark.parametrize(
    "line",
    [
        f"{A}  one.gz",
        f"{A} *one.gz",
        f"{A.upper()}\tone.gz\r",
        f"{A}  ./one.gz",
        f"{A}  data/one.gz",
        f"MD5 (one.gz) = {A}",
        f"MD5(one.gz)= {A}",
    ],
)
def test_checksum_lists_of_all_sorts_are_read(line):
    text = f"# made today\n\n{line}\n{B}  other.gz\n"
    assert read_md5_list(text.encode(), "list")["one.gz"] == PublishedFile(None, A)


def test_a_name_that_stands_for_two_files_is_known_by_its_whole_path_only():
    files = read_md5_list(f"{A}  new/one.gz\n{B}  old/one.gz\n".encode(), "list")
    assert set(files) == {"new/one.gz", "old/one.gz"}


def test_a_file_beside_the_list_goes_before_one_in_a_folder():
    files = read_md5_list(f"{B}  old/one.gz\n{A}  one.gz\n".encode(), "list")
    assert files["one.gz"].md5 == A


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "no line of a checksum"),
        (b"<html><body>no</body></html>", "no line of a checksum"),
        (b"\x00\xff\xfe" * 9, "no line of a checksum"),
        (A[:-1].encode() + b"  one.gz", "no line of a checksum"),
        (f"{A}  one.gz\n{B}  one.gz".encode(), "one.gz has two checksums"),
        (b"".join(b"%032x  f%d\n" % (n, n) for n in range(10_001)), "more than 10,000 files"),
    ],
)
def test_a_list_that_cannot_be_used_is_refused_in_one_line(content, reason):
    with pytest.raises(InstallError, match=reason) as caught:
        read_md5_list(content, "h.example/md5_checksums")
    assert str(caught.value).startswith("h.example/md5_checksums cannot be used: ")
    assert "\n" not in str(caught.value)


def test_a_metalink_has_the_release_sizes_and_checksums():
    release, files = read_metalink(METALINK.encode(), "link")
    assert release == "2026_03"
    assert files == {
        "one.dat.gz": PublishedFile(230512345, A),
        "two.dat.gz": PublishedFile(None, None),
    }


BOMB = """<?xml version="1.0"?><!DOCTYPE metalink [<!ENTITY a "aaaaaaaaaa">
<!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>"""


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ('<?xml version="1.0" encoding="utf-8"?>', BOMB, "document type"),
        (
            '<?xml version="1.0" encoding="utf-8"?>',
            '<!DOCTYPE metalink SYSTEM "file:///etc/passwd">',
            "document type",
        ),
        ("</files>", "", "not well-formed XML"),
        ("2026_03", "&b;", "not well-formed XML"),
        ("2026_03", "next week", "'next week' is not a release"),
        ("2026_03", "9" * 5000, "is not a release"),
        ("230512345", "-5", "'-5' is not the size of one.dat.gz"),
        ("230512345", "9" * 40, "is not the size"),
        (A.upper(), "x", "'x' is not the MD5 of one.dat.gz"),
        ('name="two.dat.gz"', 'name="one.dat.gz"', "appears in it twice"),
        ('name="two.dat.gz"', "", "has no name"),
        ('name="two.dat.gz"', f'name="{"x" * 401}"', "has no name, or one that is too long"),
        ('encoding="utf-8"', 'encoding="klingon"', r"not well-formed|encoding is not known"),
        ("<files>", "<files>" + "<x>" * 30, "nested more than 20 deep"),
        ("<file name", "<fil name", "not well-formed"),
    ],
)
def test_a_metalink_that_cannot_be_used_is_refused_in_one_line(old, new, reason):
    content = METALINK.replace(old, new, 1)
    assert content != METALINK
    with pytest.raises(InstallError, match=reason) as caught:
        read_metalink(content.encode(), "link")
    assert "\n" not in str(caught.value)


def test_a_metalink_without_files_is_refused():
    with pytest.raises(InstallError, match="names no file"):
        read_metalink(b"<metalink><version>2026_03</version></metalink>", "link")


def test_a_long_list_of_files_is_refused():
    files = "".join(f'<file name="f{n}"/>' for n in range(10_001))
    with pytest.raises(InstallError, match="more than 10,000 files"):
        read_metalink(f"<metalink><files>{files}</files></metalink>".encode(), "link")


@pytest.mark.parametrize(
    ("text", "release"),
    [
        ("\n\t\tRELEASE 38.0\n\t\t------------\n\t\tSeptember 2025\n", Release("38.0", "2025-09")),
        ("Pfam 38.0, 12 September 2025\n", Release("38.0", "2025-09-12")),
        ("Pfam release       : 37.4\nDate : 2025-03\n", Release("37.4", "2025-03")),
        ("Pfam: families\n\nRelease 36.0\n", Release("36.0", None)),
        ("RELEASE 38.0\n1\n2\n3\nThe first one was made in May 1997\n", Release("38.0", None)),
    ],
)
def test_the_release_of_pfam_is_read_from_its_notes(text, release):
    assert read_pfam_notes(text.encode(), "notes") == release


@pytest.mark.parametrize("text", ["", "<html>404</html>", "Pfam is a database of families"])
def test_notes_without_a_release_are_refused(text):
    with pytest.raises(InstallError, match="does not name a release of Pfam"):
        read_pfam_notes(text.encode(), "notes")


@pytest.mark.parametrize(
    ("date", "iso"),
    [("14-Oct-2026", "2026-10-14"), ("02-Sept-2026", "2026-09-02"), ("some day", None)],
)
def test_the_release_of_swissprot_is_read_with_its_date(date, iso):
    text = (
        "UniProt Knowledgebase Release 2026_05 consists of:\n"
        f"UniProtKB/Swiss-Prot Release 2026_05 of {date}\n"
        "UniProtKB/TrEMBL Release 2026_05 of 01-Jan-1999\n"
    )
    assert read_uniprot_dates(text.encode(), "reldate.txt") == Release("2026_05", iso)


def test_dates_without_swissprot_are_refused():
    with pytest.raises(InstallError, match="does not name a release of Swiss-Prot"):
        read_uniprot_dates(b"UniProtKB/TrEMBL Release 2026_05 of 14-Oct-2026", "reldate.txt")


@given(
    st.one_of(
        st.binary(max_size=300),
        st.builds(
            lambda start, length, put: (
                METALINK.encode()[:start] + put + METALINK.encode()[start + length :]
            ),
            st.integers(0, len(METALINK)),
            st.integers(0, 60),
            st.binary(max_size=20),
        ),
    )
)
def test_nothing_that_is_published_makes_reading_fail_otherwise(content):
    for read in (read_md5_list, read_metalink, read_pfam_notes, read_uniprot_dates):
        try:
            read(content, "here")
        except InstallError as error:
            told = str(error)
            if not re.fullmatch(r"here cannot be used: [^\n\r\x00]+", told):
                pytest.fail(told)
