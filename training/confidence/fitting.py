"""Logistic regression with signs: log-odds of addends from examples that were held out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from training.confidence.examples import Example

Floats = NDArray[np.float64]
_AGAINST = ("differing",)
_FREE = ("prior.", "leads.", "wider")
"""Addends that may have any sign: a weak class is worse than the average one."""
_ITERATIONS = 2_000
_MOST_PER_GROUP = 1_000.0
"""Genes that a group counts as at most: one bacterium must not outvote all others."""


@dataclass(frozen=True, slots=True)
class Fitted:
    """Log-odds of addends by name."""

    weights: Mapping[str, float]

    def log_odds(self, terms: Mapping[str, float]) -> float:
        """Sum for a hypothesis; an addend that was never seen adds nothing."""
        return sum(number * self.weights.get(name, 0.0) for name, number in terms.items())


def fit(examples: Sequence[Example], *, ridge: float, centre: Fitted | None = None) -> Fitted:
    """Fit the log-odds of all addends together.

    Args:
        examples: Hypotheses that were judged.
        ridge: How strongly weights are drawn to those of ``centre``, or to 0.
        centre: Of a fit on more examples.

    Source: Hosmer & Lemeshow, Applied logistic regression (ridge: le Cessie & van
    Houwelingen 1992, doi:10.2307/2347628).
    """
    told = [one for one in examples if one.judged is not None]
    names = sorted({name for one in told for name in one.terms})
    matrix = np.array([[one.terms.get(name, 0.0) for name in names] for one in told])
    true = np.array([bool(one.judged and one.judged.true) for one in told], dtype=np.float64)
    start = np.array([centre.weights.get(name, 0.0) if centre else 0.0 for name in names])
    penalty = np.array([0.0 if name.startswith("prior.") else ridge for name in names])
    if centre:
        penalty = np.full(len(names), ridge)
    shares = _shares(told)
    bounds = [_bounds(name) for name in names]

    def loss(weights: Floats) -> tuple[float, Floats]:
        total = matrix @ weights
        away = weights - start
        value = shares @ (np.logaddexp(0.0, total) - true * total) + penalty @ away**2
        slope = matrix.T @ (shares * (1.0 / (1.0 + np.exp(-total)) - true)) + 2 * penalty * away
        return float(value), slope

    found = minimize(
        loss, start, jac=True, method="L-BFGS-B", bounds=bounds, options={"maxiter": 2_000}
    )
    return Fitted(dict(zip(names, (float(weight) for weight in found.x), strict=True)))


def _bounds(name: str) -> tuple[float | None, float | None]:
    if name in _AGAINST:
        return (None, 0.0)
    return (None, None) if name.startswith(_FREE) else (0.0, None)


def _shares(examples: Sequence[Example]) -> Floats:
    """Weight of each example: no group counts for more than so many genes."""
    genes: dict[str, set[tuple[str, str]]] = {}
    for one in examples:
        genes.setdefault(one.group, set()).add((one.genome, one.gene))
    share = {group: min(1.0, _MOST_PER_GROUP / len(found)) for group, found in genes.items()}
    return np.array([share[one.group] for one in examples])
