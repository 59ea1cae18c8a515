"""Tells Spark of `xwalk`: it looks for modules named ``pyspark_*`` with a `DefaultSource`."""

from xwalk.spark import XwalkDataSource as DefaultSource

__all__ = ["DefaultSource"]
