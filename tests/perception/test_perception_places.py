"""Furniture: two pieces taken for one, and what is remembered of a home before it is seen."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from household.scene_graph import Openness, Tracking
from perception import places
from perception.cells import Cells
from perception.config import PerceptionConfig, suited
from perception.detectors.base import FALLIBLE, Detection
from perception.geometry import Box
from perception.home_map import MapError, MapPiece, load
from perception.lifting import lift
from perception.pipeline import initial_state, step
from perception.places import PlaceTrack, _two_in_one, remembered
from perception.thing_track import ThingTrack
from tests.perception.raycast import TWO_ROOMS, Scene, Solid, look

LEFT, RIGHT = Box((0.2, 1.8, 0.35), (0.4, 0.6, 0.7)), Box((0.2, 2.45, 0.35), (0.4, 0.6, 0.7))
EYES = look(2.5, 2.1, np.pi)
STAND = MapPiece("nightstand_1", "nightstand", (4.75, 1.0, 0.28), (0.4, 0.45, 0.55))


def cabinets(as_one):
    names = ("one", "one") if as_one else ("left", "right")
    return Scene([Solid(n, "kitchencabinet", box) for n, box in zip(names, (LEFT, RIGHT))], pose=EYES)


def run(state, scene, stamps):
    for t in stamps:
        state, graph, _ = step(state, scene.frame(t), PerceptionConfig())
    return state, graph


def widths(graph):
    return sorted(round(max(e.extents[:2]), 1) for e in graph.entities.values() if e.cls == "kitchencabinet")


def test_two_pieces_that_were_taken_for_one_come_apart_when_both_are_made_out():
    state, graph = run(initial_state(TWO_ROOMS), cabinets(True), np.arange(0.0, 2.0, 0.4))
    assert widths(graph) == pytest.approx([1.25], abs=0.1)
    state, graph = run(state, cabinets(False), np.arange(2.0, 4.0, 0.4))
    assert widths(graph) == pytest.approx([0.6, 0.6], abs=0.1)
    assert sorted(e.position[1] for e in graph.entities.values() if e.cls == "kitchencabinet") == pytest.approx([1.8, 2.45], abs=0.1)


def test_one_piece_found_twice_stays_one():
    """A detector that tells of a counter and of a part of it has not seen two."""
    counter = Box((0.2, 2.1, 0.45), (0.5, 1.2, 0.9))
    scene = Scene([Solid("counter", "kitchencounter", counter)], pose=EYES)
    state, _ = run(initial_state(TWO_ROOMS), scene, np.arange(0.0, 2.0, 0.4))
    for t in np.arange(2.0, 4.0, 0.4):
        frame = scene.frame(t)
        whole = frame.detections[0]
        half = replace(whole, mask=whole.mask[:, :whole.mask.shape[1] // 2])
        state, graph, _ = step(state, replace(frame, detections=(whole, half)), PerceptionConfig())
    assert [round(max(e.extents[:2]), 1) for e in graph.entities.values() if e.cls == "kitchencounter"] == [1.2]


@pytest.mark.parametrize("frames, width", [(1, 0.6), (4, 1.0)])
def test_a_mask_that_runs_on_into_the_wall_once_makes_no_piece_longer(frames, width):
    """A cupboard that stands out a little from the wall, whose mask takes in 0.6 m of the wall beside it: once a mistake of the eyes, often the piece itself."""
    solids = [Solid("one", "kitchencabinet", Box((0.1, 1.8, 0.35), (0.2, 0.6, 0.7))), Solid("wall", "kitchencabinet", Box((0.1, 2.4, 0.35), (0.2, 0.6, 0.7)))]
    scene = Scene(solids, pose=EYES)
    state = initial_state(TWO_ROOMS)
    for k, t in enumerate(np.arange(0.0, 6.0, 0.4)):
        frame = scene.frame(t)
        own, beside = sorted(frame.detections, key=lambda d: d.instance)
        merged = np.zeros(frame.depth.shape, bool)
        for d in (own, beside) if 8 <= k < 8 + frames else (own,):
            left, top, right, bottom = d.box
            merged[top:bottom, left:right] |= d.mask
        shown = Detection.from_full_mask("kitchencabinet", 0.9, merged, instance="one")
        state, graph, _ = step(state, replace(frame, detections=(shown,)), PerceptionConfig())
    (found,) = [e for e in graph.entities.values() if e.cls == "kitchencabinet"]
    assert found.extents[1] == pytest.approx(width, abs=0.25)


@pytest.mark.parametrize("known, width", [(True, 0.6), (False, 1.1)])
def test_a_mask_that_runs_on_into_the_fridge_makes_no_stove_longer(known, width):
    """Where the fridge beside the stove is well known, however often the mask takes in a part of it."""
    solids = [Solid("stove", "stove", Box((0.3, 1.8, 0.45), (0.6, 0.6, 0.9))), Solid("fridge", "fridge", Box((0.3, 2.4, 0.9), (0.6, 0.6, 1.8)))]
    scene, state = Scene(solids, pose=EYES), initial_state(TWO_ROOMS)
    for k, t in enumerate(np.arange(0.0, 8.0, 0.4)):
        frame = scene.frame(t)
        stove, fridge = sorted(frame.detections, key=lambda d: d.cls, reverse=True)
        merged = np.zeros(frame.depth.shape, bool)
        for d in (stove, fridge) if k >= 8 else (stove,):
            left, top, right, bottom = d.box
            merged[top:bottom, left:right] |= d.mask
        shown = Detection.from_full_mask("stove", 0.9, merged, instance="stove")
        state, graph, _ = step(state, replace(frame, detections=(shown, fridge) if known else (shown,)), PerceptionConfig())
    (found,) = [e for e in graph.entities.values() if e.cls == "stove"]
    assert found.extents[1] == pytest.approx(width, abs=0.2)


def test_furniture_on_the_map_is_known_before_it_is_seen_and_found_under_its_name():
    home = replace(TWO_ROOMS, furniture=(STAND, MapPiece("kitchencabinet_7", "kitchencabinet", LEFT.centre, LEFT.size)))
    state, graph, _ = step(initial_state(home), Scene(pose=look(2.5, 2.1, np.pi / 2)).frame(0.0), PerceptionConfig())
    stand, cabinet = graph.entities["nightstand_1"], graph.entities["kitchencabinet_7"]
    assert not stand.visible and stand.tracking is not Tracking.VISIBLE and stand.openness is Openness.NONE and cabinet.openness is Openness.UNKNOWN
    assert stand.position == pytest.approx(STAND.centre) and graph.room_of("nightstand_1") == "kitchen"
    _, graph = run(state, cabinets(False), np.arange(0.4, 2.0, 0.4))
    assert graph.entities["kitchencabinet_7"].visible and {e.id for e in graph.entities.values() if e.cls == "kitchencabinet"} == {
        "kitchencabinet_7", "kitchencabinet_8"}


def test_furniture_that_was_not_made_out_stays_as_the_map_has_it():
    """Its box is mostly air, as a bed's is above the bedding: that one sees through that does not take it away."""
    home = replace(TWO_ROOMS, furniture=(MapPiece("bed_1", "bed", (1.0, 2.1, 0.5), (2.0, 1.6, 1.0)),))
    _, graph = run(initial_state(home), Scene(pose=EYES), np.arange(0.0, 4.0, 0.2))
    assert graph.entities["bed_1"].extents == pytest.approx((2.0, 1.6, 1.0)) and not graph.entities["bed_1"].visible


