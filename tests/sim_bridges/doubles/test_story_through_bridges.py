"""Alice, David and the apple, told through each simulator's wire to the same mind and the same planner.

Nothing here but the world is different between the two bridges. The robot must tell Alice where the apple is when David moved it behind her
back, and keep silent in the twin, where she watched him: once by the simulator's own graph, once by nothing but its pictures.
"""

from dataclasses import replace

import pytest

from household.classes import class_of
from household.actions import Utterance, Verb
from household.ordering import StepInput, event_stamp
from household.scene_graph import ROBOT
from mind.config import MindConfig
from mind.live import LiveState, live_step
from perception import pipeline as perception
from perception.config import PerceptionConfig
from perception.detectors.simulator import SimulatorDetector
from perception.frame import FrameInput
from perception.home_map import HomeMap
from planner.acts import HelpKind
from planner.config import PlannerConfig
from planner.execution import Executor
from planner.memory import PlannerState
from planner.step import PlannerInput, step
from sim_bridges.errors import ConnectionLost
from sim_bridges.feed import symbolic_feed
from sim_bridges.symbolic import ViewState, view
from sim_bridges.tdw.world import TdwWorld
from sim_bridges.virtualhome.world import VirtualHomeWorld
from tests.sim_bridges.doubles.stage import Stage, apartment
from tests.sim_bridges.doubles.virtualhome_server import VirtualHomeDouble
from tests.sim_bridges.tdw.test_tdw_world import config_for as tdw_config
from tests.sim_bridges.tdw.test_tdw_world import double as tdw_double
from tests.sim_bridges.tdw.test_tdw_world import free_port
from tests.sim_bridges.virtualhome.test_virtualhome_conformance import config_for as virtualhome_config


class Eyes:
    """Perception over a world's frames, with the simulator's own outlines: what ``perception:=simulator`` runs."""

    def __init__(self, world):
        self.world, self.detector = world, SimulatorDetector()
        self.state = perception.initial_state(HomeMap.from_dict(world.home_map()))

    def __call__(self):
        f = self.world.frame()
        self.detector.see(f.ids, {value: (info.entity, info.cls) for value, info in f.instances.items()})
        found = self.detector.detect(f.color, f.depth, f.camera)
        frame = FrameInput(f.stamp, f.color, f.depth, f.camera, f.camera_pose, f.robot_pose, tuple(found))
        self.state, graph, events = perception.step(self.state, frame, PerceptionConfig())
        assert graph.could_not_see == ()
        return graph, events


class Robot:
    """The stack behind a feed of graphs and events: mind, planner, executor; one ``tick`` per graph."""

    def __init__(self, world, feed=symbolic_feed):
        self.world, self.feed, self.executor = world, feed(world), Executor(world.body, PlannerConfig())
        self.live, self.plan, self.own, self.words = LiveState(), PlannerState(), [], []
        self.said, self.acts, self.opened, self.minds = [], [], [], None

    def tick(self):
        graph, events = self.feed()
        events = (*events, *sorted(self.own, key=event_stamp))
        self.opened += [e.target for e in events if (e.actor, e.verb) == ("alice", Verb.OPEN)]
        heard, self.words = (*self.world.heard(), *self.words), []
        self.live, self.minds = live_step(self.live, StepInput(graph, events, heard), MindConfig())
        self.plan, out = step(self.plan, PlannerInput(graph.stamp, graph, self.minds, events, heard, self.minds.acts), PlannerConfig())
        if out.changed and out.decision.act.kind is not HelpKind.NOTHING:
            self.acts.append(out.decision.act)
        if out.gaze is not None:
            self.world.look_at(out.gaze)
        done = self.executor.tick(graph.stamp, graph, out.commands)
        self.own = list(done.events)
        for say in done.say:
            self.said.append((graph.stamp, say.text))
            self.words.append(Utterance(ROBOT, say.text, graph.stamp, say.addressee))
            self.world.hear(self.words[-1])
        return graph


def live_through(world, feed=symbolic_feed, period: float = 0.5, limit: float = 90.0) -> Robot:
    robot = Robot(world, feed)
    while not world.finished and world.stamp < limit:
        robot.tick()
        world.advance(period)
    assert world.problem == "" and world.finished
    return robot


@pytest.fixture
def virtualhome():
    with VirtualHomeDouble(Stage(apartment())) as sim:
        yield lambda story: VirtualHomeWorld(virtualhome_config(sim.port, width=64, height=48, story=story)), sim


