"""``heed ask`` on JSON lines: answers, earlier times, hindsight, and what it says when the recording is broken."""

from __future__ import annotations

import json

import pytest

from evaluation import cli, replay
from household.ordering import StepInput
from mind.step import MindInput
from tests.mind import kitchen_story


@pytest.fixture(scope="module")
def recording(tmp_path_factory):
    """The moved-apple story as a file of JSON lines."""
    taken: list[StepInput] = []

    class Taking(kitchen_story.Watch):
        def see(self, scene, *events, acts=()):
            taken.append(StepInput(scene, events, ()))
            return super().see(scene, *events, acts=acts)

    w = kitchen_story.moved_apple(0.0, Taking())
    kitchen_story.searches_on(kitchen_story.comes_back(w, "kitchentable_1"))
    path = tmp_path_factory.mktemp("run") / "story.jsonl"
    path.write_text("\n".join(replay.to_line(s) for s in taken) + "\n")
    return path


def test_it_answers_in_words_and_json(recording, tmp_path, capsys):
    out = tmp_path / "answer.json"
    code = cli.main(["ask", str(recording), "does Alice think the apple is in the fridge, and why?", "--at", "60", "--output", str(out)])
    assert code == 0 and "on the kitchen table" in capsys.readouterr().out
    result = json.loads(out.read_text())
    assert result["probability"] < 0.05 and result["stamp"] == 60 and result["evidence"]
    assert not list(tmp_path.glob("*.part"))


def test_hindsight_raises_the_goal_she_turned_out_to_have(recording, capsys):
    assert cli.main(["ask", str(recording), "what does Alice want?", "--at", "62", "--hindsight"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1].startswith("in hindsight: ") and "apple" in lines[-1].split(",")[0]


@pytest.mark.parametrize("arguments, message", [
    (["{run}", "what does Alice want?", "--at", "0.2"], "log begins"),
    (["{run}", "what does Zoe want?"], "nobody called 'Zoe'"),
    (["{run}", "does Alice think the apple is in the fridge?", "--at", "60", "--hindsight"], "about goals"),
    (["{run}", "what does Alice want?", "--hindsight"], "needs --at"),
    (["/nowhere/run", "what does Alice want?"], "no such recording")])
def test_bad_usage_is_one_line_and_exit_code_2(recording, arguments, message, capsys):
    assert cli.main(["ask", *(a.format(run=recording) for a in arguments)]) == 2
    error = capsys.readouterr().err
    assert message in error and error.count("\n") == 1


@pytest.mark.parametrize("line, message", [
    ("not json", "line 2: not JSON"), ('{"events": []}', "must be an object with 'graph'"), ("[1]", "must be an object"),
    ('{"graph": {"stamp": 1}}', "line 2: KeyError"), ('{"graph": {}, "more": 1}', "must be an object")])
def test_a_broken_recording_names_the_line(tmp_path, recording, line, message):
    path = tmp_path / "broken.jsonl"
    path.write_text(recording.read_text().splitlines()[0] + "\n" + line + "\n")
    with pytest.raises(replay.ReplayError, match=message):
        list(replay.inputs(path))


def test_step_inputs_survive_the_file(recording):
    for step in replay.inputs(recording):
        again = json.loads(replay.to_line(step))
        assert again["graph"] == step.graph.to_dict()
        assert MindInput(step.graph, step.events)
