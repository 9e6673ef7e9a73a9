"""Names over many looks: what is called what, when a detector is in two minds."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from household.camera import CameraModel
from perception import naming
from perception.config import PerceptionConfig, suited
from perception.detectors.base import Detection
from perception.frame import FrameInput
from perception.pipeline import initial_state, step
from perception.thing_track import was_believed_in

CAMERA = CameraModel.from_fov(160, 120, 75)
POSE = np.array([[0, 0, 1, 0], [-1, 0, 0, 0], [0, -1, 0, 1.2], [0, 0, 0, 1.0]])


def look(stamp, *seen):
    """``seen``: (left, names) of a patch of 12×12 pixels two metres away."""
    depth = np.full((120, 160), 2.0, np.float32)
    found = tuple(Detection(names[0][0], 0.8 * names[0][1], np.ones((12, 12), bool), (left, 50), names=tuple(names)) for left, names in seen)
    return FrameInput(stamp, np.zeros((120, 160, 3), np.uint8), depth, CAMERA, POSE, detections=found)


def watch(frames):
    memory, called = (), []
    for frame in frames:
        settled = naming.settle(memory, frame)
        memory = settled.memory
        called.append([d.cls for d in settled.detections])
    return memory, called


def test_one_doubtful_look_does_not_change_a_name():
    sure, doubt = [("apple", 0.7), ("orange", 0.3)], [("orange", 0.55), ("apple", 0.45)]
    _, called = watch([look(t, (40, doubt if t == 4 else sure)) for t in range(1, 8)])
    assert called == [["apple"]] * 7


def test_the_looks_of_one_view_outweigh_those_of_another_only_so_far_however_many_they_are():
    """What it was called on the counter stands beside what forty pictures from one side call it on the table."""
    memory, _ = watch([look(1, (40, [("potato", 0.9), ("apple", 0.1)]))])
    memory = naming.pooled(memory, memory[0].centre, {"apple": 0.97, "orange": 0.03}, 6, "apple")
    for t in range(2, 42):
        memory = naming.settle(memory, look(t, (40, [("potato", 0.9), ("apple", 0.1)]))).memory
    assert memory[0].called == "apple" and memory[0].by_all["apple"] == pytest.approx((2 * 0.97 + 0.25) / 3, abs=0.02)
    assert sum(memory[0].by_all.values()) == pytest.approx(1.0, abs=0.02)


def test_many_looks_correct_a_first_mistake():
    wrong, right = [("orange", 0.7), ("potato", 0.3)], [("potato", 0.8), ("orange", 0.2)]
    frames = [look(t, (40, wrong if t == 1 else right)) for t in range(1, 6)]
    memory, called = watch(frames)
    assert called[0] == ["orange"] and called[-1] == ["potato"]
    changed = [naming.settle(watch(frames[:k])[0], frames[k]).mistakes for k in range(1, 5)]
    mistakes = [m for row in changed for m in row]
    assert [m.cls for m in mistakes] == ["orange"]
    assert mistakes[0].concerns("orange", memory[0].centre) and not mistakes[0].concerns("potato", memory[0].centre)
    assert not mistakes[0].concerns("orange", np.add(memory[0].centre, 1.0))


def test_a_neighbour_called_by_a_things_name_by_mistake_does_not_make_the_thing_forgotten():
    table, chair = [("kitchentable", 0.95), ("chair", 0.05)], [("chair", 0.9), ("kitchentable", 0.1)]
    memory, called = watch([look(1, (30, table), (52, [("kitchentable", 0.7), ("chair", 0.3)])), *(look(t, (30, table), (52, chair)) for t in range(2, 6))])
    assert called[0] == ["kitchentable"] * 2 and called[-1] == ["kitchentable", "chair"]
    (first, second) = sorted(memory, key=lambda o: -o.centre[1])
    wrong = naming.Mistake("kitchentable", "chair", second.centre, second.extent)
    assert naming.vouched(memory, wrong, first.centre) and not naming.vouched(memory, wrong, np.add(second.centre, (0, -0.1, 0)))


def test_an_old_opinion_beside_a_thing_does_not_keep_its_name_when_the_one_about_it_changes():
    memory, _ = watch([look(t, (40, [("plate", 0.9), ("pancake", 0.1)])) for t in (1, 2)])
    stale = naming.Opinion(tuple(np.add(memory[0].centre, (0, 0.1, 0))), 0.15, {"plate": 1.0}, "plate", 2, 0.0)
    wrong = naming.Mistake("plate", "pancake", tuple(memory[0].centre), memory[0].extent)
    assert not naming.vouched((*memory[1:], stale), wrong, memory[0].centre)
    assert naming.vouched((*memory[1:], stale), wrong, stale.centre)


def test_a_doubtful_name_waits_for_a_second_look():
    doubt = [("mug", 0.4), ("potato", 0.35)]
    assert watch([look(t, (40, doubt)) for t in (1, 2, 3)])[1] == [[], ["mug"], ["mug"]]
    assert watch([look(1, (40, [("mug", 0.9)]))])[1] == [["mug"]]


def test_neighbours_keep_their_own_names():
    memory, called = watch([look(t, (20, [("potato", 0.8), ("mug", 0.2)]), (100, [("mug", 0.7), ("potato", 0.3)])) for t in range(1, 5)])
    assert called == [["potato", "mug"]] * 4 and len(memory) == 2 and {o.looks for o in memory} == {4}


def test_a_score_is_that_of_the_name_it_goes_by():
    memory = naming.settle((), look(1, (40, [("potato", 0.9), ("orange", 0.1)]))).memory
    (found,) = naming.settle(memory, look(2, (40, [("orange", 0.5), ("potato", 0.5)]))).detections
    assert found.cls == "potato" and abs(found.score - 0.8 * 0.7) < 1e-6


def test_of_two_names_alike_the_commoner_one_is_taken():
    assert watch([look(t, (40, [("potato", 0.5), ("apple", 0.45)])) for t in (1, 2)])[1][-1] == ["apple"]
    assert watch([look(t, (40, [("potato", 0.8), ("apple", 0.2)])) for t in (1, 2)])[1][-1] == ["potato"]


def test_what_lay_here_lends_its_name_to_nothing_once_it_is_elsewhere():
    mug = [("mug", 0.9), ("candle", 0.1)]
    memory, _ = watch([look(t, (40, mug)) for t in (1, 2, 3)])
    paper = look(4, (40, [("newspaper", 0.8), ("mug", 0.05)]))
    assert [d.cls for d in naming.settle(memory, paper).detections] == ["mug"]
    gone = naming.left(memory, "mug", memory[0].centre, 4.0)
    assert gone == () and [d.cls for d in naming.settle(gone, paper).detections] == ["newspaper"]
    assert naming.left(memory, "mug", memory[0].centre, 3.0) == memory  # it shows there
    assert naming.left(memory, "apple", memory[0].centre, 4.0) == naming.left(memory, "mug", np.add(memory[0].centre, 0.5), 4.0) == memory


def test_a_new_thing_beside_another_does_not_get_its_name():
    """A plate, overlooked in the very frame in which an apple is put down a foot from it."""
    plate, apple = [("plate", 0.95), ("dishbowl", 0.05)], [("apple", 0.8), ("orange", 0.2)]
    memory, called = watch([look(1, (40, plate)), look(1.3, (40, plate)), look(1.6, (60, apple))])
    assert called == [["plate"], ["plate"], ["apple"]] and len(memory) == 2
    memory, called = watch([look(1, (40, plate)), look(1.3, (40, plate)), look(1.6, (60, [("plate", 0.6), ("dishbowl", 0.4)]))])
    assert called[-1] == ["plate"] and len(memory) == 1  # the plate itself, moved


def test_what_stands_beside_where_a_thing_lay_does_not_get_its_name_when_that_is_taken():
    """An apple is taken from beside a bottle, of which an arm makes two detections for a moment."""
    apple, bottle = [("apple", 0.9), ("orange", 0.1)], [("condimentbottle", 1.0)]
    memory, called = watch([*(look(t, (40, apple), (49, bottle)) for t in (1, 2, 3)), look(4, (49, bottle), (50, bottle)), look(5, (49, bottle))])
    assert called[-2:] == [["condimentbottle"] * 2, ["condimentbottle"]]


def carried(names, left, stamp, wrist=None):
    """A patch at ``left``, and the wrist of whoever holds it (where the patch's middle is, unless said otherwise)."""
    frame = look(stamp, (left, names))
    return frame, np.array([naming.middle_of(frame.detections[0], frame)[0] if wrist is None else wrist])


BANANA = [("banana", 0.83), ("carrot", 0.17)], [("carrot", 0.6), ("banana", 0.4)], [("carrot", 0.6), ("orange", 0.3), ("banana", 0.08)]


def test_what_a_walking_hand_carries_is_one_thing_whatever_it_is_called():
    memory, called = (), []
    for i, names in enumerate(BANANA):  # 0.6 m from look to look
        frame, wrists = carried(names, 20 + 31 * i, 0.4 * i)
        settled = naming.settle(memory, frame, wrists)
        memory, called = settled.memory, [*called, *(d.cls for d in settled.detections)]
    (one,) = memory
    assert one.looks == 3 and called == ["banana"] * 3 and one.hand is not None
    memory = ()
    for i, names in enumerate(BANANA):  # in nobody's hand it would be another each time
        memory = naming.settle(memory, carried(names, 20 + 31 * i, 0.4 * i)[0]).memory
    assert len(memory) == 3


def test_what_lay_under_a_hand_is_not_what_the_hand_has_next():
    apple, mug = [("apple", 1.0)], [("mug", 1.0)]
    memory = ()
    for t in (0.0, 0.4):
        frame, _ = carried(apple, 20, t)
        memory = naming.settle(memory, frame).memory
    frame, wrists = carried(apple, 20, 0.8)
    memory = naming.settle(memory, frame, wrists).memory
    frame, wrists = carried(mug, 45, 1.2)
    memory = naming.settle(memory, frame, wrists).memory
    assert {o.called for o in memory} == {"apple", "mug"} and {o.looks for o in memory} == {3, 1}


def test_what_has_the_name_goes_before_what_another_hand_shows():
    memory = naming.settle((), *carried([("medicine", 1.0)], 20, 0.0)).memory
    frame = look(0.4, (38, [("medicine", 1.0)]), (45, [("mug", 1.0)]))
    middles = [naming.middle_of(d, frame)[0] for d in frame.detections]
    memory = naming.settle(memory, frame, np.array([middles[1]])).memory
    assert {o.called: o.looks for o in memory} == {"medicine": 2, "mug": 1}


def test_since_when_something_has_lain_there_is_told_until_it_moves():
    apple, told, memory = [("apple", 0.9), ("orange", 0.1)], [], ()
    for t, left in ((1, 40), (2, 40), (3, 41), (4, 55), (5, 55)):  # 0.15 m aside, then still again
        settled = naming.settle(memory, look(t, (left, apple)))
        memory = settled.memory
        told += [d.shown_since for d in settled.detections]
    assert told == [1, 1, 1, 4, 4]


def test_a_faint_look_at_a_small_thing_says_less_of_a_name():
    plain, wrists = carried([("banana", 1.0)], 40, 0.0)
    faint, _ = carried([("carrot", 1.0)], 40, 0.4)
    faint = FrameInput(0.4, faint.color, faint.depth, CAMERA, POSE, detections=tuple(replace(d, score=0.1) for d in faint.detections))
    (one,) = naming.settle(naming.settle((), plain, wrists).memory, faint, wrists).memory
    share = 0.1 / 0.9
    assert abs(one.names["carrot"] - share) < 1e-6 and abs(one.names["banana"] - (1 - share)) < 1e-6
    (one,) = naming.settle(naming.settle((), plain).memory, faint).memory  # on a table too
    assert abs(one.names["carrot"] - share) < 1e-6


def test_looks_at_furniture_count_alike(monkeypatch):
    monkeypatch.setattr(naming, "SMALL", 0.01)
    plain, faint = carried([("banana", 1.0)], 40, 0.0)[0], carried([("carrot", 1.0)], 40, 0.4)[0]
    faint = FrameInput(0.4, faint.color, faint.depth, CAMERA, POSE, detections=tuple(replace(d, score=0.1) for d in faint.detections))
    (one,) = naming.settle(naming.settle((), plain).memory, faint).memory
    assert one.names == {"banana": 0.5, "carrot": 0.5}


@pytest.mark.parametrize("later, kept", [(1.0, True), (4.0, False)])
def test_what_a_hand_had_is_soon_no_longer_where_that_hand_was(later, kept):
    frame, wrists = carried([("chips", 1.0)], 40, 0.0)
    memory = naming.settle((), frame, wrists).memory
    memory = naming.settle(memory, look(later, (40, [("fork", 0.6), ("chips", 0.4)]))).memory
    assert len(memory) == (1 if kept else 2) and max(o.looks for o in memory) == (2 if kept else 1)


def test_people_and_what_has_no_second_opinion_pass_unchanged():
    frame = look(1, (40, [("person", 0.9), ("plant", 0.1)]))
    plain = Detection("apple", 0.5, np.ones((3, 3), bool), (0, 0))
    frame = FrameInput(1.0, frame.color, frame.depth, CAMERA, POSE, detections=(*frame.detections, plain))
    assert naming.settle((), frame).detections == frame.detections
    blind = FrameInput(1.0, frame.color, frame.depth, CAMERA, None, detections=look(1, (40, [("apple", 1.0)])).detections)
    assert naming.settle((), blind) == naming.Settled((), blind.detections)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 148), st.sampled_from(["apple", "orange", "mug"]), st.floats(0.1, 1.0)), max_size=6),
       st.integers(1, 30))
