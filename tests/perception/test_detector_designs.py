"""Designs that training pictures are drawn with: whole, small, repeatable, different from each other, and of the train side alone."""

import numpy as np
import pytest

from evaluation import exemplars
from evaluation.detector_data import RenderConfig, home_images
from evaluation.detector_shapes import varied
from evaluation.exemplars import meshes
from household import classes
from sim_bridges.embedded import assets, assets_sweethome, assets_table
from sim_bridges.embedded.meshes import face_normals

MOST_TRIANGLES, LARGEST_TEXTURE = 1500, 128


def test_everything_that_can_be_held_has_designs():
    assert set(classes.of_kind(classes.Kind.OBJECT)) <= set(exemplars.MAKERS)
    assert all(name in classes.CLASSES for name in exemplars.MAKERS)
    assert exemplars.exemplar("fridge", (0.6, 0.6, 1.8), np.random.default_rng(0)) is None


@pytest.mark.parametrize("cls", sorted(exemplars.MAKERS))
def test_a_design_is_whole_fills_its_box_and_follows_from_its_seed(cls):
    size = classes.get(cls).size
    shapes = []
    for seed in range(8):
        soup = exemplars.exemplar(cls, size, np.random.default_rng(seed))
        low, high = soup.bounds()
        np.testing.assert_allclose(high - low, (size[1], size[0], size[2]), rtol=1e-3)
        assert abs(low[2]) < 1e-4 and np.isfinite(soup.pos).all() and np.isfinite(soup.uv).all()
        np.testing.assert_allclose(np.linalg.norm(soup.nrm, axis=2), 1.0, atol=1e-3)
        assert 0 < len(soup) <= MOST_TRIANGLES and (soup.mat < len(soup.materials)).all()
        assert all(m.texture is None or max(m.texture.pixels.shape[:2]) <= LARGEST_TEXTURE for m in soup.materials)
        assert float((np.einsum("ij,ikj->ik", face_normals(soup.pos), soup.nrm) > -0.2).mean()) > 0.95  # corners face as their triangles do
        shapes.append(soup)
        again = exemplars.exemplar(cls, size, np.random.default_rng(seed))
        np.testing.assert_array_equal(again.pos, soup.pos)
        assert [m.color for m in again.materials] == [m.color for m in soup.materials]
    assert len({len(s) for s in shapes} | {tuple(s.pos[0].ravel().round(4)) for s in shapes}) > 4


def test_most_things_to_train_on_are_designs_in_the_box_and_with_the_surfaces_of_the_model_they_stand_for():
    stool = assets.furniture_model(assets.PRIMITIVES, "stool", "s", (0.35, 0.35, 0.45), (0.45,))
    drawn = [varied(stool, "stool", np.random.default_rng(seed)) for seed in range(40)]
    designs = [m for m in drawn if len(m.fixed()) != len(stool.fixed())]
    assert 15 <= len(designs) <= 32 and all(m.heights == stool.heights for m in drawn)
    for model in designs:  # furniture is thickened after that, within its measures
        np.testing.assert_allclose(model.fixed().bounds(), stool.fixed().bounds(), atol=0.01)


def test_further_models_are_nowhere_else():
    elsewhere = {c.source for cls in classes.CLASSES for split in ("train", "test") for c in assets_table.choices(cls, split)}
    own = [s for cls in classes.CLASSES for s in meshes.sources(cls)]
    assert len(own) == len(set(own)) > 150 and not elsewhere & set(own)
    assert meshes.sources("fridge") == () and meshes.further("fridge", (0.6, 0.6, 1.8), (), np.random.default_rng(0)) is None


@pytest.mark.skipif(not assets_sweethome.SweetHomeAssets.present(), reason="the Debian package sweethome3d-furniture is not installed")
def test_a_further_model_fills_the_box_and_keeps_the_heights_it_is_asked_for():
    rng = np.random.default_rng(5)
    for cls, size, heights in (("kitchentable", (0.8, 1.2, 0.75), (0.75,)), ("lamp", (0.3, 0.3, 0.5), ()), ("mug", (0.1, 0.09, 0.1), ())):
        for _ in range(6):
            other = meshes.further(cls, size, heights, rng)
            low, high = other.fixed().bounds()
            np.testing.assert_allclose((high - low)[[1, 0, 2]], size, atol=0.02)
            assert other.heights == heights and abs(low[2]) < 1e-3


def test_what_is_tested_on_is_drawn_with_none_of_them(monkeypatch):
    def refuse(*_):
        raise AssertionError("a design on the test side")

    monkeypatch.setattr(exemplars, "exemplar", refuse)
    monkeypatch.setattr(meshes, "further", refuse)
    home_images(RenderConfig(homes=1, per_home=1, size=(64, 48), split="test"), 3)
    with pytest.raises(AssertionError, match="a design on the test side"):
        home_images(RenderConfig(homes=1, per_home=1, size=(64, 48), split="train"), 3)
