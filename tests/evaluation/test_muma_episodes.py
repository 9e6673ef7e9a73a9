"""Two-person episodes played by the embedded people, read by the live mind, and written in the schema of visual data."""

import json
import math

import cv2
import numpy as np
import pytest

from evaluation import muma, social_generate, social_generate_write
from evaluation.cli import main
from evaluation.muma_export import ask
from evaluation.replay import inputs
from evaluation.social_generate import AIM_OF, Episode, Family, Watching, episode, read, words_of
from evaluation.social_generate_eyes import Seeing, introduced
from evaluation.social_generate_follower import Follower
from evaluation.social_generate_posts import Posts, cut, hides, leaves
from evaluation.visual_data import read_episode
from evaluation.visual_data_export import export, samples
from household import classes
from household.actions import HumanAction, Utterance, Verb
from household.ordering import StepInput
from household.scene_graph import ROBOT, Entity, Openness, Relation, RelationKind, SceneGraph
from mind.config import MindConfig
from mind.live import LiveState, live_step
from mind.social.aims import Aim
from planner.config import PlannerConfig
from planner.memory import PlannerState
from planner.step import Execute, PlannerInput, Say
from planner.step import step as planner_step
from sim_bridges.embedded.geometry import wrap
from sim_bridges.embedded.home import load_home
from sim_bridges.embedded.world import EmbeddedWorld


@pytest.fixture(scope="module")
def lie() -> Episode:
    return episode(7, Family.LIES)


@pytest.mark.parametrize("family", [Family.UNDOES, Family.SILENT])
def test_aims_are_read_from_what_happens(family):
    played = episode(7, family)
    p = read(played.stream, played.second, played.first)
    assert max(p, key=p.get) is AIM_OF[family] and sum(p.values()) == pytest.approx(1.0)


def test_a_lie_is_read_from_the_words_and_what_the_speaker_saw(lie):
    p = read(lie.stream, lie.second, lie.first)
    assert max(p, key=p.get) is Aim.HINDER
    assert [u.speaker for u in words_of(lie)] == [lie.first, lie.second]


def test_the_draw_that_works_out_does_not_depend_on_the_eyes():
    """So that only that one is rendered, the others are left out without their pictures."""
    seen = episode(7, Family.CARRIES_ON, Watching(Seeing.ROBOT))
    drawn = []
    rendered = episode(7, Family.CARRIES_ON, Watching(Seeing.SIMULATOR, size=(8, 6), each=lambda world, second, k: drawn.append(k)))
    assert rendered.attempt == seen.attempt and rendered.deeds == seen.deeds != ()
    assert drawn == list(range(len(rendered.stream)))


def test_without_the_deed_that_told_the_speaker_the_same_words_are_no_lie(lie):
    """The evidence is what the speaker did and saw before: fed the words alone, the mind accuses nobody."""
    alone = read(lie.stream[lie.met:], lie.second, lie.first)
    assert max(alone, key=alone.get) is not Aim.HINDER
    assert alone[Aim.HINDER] < read(lie.stream, lie.second, lie.first)[Aim.HINDER] - 0.2


def test_episodes_are_repeatable_and_their_truth_is_not_in_the_stream(lie):
    again = episode(7, Family.LIES)
    assert [i.graph.stamp for i in again.stream] == [i.graph.stamp for i in lie.stream] and words_of(again) == words_of(lie)
    assert all("hinder" not in str(e) for inp in lie.stream[:3] for e in inp.events)
    assert all(ROBOT in u.hearers for u in words_of(lie))  # eyes in every room go with ears in every room


