"""Mind-Reward: how well a sequence of atomic actions over six layers agrees with a gold sequence.

MindPower (supplement C, D.1) rewards agreement of the extracted atomic actions with the annotated ones by three measures weighted
α₁ = 0.2, α₂ = 0.3, α₃ = 0.5. Our reading, since the supplement does not print the formulas: F1 of unigrams, F1 of bigrams, and
F1 of the longest common subsequence, over whole atomic actions as tokens (multisets, exact match after normalisation).
Invariant: 1.0 exactly when the sequences are equal and not empty; 0.0 when they share nothing; symmetric.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

WEIGHTS = (0.2, 0.3, 0.5)  # unigram, bigram, longest common subsequence


def normalised(token: str) -> str:
    """Spaces and case do not matter (the paper's exact-match policy asks for one spelling)."""
    return "".join(token.lower().split())


def mind_reward(answer: Sequence[str], gold: Sequence[str]) -> float:
    """In [0, 1]. A sequence too short for bigrams is scored on the other two measures, their weights scaled up."""
    a, g = [normalised(t) for t in answer], [normalised(t) for t in gold]
    if not a or not g:
        return 1.0 if a == g else 0.0
    parts = [(WEIGHTS[0], _f1(_overlap(a, g), len(a), len(g))), (WEIGHTS[2], _f1(longest_common(a, g), len(a), len(g)))]
    if len(a) > 1 or len(g) > 1:
        pa, pg = list(zip(a, a[1:])), list(zip(g, g[1:]))
        parts.append((WEIGHTS[1], _f1(_overlap(pa, pg), len(pa), len(pg))))
    return sum(w * s for w, s in parts) / sum(w for w, _ in parts)


def _overlap(a: Sequence, g: Sequence) -> int:
    return sum((Counter(a) & Counter(g)).values())


def _f1(common: int, a: int, g: int) -> float:
    return 0.0 if a + g == 0 else 2.0 * common / (a + g)


def longest_common(a: Sequence[str], g: Sequence[str]) -> int:
    """Length of the longest common subsequence."""
    row = [0] * (len(g) + 1)
    for x in a:
        previous = 0
        for j, y in enumerate(g, 1):
            previous, row[j] = row[j], previous + 1 if x == y else max(row[j], row[j - 1])
    return row[-1]
