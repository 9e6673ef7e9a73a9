"""The scene graph as RViz markers: a box and a name for everything, an arrow for where people look, links for who holds what.

Invariant: an entity keeps its marker ids, and a marker that is not renewed goes away by itself.
"""

from __future__ import annotations

import math
import zlib

from geometry_msgs.msg import Point
from std_msgs.msg import ColorRGBA
from visualization_msgs.msg import Marker, MarkerArray

from household import classes
from household.classes import Kind
from household.ros import stamped
from household.scene_graph import Entity, RelationKind, SceneGraph

NAMESPACE = "scene"
_COLORS: dict[Kind, tuple[float, float, float]] = {
    Kind.OBJECT: (0.95, 0.65, 0.10), Kind.CONTAINER: (0.30, 0.55, 0.85), Kind.SURFACE: (0.45, 0.75, 0.60), Kind.DEVICE: (0.60, 0.60, 0.75),
    Kind.PERSON: (0.85, 0.25, 0.25), Kind.ROBOT: (0.35, 0.35, 0.35), Kind.OBSTACLE: (0.65, 0.45, 0.35), Kind.DOOR: (0.70, 0.65, 0.55)}
_SEEN, _REMEMBERED = 0.55, 0.18  # opacity
_GAZE_M, _EYES = 0.8, 0.93  # length of the arrow; share of a person's height


def markers(graph: SceneGraph) -> MarkerArray:
    """Rooms are left out; what is only remembered is pale. Frame: ``map``."""
    array = MarkerArray()
    for entity in graph.entities.values():
        if entity.kind is not Kind.ROOM:
            number = 4 * (zlib.crc32(entity.id.encode()) >> 4)
            array.markers += [_box(entity, number), _name(entity, number + 1)]
            if entity.kind is Kind.PERSON:
                array.markers.append(_gaze(entity, number + 2))
    array.markers.append(_holds(graph, 0))
    return stamped(array, graph.stamp)


def _center(e: Entity) -> tuple[float, float, float]:
    """People's positions lie on the floor; everything else's in the middle."""
    x, y, z = e.position
    return (x, y, z + e.extents[2] / 2) if e.kind in (Kind.PERSON, Kind.ROBOT) else (x, y, z)


def _marker(e: Entity, number: int, kind: int) -> Marker:
    marker = Marker(ns=NAMESPACE, id=number, type=kind, action=Marker.ADD)
    red, green, blue = _COLORS.get(e.kind, (0.6, 0.6, 0.6))
    marker.color = ColorRGBA(r=red, g=green, b=blue, a=_SEEN if e.visible else _REMEMBERED)
    p = marker.pose.position
    p.x, p.y, p.z = map(float, _center(e))
    marker.pose.orientation.w = 1.0
    return marker


def _box(e: Entity, number: int) -> Marker:
    marker = _marker(e, number, Marker.CUBE)
    marker.pose.orientation.z, marker.pose.orientation.w = math.sin(e.yaw / 2), math.cos(e.yaw / 2)
    marker.scale.x, marker.scale.y, marker.scale.z = (max(0.01, float(v)) for v in e.extents)
    return marker


def _name(e: Entity, number: int) -> Marker:
    marker = _marker(e, number, Marker.TEXT_VIEW_FACING)
    marker.pose.position.z += e.extents[2] / 2 + 0.08
    marker.scale.z = 0.14 if e.kind in (Kind.PERSON, Kind.ROBOT) else 0.09
    marker.color = ColorRGBA(r=0.1, g=0.1, b=0.1, a=0.9 if e.visible else 0.4)
    state = f" ({e.openness.value})" if e.openness.value in ("open", "closed") else ""
    marker.text = (e.id.capitalize() if e.kind is Kind.PERSON else classes.get(e.cls).spoken) + state
    return marker


def _gaze(e: Entity, number: int) -> Marker:
    marker = _marker(e, number, Marker.ARROW)
    marker.pose.position.z = e.position[2] + _EYES * e.extents[2]
    yaw = e.yaw if e.gaze_yaw is None else e.gaze_yaw
    marker.pose.orientation.z, marker.pose.orientation.w = math.sin(yaw / 2), math.cos(yaw / 2)
    marker.scale.x, marker.scale.y, marker.scale.z = _GAZE_M, 0.05, 0.05
    return marker


def _holds(graph: SceneGraph, number: int) -> Marker:
    marker = Marker(ns=NAMESPACE, id=number, type=Marker.LINE_LIST, action=Marker.ADD, color=ColorRGBA(r=0.95, g=0.65, b=0.1, a=0.9))
    marker.pose.orientation.w, marker.scale.x = 1.0, 0.02
    for r in sorted(graph.relations, key=lambda r: (r.subject, r.object)):
        ends = graph.entities.get(r.subject), graph.entities.get(r.object)
        if r.kind is RelationKind.HOLDS and None not in ends:
            marker.points += [Point(x=float(x), y=float(y), z=float(z)) for x, y, z in map(_center, ends)]
    if not marker.points:
        marker.action = Marker.DELETE
    return marker
