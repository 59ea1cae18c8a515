"""Appends to a library the trailer by which DuckDB knows an extension: footer.py FILE VERSION API PLATFORM.

534 bytes: the head of a custom section of WebAssembly, eight fields of 32 bytes, from the last to the first (three for
later use, what the extension is built against, its version, the API, the platform, the number of this layout), and
room for a signature.
"""

import sys


def trailer(version: str, api: str, platform: str) -> bytes:
    name = b"duckdb_signature"
    head = b"\x00\x93\x04" + bytes([len(name)]) + name + b"\x80\x04"
    fields = ["", "", "", "C_STRUCT", version, api, platform, "4"]
    return head + b"".join(field.encode().ljust(32, b"\0") for field in fields) + bytes(256)


if __name__ == "__main__":
    file, *trailer_fields = sys.argv[1:]
    # guard(write): the library that the build has made.
    with open(file, "ab") as library:
        library.write(trailer(*trailer_fields))