def test_written_episodes_replay_to_the_same_aims(tmp_path, monkeypatch, lie):
    monkeypatch.setattr(social_generate, "episodes", lambda seed, count: iter([lie]))
    assert main(["generate", "--people", "2", "--count", "1", "--output", str(tmp_path / "e.jsonl"), "--recordings", str(tmp_path / "r")]) == 0
    row = json.loads((tmp_path / "e.jsonl").read_text())
    assert (row["aim"], row["first"], row["second"]) == ("hinder", lie.first, lie.second) and len(row["words"]) == 2
    stream = tuple(inputs(tmp_path / "r" / f"{row['episode']}.jsonl"))
    assert read(stream, lie.second, lie.first) == pytest.approx(read(lie.stream, lie.second, lie.first))
    assert main(["generate", "--output", str(tmp_path / "x"), "--recordings", str(tmp_path)]) == 2


def test_an_episode_is_filmed_where_the_second_person_is(tmp_path, monkeypatch, lie):
    """Lived once more before the camera, it is the same episode: the pictures' times are those of its stream."""
    monkeypatch.setattr(social_generate, "episodes", lambda seed, count: iter([lie]))
    monkeypatch.setattr(social_generate_write, "EVERY", 40)
    assert main(["generate", "--people", "2", "--count", "1", "--output", str(tmp_path / "e.jsonl"), "--video", str(tmp_path / "v")]) == 0
    row = json.loads((tmp_path / "e.jsonl").read_text())
    folder = tmp_path / "v" / row["episode"]
    told = json.loads((folder / "camera.json").read_text())
    ticks = range(0, len(lie.stream), 40)
    assert sorted(p.name for p in folder.glob("*.png")) == [f"{k:04d}.png" for k in ticks] and set(told["pose"]) == {str(k) for k in ticks}
    assert [told["time"][str(k)] for k in ticks] == pytest.approx([lie.stream[k].graph.stamp for k in ticks], abs=1e-3)
    picture = cv2.imread(str(folder / f"{ticks[-1]:04d}.png"))
    assert picture.shape == (told["camera"]["height"], told["camera"]["width"], 3) and picture.std() > 5.0
    put = [d for d in row["deeds"] if d["actor"] == lie.second and d["verb"] in ("puton", "putin")]
    assert put and put[-1]["target"] == lie.thing
    assert main(["generate", "--people", "2", "--output", str(tmp_path / "x"), "--types", "1.1"]) == 2


def test_a_lie_is_corrected_and_nobody_is_accused(lie):
    """The robot, which saw where the thing is, tells the one who was misled; it speaks of the thing, not of who said what."""
    mind, plan, spoken = LiveState(), PlannerState(), []
    for inp in lie.stream:
        mind, minds = live_step(mind, inp, MindConfig())
        plan, out = planner_step(plan, PlannerInput(inp.graph.stamp, inp.graph, minds, inp.events, inp.utterances, minds.acts), PlannerConfig())
        actions = [a for c in out.commands if isinstance(c, Execute) for a in c.plan if a.verb is Verb.SAY]
        spoken += [(a.args[0], a.args[-1]) for a in actions] + [(c.text, c.addressee) for c in out.commands if isinstance(c, Say)]
    place = classes.get(classes.class_of(lie.stream[-1].graph.place_of(lie.thing))).spoken
    thing = classes.get(classes.class_of(lie.thing)).spoken
    told = [text for text, to in spoken if to == lie.first and thing in text]
    assert told and all(place in text for text in told)
    assert not any(lie.second in text.lower() or "lie" in text.lower().split() for text in told)


def test_an_answer_becomes_four_questions(lie):
    row = ask(lie)
    assert set(row["questions"]) == set(row["answers"]) == {"1", "2", "3", "4"}
    for key, text in row["questions"].items():
        assert row["answers"][key] in text
    assert "prevent" in row["answers"]["3"] and "help" in row["answers"]["4"]
    assert muma.conversation(row["description"]) == [u.text for u in words_of(lie)]


