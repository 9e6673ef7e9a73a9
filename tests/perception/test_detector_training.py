"""From rendered homes to a detector that loads: tiny, but every step of ``heed train detector``."""

import json
import shutil
import warnings
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from evaluation import cli
from evaluation.detector_data import RenderConfig, home_images, render_home, shard_path
from evaluation.detector_scene import Stage, home_of
from evaluation.detector_score import score, test_shards as shards_for_scoring
from household import classes
from household.camera import CameraModel
from household.scene_graph import Posture
from perception import detectors
from perception.detectors import DetectorError
from perception.detectors.light import RUNTIMES, names_path
from perception.detectors.light_crops import CHANNELS, FACTS, SIDE
from perception.training.shards import CLASSES, list_shards, read_image

TINY = ["--backend", "light", "--homes", "1", "--images", "4", "--test-homes", "1", "--image-size", "160x120", "--resolution", "160x120", "--batch", "2", "--threads", "1",
        "--backbone", "none"]


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """(data folder, weights) after two steps, stopped, and two more."""
    data = tmp_path_factory.mktemp("detector")
    out = data / "light.onnx"
    assert cli.main(["train", "detector", "--data", str(data), "--output", str(out), "--steps", "2", "--save-every", "1", *TINY]) == 0
    assert cli.main(["train", "detector", "--data", str(data), "--output", str(out), "--steps", "4", "--resume", *TINY]) == 0
    return data, out


def test_weights_load_and_give_valid_detections(trained):
    data, out = trained
    detector = detectors.create("light", weights=out, score_threshold=0.0, centre_threshold=0.01)
    one = read_image(list_shards(data / "test")[0].path, 0)
    found = detector.detect(one.color, one.depth, one.camera)
    for d in found:
        left, top, right, bottom = d.box
        assert 0 <= left < right <= one.camera.width and 0 <= top < bottom <= one.camera.height and d.cls in detector.classes
    assert [(d.cls, d.box) for d in found] == [(d.cls, d.box) for d in detector.detect(one.color, one.depth, one.camera)]
    large = CameraModel.from_fov(320, 240, 80)
    detector.detect(np.zeros((240, 320, 3), np.uint8), None, large)
    assert out.stat().st_size < 16_000_000 and detector.classes == CLASSES[1:]
    with pytest.raises(ValueError, match="depth is"):
        detector.detect(one.color, one.depth[:-1], one.camera)


def test_all_runtimes_say_the_same(trained):
    data, out = trained
    rgb, geometry = np.zeros((1, 3, 128, 160), np.float32), np.zeros((1, 7, 64, 80), np.float32)
    rgb[:, :, 40:80, 40:90] = 0.7
    crops, facts = np.full((3, CHANNELS, SIDE, SIDE), 0.3, np.float32), np.zeros((3, len(FACTS)), np.float32)
    first, *others = ([*d._segment(rgb, geometry), *d._names(crops, facts)] for d in (detectors.create("light", weights=out, runtime=r, device="cpu") for r in RUNTIMES))
    assert first[-2].shape == (3, len(CLASSES)) and first[-2].sum(axis=1) == pytest.approx(1.0, abs=1e-3)
    assert first[-1].shape == (3, SIDE, SIDE) and 0 <= first[-1].min() <= first[-1].max() <= 1
    for other in others:
        for a, b in zip(first, other, strict=True):
            np.testing.assert_allclose(a, b, rtol=2e-2, atol=2e-2)


def test_the_card_says_what_was_done_and_that_it_is_not_enough(trained):
    data, out = trained
    card = json.loads(out.with_suffix(".json").read_text())
    assert card["training"]["segment"]["steps"] == card["training"]["names"]["steps"] == 4
    assert [p[-1] for p in card["training"]["segment"]["phases"]] == [2, 4] and card["data"]["images"] == 4 and card["scores"]["images"] == 4 and card["meets_target"] is False
    assert card["scores"]["splits"] == ["test"] and "does not meet its targets" in out.with_suffix(".md").read_text()


