"""The detectors' networks by PyTorch: the answers of ONNX Runtime, on whatever device there is, and what cannot be run is said by name."""

import subprocess
import sys

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from perception.detectors import DetectorError, light, rgbd
from perception.detectors.light import chosen, loader, names_path
from perception.detectors.light_features import prepared

torch = pytest.importorskip("torch")
Network = pytest.importorskip("perception.detectors.onnx_torch").Network
GPU = pytest.mark.skipif(not torch.cuda.is_available(), reason="this PyTorch sees no CUDA device")
PAIRS = {"rgbd": (rgbd.WEIGHTS, rgbd.INPUTS, rgbd.OUTPUTS), "light": (light.WEIGHTS, light.INPUTS, light.OUTPUTS)}
SIZES = {"rgbd": ((640, 480), (320, 256)), "light": ((640, 480),)}  # (width, height); the light network has but one


@pytest.fixture(scope="module")
def frame():
    from sim_bridges.embedded.simulator import open_simulator

    sim = open_simulator(home="maple", story="false_belief", seed=0, width=640, height=480)
    sim.advance(0.5)
    return sim.frame()


def picture(frame, size):
    rgb, geometry, _ = prepared(frame.color, frame.depth, frame.camera, frame.camera_pose, size)
    return rgb[None], geometry[None]


def cuts(n, path, seed=4):
    rng = np.random.default_rng(seed + n)
    side = onnx.load(str(path)).graph.input[0].type.tensor_type.shape.dim[2].dim_value
    return rng.random((n, light.CHANNELS, side, side), dtype=np.float32), rng.random((n, len(light.FACTS)), dtype=np.float32)


def by(runtime, path, given, wanted, device="cpu"):
    return loader(runtime, device)(1, path, given, wanted)


def compare(path, given, wanted, inputs, device="cpu", atol=2e-3):
    """Outputs agree to ``atol``, and so do the classes of what is surer of its class than such a difference could change."""
    (meta, first), (again, second) = by("onnxruntime", path, given, wanted), by("torch", path, given, wanted, device)
    assert meta == again
    for arrays in (*inputs, *inputs[::-1]):  # what is remembered of one size says nothing about another
        for name, a, b in zip(wanted, first(*arrays), second(*arrays), strict=True):
            assert b.dtype == np.float32 and b.flags.c_contiguous and a.shape == b.shape
            np.testing.assert_allclose(b, a, rtol=1e-4, atol=atol, err_msg=name)
            if name == "names":
                two = np.sort(a, axis=1)[:, -2:]
                sure = two[:, 1] - two[:, 0] > 2 * atol
                assert sure.any() and (a.argmax(axis=1) == b.argmax(axis=1))[sure].all()


@pytest.mark.parametrize("pair", PAIRS)
def test_both_runtimes_see_the_same_in_pictures_of_every_size(pair, frame):
    compare(*PAIRS[pair], [picture(frame, size) for size in SIZES[pair]])


@pytest.mark.parametrize("pair", PAIRS)
def test_both_runtimes_give_the_same_names_to_any_number_of_cuts(pair):
    path = names_path(PAIRS[pair][0])
    compare(path, light.NAMES_INPUTS, light.NAMES_OUTPUTS, [cuts(n, path) for n in (1, 5, 17)])


@pytest.mark.parametrize("pair", PAIRS)
def test_nothing_is_read_back_from_the_device_before_the_outputs(pair):
    """PyTorch's "meta" device computes shapes alone: whatever reads a value of it, or mixes it with one in main memory, fails."""
    path, given, wanted = PAIRS[pair]
    second = names_path(path)
    for file, inputs, outputs, arrays in ((path, given, wanted, (np.zeros((1, 3, 480, 640), np.float32), np.zeros((1, 7, 240, 320), np.float32))),
                                          (second, light.NAMES_INPUTS, light.NAMES_OUTPUTS, cuts(3, second))):
        network = Network(onnx.load(str(file)), file, "meta", 1, inputs, outputs)
        for _ in range(2):
            with pytest.raises(NotImplementedError, match="Cannot copy out of meta tensor"):
                network(*arrays)
        assert len(network._known) == 1


