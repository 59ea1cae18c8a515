"""Full disks, quotas, read-only targets, and pipes without a reader.

A trial: disks SOURCE TARGET MODE nospace|quota|limit BYTES, disks SOURCE TARGET MODE pages N (a file system with N free
pages, if it can be mounted), disks SOURCE TARGET MODE readonly 0, disks device KIND.
"""
import errno
import os
import pathlib
import resource
import shutil
import subprocess
import threading

import bench
import calls
import cases

ROWS = 2_000
PAGE = 4096
#: Sizes that are tried of each case, of those from 0 to what it needs.
SIZES = 60
DEVICES = ("out", "rejects", "stdout", "stderr", "schema", "closed", "pipe", "pipe-late")


class Campaign:
    name = "disks"

    def __init__(self, bench_, short):
        self.bench, self.short, self.cases = bench_, short, cases.Cases(bench_)
        self.mount_lock = threading.Lock()
        self.disk = bench_.folder / "disk"
        self.disk.mkdir(exist_ok=True)
        self.can_mount = not short and self.mount(1 << 20) and self.unmount()

    def mount(self, size):
        return subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "none", self.disk], capture_output=True).returncode == 0

    def unmount(self):
        return subprocess.run(["umount", "-l", self.disk], capture_output=True).returncode == 0

    def case(self, source, target, mode):
        return self.cases.get(source, target, mode, ROWS)

    def trials(self, rng):
        yield from (["device", kind] for kind in DEVICES)
        chosen = [(source, target, mode) for source, target in cases.pairs(not self.short and self.bench.engine_interpreter is not None)
                  for mode in (["overwrite"] if self.short else cases.MODES) if cases.can(source, target, mode)]
        rng.shuffle(chosen)
        yield from cases.in_turns([self.trials_of(*case, rng) for case in chosen], 3 if self.short else 30)

    def trials_of(self, source, target, mode, rng):
        need = self.case(source, target, mode).first.bytes
        sizes = {0, 1, need - 1, need, *rng.sample(range(need + 1), min(SIZES, need))} if need else {0}
        ways = ["limit"] if target in cases.ENGINES else ["nospace", "quota", "limit"]
        todo = [[source, target, mode, rng.choice(ways), str(size)] for size in sorted(sizes)]
        if self.can_mount:
            todo += [[source, target, mode, "pages", str(pages)] for pages in range(need // PAGE + 8)]
            todo.append([source, target, mode, "readonly", "0"])
        rng.shuffle(todo)
        yield from todo

    def run(self, words):
        if words[0] == "device":
            return self.run_device(words[1])
        source, target, mode, way, size = words
        case, size = self.case(source, target, mode), int(size)
        if way in ("pages", "readonly"):
            with self.mount_lock:
                return self.run_mounted(case, way, size)
        folder = case.folder()
        options = {}
        if way == "limit":
            options["preexec_fn"] = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
        else:
            code = {"nospace": errno.ENOSPC, "quota": errno.EDQUOT}[way]
            options["shim"] = {"disk": size, "error": code}
        run = self.bench.run(case.words, folder, **options)
        out = self.judged(case, folder, run)
        bench.remove(folder)
        return (way, *out)

    def judged(self, case, folder, run):
        outcome, broken = case.judge(folder, run, killed=False)
        broken += case.leftovers(folder, killed=False)
        if run.code not in (0, 74):
            broken.append(f"code {run.code}: {run.words[:300]}")
        if run.code == 74 and not calls.NAMED.search(run.words):
            broken.append(f"nothing is named: {run.words[:300]}")
        return outcome, broken

    def run_mounted(self, case, way, pages):
        used = sum((path.stat().st_size + PAGE - 1) // PAGE for path in case.template.rglob("*") if path.is_file())
        if not self.mount((used + pages if way == "pages" else 1 << 14) * PAGE):
            return way, "not mounted", []
        try:
            shutil.copytree(case.template, self.disk, dirs_exist_ok=True)
            if way == "readonly":
                subprocess.run(["mount", "-o", "remount,ro", self.disk], check=True)
            run = self.bench.run(case.words, self.disk, patience=120)
            return (way, *self.judged(case, self.disk, run))
        finally:
            self.unmount()

    def run_device(self, kind):
        """What is written to something else than a file."""
        case = self.case("yt", "skiff", "fresh")
        folder = case.folder()
        full = open("/dev/full", "wb")
        words, options, codes = case.words, {}, (74,)
        if kind == "out":
            words = ["convert", "in.yson", "/dev/full", "--to", "yt"]
        elif kind == "rejects":
            words = [*case.words, "--on-error", "skip", "--rejects", "/dev/full"]
            codes = (0,)  # there are none
        elif kind == "stdout":
            words, options = ["convert", "in.yson", "-", "--to", "yt"], {"stdout": full}
        elif kind == "stderr":
            options, codes = {"stderr": full}, (0,)
        elif kind == "schema":
            words, options = ["schema", "in.yson"], {"stdout": full}
        elif kind == "closed":
            # What is opened next would be standard output.
            options, codes = {"preexec_fn": lambda: [os.close(number) for number in (0, 1, 2)]}, (0,)
        elif kind.startswith("pipe"):
            return kind, *self.run_pipe(folder, kind)
        run = self.bench.run(words, folder, **options)
        full.close()
        broken = [] if run.code in codes else [f"code {run.code}: {run.words[:300]}"]
        if words is case.words and case.state(folder) != case.wanted:
            broken.append(f"the output is another: {cases.differences(case.state(folder), case.wanted)}")
        broken += case.leftovers(folder, killed=False)
        bench.remove(folder)
        return f"device {kind}", "as promised", broken

    def run_pipe(self, folder, kind):
        with self.bench.started(["convert", "in.yson", "-", "--to", "yt"], folder, stdout=subprocess.PIPE) as process:
            if kind == "pipe-late":
                process.stdout.read(10)
            process.stdout.close()
            process.stdout = None
            said = process.stderr.read()
            process.wait(bench.PATIENCE)
            broken = [] if process.returncode in (0, 141) and not said.strip().startswith(b"xwalk: error") else [f"{process.returncode} {said}"]
        bench.remove(folder)
        return "as promised", broken
