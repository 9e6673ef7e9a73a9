"""The mix, the generators and the scores of the helping scenarios, and one of each played to its end."""

from __future__ import annotations

import argparse
from collections import Counter
from dataclasses import replace
from types import SimpleNamespace

import pytest
import yaml

from evaluation.cli import UsageError
from evaluation.commands import eval_scenarios
from evaluation.scenarios import MIX, PEOPLE, Family, Variant, Wanted, plan_mix
from evaluation.scenarios_build import astray, build, findable, out_of_reach, pool
from evaluation.scenarios_run import BeliefRow, Run, open_world, with_robot
from evaluation.scenarios_scores import baselines, belief_scores, group, item, summary
from household.actions import HumanAction, Verb
from planner.acts import Fact, FactKind, HelpAct, HelpKind
from sim_bridges.embedded.home import load_home
from sim_bridges.embedded.story import open_story
from sim_bridges.embedded.story_file import parse_story


def test_a_full_set_has_the_papers_shares():
    plan = plan_mix(590, None, seed=1)
    families = Counter(f for f, _ in plan)
    assert families == MIX and sum(MIX.values()) == 590
    assert Counter(PEOPLE[v] for _, v in plan) == {1: 113, 2: 373, 3: 104}
    assert plan == plan_mix(590, None, seed=1) != plan_mix(590, None, seed=2)


@pytest.mark.parametrize("family", list(Family))
def test_one_family_alone(family):
    assert {f for f, _ in plan_mix(7, family, 0)} == {family}


def test_a_full_set_is_planned_without_playing_it(capsys):
    parser = argparse.ArgumentParser()
    eval_scenarios.configure(parser)
    assert eval_scenarios.run(parser.parse_args(["--full", "--plan", "--seed", "3"])) == 0
    out = capsys.readouterr().out
    assert "590 scenarios" in out and "1: 113, 2: 373, 3: 104" in out and all(v.value in out for v in Variant)
    with pytest.raises(UsageError, match="at least 8 homes"):
        eval_scenarios.run(parser.parse_args(["--full", "--homes", "7"]))


def test_acceptance_looks_at_kind_person_fact_and_place():
    told = Wanted(frozenset({HelpKind.TELL}), "alice", frozenset({"apple_1"}), frozenset({FactKind.AT}), frozenset({"fridge_1"}))

    def act(kind=HelpKind.TELL, person="alice", obj="apple_1", fact=FactKind.AT, place="fridge_1"):
        return HelpAct(kind, person, obj, place, fact=Fact(fact, obj, place))

    assert told.accepts(act())
    for wrong in (act(person="david"), act(obj="book_1"), act(fact=FactKind.MOVED), act(place="cabinet_1"), act(kind=HelpKind.FETCH)):
        assert not told.accepts(wrong)
    room = Wanted(frozenset({HelpKind.TELL}), "alice", frozenset({"apple_1"}), frozenset({FactKind.TAKEN}), frozenset({"kitchen"}))
    assert room.accepts(act(fact=FactKind.TAKEN, place="kitchen"))
    assert not room.accepts(act(fact=FactKind.TAKEN, place="bedroom")) and not told.accepts(act(fact=FactKind.TAKEN, place="kitchen"))


@pytest.fixture(scope="module")
def homes():
    return pool(5, 3)


@pytest.mark.parametrize("variant", [Variant.MOVED, Variant.MISSING_TOOL, Variant.TAP])
def test_a_scenario_is_a_function_of_its_seed_and_its_control_shares_people_and_home(homes, variant):
    family = next(f for f, v in plan_mix(200, None, 0) if v is variant)
    pair, again = (build(5, 0, family, variant, homes) for _ in range(2))
    assert pair.scenario == again.scenario and pair.control == again.control
    assert pair.scenario.accept and not pair.control.accept and pair.control.control
    assert pair.scenario.story["cast"].keys() == pair.control.story["cast"].keys()
    assert pair.scenario.people == pair.control.people == len(pair.scenario.story["cast"]) == PEOPLE[variant]
    assert pair.scenario.home.name == pair.control.home.name and pair.alone.since is not None


