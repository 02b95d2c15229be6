"""Cutting work into pieces of about equal size."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, groupby


def balanced_chunks(lengths: Sequence[int], target: int) -> tuple[range, ...]:
    """Split consecutive proteins into chunks of about equal residues.

    Args:
        lengths: Residues of each protein, >= 0.
        target: Residues that a chunk should have, >= 1.

    Returns:
        Ranges of indices, none empty, that together are ``range(len(lengths))`` in
        order. No chunk holds more than ``target`` plus its longest protein. The
        same for the same input, so it does not depend on the number of workers.

    Raises:
        ValueError: ``target`` is below 1.

    Cost: O(len(lengths)).
    """
    if target < 1:
        raise ValueError(f"a chunk needs at least one residue, not {target}")
    total = sum(lengths)
    chunks = max(1, -(-total // target))

    def chunk_of(index: int) -> int:
        """The chunk in whose stretch of residues the middle of this protein lies."""
        middle_doubled = 2 * ends[index] - lengths[index]
        at = middle_doubled * chunks // (2 * total) if total else 0
        return min(at, chunks - 1)  # an empty protein at the very end has its middle there

    ends = tuple(accumulate(lengths))
    groups = (tuple(group) for _, group in groupby(range(len(lengths)), chunk_of))
    return tuple(range(group[0], group[-1] + 1) for group in groups)