def graph(stamp, openness, apple_visible=True):
    entities = {"kitchen": Entity("kitchen", "kitchen", (0, 0, 0)), "fridge_1": Entity("fridge_1", "fridge", (2.0, 1.0, 0.9), (0.6, 0.7, 1.8), openness=openness),
                "apple_1": Entity("apple_1", "apple", (2.0, 1.0, 1.0), (0.08, 0.08, 0.08), visible=apple_visible),
                "mug_1": Entity("mug_1", "mug", (1.0, 1.0, 1.0), (0.1, 0.1, 0.1)), "ann": Entity("ann", "person", (1.0, 1.0, 0.0), (0.4, 0.4, 1.7)),
                "robot": Entity("robot", "robot", (1.0, 0.0, 0.0), (0.4, 0.4, 1.2))}
    relations = {Relation("apple_1", RelationKind.INSIDE, "fridge_1"), Relation("ann", RelationKind.HOLDS, "mug_1"),
                 Relation("ann", RelationKind.CLOSE, "fridge_1"), Relation("fridge_1", RelationKind.IN_ROOM, "kitchen")}
    return SceneGraph(stamp, entities, frozenset(relations))


def test_export_writes_what_was_seen_and_reads_back(tmp_path):
    opened = HumanAction("ann", Verb.OPEN, "fridge_1", start=1.0, end=1.5)
    stream = [StepInput(graph(0.0, Openness.CLOSED), (), ()), StepInput(graph(1.0, Openness.CLOSED), (opened,), ()),
              StepInput(graph(2.0, Openness.OPEN), (), (Utterance("ann", "hm", 2.0),))]
    assert export(stream, "e", tmp_path, ("ann",)) == 2
    first, second = read_episode(tmp_path, "e").samples
    assert not first.of_class("apple") and second.of_class("apple")  # a shut fridge hides what is in it
    assert second.opened == {"fridge"} and first.opened == frozenset()
    assert second.held == {"mug"} and second.near == {"fridge"} and ("apple", "fridge") in second.inside
    box = dict(second.boxes)["1.0"]
    assert box.cls == "character" and box.low[1] == 0.0 and box.high[1] == pytest.approx(1.7)  # y is up
    fridge = second.of_class("fridge")[0][1]
    assert (fridge.low[0] + fridge.high[0]) / 2 == pytest.approx(1.0)  # from the robot
    state = json.loads((tmp_path / "e" / "open_state.json").read_text())["e"]
    assert "closed" in state["0"].values() and "open" in state["1"].values()
    assert "kitchen" in json.loads((tmp_path / "e" / "rooms.json").read_text())["e"]["0"].values()


def test_events_between_samples_are_kept():
    deed = HumanAction("ann", Verb.OPEN, "fridge_1", start=1.0, end=1.5)
    stream = [StepInput(graph(0.0, Openness.CLOSED), (), ()), StepInput(graph(1.0, Openness.CLOSED), (deed,), ()), StepInput(graph(4.0, Openness.OPEN), (), ())]
    assert [len(events) for _, events in samples(stream, 2.0)] == [0, 1]
    with pytest.raises(ValueError, match="every: 0.0"):
        list(samples(stream, 0.0))


def test_export_command_names_bad_usage(tmp_path, capsys):
    assert main(["export", "muma", "--output", str(tmp_path), "--every", "0"]) == 2
    assert main(["export", "muma", "--output", str(tmp_path), "--recording", str(tmp_path / "none")]) == 2
    assert "none" in capsys.readouterr().err
    recording = tmp_path / "r.jsonl"
    recording.write_text(json.dumps({"graph": graph(0.0, Openness.OPEN).to_dict()}) + "\n")
    assert main(["export", "muma", "--output", str(tmp_path), "--recording", str(recording), "--name", "r"]) == 0
    assert read_episode(tmp_path / "visual_data", "r").samples[0].of_class("apple")


