"""``heed demo --seeds``: which runs, with which pictures, and what is left of them when it is stopped."""

import argparse
import json
import subprocess
from pathlib import Path

import pytest

from evaluation.commands import demo
from evaluation.demo import table


@pytest.fixture
def played(monkeypatch):
    """Cases in the order in which they were played; the third goes wrong."""
    cases = []

    def one(case, args):
        cases.append(case)
        return {"story": case.story, "home": case.home, "seed": case.seed, "right": len(cases) != 3, "delay": 0.5, "reason": "", "acts": []}

    monkeypatch.setattr(table, "_one", one)
    return cases


def _args(tmp_path, *words):
    parser = argparse.ArgumentParser()
    demo.configure(parser)
    return parser.parse_args(["--output", str(tmp_path / "out"), *words])


def test_seeds_go_on_from_the_seed_given_and_every_home_of_a_seed_comes_before_the_next(tmp_path, played):
    table.run(_args(tmp_path, "--seed", "7", "--seeds", "2", "--homes", "harbor", "maple"))
    assert [(c.seed, c.home) for c in played[::2]] == [(7, "harbor"), (7, "maple"), (8, "harbor"), (8, "maple")]


def test_the_table_is_written_after_every_run(tmp_path, monkeypatch, played):
    one = table._one

    def stopped(case, args):
        if len(played) == 2:
            raise KeyboardInterrupt
        return one(case, args)

    monkeypatch.setattr(table, "_one", stopped)
    with pytest.raises(KeyboardInterrupt):
        table.run(_args(tmp_path, "--seeds", "2", "--homes", "harbor"))
    written = json.loads((tmp_path / "out" / "table.json").read_text())
    assert written["count"] == len(written["runs"]) == 2


def test_a_wrong_run_is_a_failure_and_the_summary_says_how_sure_the_share_is(tmp_path, played, capsys):
    assert table.run(_args(tmp_path, "--seeds", "2", "--homes", "harbor")) == 1
    assert "1/2 right (95 %: 9 to 91 %)" in capsys.readouterr().out


@pytest.mark.parametrize("words, said", [
    ((), "640x480 at 3 Hz, sensor noise, perception detector"),
    (("--perception", "simulator"), "320x240 at 4 Hz, perception simulator"),
    (("--width", "160", "--noise", "false"), "160x480 at 3 Hz, perception detector"),
    (("--rate", "2.5", "--noise", "true"), "640x480 at 2.5 Hz, sensor noise, perception detector")])
def test_pictures_are_those_that_the_perception_is_promised_with(tmp_path, played, capsys, words, said):
    table.run(_args(tmp_path, "--seeds", "1", "--homes", "harbor", *words))
    assert said in capsys.readouterr().out


def test_a_run_is_read_from_a_folder_that_is_named_from_where_the_caller_is(tmp_path, monkeypatch):
    """The folder of results, a story and a home may be relative paths."""
    monkeypatch.chdir(tmp_path)

    def played(command, *, cwd=None, **_):
        folder = Path(cwd or ".") / command[command.index("--output") + 1]
        folder.mkdir(parents=True)
        (folder / "verdict.json").write_text(json.dumps({"right": True, "delay": 0.5, "reason": "helped in time", "acts": []}))
        return subprocess.CompletedProcess(command, 0, "", "")

    monkeypatch.setattr(table.subprocess, "run", played)
    args = _args(tmp_path, "--seeds", "1", "--homes", "harbor")
    args.output = Path("results")
    assert table.run(args) == 0 and (tmp_path / "results" / "table.json").is_file()
