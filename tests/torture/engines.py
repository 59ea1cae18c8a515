"""Engines that are killed, stopped, slow, or say nonsense on every descriptor.

A trial: engines write|read HOW, where HOW is the order for planted_engine.py; engines real lance|vortex KILL|STOP PART: a
real engine is killed or stopped at a part of the time that a run takes.
"""
import json
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import sys
import time

import bench
import cases

WRITES = ["quit:0", "quit:1", "quit:70", "signal:9", "signal:11", "signal:19", "mute", "silent", "contract", "bytes:1", "bytes:2",
          "bytes:3", "bytes-at-once:1", "bytes-at-once:3", "flood:3", "flood:1", "depth", "error:io", "error:input",
          "error:nonsense", "words", "deaf", "claims:nothing", "claims:more", "claims:folder", "claims:pipe", "claims:link",
          "child:0", "child:1"]
#: Messages of an engine about shared memory, and that memory.
SEGMENTS = ["next", "far", "empty", "long", "cut", "bare", "two", "file", "unsealed", "short", "bytes", "gone"]
READS = [how for how in WRITES if not how.startswith("claims")] + ["claims:nothing", "slow"] + [f"segments:{how}-1" for how in SEGMENTS]
#: What comes of these depends on what is changed.
CHANGED = ("changed", "segments")
#: These never end by themselves: they are ended by a signal to the program.
ENDLESS = ("signal:19", "mute", "silent", "child")
#: Memory for a program that should not keep all messages.
MEMORY = 1 << 30


class Campaign:
    name = "engines"

    def __init__(self, bench_, short):
        self.bench, self.cases = bench_, cases.Cases(bench_)
        # Engines beside the program are found first.
        self.folder = bench_.new_folder("planted")
        self.program = str(self.folder / "xwalk")
        shutil.copy(bench_.program, self.program)
        script = self.folder / "xwalk-engine-vortex"
        script.write_text(f"#!{sys.executable} -ISs\n" + pathlib.Path(__file__).with_name("planted_engine.py").read_text())
        script.chmod(0o755)
        self.real = None
        if bench_.engine_interpreter and not short:
            self.real = cases.Case(bench_, "vortex", "yt", "fresh", 2_000)

    def trials(self, rng):
        hows = [["write", how] for how in WRITES]
        if self.real:
            hows += [["read", how] for how in READS]
        rng.shuffle(hows)
        yield from hows
        while self.real:
            chance = rng.random()
            if chance < 0.4:
                yield ["read", f"changed:{rng.randrange(10**9)}"]
            elif chance < 0.7:
                yield ["read", f"segments:bytes-{rng.randrange(10**9)}"]
            else:
                yield ["real", rng.choice(["lance", "vortex"]), rng.choice(["KILL", "STOP"]), f"{rng.random():.3f}"]

    def run(self, words):
        return self.run_real(*words[1:]) if words[0] == "real" else self.run_planted(*words)

    def run_planted(self, verb, how):
        folder = self.real.folder() if verb == "read" else self.bench.new_folder()
        if verb == "read":
            words = self.real.words
        else:
            (folder / "in.yson").write_text(cases.new_rows(20_000))
            (folder / "in.yson.schema").write_text(cases.NEW_SCHEMA)
            words = ["convert", "in.yson", "out.vortex"]
        out = folder / words[2]
        real = str(pathlib.Path(self.bench.program).with_name("xwalk-engine-vortex"))
        more = {"TORTURE_ENGINE": how, "TORTURE_REAL": json.dumps([sys.executable, real])}
        endless = how.startswith(ENDLESS)
        with self.bench.started(words, folder, host=False, program=self.program, more=more,
                                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))) as process:
            broken = []
            if endless:
                time.sleep(1)
                process.send_signal(signal.SIGTERM)
            try:
                said = process.communicate(timeout=2 * bench.PATIENCE)[1].decode(errors="replace")
            except subprocess.TimeoutExpired:
                broken.append("hangs")
                process.kill()
                said = process.communicate()[1].decode(errors="replace")
            if left := bench.orphans(process.pid, patience=20):
                broken.append(f"orphans: {[pathlib.Path(f'/proc/{pid}/cmdline').read_bytes() for pid in left]}")
            code = process.returncode
        if endless and code not in (143, 74, 0):
            broken.append(f"code {code}: {said[:300]}")
        elif not endless and code < 0:
            broken.append(f"signal {-code}: {said[-300:]}")
        elif not endless and code not in (0, 74, 3) and not (how.startswith(CHANGED) and code in (1, 2, 4)):
            broken.append(f"code {code}: {said[:300]}")
        elif code == 0 and not how.startswith(("slow", *CHANGED)):
            broken.append("exit 0")
        elif code == 0 and how == "slow" and self.real.state(folder) != self.real.wanted:
            broken.append("exit 0, and the output is another")
        if code != 0 and (out.exists() or out.is_symlink()):
            broken.append("there is an output")
        if not how.startswith(("error", "slow", *CHANGED)) and any(ord(char) < 32 and char not in "\n\t" for char in said):
            broken.append(f"controls in the message: {said[:200]!r}")
        broken += [f"left behind: {name}" for name in bench.staged(folder)]
        bench.remove(folder)
        return f"{verb} {how.partition(':')[0]}", f"code {code}", broken

    def run_real(self, engine, name, part):
        case = self.cases.get("yt", engine, "fresh", 2_000)
        folder = case.folder()
        with self.bench.started(case.words, folder, host=False) as process:
            time.sleep(float(part) * 2.5)
            children = [pid for pid in bench.session_of(process.pid) if pid != process.pid]
            for pid in children:
                os.kill(pid, getattr(signal, f"SIG{name}"))
            if name == "STOP":
                time.sleep(0.3)
                process.send_signal(signal.SIGTERM)
            said = process.communicate(timeout=bench.PATIENCE)[1].decode(errors="replace")
            run = bench.Run(process.returncode, b"", said)
            left = bench.orphans(process.pid, patience=20)
        outcome, broken = case.judge(folder, run, killed=name == "STOP")
        broken += [f"orphans: {left}"] * bool(left) + [f"left behind: {path}" for path in bench.staged(folder)]
        if run.code not in ((0, 74) if name == "KILL" else (0, 143, -15)):
            broken.append(f"code {run.code}: {said[:300]}")
        bench.remove(folder)
        return f"real {engine} {name}", outcome, broken
