"""The folder of xwalk's plugin for Parquet and Arrow IPC data, which xwalk finds here. There is nothing to import."""