def test_who_is_who_is_told_where_a_detector_does_not_recognise_people():
    from evaluation.known_home import renamed, renamed_event
    from household.actions import HumanAction, Verb
    from household.scene_graph import Entity, Relation, RelationKind, SceneGraph

    graph = SceneGraph(1.0, {"person_1": Entity("person_1", "person", (0.0, 0.0, 0.0)), "mug_1": Entity("mug_1", "mug", (0.0, 0.0, 1.0))},
                       frozenset({Relation("person_1", RelationKind.HOLDS, "mug_1")}), {"person_1": frozenset({"mug_1"}), "robot": frozenset({"person_1"})})
    called = renamed(graph, {"person_1": "alice"})
    assert set(called.entities) == {"alice", "mug_1"} and called.entities["alice"].id == "alice" and called.holder_of("mug_1") == "alice"
    assert called.sees == {"alice": frozenset({"mug_1"}), "robot": frozenset({"alice"})} and renamed(graph, {}) is graph
    event = renamed_event(HumanAction("bob", Verb.GIVE, "mug_1", "person_1", None, 1.0, 1.0, 1.0, {"person_1": 0.5}), {"person_1": "alice"})
    assert (event.actor, event.place, event.witnesses) == ("bob", "alice", {"alice": 0.5})


def test_who_is_lost_and_found_again_is_the_same_person():
    def person(i, x, visible, stamp):
        return Entity(i, "person", (x, 0.0, 0.0), visible=visible, last_seen=stamp)

    names, where = {}, {"alice": (0.0, 0.0), "bob": (5.0, 0.0)}
    graph = SceneGraph(1.0, {"person_1": person("person_1", 0.2, True, 1.0)}, frozenset())
    assert introduced(graph, names, where) is graph and names == {"person_1": "alice"}
    found = SceneGraph(9.0, {"person_1": person("person_1", 0.2, False, 1.0), "person_2": person("person_2", 4.8, True, 9.0), "person_3": person("person_3", 3.6, True, 9.0)},
                       frozenset({Relation("person_1", RelationKind.HOLDS, "mug_1"), Relation("person_1", RelationKind.IN_ROOM, "kitchen")}), {"person_1": frozenset({"mug_1"})})
    told = introduced(found, names, {**where, "alice": (3.5, 0.0)})
    assert names == {"person_1": "alice", "person_2": "bob", "person_3": "alice"} and set(told.entities) == {"person_2", "person_3"}
    assert told.relations == {Relation("person_3", RelationKind.HOLDS, "mug_1")} and not told.sees
    stranger = introduced(SceneGraph(10.0, {"person_4": person("person_4", 2.0, True, 10.0)}, frozenset()), names, where)
    assert "person_4" in stranger.entities and "person_4" not in names


def test_a_robot_that_keeps_somebody_company_turns_back_when_they_do(monkeypatch):
    """They were on their way to another room and changed their mind: so does the robot, wherever it was going for their sake."""
    world = EmbeddedWorld(load_home("maple"), 1, {})
    who, follower, really = next(iter(world.state.people)), Follower(world), world.room_of
    for room, heading, seconds in (("bathroom", "bathroom", 3.0), ("kitchen", "kitchen", 2.0), ("kitchen", None, 25.0)):
        monkeypatch.setattr(world, "room_of", lambda p, room=room: room if p == who else really(p))
        for _ in range(int(5 * seconds)):
            follower.attend(who)
            world.advance(0.2)
        assert heading is None or world.performers[ROBOT].heading == heading
    assert world.room_of(ROBOT) == "kitchen" and not world.performers[ROBOT].busy