def test_a_resumed_run_equals_one_that_was_never_stopped(trained, tmp_path):
    import torch
    from perception.training.tasks import NAME, SEGMENT
    from perception.training.train import TrainConfig, train

    data, _ = trained
    shards = list_shards(data / "train")
    for task in (SEGMENT, NAME):
        whole = train(task, shards, tmp_path / "a", TrainConfig(steps=2, batch=2, size=(64, 64)))
        # The schedule is that of two steps in both runs: the first is stopped after one by its time limit.
        train(task, shards, tmp_path / "b", TrainConfig(steps=2, batch=2, size=(64, 64), seconds=1e-6))
        assert torch.load(tmp_path / "b" / f"{task.name}.pt", weights_only=True)["step"] == 1
        again = train(task, shards, tmp_path / "b", TrainConfig(steps=2, batch=2, size=(64, 64)), resume=True)
        assert [p[-1] for p in again.phases] == [1, 2]
        for a, b in zip(whole.net.parameters(), again.net.parameters()):
            torch.testing.assert_close(a, b, rtol=1e-4, atol=1e-5)


def test_a_batch_used_twice_is_mirrored_the_second_time_and_stops_and_resumes_between_both(trained, tmp_path):
    import torch
    from perception.training import echo, tasks
    from perception.training.train import TrainConfig, train

    data, _ = trained
    shards = list_shards(data / "train")
    for task in (tasks.SEGMENT, tasks.NAME, tasks.RGBD):
        one = {k: torch.as_tensor(v)[None] for k, v in task.samples(shards, TrainConfig(batch=1, size=(64, 64)), 0, 4)[3].items()}
        seen = list(echo.echoed([one, one], 3, 1, torch.device("cpu")))
        assert len(seen) == 5 and all(torch.equal(seen[2][k], one[k]) and torch.equal(seen[0][k], seen[3][k]) for k in one)
        twice = echo.mirrored(echo.mirrored(one))
        for k in one:
            torch.testing.assert_close(twice[k], one[k], rtol=0, atol=1e-6)
    things, instances = seen[0]["things"][0], seen[0]["instances"][0]
    told = [k for k in range(len(things)) if things[k, 0] >= 0 and (instances == k + 1).any()]
    assert told and (things[things[:, 0] < 0] == -1).all()
    for k in told:  # boxes go where the pixels went
        columns = torch.nonzero(instances == k + 1)[:, 1] + 0.5
        assert things[k, 1] - things[k, 3] / 2 <= columns.min() / 16 and columns.max() / 16 <= things[k, 1] + things[k, 3] / 2
    names = [j.value for j in tasks.JOINTS]
    left, right = names.index("left_wrist"), names.index("right_wrist")
    assert torch.equal(seen[0]["joints"][0, left], one["joints"][0, right].flip(-1))

    whole = train(tasks.SEGMENT, shards, tmp_path / "a", TrainConfig(steps=3, batch=2, size=(64, 64), echo=2))
    plain = train(tasks.SEGMENT, shards, tmp_path / "c", TrainConfig(steps=3, batch=2, size=(64, 64)))
    train(tasks.SEGMENT, shards, tmp_path / "b", TrainConfig(steps=3, batch=2, size=(64, 64), echo=2, seconds=1e-6))
    again = train(tasks.SEGMENT, shards, tmp_path / "b", TrainConfig(steps=3, batch=2, size=(64, 64), echo=2), resume=True)
    assert whole.steps == again.steps == 3
    for a, b in zip(whole.net.parameters(), again.net.parameters()):
        torch.testing.assert_close(a, b, rtol=1e-4, atol=1e-5)
    assert any(not torch.allclose(a, b, rtol=1e-4, atol=1e-5) for a, b in zip(whole.net.parameters(), plain.net.parameters()))


def test_images_held_in_memory_are_read_once_and_give_the_same_samples(trained, tmp_path, monkeypatch):
    import torch
    from perception.training import train as training
    from perception.training.tasks import NAME, SEGMENT
    from perception.training.train import TrainConfig, train

    data, _ = trained
    folder = tmp_path / "images"
    shutil.copytree(data / "train", folder)
    for task in (SEGMENT, NAME):
        filled, bare = (task.samples(list_shards(folder), TrainConfig(batch=2, size=(64, 64), keep=keep), 0, 6) for keep in (100, 0))
        assert filled.fill(3) == 4 == filled.fill(3)
        for path in folder.iterdir():
            path.rename(path.with_suffix(".away"))
        with pytest.raises(DetectorError, match="cannot be read"):
            bare[0]
        held = [filled[k] for k in range(6)]
        for path in folder.iterdir():
            path.rename(path.with_suffix(".npz"))
        for k, one in enumerate(held):
            assert all(np.array_equal(one[name], bare[k][name]) for name in one) and one.keys() == bare[k].keys()
    plain = training.DataLoader  # the samples are what is tested, not the processes that would draw them
    monkeypatch.setattr(training, "DataLoader", lambda samples, **given: plain(samples, **{**given, "num_workers": 0}))
    alone, fed = (train(SEGMENT, list_shards(folder), tmp_path / str(w), TrainConfig(steps=2, batch=2, size=(64, 64), workers=w, keep=9)) for w in (0, 2))
    for a, b in zip(alone.net.parameters(), fed.net.parameters()):
        torch.testing.assert_close(a, b, rtol=1e-4, atol=1e-5)


