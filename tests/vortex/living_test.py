"""Compares the Vortex module with the vortex-data package: samples print alike, files with our metadata open."""
import pathlib
import subprocess
import sys
import tempfile

try:
    import vortex
except ImportError:
    print("SKIPPED: the vortex-data package is not installed")
    sys.exit(77)

probe, samples = sys.argv[1], pathlib.Path(sys.argv[2])


def ask(*words):
    return subprocess.run([probe, *map(str, words)], capture_output=True, text=True, check=True).stdout.strip()


failures = 0
for sample in sorted(samples.glob("*.vortex")):
    living = str(vortex.open(str(sample)).dtype)
    ours = ask("dtype", sample)
    if living != ours:
        failures += 1
        print(f"{sample.name}: expected {living}, found {ours}")
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder) / "copy.vortex"
        ask("annotate", sample, copy)
        reopened = vortex.open(str(copy))
        if str(reopened.dtype) != living or len(reopened) != len(vortex.open(str(sample))):
            failures += 1
            print(f"{sample.name}: a copy with a metadata slot reads differently")
        if reopened.scan().read_all().to_arrow_array() != vortex.open(str(sample)).scan().read_all().to_arrow_array():
            failures += 1
            print(f"{sample.name}: the rows of a copy with a metadata slot differ")
sys.exit(1 if failures else 0)
