"""The log of the service: one JSON object a line, on standard error."""

from __future__ import annotations

import logging
from typing import TextIO

from pythonjsonlogger.json import JsonFormatter


class _InOneLine(logging.Filter):
    """A database that is away is one line each time, without a traceback."""

    def filter(self, record: logging.LogRecord) -> bool:
        if record.exc_info and record.name.startswith("asyncpg"):
            record.msg, record.args = record.getMessage(), ()
            record.exc_info, record.exc_text = None, None
        return True


def write_logs_to(stream: TextIO, *, level: int = logging.INFO) -> None:
    """Set up logging of the whole process; called once, by the command line."""
    handler = logging.StreamHandler(stream)
    handler.setFormatter(
        JsonFormatter(
            ["levelname", "name", "message"],
            timestamp="time",
            rename_fields={"levelname": "level", "name": "logger"},
        )
    )
    handler.addFilter(_InOneLine())
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    logging.getLogger("genint").setLevel(level)
