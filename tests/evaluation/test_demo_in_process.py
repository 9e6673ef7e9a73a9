"""The story in one process: what it leaves behind, and what it refuses."""

import json
import signal
import subprocess
import sys
import time

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


def test_a_story_that_is_told_to_end_leaves_nothing_half_written(tmp_path):
    run = subprocess.Popen([sys.executable, "-m", "evaluation.cli", "demo", *SMALL, "--story", "false_belief", "--output", str(tmp_path / "told")],
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + 60
        while not list(tmp_path.glob(".told_*")):
            assert run.poll() is None and time.monotonic() < deadline, "no story began"
            time.sleep(0.05)
        run.send_signal(signal.SIGTERM)
        assert run.wait(60) == 128 + signal.SIGTERM
    finally:
        run.kill()
    assert not any(tmp_path.iterdir())


def test_only_a_command_that_runs_answers_to_being_ended():
    before = signal.getsignal(signal.SIGTERM)
    with cli._asked_to_end():
        inside = signal.getsignal(signal.SIGTERM)
    assert signal.getsignal(signal.SIGTERM) is before and (inside is not before) == (before is signal.SIG_DFL)
