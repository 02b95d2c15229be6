"""Whether an installation works, and what to do where it does not: ``genint selftest``.

Each check is a small class in a module of its own; :func:`run_selftest` runs them one
after another, and a check that fails does not stop the others.
"""

from genint.selftest.check import Check, CheckResult, Outcome, Places
from genint.selftest.run import all_checks, run_selftest

__all__ = ["Check", "CheckResult", "Outcome", "Places", "all_checks", "run_selftest"]
