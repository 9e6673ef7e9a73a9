"""Two-person questions: what may be read, what the model answers, and that evidence is what moves it."""

import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from evaluation import muma
from evaluation.choice_report import wilson
from evaluation.cli import UsageError, main
from evaluation.muma_read import Claim, Kind, Wording, claim_in, claim_in_questions, class_id, conversation, last_destination, read_question
from evaluation.visual_data import MAX_SIZE, read_episode
from evaluation.visual_data_source import ELSEWHERE, SourceModel, grouped_folds, in_hand, where_it_was
from mind.social.aims import Aim

OWN = Path(__file__).parents[1] / "data" / "muma"
SHARED = Path(__file__).parents[2].parent / "shared" / "benchmarks" / "muma_tom"
needs_shared = pytest.mark.skipif(not (SHARED / "questions_dev.json").exists(), reason=f"no benchmark files beside the repository ({SHARED})")


@pytest.fixture(scope="module")
def own():
    return muma.read_file(OWN / "questions.json")


def test_own_items_are_answered_from_what_was_said_and_seen(own):
    result = muma.evaluate(own, OWN / "visual_data")
    assert result["accuracy"] == 1.0 and not result["unparsed"]
    assert {i["question"] for i in result["items"]} == {"1", "2", "3", "4"}
    for item in result["items"]:
        assert sum(item["p"].values()) == pytest.approx(1.0, abs=1e-4)


def test_the_same_words_get_another_answer_when_the_video_differs(own):
    swapped = muma.evaluate(own, OWN / "visual_data", swap=1)
    assert swapped["by_type"]["social_goal"]["accuracy"] == 0.0
    assert swapped["by_type"]["belief"]["accuracy"] == swapped["by_type"]["belief_of_goal"]["accuracy"] == 1.0


def test_without_a_video_neither_help_nor_hinder_is_sure(own):
    item = next(i for i in muma.evaluate(own)["items"] if i["episode"] == "true" and i["question"] == "3")
    by_letter = {o[0]: p for o, p in item["p"].items()}
    assert max(by_letter.values()) < 0.6 and by_letter["C"] < min(by_letter["A"], by_letter["B"])
    with_video = next(i for i in muma.evaluate(own, OWN / "visual_data")["items"] if i["episode"] == "true" and i["question"] == "3")
    assert max(with_video["p"].values()) > 0.65


def _rewritten(row):
    """Everything of the description outside its quotation marks replaced; the other fields as they are."""
    quotes = re.findall(r'"[^"]*"', row["description"])
    return {**row, "description": "Zed saw nothing. " + " then nothing, ".join(quotes) + " The end, on the roof."} if quotes else \
        {**row, "description": "Zed moved the vase to the roof."}


@pytest.mark.parametrize("source, visual", [(OWN / "questions.json", OWN / "visual_data"),
                                            pytest.param(SHARED / "questions_dev.json", SHARED / "visual_data", marks=needs_shared)])
def test_nothing_outside_the_quotes_is_used(source, visual, tmp_path):
    rows = json.loads(source.read_text())
    rows = dict(list(rows.items())[::4]) if len(rows) > 20 else rows
    answers = []
    for k, content in enumerate((rows, {name: _rewritten(r) for name, r in rows.items()})):
        path = tmp_path / f"{k}.json"
        path.write_text(json.dumps(content))
        answers.append([(i["answer"], i["p"]) for i in muma.evaluate(muma.read_file(path), visual)["items"]])
    assert answers[0] == answers[1]


def test_names_of_episodes_change_nothing(own, tmp_path):
    rows = json.loads((OWN / "questions.json").read_text())
    renamed = {f"{k}_renamed": v for k, v in rows.items()}
    for name in ("true", "false"):
        folder = tmp_path / "visual" / f"{name}_renamed"
        folder.mkdir(parents=True)
        for file in (OWN / "visual_data" / name).iterdir():
            content = json.loads(file.read_text())
            (folder / file.name).write_text(json.dumps({f"{name}_renamed": content[name]}))
    path = tmp_path / "q.json"
    path.write_text(json.dumps(renamed))
    a = [i["p"] for i in muma.evaluate(own, OWN / "visual_data")["items"]]
    b = [i["p"] for i in muma.evaluate(muma.read_file(path), tmp_path / "visual")["items"]]
    assert a == b