@GPU
@pytest.mark.parametrize("pair", PAIRS)
def test_a_gpu_gives_the_same_answers_but_for_rounding(pair, frame):
    path = names_path(PAIRS[pair][0])
    compare(*PAIRS[pair], [picture(frame, size) for size in SIZES[pair]], "cuda", atol=0.25)
    compare(path, light.NAMES_INPUTS, light.NAMES_OUTPUTS, [cuts(n, path) for n in (5, 17)], "cuda", atol=0.02)


def test_numbers_of_cuts_that_a_gpu_meets_come_again_and_what_fills_them_up_changes_nothing(monkeypatch):
    from contextlib import nullcontext

    from perception.detectors import onnx_torch

    path = names_path(PAIRS["rgbd"][0])
    net = Network(onnx.load(str(path)), path, "cpu", 1, light.NAMES_INPUTS, light.NAMES_OUTPUTS)
    given = [cuts(n, path) for n in (1, 5, 16, 17)]
    plain, sizes, run = [net(*g) for g in given], [], net._run
    monkeypatch.setattr(onnx_torch, "_settings", lambda *_: nullcontext())
    monkeypatch.setattr(net, "_device", "cuda")
    monkeypatch.setattr(net, "_put", lambda value: value)
    monkeypatch.setattr(net, "_run", lambda *arrays: (sizes.append(len(arrays[0])), run(*arrays))[1])
    for g, before in zip(given, plain):
        for a, b in zip(before, net(*g), strict=True):
            np.testing.assert_allclose(b, a, rtol=1e-4, atol=1e-4)
    assert sizes == [1, 16, 16, 32]


def test_the_detector_finds_the_same_things(frame):
    usual, other = (rgbd.create(runtime=r, device="cpu").detect(frame.color, frame.depth, frame.camera, frame.camera_pose) for r in ("auto", "torch"))
    assert len(usual) >= 3 and [d.cls for d in usual] == [d.cls for d in other]
    for a, b in zip(usual, other):
        assert np.abs(np.array(a.box) - b.box).max() <= 1 and a.score == pytest.approx(b.score, abs=5e-3)
        assert abs(int(a.mask.sum()) - int(b.mask.sum())) <= 2 + 0.01 * a.mask.sum()


def save(path, nodes, opset=17, y=(1, 1, 4, 4)):
    """A network x (1, 1, 4, 4) → y."""
    graph = helper.make_graph(nodes, "small", [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 1, 4, 4])],
                              [helper.make_tensor_value_info("y", TensorProto.FLOAT, list(y))],
                              [numpy_helper.from_array(np.array([1, 1, 2, 2], np.float32), "twice"), numpy_helper.from_array(np.array([3, 3], np.int64), "three")])
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)]), str(path))
    return path


@pytest.mark.parametrize("node, said", [
    (helper.make_node("Tan", ["x"], ["y"]), "cannot run the operator Tan: known are Add, "),
    (helper.make_node("Resize", ["x", "", "twice"], ["y"], mode="linear"), "operator Resize: its (mode|coordinate)"),
    (helper.make_node("DepthToSpace", ["x"], ["y"], blocksize=1), "operator DepthToSpace: its mode is 'DCR'"),
    (helper.make_node("MaxPool", ["x"], ["y"], kernel_shape=[3, 3], auto_pad="SAME_UPPER"), "operator MaxPool: its auto_pad"),
])
def test_what_is_not_known_is_refused_when_the_file_is_read(node, said, tmp_path):
    with pytest.raises(DetectorError, match=rf"other.onnx': .*{said}"):
        by("torch", save(tmp_path / "other.onnx", [node]), ["x"], ["y"])


def test_what_no_wanted_output_follows_from_need_not_be_known(tmp_path):
    path = save(tmp_path / "small.onnx", [helper.make_node("Tan", ["x"], ["unwanted"]), helper.make_node("Relu", ["x"], ["y"])])
    x = np.linspace(-1, 1, 16, dtype=np.float32).reshape(1, 1, 4, 4)
    x.setflags(write=False)
    np.testing.assert_array_equal(by("torch", path, ["x"], ["y"])[1](x)[0], np.maximum(x, 0))


def test_a_network_that_does_not_fit_its_input_is_named(tmp_path):
    path = save(tmp_path / "small.onnx", [helper.make_node("Reshape", ["x", "three"], ["y"])], y=(3, 3))
    with pytest.raises(DetectorError, match="small.onnx': .*operator Reshape: shape"):
        by("torch", path, ["x"], ["y"])[1](np.zeros((1, 1, 4, 4), np.float32))


