"""config/*.yaml say what the config dataclasses say, and every parameter is documented."""

import dataclasses
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "scripts"))
import write_config  # noqa: E402

SOURCES = write_config.sources()


@pytest.mark.parametrize("node", SOURCES)
def test_the_file_is_what_the_dataclasses_say(node):
    assert (ROOT / "config" / f"{node}.yaml").read_text() == write_config.text(node, SOURCES[node]), "run scripts/write_config.py"


@pytest.mark.parametrize("node", SOURCES)
def test_every_parameter_is_documented_and_its_default_is_valid(node):
    values = yaml.safe_load((ROOT / "config" / f"{node}.yaml").read_text())["/**"]["ros__parameters"]
    for cls in SOURCES[node]:
        for f in dataclasses.fields(cls):
            assert f.metadata.get("doc") or f.metadata.get("text"), f"{cls.__name__}.{f.name} has no documentation"
            assert f.name in values
