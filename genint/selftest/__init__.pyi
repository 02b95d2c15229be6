from .check import Check as Check
from .check import CheckResult as CheckResult
from .check import Outcome as Outcome
from .check import Places as Places
from .check import run_checks as run_checks
from .checks import all_checks as all_checks
from .checks import run_selftest as run_selftest
