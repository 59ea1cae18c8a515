"""How conversions scale with threads: a simulation of the pipeline from measured times of its stages.

    python3 bench/scaling.py BUILD ENGINES FLIGHTS.parquet [REPEATS]

BUILD is the folder of `pipeline_stages` (build/bench/bench), ENGINES that of the program and its plugins
(build/release). Each stage of each piece of a conversion is measured on one thread (the least of REPEATS, 5), and the
pipeline of src/xwalk/io/rows/pipeline.cc is played through with 1 to 16 threads: taking pieces by one thread at a time,
working on them by all, writing them by one thread at a time and in order, with as many pieces ahead as it allows. The
machine of the simulation has a core a thread and memory without bounds, so that what it says is what the order of the
stages costs, and no more. `busy` is the stage that bounds 16 threads, with its share of the work of one thread; `here`
is what the machine at hand makes of two threads.
"""

import heapq
import os
import pathlib
import subprocess
import sys
import tempfile
import time

THREADS = [1, 2, 4, 8, 16]
PAIRS = [("parquet", "yson"), ("yson", "parquet"), ("parquet", "skiff"), ("skiff", "parquet"), ("yson", "skiff"),
         ("skiff", "yson"), ("skiff", "arrow"), ("arrow", "yson"), ("parquet", "parquet")]
# Pieces ahead of the one whose turn it is, as in pipeline.cc.
AHEAD_PER_THREAD = 2
STAGES = ["taking", "working", "writing"]


def stages_of(words: list[str], repeats: int) -> tuple[list[list[int]], int]:
    """Returns the least times of each piece, and those of the end."""
    runs = []
    for _ in range(repeats):
        lines = subprocess.run(words, check=True, capture_output=True, text=True).stdout.splitlines()
        runs.append([[int(word) for word in line.split()[-3:] if word != "end"] for line in lines])
    least = [[min(times) for times in zip(*piece)] for piece in zip(*runs)]
    return least[:-1], least[-1][0]


def simulate(pieces: list[list[int]], threads: int) -> int:
    """Returns the time that the pipeline takes with so many threads, each on a core of its own."""
    events = [(0, thread, "take", -1) for thread in range(threads)]
    taken = written = input_free = now = 0
    finished: set[int] = set()
    blocked: list[int] = []
    writing = False
    while events:
        now, thread, what, turn = heapq.heappop(events)
        if what == "take":
            if taken < len(pieces):
                input_free = max(now, input_free) + pieces[taken][0]
                heapq.heappush(events, (input_free, thread, "work", taken))
                taken += 1
            continue
        if what == "work":
            heapq.heappush(events, (now + pieces[turn][1], thread, "deliver", turn))
            continue
        if what == "deliver":
            finished.add(turn)
        else:
            writing = False
            written += 1
        if not writing and written in finished:
            finished.remove(written)
            writing = True
            heapq.heappush(events, (now + pieces[written][2], thread, "written", written))
        else:
            blocked.append(thread)
        if len(finished) <= AHEAD_PER_THREAD * threads:
            for free in blocked:
                heapq.heappush(events, (now, free, "take", -1))
            blocked.clear()
    return now


def seconds_of(words: list[str], repeats: int) -> float:
    least = 1e9
    for _ in range(repeats):
        begin = time.perf_counter()
        subprocess.run(words, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        least = min(least, time.perf_counter() - begin)
    return least


def main() -> None:
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    stages, engines, flights = (pathlib.Path(word).resolve() for word in sys.argv[1:4])
    repeats = int(sys.argv[4]) if len(sys.argv) > 4 else 5
    program = engines / "xwalk"
    print("| from | to | taking | working | writing | " + " | ".join(f"{n} threads" for n in THREADS) + " | busy | here |")
    print("|---" * (len(THREADS) + 7) + "|")
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as folder:
        files = {}
        for system in ["parquet", "yson", "skiff", "arrow"]:
            files[system] = f"{folder}/in.{system}"
            subprocess.run([program, "convert", flights, files[system], "--quiet"], check=True)
        for source, target in PAIRS:
            out = f"{folder}/out.{target}"
            pieces, end = stages_of([str(stages / "pipeline_stages"), str(engines), files[source], out], repeats)
            whole = sum(map(sum, pieces))
            shares = [sum(piece[stage] for piece in pieces) / (whole + end) for stage in range(3)]
            times = [simulate(pieces, threads) + end for threads in THREADS]
            bounds = [shares[0], shares[1] / THREADS[-1], shares[2]]
            busy = max(range(3), key=bounds.__getitem__)
            convert = [str(program), "convert", files[source], out, "--overwrite", "--quiet", "--threads"]
            here = seconds_of([*convert, "1"], repeats) / seconds_of([*convert, "2"], repeats)
            print(f"| {source} | {target} | " + " | ".join(f"{100 * share:.1f} %" for share in shares) + " | "
                  + " | ".join(f"{times[0] / taken:.2f}" for taken in times)
                  + f" | {STAGES[busy]} {100 * shares[busy]:.1f} % | {here:.2f} |", flush=True)


if __name__ == "__main__":
    main()
