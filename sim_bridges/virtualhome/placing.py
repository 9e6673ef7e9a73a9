"""Move objects to other places before a story starts, by editing the graph that the simulator then rebuilds (``expand_scene``)."""

from __future__ import annotations

from household import classes
from household.classes import Kind
from sim_bridges.virtualhome.client import VirtualHomeClient
from sim_bridges.virtualhome.names import NameMap


def place(client: VirtualHomeClient, pairs: tuple[tuple[str, str], ...], seed: int) -> None:
    """``pairs``: (object, container or surface) entity ids of the scene without characters. Raises UnknownName, BridgeError."""
    graph = client.environment_graph()
    names = NameMap()
    names.learn(graph["nodes"])
    moved = {}
    for thing, target in pairs:
        relation = "INSIDE" if classes.get(names.cls(target)).kind is Kind.CONTAINER else "ON"
        moved[names.node(thing)] = (relation, names.node(target))
    rooms = {n["id"] for n in graph["nodes"] if n.get("category") == "Rooms"}
    room_of = {e["from_id"]: e["to_id"] for e in graph["edges"] if e["relation_type"] == "INSIDE" and e["to_id"] in rooms}
    edges = [e for e in graph["edges"] if e["from_id"] not in moved and e["to_id"] not in moved]
    for node, (relation, target) in moved.items():
        edges.append({"from_id": node, "to_id": target, "relation_type": relation})
        if target in room_of:
            edges.append({"from_id": node, "to_id": room_of[target], "relation_type": "INSIDE"})
    nodes = [{**n, "bounding_box": None, "obj_transform": None} if n["id"] in moved else n for n in graph["nodes"]]
    client.expand_scene({"nodes": nodes, "edges": edges}, seed)