def test_other_files_are_refused(tmp_path):
    path = tmp_path / "broken.onnx"
    path.write_bytes(rgbd.WEIGHTS.read_bytes()[:5000])
    with pytest.raises(DetectorError, match="broken.onnx' cannot be loaded, the file is corrupt"):
        by("torch", path, rgbd.INPUTS, rgbd.OUTPUTS)
    with pytest.raises(DetectorError, match="outputs boxes.* are missing"):
        by("torch", save(path, [helper.make_node("Relu", ["x"], ["y"])]), ["x"], rgbd.OUTPUTS)
    with pytest.raises(DetectorError, match="operator set 11, .*13 to 17"):
        by("torch", save(path, [helper.make_node("Relu", ["x"], ["y"])], opset=11), ["x"], ["y"])


@pytest.mark.parametrize("runtime, device, onnxruntime, pytorch, expected", [
    ("auto", "auto", False, False, ("onnxruntime", "cpu")), ("auto", "cpu", True, True, ("onnxruntime", "cpu")), ("auto", "auto", True, True, ("onnxruntime", "cuda")),
    ("auto", "auto", False, True, ("torch", "cuda")), ("auto", "cuda", False, True, ("torch", "cuda")), ("auto", "cuda", True, False, ("onnxruntime", "cuda")),
    ("torch", "auto", True, False, ("torch", "cpu")), ("torch", "cuda", True, True, ("torch", "cuda")), ("onnxruntime", "auto", False, True, ("onnxruntime", "cpu")),
    ("openvino", "auto", True, True, ("openvino", "cpu")), ("auto", "cuda", False, False, "no ONNX Runtime with a CUDA .*and no PyTorch.*onnxruntime-gpu.*CUDA build of torch"),
    ("torch", "cuda", True, False, "no PyTorch that sees"), ("onnxruntime", "cuda", False, True, "no ONNX Runtime with a CUDA provider.*runtime torch"),
    ("openvino", "cuda", True, True, "OpenVINO runs on the CPU"), ("tensorrt", "auto", True, True, "must be auto, onnxruntime, openvino or torch"),
    ("auto", "tpu", True, True, "must be auto, cpu or cuda"),
])
def test_what_runs_the_networks_where(runtime, device, onnxruntime, pytorch, expected, monkeypatch):
    monkeypatch.setattr(light, "_onnxruntime_sees_cuda", lambda: onnxruntime)
    monkeypatch.setattr(light, "_torch_sees_cuda", lambda: pytorch)
    if isinstance(expected, tuple):
        assert chosen(runtime, device) == expected
    else:
        with pytest.raises(DetectorError, match=expected):
            chosen(runtime, device)


@pytest.mark.parametrize("create", [rgbd.create, light.create])
@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a CUDA device")
def test_without_a_gpu_one_is_told_how_to_get_there(create):
    with pytest.raises(DetectorError, match="device 'cuda': .*onnxruntime-gpu.*CUDA build of torch.*device cpu"):
        create(device="cuda")


def test_on_the_cpu_the_detectors_need_no_pytorch():
    code = ("import sys\nsys.modules['torch'] = None\nfrom perception import detectors\n"
            "for name in ('rgbd', 'light'): detectors.create(name, device='cpu')\n"
            "del sys.modules['torch']\nfrom perception.detectors import light\nlight.ctypes.CDLL = lambda name: open('/nowhere')\n"
            "detectors.create('rgbd'); print('torch' in sys.modules)")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.stdout.strip() == "False", done.stdout + done.stderr


def test_the_settings_of_pytorch_stay_as_they_were():
    before = torch.get_num_threads(), torch.backends.cudnn.benchmark, torch.backends.cudnn.allow_tf32, torch.is_inference_mode_enabled()
    _, run = loader("torch", "cpu")(max(1, torch.get_num_threads() - 1), *PAIRS["rgbd"])
    run(np.zeros((1, 3, 64, 64), np.float32), np.zeros((1, 7, 32, 32), np.float32))
    assert (torch.get_num_threads(), torch.backends.cudnn.benchmark, torch.backends.cudnn.allow_tf32, torch.is_inference_mode_enabled()) == before
