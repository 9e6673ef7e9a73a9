"""VirtualHome's class names and node ids ↔ the household's classes and entity ids.

Most class names are the household's own; the rest is the table below. A class that neither knows is counted in ``unknown`` and left out of the
scene graph: it is reported, never guessed. Invariant: an entity keeps its id for as long as its node exists.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from household import classes
from household.classes import Kind
from household.scene_graph import ROBOT
from sim_bridges.errors import UnknownName

# VirtualHome class → household class, where the names differ
RENAMED: Mapping[str, str] = {
    "character": "person", "cutleryknife": "knife", "chefknife": "knife", "cutleryfork": "fork", "breadslice": "bread", "bananas": "banana",
    "teddybear": "toy", "painkillers": "medicine", "notes": "notebook", "journal": "notebook", "closet": "wardrobe",
    "closetdrawer": "drawer", "kitchencounterdrawer": "drawer", "dresser": "drawer", "shelf": "bookshelf", "wallshelf": "bookshelf",
    "couch": "sofa", "loveseat": "sofa", "oven": "stove", "walltv": "tv", "television": "tv", "tablelamp": "lamp", "floorlamp": "lamp",
    "orchid": "plant", "bottlewine": "wine",
}
# parts of the building: not entities, and nothing to report
STRUCTURE = frozenset({"floor", "wall", "ceiling", "window", "doorjamb", "curtains", "rug", "powersocket", "ceilinglamp", "walllamp",
                       "lightswitch", "wallpictureframe", "ceilingfan", "stovefan", "terrain"})


def household_class(name: str) -> str | None:
    """The household's class for a VirtualHome class name, or None."""
    key = name.lower().replace("_", "").replace(" ", "")
    key = RENAMED.get(key, key)
    return key if key in classes.CLASSES else None


class NameMap:
    """Node id ↔ entity id. ``characters``: entity ids of the characters in the order they were added; node ids 1, 2, … are theirs."""

    def __init__(self, characters: Iterable[str] = ()):
        self.characters = tuple(characters)
        self.unknown: Counter[str] = Counter()
        self._entity: dict[int, str] = {}
        self._node: dict[str, int] = {}
        self._class: dict[int, str] = {}  # VirtualHome's own class names, needed in script lines
        self._count: Counter[str] = Counter()

    def learn(self, nodes: Iterable[Mapping]) -> None:
        """Give every node an id that has none yet, in the order of the node ids."""
        self.unknown.clear()
        for node in sorted(nodes, key=lambda n: int(n["id"])):
            id, name = int(node["id"]), str(node.get("class_name", ""))
            self._class[id] = name
            if id in self._entity:
                continue
            cls = household_class(name)
            if cls == "person":
                entity = self.characters[id - 1] if 1 <= id <= len(self.characters) else f"person_{id}"
            elif cls is None:
                if name.lower() not in STRUCTURE:
                    self.unknown[name] += 1
                continue
            else:
                self._count[cls] += 1
                first_room = classes.get(cls).kind is Kind.ROOM and self._count[cls] == 1
                entity = cls if first_room else f"{cls}_{self._count[cls]}"
            self._entity[id], self._node[entity] = entity, id

    def entity(self, node: int) -> str | None:
        return self._entity.get(node)

    def node(self, entity: str) -> int:
        """Raises UnknownName with near names."""
        if entity not in self._node:
            import difflib

            near = difflib.get_close_matches(entity, self._node, n=4) or sorted(self._node)[:8]
            raise UnknownName(f"'{entity}' is nothing in this VirtualHome scene; it has {', '.join(near)}, …")
        return self._node[entity]

    def reference(self, entity: str) -> str:
        """``<fridge> (72)``, as script lines want it."""
        node = self.node(entity)
        return f"<{self._class[node]}> ({node})"

    def character(self, entity: str) -> int:
        """Index of a character as in ``<char0>``. Raises UnknownName."""
        if entity not in self.characters:
            raise UnknownName(f"no character '{entity}'; characters: {', '.join(self.characters) or 'none'}")
        return self.characters.index(entity)

    def cls(self, entity: str) -> str:
        """Household class of an entity."""
        return "robot" if entity == ROBOT else "person" if entity in self.characters else household_class(self._class[self.node(entity)])

    def entities(self) -> Mapping[str, int]:
        """Entity id → node id."""
        return dict(self._node)
