import sys

from mesonpy import prepare_metadata_for_build_wheel  # noqa: F401

__legacy__ = sys.modules[__name__]  # The default backend of a distribution without pyproject.toml.
