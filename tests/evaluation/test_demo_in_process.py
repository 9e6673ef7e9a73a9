"""The story in one process: what it leaves behind, and what it refuses."""

import json

from evaluation import cli

SMALL = ["--in-process", "--quiet", "--perception", "simulator", "--home", "maple", "--width", "160", "--height", "120", "--rate", "2"]


def test_a_story_in_one_process_is_judged_told_and_drawn(tmp_path):
    code = cli.main(["demo", *SMALL, "--story", "false_belief_twin", "--output", str(tmp_path / "twin")])
    verdict = json.loads((tmp_path / "twin" / "verdict.json").read_text())
    assert code == (0 if verdict["right"] else 1) and verdict["needed"] is False and verdict["false_corrections"] == 0
    told = (tmp_path / "twin" / "timeline.txt").read_text()
    assert "Alice" in told and (tmp_path / "twin" / "storyboard.png").stat().st_size > 10_000 and not (tmp_path / "twin" / "bag").exists()


def test_what_one_process_cannot_play_is_refused_and_leaves_nothing(tmp_path, capsys):
    code = cli.main(["demo", *SMALL, "--story", "false_belief", "--perception", "symbolic", "--output", str(tmp_path / "no")])
    assert code == 2 and "perception simulator or detector" in capsys.readouterr().err and not any(tmp_path.iterdir())
