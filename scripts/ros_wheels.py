"""Point the CMake files of the ROS 2 wheels at this virtual environment.

The wheels' exports carry the Python, numpy and prefix paths of the machine that built them (``/opt/python/cpXY-cpXY``); an
interface package can be built against them only when those are this environment's. Idempotent.
"""

import re
import sys
import sysconfig
from pathlib import Path

import numpy

BUILD_PREFIX = r"/opt/python/cp\d+-cp\d+t?"


def main() -> int:
    venv = Path(sys.prefix)
    include = sysconfig.get_paths()["include"]
    rules = [
        (re.compile(BUILD_PREFIX + r"/lib/python3\.\d+/site-packages/numpy/_core/include"), numpy.get_include()),
        (re.compile(BUILD_PREFIX + r"/include/python3\.\d+"), include),
        (re.compile(BUILD_PREFIX), str(venv)),
    ]
    changed = 0
    for path in (venv / "share").rglob("*.cmake"):
        text = before = path.read_text()
        for pattern, replacement in rules:
            text = pattern.sub(lambda _, r=replacement: r, text)
        if text != before:
            path.write_text(text)
            changed += 1
    print(f"{changed} CMake files now point at {venv}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