@pytest.fixture
def tdw():
    worlds = []
    with tdw_double(free_port(), dt=0.1) as build:
        def make(story):
            worlds.append(TdwWorld(tdw_config(build.port, width=32, height=32, framerate=10, story=story)))
            return worlds[-1]

        yield make, build
        for world in worlds:
            world.close()


@pytest.fixture(params=["virtualhome", "tdw"])
def bridge(request):
    return request.getfixturevalue(request.param)[0]


def test_the_robot_tells_alice_where_the_apple_is(bridge):
    robot = live_through(bridge("false_belief"))
    assert [(a.kind, a.person, a.object) for a in robot.acts] == [(HelpKind.TELL, "alice", "apple_1")]
    assert len(robot.said) == 1 and "apple" in robot.said[0][1] and "kitchen cabinet" in robot.said[0][1]
    truth = robot.world.truth()
    assert truth["things"]["apple_1"] == "alice" and truth["people"]["alice"]["reached_at"] > robot.said[0][0]
    assert robot.opened == ["fridge_1", "kitchencabinet_1"]  # to put it away at the start; then straight to where she was told it is


def test_the_robot_is_silent_when_she_watched(bridge):
    robot = live_through(bridge("false_belief_twin"))
    assert robot.acts == [] and robot.said == []


# by its pictures ----------------------------------------------------------------------------------------------------------------------------

PICTURES = dict(width=256, height=192)


@pytest.fixture
def filmed_virtualhome():
    with VirtualHomeDouble(Stage(apartment()), furnished=True) as sim:
        yield lambda story: VirtualHomeWorld(virtualhome_config(sim.port, story=story, **PICTURES))


@pytest.fixture
def filmed_tdw():
    home = replace(apartment(), things=tuple(t for t in apartment().things if t.id != "book_1"))  # ThreeDWorld's scene has none
    with tdw_double(free_port(), dt=0.1, home=home) as build:
        worlds = []

        def make(story):
            worlds.append(TdwWorld(tdw_config(build.port, framerate=10, story=story, **PICTURES)))
            return worlds[-1]

        yield make
        for world in worlds:
            world.close()


@pytest.fixture(params=["virtualhome", "tdw"])
def filmed(request):
    return request.getfixturevalue(f"filmed_{request.param}")


def test_the_robot_tells_alice_what_it_has_seen(filmed):
    """Colour, depth and outlines are all it has: who moved what where, and that she was away, is worked out from them."""
    robot = live_through(filmed("false_belief"), Eyes, period=0.25)
    assert [(a.kind, a.person, a.object) for a in robot.acts] == [(HelpKind.TELL, "alice", "apple_1")]
    assert len(robot.said) == 1 and "apple" in robot.said[0][1] and "kitchen cabinet" in robot.said[0][1]
    assert robot.world.truth()["people"]["alice"]["reached_at"] > robot.said[0][0]
    assert robot.opened == ["fridge_1", robot.acts[0].place] and class_of(robot.acts[0].place) == "kitchencabinet"  # in the robot's own numbering


def test_the_robot_that_saw_her_watch_is_silent(filmed):
    robot = live_through(filmed("false_belief_twin"), Eyes, period=0.25)
    assert robot.acts == [] and robot.said == []


def test_both_bridges_give_the_same_actions(virtualhome, tdw):
    def doings(world):
        state, out = ViewState(), []
        while not world.finished and world.stamp < 90:
            state, _, events = view(state, world.scene())
            out += [(e.actor, e.verb.value, e.target) for e in events if e.verb.value not in ("walk", "enter")]
            world.advance(0.5)
        return out

    assert doings(virtualhome[0]("false_belief")) == doings(tdw[0]("false_belief"))


def test_a_simulator_that_dies_in_the_middle_of_the_story(virtualhome):
    """Reported at once, and when it is back the story is told again, to its right end."""
    make, sim = virtualhome
    world = make("false_belief")
    robot = Robot(world)
    for _ in range(10):
        robot.tick()
        world.advance(0.5)
    sim.stop()
    with pytest.raises(ConnectionLost):
        world.advance(0.5)
    assert robot.said == []
    sim.start()
    while not world.finished and world.stamp < 120:
        world.advance(0.5)
        robot.tick()
    assert world.restarts == 1 and len(robot.said) == 1 and "kitchen cabinet" in robot.said[0][1]
