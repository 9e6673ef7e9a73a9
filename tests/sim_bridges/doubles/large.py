"""An environment graph as large as a real apartment's (some 340 nodes, 5,000 edges, nearly all of them "close"), grown from the double's small one."""

from __future__ import annotations

import copy

import numpy as np

_GROWS = ("Furniture", "Props")


def grown(raw: dict, copies: int = 30, edges: int = 5000, seed: int = 0) -> dict:
    """``raw``: an environment graph. Its furniture and things ``copies`` times, with their edges, and "close" edges up to ``edges`` in all."""
    rng = np.random.default_rng(seed)
    more = [n for n in raw["nodes"] if n["category"] in _GROWS]
    own = {n["id"] for n in more}
    out = copy.deepcopy(raw)
    for k in range(1, copies):
        out["nodes"] += [{**copy.deepcopy(n), "id": n["id"] + 1000 * k} for n in more]
        out["edges"] += [{**e, "from_id": e["from_id"] + 1000 * k, "to_id": e["to_id"] + 1000 * k * (e["to_id"] in own)}
                         for e in raw["edges"] if e["from_id"] in own]
    ids = [n["id"] for n in out["nodes"]]
    pairs = rng.choice(ids, (max(0, edges - len(out["edges"])), 2)).tolist()
    out["edges"] += [{"from_id": a, "to_id": b, "relation_type": "CLOSE"} for a, b in pairs]
    return out
