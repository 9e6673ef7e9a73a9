"""Short ways to set a world up in tests: scripted bodies, teleporting, running until something holds."""

import math
import textwrap

from household.actions import parse
from sim_bridges.embedded.home import parse_home
from sim_bridges.embedded.story_file import StoryError, parse_story  # noqa: F401
from sim_bridges.embedded.world import EmbeddedWorld

TWO_ROOMS = textwrap.dedent("""\
    name: two_rooms
    rooms:
      kitchen:
        from: [0, 0]
        to: [5, 4]
        furniture:
          fridge_1: {wall: west, along: 3.4}
          kitchencabinet_1: {wall: west, along: 2.2}
          kitchencabinet_2: {wall: west, along: 1.2, height: 1.45}
          kitchentable_1: {at: [2.8, 2.2], facing: south}
          lamp_1: {at: [4.6, 0.4]}
      livingroom:
        from: [5, 0]
        to: [9, 4]
        furniture:
          sofa_1: {wall: south, along: 7}
          box_1: {at: [8.4, 3.4], facing: west}
    doors:
      door_1: {between: [kitchen, livingroom], at: [5, 2.6], leaf: yes, open: yes}
    things:
      apple_1: kitchentable_1
      salmon_1: fridge_1
      waterglass_1: kitchencabinet_2
      book_1: sofa_1
    people:
      alice: {at: [3.8, 1.0], facing: west}
      david: {at: [7, 2], facing: west}
    robot: {at: [4.2, 3.5], facing: 200}
    """)


class Doer:
    """A controller that does the given actions one after the other and notes how each ended."""

    def __init__(self, *lines):
        self.todo, self.ended, self.witnessed, self.heard, self.received = [parse(line) for line in lines], [], [], [], []

    def sense(self, world, sight):
        return False

    def witness(self, world, event):
        self.witnessed.append(event)

    def act(self, world):
        return self.todo.pop(0) if self.todo else None

    def done(self, world, action, problem):
        self.ended.append((str(action), problem))

    def hear(self, world, utterance):
        self.heard.append(utterance)
        return False

    def receive(self, world, thing, giver):
        self.received.append((thing, giver))
        return False


def two_rooms(seed=0, change=(), **controllers) -> EmbeddedWorld:
    """The home above with some of its text replaced, and its people driven by ``controllers``."""
    text = TWO_ROOMS
    for old, new in change:
        assert old in text, old
        text = text.replace(old, new)
    return EmbeddedWorld(parse_home(text, "two_rooms.yaml"), seed, controllers)


def do(world, id, *lines, limit=60.0):
    """Lets one person do the actions; → [(action, problem)] as they ended."""
    doer = Doer(*lines)
    world.controllers[id] = doer
    until(world, lambda: len(doer.ended) == len(lines), limit)
    return doer.ended


def until(world, condition, limit=60.0):
    end = world.time + limit
    while not condition() and world.time < end:
        world.advance(0.2)
    return condition()


def put_person(world, id, x, y, degrees):
    body = world.state.people[id]
    body.position, body.yaw, body.head_yaw = (x, y), math.radians(degrees), math.radians(degrees)
    world.in_room[id] = world._room_at((x, y))
    world._sight_tick = -1


def fingerprint(world):
    """Everything about a state that a rerun must reproduce."""
    state = world.state
    return (state.time, sorted((k, v.position, v.yaw, v.at, v.hand) for k, v in state.things.items()),
            sorted((k, v.position, v.yaw, v.head_yaw, v.gait, v.posture, v.reach_to) for k, v in state.people.items()),
            (state.robot.position, state.robot.yaw, state.robot.head_yaw, state.robot.head_pitch, state.robot.holding),
            sorted(state.openness.items()), sorted(state.switched_on.items()), sorted(state.moved.items()), state.light,
            [e.action.to_dict() for e in world.events], [sorted(e.seen_by) for e in world.events], [u.to_dict() for u in world.utterances])
