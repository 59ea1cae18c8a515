"""Replaces the build backends of source distributions that are only downloaded. `pip download` requests metadata from a
backend. Real backends install compilers and configure a build for it (90 seconds), although PKG-INFO of the source
distribution has it."""

import email
import pathlib


def prepare_metadata_for_build_wheel(directory, config_settings=None):
    text = pathlib.Path("PKG-INFO").read_text(encoding="utf-8")
    head = email.message_from_string(text)
    folder = pathlib.Path(directory, f"{head['Name'].replace('-', '_')}-{head['Version']}.dist-info")
    folder.mkdir()
    (folder / "METADATA").write_text(text, encoding="utf-8")
    return folder.name
