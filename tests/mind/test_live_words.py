"""Words that cannot be used, through the live step: kept as heard, marked, and nobody's belief or aim moves."""

from __future__ import annotations

from dataclasses import replace

import pytest

from household.actions import Utterance
from household.ordering import StepInput
from household.speech import ActKind
from mind.config import MindConfig
from mind.live import LiveState, live_step
from tests.mind.kitchen_story import graph

TOGETHER = {"alice": "kitchen", "david": "kitchen"}


def moment(stamp: float, *said: Utterance) -> StepInput:
    return StepInput(graph(stamp, "kitchentable_1", TOGETHER, ("alice", "david")), (), said)


def after(*said: Utterance):
    """(minds without the words, minds with them)."""
    state = LiveState()
    for stamp in (1.0, 2.0, 3.0):
        state, _ = live_step(state, moment(stamp), MindConfig())
    return live_step(state, moment(3.2), MindConfig())[1], live_step(state, moment(3.2, *said), MindConfig())[1]


def says(text: str, speaker: str = "david") -> Utterance:
    return Utterance(speaker, text, 3.1, hearers=("alice", "robot") if speaker == "david" else ("alice", "david", "robot"))


@pytest.mark.parametrize("said, why", [
    (says("Blorf the wug quickly."), "could not read"),
    (says("Ünglaublich, 苹果 in dem Kühlschrank!!"), ""),
    (says("The book is in the fridge.", speaker="carol"), "carol"),
    (says("The book is in the fridge and it is in the cabinet in the living room."), "one breath"),
    (says("The book is in the fridge. The book is not in the fridge."), "one breath"),
    (says("The book is in the book."), "itself"),
    (says("The book is next to the mug and the mug is next to the book."), "neither"),
    (says("The book is by the mug. The mug is by the plate. And the plate is next to the book."), "neither"),
    (says("It is in it."), "nothing was mentioned"),
], ids=["no sentence", "another language", "nobody seen", "two places", "yes and no", "in itself", "each by the other", "round in a ring", "it in it"])
def test_what_cannot_be_used_is_kept_as_heard_and_believed_by_nobody(said, why):
    before, minds = after(said)
    assert minds.acts and all(not a.understood and a.text == said.text and a.speaker == said.speaker for a in minds.acts)
    assert why in minds.acts[0].reason and minds.acts[0].reason
    assert minds.robot == before.robot
    for name, person in minds.people.items():
        assert person.beliefs == before.people[name].beliefs
        assert person.social == before.people[name].social and person.nested == before.people[name].nested
        assert person.goals == before.people[name].goals


def test_the_same_words_from_somebody_who_is_there_are_believed():
    before, minds = after(says("The book is in the fridge."))
    assert minds.acts[0].understood
    assert after(says("The book is next to the mug."))[1].acts[0].place == "kitchentable_1"
    assert minds.people["alice"].beliefs["book_1"].get("fridge_1", 0) > before.people["alice"].beliefs["book_1"].get("fridge_1", 0) + 0.4


def test_what_the_robot_was_out_of_earshot_of_reaches_nothing():
    whispered = Utterance("david", "Could you bring me the mug? The book is in the fridge.", 3.1, hearers=("alice",))
    before, minds = after(whispered)
    assert minds.acts == () and minds.people["alice"].beliefs == before.people["alice"].beliefs
    assert after(Utterance("david", whispered.text, 3.1))[1].acts, "heard, as far as anybody knows"


def test_a_voice_from_somebody_unseen_can_ask_and_wish():
    _, minds = after(says("Could you bring me the mug?", speaker="carol"), says("Where is the apple?", speaker="carol"))
    assert [(a.kind, a.understood, a.object) for a in minds.acts] == [(ActKind.REQUEST, True, "mug_1"), (ActKind.ASK_LOCATION, True, "apple_1")]
    assert "carol" not in minds.people, "a voice alone is nobody to have beliefs about"


@pytest.mark.parametrize("held_unseen", [True, False])
def test_who_stands_before_the_place_they_are_told_of_has_not_found_it_missing_where_the_robot_believes_the_word(held_unseen):
    """She put it down behind her back: the graph has it in her hand until somebody sees it again."""
    def at(stamp, *said):
        shown = graph(stamp, "david" if held_unseen else "fridge_1", TOGETHER, ("alice", "david"), robot_room="livingroom", in_view=("alice",))
        return StepInput(replace(shown, sees={v: seen - {"apple_1"} for v, seen in shown.sees.items()}), (), said)

    state = LiveState()
    for stamp in (1.0, 2.0, 3.0):
        state, _ = live_step(state, at(stamp), MindConfig())
    state, minds = live_step(state, at(3.2, says("The apple is on the kitchen counter.")), MindConfig())
    assert minds.acts[0].understood and minds.robot["apple_1"]["kitchencounter_1"] > 0.5
    for stamp in (3.6, 4.0):
        state, minds = live_step(state, at(stamp), MindConfig())
        assert minds.people["alice"].beliefs["apple_1"]["kitchencounter_1"] > 0.5