def test_answers_and_labels_are_not_needed_and_newlines_do_not_matter(tmp_path):
    rows = json.loads((OWN / "questions.json").read_text())
    bare = {k: {"description": v["description"], "questions": v["questions"], **({"filtered_description": v["filtered_description"]}
                if "filtered_description" in v else {})} for k, v in rows.items()}
    path = tmp_path / "bare.json"
    path.write_text(json.dumps(bare))
    result = muma.evaluate(muma.read_file(path), OWN / "visual_data")
    assert result["accuracy"] is None and result["count"] == 12 and set(result["by_type"]) == {k.value for k in Kind}
    full = muma.evaluate(muma.read_file(OWN / "questions.json"), OWN / "visual_data")
    assert [i["answer"] for i in result["items"]] == [i["answer"] for i in full["items"]]


def test_conversation_is_only_what_is_quoted():
    assert conversation("b'Ann came. \"Where is it?\" she said. \\nBen: \"On the desk,\"'") == ["Where is it?", "On the desk,"]
    assert conversation('b"Ann asked, \'Where\'s the mug?\' Ben said, \'It\'s on the desk.\'"') == ["Where's the mug?", "It's on the desk."]
    assert conversation("Ann's mug is on Ben's desk.") == []


@pytest.mark.parametrize("quotes, claim", [
    (["Do you know where the juice is?", "I found the juice inside the bathroom cabinet,"], Claim("juice", "bathroomcabinet")),
    (["Any idea where the potatoes are?", "I found a potato inside the stove in the kitchen."], Claim("potato", "stove")),
    (["Have you seen my cellphone around?", "It's inside the cabinet in the living room."], Claim("cellphone", "cabinet")),
    (["Have you seen the wineglass?", "On the coffee table in the bedroom."], Claim("wineglass", "coffeetable")),
    (["Where could the toy be?", "I think there is a toy on the sofa."], Claim("toy", "sofa")),
])
def test_claims_through_the_minds_own_reading(quotes, claim):
    assert claim_in(quotes) == claim


@pytest.mark.parametrize("answer", [
    "You can find the toy inside the microwave in the kitchen.", "I came across a toy inside the microwave.", "I located the toy in the microwave.",
    "I remember seeing a toy inside the microwave.", "I happened to find two toys inside the microwave.", "Check inside the microwave.",
    "In the kitchen, there's a toy inside the microwave.", "I found a toy inside the microwave and another one on the kitchen table."])
def test_many_ways_to_say_where(answer):
    for question in ("I can't find the toy, do you know where it might be?", "Hey Mary, any idea where I could find the toy?"):
        assert claim_in([question, answer]) == Claim("toy", "microwave")


def test_a_thing_nobody_has_a_class_for_is_taken_from_the_question():
    text = ("Given the above interaction, assuming that Omar knows what is inside the fridge, which of the following statements is MOST likely?\n"
            "A) When giving information, Omar has been trying to help Nina locate the folder\n"
            "B) When giving information, Omar has been trying to prevent Nina from finding the folder")
    assert claim_in_questions([text]) == Claim("folder", "fridge")


def test_a_conversation_without_a_place_is_not_guessed():
    with pytest.raises(Wording, match="nobody names a place"):
        claim_in(["Where is the mug?", "No idea."])


@pytest.mark.parametrize("words, cls", [("the bathroom cabinet", "bathroomcabinet"), ("cabinet in the bedroom", "cabinet"),
                                        ("remote control", "remotecontrol"), ("tomato", "tomato"), ("some bread", "bread")])
def test_class_ids(words, cls):
    assert class_id(words) == cls


def test_destination_of_the_mover():
    assert last_destination("She walked to the dishwasher, opened it, placed the mug inside.") is None
    assert last_destination("He grabbed the book from the desk and put it on the coffee table.") == "coffeetable"
    assert last_destination("She opened the fridge, placed the juice inside, and closed it.") == "fridge"


