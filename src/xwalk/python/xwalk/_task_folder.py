"""Folders that the tasks of a cluster read and write: on a file system that every node has mounted, or in a store."""

from __future__ import annotations

import glob
import logging
import os
import pathlib
import shutil
import stat as stats
from dataclasses import dataclass
from typing import Any, Iterable, Union
from urllib.parse import unquote

from . import _xwalk
from ._errors import InputError, IoError

_DONE = "_SUCCESS"
#: Null in the name of a folder.
_NULL = "__HIVE_DEFAULT_PARTITION__"


@dataclass
class FilePart:
    """A file, or a part of one, that a task reads."""

    path: str
    part: dict[str, Any] | None = None
    #: The identity of a file that was split: parts of a changed file would not fit together.
    stamp: tuple[int, str] | None = None
    #: The table schema, if the driver has inferred it.
    schema: str | None = None
    #: The file for rejected rows, if they are kept.
    rejects: str | None = None

    def check_unchanged(self, storage: dict[str, str], then: str) -> None:
        """Raises InputError if a file that was split has changed since."""
        if self.stamp is not None and stamp(self.path, storage) != self.stamp:
            raise InputError(f"{self.path}: the file has changed since it was cut into parts; {then} it again")


def place(path: str) -> str:
    """Returns a path, as Spark and Ray write it, as a path of the file system or the URI of a store."""
    scheme, colon, rest = path.partition("://")
    if not colon:
        return path.removeprefix("file:")
    if scheme.lower() == "file":
        return "/" + rest.lstrip("/")
    # Names of Hadoop.
    path = ("s3" if scheme.lower() in ("s3a", "s3n") else scheme.lower()) + "://" + rest
    _xwalk.is_remote(path)  # raises for an unknown scheme
    return path


def found_files(paths: list[str]) -> list[str]:
    """Returns the files of paths and patterns, sorted by name within a pattern. URIs are resolved when they are opened."""
    found: list[str] = []
    for path in paths:
        if _xwalk.is_remote(path) or os.path.exists(path):
            found.append(path)
            continue
        matches = [name for name in sorted(glob.glob(path, recursive=True)) if not name.endswith(".schema")]
        if not matches:
            what = "matches nothing" if glob.has_magic(path) else "does not exist"
            raise IoError(f"{path}: {what} (on this node, and every node must have it mounted)")
        found += matches
    return found


#: Extensions of the formats that tasks write, the usual one first.
EXTENSIONS = {
    "yson": (".yson",),
    "skiff": (".skiff",),
    "parquet": (".parquet", ".parq", ".pq"),
    "vortex": (".vortex", ".vtx"),
    "arrow": (".arrow", ".feather", ".ipc", ".arrows"),
    "lance": (".lance",),
    "delta": (".delta",),
    "iceberg": (".iceberg",),
}
#: Folders in a table: the versions of a Lance dataset, the log of a table of Delta, and the metadata of one of Iceberg.
LANCE_VERSIONS, DELTA_LOG, ICEBERG_METADATA = "_versions", "_delta_log", "metadata"


_OF_TABLES = (LANCE_VERSIONS, DELTA_LOG, ICEBERG_METADATA)


def table_format_of(names: Iterable[str]) -> str | None:
    """Returns the format of the table that a folder with these files is; nothing for another folder."""
    for name in names:
        within, _, file = name.rpartition("/")
        if within == LANCE_VERSIONS:
            return "lance"
        if within == DELTA_LOG:
            return "delta"
        if within == ICEBERG_METADATA and file.endswith(".metadata.json"):
            return "iceberg"
    return None



def format_of(name: str) -> str | None:
    """Returns the format of a file of rows by its name; nothing for hidden files and others."""
    name = name.rpartition("/")[2]
    if name.startswith((".", "_")):
        return None
    bare = name.removesuffix(".gz").removesuffix(".zst")
    return next((word for word, ends in EXTENSIONS.items() if bare.endswith(ends)), None)


def exists(path: str, storage: dict[str, str]) -> bool:
    """Returns true if a file or an object exists."""
    return _xwalk.kind_of(path, storage) == "file" if _xwalk.is_remote(path) else os.path.exists(path)


