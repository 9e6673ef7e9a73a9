import subprocess
import sys

from evaluation.demo.run import free_domain


def test_two_runs_never_share_a_domain(monkeypatch):
    monkeypatch.delenv("ROS_DOMAIN_ID", raising=False)
    mine = {free_domain() for _ in range(40)}
    assert len(mine) == 40
    code = "from evaluation.demo.run import free_domain; print(*[free_domain() for _ in range(20)])"
    other = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert not mine & set(map(int, other.stdout.split()))


def test_the_users_choice_is_kept(monkeypatch):
    monkeypatch.setenv("ROS_DOMAIN_ID", "42")
    assert free_domain() == 42
