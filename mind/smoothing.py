"""Hindsight: what a person wanted and where they were headed at an earlier moment, given everything that they did afterwards.

The forward pass has left the operations it applied; running them backwards gives P(later acts | hidden state then). Exact, O(operations).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mind.filter import FilterState, Operation


def smooth(then: FilterState, later: Sequence[Operation]) -> FilterState:
    """The state at ``then`` in the light of ``later`` (oldest first): alpha · beta, normalised; the log evidence of everything."""
    beta = np.ones_like(then.alpha)
    log_scale = 0.0
    for operation in reversed(later):
        beta = operation.backward(beta)
        top = float(beta.max())
        beta = beta / top
        log_scale += float(np.log(top))
    alpha = then.alpha * beta
    total = float(alpha.sum())
    return FilterState(alpha / total, then.log_evidence + log_scale + float(np.log(total)))
