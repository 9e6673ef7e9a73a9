"""One real run of the whole graph over DDS, shared by the tests that look at what it left."""

import pytest

from evaluation.demo.run import own_domain, run
from evaluation.graph import resolve

SIZE = {"width": 320, "height": 240, "rate": 4.0}


@pytest.fixture(scope="session")
def story(tmp_path_factory):
    """The false-belief story through world, perception, mind, planner, voice and recorder, each a process."""
    lines = []
    options = resolve({"story": "false_belief", "seed": 0, "perception": "simulator", **SIZE})
    outcome = run(options, tmp_path_factory.mktemp("run") / "story", title="test", on_line=lines.append, limit=280)
    return outcome, lines


@pytest.fixture
def domain():
    """A ROS domain that is this test's alone."""
    with own_domain() as own:
        yield own