def test_a_checkpoint_of_another_run_or_a_broken_one_is_refused(trained, tmp_path):
    from perception.training.tasks import NAME, SEGMENT
    from perception.training.train import TrainConfig, restore, train

    data, _ = trained
    shards = list_shards(data / "train")
    train(SEGMENT, shards, tmp_path, TrainConfig(steps=1, batch=1, size=(64, 64)))
    with pytest.raises(DetectorError, match="batch was"):
        train(SEGMENT, shards, tmp_path, TrainConfig(steps=2, batch=2, size=(64, 64)), resume=True)
    with pytest.raises(DetectorError, match="'name' has not been trained"):
        restore(NAME, tmp_path, TrainConfig())
    (tmp_path / "segment.pt").write_bytes(b"no checkpoint")
    with pytest.raises(DetectorError, match="cannot be read"):
        train(SEGMENT, shards, tmp_path, TrainConfig(steps=2, batch=1, size=(64, 64)), resume=True)


def test_wrong_weights_are_named(trained, tmp_path):
    import onnx

    _, out = trained
    with pytest.raises(DetectorError, match="missing.*heed train detector"):
        detectors.create("light", weights=tmp_path / "none.onnx")
    broken = tmp_path / "broken.onnx"
    broken.write_bytes(out.read_bytes()[:5000])
    names_path(broken).write_bytes(names_path(out).read_bytes())
    with pytest.raises(DetectorError, match="broken.onnx' cannot be loaded"):
        detectors.create("light", weights=broken)

    def with_meta(**change):
        model = onnx.load(str(out))
        onnx.helper.set_model_props(model, {p.key: p.value for p in model.metadata_props} | change)
        onnx.save(model, str(broken))
        return broken

    with pytest.raises(DetectorError, match="another class list; unknown here: unicorn"):
        detectors.create("light", weights=with_meta(classes=json.dumps(["background", "apple", "unicorn"])))
    with pytest.raises(DetectorError, match="format is 'other'"):
        detectors.create("light", weights=with_meta(format="other"))
    with pytest.raises(DetectorError, match="broken_names.onnx': classes is"):
        detectors.create("light", weights=with_meta(classes=json.dumps(["background", "apple"])))


def test_the_shipped_weights_are_those_of_their_card():
    import hashlib

    from perception.detectors.light import WEIGHTS

    card = json.loads(WEIGHTS.with_suffix(".json").read_text())
    assert card["sha256"] == hashlib.sha256(WEIGHTS.read_bytes()).hexdigest() and card["scores"]["splits"] == ["test"]
    assert card["bytes"] + names_path(WEIGHTS).stat().st_size < 16_000_000
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        assert detectors.create("light").classes == CLASSES[1:]
    assert any("miss their targets" in str(w.message) for w in said) is not card["meets_target"]


def test_shards_are_the_same_every_time_and_resume(trained, tmp_path):
    data, _ = trained
    config = RenderConfig(1, 4, (160, 120))
    there = list_shards(data / "train")[0].path
    assert render_home(tmp_path, config, 0).read_bytes() == there.read_bytes()
    stamp = there.stat().st_mtime_ns
    assert cli.main(["train", "detector", "--data", str(data), "--render-only", *TINY]) == 0
    assert there.stat().st_mtime_ns == stamp


def test_splits_share_neither_homes_nor_meshes(trained):
    data, _ = trained
    train, test = list_shards(data / "train"), list_shards(data / "test")
    assert {s.split for s in train} == {"train"} and {s.split for s in test} == {"test"}
    assert not {s.home for s in train} & {s.home for s in test}
    assert not set(train[0].meshes) & set(test[0].meshes)
    with pytest.raises(cli.UsageError, match="not of the test split"):
        shards_for_scoring(data / "train")