def test_unreadable_questions_are_named_and_count_as_a_guess(tmp_path):
    path = tmp_path / "q.json"
    path.write_text(json.dumps({"x": {"description": '"Hm." "Hm."', "questions": {"1": "What is MOST likely?\nA) foo\nB) bar\nC) baz"}, "answers": {"1": "A) foo"}}}))
    result = muma.evaluate(muma.read_file(path))
    assert result["items"][0]["answer"] is None and result["accuracy"] == pytest.approx(1 / 3) and "foo" in result["unparsed"][0]["reason"]


def test_question_kinds_and_aims(own):
    question = read_question(own[0].questions["3"])
    assert question.kind is Kind.SOCIAL_GOAL and not question.least and question.claim == Claim("plate", "fridge")
    assert [h.aim for h in question.hypotheses] == [Aim.HELP, Aim.HINDER, Aim.INDEPENDENT]
    assert read_question(own[0].questions["2"]).given is Aim.HINDER and read_question(own[0].questions["2"]).least


def test_videos_drop_boxes_too_large_and_find_the_moment_in_hand():
    video = read_episode(OWN / "visual_data", "true")
    assert all(b.size <= MAX_SIZE for s in video.samples for b in s.boxes.values()) and not any("99.0" in s.boxes for s in video.samples)
    assert in_hand(video, "plate") == 6
    p = where_it_was(video, "plate", "fridge", muma.FITTED)
    assert p["fridge"] > 0.8 and sum(p.values()) == pytest.approx(1.0) and ELSEWHERE in p
    other = where_it_was(read_episode(OWN / "visual_data", "false"), "plate", "fridge", muma.FITTED)
    assert other["desk"] > other["fridge"] and other["fridge"] < 0.5


def test_malformed_visual_data_names_the_file(tmp_path):
    folder = tmp_path / "x"
    folder.mkdir()
    for name in ("boxes", "closeness", "inside", "on", "hold", "opened"):
        (folder / f"{name}.json").write_text('{"x": {"0": {"1.0": {"class_name": "fridge"}}}}' if name == "boxes" else '{"x": {"0": []}}')
    (folder / "hold.json").unlink()
    wrong: list[str] = []
    video = read_episode(tmp_path, "x", wrong)
    assert len(video.samples) == 1 and not video.samples[0].boxes
    assert any("boxes.json', sample 0, 1.0" in w for w in wrong) and any("hold.json' is missing" in w for w in wrong)
    (folder / "boxes.json").write_text("{")
    wrong.clear()
    assert len(read_episode(tmp_path, "x", wrong).samples) == 1 and any("boxes.json', line 1: not JSON" in w for w in wrong)
    with pytest.raises(ValueError, match="7 finite numbers"):
        SourceModel((1.0,))


def test_folds_never_split_an_episode():
    folds = grouped_folds([f"e{k // 2}" for k in range(20)], 5, 3)
    assert len(folds) == 10 and set(folds.values()) == set(range(5))


def test_the_interval_is_wilsons():
    low, high = wilson(50, 100)
    assert low == pytest.approx(0.4038, abs=1e-3) and high == pytest.approx(0.5962, abs=1e-3)


def test_command_writes_json_and_names_bad_usage(tmp_path, capsys):
    out = tmp_path / "r.json"
    assert main(["eval", "muma", "--questions", str(OWN / "questions.json"), "--visual", str(OWN / "visual_data"), "--output", str(out)]) == 0
    assert json.loads(out.read_text())["condition"] == "visual"
    assert main(["eval", "muma", "--questions", str(OWN / "questions.json"), "--condition", "visual"]) == 2
    assert main(["eval", "muma", "--questions", str(tmp_path / "none.json")]) == 2
    assert "none.json" in capsys.readouterr().err


