"""Whether an installation works, and what to do where it does not: ``genint selftest``."""

from genint.selftest.check import Check, CheckResult, Outcome, Places, run_checks
from genint.selftest.checks import all_checks, run_selftest

__all__ = [
    "Check",
    "CheckResult",
    "Outcome",
    "Places",
    "all_checks",
    "run_checks",
    "run_selftest",
]
