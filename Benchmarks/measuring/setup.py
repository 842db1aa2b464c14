"""The paths, and the yardstick's programs."""
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
# The programs as they are installed.
PROGRAMS = ROOT / ".build" / "programs"
WORK = ROOT / ".build" / "bench"
BENCH = str(ROOT / ".build" / "release" / "beaconmon-bench")


def prepare():
    """Compiles the yardstick. The programs must exist already, in their shipped form."""
    if not pathlib.Path(BENCH).exists():
        sys.exit(f"{BENCH}: no release build; run make bench")
    WORK.mkdir(parents=True, exist_ok=True)
    dbus = output("pkg-config", "--cflags", "--libs", "dbus-1", "libsystemd").split()
    for suffix, compiler in ((".c", ["gcc"]), (".cc", ["g++", "-std=c++17"])):
        for source in sorted((ROOT / "Benchmarks" / "Yardstick").glob(f"*{suffix}")):
            output(*compiler, "-O3", "-Wall", "-Wextra", "-Werror", "-o", yardstick(source.stem), str(source), *dbus, "-lm")


def yardstick(name):
    return str(WORK / name)


def output(*command):
    return subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout
