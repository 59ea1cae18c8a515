"""Tables that the tasks of a cluster write: Lance, Delta and Iceberg. Each task writes a table of its own in the folder of the job, and one
commit adds the files of all."""

from __future__ import annotations

import json
import logging
import os
import shutil
import uuid
from contextlib import contextmanager, suppress
from types import ModuleType
from typing import Any, Iterable, Iterator
from urllib.parse import unquote

from . import _engines
from ._errors import IoError, UnsupportedError
from ._task_folder import DELTA_LOG, ICEBERG_METADATA, LANCE_VERSIONS, LocalFolder, sync_folder

#: The packages that commit, by format.
_PACKAGES = {"lance": "pylance", "delta": "deltalake", "iceberg": "pyiceberg"}


class TableFolder(LocalFolder):
    """A table on a file system. Until the commit, all files of the job are in a folder that the format ignores."""

    #: The format, and the folder in a table that makes it one.
    format = mark = ""

    def __init__(self, folder: str, job: str, overwrite: bool, durable: bool, log: logging.Logger) -> None:
        super().__init__(folder, job, durable, log)
        self._overwrite = overwrite
        self._engine()

    def existing(self) -> Any:
        """Returns the table that the rows are added to or replace; None if it is a new one."""
        raise NotImplementedError

    def keeps_schema(self) -> bool:
        """Returns true if the rows take the schema of the existing table."""
        return not self._overwrite

    def settings(self, existing: Any) -> dict[str, Any]:
        """Returns the options that tasks take from an existing table."""
        return {}

    def leave_if_abandoned(self, path: str) -> None:
        """Removes the table that a task has made in a folder that is no longer that of the job: engines make folders."""
        if not self.is_abandoned():
            return
        # guard(delete): a table that this task made under a random name.
        shutil.rmtree(path, ignore_errors=True)
        with suppress(OSError):
            # guard(delete): the empty folder that an engine made for it.
            os.rmdir(self._staging)
        raise IoError(f"{self.folder}: the job has ended meanwhile")

    def _engine(self) -> ModuleType:
        package = _PACKAGES[self.format]
        engine = _engines.code_of(self.format, (package, "pyarrow"))
        if engine is None:
            raise UnsupportedError(f"writing {self.format.capitalize()} in tasks needs {package} and pyarrow in the interpreter of the driver "
                                   f"and of the executors: pip install {package} pyarrow")
        return engine

    def _is_there(self) -> bool:
        return os.path.isdir(os.path.join(self.folder, self.mark))

    @contextmanager
    def _refusals(self, kind: type[IoError] | type[UnsupportedError]) -> Iterator[None]:
        """Raises what the engine says as an error of xwalk."""
        engine = self._engine().engine
        try:
            yield
        except engine.Failure as failure:
            _, message, hint = engine.failure_of(failure)
            raise kind(f"{self.folder}: {message}" + (f". {hint}" if hint else "")) from failure

    def _sync(self, folders: Iterable[str]) -> None:
        for within in folders if self._durable else ():
            sync_folder(os.path.join(self.folder, within))