def test_images_show_things_and_people_with_their_joints():
    images, home, _ = home_images(RenderConfig(1, 6, (160, 120), first_seed=4), 4)
    seen = {one.table[int(v)][1] for one in images for v in np.unique(one.ids) if int(v) in one.table}
    assert len(seen) >= 8 and len(home.things) >= 40
    for one in images:
        for value, joints in one.joints.items():
            for u, v in joints.values():
                assert one.ids[int(round(v)), int(round(u))] == value


def test_close_looks_show_people_who_hold_something_and_some_of_them_in_wheelchairs():
    """Every one of them where nothing else is asked for; never among the images that are tested on."""
    config = RenderConfig(1, 4, (160, 120), first_seed=4, close=1.0)
    images, home, _ = home_images(config, 4)
    held = 0
    for one in images:
        seen = {one.table[int(v)][1] for v in np.unique(one.ids) if int(v) in one.table}
        held += bool(seen & set(classes.of_kind(classes.Kind.OBJECT)))
        assert 125 < one.camera.fx < 700  # through a lens of 65 degrees at most
    assert np.median([one.camera.fx for one in images]) > 140  # narrower than whole rooms are shown with, mostly
    assert held == len(images) and np.mean(["person" in {one.table[int(v)][1] for v in np.unique(one.ids) if int(v) in one.table} for one in images]) > 0.7
    assert shard_path(Path("."), config, 4) != shard_path(Path("."), replace(config, close=0.0), 4)
    assert home_images(config, 4)[0][0].color.tobytes() == images[0].color.tobytes()
    people = [p.posture for seed in range(6) for p in home_of(seed, "train", wheels=0.25).people]
    assert 0 < sum(p is Posture.WHEELCHAIR for p in people) < len(people) / 2
    with pytest.raises(ValueError, match="tested on"):
        RenderConfig(split="test", close=0.5)


def test_homes_hold_more_of_what_is_asked_for_and_are_the_same_besides(tmp_path, capsys):
    plain, fuller = home_of(4, "train"), home_of(4, "train", more=(("salmon", 3), ("apple", 2)))
    assert [t.cls for t in fuller.things[len(plain.things):]] == ["salmon"] * 3 + ["apple"] * 2
    assert [(t.id, t.cls) for t in fuller.things[:len(plain.things)]] == [(t.id, t.cls) for t in plain.things] and len({t.id for t in fuller.things}) == len(fuller.things)
    assert len({t.model for t in fuller.things if t.cls == "salmon"}) > 1  # not one design all over
    config = RenderConfig(1, 4, (160, 120), first_seed=4)
    assert len({shard_path(Path("."), replace(config, more=m), 4) for m in ((), (("salmon", 3),), (("salmon", 4),))}) == 3
    with pytest.raises(ValueError, match="training split"):
        RenderConfig(split="test", more=(("salmon", 3),))
    for wrong in (("herring", 3), ("fridge", 3), ("salmon", 0)):
        with pytest.raises(ValueError, match=f"more {wrong[0]}:{wrong[1]}"):
            RenderConfig(more=(wrong,))
    assert cli.main(["train", "detector", "--data", str(tmp_path), "--render-only", "--more", "salmon"]) == 2
    assert "--more salmon: must be CLASS:N" in capsys.readouterr().err and not list(tmp_path.iterdir())


def test_things_lie_on_seats_too_and_nobody_sits_on_them_but_not_in_pictures_that_are_scored():
    seats = ("chair", "stool", "bench")
    for split, some in (("train", True), ("test", False)):
        home, found, rng = home_of(3, split), 0, np.random.default_rng(3)
        on, stage = {f.id: f for f in home.furniture if f.cls in seats}, Stage(home, rng, (160, 120), seats=some)
        for _ in range(12):
            stage.scatter()
            lain = {t.at for t in stage._state.things.values()} & set(on)
            found += len(lain)
            for _ in range(4):
                sitting = [p.position for p in stage.scene().state.people.values() if p.posture is Posture.SITTING]
                assert not some or all(tuple(on[name].position[:2]) not in sitting for name in lain)
        assert (found >= 6) is some


