"""``heed doctor``: each problem with a one-line fix."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

HELP = "Check the installation, the image transport, and a running graph if there is one. Exit code 1 when something fails."
_SIGN = {"ok": "\033[32m ok \033[0m", "warn": "\033[33mwarn\033[0m", "fail": "\033[31mfail\033[0m"}


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--no-ros", action="store_true", help="only the installation: start no ROS node")
    parser.add_argument("--output", type=Path, help="write the findings as JSON")


def run(args: argparse.Namespace) -> int:
    from evaluation.doctor import Finding, Level
    from evaluation.doctor.installation import CHECKS

    found: list[Finding] = []

    def show(finding: Finding) -> None:
        found.append(finding)
        print(f"[{_SIGN[finding.level.value]}] {finding.name}: {finding.detail}" + (f"\n       → {finding.fix}" if finding.fix else ""), flush=True)

    for check in CHECKS:
        show(check())
    ros_works = not any(f.level is Level.FAIL and f.name in ("ros-rclpy", "heed_msgs") for f in found)
    if ros_works and not args.no_ros:
        from evaluation.doctor import ros

        show(ros.image_transport())
        for finding in ros.running_graph():
            show(finding)
    if args.output:
        args.output.write_text(json.dumps([f.to_dict() for f in found], indent=1))
    return int(any(f.level is Level.FAIL for f in found))
