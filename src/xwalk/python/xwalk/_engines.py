"""The engines of Lance and Vortex in this interpreter, if it has their packages: the code of the engine programs, with C streams
instead of pipes. Separate programs are used with `engine="process"`, for stores, if XWALK_PYTHON names an interpreter, and in
children of a fork, which lack the threads of these packages."""

from __future__ import annotations

import _thread
import importlib.util
import json
import os
import sys
import threading
from importlib.machinery import SourceFileLoader
from types import ModuleType
from typing import Any

from . import _xwalk

#: The packages that an engine needs.
_PACKAGES = {"lance": ("pylance", "pyarrow"), "vortex": ("vortex-data", "pyarrow")}
_loaded: dict[str, ModuleType | None] = {}
_lock = threading.Lock()
_process = os.getpid()


def _is_installed(package: str) -> bool:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return bool(version(package))
    except PackageNotFoundError:
        return False


def load(engine: str) -> ModuleType | None:
    """Returns the code of an engine program, or None if it cannot run in this interpreter."""
    packages = _PACKAGES.get(engine)
    other = os.environ.get("XWALK_PYTHON")
    if packages is None or os.getpid() != _process or (other and os.path.abspath(other) != os.path.abspath(sys.executable)):
        return None
    return code_of(engine, packages)


def code_of(engine: str, packages: tuple[str, ...]) -> ModuleType | None:
    """Returns the code of an engine program, or None if this interpreter lacks one of its packages."""
    with _lock:
        if engine not in _loaded:
            _loaded[engine] = None
            path = _xwalk.engine_file(f"xwalk-engine-{engine}")
            shared = os.path.join(os.path.dirname(path), "xwalk_engine.py")
            if path and os.path.exists(shared) and all(map(_is_installed, packages)):
                loader = SourceFileLoader(f"xwalk_engine_{engine}", path)
                spec = importlib.util.spec_from_loader(loader.name, loader)
                assert spec is not None
                module = importlib.util.module_from_spec(spec)
                # guard(execute): the engine that comes with this package.
                loader.exec_module(module)
                _loaded[engine] = module
        return _loaded[engine]


class _Session:
    """Status messages of an engine to its host."""

    def __init__(self, module: ModuleType, options: str) -> None:
        self._module = module
        self._options: dict[str, Any] = json.loads(options)
        self.total_rows: int | None = None
        self.done_rows: int | None = None
        self.done_bytes: int | None = None
        #: Code, message and hint of the error that ended it.
        self.failure: tuple[str, str, str] | None = None

    def say(self, word: str, **details: Any) -> None:
        if word == "info":
            self.total_rows = details.get("rows")

    def progress(self, rows: int) -> None:
        pass

    def _failed(self, error: BaseException) -> None:
        if self._module.engine.is_interrupt(error):
            self.failure = ("interrupted", "interrupted", "")
            _thread.interrupt_main()  # so that Python can raise it again
        elif self.failure is None:
            self.failure = self._module.engine.failure_of(error)


class Reading(_Session):
    """The rows that an engine reads."""

    def __init__(self, module: ModuleType, options: str) -> None:
        super().__init__(module, options)
        self._outgoing: Any = None
        try:
            self._outgoing = module.read(self._options, self)
        except BaseException as error:
            self._failed(error)

    def take(self) -> Any:
        """Returns the rows, once. They refer to this object, and it must not refer to them: the garbage collector cannot find a
        cycle through a reader of pyarrow."""
        import pyarrow  # type: ignore[import-untyped]

        outgoing, self._outgoing = self._outgoing, None
        return pyarrow.RecordBatchReader.from_batches(outgoing.schema, self._batches(outgoing))

    def _batches(self, outgoing: Any) -> Any:
        try:
            yield from self._module.engine.ahead(outgoing.batches())
        except GeneratorExit:
            raise
        except BaseException as error:
            self._failed(error)
            raise


class Writing(_Session):
    """An engine that writes rows, in its own thread: packages pull rows, while the host pushes them."""

    def __init__(self, module: ModuleType, options: str) -> None:
        super().__init__(module, options)
        #: The number of rows, when the host has sent all of them.
        self.promised_rows: int | None = None
        self._stream: object = None
        self._bytes = 0
        #: Held while it works.
        self.running = threading.Lock()
        self._thread = threading.Thread(target=self._run, name="xwalk-engine", daemon=True)

    def start(self, stream: object) -> None:
        """Starts with the rows of an Arrow stream capsule."""
        self._stream = stream
        self.running.acquire()
        self._thread.start()

    def incoming(self) -> Any:
        import pyarrow

        stream, self._stream = self._stream, None
        rows = pyarrow.RecordBatchReader._import_from_c_capsule(stream)
        return rows.schema, self._counted(self._module.engine.gathered(rows, copy=False))

    def _counted(self, batches: Any) -> Any:
        for batch in batches:
            self._bytes += batch.nbytes
            yield batch

    def promised(self) -> int | None:
        return self.promised_rows

    def _run(self) -> None:
        try:
            done = self._module.write(self._options, self)
            self.done_rows, self.done_bytes = done["rows"], done.get("bytes", self._bytes)
        except BaseException as error:
            self._failed(error)
            self._module.engine.take_back(self._options)
        finally:
            self.running.release()


def read(engine: str, options: str) -> Reading | None:
    """Opens rows like ``xwalk-engine-NAME read OPTIONS``. Returns None if the engine cannot run here."""
    module = load(engine)
    return None if module is None else Reading(module, options)


def write(engine: str, options: str) -> Writing | None:
    """Makes a writer like ``xwalk-engine-NAME write OPTIONS``, or None if the engine cannot run here."""
    module = load(engine)
    return None if module is None else Writing(module, options)