def test_a_map_keeps_its_furniture(tmp_path):
    import yaml

    home = replace(TWO_ROOMS, furniture=(STAND,))
    (tmp_path / "map.yaml").write_text(yaml.safe_dump(home.to_dict()))
    assert load(tmp_path / "map.yaml") == home


@pytest.mark.parametrize("piece, words", [
    ("{id: shelf_1, class: shelf, centre: [0, 0, 1], size: [1, 1, 1]}", "'shelf_1' of class 'shelf'"),
    ("{id: apple_1, class: apple, centre: [0, 0, 1], size: [1, 1, 1]}", "an id like fridge_1"),
    ("{id: mine, class: fridge, centre: [0, 0, 1], size: [1, 1, 1]}", "an id like fridge_1"),
    ("{id: fridge_1, class: fridge, centre: [0, 0], size: [1, 1, 1]}", "three metres each"),
    ("{id: fridge_1, class: fridge, centre: [0, 0, 1], size: [1, 0, 1]}", "sizes above 0"),
    ("{id: fridge_1, class: fridge, size: [1, 0, 1]}", "wanted id, class, centre, size, yaw"),
    ("{id: fridge_1, class: fridge, centre: [0, 0, 1], size: [1, 1, 1]}, {id: fridge_1, class: fridge, centre: [2, 0, 1], size: [1, 1, 1]}", "occurs twice"),
])
def test_broken_furniture_is_named(tmp_path, piece, words):
    (tmp_path / "map.yaml").write_text(f"rooms: [{{id: kitchen, low: [0, 0], high: [4, 4]}}]\nfurniture: [{piece}]")
    with pytest.raises(MapError, match="map.yaml") as error:
        load(tmp_path / "map.yaml")
    assert words in str(error.value) and "furniture" in str(error.value)


