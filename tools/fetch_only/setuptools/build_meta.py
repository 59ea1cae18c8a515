from mesonpy import prepare_metadata_for_build_wheel  # noqa: F401
