"""The log of the service: one JSON object a line, on standard error."""

from __future__ import annotations

import logging
from typing import TextIO

from aiohttp.http import HttpProcessingError
from pythonjsonlogger.json import JsonFormatter


class _WithoutRawRequests(logging.Filter):
    """A request that cannot be parsed is one short line, without its bytes."""

    def filter(self, record: logging.LogRecord) -> bool:
        problem = record.exc_info[1] if record.exc_info else None
        if isinstance(problem, HttpProcessingError):
            record.msg, record.args = "a request could not be parsed", ()
            record.exc_info, record.exc_text = None, None
            record.levelno, record.levelname = logging.WARNING, "WARNING"
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
    handler.addFilter(_WithoutRawRequests())
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    logging.getLogger("genint").setLevel(level)