@pytest.mark.parametrize("openness, pending, kept", [(Openness.OPEN, None, True), (Openness.CLOSED, Openness.OPEN, True), (Openness.CLOSED, None, False)])
def test_a_cupboard_keeps_its_size_while_it_stands_open_though_its_front_is_looked_through(openness, pending, kept):
    """Half of its width is seen past: where the open door was, or the wall of a piece that is narrower than was thought."""
    piece = replace(places.remembered(MapPiece("cabinet_1", "cabinet", (2.0, 1.0, 0.5), (0.5, 1.0, 1.0), 0.0)), openness=openness, pending=pending, mapped=False)
    frame = Scene([], pose=look(4.0, 1.0, np.pi)).frame(1.0)
    wide = piece.cells.points[:, 1] > 1.05
    track = piece
    for _ in range(60):
        wide = track.cells.points[:, 1] > 1.05
        if not wide.any():
            break
        track = places._less(track, wide, frame, (0.0,), PerceptionConfig())
    assert not (track.cells.points[:, 1] > 1.05).any()
    assert (track.body == piece.body) is kept and (kept or track.body.size[1] < 0.75)


@pytest.mark.parametrize("openness, ahead, known, taken", [
    (Openness.UNKNOWN, 0.17, True, True), (Openness.CLOSED, 0.17, True, False),  # of what was shut a moment ago it is the door
    (Openness.UNKNOWN, 0.6, True, False), (Openness.UNKNOWN, 0.17, False, False)])
def test_the_front_of_what_was_seen_whole_once_and_then_in_slivers_is_taken_for_its_front(openness, ahead, known, taken):
    """A fridge whose box has shrunk to what showed of it at the picture's edge."""
    whole = places.remembered(MapPiece("fridge_1", "fridge", (2.0, 1.0, 0.9), (0.68, 0.62, 1.75), 0.0))
    back = Box((1.915, 1.0, 0.9), (0.51, 0.62, 1.75), 0.0)
    cells = whole.cells if known else places.Cells().add(places._surface(back))
    track = replace(whole, body=back, cells=cells, openness=openness, front=0, mapped=False)
    y, z = (a.ravel() for a in np.meshgrid(np.linspace(0.7, 1.3, 9), np.linspace(0.1, 1.7, 9)))
    shown = np.column_stack([np.full(len(y), 2.17 + ahead), y, z])
    assert set(places._belongs(track, shown).tolist()) == {taken}


COUNTER = Box((0.35, 2.1, 0.4), (0.6, 0.6, 0.8))


def appliance(stamps, *names):
    """Frames of one piece at which a detector that is in two minds looks."""
    scene = Scene([Solid("one", names[0][0], COUNTER)], pose=EYES)
    for t in stamps:
        frame = scene.frame(t)
        yield replace(frame, detections=tuple(replace(d, cls=names[0][0], score=0.9 * names[0][1], names=names) for d in frame.detections))


