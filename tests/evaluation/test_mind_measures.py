"""The measures themselves: calibration error, recovery's climb, the bench's inputs, and small runs of each on the mind's own people."""

from __future__ import annotations

import json

import numpy as np
import pytest

from evaluation import calibration, embedded_people, mind_bench, model_people, recovery
from household.goals import get
from mind.config import MindConfig
from mind.step import MindState, step


def test_calibration_error_is_zero_for_the_honest_and_large_for_the_boastful():
    rng = np.random.default_rng(0)
    confidence = rng.uniform(0.1, 1.0, 20_000)
    honest = rng.random(20_000) < confidence
    assert calibration.calibration_error(confidence, honest)[0] < 0.02
    error, bins = calibration.calibration_error(np.full(1000, 0.95), rng.random(1000) < 0.5)
    assert error == pytest.approx(0.45, abs=0.05) and sum(b[2] for b in bins) == pytest.approx(1.0)


def test_people_drawn_from_the_model_are_found_calibrated_and_better_than_from_their_last_act(capsys):
    report = calibration.collect("model", 40, 11, MindConfig())
    assert report.ece < 0.08 and report.accuracy > 1.5 * report.accuracy_last > 0
    first, last = report.by_fraction[0], report.by_fraction[-1]
    assert last[0] > 1.5 * first[0] and last[0] > last[1]
    assert report.nll < np.log(12) and "ECE" in calibration.table(report)


def test_overconfident_parameters_show_as_miscalibration():
    """The measure can fail: watching careless people with a model that thinks them flawless."""
    samples = []
    for home, moments in model_people.episodes(15, MindConfig(rationality=0.5, act_noise=0.3), 5):
        for moment, state in model_people.watch(home, moments, MindConfig(rationality=8.0, act_noise=0.001, goal_switch_rate=0.0)):
            p = state.posterior.goals()
            samples.append((p.max(), model_people.GOALS[int(p.argmax())] == moment.goal))
    confidence, hit = np.array([c for c, _ in samples]), np.array([h for _, h in samples])
    assert calibration.calibration_error(confidence, hit)[0] > 0.08


def test_twelve_takes_get_and_put_together_and_sums_to_one():
    state = MindState()
    for inp in mind_bench.inputs(1, 30, 12, 4):
        state, _ = step(state, inp, MindConfig())
    t = next(iter(state.people.values()))
    p = calibration.twelve(t.model.space, t.state.posterior.goals())
    assert p.shape == (12,) and p.sum() == pytest.approx(1.0)


def test_no_samples_is_an_error_not_a_number():
    with pytest.raises(ValueError, match="no act was seen"):
        calibration.summarise("embedded", [[]])


def test_a_person_of_the_embedded_world_is_recorded_the_same_way_twice():
    a, b = (embedded_people.record("maple", 3, limit=12.0) for _ in range(2))
    assert a.goal == b.goal and len(a.stream) == len(b.stream) > 10
    assert [g.to_dict() for g, _ in a.stream[:5]] == [g.to_dict() for g, _ in b.stream[:5]]
    assert all(e.actor == a.person for _, events in a.stream for e in events)
    samples = calibration.watch_recorded(a, MindConfig())
    assert samples and all(s.p.sum() == pytest.approx(1.0) for s in samples) and samples[-1].fraction == 1.0


def test_climbing_finds_the_top_of_a_hill_within_limits():
    def score(config: MindConfig) -> float:
        return -(np.log(config.rationality / 1.7) ** 2) - 2 * np.log(config.metre_cost / 0.5) ** 2

    config, best = recovery.maximise(score, MindConfig(), ("rationality", "metre_cost"), sweeps=4)
    assert config.rationality == pytest.approx(1.7, rel=0.02) and config.metre_cost == pytest.approx(0.5, rel=0.02) and best > -1e-3
    edge, _ = recovery.maximise(lambda c: c.close_habit, MindConfig(), ("close_habit",), sweeps=2)
    assert 0.85 < edge.close_habit <= 1.0


def test_a_planted_parameter_comes_back_from_few_people():
    fit = recovery.recover(25, 2, {"close_habit": 0.4})
    assert fit.values["close_habit"] == pytest.approx(0.4, abs=0.08) and fit.log_likelihood > fit.at_start


def test_misspecified_people_lower_confidence_not_sanity():
    rows = recovery.misspecified(12, 9)
    assert rows["erratic"]["confidence"] < rows["as modelled"]["confidence"]
    assert all(0 <= v <= 1 for row in rows.values() for v in row.values())


def test_people_of_the_model_do_what_they_are_after():
    picked = [(m.act.cls, m.goal) for _, moments in model_people.episodes(20, MindConfig(), 3) for m in moments if m.act.kind.value == "pick"]
    assert len(picked) > 5 and np.mean([get(cls) == goal for cls, goal in picked]) > 0.8


def test_the_bench_feeds_what_it_says(capsys):
    frames = list(mind_bench.inputs(3, 20, 15, 30))
    assert len(frames) == 30 and len(frames[0].graph.people()) == 3 and len(frames[0].graph.objects()) == 20
    assert any(f.events for f in frames)
    cost = mind_bench.measure(2, 10, 10, updates=12, warm=2)
    assert cost.p50 > 0 and cost.p99 >= cost.p95 >= cost.p50
    rows = mind_bench.particle_error((50, 2000), episodes=3)
    assert rows[0]["distance_mean"] == 0 and rows[2]["distance_mean"] < rows[1]["distance_mean"]


def test_commands_write_json_and_refuse_nonsense(tmp_path, capsys):
    out = tmp_path / "c.json"
    assert calibration.main(["--people", "model", "--episodes", "2", "--output", str(out)]) == 0
    assert json.loads(out.read_text())["model"]["episodes"] == 2 and "ECE" in capsys.readouterr().out
    for module in (calibration, recovery):
        with pytest.raises(SystemExit) as stop:
            module.main(["--episodes", "0"])
        assert stop.value.code == 2
    capsys.readouterr()
