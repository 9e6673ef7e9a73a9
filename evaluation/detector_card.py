"""The model card beside the weights: what they were made from, with which command, how well they do, what they will not do."""

from __future__ import annotations

import argparse
import hashlib
import os
import shlex
from datetime import datetime, timezone
from pathlib import Path

from evaluation.choice_report import write_json
from evaluation.detector_score import SCORE_THRESHOLD

TARGET = {"mask_map50": 0.60, "mask_map50_ge100px": 0.70}
MEASURES = ("box_map50", "mask_map50", "mask_map50_ge100px", "box_map50_all_names", "mask_map50_all_names", "mask_map50_all_names_ge100px", "ms_median")
LIMITS = ("Only the classes listed are found, everything else is background.",
          "Trained on rendered homes; real cameras, furniture and people differ, and no real image was used.",
          "People are found, not recognised: who it is has to come from elsewhere.",
          "Instances of fewer than about 100 pixels are mostly missed; glass and mirrors give wrong depth.",
          "Without depth the same network answers, but was shown that case in only a few per cent of its images.")


def command_of(args: argparse.Namespace) -> str:
    """The command that makes such weights again; folders are left to whoever runs it."""
    length = ["--epochs", f"{args.epochs:g}"] if args.epochs else ["--steps", args.steps or 20_000]
    words = ["heed", "train", "detector", "--data", "images", "--backend", args.backend, "--part", args.part, "--homes", args.homes, "--images", args.images,
             "--image-size", args.image_size, "--resolution", args.resolution, *length, "--batch", args.batch, "--rate", args.rate,
             "--seed", args.seed, "--first-seed", args.first_seed, *(("--close", args.close) if args.close else ()), "--test-homes", args.test_homes,
             *(["--blend", f"{args.blend:g}"] if getattr(args, "blend", 1.0) != 1.0 else []), *(["--bf16"] if args.bf16 else []), *(["--seconds", f"{args.seconds:g}"] if args.seconds else []),
             *(["--backbone", Path(args.backbone).name] if args.backend != "ultralytics" else []), *(["--resume"] if args.resume else []), "--output", args.output.name]
    return shlex.join(map(str, words))


def write_card(weights: Path, command: str, data: dict, training: dict, scores: dict | None) -> Path:
    """``<weights>.json`` and ``<weights>.md``; returns the former."""
    facts = {"weights": weights.name, "sha256": hashlib.sha256(weights.read_bytes()).hexdigest(), "bytes": weights.stat().st_size,
             "made": datetime.now(timezone.utc).strftime("%Y-%m-%d"), "command": command, "data": data, "training": training,
             "scores": scores, "target": TARGET, "meets_target": meets(scores), "limits": list(LIMITS)}
    path = weights.with_suffix(".json")
    write_json(path, facts)
    text = weights.with_suffix(".md")
    scratch = text.with_name(text.name + ".part")
    scratch.write_text(_page(facts), encoding="utf-8")
    os.replace(scratch, text)
    return path


def meets(scores: dict | None) -> bool:
    """Whether every target is reached."""
    return scores is not None and all(scores.get(k) is not None and scores[k] >= v for k, v in TARGET.items())


def _page(f: dict) -> str:
    s, t = f["scores"], f["training"]
    state = "meets its targets" if f["meets_target"] else "**does not meet its targets**: the scores below say how far from them it is"
    lines = [f"# {f['weights']}", "", f"This network {state}.", "", f"Made {f['made']}: `{f['command']}`", "",
             f"- Data: {f['data']['images']} images of {f['data']['homes']} generated homes, {f['data']['size']}, split {f['data']['split']}, "
             f"seeds from {f['data']['first_seed']}",
             *_training(t), f"- File: {f['bytes']} bytes, sha256 {f['sha256'][:16]}…", ""]
    if s is None:
        lines += ["It was not scored.", ""]
    else:
        lines += [f"Scored on {s['images']} images of {s['homes']} homes of the test split, with sensor noise, meshes never trained on, the camera's height "
                  f"and pitch known, all detections from score {SCORE_THRESHOLD} on:", "",
                  "| measure | value | target |", "|---|---|---|"]
        lines += [f"| {k} | {_number(s.get(k))} | {_number(TARGET.get(k))} |" for k in MEASURES]
        lines += ["", "`…_all_names` counts each detection under every name it offers, at that name's share of its score (how the YOLO family is validated: each box under every "
                  "class above the threshold); all else, and the target, under its first name alone."]
        lines += ["", "| pixels | true instances | found (mask IoU ≥ 0.5) |", "|---|---|---|"]
        lines += [f"| {k} | {s['instances_by_pixels'][k]} | {_number(v)} |" for k, v in s["mask_recall_by_pixels"].items()]
        lines += ["", "As if only the group were asked for, not the name:", "", "| group | true instances | mask AP50 | of at least 100 px |",
                  "|---|---|---|---|"]
        lines += [f"| {g} | {v['instances']} | {_number(v['mask_ap50'])} | {_number(v['mask_ap50_ge100px'])} |" for g, v in s["by_group"].items()]
        lines += ["", "| class | true instances | mask AP50 |", "|---|---|---|"]
        lines += [f"| {c} | {s['instances_by_class'][c]} | {_number(v)} |" for c, v in s["mask_ap50_by_class"].items()]
        lines.append("")
    return "\n".join([*lines, "What it will not do:", "", *[f"- {t}" for t in f["limits"]], ""])


def _training(t: dict) -> list[str]:
    """One line a network; the runs it was trained in, each (width, height, batch, images there were, step at its end)."""
    if "steps" in t:
        return [f"- Training: {t['steps']} steps of {t['batch']} images at {t['size']}, seed {t['seed']}, {t['seconds']:.0f} s on {t['device']}"]
    lines = []
    for part in (p for p in ("rgbd", "segment", "names", "pair") if p in t):
        runs = "; ".join(f"to step {end}: {batch} of {images} images at {w}x{h}" for w, h, batch, images, end in t[part]["phases"])
        lines.append(f"- Training of `{part}`: {t[part]['steps']} steps, {t[part]['seconds']:.0f} s on {t[part].get('device', t['device'])}, seed {t['seed']} ({runs})")
    return lines


def _number(value) -> str:
    return "–" if value is None else f"{value:.3f}" if isinstance(value, float) else str(value)
