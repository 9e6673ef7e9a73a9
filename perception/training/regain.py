"""Goes on from exported weights: an ONNX file of this project turned back into the network it came from, so that who has other homes can train further.

An export folds every batch normalisation into the convolution before it. The convolution is taken as it is and the normalisation set to do nothing; then the
network looks at images, and each normalisation is given the statistics of what it sees and the gains that undo them, so that what the network answers is the same
before and after (:func:`settle`), and training finds the normalisations as it needs them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader

from perception.detectors import DetectorError
from perception.training.shards import ShardInfo
from perception.training.tasks import Task

if TYPE_CHECKING:
    from perception.training.train import TrainConfig

_KINDS = {"Conv": nn.Conv2d, "ConvTranspose": nn.ConvTranspose2d, "Gemm": nn.Linear, "BatchNormalization": nn.modules.batchnorm._BatchNorm}
_NORM = nn.modules.batchnorm._BatchNorm
_LOOKS, _AT_ONCE = 48, 4  # images for the statistics


def start_from(task: Task, net: nn.Module, path: Path, shards: Sequence[ShardInfo], config: TrainConfig) -> int:
    """:func:`regain` for a network of :mod:`perception.training.tasks`, settled on the images it is to be trained on."""
    home = next(net.parameters()).device
    loader = DataLoader(task.samples(shards, config, 0, _LOOKS), batch_size=_AT_ONCE)
    looks = (lambda n, batch=batch: task.forward(n, batch) for batch in loader)
    filled = regain(net.cpu(), path, task.example, looks)
    net.to(home)
    return filled


def regain(net: nn.Module, path: Path, example: tuple[torch.Tensor, ...], batches: Iterable[Callable[[nn.Module], object]] = ()) -> int:
    """Fills ``net`` (in eval mode afterwards) from the file ``path`` that was exported from such a network; ``example``: inputs for one forward pass;
    ``batches``: functions that run the network on real input, for the normalisations. Returns the layers filled; raises DetectorError."""
    layers = _in_file(path)
    net.eval()
    called = _in_order(net, example)
    folded: dict[nn.Module, nn.Module] = {}  # normalisation → its convolution
    own = []
    for module in called:
        kept = len(own) < len(layers) and layers[len(own)][0] == "BatchNormalization"  # one that follows no convolution of its own
        if isinstance(module, _NORM) and not kept and own:
            folded[module] = own[-1]
        else:
            own.append(module)
    if len(own) != len(layers) or any(not isinstance(m, _KINDS[kind]) for m, (kind, _) in zip(own, layers)):
        raise DetectorError(f"'{path}' holds {len(layers)} layers, this network has {len(own)} or others: it was exported from another one")
    norm_of = {conv: norm for norm, conv in folded.items()}
    with torch.no_grad():
        for k, (module, (kind, arrays)) in enumerate(zip(own, layers)):
            given = [torch.from_numpy(np.array(a, np.float32)) for a in arrays]
            if tuple(given[0].shape) != tuple(module.weight.shape):
                raise DetectorError(f"'{path}': layer {k} ({kind}) is {tuple(given[0].shape)}, this network's {tuple(module.weight.shape)}")
            module.weight.copy_(given[0])
            if kind == "BatchNormalization":
                for target, value in zip((module.bias, module.running_mean, module.running_var), given[1:]):
                    target.copy_(value)
            elif module in norm_of:
                norm = norm_of[module]
                norm.weight.fill_(1.0)
                norm.bias.copy_(given[1])
                norm.running_mean.zero_()
                norm.running_var.fill_(1.0 - norm.eps)
            elif module.bias is not None:
                module.bias.copy_(given[1])
    settle(list(folded), net, batches)
    return len(own)


@torch.no_grad()
def settle(norms: list[nn.Module], net: nn.Module, batches: Iterable[Callable[[nn.Module], object]]) -> None:
    """Gives ``norms`` mean and variance of what reaches them in ``batches``, and gains that leave the network's answers as they were."""
    sums: dict[nn.Module, list] = {}

    def watch(norm: nn.Module, given: tuple[torch.Tensor, ...]) -> None:
        x = given[0].double().transpose(0, 1).flatten(1)
        row = sums.setdefault(norm, [0, 0.0, 0.0])
        row[0] += x.shape[1]
        row[1] = row[1] + x.sum(1)
        row[2] = row[2] + (x * x).sum(1)

    hooks = [n.register_forward_pre_hook(watch) for n in norms]
    net.eval()
    for run in batches:
        run(net)
    for hook in hooks:
        hook.remove()
    for norm, (count, total, squares) in sums.items():
        mean = total / count
        variance = (squares / count - mean * mean).clamp(min=1e-6)
        gain = norm.weight.double() / torch.sqrt(norm.running_var.double() + norm.eps)
        norm.bias.copy_(norm.bias + gain * (mean - norm.running_mean))
        norm.weight.copy_(gain * torch.sqrt(variance + norm.eps))
        norm.running_mean.copy_(mean)
        norm.running_var.copy_(variance)


@torch.no_grad()
def blended(begun: nn.Module, trained: nn.Module, share: float) -> nn.Module:
    """``trained`` moved back towards the network it ``begun`` as: ``share`` of its own weights and statistics, the rest of the other's. What training on few
    exemplars took away from a wider start comes back, what it added mostly stays (Wortsman et al. 2022, Robust fine-tuning, eq. 1)."""
    if not 0.0 <= share <= 1.0:
        raise DetectorError(f"blend {share}: must be 0 to 1")
    before = begun.state_dict()
    for name, value in trained.state_dict().items():
        if value.dtype.is_floating_point:
            value.copy_(before[name] + share * (value - before[name]))
    return trained


def _in_order(net: nn.Module, example: tuple[torch.Tensor, ...]) -> list[nn.Module]:
    called: list[nn.Module] = []
    hooks = [m.register_forward_pre_hook(lambda module, _: called.append(module)) for m in net.modules() if isinstance(m, tuple(_KINDS.values()))]
    with torch.no_grad():
        net(*example)
    for hook in hooks:
        hook.remove()
    return called


def _in_file(path: Path) -> list[tuple[str, list[np.ndarray]]]:
    import onnx
    from onnx import numpy_helper

    try:
        graph = onnx.load(str(path)).graph
    except Exception as error:  # onnx and protobuf raise many types
        raise DetectorError(f"'{path}' is no ONNX file: {type(error).__name__}: {str(error)[:120]}") from error
    arrays = {t.name: numpy_helper.to_array(t) for t in graph.initializer}
    for node in graph.node:
        if node.op_type == "Cast" and node.input[0] in arrays:
            arrays[node.output[0]] = arrays[node.input[0]]
    return [(n.op_type, [arrays[i] for i in n.input[1:] if i in arrays]) for n in graph.node if n.op_type in _KINDS]
