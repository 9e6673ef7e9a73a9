"""The few groups that the segmenting network tells apart pixel by pixel; which class a thing is, is decided afterwards.

What lies on or in another thing is in another group than that thing, as far as homes allow, so that touching instances seldom share a group.
Invariant: every class that can be detected is in exactly one group (tested).
"""

from __future__ import annotations

from household import classes
from household.classes import Kind

GROUPS = ("background", "furniture", "thing", "person", "door")
_SET_ON_FURNITURE = frozenset({"microwave", "box", "basket", "tv", "faucet", "sink", "coffeemaker"})
_OF_KIND = {Kind.CONTAINER: "furniture", Kind.SURFACE: "furniture", Kind.DEVICE: "furniture", Kind.OBSTACLE: "furniture", Kind.OBJECT: "thing",
            Kind.PERSON: "person", Kind.DOOR: "door"}


def group_of(class_id: str) -> int:
    """Index into ``GROUPS``; 0 for "background". Raises KeyError for what no detector looks for (rooms, the robot)."""
    if class_id == GROUPS[0]:
        return 0
    return GROUPS.index("thing" if class_id in _SET_ON_FURNITURE else _OF_KIND[classes.get(class_id).kind])
