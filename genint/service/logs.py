"""The log of the service: one JSON object a line, on standard error."""

from __future__ import annotations

import logging
from typing import TextIO

from aiohttp.http import HttpProcessingError
from pythonjsonlogger.json import JsonFormatter


class _InOneLine(logging.Filter):
    """What others cause is one short line, without a traceback.

    A request that cannot be parsed is told without its bytes, and a database that is
    away without repeating the stack every few seconds.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        problem = record.exc_info[1] if record.exc_info else None
        if isinstance(problem, HttpProcessingError):
            _shorten(record, "a request could not be parsed")
        elif record.exc_info and record.name.startswith("asyncpg"):
            _shorten(record, record.getMessage())
        return True


def _shorten(record: logging.LogRecord, message: str) -> None:
    record.msg, record.args = message, ()
    record.exc_info, record.exc_text = None, None
    record.levelno, record.levelname = logging.WARNING, "WARNING"


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
