"""Lets Spark find `xwalk`: Spark searches modules named ``pyspark_*`` for a `DefaultSource`."""

from xwalk.spark import XwalkDataSource as DefaultSource

__all__ = ["DefaultSource"]
