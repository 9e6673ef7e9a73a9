"""``heed bench``: what it splits a step into, and what it prints of it. Values and structure only: how long things take is not for a test to say."""

import argparse

import pytest

from evaluation.commands import bench

STAGES = ["check", "lift", "places", "openness", "people", "things", "voxels", "events", "relations", "visibility", "graph"]


def test_a_step_is_split_where_its_stages_begin():
    ticks = iter([1.0, 1.5, 3.5, 4.0, 10.0, 10.25])
    clock = bench.StageClock(lambda: next(ticks))
    for stage in ("lift", "places", "lift", "end"):
        clock(stage)
    for stage in ("lift", "end"):
        clock(stage)
    assert clock.spans == {"lift": 0.5 + 0.5 + 0.25, "places": 2.0}, "a stage that comes again adds to itself; what is after the end belongs to none"


def test_stages_of_perception_stand_below_it_and_its_target_beside_it():
    row = {"p50": 14.0, "p95": 20.0}
    lines = bench.table({"detect": row, bench.GEOMETRY: row, bench.PART + "lift": row, bench.PART + "graph": row, "mind and planner": row})
    assert [line.split("p50")[0].rstrip() for line in lines] == ["detect", "scene graph", "  lift", "  graph", "mind and planner"]
    assert [i for i, line in enumerate(lines) if "wanted" in line] == [1] and lines[1].endswith("wanted: 15 ms, met")
    assert bench.table({bench.GEOMETRY: {"p50": 15.1}})[0].endswith("missed")


@pytest.fixture(scope="module")
def stages():
    parser = argparse.ArgumentParser()
    bench.configure(parser)
    return bench._stages(parser.parse_args(["--frames", "3", "--width", "64", "--height", "48"]))


def test_every_stage_of_the_step_is_timed_in_its_order(stages):
    names = list(stages)
    at = names.index(bench.GEOMETRY)
    assert names[:at] == ["render (not the stack)", "detect"] and names[at + 1 + len(STAGES):] == ["mind and planner", "frame to decision"]
    assert names[at + 1:at + 1 + len(STAGES)] == [bench.PART + stage for stage in STAGES]
    assert all(set(row) == {"p50", "p95", "p99"} and min(row.values()) >= 0.0 for row in stages.values())
