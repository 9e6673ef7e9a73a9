"""The stack fed without pixels: what the robot would know of a simulator's own graph, for ``perception:=symbolic``.

For worlds whose pictures no detector can read yet, and for fast trials. It is the simulator's knowledge cut down to the robot's point of
view; nothing that claims to see reads it.
"""

from __future__ import annotations

from collections.abc import Callable

from household.actions import HumanAction
from household.scene_graph import SceneGraph
from sim_bridges.contract import Simulator

Feed = Callable[[], tuple[SceneGraph, tuple[HumanAction, ...]]]


def symbolic_feed(world: Simulator) -> Feed:
    """Call it after each advance: the robot's graph now, and the actions it has seen since. Raises what the world raises."""
    inner = getattr(world, "world", None)
    if hasattr(inner, "sight_map"):
        from sim_bridges.embedded.observe import SymbolicObserver

        observer = SymbolicObserver(inner.home)

        def embedded() -> tuple[SceneGraph, tuple[HumanAction, ...]]:
            graph, events = observer.observe(inner)
            return graph, tuple(events)

        return embedded
    from sim_bridges.symbolic import ViewState, view

    state = ViewState()

    def external() -> tuple[SceneGraph, tuple[HumanAction, ...]]:
        nonlocal state
        state, graph, events = view(state, world.scene())
        return graph, events

    return external