def follow(state, frames, config=suited(PerceptionConfig(), FALLIBLE)):
    graphs = []
    for frame in frames:
        state, graph, _ = step(state, frame, config)
        graphs.append(graph)
    return state, graphs


def test_a_piece_that_turns_out_to_be_another_goes_on_under_its_name_with_what_it_holds():
    state, graphs = follow(initial_state(TWO_ROOMS), appliance(np.arange(0.0, 2.0, 0.3), ("stove", 0.8), ("dishwasher", 0.2)))
    assert "stove_1" in graphs[-1].entities
    (stove,) = [p for p in state.places if p.cls == "stove"]
    known = replace(stove, openness=Openness.CLOSED, opened_at=0.5, front=0, front_learned=True)
    plate = ThingTrack("plate_1", "plate", Box(COUNTER.centre, (0.2, 0.2, 0.03)), Tracking.CONTAINED, 1.0, 1.0, place="stove_1", inside=True, hits=9)
    state = replace(state, places=tuple(known if p is stove else p for p in state.places), things=(plate,))
    state, graphs = follow(state, appliance(np.arange(2.1, 8.0, 0.3), ("dishwasher", 0.95), ("stove", 0.05)))
    (now,) = [p for p in state.places if p.cls in ("stove", "dishwasher")]
    assert (now.id, now.formerly, now.opened_at, now.front_learned) == ("dishwasher_1", ("stove_1",), 0.5, True) and now.hits > stove.hits
    assert [t.place for t in state.things] == ["dishwasher_1"]
    assert any(g.renamed.get("stove_1") == "dishwasher_1" for g in graphs) and "stove_1" not in graphs[-1].entities
    state, _ = follow(state, appliance(np.arange(8.1, 60.0, 0.3), ("stove", 0.99)))
    assert [p.id for p in state.places if p.cls in ("stove", "dishwasher")] == ["stove_1"]  # it gets its name back


def test_what_opens_goes_on_under_no_name_of_what_does_not():
    track = replace(remembered(replace(STAND, id="stove_1", cls="stove")), mapped=False, hits=9)
    assert places.called(track, "kitchentable", (), {})[0] is None
    now, counters = places.called(track, "dishwasher", (track,), {"dishwasher": 2})
    assert (now.id, now.cls, counters["dishwasher"]) == ("dishwasher_3", "dishwasher", 3)
    assert places.called(track, "dishwasher", (replace(track, id="dishwasher_1", cls="dishwasher"),), {})[0] is None  # that is known already
    assert places.called(replace(track, hits=2), "dishwasher", (), {})[0] is None and places.called(replace(track, mapped=True), "dishwasher", (), {})[0] is None


@pytest.mark.parametrize("second, known", [("dishwasher", True), ("chair", False)])
def test_what_surely_opens_is_known_though_no_name_for_it_is_sure(second, known):
    """A stove or a dishwasher; a stove or a chair."""
    _, graphs = follow(initial_state(TWO_ROOMS), appliance(np.arange(0.0, 3.0, 0.3), ("stove", 0.45), (second, 0.4)))
    assert ("stove_1" in graphs[-1].entities) is known


@pytest.mark.parametrize("openness, width, two", [(Openness.CLOSED, 1.2, True), (Openness.OPEN, 1.2, False), (Openness.CLOSED, 0.6, False)])
def test_what_was_taken_for_one_cupboard_is_seen_to_be_two_unless_one_of_them_may_be_its_door(openness, width, two):
    left, right = (SimpleNamespace(points=np.array([[x + 0.06 * i, 0.2, 0.1 * k] for i in range(9) for k in range(8)]), box=Box((x + 0.25, 0.2, 0.35), (0.5, 0.1, 0.7))) for x in (0.0, 0.6))
    track = PlaceTrack("kitchencabinet_1", "kitchencabinet", Cells().add(left.points), Box((0.55, 0.1, 0.35), (width, 0.4, 0.75)), 1.0, hits=9, openness=openness)
    assert _two_in_one(track, left, right) is two


