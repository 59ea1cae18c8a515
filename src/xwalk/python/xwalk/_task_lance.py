"""A Lance dataset that the tasks of a cluster write: each task writes a dataset of its own, and one commit makes a version of
the fragments of all."""

from __future__ import annotations

import json
import logging
import os
import shutil
import uuid
from types import ModuleType
from typing import Any, Iterable

from . import _engines
from ._errors import IoError, UnsupportedError
from ._task_folder import LANCE_VERSIONS, LocalFolder, sync_folder


def _engine() -> ModuleType:
    engine = _engines.load("lance")
    if engine is None:
        raise UnsupportedError("writing Lance in tasks needs pylance and pyarrow in the interpreter of the driver and of the "
                               "executors: pip install pylance")
    return engine


class LanceFolder(LocalFolder):
    """A Lance dataset on a file system. Until the commit, all files of the job are in a folder that Lance ignores."""

    def __init__(self, folder: str, job: str, overwrite: bool, durable: bool, log: logging.Logger) -> None:
        super().__init__(folder, job, durable, log)
        self._overwrite = overwrite
        _engine()

    def existing(self) -> Any:
        """Returns the dataset that the rows are added to or replace; None if it is a new one."""
        if not os.path.isdir(os.path.join(self.folder, LANCE_VERSIONS)):
            return None
        import lance  # type: ignore[import-not-found,import-untyped,unused-ignore]

        engine = _engine()
        try:
            engine.refuse_links(self.folder, [])
        except engine.engine.Failure as failure:
            raise UnsupportedError(f"{self.folder}: {failure}") from failure
        return lance.dataset(self.folder)

    def publish(self, names: list[str], old: Iterable[str]) -> None:
        """Makes one version of the fragments of the tasks' datasets, in order."""
        import lance

        engine, existing, parts = _engine(), self.existing(), [self.path_of(name) for name in names if name.endswith(".lance")]
        schema = lance.dataset(parts[0]).lance_schema
        whole = self.path_of("dataset")
        fragments = self._gathered(parts, os.path.join(whole, "data"))
        mode = "create" if existing is None else "overwrite" if self._overwrite else "append"
        if existing is not None and not self._overwrite:
            schema = existing.lance_schema
        fragments = engine.renumbered(lance.FragmentMetadata, fragments, schema.fields())
        options = {"path": self.folder, "staging": whole, "mode": mode, "transaction": str(uuid.uuid4())}
        try:
            engine.commit(lance, fragments, schema, options, existing)
        except engine.engine.Failure as failure:
            raise IoError(f"{self.folder}: {engine.engine.failure_of(failure)[1]}") from failure
        if existing is None:
            self._move_in(whole)
        if self._durable:
            for within in ("data", LANCE_VERSIONS, ""):
                sync_folder(os.path.join(self.folder, within))
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