def test_over_a_few_homes_every_class_but_the_sink_can_be_learnt():
    homes = [home_of(seed, "train") for seed in range(12)]
    there = {x.cls for h in homes for x in (*h.furniture, *h.things)} | {"person", "door"}
    assert set(CLASSES[1:]) - there <= {"sink"}


def test_the_truth_scores_one_and_nothing_scores_zero(trained):
    from perception.detectors.simulator import segment

    data, _ = trained
    shards = list_shards(data / "test")
    images = [read_image(s.path, k) for s in shards for k in range(len(s.counts))]

    class Oracle:
        def __init__(self, blind):
            self.left, self.blind = list(images), blind

        def detect(self, color, depth, camera, camera_pose=None):
            one = self.left.pop(0)
            return () if self.blind else segment(one.ids, one.table, erosion=0)

    best, worst = score(Oracle(False), shards), score(Oracle(True), shards)
    assert best["mask_map50"] == best["box_map50"] == 1.0 and worst["mask_map50"] == 0.0
    assert {v for v in best["mask_recall_by_pixels"].values() if v is not None} == {1.0}
    assert sum(best["instances_by_pixels"].values()) == sum(best["instances_by_class"].values())


def test_a_second_name_counts_only_where_all_names_are_asked_for(trained):
    from perception.detectors.simulator import segment

    data, _ = trained
    shards = list_shards(data / "test")
    images = [read_image(s.path, k) for s in shards for k in range(len(s.counts))]

    class Unsure:
        """Calls everything a banana, and says second what it is."""

        def detect(self, color, depth, camera, camera_pose=None):
            one = images.pop(0)
            return [replace(d, cls="banana", score=0.6, names=(("banana", 0.6), (d.cls, 0.3))) for d in segment(one.ids, one.table, erosion=0) if d.cls != "banana"]

    result = score(Unsure(), shards)
    assert result["mask_map50"] == 0.0 and result["mask_map50_all_names"] > 0.9


def test_with_a_perfect_network_targets_and_grouping_lose_little(trained):
    from perception.detectors.light import Header, LightConfig, LightDetector
    from perception.detectors.light_groups import GROUPS
    from perception.training.dataset import targets
    from perception.training.shards import JOINTS

    data, _ = trained
    shards, size = list_shards(data / "test"), (320, 256)
    images = [read_image(s.path, k) for s in shards for k in range(len(s.counts))]

    class Perfect:
        """The targets as the segmenting network's answer; names by what is at each coarse pixel."""

        def detect(self, color, depth, camera, camera_pose=None):
            t = targets(images.pop(0), size)
            groups, names = (np.eye(n, dtype=np.float32)[t[k]].transpose(2, 0, 1) for n, k in ((len(GROUPS), "group"), (len(CLASSES), "name")))
            names[0] = 0.0
            maps = [x[None] for x in (groups, t["centre"], t["offset"], t["joints"], names)]
            unsure, nothing = np.full((1000, len(CLASSES)), 1 / len(CLASSES), np.float32), np.zeros((1000, SIDE, SIDE), np.float32)
            return LightDetector(Header(CLASSES, size, JOINTS), lambda *_: maps, lambda crops, facts: (unsure[:len(crops)], nothing[:len(crops)]),
                                 LightConfig(score_threshold=0.0)).detect(color, depth, camera)

    by_group = score(Perfect(), shards)["by_group"]
    assert all(g["mask_ap50"] is None or g["mask_ap50"] > 0.85 for g in by_group.values()), by_group


@pytest.mark.parametrize("options, message", [
    (["--resolution", "big"], "--resolution 'big'"), (["--homes", "0", "--test-homes", "-1"], "--test-homes -1"), (["--jobs", "0"], "--jobs 0"),
    (["--batch", "0"], "batch 0")])
def test_bad_options_are_named(trained, options, message, capsys):
    data, out = trained
    assert cli.main(["train", "detector", "--data", str(data), "--output", str(out), *TINY, *options]) == 2
    assert message in capsys.readouterr().err


def test_an_empty_or_damaged_folder_is_named(tmp_path):
    with pytest.raises(DetectorError, match="no images in"):
        list_shards(tmp_path)
    (tmp_path / "x.shard.npz").write_bytes(b"nothing")
    with pytest.raises(DetectorError, match="x.shard.npz' cannot be read"):
        list_shards(tmp_path)