def test_false_belief_corrected_in_a_closed_loop_and_the_control_left_alone(homes):
    pair = build(5, 1, Family.FALSE_BELIEF, Variant.MOVED, homes)
    run = with_robot(pair.scenario)
    row = item(pair.scenario, pair.alone, run)
    assert row["right"] and row["helped"] and row["repeats"] == 0 and row["seconds_saved"] > 0
    assert row["mind_reward"] > 0.5 and row["bdi_consistency"] == 10 and row["robot_centric"] == 4
    thing = pair.scenario.aim.objects[0]
    found = [b for b in run.beliefs if b.object == thing and b.person == pair.scenario.probe]
    assert found[0].false and found[0].said >= 0.5
    quiet = item(pair.control, pair.alone, with_robot(pair.control))
    assert quiet["right"] and quiet["act"] == "nothing()"
    again = with_robot(pair.scenario)
    assert [d.to_dict() for d in again.acts] == [d.to_dict() for d in run.acts] and again.said == run.said


def test_a_tap_left_running_is_turned_off_in_the_world(homes):
    pair = build(5, 2, Family.PROPERTY, Variant.TAP, homes)
    row = item(pair.scenario, pair.alone, with_robot(pair.scenario))
    assert row["right"] and row["helped"] and row["act"].startswith("switchoff(")


@pytest.mark.parametrize("family, variant, words", [(Family.PROPERTY, Variant.TAP, False), (Family.COMBINATION, Variant.MISSING_TOOL, True)])
def test_where_words_are_no_help_the_robot_must_get_to_what_it_is_to_handle(homes, family, variant, words):
    pair = build(5, 2, family, variant, homes)
    world = open_world(pair.scenario)
    away = replace(pair.scenario, home=replace(pair.scenario.home, robot=replace(pair.scenario.home.robot, position=(-50.0, -50.0))))
    assert not out_of_reach(pair.scenario, pair.alone, world)
    assert out_of_reach(away, pair.alone, world) is not words


@pytest.mark.parametrize("sets_out, takes_it, lost", [(11.0, 17.5, False), (14.0, 20.0, True), (14.0, 15.5, False), (None, 80.0, True)])
def test_who_goes_wrong_only_for_a_moment_needs_no_help(sets_out, takes_it, lost):
    """At the wrong place at 10 s: to be helped they must be lost for a while there, and some way from the end of their search."""
    def walk(target, start, end):
        return SimpleNamespace(action=HumanAction("alice", Verb.WALKTOWARDS, target, None, "kitchen", start, end))

    scenario = SimpleNamespace(aim=SimpleNamespace(objects=("apple_1",)), probe="alice")
    alone = Run(since=5.0, reached=takes_it, end=takes_it, truth_at_act={"apple_1": "fridge_1"})
    walks = [walk("kitchentable_1", 8.0, 10.0), *([walk("fridge_1", sets_out, sets_out + 1.5)] if sets_out else [])]
    assert astray(scenario, alone, SimpleNamespace(events=walks, pieces={"kitchentable_1": 0, "fridge_1": 0})) is lost


def _row(control, right, beliefs, family="false_belief", **more):
    return {"control": control, "right": right, "beliefs": beliefs, "family": family, "variant": "moved", "repeats": 0, "helped": True,
            "seconds_saved": 10.0, "people": 2, "home": "elm", "decided_ms": [4.0, 8.0], "mind_reward": 0.5, "bdi_consistency": 10, "robot_centric": 4, **more}


def test_scores_by_hand():
    rows = [_row(False, True, [["a", "x", True, 0.9]]), _row(False, False, [["a", "x", True, 0.2], ["b", "x", False, 0.7]]),
            _row(True, True, []), _row(True, False, [["a", "x", True, 0.9]])]
    beliefs = belief_scores(rows)
    assert beliefs["precision"] == pytest.approx(2 / 3, abs=1e-4) and beliefs["recall"] == pytest.approx(2 / 3, abs=1e-4)
    whole = group(rows)
    assert whole["decision_accuracy"] == 0.5 and whole["false_correction_rate"] == 0.5 and whole["accuracy"] == 0.5
    assert baselines(rows) == {"never acts": 0.5, "corrects every false belief": 0.75}
    result = summary(rows)
    assert result["false_belief"]["true"] == 3 and result["by_family"]["false_belief"]["count"] == 2 and result["implicit"] is None
    assert result["mix"] == {"families": {"false_belief": 2}, "people": {"2": 2}, "homes": {"elm": 2}}
    assert result["decision_ms"] == {"count": 8, "p50": 8.0, "p95": 8.0, "p99": 8.0}


