"""The same for the backend that DuckDB's backend uses."""

from mesonpy import prepare_metadata_for_build_wheel as prepare_metadata_for_build_wheel


def get_requires_for_build_wheel(config_settings=None):
    return []


get_requires_for_build_sdist = get_requires_for_build_editable = get_requires_for_build_wheel
build_sdist = build_wheel = build_editable = prepare_metadata_for_build_editable = None
