"""Further exemplars for training, and training that goes on from exported weights."""

import numpy as np
import pytest
import torch
from torch import nn

from evaluation.detector_shapes import varied
from perception.detectors import DetectorError
from perception.training.regain import blended, regain, settle
from sim_bridges.embedded import assets
from sim_bridges.embedded.meshes import JointKind

SIZE = (1.2, 0.7, 0.75)


def bounds(model):
    points = np.concatenate([p.soup.pos.reshape(-1, 3) for p in model.parts])
    return points.min(axis=0), points.max(axis=0)


@pytest.mark.parametrize("seed", range(12))
def test_a_table_keeps_its_measures_and_the_height_of_its_top_whatever_its_legs_become(seed):
    table = assets.furniture_model(assets.PRIMITIVES, "kitchentable", "t", SIZE, (0.75,))
    other = varied(table, "kitchentable", np.random.default_rng(seed))
    for a, b in zip(bounds(table), bounds(other)):
        np.testing.assert_allclose(a, b, atol=1e-4)
    assert other.heights == table.heights


def test_a_thing_stays_on_its_underside_and_about_as_large_and_its_normals_stay_normals():
    bottle = assets.thing_model(assets.PRIMITIVES, "wine", "w", (0.08, 0.08, 0.3))
    shapes = [varied(bottle, "wine", np.random.default_rng(seed)) for seed in range(20)]
    for other in shapes:
        (low, high), (was_low, was_high) = bounds(other), bounds(bottle)
        assert abs(low[2]) < 1e-5 and (0.5 < (high - low) / (was_high - was_low)).all() and ((high - low) / (was_high - was_low) < 2.0).all()
        lengths = np.linalg.norm(other.fixed().nrm, axis=2)
        np.testing.assert_allclose(lengths[lengths > 0.5], 1.0, atol=1e-3)
    assert len({round(float(bounds(s)[1][2]), 4) for s in shapes}) > 8  # they do differ
    again = varied(bottle, "wine", np.random.default_rng(3))
    np.testing.assert_array_equal(again.fixed().pos, shapes[3].fixed().pos)


def test_what_opens_keeps_its_shape_so_that_doors_still_fit():
    fridge = assets.furniture_model(assets.PRIMITIVES, "fridge", "f", (0.6, 0.65, 1.8), ())
    for seed in range(6):
        other = varied(fridge, "fridge", np.random.default_rng(seed))
        for a, b in zip(fridge.parts, other.parts):
            np.testing.assert_array_equal(a.soup.pos, b.soup.pos)
            assert a.joint == b.joint and (a.joint.kind is JointKind.FIXED) == (b.joint.kind is JointKind.FIXED)


class Small(nn.Module):
    """A folded normalisation, one of its own after a sum, a layer with bias, a fully connected one."""

    def __init__(self):
        super().__init__()
        self.a, self.na = nn.Conv2d(3, 6, 3, padding=1, bias=False), nn.BatchNorm2d(6)
        self.b, self.c, self.join = nn.Conv2d(6, 4, 1, bias=False), nn.Conv2d(3, 4, 1, bias=False), nn.BatchNorm2d(4)
        self.last = nn.Linear(4, 2)

    def forward(self, x):
        return self.last(torch.relu(self.join(self.b(torch.relu(self.na(self.a(x)))) + self.c(x))).mean(dim=(2, 3)))


def exported(tmp_path, net):
    path = tmp_path / "small.onnx"
    torch.onnx.export(net.eval(), (torch.zeros(1, 3, 8, 8),), str(path), dynamo=False, opset_version=17)
    return path


@pytest.mark.filterwarnings("ignore")
def test_a_network_regained_from_its_export_answers_the_same_and_its_normalisations_are_at_work(tmp_path):
    torch.manual_seed(0)
    net, other = Small(), Small()
    net.train()
    for _ in range(5):
        net(torch.randn(8, 3, 8, 8) * 2 + 1)  # statistics of its own
    x = torch.randn(16, 3, 8, 8) * 2 + 1
    path = exported(tmp_path, net)
    assert regain(other, path, (torch.zeros(1, 3, 8, 8),), [lambda n: n(x)]) == 5  # a with na, b, c, join, last
    with torch.no_grad():
        torch.testing.assert_close(other.eval()(x), net.eval()(x), rtol=1e-4, atol=1e-5)
        seen = other.na.running_var
        np.testing.assert_allclose(seen, other.a(x).transpose(0, 1).flatten(1).var(dim=1, unbiased=False), rtol=1e-3)
        # so that training, which takes the statistics of the batch, starts from the same answers
        first, second = other.train().na(other.a(x)), other.eval().na(other.a(x))
    torch.testing.assert_close(first, second, rtol=1e-2, atol=1e-2)


@pytest.mark.filterwarnings("ignore")
def test_weights_of_another_network_are_refused(tmp_path):
    path = exported(tmp_path, Small())
    wider = Small()
    wider.last = nn.Linear(4, 3)
    with pytest.raises(DetectorError, match=r"layer 4 \(Gemm\) is \(2, 4\), this network's \(3, 4\)"):
        regain(wider, path, (torch.zeros(1, 3, 8, 8),))
    with pytest.raises(DetectorError, match="exported from another"):
        regain(nn.Sequential(nn.Conv2d(3, 6, 3)), path, (torch.zeros(1, 3, 8, 8),))
    (tmp_path / "no.onnx").write_bytes(b"nothing")
    with pytest.raises(DetectorError, match="no ONNX file"):
        regain(Small(), tmp_path / "no.onnx", (torch.zeros(1, 3, 8, 8),))


def test_a_blend_lies_between_what_it_was_and_what_it_became():
    before, after = Small(), Small()
    a, b = before.state_dict()["a.weight"].clone(), after.state_dict()["a.weight"].clone()
    mixed = blended(before, after, 0.25)
    torch.testing.assert_close(mixed.state_dict()["a.weight"], 0.75 * a + 0.25 * b)
    torch.testing.assert_close(before.state_dict()["a.weight"], a)
    with pytest.raises(DetectorError, match="blend 1.5"):
        blended(before, after, 1.5)


def test_settling_on_nothing_changes_nothing():
    net = Small().eval()
    before = {k: v.clone() for k, v in net.state_dict().items()}
    settle([net.na], net, [])
    assert all(torch.equal(before[k], v) for k, v in net.state_dict().items())
