"""Story reading and nested-belief answers, convention by convention, and generated stories against their own simulator."""

import json

import pytest

from evaluation import hitom, hitom_generate, tomi, tomi_generate
from evaluation.cli import UsageError, main
from evaluation.tomi_story import StoryError, read_story

SALLY = """1 Oliver entered the front yard.
2 Lily entered the front yard.
3 The hat is in the blue_box.
4 The blue_box is in the front yard.
5 Oliver hates the hat.
6 Lily exited the front yard.
7 Oliver moved the hat to the red_box.
8 The red_box is in the front yard.
"""


def ask(story, question):
    kind, belief = tomi.answer(read_story(story), question)
    return max(belief, key=belief.get)


@pytest.mark.parametrize("question, answer", [
    ("Where will Lily look for the hat?", "blue_box"), ("Where will Oliver look for the hat?", "red_box"),
    ("Where does Oliver think that Lily searches for the hat?", "blue_box"),
    ("Where does Lily think that Oliver searches for the hat?", "blue_box"),
    ("Where is the hat really?", "red_box"), ("Where was the hat at the beginning?", "blue_box"),
    ("9 Where was the hat at the beginning?\tblue_box\t1", "blue_box"), ("Where does Lily think the hat is?", "blue_box"),
])
def test_false_belief(question, answer):
    assert ask(SALLY, question) == answer


def test_who_enters_sees_the_thing_and_is_seen_to():
    back = SALLY + "9 Lily entered the front_yard.\n"
    assert ask(back, "Where will Lily look for the hat?") == "red_box"
    assert ask(back, "Where does Oliver think that Lily searches for the hat?") == "red_box"


def test_who_enters_after_the_other_left_is_not_seen_to():
    apart = SALLY + "9 Oliver exited the front yard.\n10 Lily entered the front yard.\n"
    assert ask(apart, "Where will Lily look for the hat?") == "red_box"
    assert ask(apart, "Where does Oliver think that Lily searches for the hat?") == "blue_box"


def test_another_room_shows_nothing():
    elsewhere = SALLY + "9 Lily entered the kitchen.\n"
    assert ask(elsewhere, "Where will Lily look for the hat?") == "blue_box"


def test_unreadable_sentences_are_named():
    with pytest.raises(StoryError, match="teleported"):
        read_story("1 Oliver teleported the hat to Mars.")
    with pytest.raises(StoryError, match="cannot read the question"):
        tomi.question_of("Why is the hat there?")
    result = tomi.evaluate([{"story": "1 Oliver teleported the hat.", "question": "Where is the hat really?", "answer": "box"}])
    assert result["items"][0]["answer"] is None and "teleported" in result["unparsed"][0]["reason"]


def test_small_talk_about_nothing_in_the_story_is_passed_over():
    assert ask(SALLY + "9 Lily read a poem to a goldfish.", "Where will Lily look for the hat?") == "blue_box"
    with pytest.raises(StoryError, match="juggled"):
        read_story(SALLY + "9 Lily juggled the hat.")


KITCHEN = """1 Ann, Ben and Cat entered the kitchen.
2 The pear is in the red_box.
3 Ann moved the pear to the blue_box.
4 Ann exited the kitchen.
5 Ben moved the pear to the green_box.
6 Ben exited the kitchen.
7 Cat made no movements and stayed in the kitchen for 1 minute.
8 Cat lost her watch.
9 Cat exited the kitchen.
10 Ann, Ben and Cat entered the waiting_room.
"""
CHOICES = "A. blue_box, B. green_box, C. red_box, D. tin"


def hi(question, extra=""):
    (item,) = hitom.evaluate([{"story": KITCHEN + extra, "question": question, "choices": CHOICES}])["items"]
    return item["answer"]


@pytest.mark.parametrize("question, answer", [
    ("Where is the pear really?", "green_box"), ("Where does Ann really think the pear is?", "blue_box"),
    ("Where does Ben think Ann thinks the pear is?", "blue_box"), ("Where does Cat think Ben thinks the pear is?", "green_box"),
    ("Where does Cat think Ben thinks Ann thinks the pear is?", "blue_box"),
    ("Where does Cat think Ben thinks Cat thinks Ben thinks the pear is?", "green_box"),
])
def test_orders_without_claims(question, answer):
    assert hi(question) == answer


