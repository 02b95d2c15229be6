import json
import pickle

import pytest

from genint.errors import FormatError
from genint.report import parse_result, render_json


def changed(result, **keys) -> bytes:
    """The result's JSON with other top-level values."""
    return json.dumps(json.loads(render_json(result)) | keys).encode()


def test_a_result_that_was_read_is_written_as_the_same_bytes(phix_result, nasty_result):
    for result in (phix_result, nasty_result):
        content = render_json(result).encode()
        assert render_json(parse_result(content)).encode() == content


def test_a_byte_order_mark_is_passed_over(phix_result):
    marked = b"\xef\xbb\xbf" + render_json(phix_result).encode()
    assert parse_result(marked) == phix_result
    with pytest.raises(FormatError, match=r"schema '2\.0'"):
        parse_result(b'\xef\xbb\xbf{"schema_version": "2.0"}')


@pytest.mark.parametrize("version", ["1.0", "1.7", "1.123"])
def test_every_schema_1_is_read(phix_result, version):
    assert parse_result(changed(phix_result, schema_version=version)).genes == phix_result.genes


def test_unknown_keys_are_ignored_at_every_depth(phix_result):
    newer = json.loads(render_json(phix_result))
    newer["added_later"] = {"deep": [1]}
    newer["genes"][0]["added_later"] = 1
    newer["genes"][0]["evidence"][0]["added_later"] = None
    assert parse_result(json.dumps(newer).encode()) == phix_result


@pytest.mark.parametrize("version", ["2.0", "0.9", "1", "1.x", "1.0.1", "11.0", "1.0\n", "1.٣"])
def test_another_schema_is_refused_by_its_name(phix_result, version):
    with pytest.raises(FormatError, match=r"is not 1\.x .*version of genint that wrote it"):
        parse_result(changed(phix_result, schema_version=version))


def test_a_newer_schema_is_named_even_where_nothing_else_fits():
    with pytest.raises(FormatError, match=r"schema '3\.0' of the result is not 1\.x"):
        parse_result(b'{"schema_version": "3.0", "all": "different"}')


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"\xff\xfe", b"null", b"[]", b"{}", b'"text"', b"[" * 100_000, b'{"a": \x00}'],
)
def test_what_is_no_result_is_one_clear_error(content):
    with pytest.raises(FormatError, match=r"lambda\.json.*: no ") as caught:
        parse_result(content, source="lambda.json")
    assert len(str(caught.value)) < 300


def test_a_broken_file_is_reported_with_its_line(phix_result):
    lines = render_json(phix_result).encode().splitlines(keepends=True)
    with pytest.raises(FormatError) as caught:
        parse_result(b"".join([*lines[:40], b"oops\n", *lines[41:]]))
    assert caught.value.line == 41


def test_a_wrong_value_is_reported_by_its_place_and_not_by_its_content(phix_result):
    broken = json.loads(render_json(phix_result))
    broken["genes"][3]["score"] = "SECRET" * 100
    with pytest.raises(FormatError, match=r"genes\.3\.score") as caught:
        parse_result(json.dumps(broken).encode())
    assert "SECRET" not in str(caught.value)
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)  # noqa: S301 - ours
