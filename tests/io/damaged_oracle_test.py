"""Cut and damaged files end in one clear error and leave no output; none crashes the program."""

import os
import random

from oracle import *


def test_damaged_files():
    table = pa.table({"a": list(range(2000)), "s": [f"text {i % 30}" for i in range(2000)],
                      "l": [[i, None] for i in range(2000)]})
    pq.write_table(table, path("good.parquet"), compression="zstd", write_page_checksum=True)
    with pa.ipc.new_file(path("good.arrow"), table.schema) as writer:
        writer.write_table(table, max_chunksize=500)
    with pa.ipc.new_stream(path("good.arrows"), table.schema) as writer:
        writer.write_table(table, max_chunksize=500)

    source = random.Random(7)
    refused = 0
    for name in ("good.parquet", "good.arrow", "good.arrows"):
        with open(path(name), "rb") as file:
            good = file.read()
        extension = name.split(".")[1]
        damaged = path(f"damaged.{extension}")
        cuts = [0, 1, 4, 7, 8, 11, 12, len(good) // 3, len(good) // 2, len(good) - 5, len(good) - 1]
        cases = [(f"cut to {size}", good[:size]) for size in cuts]
        for i in range(60):
            bytes_ = bytearray(good)
            for _ in range(source.randint(1, 8)):
                bytes_[source.randrange(len(bytes_))] = source.randrange(256)
            cases.append((f"damaged {i}", bytes(bytes_)))
        for case, bytes_ in cases:
            with open(damaged, "wb") as file:
                file.write(bytes_)
            done = try_copy(damaged, path("never.arrow"), **{"from": {"arrows": "arrow-stream"}.get(extension,
                                                                                        extension)})
            check(f"{name} {case} ends well", done.returncode in (0, 1), done.returncode, done.stderr)
            if done.returncode == 1:
                refused += 1
                # One thread must say the same thing as two.
                check(f"{name} {case} says what is wrong", "error: " in done.stderr, done.stderr)
                check(f"{name} {case} names the file", damaged in done.stderr, done.stderr)
                check(f"{name} {case} leaves nothing", not [n for n in os.listdir(FOLDER) if "never" in n])
            else:
                os.remove(path("never.arrow"))
            # A stream may end after any batch: old writers leave the end marker out.
            if case.startswith("cut") and extension != "arrows":
                check(f"{name} {case} is refused", done.returncode == 1, done.stderr)
    check("some were refused", refused > 60, refused)