class LanceFolder(TableFolder):
    """A Lance dataset."""

    format, mark = "lance", LANCE_VERSIONS

    def existing(self) -> Any:
        if not self._is_there():
            return None
        import lance  # type: ignore[import-not-found,import-untyped,unused-ignore]

        with self._refusals(UnsupportedError):
            self._engine().refuse_links(self.folder, [])
        return lance.dataset(self.folder)

    def settings(self, existing: Any) -> dict[str, Any]:
        return {"lance_version": existing.data_storage_version}

    def publish(self, names: list[str], old: Iterable[str]) -> None:
        """Makes one version of the fragments of the tasks' datasets, in order."""
        import lance

        engine, existing, parts = self._engine(), self.existing(), [self.path_of(name) for name in names if name.endswith(".lance")]
        schema = lance.dataset(parts[0]).lance_schema
        whole = self.path_of("dataset")
        fragments = self._gathered(parts, os.path.join(whole, "data"))
        mode = "create" if existing is None else "overwrite" if self._overwrite else "append"
        if existing is not None and not self._overwrite:
            schema = existing.lance_schema
        fragments = engine.renumbered(lance.FragmentMetadata, fragments, schema.fields())
        options = {"path": self.folder, "staging": whole, "mode": mode, "transaction": str(uuid.uuid4()), "origin": {}}
        with self._refusals(IoError):
            engine.commit(lance, fragments, schema, options, existing)
        if existing is None:
            self._move_in(whole)
        self._sync(("data", LANCE_VERSIONS, ""))
        self._remove_staging()

    @staticmethod
    def _gathered(parts: list[str], data: str) -> list[Any]:
        """Moves the data files of datasets to one folder, and returns their fragments without numbers."""
        import lance

        fragments = []
        os.makedirs(data)
        for part in parts:
            for fragment in lance.dataset(part).get_fragments():
                # A commit numbers fragments whose number is 0.
                text = json.dumps({**fragment.metadata.to_json(), "id": 0})
                fragments.append(lance.FragmentMetadata.from_json(text))
            source = os.path.join(part, "data")
            for name in os.listdir(source) if os.path.isdir(source) else []:
                # guard(rename): within the folder that this job made.
                os.rename(os.path.join(source, name), os.path.join(data, name))
        return fragments

    def _move_in(self, whole: str) -> None:
        """Gives a new dataset its name. Its versions come last: with them it becomes readable."""
        moved = []
        try:
            for name in sorted(os.listdir(whole), key=lambda name: (name == LANCE_VERSIONS, name)):
                target = os.path.join(self.folder, name)
                # guard(rename): from the folder that this job made; a link at the name is not followed.
                os.rename(os.path.join(whole, name), target)  # fails if another job has made a dataset here
                moved.append(target)
        except OSError as error:
            for target in moved:
                # guard(delete): only what this call moved here.
                shutil.rmtree(target, ignore_errors=True)
            raise IoError(f"{self.folder}: {error.strerror}: another job has written here; run this one again") from error


class FileTable(TableFolder):
    """A table of Parquet files, which a commit names."""

    def keeps_schema(self) -> bool:
        return True

    def _begin(self, part: str) -> dict[str, Any]:
        """Returns how a table like that of a task is begun."""
        raise NotImplementedError

    def _entries(self, part: str) -> list[dict[str, Any]]:
        """Returns the entries of a commit for the files of a task's table, whose names are below it."""
        raise NotImplementedError

    def _rows(self, part: str) -> int:
        """Returns the rows of a task's table."""
        raise NotImplementedError

    def _commit(self, begin: dict[str, Any], order: dict[str, Any], mode: str) -> None:
        """Adds files in one version."""
        raise NotImplementedError

    def publish(self, names: list[str], old: Iterable[str]) -> None:
        """Makes one version with the files of the tasks' tables, in order."""
        suffix = f".{self.format}"
        parts = [self.path_of(name) for name in names if name.endswith(suffix)]
        mode = "create" if self.existing() is None else "overwrite" if self._overwrite else "append"
        begin, rows, files, moved = {"inputs": [], **self._begin(parts[0])}, 0, [], []
        try:
            for part in parts:
                rows += self._rows(part)
                for entry in self._entries(part):
                    within = entry["file"]
                    self._make_folders(os.path.dirname(within))
                    target = os.path.join(self.folder, within)
                    # guard(rename): from the folder that this job made, under a random name, into folders of the table that are not links.
                    os.rename(os.path.join(part, within), target)
                    moved.append(target)
                    files.append({**entry, "file": target})
            with self._refusals(IoError):
                self._commit(begin, {"rows": rows, "run": os.path.basename(self._staging).lstrip("_"), "files": files}, mode)
        except BaseException as error:
            # The commit may have landed, for all that is known.
            if not getattr(error.__cause__, "keeps_files", False):
                for target in moved:
                    # guard(delete): only what this call moved here, which no version names.
                    os.unlink(target)
            raise
        self._sync({os.path.dirname(os.path.relpath(target, self.folder)) for target in moved} | {self.mark, ""})
        self._remove_staging()


