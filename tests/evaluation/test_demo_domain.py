import subprocess
import sys
from contextlib import ExitStack

import pytest
from evaluation.demo import run as module
from evaluation.demo.run import RunError, own_domain

OTHER = """
from contextlib import ExitStack
from evaluation.demo.run import own_domain
with ExitStack() as held:
    print(*[held.enter_context(own_domain()) for _ in range(5)])
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Locks of this test alone: the machine's other runs keep theirs."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(module.tempfile, "tempdir", None)
    monkeypatch.delenv("ROS_DOMAIN_ID", raising=False)
    return tmp_path


def test_two_runs_never_share_a_domain(folder):
    with ExitStack() as held:
        mine = {held.enter_context(own_domain()) for _ in range(60)}
        assert len(mine) == 60
        other = subprocess.run([sys.executable, "-c", OTHER], capture_output=True, text=True, timeout=60, check=True)
    theirs = set(map(int, other.stdout.split()))
    assert len(theirs) == 5 and not mine & theirs


def test_a_domain_is_given_back_where_its_block_ends(folder):
    for _ in range(3):
        with ExitStack() as held:
            assert {held.enter_context(own_domain()) for _ in range(99)} == set(range(1, 100))
            with pytest.raises(RunError, match="1 to 99"), own_domain():
                pass


def test_what_keeps_the_locks_from_being_opened_is_said(folder, monkeypatch):
    monkeypatch.setattr(module.tempfile, "tempdir", str(folder / "nowhere"))
    with pytest.raises(RunError, match="No such file"), own_domain():
        pass


def test_the_users_choice_is_kept(monkeypatch):
    monkeypatch.setenv("ROS_DOMAIN_ID", "42")
    with own_domain() as domain:
        assert domain == 42