def test_a_listener_trusts_who_left_later():
    claim = "11 Cat publicly claimed that the pear is in the tin now.\n"
    assert hi("Where does Ann really think the pear is?", claim) == "tin"
    assert hi("Where does Ben think Ann thinks the pear is?", claim) == "tin"


def test_and_not_who_left_earlier():
    claim = "11 Ann publicly claimed that pear is in the tin now.\n"
    assert hi("Where does Cat really think the pear is?", claim) == "green_box"
    assert hi("Where does Ann think Cat thinks the pear is?", claim) == "blue_box"


def test_a_claim_changes_nothing_in_its_speaker():
    claim = "11 Cat publicly claimed that the pear is in the tin now.\n"
    assert hi("Where does Cat really think the pear is?", claim) == "green_box"
    assert hi("Where does Ben think Cat thinks the pear is?", claim) == "green_box"
    assert hi("Where is the pear really?", claim) == "green_box"


def test_a_private_word_is_between_the_two():
    claim = "11 Cat privately told Ann that the pear is in the tin now.\n"
    assert hi("Where does Ann really think the pear is?", claim) == "tin"
    assert hi("Where does Cat think Ann thinks the pear is?", claim) == "tin"
    assert hi("Where does Ben think Ann thinks the pear is?", claim) == "blue_box"
    assert hi("Where does Ben really think the pear is?", claim) == "green_box"


def test_who_never_left_is_trusted_by_those_who_did():
    stays = KITCHEN.replace("9 Cat exited the kitchen.\n", "").replace("Ann, Ben and Cat entered the waiting", "Ann and Ben entered the waiting")
    (item,) = hitom.evaluate([{"story": stays + "11 Cat publicly claimed that the pear is in the tin now.", "choices": CHOICES,
                               "question": "Where does Ben really think the pear is?"}])["items"]
    assert item["answer"] == "tin"


def test_one_box_name_in_two_rooms_is_two_boxes():
    story = KITCHEN + "11 Ann, Ben and Cat entered the den.\n12 The fig is in the green_box.\n13 Ann exited the den.\n"
    assert ask(story, "Where does Ann think the pear is?") == "blue_box"
    assert ask(story, "Where does Ann think the fig is?") == "green_box"


@pytest.mark.parametrize("choices", [CHOICES, ["blue_box", "green_box"], {"A": "blue_box", "B": "green_box"}, "A) blue_box; B) green_box"])
def test_choices_in_any_usual_form(choices):
    assert list(hitom.choices_of(choices).values())[:2] == ["blue_box", "green_box"]


def test_generated_stories_agree_with_their_simulator():
    first = tomi.evaluate(tomi_generate.stories(7, 300))
    assert first["accuracy"] >= 0.995 and not first["unparsed"]
    assert set(first["by_type"]) == {"order 1", "order 2", "really", "beginning"}
    assert first["baselines"]["always where it really is"] < 0.9
    second = hitom.evaluate(hitom_generate.stories(7, 300)["data"])
    assert second["accuracy"] == 1.0 and not second["unparsed"]
    assert {g.split(",")[0] for g in second["by_type"]} == {f"order {k}" for k in range(5)}
    assert second["baselines"]["as the last person of the chain alone"] < 0.95


def test_commands_write_json_and_name_bad_input(tmp_path, capsys):
    lines = tmp_path / "s.jsonl"
    lines.write_text(json.dumps({"story": SALLY, "question": "Where will Lily look for the hat?"}) + "\n")
    out = tmp_path / "r.json"
    assert main(["eval", "tomi", "--stories", str(lines), "--output", str(out)]) == 0
    result = json.loads(out.read_text())
    assert result["accuracy"] is None and result["items"][0]["answer"] == "blue_box"
    assert sum(result["items"][0]["p"].values()) == pytest.approx(1.0, abs=1e-4)
    lines.write_text("{}\n")
    assert main(["eval", "tomi", "--stories", str(lines)]) == 2
    assert "line 1" in capsys.readouterr().err
    bad = tmp_path / "h.json"
    bad.write_text('{"data": [{"story": ""}]}')
    assert main(["eval", "hitom", "--stories", str(bad)]) == 2
    assert "data[0]" in capsys.readouterr().err
    with pytest.raises(UsageError, match="cannot read"):
        hitom.read_file(tmp_path / "none.json")
