"""A small home in code, for the renderer's tests: two rooms, a doorway, a fridge with an apple in it, a table, a
chest, one person.
"""

from __future__ import annotations

import math

from household.scene_graph import Posture
from sim_bridges.embedded.model import (Doorway, Furniture, Home, Person, PersonState, RobotSpec, RobotState, Room, Thing,
                                        ThingState, WorldState)

EAST, NORTH, WEST, SOUTH = 0.0, math.pi / 2, math.pi, -math.pi / 2


def home(*, posture: Posture = Posture.STANDING, height: float = 1.72) -> Home:
    return Home(
        name="cell", rooms=(Room("kitchen", "kitchen", (0.0, 0.0), (5.0, 4.0)), Room("hall", "hallway", (5.0, 0.0),
                                                                                     (8.0, 4.0))),
        doorways=(Doorway("door_1", ("kitchen", "hall"), (5.0, 3.2), 0.9, EAST, leaf=True, open=False), ),
        furniture=(Furniture("fridge_1", "fridge", "kitchen", (2.0, 3.6, 0.0), SOUTH, (0.65, 0.65, 1.75)),
                   Furniture("kitchentable_1", "kitchentable", "kitchen", (2.5, 1.6, 0.0), SOUTH, (1.2, 0.8, 0.74)),
                   Furniture("drawer_1", "drawer", "kitchen", (4.0, 3.7, 0.0), SOUTH, (0.8, 0.45, 0.75)),
                   Furniture("suitcase_1", "suitcase", "kitchen", (0.6, 3.0, 0.0), SOUTH, (0.45, 0.28, 0.65)),
                   Furniture("lamp_1", "lamp", "kitchen", (4.6, 0.5, 0.0), SOUTH, (0.35, 0.35, 1.5)),
                   ), things=(Thing("apple_1", "apple", "fridge_1"), Thing("book_1", "book", "kitchentable_1"),
                              Thing("keys_1", "keys",
                                    "drawer_1")), people=(Person("alice", "Alice", (3.4, 1.2), WEST, height=height,
                                                                 posture=posture), ), robot=RobotSpec((2.0, 0.6), NORTH),
    )


def state(of: Home) -> WorldState:
    person = of.people[0]
    return WorldState(
        0.0,
        things={"apple_1": ThingState((2.0, 3.55, 0.50 * 1.75 + 0.04), 0.0, "fridge_1"),
                "book_1": ThingState((2.5, 1.6, 0.755), 0.0, "kitchentable_1"),
                "keys_1": ThingState((4.0, 3.7, 0.70 * 0.75 + 0.01), 0.0, "drawer_1")},
        people={person.id: PersonState(person.position, person.yaw, person.yaw, posture=person.posture)},
        robot=RobotState(of.robot.position, of.robot.yaw),
        openness={"fridge_1": 0.0, "drawer_1": 0.0, "door_1": 0.0},
    )