def test_where_a_robot_stands_nobody_and_no_door_is_between_it_and_what_they_all_do():
    world = EmbeddedWorld(load_home("maple"), 1, {})
    posts, room = Posts(world), world.rooms["kitchen"]
    people = [(room.low[0] + f * (room.high[0] - room.low[0]), room.low[1] + g * (room.high[1] - room.low[1])) for f, g in ((0.5, 0.4), (0.5, 0.7))]
    spot = posts.best("kitchen", world.state.robot.position, people)
    assert spot is not None and not any(hides(spot, a, b) for a in people for b in people if a != b)
    assert hides((0.0, 0.0), (2.0, 0.0), (1.0, 0.1)) and not hides((0.0, 0.0), (2.0, 0.0), (1.0, 0.5))
    world.state.openness |= {"door_3": 1.0, "door_4": 0.0}
    (hinge, edge), = leaves(world)
    assert cut((hinge[0], hinge[1] - 1.0), (edge[0], edge[1] + 1.0), [(hinge, edge)]) and not cut(hinge, (edge[0], edge[1] + 1.0), [((9.0, 9.0), (8.0, 9.0))])
    spot, there = posts.best("hallway", world.state.robot.position, [(5.5, 7.1)]), (5.5, 7.1)
    assert not cut(spot, there, [(hinge, edge)])
    assert not hides((0.0, 0.0), (2.0, 0.0), (3.0, 0.0)) and not hides((0.0, 0.0), (2.0, 0.0), (-1.0, 0.0))


def test_a_robot_that_keeps_somebody_company_turns_to_them_with_its_body_where_the_neck_does_not_reach():
    world = EmbeddedWorld(load_home("maple"), 1, {})
    robot, who = world.state.robot, next(p for p, s in world.state.people.items())
    x, y = world.state.people[who].position
    robot.position, robot.yaw = (x + 1.0, y), 0.0  # its back to them
    follower = Follower(world)
    for _ in range(75):  # it goes to where it sees the room first
        follower.attend(who)
        world.advance(0.2)
    assert not world.performers[ROBOT].busy
    towards = math.atan2(world.state.people[who].position[1] - robot.position[1], world.state.people[who].position[0] - robot.position[0])
    assert abs(wrap(robot.yaw + robot.head_yaw - towards)) < 0.2


def test_a_robot_in_company_looks_at_who_has_a_hand_somewhere_before_those_who_walk_and_at_the_company_before_others():
    world = EmbeddedWorld(load_home("maple"), 1, {})
    (one, first), (two, second) = list(world.state.people.items())[:2]
    follower = Follower(world)
    rank = lambda: (follower._rest(one), follower._rest(two))  # noqa: E731
    assert rank() == (4, 4)
    first.walking = True
    follower.attend(one)
    assert rank() == (2, 4)
    second.reach_to = (1.0, 1.0, 1.0)
    follower.attend(one)
    assert rank() == (2, 0)
    second.reach_to, first.walking = None, False
    follower.attend(one)
    assert rank() == (3, 1)  # what was done a moment ago shows when the hand is gone


def test_a_robot_in_company_turns_its_back_on_nobody_who_is_busy_and_goes_on_when_they_are_done():
    world = EmbeddedWorld(load_home("maple"), 1, {})
    robot, (who, person) = world.state.robot, next(iter(world.state.people.items()))
    room = world.rooms[world.room_of(who)]
    robot.position = ((room.low[0] + room.high[0]) / 2, (room.low[1] + room.high[1]) / 2)
    follower, me = Follower(world), world.performers[ROBOT]
    follower.attend(who)
    assert me.busy
    behind = math.atan2(person.position[1] - robot.position[1], person.position[0] - robot.position[0]) + math.pi
    robot.yaw = behind
    follower.attend(who)
    assert me.busy  # nobody is doing anything
    person.reach_to = (*person.position, 1.0)
    follower.attend(who)
    assert not me.busy
    person.reach_to = None
    while world.time < follower._active[who] + 1.0:
        world.advance(0.2)
    follower.attend(who)
    assert me.busy


def test_a_robot_goes_elsewhere_for_a_much_better_spot_only():
    world = EmbeddedWorld(load_home("maple"), 1, {})
    posts = Posts(world)
    best = posts.best("kitchen", world.state.robot.position, [])
    assert posts.best("kitchen", best, [], better=0.0) is None  # it stands there
    assert posts.best("kitchen", best, [], better=0.6) is None
    beside = (best[0] + 0.5, best[1])
    elsewhere = posts.best("kitchen", best, [beside], better=0.6)
    assert elsewhere is not None and math.dist(elsewhere, beside) > 0.75
