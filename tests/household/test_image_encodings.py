"""Bytes as drivers send them, with every quirk, must become the same two arrays."""

from array import array

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from household import images

RNG = np.random.default_rng(7)
COLOR = RNG.integers(0, 256, (6, 5, 3), dtype=np.uint8)


def packed(rows: np.ndarray, pad: int = 0) -> tuple[int, bytes]:
    """(step, bytes) with ``pad`` bytes of rubbish after each row."""
    flat = rows.reshape(rows.shape[0], -1).view(np.uint8)
    padded = np.concatenate([flat, np.full((flat.shape[0], pad), 0xAB, np.uint8)], axis=1)
    return padded.shape[1], padded.tobytes()


@pytest.mark.parametrize("pad", [0, 3, 7])
@pytest.mark.parametrize("encoding,channels", [("rgb8", (0, 1, 2)), ("bgr8", (2, 1, 0)), ("rgba8", (0, 1, 2, 0)), ("bgra8", (2, 1, 0, 0)),
                                               ("8UC3", (2, 1, 0)), ("8UC4", (2, 1, 0, 1))])
def test_colour_orders_and_padding(encoding, channels, pad):
    step, data = packed(np.ascontiguousarray(COLOR[:, :, list(channels)]), pad)
    out = images.decode_color(encoding, 6, 5, step, False, data)
    assert out.dtype == np.uint8 and out.flags.c_contiguous
    np.testing.assert_array_equal(out, COLOR)


def test_ros_byte_arrays_and_grey():
    grey = COLOR[:, :, 0]
    out = images.decode_color("mono8", 6, 5, 5, False, array("B", grey.tobytes()))
    np.testing.assert_array_equal(out, np.stack([grey] * 3, axis=2))


@pytest.mark.parametrize("big", [False, True])
def test_sixteen_bit_colour_keeps_the_upper_byte(big):
    wide = COLOR.astype(np.uint16) * 256 + 17
    step, data = packed(wide.astype(">u2" if big else "<u2"), 4)
    np.testing.assert_array_equal(images.decode_color("rgb16", 6, 5, step, big, data), COLOR)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(0, 65535), min_size=12, max_size=12), st.booleans(), st.integers(0, 5))
def test_millimetres(values, big, pad):
    mm = np.array(values, np.uint16).reshape(3, 4)
    step, data = packed(mm.astype(">u2" if big else "<u2"), pad)
    depth = images.decode_depth("16UC1", 3, 4, step, big, data)
    assert depth.dtype == np.float32
    np.testing.assert_allclose(depth, mm / 1000.0, rtol=1e-6)
    np.testing.assert_array_equal(images.encode_depth_mm(depth), mm)


@pytest.mark.parametrize("big", [False, True])
def test_metres_with_every_way_to_say_no_reading(big):
    metres = np.array([[1.5, np.nan, np.inf], [-np.inf, -1.0, 0.0]], np.float32)
    step, data = packed(metres.astype(">f4" if big else "<f4"), 8)
    np.testing.assert_array_equal(images.decode_depth("32FC1", 2, 3, step, big, data), [[1.5, 0, 0], [0, 0, 0]])


def test_a_drivers_own_unit_replaces_the_standard_one():
    data = np.array([[4000]], "<u2").tobytes()
    assert images.decode_depth("16UC1", 1, 1, 2, False, data, unit=0.00025)[0, 0] == pytest.approx(1.0)


def test_unpadded_last_row_is_accepted():
    step, data = packed(COLOR, 9)
    np.testing.assert_array_equal(images.decode_color("rgb8", 6, 5, step, False, data[:-9]), COLOR)


@pytest.mark.parametrize("call,words", [
    (lambda: images.decode_color("yuv422", 2, 2, 4, False, b"12345678"), ["yuv422", "rgb8"]),
    (lambda: images.decode_depth("rgb8", 2, 2, 6, False, bytes(12)), ["rgb8", "colour topic", "32FC1"]),
    (lambda: images.decode_color("rgb8", 2, 2, 5, False, bytes(10)), ["step is 5", "needs 6"]),
    (lambda: images.decode_depth("16UC1", 2, 2, 4, False, bytes(7)), ["needs 8 bytes", "7 came"]),
    (lambda: images.decode_depth("16UC1", 2, 2, 4, False, bytes(9)), ["needs 8 bytes", "9 came"]),
    (lambda: images.decode_color("rgb8", 0, 2, 6, False, b""), ["2×0"]),
    (lambda: images.check_size("depth", np.zeros((480, 640)), 720, 1280), ["640×480", "1280×720"]),
])
def test_errors_name_the_sizes(call, words):
    with pytest.raises(images.ImageFormatError) as error:
        call()
    for word in words:
        assert word in str(error.value)
