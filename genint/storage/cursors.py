"""Cursors: where a list of jobs, of their genes, or of API keys goes on."""

from __future__ import annotations

import base64
import binascii
from typing import NamedTuple, Self

from genint.errors import InvalidRequest, InvalidValue

LATEST_US = 2**63 - 1
"""After every time that a database holds."""


class Cursor(NamedTuple):
    """Where a list of jobs, of their genes, or of API keys goes on: after this entry.

    Attributes:
        before_us: When the job (that of the gene) or key was made.
        before_id: Its id.
        after_position: Position of the gene, 0 in other lists.
    """

    before_us: int = LATEST_US
    before_id: str = ""
    after_position: int = 0

    def __str__(self) -> str:
        text = f"{self.before_us}/{self.after_position}/{self.before_id}"
        return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")

    @classmethod
    def parse(cls, text: str | None) -> Self:
        """The cursor of a text that ``str`` made; the begin of the list from None.

        Raises:
            InvalidRequest: the text is something else.
        """
        if text is None:
            return cls()
        try:
            padded = text.encode("ascii") + b"=" * (-len(text) % 4)
            parts = base64.b64decode(padded, altchars=b"-_", validate=True).decode("ascii")
            before, position, before_id = parts.split("/")
            cursor = cls(int(before), before_id, int(position))
        except (ValueError, binascii.Error):
            cursor = None
        if cursor is None or str(cursor) != text or not cursor._is_in_range():
            raise InvalidRequest(
                InvalidValue(("query", "cursor"), "is not a cursor of this list", "cursor")
            )
        return cursor

    def _is_in_range(self) -> bool:
        return 0 <= self.before_us <= LATEST_US and 0 <= self.after_position <= LATEST_US