@needs_shared
def test_development_half():
    """Belief and belief of goal need little evidence: regression tests. The social goal is what is measured."""
    episodes = muma.read_file(SHARED / "questions_dev.json")
    result = muma.evaluate(episodes, SHARED / "visual_data", models=muma.cross_validated(episodes, SHARED / "visual_data", 5, 0))
    assert not result["unparsed"] and result["ms_per_item"] > 0
    assert result["by_type"]["belief"]["accuracy"] == 1.0 and result["by_type"]["belief_of_goal"]["accuracy"] >= 0.98
    assert result["by_type"]["social_goal"]["accuracy"] >= 0.83
    assert np.mean([muma.evaluate(episodes, SHARED / "visual_data", swap=s)["by_type"]["social_goal"]["accuracy"] for s in (1, 2)]) <= 0.65


@pytest.mark.parametrize("said", ["I found some milk inside the fridge,", "It's in the fridge.", "You could check the fridge.", "Sure, the milk's in the fridge.",
                                  "I put the milk in the fridge earlier.", "Oh, I remember seeing the milk inside the fridge.", "Look inside the fridge, I saw it there."])
def test_answers_in_many_words(said):
    assert claim_in(["Do you know where the milk is?", said]) == Claim("milk", "fridge")


OPTION_STYLES = {"A. x": r"\1. ", "(A) x": r"(\1) ", "A: x": r"\1: ", "A)x": r"\1)"}
RESHAPED = {
    "windows line ends": lambda t: t.replace("\n", "\r\n"), "blank lines": lambda t: t.replace("\n", "\n\n   "),
    "in one line": lambda t: t.replace("\n", " "), "small letters": lambda t: re.sub(r"^([A-C])\)", lambda m: f"{m[1].lower()})", t, flags=re.M),
    "curly apostrophes": lambda t: t.replace("'", "’"),
    **{name: lambda t, to=to: re.sub(r"^([A-C])\) ?", to, t, flags=re.M) for name, to in OPTION_STYLES.items()},
}


@pytest.mark.parametrize("style", RESHAPED)
def test_how_a_question_is_laid_out_changes_no_answer(own, style):
    reshaped = [replace(e, questions={k: RESHAPED[style](q) for k, q in e.questions.items()},
                        answers={k: re.match(r"[A-C]", a)[0] for k, a in e.answers.items()}) for e in own]
    plain, other = (muma.evaluate(episodes, OWN / "visual_data") for episodes in (own, reshaped))
    assert not other["unparsed"] and other["accuracy"] == plain["accuracy"]
    for a, b in zip(plain["items"], other["items"]):
        assert list(a["p"].values()) == pytest.approx(list(b["p"].values()), abs=1e-6)


def test_files_in_another_shape_are_read_alike(tmp_path, own):
    content = json.loads((OWN / "questions.json").read_text())
    as_list = [{"episode": name, **{k: list(v.values()) if isinstance(v, dict) else v for k, v in row.items()}} for name, row in content.items()]
    (tmp_path / "q.json").write_text(json.dumps([*as_list, {"episode": "broken"}]))
    (tmp_path / "all").mkdir()
    for name in ("boxes", "closeness", "inside", "on", "hold", "opened"):
        folders = [f for f in (OWN / "visual_data").iterdir() if f.is_dir()]
        (tmp_path / "all" / f"{name}.json").write_text(json.dumps({f.name: json.loads((f / f"{name}.json").read_text())[f.name] for f in folders}))
    plain, other = muma.evaluate(own, OWN / "visual_data"), muma.evaluate(muma.read_file(tmp_path / "q.json"), tmp_path / "all")
    assert [i["answer"] for i in plain["items"]] == [i["answer"] for i in other["items"]][:-1]
    assert other["unparsed"] == [{"episode": "broken", "question": None, "reason": "needs the key 'questions' (an object of numbered questions)"}]
    assert other["count"] == plain["count"] + 1, "kept, with its reason, as a guess"


def test_the_exit_code_says_that_something_was_not_read(tmp_path, capsys):
    content = json.loads((OWN / "questions.json").read_text())
    (tmp_path / "q.json").write_text(json.dumps({**content, "x": {"questions": {"1": "Who is it?"}}}))
    assert main(["eval", "muma", "--questions", str(tmp_path / "q.json")]) == 1
    assert "Who is it?" in capsys.readouterr().out