def test_masks_and_order_stay_and_memory_is_bounded(seen, times):
    frames = [look(t, *[(left, [(cls, p)]) for left, cls, p in seen]) for t in range(1, times + 1)]
    memory = ()
    for frame in frames:
        settled = naming.settle(memory, frame)
        memory, found, given_ = settled.memory, settled.detections, list(frame.detections)
        for d in found:  # a subsequence, with other names at most
            while given_.pop(0).mask is not d.mask:
                pass
            assert 0.0 <= d.score <= 1.0
    assert len(memory) <= len(seen) * times and len(memory) <= 400


def test_what_suits_a_detector_yields_to_what_the_user_set():
    tuned = suited(PerceptionConfig(confirm_frames=5), {"detection_rate": 0.6, "confirm_frames": 3})
    assert tuned.detection_rate == 0.6 and tuned.confirm_frames == 5 and suited(PerceptionConfig(), {}) == PerceptionConfig()


def painted(frame, left, colour):
    """The frame with that patch in a colour."""
    color = frame.color.copy()
    color[50:62, left:left + 12] = colour
    return replace(frame, color=color)


def test_what_looks_quite_different_at_a_place_is_another_thing_and_takes_nobodys_name():
    paper, book = [("newspaper", 0.9), ("book", 0.1)], [("book", 0.95), ("notebook", 0.05)]
    frames = [painted(look(t, (40, paper)), 40, (210, 210, 205)) for t in range(1, 6)]
    alike = [painted(look(t, (40, book)), 40, (210, 210, 205)) for t in range(6, 30)]
    other = [painted(look(t, (40, book)), 40, (180, 30, 40)) for t in range(6, 30)]
    memory, called = watch([*frames, *alike])
    assert len(memory) == 1 and called[-1] == ["book"]  # the same thing, of which more looks give another name
    memory, called = watch([*frames, *other])
    assert {o.called for o in memory} == {"newspaper", "book"} and called[-1] == ["book"]
    assert not any(naming.settle(watch([*frames, *other[:k]])[0], other[k]).mistakes for k in range(len(other)))


@pytest.mark.parametrize("gap, apart, first", [(0.0, 0.2, 3), (0.24, 0.2, 5), (0.24, 0.4, 3)])
def test_pictures_in_quick_succession_make_the_same_mistake_and_count_once(gap, apart, first):
    """A detector that finds an apple in every picture, ``apart`` s each: the picture from which on it is told of, three looks that count being needed."""
    config, state, told = suited(PerceptionConfig(), {"confirm_frames": 3, "look_gap": gap}), initial_state(), []
    for i in range(8):
        state, graph, _ = step(state, look(1.0 + apart * i, (40, [("apple", 0.7), ("orange", 0.3)])), config)
        told.append(bool(graph.objects()))
    assert told == [i + 1 >= first for i in range(8)]
    (apple,) = state.things
    assert was_believed_in(apple, config) and apple.hits == 1 + int(7 * apart / max(0.4, apart) if gap else 7)
