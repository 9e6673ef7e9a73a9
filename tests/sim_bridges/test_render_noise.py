"""The sensor model: its statistics are what it claims, its failures are 0, its randomness is the caller's."""

from __future__ import annotations

import numpy as np
import pytest

from sim_bridges.embedded.noise import NoiseConfig, add_sensor_noise

QUIET = dict(disparity_step=0.0, edge_dropout=0.0, grazing=0.0)


def flat(z: float, shape=(240, 320)) -> tuple[np.ndarray, np.ndarray]:
    return np.full((*shape, 3), 128, np.uint8), np.full(shape, z, np.float32)


@pytest.mark.parametrize("z", [0.8, 2.0, 4.0])
def test_depth_noise_grows_with_the_square_of_range_and_has_no_bias(z):
    _, noisy = add_sensor_noise(*flat(z), np.random.default_rng(0), NoiseConfig(**QUIET))
    assert noisy.dtype == np.float32 and (noisy > 0).all()
    assert noisy.std() == pytest.approx(0.0025 * z * z, rel=0.03)
    assert noisy.mean() == pytest.approx(z, abs=0.0025 * z * z * 4 / np.sqrt(noisy.size))


def test_disparity_is_quantised():
    config = NoiseConfig(depth_sigma=0.0, edge_dropout=0.0, grazing=0.0)
    ramp = np.tile(np.linspace(3.9, 4.1, 320, dtype=np.float32), (240, 1))
    _, noisy = add_sensor_noise(np.zeros((240, 320, 3), np.uint8), ramp, np.random.default_rng(0), config)
    steps = np.diff(np.unique(noisy))
    assert 2 <= len(steps) < 40 and steps.min() == pytest.approx(0.125 / (570 * 0.075) * 16, rel=0.1)


def test_readings_fail_at_edges_at_grazing_angles_and_out_of_range_and_nowhere_else():
    color, depth = flat(2.0)
    depth[:, 160:] = 3.0
    _, noisy = add_sensor_noise(color, depth, np.random.default_rng(0), NoiseConfig())
    lost = noisy == 0
    assert 0.3 < lost[:, 159:161].mean() < 0.95 and lost[:, :157].mean() == 0 and lost[:, 163:].mean() == 0
    floor = np.repeat(np.linspace(1.0, 30.0, 240, dtype=np.float32)[:, None], 320, axis=1)
    assert (add_sensor_noise(color, floor, np.random.default_rng(0))[1] == 0).mean() > 0.7
    for z in (0.1, 9.0, 0.0, np.nan, np.inf):
        assert (add_sensor_noise(*flat(z), np.random.default_rng(0))[1] == 0).all()


def test_colour_keeps_its_mean_and_gets_its_grain():
    config = NoiseConfig(exposure_sigma=0.0, white_balance_sigma=0.0, color_sigma=3.0)
    noisy, _ = add_sensor_noise(*flat(2.0), np.random.default_rng(0), config)
    assert noisy.dtype == np.uint8 and noisy.std() == pytest.approx(3.0, rel=0.05) and noisy.mean() == pytest.approx(
        127.6, abs=0.3)
    means = [add_sensor_noise(*flat(2.0, (24, 32)), np.random.default_rng(k))[0].mean() for k in range(60)]
    assert 0.02 < np.std(means) / 128 < 0.045


def test_randomness_is_the_generators_alone_and_inputs_stay_untouched():
    color, depth = flat(2.0)
    a, b = (add_sensor_noise(color, depth, np.random.default_rng(7)) for _ in range(2))
    c = add_sensor_noise(color, depth, np.random.default_rng(8))
    assert (a[0] == b[0]).all() and (a[1] == b[1]).all() and (a[1] != c[1]).any()
    assert (color == 128).all() and (depth == 2.0).all()


@pytest.mark.parametrize("field, value", [("depth_sigma", -1.0), ("edge_dropout", 1.5), ("grazing", -0.1), ("max_range", 0.1)])
def test_impossible_configurations_are_refused_by_name(field, value):
    with pytest.raises(ValueError, match=field):
        NoiseConfig(**{field: value})