def test_a_run_in_which_nothing_was_decided_scores_zero_and_does_not_break(homes):
    pair = build(5, 2, Family.PROPERTY, Variant.TAP, homes)
    row = item(pair.scenario, pair.alone, Run(beliefs=[BeliefRow("a", "x", True, 0.01)], end=10.0))
    assert not row["right"] and not row["helped"] and row["mind_reward"] == 0.0


@pytest.mark.parametrize("change, message", [({"count": 0}, "--count 0"), ({"seed": -1}, "--seed -1"), ({"homes": 0}, "--homes 0"),
                                             ({"output": "/nowhere/at/all.json"}, "does not exist")])
def test_bad_options_are_named(change, message):
    parser = argparse.ArgumentParser()
    eval_scenarios.configure(parser)
    options = parser.parse_args([])
    for key, value in change.items():
        setattr(options, key, value)
    with pytest.raises(UsageError, match=message):
        eval_scenarios.run(options)


def test_the_command_writes_its_result(tmp_path, monkeypatch, capsys):
    import json

    parser = argparse.ArgumentParser()
    eval_scenarios.configure(parser)
    out = tmp_path / "result.json"
    options = parser.parse_args(["--seed", "5", "--count", "1", "--family", "property", "--homes", "3", "--jobs", "1", "--output", str(out)])
    assert eval_scenarios.run(options) == 0
    result = json.loads(out.read_text())
    assert result["count"] == 2 and len(result["items"]) == 2 and [i["index"] for i in result["items"]] == [0, 1]
    for key in ("accuracy", "decision_accuracy", "false_belief", "by_family", "helped_rate", "seconds_saved_mean", "false_correction_rate",
                "repeats", "mind_reward", "bdi_consistency", "baselines", "decision_ms", "mix", "unparsed", "nll", "ece", "ms_per_item"):
        assert key in result
    assert result["mix"]["people"] == {"1": 1} and result["decision_ms"]["count"] >= 1 and result["decision_ms"]["p95"] > 0
    assert "acts on controls" in capsys.readouterr().out and list(tmp_path.iterdir()) == [out]


def test_exported_files_read_back_as_the_same_home_and_story(homes, tmp_path):
    from evaluation.scenarios_export import export, home_data
    from sim_bridges.embedded.home import load_home
    from sim_bridges.embedded.story import StoryError, open_story

    pair = build(5, 3, Family.DIALOGUE, Variant.SPOKEN_NEED, homes)
    export(pair, tmp_path / "out")
    files = sorted(p.name for p in (tmp_path / "out").iterdir())
    assert len(files) == 4 and all(name.endswith(".yaml") for name in files)
    back = load_home(tmp_path / "out" / f"{pair.scenario.name}.home.yaml")
    assert home_data(back) == home_data(pair.scenario.home)
    world = open_story(tmp_path / "out" / f"{pair.scenario.name}.yaml")
    world.advance(1.0)
    assert set(world.people) == set(pair.scenario.story["cast"])
    story = tmp_path / "out" / f"{pair.scenario.name}.yaml"
    lines = story.read_text().splitlines()
    at = next(i for i, line in enumerate(lines) if "do: say(" in line or "do: wait(" in line)
    lines[at] = lines[at].split("do:")[0] + "do: pick(dragon_1)"
    story.write_text("\n".join(lines))
    with pytest.raises(StoryError, match=rf"{story.name}.*{at + 1}.*dragon_1"):
        open_story(story)


@pytest.mark.parametrize("at, position, sees", [("tvstand_1", (5.05, 1.5, 0.565), False), ("tvstand_1", (4.8, 1.5, 0.565), True), ("kitchencabinet_1", None, True)])
def test_what_is_put_behind_a_television_cannot_be_found_by_anybody(at, position, sees):
    story = {"name": "behind", "limit": 5, "roles": {}, "things": {"waterglass_1": at}, "cast": {"alice": {"start": "kitchen", "script": [{"do": "wait(1)"}]}}}
    world = open_story(parse_story(yaml.safe_dump(story)), load_home("harbor"), 1)
    lies = world.state.things["waterglass_1"]
    world.state.things["waterglass_1"] = replace(lies, position=position or lies.position)
    assert findable(world, "waterglass_1") is sees