def test_where_few_cells_showed_often_those_that_showed_least_still_shape_nothing():
    """Masks have run on over the counter beside it so often that hardly a quarter of what is known of a stove is surely its own."""
    often, twice, once = (np.array([[x + 0.05 * i, 0.0, 0.0] for i in range(n)]) for x, n in ((0.0, 24), (10.0, 40), (20.0, 36)))
    cells = Cells().add(np.vstack([often, twice, once])).add(np.vstack([often, twice]))
    for _ in range(6):
        cells = cells.add(often)
    assert len(cells) == 100 and cells.solid(6)[:, 0].max() < 15.0
    assert len(cells.add(np.array([[1.15 + 0.05 * i, 0.0, 0.0] for i in range(1, 3)])).solid(1)) == 102  # of what shows for the first time all counts


@pytest.mark.parametrize("large_first", [True, False])
def test_a_mask_that_ran_on_over_the_counter_and_a_stove_in_it_are_the_stove_as_it_was(large_first):
    stove, counter = Box((0.2, 1.0, 0.45), (0.6, 0.6, 0.9)), Box((0.2, 1.6, 0.45), (0.6, 1.8, 0.9))
    boxes = (counter, stove) if large_first else (stove, counter)
    shown = {stove: Cells().add(places._surface(stove)), counter: Cells().add(np.vstack([places._surface(counter), 0.04 + places._surface(counter)]))}
    pieces = [PlaceTrack(f"stove_{n}", "stove", shown[box], box, 1.0, hits=9, openness=Openness.CLOSED) for n, box in enumerate(boxes, start=1)]
    [one] = places._without_doubles(pieces)
    assert one.id == "stove_1" and one.body == stove and one.cells is shown[stove]


@pytest.mark.parametrize("looks, since, anew", [(3, 1.5, True), (8, 1.5, False), (3, 0.2, False), (None, 1.5, False)])
def test_what_was_first_made_out_as_it_opened_is_looked_at_anew_once_nothing_shows_that_it_is_open(looks, since, anew):
    """Half of it showed then, and its door; that says nothing of a cupboard well known before, if only by the map (``looks``: None), nor while it is seen to be open."""
    half = Box((0.45, 1.8, 0.55), (0.5, 0.4, 0.3))
    mapped = remembered(MapPiece("kitchencabinet_1", "kitchencabinet", half.centre, half.size))
    known = replace(mapped, openness=Openness.OPEN, opened_at=8.0, confirmed=10.0 - since, last_seen=9.8, hits=5, looks=mapped.looks if looks is None else looks, steady=4, mapped=False, panel=np.tile(half.centre, (4, 1)), front=0, front_learned=True)
    state = replace(initial_state(TWO_ROOMS), places=(known,), counters={"kitchencabinet": 1})
    found = places.update(state.places, lift(Scene([Solid("one", "kitchencabinet", LEFT)], pose=EYES).frame(10.0), PerceptionConfig()), Scene([], pose=EYES).frame(10.0), {"kitchencabinet": 1},
                          (0.0,), PerceptionConfig()).tracks[0]
    assert (found.id, found.openness, found.hits) == ("kitchencabinet_1", Openness.OPEN, known.hits + 1)  # so it neither leaves the graph nor is forgotten out of view
    assert (abs(found.body.size[2] - 0.7) < 0.1 and found.panel is None) == anew and (found.body == known.body) != anew


def test_so_it_is_told_to_be_shut():
    half = Box((0.45, 1.8, 0.55), (0.5, 0.4, 0.3))
    known = replace(remembered(MapPiece("kitchencabinet_1", "kitchencabinet", half.centre, half.size)), openness=Openness.OPEN, opened_at=8.0, confirmed=9.5, last_seen=9.8, hits=5, looks=3, mapped=False)
    state = replace(initial_state(TWO_ROOMS), places=(known,), counters={"kitchencabinet": 1})
    state, graph = run(state, Scene([Solid("one", "kitchencabinet", LEFT)], pose=EYES), np.arange(10.0, 13.0, 0.3))
    piece = graph.entities["kitchencabinet_1"]
    assert piece.openness is Openness.CLOSED and piece.extents[2] == pytest.approx(0.7, abs=0.1)
