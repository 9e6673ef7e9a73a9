"""The net for head and body direction: what is trained is what perception runs."""

import numpy as np
import pytest
import torch

from evaluation import facing_train
from perception import orientation
from perception.training.export import export_facing


def test_perception_reads_what_the_trained_net_says(tmp_path, monkeypatch):
    rng = np.random.default_rng(0)
    inputs, targets = rng.normal(0, 0.3, (128, 2, 5, 56, 56)).astype(np.float16), rng.uniform(-1, 1, (128, 3)).astype(np.float32)
    net = facing_train.train(inputs, targets, epochs=1, seed=1)
    export_facing(net, tmp_path / "net.onnx")
    monkeypatch.setattr(orientation, "WEIGHTS", tmp_path / "net.onnx")
    orientation.net.cache_clear()
    one = facing_train.middle(inputs[:1]).astype(np.float32)
    try:
        answer = orientation.look(one[0])
    finally:
        monkeypatch.undo()
        orientation.net.cache_clear()
    with torch.no_grad():
        said = net(torch.from_numpy(one))[0]
    n = orientation.SECTORS
    assert answer.body == pytest.approx(torch.softmax(said[:n], 0).numpy(), abs=2e-3) and answer.head == pytest.approx(torch.softmax(said[n:-1], 0).numpy(), abs=2e-3)
    assert answer.pitch == pytest.approx(float(said[-1]), abs=2e-3) and answer.head.sum() == pytest.approx(1.0)


def test_without_weights_nobody_is_asked(tmp_path, monkeypatch):
    monkeypatch.setattr(orientation, "WEIGHTS", tmp_path / "none.onnx")
    orientation.net.cache_clear()
    try:
        assert orientation.look(np.zeros((2, 5, orientation.SIDE, orientation.SIDE), np.float32)) is None
    finally:
        monkeypatch.undo()
        orientation.net.cache_clear()


@pytest.mark.parametrize("wrong", (["--seed", "2"], ["--count", "0"], ["--draw-only"]))
def test_wrong_options_are_named(wrong, capsys):
    with pytest.raises(SystemExit):
        facing_train.main(wrong)
    assert wrong[0] in capsys.readouterr().err
