"""The same rendered images in YOLO-seg format, and yolo11n-seg trained on them from its YAML (no pretrained weights; AGPL-3.0 library)."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import time
from pathlib import Path

import cv2
import numpy as np
import yaml

from evaluation.cli import UsageError
from perception.training.shards import CLASSES, INDEX, LabelledImage, list_shards, read_image

_LEAST_AREA = 6  # pixels of a piece worth an outline


def label_lines(one: LabelledImage) -> list[str]:
    """One line per instance: class number (0 is the first household class), then the outline of its largest piece, x y in 0…1."""
    lines = []
    h, w = one.ids.shape
    for value in np.flatnonzero(np.bincount(one.ids.ravel())):
        cls = one.table.get(int(value), ("", ""))[1]
        if cls not in INDEX:
            continue
        outlines, _ = cv2.findContours((one.ids == value).astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
        best = max(outlines, key=cv2.contourArea)
        if len(best) >= 3 and cv2.contourArea(best) >= _LEAST_AREA:
            points = (best.reshape(-1, 2) + 0.5) / (w, h)
            lines.append(f"{INDEX[cls] - 1} " + " ".join(f"{v:.5f}" for v in points.ravel()))
    return lines


def write_dataset(data: Path, target: Path) -> Path:
    """``images`` and ``labels`` for both splits and ``data.yaml``; images there already are kept."""
    for split in ("train", "test"):
        for shard in list_shards(data / split):
            for k in range(len(shard.counts)):
                name = f"{shard.path.name.split('.')[0]}_{k:03d}"
                picture, label = target / "images" / split / f"{name}.jpg", target / "labels" / split / f"{name}.txt"
                if label.exists():
                    continue
                one = read_image(shard.path, k)
                picture.parent.mkdir(parents=True, exist_ok=True)
                label.parent.mkdir(parents=True, exist_ok=True)
                cv2.imwrite(str(picture), cv2.cvtColor(one.color, cv2.COLOR_RGB2BGR))
                scratch = label.with_suffix(".part")
                scratch.write_text("\n".join(label_lines(one)) + "\n")
                os.replace(scratch, label)
    table = target / "data.yaml"
    table.write_text(yaml.safe_dump({"path": str(target.resolve()), "train": "images/train", "val": "images/test",
                                     "names": dict(enumerate(CLASSES[1:]))}))
    return table


def train_yolo(args: argparse.Namespace, size: tuple[int, int]) -> int:
    """Called by ``heed train detector --backend ultralytics``."""
    from evaluation.detector_card import command_of, write_card
    from evaluation.detector_score import SCORE_THRESHOLD, score, test_shards
    from perception import detectors

    if args.output.suffix != ".pt":
        raise UsageError(f"--output {args.output}: ultralytics weights end in .pt")
    shards = list_shards(args.data / "train")
    training = None if args.score_only else _fit(args, size, sum(len(s.counts) for s in shards))
    detector = detectors.create("ultralytics", weights=args.output, size=max(size), score_threshold=SCORE_THRESHOLD)
    result = score(detector, test_shards(args.data / "test"))
    if training is not None:
        data = {"images": sum(len(s.counts) for s in shards), "homes": len(shards), "size": args.image_size, "split": "train",
                "first_seed": args.first_seed}
        write_card(args.output, command_of(args), data, training, result)
    print(f"  mask_map50 {result['mask_map50']:.3f}, of at least 100 px {result['mask_map50_ge100px']:.3f}")
    return 0


def _fit(args: argparse.Namespace, size: tuple[int, int], images: int) -> dict:
    """Trains, copies the last weights to ``args.output`` (the library's "best" would be chosen on the test split); facts for the card."""
    from perception.detectors.ultralytics import checked, chosen_device, offline

    if not args.test_homes:
        raise UsageError("--test-homes 0: the ultralytics library wants images to validate on")
    offline()
    from ultralytics import YOLO

    table, run = write_dataset(args.data, args.data / "yolo"), (args.run or args.data / "run_yolo").resolve()
    epochs = max(1, round(args.epochs if args.epochs else (args.steps or 20_000) * args.batch / images))
    last = run / "fit" / "weights" / "last.pt"
    start = time.monotonic()
    print(f"  yolo11n-seg: {epochs} epochs of {images} images", file=sys.stderr)
    if args.resume and last.exists():
        YOLO(str(last)).train(resume=True)
    else:
        YOLO("yolo11n-seg.yaml").train(
            data=str(table), epochs=epochs, imgsz=max(size), batch=args.batch, seed=args.seed, project=str(run), name="fit", exist_ok=True,
            device=chosen_device(args.device), workers=args.workers, plots=False, amp=False, pretrained=False, deterministic=True, patience=0,
            time=args.seconds / 3600 if args.seconds else None)
    args.output.parent.mkdir(parents=True, exist_ok=True)
    scratch = args.output.with_name(f".{args.output.name}.part")
    shutil.copyfile(checked(last, "ultralytics"), scratch)
    os.replace(scratch, args.output)
    print(f"{args.output}: {args.output.stat().st_size / 1e6:.1f} MB")
    return {"steps": epochs * max(1, images // args.batch), "epochs": epochs, "batch": args.batch, "size": f"{size[0]}x{size[1]}",
            "seed": args.seed, "seconds": time.monotonic() - start, "device": args.device}
