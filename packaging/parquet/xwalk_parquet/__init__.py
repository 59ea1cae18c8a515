"""The folder of xwalk's plugin for Parquet and Arrow IPC data. xwalk finds it here. It has nothing to import."""