class DeltaFolder(FileTable):
    """A table of Delta."""

    format, mark = "delta", DELTA_LOG

    def existing(self) -> Any:
        if not self._is_there():
            return None
        engine = self._engine()
        with self._refusals(UnsupportedError):
            table = engine.opened(self.folder)
            if table is not None:
                engine.refuse_features(table)
                engine.refuse_to_write(table, "overwrite" if self._overwrite else "append")
        return table

    def settings(self, existing: Any) -> dict[str, Any]:
        return {"partition_by": existing.metadata().partition_columns}

    def _actions(self, part: str, word: str) -> list[dict[str, Any]]:
        """Returns the actions of one kind in the only version of a task's table."""
        with open(os.path.join(part, DELTA_LOG, f"{0:020}.json"), encoding="utf-8") as log:
            return [action[word] for action in map(json.loads, log) if word in action]

    def _begin(self, part: str) -> dict[str, Any]:
        [metadata] = self._actions(part, "metaData")
        return {"schema": metadata["schemaString"], "partitions": metadata["partitionColumns"]}

    def _entries(self, part: str) -> list[dict[str, Any]]:
        columns = self._begin(part)["partitions"]
        return [{"file": unquote(action["path"]), "partition": [action["partitionValues"][column] for column in columns],
                 "statistics": json.loads(action["stats"])} for action in self._actions(part, "add")]

    def _rows(self, part: str) -> int:
        return sum(json.loads(action["stats"])["numRecords"] for action in self._actions(part, "add"))

    def _commit(self, begin: dict[str, Any], order: dict[str, Any], mode: str) -> None:
        self._engine().commit(self.folder, self.existing(), begin, order, mode)


class IcebergFolder(FileTable):
    """A table of Iceberg in a folder, without a catalog."""

    format, mark = "iceberg", ICEBERG_METADATA

    def existing(self) -> Any:
        return self._target(self.folder).table if self._is_there() else None

    def settings(self, existing: Any) -> dict[str, Any]:
        return {"partition_by": [source if transform == "identity" else f"{transform}({source})"
                                 for source, transform in map(dict.values, self._engine().spec_of(existing.metadata))]}

    def _target(self, folder: str) -> Any:
        with self._refusals(UnsupportedError):
            return self._engine().Target(folder)

    def _begin(self, part: str) -> dict[str, Any]:
        metadata = self._target(part).table.metadata
        return {"schema": metadata.schema().model_dump_json(), "spec": self._engine().spec_of(metadata),
                "format_version": metadata.format_version}

    def _files(self, part: str) -> list[Any]:
        table = self._target(part).table
        snapshot = table.current_snapshot()
        return [] if snapshot is None else [task.file for task in self._engine().planned(table, snapshot.snapshot_id)]

    def _entries(self, part: str) -> list[dict[str, Any]]:
        return [{"file": os.path.relpath(file.file_path.removeprefix("file://"), part),
                 "partition": [file.partition[place] for place in range(len(file.partition))],
                 "nans": {str(field): count for field, count in (file.nan_value_counts or {}).items()}} for file in self._files(part)]

    def _rows(self, part: str) -> int:
        return sum(file.record_count for file in self._files(part))

    def _commit(self, begin: dict[str, Any], order: dict[str, Any], mode: str) -> None:
        engine, target = self._engine(), self._target(self.folder)
        if target.table is not None:
            begin = {"inputs": []}
        transaction = engine.target_transaction(target, begin, mode)
        engine.commit(target, transaction, begin, order, mode, [file["file"] for file in order["files"]])


#: The tables that tasks write, by format.
TABLES: dict[str, type[TableFolder]] = {"lance": LanceFolder, "delta": DeltaFolder, "iceberg": IcebergFolder}
