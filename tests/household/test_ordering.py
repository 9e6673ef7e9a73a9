from hypothesis import given
from hypothesis import strategies as st

from household.actions import HumanAction, Utterance, Verb
from household.ordering import Orderer
from household.scene_graph import ROBOT, SceneGraph


def event(t, actor="alice"):
    return HumanAction(actor, Verb.OPEN, "fridge_1", start=t, end=t)


def recording(seed):
    """A stream as it was published: per frame its events, then the graph; the robot's acts and words in between."""
    import random

    rng, items, count = random.Random(seed), [], 0
    for i in range(1, 12):
        t = float(i)
        for _ in range(rng.randrange(3)):
            items.append(event(t - 0.1))
            count += 1
        items.append(SceneGraph(t, event_count=count))
        if rng.random() < 0.4:
            items.append(event(t + 0.0, ROBOT))
        if rng.random() < 0.4:
            items.append(Utterance(ROBOT, "hello", t))
    return items


def run(items):
    orderer = Orderer()
    return [step for item in items for step in orderer.add(item)]


@given(st.integers(0, 200), st.randoms())
def test_topics_may_overtake_each_other(seed, rng):
    items = recording(seed)
    kinds = {}
    for item in items:
        kinds.setdefault((type(item), getattr(item, "actor", None) == ROBOT), []).append(item)
    queues, shuffled = list(kinds.values()), []
    while any(queues):  # any interleaving of the topics in which the robot's own acts and words are not late
        own = [q for q in queues if q and not isinstance(q[0], SceneGraph)]
        graphs = [q for q in queues if q and isinstance(q[0], SceneGraph)]
        pick = rng.choice(own) if own and (not graphs or rng.random() < 0.8 or _stamp(own[0][0]) < graphs[0][0].stamp) else graphs[0]
        late = [q for q in own if (isinstance(q[0], Utterance) or q[0].actor == ROBOT) and _stamp(q[0]) < (pick[0].stamp if isinstance(pick[0], SceneGraph) else -1)]
        shuffled.append((late[0] if late else pick).pop(0))
    assert run(shuffled) == run(items)


def _stamp(item):
    return item.stamp if isinstance(item, (Utterance, SceneGraph)) else item.start


def test_a_step_waits_for_its_events_and_takes_only_its_own():
    orderer = Orderer()
    assert orderer.add(SceneGraph(1.0, event_count=0))[0].events == ()
    assert orderer.add(SceneGraph(2.0, event_count=1)) == []
    [step] = orderer.add(event(1.9))
    assert step.graph.stamp == 2.0 and step.events == (event(1.9),)


def test_a_lost_event_does_not_stop_the_robot_for_ever():
    orderer = Orderer(patience=2)
    orderer.add(SceneGraph(0.5))
    out = [s for i in range(1, 6) for s in orderer.add(SceneGraph(float(i), event_count=1))]
    assert [s.graph.stamp for s in out][:1] == [1.0] and orderer.lost == 1


def test_joining_late_waits_for_nothing_old():
    assert len(Orderer().add(SceneGraph(60.0, event_count=41))) == 1


def test_a_graph_that_is_sent_again_makes_no_second_step():
    """With the events gone to the first, the second would stand in its place without them."""
    orderer = Orderer()
    orderer.add(SceneGraph(0.5))
    orderer.add(event(0.9))
    assert len(orderer.add(SceneGraph(1.0, event_count=1))) == 1
    assert orderer.add(SceneGraph(1.0, event_count=1)) == []
    assert [s.graph.stamp for s in orderer.add(SceneGraph(1.5, event_count=1))] == [1.5]
