"""Matching colour with depth by stamp: nearest wins, late depth is waited for, and every drop is in the books."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from household.sync import ApproximateSynchronizer, SyncConfig


def run(events, **config):
    sync = ApproximateSynchronizer(("color", "depth"), SyncConfig(**config))
    return sync, [m for name, stamp in events for m in sync.add(name, stamp, stamp)]


def test_equal_stamps_match_at_once():
    sync, matches = run([("color", 1.0), ("depth", 1.0), ("depth", 1.1), ("color", 1.1)])
    assert [m.items for m in matches] == [(1.0, 1.0), (1.1, 1.1)]
    assert sync.stats.skew_max == 0 and sync.stats.dropped == {"color": 0, "depth": 0}


def test_steady_offset_needs_no_waiting_once_the_rate_is_known():
    sync = ApproximateSynchronizer(("color", "depth"), SyncConfig(slop=0.03))
    decided_at = {}
    for i in range(30):
        for name, stamp in (("depth", i / 30), ("color", i / 30 + 0.006)):
            for match in sync.add(name, stamp, stamp):
                decided_at[round(match.stamp * 30)] = stamp
                assert match.skew == pytest.approx(0.006)
    assert sync.stats.matched == 30
    assert all(abs(decided_at[i] - (i / 30 + 0.006)) < 1e-9 for i in range(2, 30))


def test_late_depth_is_waited_for():
    events = [("color", 0.0), ("color", 0.1), ("color", 0.2), ("depth", 0.01), ("depth", 0.11), ("depth", 0.21), ("color", 0.3), ("depth", 0.31)]
    _, matches = run(events, slop=0.03, patience=0.5)
    assert [m.items for m in matches] == [(0.0, 0.01), (0.1, 0.11), (0.2, 0.21), (0.3, 0.31)]


def test_nearest_and_not_first_within_slop():
    _, matches = run([("depth", 0.97), ("color", 1.0), ("depth", 1.004), ("color", 1.2), ("depth", 1.2)], slop=0.05)
    assert [m.items for m in matches] == [(1.0, 1.004), (1.2, 1.2)]


def test_depth_that_never_comes_is_counted_and_does_not_block():
    events = [("color", i * 0.1) for i in range(10)] + [("depth", 0.9)]
    sync, matches = run(events, patience=0.25)
    assert [m.items for m in matches] == [(0.9, 0.9)]
    assert sync.stats.dropped["color"] == 9
    assert "9/10" in sync.stats.summary()


def test_beyond_slop_is_no_match():
    sync, matches = run([("color", 1.0), ("depth", 1.06), ("color", 1.12), ("depth", 1.18)], slop=0.05)
    assert matches == [] and sync.stats.dropped["color"] >= 1


def test_time_that_starts_again():
    sync, matches = run([("color", 100.0), ("depth", 100.0), ("color", 0.5), ("depth", 0.5)])
    assert [m.stamp for m in matches] == [100.0, 0.5]
    assert sync.stats.restarts == 1


def test_three_streams():
    sync = ApproximateSynchronizer(("color", "depth", "ids"))
    assert sync.add("color", 1.0, "c") == [] and sync.add("ids", 1.01, "i") == []
    (match,) = sync.add("depth", 1.0, "d")  # no later ids image can be nearer than the one at hand
    assert match.items == ("c", "d", "i") and match.skew == pytest.approx(0.01)


def test_bad_use():
    with pytest.raises(ValueError, match="two or more"):
        ApproximateSynchronizer(("color",))
    with pytest.raises(ValueError, match="slop=2.0"):
        SyncConfig(slop=2.0)
    sync = ApproximateSynchronizer(("a", "b"))
    with pytest.raises(KeyError, match="'c'"):
        sync.add("c", 0.0, None)
    with pytest.raises(ValueError, match="stamp nan"):
        sync.add("a", float("nan"), None)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32 - 1), st.floats(0, 0.02), st.floats(0, 0.3), st.floats(0, 0.3))
def test_whatever_arrives_matches_are_ordered_within_slop_and_used_once(seed, jitter, loss, late):
    rng = np.random.default_rng(seed)
    config = SyncConfig(slop=0.03, patience=0.3, queue=20)
    arrivals = []
    for i in range(60):
        for name in ("color", "depth"):
            stamp = i / 15 + rng.uniform(-jitter, jitter)
            if rng.random() >= loss:
                arrivals.append((stamp + (rng.uniform(0, late) if name == "depth" else 0), name, stamp))
    last = {"color": -1.0, "depth": -1.0}
    sync = ApproximateSynchronizer(("color", "depth"), config)
    matches = []
    for _, name, stamp in sorted(arrivals):
        matches += sync.add(name, stamp, stamp)
    for match in matches:
        color, depth = match.items
        assert abs(color - depth) <= config.slop and match.skew == pytest.approx(abs(color - depth))
        assert color > last["color"] and depth > last["depth"]
        last = {"color": color, "depth": depth}
    waiting = sum(len(s.items) for s in sync._streams.values())
    assert 2 * len(matches) + sum(sync.stats.dropped.values()) + waiting == len(arrivals)
    assert all(len(s.items) <= config.queue for s in sync._streams.values())