def partition_values(path: str, keys: list[str]) -> dict[str, str | None]:
    """Returns the values of some columns from the folders of a file."""
    values: dict[str, str | None] = {}
    for folder in path.split("/")[:-1]:
        key, equals, value = folder.partition("=")
        if equals and unquote(key) in keys:
            values[unquote(key)] = None if value == _NULL else unquote(value)
    return values


def stamp(path: str, storage: dict[str, str]) -> tuple[int, str]:
    """Returns the size and an identity of the contents: the modification time, or the tag of the store."""
    if _xwalk.is_remote(path):
        return _xwalk.object_stamp(path, storage)
    status = os.stat(path)
    return status.st_size, str(status.st_mtime_ns)


def sync_folder(folder: str) -> None:
    """Syncs the names in a folder to the disk."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _identity(status: os.stat_result) -> tuple[int, int]:
    return status.st_dev, status.st_ino


def _remove_folder(path: str, made: tuple[int, int] | None) -> bool:
    """Removes a folder with all in it by descriptors. Returns false if another one has its name. Links are not followed."""
    number = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        if _identity(os.fstat(number)) != made:
            return False
        for _, folders, files, within in os.fwalk(".", topdown=False, dir_fd=number):
            for name in [*files, *folders]:
                # guard(delete): in the folder that this job made, by descriptors.
                if stats.S_ISDIR(os.lstat(name, dir_fd=within).st_mode):
                    os.rmdir(name, dir_fd=within)
                else:
                    os.unlink(name, dir_fd=within)
        # guard(delete): the empty folder that this job made.
        os.rmdir(path)
    finally:
        os.close(number)
    return True


class LocalFolder:
    """A folder on a file system. Tasks write to a temporary folder, and the driver renames. Its name begins with ``_``, so
    that readers ignore it."""

    def __init__(self, folder: str, job: str, durable: bool, log: logging.Logger) -> None:
        self.folder = folder
        self._log = log
        self._durable = durable
        self._staging = os.path.join(folder, f"_xwalk-{job}")
        self._made_folder = False
        self._staging_made: tuple[int, int] | None = None

    def kind(self) -> str:
        return _xwalk.kind_of(self.folder, {})

    def names(self) -> list[str]:
        """Returns the existing files, also in folders ``day=2026-03-01``."""
        found = []
        for place, folders, files in os.walk(self.folder):
            folders[:] = [name for name in folders if name in _OF_TABLES or ("=" in name and not name.startswith((".", "_")))]
            found += [os.path.relpath(os.path.join(place, name), self.folder) for name in files]
        return found

    def begin(self) -> None:
        self._made_folder = not os.path.isdir(self.folder)
        others = [] if self._made_folder else [name for name in os.listdir(self.folder) if name.startswith("_xwalk-")]
        for name in others:
            # It may be running or dead: jobs run on other machines, too.
            job = name.removeprefix("_xwalk-")
            seen = sum(1 for file in self.names() if format_of(file) and job in file)
            self._log.warning("%s: another job is writing here, or was killed and has left this%s", os.path.join(self.folder, name),
                              f", and {seen} of its files" if seen else "")
        os.makedirs(self._staging)
        self._staging_made = _identity(os.lstat(self._staging))

    def path_of(self, name: str) -> str:
        """Returns the path for a file of a task."""
        return os.path.join(self._staging, name)

    def is_abandoned(self) -> bool:
        """Returns true if the job was ended, and its folder is gone or made again by what a task runs."""
        try:
            return _identity(os.lstat(self._staging)) != self._staging_made
        except FileNotFoundError:
            return True

    def gather(self, path: str, bare: str, suffix: str) -> list[str]:
        """Renames the partition files of a task to files of the job, each in its folder."""
        names = []
        for place, _, files in os.walk(path):
            for number, file in enumerate(sorted(files)):
                within = os.path.relpath(place, path)
                name = os.path.normpath(os.path.join(within, f"{bare}-{number}{suffix}"))
                os.makedirs(os.path.dirname(self.path_of(name)), exist_ok=True)
                # guard(rename): inside the folder that this job made under a random name.
                os.rename(os.path.join(place, file), self.path_of(name))
                names.append(name)
        # guard(delete): the folder of this task, inside that of the job.
        shutil.rmtree(path)
        return names

    def publish(self, names: list[str], old: Iterable[str]) -> None:
        """Renames files of tasks, in order, and removes files of other attempts and old files."""
        self._remove(_DONE)
        for name in names:
            if os.path.exists(self.path_of(name)) or not name.endswith(".schema"):  # not all rows need one
                self._make_folders(os.path.dirname(name))
                # guard(rename): from the folder that this job made, into folders of the output, which are not links.
                os.rename(self.path_of(name), os.path.join(self.folder, name))
        if self._durable:
            # Tasks have synced their files. This syncs the names.
            for within in {str(parent) for name in names for parent in pathlib.PurePath(name).parents}:
                sync_folder(os.path.join(self.folder, within))
        for name in old:
            # guard(delete): files that were listed in the output, without links, before the user's overwrite.
            self._remove(name)
        pathlib.Path(self.folder, _DONE).touch()
        self._remove_staging()

    def _make_folders(self, below: str) -> None:
        """Makes the folders of a partition. Refuses links, which would lead the rows elsewhere."""
        place = self.folder
        for step in below.split(os.sep) if below else []:
            place = os.path.join(place, step)
            if os.path.islink(place):
                raise IoError(f"{place}: expected a folder in the output, found a link")
            os.makedirs(place, exist_ok=True)

    def abandon(self, names: list[str]) -> None:
        """Removes all files of the job."""
        for name in names:
            self._remove(name)
        self._remove_staging()
        if self._made_folder:
            # guard(delete): the folder of the output, if this job made it and it is empty.
            try:
                os.rmdir(self.folder)
            except OSError:
                pass  # another process has created a file there

    def _remove_staging(self) -> None:
        # A task of a lost executor may still be running. Without the folder it fails.
        for _ in range(10):
            try:
                if _remove_folder(self._staging, self._staging_made):
                    return
            except FileNotFoundError:
                return
            except OSError:
                pass
        self._log.warning("%s: cannot be removed", self._staging)

    def _remove(self, name: str) -> None:
        try:
            # guard(delete): a file that was listed in the output, without links, before the overwrite.
            os.unlink(os.path.join(self.folder, name))
        except FileNotFoundError:
            pass


class StoreFolder:
    """A folder of a store, which cannot rename: an object appears when its task is complete, under a name of the job and the
    attempt, and the driver removes those that do not count. ``_SUCCESS`` marks a complete job."""

    def __init__(self, folder: str, job: str, storage: dict[str, str]) -> None:
        self.folder = folder.rstrip("/")
        self._job = job
        self._storage = storage

    def kind(self) -> str:
        return _xwalk.kind_of(self.folder, self._storage)

    def names(self) -> list[str]:
        return [name for name in _xwalk.list_objects(self.folder, self._storage) if not name.endswith("/")]

    def begin(self) -> None:
        pass

    def path_of(self, name: str) -> str:
        """Returns the path for a file of a task."""
        return f"{self.folder}/{name}"

    def gather(self, path: str, bare: str, suffix: str) -> list[str]:
        raise NotImplementedError("objects are not renamed")

    def publish(self, names: list[str], old: Iterable[str]) -> None:
        """Removes files of other attempts, and old files."""
        there = self.names()
        if _DONE in there:
            self._remove(_DONE)
        for name in there:
            # guard(delete): objects whose names have the random number of this job.
            if self._job in name and name not in names:
                self._remove(name)
        for name in old:
            self._remove(name)
        _xwalk.put_object(self.path_of(_DONE), b"", self._storage)

    def abandon(self, names: list[str]) -> None:
        """Removes all files of the job."""
        for name in self.names() if self.kind() == "folder" else []:
            if self._job in name:
                self._remove(name)

    def _remove(self, name: str) -> None:
        _xwalk.remove_object(self.path_of(name), self._storage)


Folder = Union[LocalFolder, StoreFolder]


def folder_of(path: str, job: str, storage: dict[str, str], durable: bool, log: logging.Logger) -> Folder:
    """Returns the folder under a name. In a store, an object that exists is durable."""
    return StoreFolder(path, job, storage) if _xwalk.is_remote(path) else LocalFolder(path, job, durable, log)
