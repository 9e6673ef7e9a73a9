"""Build one interface package against the sourced ROS 2 and put its Python module into a virtual environment.

usage: build_in_sourced_ros.py PACKAGE_FOLDER VENV. Uses plain CMake, installing with the venv as prefix; a colcon workspace that
has the package already needs none of this.
"""

import subprocess
import sys
import tempfile
from pathlib import Path


def main(package: Path, venv: Path) -> int:
    with tempfile.TemporaryDirectory() as build:
        configure = ["cmake", "-S", str(package), "-B", build, f"-DCMAKE_INSTALL_PREFIX={venv}", "-DBUILD_TESTING=OFF",
                     f"-DPython3_EXECUTABLE={sys.executable}", f"-DCMAKE_INSTALL_RPATH={venv / 'lib'}"]  # no setup.bash names the venv's libraries
        for command in (configure, ["cmake", "--build", build, "-j2"], ["cmake", "--install", build]):
            subprocess.run(command, check=True)
    site = next((venv / "lib").glob("python3.*/site-packages"))
    other = [p for p in (venv / "local/lib").glob(f"python3.*/dist-packages/{package.name}")]
    if other and not (site / package.name).exists():
        (site / package.name).symlink_to(other[0])
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve(), Path(sys.argv[2]).absolute()))
