"""Stands in for the build backends of source distributions that are only fetched: `pip download` asks a backend for
metadata, which the real ones answer by installing compilers and configuring a build (90 seconds). A source distribution
carries the answer in PKG-INFO."""

import email
import pathlib


def prepare_metadata_for_build_wheel(directory, config_settings=None):
    text = pathlib.Path("PKG-INFO").read_text(encoding="utf-8")
    head = email.message_from_string(text)
    folder = pathlib.Path(directory, f"{head['Name'].replace('-', '_')}-{head['Version']}.dist-info")
    folder.mkdir()
    (folder / "METADATA").write_text(text, encoding="utf-8")
    return folder.name
