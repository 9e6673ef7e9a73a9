"""What a person could see, as one value whatever the way it was found out: the rule for described homes and the geometry of a scene graph.

Two models behind one interface (:class:`Percept`):

* :func:`by_rule`: everything in the same room that is not inside something closed (VirtualHome's observation function).
* :func:`by_geometry`: the scene graph's own ``sees`` and ``inspected``, worked out from head pose, field of view and line of sight.

Invariant: an object is only missed (ruled out at a site) where the site's contents could be seen; not seeing a site says nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from household.classes import Kind
from household.scene_graph import SceneGraph
from mind.layout import Layout


@dataclass(frozen=True)
class Percept:
    """``objects`` int (k,) seen at ``sites`` int (k,). ``inspected`` bool (n,): sites whose contents were in view. ``p``: noticed at all."""

    objects: np.ndarray
    sites: np.ndarray
    inspected: np.ndarray
    p: float = 1.0

    def absent(self, objects: int, at: np.ndarray) -> np.ndarray:
        """Bool (o, k): whether the object was not at site ``at[k]``, int (k,), all of them inspected."""
        out = np.ones((objects, len(at)), dtype=bool)
        column = np.full(len(self.inspected), -1)
        column[at] = np.arange(len(at))
        k = column[self.sites]
        out[self.objects[k >= 0], k[k >= 0]] = False
        return out


def by_rule(layout: Layout, room: int, closed: np.ndarray, at: Mapping[int, int], p: float = 1.0) -> Percept:
    """Everything in ``room`` (site index) that is not inside something closed. ``at``: object index → site index, the truth."""
    open_here = layout.in_room(room) & ~(layout.opens & closed)
    return looked_at(open_here, at, p)


def looked_at(inspected: np.ndarray, at: Mapping[int, int], p: float = 1.0) -> Percept:
    """The contents of these sites, bool (n,)."""
    seen = [(o, s) for o, s in at.items() if inspected[s]]
    return Percept(np.array([o for o, _ in seen], dtype=int), np.array([s for _, s in seen], dtype=int), inspected, p)


def by_geometry(graph: SceneGraph, viewer: str, objects: Mapping[str, int], where: Mapping[str, str], layout: Layout,
                p: float = 1.0) -> Percept | None:
    """What ``viewer`` sees in this graph; None when the graph does not say (not: sees nothing).

    ``objects``: object id → index; ``where``: object id → site id (place, holder or room) as the graph has it. In the order of the indices:
    that of a set of names is another in every process.
    """
    if viewer not in graph.sees and viewer not in graph.inspected:
        return None
    seen = sorted((objects[o], layout.index[where[o]]) for o in graph.sees.get(viewer, ())
                  if o in objects and where.get(o) in layout.index and not _in_an_unseen_hand(graph, o, where[o]))
    inspected = np.zeros(len(layout.ids), dtype=bool)
    inspected[[layout.index[s] for s in graph.inspected.get(viewer, ()) if s in layout.index]] = True
    return Percept(np.array([o for o, _ in seen], dtype=int), np.array([s for _, s in seen], dtype=int), inspected, p)


def _in_an_unseen_hand(graph: SceneGraph, thing: str, holder: str) -> bool:
    """Whether the robot only supposes that somebody still holds it: nobody is thought to see there what it does not see itself."""
    e, who = graph.entities.get(thing), graph.entities.get(holder)
    return e is not None and who is not None and who.kind is Kind.PERSON and not e.visible
