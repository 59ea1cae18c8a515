"""The program side of xwalk's engine contract, shared by the engines next to this file.

    xwalk-engine-NAME read OPTIONS      Arrow IPC stream on descriptor 1
    xwalk-engine-NAME write OPTIONS     Arrow IPC stream on descriptor 0, then one line {"commit":{"rows":N}}
    xwalk-engine-NAME --version

OPTIONS is one JSON object. Descriptor 3 takes one JSON object per line, of at most 16 MiB: first
{"hello":{"contract":1,…}}, then {"info":…}, {"progress":…}, and at the end {"done":{"rows":N}} or
{"error":{"code":…,"message":…,"hint":…}}, with the code "missing", "input", "unsupported", "io", "exists" or "internal". Streams are
plain: no dictionaries, views or run-end encoding. Descriptor 2 is free text. SIGTERM, and an
input that ends before its commit line, mean: stop and leave nothing.

A host that supports version 2 sets {"contract":2} in the options of read, and an engine that supports it sets it in its hello.
The engine then writes a stream without batches to descriptor 1, with the schema of its rows, and waits for an order, one line on
descriptor 0:

    {"send":{}}           send the rows, in a stream as in version 1
    {"send":{"segments":true}}   the same in shared memory (see Segments), if the hello has "segments": true. The engine may set it
                          if the options of read do. Descriptor 4 is then a socket that preserves message boundaries.
    {"write":OPTIONS}     the engine must write the rows itself, with options of the command write. A stream without batches
                          follows, with their schema. The engine reports {"progress":{"rows":N,"bytes":N}} now and then,
                          {"info":{"rows":N,"bytes":N}} after the last row, waits for the commit line, and ends like write.
    {"write":OPTIONS,"engine":NAME}   the same by another engine's code, one of those that the hello names in "writes": [NAME,…].
                          Text and bytes may have offsets of another size there than in the stream that the engine has written.

With {"describe":true,"waits":true} in the options of read, an engine of tables says what the table is, and waits: {"read":OPTIONS}, one
line, makes it read rows as if it had been started with these options, and an input that ends makes it end. With {"names":true,"waits":true}
it answers {"info":{"schema":TEXT}} instead, a JSON list of data files in Parquet whose rows are all that is wanted, in their order: their
absolute "name" and their "rows", null if that is not known. null instead of the list means that only the engine can read the rows. It then
waits again.

The options of write have {"contract":2,"segments":true} if rows may be sent in shared memory. Descriptor 4 is then a socket. An
engine with "segments": true in its hello receives them (see SegmentsIn) after those of the stream on descriptor 0, which may be
empty: the host switches to shared memory when it has received the hello. The commit line follows on descriptor 0 as always.
"""

import contextlib
import json
import os
import re
import select
import shutil
import signal
import stat
import struct
import sys
import threading
import time
import types

# numpy comes with the packages, and with it threads for linear algebra, which spin when they have nothing to do. Here they
# never have.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

CONTRACT = 2
# A batch has this many rows unless the host requests another number, and fewer if they are long: a column of text in
# one batch holds 2 GiB at most.
BATCH_ROWS = 65536
BATCH_BYTES = 256 << 20
# A table of more data files is read by its engine: a host looks at each before it reads the first.
NAMED = 4096
# Batches that come with less than this go on as one.
FEW_ROWS = 8192
FEW_BYTES = 64 << 20
# Of rows in shared memory: segments, the bytes of those that the host has, and what a stream says beside its batches.
SEGMENTS = 8
SHARED_BYTES = 64 << 20
SPARE_BYTES = 1 << 12
VERSION = "@PROJECT_VERSION@"
# The engines that can share one process, and the package that each needs.
TOGETHER = {"lance": "pylance", "vortex": "vortex-data"}


class Failure(Exception):
    """A failure with its code of the contract."""

    def __init__(self, code, message, hint=""):
        super().__init__(message)
        self.code = code
        self.hint = hint


class Stopped(BaseException):
    """The host asked to stop, or went away. Files are removed then: a program is not stopped once more meanwhile, as by a signal after the end of
    its input."""

    def __init__(self):
        super().__init__()
        if OUTPUT != 1 and threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGTERM, signal.SIG_IGN)


class Status:
    """The messages to the host on descriptor 3."""

    def __init__(self):
        try:
            os.fstat(3)
            self._descriptor = 3
        except OSError:
            self._descriptor = 2
        self._reported = time.monotonic()
        # Whether rows come in shared memory, too.
        self.segments = False

    def say(self, word, **details):
        line = json.dumps({word: details}, ensure_ascii=True) + "\n"
        try:
            os.write(self._descriptor, line.encode())
        except OSError:
            pass

    def progress(self, rows, **more):
        now = time.monotonic()
        if now - self._reported > 0.1:
            self._reported = now
            self.say("progress", rows=rows, **more)

    def stream(self):
        """Returns the stream that the host sends."""
        import pyarrow

        self._pipe = PipeIn(0, pyarrow.allocate_buffer)
        try:
            return pyarrow.ipc.open_stream(pyarrow.PythonFile(self._pipe, mode="r"))
        except pyarrow.ArrowInvalid as error:
            raise Stopped() from error

    def incoming(self):
        """Returns the schema and the rows that the host sends. Each batch of the stream is a part of a message."""
        from itertools import chain

        stream = self.stream()
        rows = gathered(stream, copy=True)
        if self.segments:
            rows = chain(rows, gathered(SegmentsIn(SOCKET).batches(stream.schema), copy=False))
        return stream.schema, ahead(rows)

    def order(self):
        """Returns the order of the host."""
        order = self.next_order()
        if order is None:
            raise Stopped()
        return order

    def next_order(self):
        """Returns the order of the host; None if it wants nothing more."""
        line = b""
        while not line.endswith(b"\n"):
            byte = os.read(0, 1)  # what follows is not of the line
            if not byte:
                return None
            line += byte
        return json.loads(line)

    def promised(self):
        """Returns how many rows the host reports to have sent, None if it has broken off."""
        line = self._pipe.rest(1 << 16)
        try:
            return json.loads(line)["commit"]["rows"] if line.endswith(b"\n") else None
        except (ValueError, KeyError, TypeError):
            return None


class Copied(Status):
    """The reports to the host about rows that an engine both reads and writes."""

    def __init__(self, outgoing, by_itself):
        super().__init__()
        self._outgoing, self._by_itself = outgoing, by_itself
        self._rows = self._bytes = 0
        self._gone = select.poll()
        self._gone.register(0, 0)

    def progress(self, rows):
        super().progress(self._rows, bytes=self._bytes)

    def incoming(self):
        """Returns the schema that the host has sent, and the engine's own rows under it."""
        import pyarrow

        stream = self.stream()
        for _ in stream:
            raise Failure("internal", "expected a stream without batches")
        # Another engine takes plain layouts only.
        layouts, batches = self._outgoing.as_they_are() if self._by_itself else (self._outgoing.schema, self._outgoing.batches())
        fields = [field.with_type(own.type) for field, own in zip(stream.schema, layouts)]
        schema = pyarrow.schema(fields, stream.schema.metadata)
        return schema, ahead(gathered(self._batches(schema, batches), copy=False))

    def _batches(self, schema, batches):
        import pyarrow

        for batch in batches:
            # The package requests rows itself, so no pipe shows that the host has ended.
            if any(what & select.POLLHUP for _, what in self._gone.poll(0)):
                raise Stopped()
            self._rows += batch.num_rows
            self._bytes += batch.nbytes
            yield pyarrow.RecordBatch.from_arrays(batch.columns, schema=schema) if batch.num_columns else batch

    def promised(self):
        self.say("info", rows=self._rows, bytes=self._bytes)
        return super().promised()


class PipeIn:
    """A pipe as pyarrow reads it, without a copy beyond the pipe's own."""

    closed = False

    def __init__(self, descriptor, allocate):
        self._descriptor = descriptor
        self._allocate = allocate
        self._position = 0

    def read_buffer(self, size):
        buffer = self._allocate(size)
        view = memoryview(buffer).cast("B")
        got = 0
        while got < size:
            count = os.readv(self._descriptor, [view[got:]])
            if count == 0:
                break
            got += count
        self._position += got
        return buffer if got == size else buffer.slice(0, got)

    def read(self, size=-1):
        return self.read_buffer(size).to_pybytes()

    def rest(self, limit):
        """Returns the bytes up to the end, at most that many."""
        parts = []
        while limit > 0 and (part := os.read(self._descriptor, limit)):
            parts.append(part)
            limit -= len(part)
        return b"".join(parts)

    def tell(self):
        return self._position

    def readable(self):
        return True

    def writable(self):
        return False

    def seekable(self):
        return False

    def close(self):
        self.closed = True


class Written:
    """The methods that pyarrow requires of a file that it writes, except `write` and `tell`."""

    closed = False

    def flush(self):
        pass

    def readable(self):
        return False

    def writable(self):
        return True

    def seekable(self):
        return False

    def close(self):
        self.closed = True


class PipeOut(Written):
    """A pipe as pyarrow writes it."""

    def __init__(self, descriptor):
        self._descriptor = descriptor
        self._position = 0

    def write(self, data):
        view = memoryview(data).cast("B")
        size = len(view)
        while len(view):
            try:
                view = view[os.write(self._descriptor, view):]
            except BrokenPipeError as gone:
                raise Stopped() from gone
        self._position += size
        return size

    def tell(self):
        return self._position


class Segments(Written):
    """Memory that is shared with the host, as pyarrow writes it: the bytes of a stream, a batch in a segment. A segment is a
    memfd that cannot be cut. A message on the socket says its number and how many bytes are in it, two numbers of 64 bits; the
    first one about it has the descriptor with it. The host copies the bytes, and then answers with the number alone."""

    def __init__(self, descriptor):
        import mmap
        import socket

        self._mmap, self._socket_module = mmap, socket
        self._socket = socket.socket(fileno=descriptor)
        self._descriptors, self._maps, self._free = [], [], []
        self._used = 0
        self._outside = b""
        self._into = self._index = None
        self._descriptor = []
        self._at = 0

    def begin(self, size):
        """Waits for a segment that so many bytes are written to."""
        size += SPARE_BYTES
        self._receive_returned(False)
        while not self._has_space(size):
            self._receive_returned(True)
        # The largest first, so that few are large.
        self._index = max(self._free, key=lambda index: len(self._maps[index]), default=len(self._maps))
        self._descriptor = []
        if self._index == len(self._maps):
            import fcntl

            descriptor = os.memfd_create("xwalk-rows", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
            os.ftruncate(descriptor, size)
            fcntl.fcntl(descriptor, fcntl.F_ADD_SEALS, fcntl.F_SEAL_SHRINK)
            self._maps.append(self._mmap.mmap(descriptor, size))
            self._descriptors.append(descriptor)
            self._descriptor = [descriptor]
        else:
            self._free.remove(self._index)
        if len(self._maps[self._index]) < size:
            self._maps[self._index].close()
            os.ftruncate(self._descriptors[self._index], size)
            self._maps[self._index] = self._mmap.mmap(self._descriptors[self._index], size)
        self._into, self._at = self._maps[self._index], 0
        self._used += len(self._into)
        if self._outside:
            self.write(self._outside)
            self._outside = b""

    def _has_space(self, size):
        fits = self._used + size <= SHARED_BYTES or self._used <= SHARED_BYTES // 2
        return fits and (self._free or len(self._maps) < SEGMENTS)

    def _receive_returned(self, wait):
        """Takes the segments that the host returns; waits for the first if requested."""
        while True:
            try:
                answer = self._socket.recv(8, 0 if wait else self._socket_module.MSG_DONTWAIT)
            except BlockingIOError:
                return
            except ConnectionError as gone:
                raise Stopped() from gone
            index, wait = int.from_bytes(answer, sys.byteorder), False
            if len(answer) < 8 or index >= len(self._maps) or index in self._free:
                raise Stopped()
            self._free.append(index)
            self._used -= len(self._maps[index])

    def end(self):
        """Sends what was written."""
        message = self._index.to_bytes(8, sys.byteorder) + self._at.to_bytes(8, sys.byteorder)
        self._into = None
        try:
            if self._descriptor:
                self._socket_module.send_fds(self._socket, [message], self._descriptor)
            else:
                self._socket.send(message)
        except (BrokenPipeError, ConnectionError) as gone:
            raise Stopped() from gone

    def finish(self):
        """Sends the end of the stream, and no more."""
        end, self._outside = self._outside, b""
        self.begin(len(end))
        self.write(end)
        self.end()
        self._socket.shutdown(self._socket_module.SHUT_WR)

    def write(self, data):
        view = memoryview(data).cast("B")
        if self._into is None:
            self._outside += view
        else:
            self._into[self._at:self._at + len(view)] = view
            self._at += len(view)
        return len(view)

    def tell(self):
        return self._at


class SegmentsIn:
    """Memory that the host shares, as rows come in it: a batch in a segment, a memfd. A message on the socket says its number, and
    where the batch begins and ends, as a message of an Arrow stream without the stream: three numbers of 64 bits. The first
    one about a segment has its descriptor with it; a segment that became too short has grown. The answer is the number
    alone when the bytes are needed no more. That the host sends no more ends it."""

    MESSAGE = struct.Struct("=3Q")

    def __init__(self, descriptor):
        import socket

        self._recv_fds, self._flags = socket.recv_fds, socket.MSG_CMSG_CLOEXEC
        self._socket = socket.socket(fileno=descriptor)

    def batches(self, schema):
        """Yields the rows, in memory of their own: packages keep one column of a batch for long."""
        import pyarrow

        for message in self._messages():
            yield owned(pyarrow.ipc.read_record_batch(pyarrow.py_buffer(message), schema))

    def _messages(self):
        """Yields the bytes of each message, which return to the host with the request for the next one."""
        import mmap

        descriptors, maps = [], []
        while received := self._receive():
            (index, begin, end), new = received
            descriptors += new
            maps += [b""] * len(new)
            if index >= len(maps):
                raise Stopped()
            if end > len(maps[index]):
                maps[index] = mmap.mmap(descriptors[index], os.fstat(descriptors[index]).st_size, prot=mmap.PROT_READ)
            yield memoryview(maps[index])[begin:end]
            try:
                self._socket.send(index.to_bytes(8, sys.byteorder))
            except ConnectionError as gone:
                raise Stopped() from gone

    def _receive(self):
        """Returns what the next message says and the descriptors with it, None at the end."""
        try:
            received, descriptors, _, _ = self._recv_fds(self._socket, self.MESSAGE.size, 1, self._flags)
        except ConnectionError as gone:
            raise Stopped() from gone
        return (self.MESSAGE.unpack(received), descriptors) if len(received) == self.MESSAGE.size else None


class Incoming:
    """The rows that the host sends. `reader` gives the batches; `committed` must be asked after the last."""

    def __init__(self, status, prepare=None):
        """`prepare` is called with the stream's schema and returns the wanted one and a function from a batch to one
        of that schema; without it batches stay as they come."""
        self._status = status
        schema, self._batches_sent = status.incoming()
        self.schema, self._change = schema, None
        if prepare:
            self.schema, self._change = prepare(schema)
        self.rows = 0
        # An exception inside a foreign consumer would lose its type on the way.
        self.failure = None

    def reader(self):
        import pyarrow

        return pyarrow.RecordBatchReader.from_batches(self.schema, self._batches())

    def _batches(self):
        try:
            for batch in self._batches_sent:
                self.rows += batch.num_rows
                self._status.progress(self.rows)
                yield self._change(batch) if self._change else batch
        except BaseException as error:
            self.failure = error
            raise
        # A pipe that was cut between two messages looks like the end of the stream.
        self._check_commit()

    def _check_commit(self):
        promised = self._status.promised()
        if promised is None:
            self.failure = Stopped()
            raise self.failure
        if promised != self.rows:
            self.failure = Failure("internal", f"expected {promised} rows, found {self.rows}")
            raise self.failure


# Batches that are read ahead.
AHEAD = 2


def ahead(batches):
    """Yields what an iterator gives, which a thread takes from it a little ahead, so that both sides work at the same time."""
    from collections import deque
    from concurrent.futures import ThreadPoolExecutor

    thread = ThreadPoolExecutor(1, "xwalk-engine-ahead")
    try:
        coming = deque(thread.submit(next, batches, None) for _ in range(AHEAD))
        while (batch := coming.popleft().result()) is not None:
            coming.append(thread.submit(next, batches, None))
            yield batch
    finally:
        # It may be waiting for an event that never happens.
        thread.shutdown(wait=False, cancel_futures=True)


# Decoding threads, if a package does not have its own.
DECODERS = min(4, os.cpu_count() or 1)


def in_threads(work, items):
    """Yields what `work` makes of items, in their order, some of which are worked on at the same time."""
    from collections import deque
    from concurrent.futures import ThreadPoolExecutor

    threads = ThreadPoolExecutor(DECODERS, "xwalk-engine-decode")
    try:
        coming = deque()
        for item in items:
            coming.append(threads.submit(work, item))
            if len(coming) > DECODERS:
                yield coming.popleft().result()
        while coming:
            yield coming.popleft().result()
    finally:
        threads.shutdown(wait=False, cancel_futures=True)


def owned(batch):
    """Returns a batch in memory of its own, each column apart."""
    import pyarrow

    return batch.copy_to(pyarrow.default_cpu_memory_manager()) if batch.num_columns else batch


def aligned(batch):
    return all(buffer is None or buffer.address % 16 == 0 for column in batch.columns for buffer in column.buffers())


def gathered(batches, copy):
    """Yields rows in batches that are not small. Those that the host sends have few rows where rows are long, and packages take
    several times the memory for many small ones. With `copy`, each is in memory of its own: a part of a message holds the
    whole of it. Foreign readers want decimals at multiples of 16 bytes, and streams align to 8."""
    import pyarrow

    def whole(parts):
        if parts[0].num_columns == 0:
            return parts[0]  # only a number of rows
        if len(parts) > 1:
            return pyarrow.concat_batches(parts)
        return parts[0] if not copy and aligned(parts[0]) else owned(parts[0])

    parts, rows, size = [], 0, 0
    for batch in batches:
        if parts and (batch.num_columns == 0 or rows + batch.num_rows > FEW_ROWS or size + batch.nbytes > FEW_BYTES):
            yield whole(parts)
            parts, rows, size = [], 0, 0
        parts.append(batch)
        rows += batch.num_rows
        size += batch.nbytes
    if parts:
        yield whole(parts)


def rows_of_bytes(batch_rows, stored_bytes, rows):
    """Returns how many rows a batch may have whose rows take so many bytes as they are stored."""
    return max(1, min(batch_rows, BATCH_BYTES * rows // max(1, stored_bytes))) if rows else batch_rows


def plain(pyarrow, kind):
    """Returns the type without dictionaries, views and run-end encoding, at any depth."""
    types = pyarrow.types
    if isinstance(kind, pyarrow.JsonType):
        return pyarrow.json_(plain(pyarrow, kind.storage_type))

    def field(inner):
        return inner.with_type(plain(pyarrow, inner.type))

    if types.is_dictionary(kind) or types.is_run_end_encoded(kind):
        return plain(pyarrow, kind.value_type)
    if types.is_string_view(kind):
        return pyarrow.string()
    if types.is_binary_view(kind):
        return pyarrow.binary()
    if types.is_map(kind):
        return pyarrow.map_(field(kind.key_field), field(kind.item_field), kind.keys_sorted)
    if types.is_list(kind) or types.is_list_view(kind):
        return pyarrow.list_(field(kind.value_field))
    if types.is_large_list(kind) or types.is_large_list_view(kind):
        return pyarrow.large_list(field(kind.value_field))
    if types.is_fixed_size_list(kind):
        return pyarrow.list_(field(kind.value_field), kind.list_size)
    if types.is_struct(kind):
        return pyarrow.struct([field(kind.field(i)) for i in range(kind.num_fields)])
    return kind


def plain_schema(pyarrow, schema):
    return pyarrow.schema([field.with_type(plain(pyarrow, field.type)) for field in schema], schema.metadata)


def plainly(pyarrow, array, wanted):
    """Returns an array in its plain type. Only what changes is cast: a cast of all of it looks for nulls in required members
    of structs that are null themselves."""
    types, kind = pyarrow.types, array.type
    if kind == wanted:
        return array
    if isinstance(kind, pyarrow.BaseExtensionType) and isinstance(wanted, pyarrow.BaseExtensionType):
        return pyarrow.ExtensionArray.from_storage(wanted, plainly(pyarrow, array.storage, wanted.storage_type))
    if types.is_struct(kind):
        # Members are of the rows of the array, whose buffers may begin before them.
        children = [plainly(pyarrow, array.field(i), wanted.field(i).type) for i in range(kind.num_fields)]
        valid = array.is_valid().buffers()[1] if array.null_count else None
        return pyarrow.StructArray.from_buffers(wanted, len(array), [valid], children=children)
    if types.is_map(kind):
        pairs = [plainly(pyarrow, array.keys, wanted.key_type), plainly(pyarrow, array.items, wanted.item_type)]
        children = [pyarrow.StructArray.from_buffers(pyarrow.struct([wanted.key_field, wanted.item_field]), len(pairs[0]),
                                                     [None], children=pairs)]
    elif types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind):
        children = [plainly(pyarrow, array.values, wanted.value_type)]
    else:
        return array.cast(wanted)
    own = array.buffers()[:1 if types.is_fixed_size_list(kind) else 2]
    return pyarrow.Array.from_buffers(wanted, len(array), own, offset=array.offset, children=children)


class Outgoing:
    """Rows that are read, in plain batches; and in the layouts of the package that read them, for itself, where those differ."""

    def __init__(self, schema, batches, limit=None, as_they_are=None, keeps=None):
        """`keeps` is an object that the batches need."""
        import pyarrow

        self._as_they_are, self._keeps = as_they_are, keeps

        self.schema = plain_schema(pyarrow, schema)
        self._changed = [i for i in range(len(schema)) if self.schema.field(i).type != schema.field(i).type]
        self._batches, self._limit = batches, limit

    def as_they_are(self):
        """Returns the schema and the batches of all rows in the layouts of the package."""
        return self._as_they_are or (self.schema, self.batches())

    def batches(self):
        import pyarrow

        rows = 0
        for batch in self._batches:
            if self._limit is not None and rows + batch.num_rows > self._limit:
                batch = batch.slice(0, self._limit - rows)
            if self._changed:
                columns = list(batch.columns)
                for i in self._changed:
                    columns[i] = plainly(pyarrow, columns[i], self.schema.field(i).type)
                batch = pyarrow.RecordBatch.from_arrays(columns, schema=self.schema)
            elif batch.schema != self.schema:
                batch = pyarrow.RecordBatch.from_arrays(batch.columns, schema=self.schema)
            yield batch
            rows += batch.num_rows
            if self._limit is not None and rows >= self._limit:
                return


def deliver(status, outgoing, options, write):
    """Gives rows to the host, or writes them where it orders that; returns the details of `done`."""
    import pyarrow

    rows, segments = 0, None
    out = pyarrow.PythonFile(PipeOut(OUTPUT), mode="w")
    if options.get("contract", 1) >= 2:
        with pyarrow.ipc.new_stream(out, outgoing.schema):
            pass
        order = status.order()
        if "write" in order:
            other = order.get("engine")
            options["write"] = order["write"]  # names the parts to remove
            return (writer_of(other) if other else write)(options["write"], Copied(outgoing, by_itself=not other))
        if order["send"].get("segments"):
            segments = Segments(SOCKET)
            out = pyarrow.PythonFile(segments, mode="w")
    with pyarrow.ipc.new_stream(out, outgoing.schema) as stream:
        for batch in ahead(outgoing.batches()):
            if segments:
                segments.begin(pyarrow.ipc.get_record_batch_size(batch) + (0 if rows else outgoing.schema.serialize().size))
            stream.write_batch(batch)
            if segments:
                segments.end()
            rows += batch.num_rows
            status.progress(rows)
    if segments:
        segments.finish()
    return {"rows": rows}


def shares_memory(options):
    """Returns whether rows can go between the host and this in shared memory: whether it says so, and has a socket for it."""
    import socket

    try:
        return bool(options.get("segments")) and stat.S_ISSOCK(os.fstat(SOCKET).st_mode) and \
            hasattr(os, "memfd_create") and hasattr(socket, "recv_fds")
    except OSError:
        return False


def file_of(name):
    return os.path.join(os.path.dirname(os.path.realpath(sys.argv[0])), f"xwalk-engine-{name}")


def others_here(own):
    """Lists the other engines whose code can run in this process."""
    import importlib.metadata

    def is_here(name, package):
        try:
            return os.path.exists(file_of(name)) and bool(importlib.metadata.version(package))
        except importlib.metadata.PackageNotFoundError:
            return False

    return [name for name, package in TOGETHER.items() if own in TOGETHER and name != own and is_here(name, package)]


def writer_of(name):
    """Returns what another engine writes with."""
    import importlib.util
    from importlib.machinery import SourceFileLoader

    loader = SourceFileLoader(f"xwalk_engine_{name}", file_of(name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    # guard(execute): an engine program of xwalk, from the folder of this file.
    loader.exec_module(module)
    return module.write


# How a file is opened to be looked at and named, not read yet.
LOOK = getattr(os, "O_PATH", os.O_RDONLY | os.O_NONBLOCK)
# Where the descriptors of this process have names.
NAMES = "/proc/self/fd"
# Names that packages are given for others: messages show those.
SHOWN = {}


class Descriptor:
    """A descriptor that is closed with this object, and a name of its file."""

    def __init__(self, number, path=None):
        self.number = number
        self.path = path or f"{NAMES}/{number}"

    def __del__(self, close=os.close, shown=SHOWN):
        shown.pop(self.path, None)
        close(self.number)


def opened(path, identity):
    """Opens the file or folder that the host has checked, under a name of its own where descriptors have names. Raises a failure if
    another is in its place. Without an identity, as in a store, it keeps its name."""
    if not identity:
        return types.SimpleNamespace(path=path)
    # guard(follow): the user names this; links in its name lead to what the host has looked at, or it is not read.
    number = os.open(path, LOOK)
    out = Descriptor(number, None if os.path.exists(f"{NAMES}/{number}") else path)
    status = os.fstat(number)
    if [status.st_dev, status.st_ino] != identity:
        raise Failure("io", "it was replaced while it was read", "Run it again.")
    SHOWN[out.path] = path
    return out


def open_below(folder, step, kind):
    """Opens a file or a folder in a folder, not through a link. A link itself can be opened to be looked at."""
    if step in ("", ".", ".."):
        raise Failure("unsupported", f"expected the name of a file, found {json.dumps(step)}")
    return Descriptor(os.open(step, kind | os.O_NOFOLLOW, dir_fd=folder.number))


def line_of():
    """Returns the next line of the host."""
    line = bytearray()
    while not line.endswith(b"\n"):
        part = os.read(0, 1 << 16) if not PENDING else bytes(PENDING)
        PENDING.clear()
        if not part:
            raise Stopped()
        end = part.find(b"\n") + 1
        line += part[:end or len(part)]
        PENDING.extend(part[end:] if end else b"")
    return json.loads(line)


def refuse_repeated(order, added):
    """Refuses to add rows of an input once more. `order["inputs"]` has for each a key, which changes if its rows do, a space and its name;
    `added` returns the version of a key's rows as text, or None."""
    seen = set()
    for one in [] if order.get("again") else order.get("inputs", []):
        key, _, name = one.partition(" ")
        if key in seen:
            raise Failure("io", f"the rows of {name} are given twice", "`mode=append-again` adds them once more.")
        seen.add(key)
        if place := added(key):
            raise Failure("exists", f"the rows of {name} were added before, in {place}", "`mode=append-again` adds them once more.")


# Rows of a table that are compared with keys at once.
COMPARED_ROWS = 1 << 20


def rows_with_keys(batches, keys):
    """Yields for runs of batches of key columns how many rows there are, and the places of those with one of some keys, a table of the same
    columns whose rows differ. Raises a failure at the end if several rows have one of the keys."""
    import pyarrow

    names, found, parts, count = keys.column_names, [], [], 0

    def searched():
        rows = pyarrow.Table.from_batches(parts).cast(keys.schema)
        rows = rows.append_column(" place", pyarrow.array(range(rows.num_rows), pyarrow.int64()))
        hits = rows.join(keys, names, join_type="left semi", use_threads=False)
        found.append(hits.select(names))
        return rows.num_rows, hits[" place"]

    for batch in batches:
        parts.append(batch)
        count += batch.num_rows
        if count >= COMPARED_ROWS:
            yield searched()
            parts, count = [], 0
    if parts:
        yield searched()
    every = pyarrow.concat_tables(found) if found else keys.slice(0, 0)
    repeated = every.group_by(names).aggregate([([], "count_all")]).sort_by([("count_all", "descending")]).slice(0, 1)
    if repeated.num_rows and repeated["count_all"][0].as_py() > 1:
        key = ", ".join(f"{name}={repeated[name][0].as_py()}" for name in names)
        raise Failure("input", f"the key {key} is in {repeated['count_all'][0].as_py()} rows of the table",
                      "Remove all but one of them, or name more columns of the key.")


# What was read after a line.
PENDING = bytearray()


def unread():
    """Lists the files that the host announced and this process has not taken notice of, because it is to stop."""
    end = time.monotonic() + 0.3
    while time.monotonic() < end and select.select([0], [], [], 0)[0] and (part := os.read(0, 1 << 16)):
        PENDING.extend(part)
    # The host announces a file before it makes it, so it makes no more. Those that it has begun get a moment to be named.
    os.close(0)
    time.sleep(0.2)
    found = []
    for line in PENDING.splitlines():
        with contextlib.suppress(ValueError):
            found += [json.loads(line)["file"]] if b'"file"' in line[:8] else []
    return found


def remove_unfinished(names):
    """Removes what local files are written to before they get their names, by a host that was stopped. The last one may have been announced
    when nothing was read any more: it begins with the random name of the run, as all of `names` do."""
    local = {name.removeprefix("file://") for name in names if "://" not in name or name.startswith("file://")}
    runs = {name.rpartition("-")[0] for name in local}
    for folder in {os.path.dirname(name) for name in local}:
        with contextlib.suppress(OSError):
            for entry in os.listdir(folder):
                name = os.path.join(folder, entry[1:].rpartition(".xwalk-")[0])
                if entry.startswith(".") and name.rpartition("-")[0] in runs:
                    # guard(delete): a hidden file of the host, which has the random name of this run.
                    os.remove(os.path.join(folder, entry))


def make_folders(folder, made):
    """Makes a local folder. Adds those that it makes to a list, the topmost first: before it makes them, since a signal may come in between."""
    missing = []
    while not os.path.isdir(folder):
        missing.insert(0, folder)
        folder = os.path.dirname(folder)
    for one in missing:
        made.append(one)
        try:
            os.mkdir(one)
        except OSError:
            made.remove(one)
            raise


def remove_empty(folders, names):
    """Removes those of some folders that are empty, the innermost first. A host that is stopped may still begin a file that it has announced, one
    of `names`: a folder that only has hidden files is asked again for up to 5 s."""
    end = time.monotonic() + 5
    left = set(folders)
    while left and time.monotonic() < end:
        remove_unfinished(names)
        for folder in sorted(left, key=len, reverse=True):
            with contextlib.suppress(OSError):
                # guard(delete): an empty folder that this process made, or one of a part of a table, which no version needs.
                os.rmdir(folder)
        left = {folder for folder in left if is_begun(folder, left)}
        if left:
            time.sleep(0.05)


def is_begun(folder, folders):
    """Returns true if a folder has only hidden files and such folders."""
    with contextlib.suppress(OSError):
        return all(entry.name.startswith(".") or entry.path in folders for entry in os.scandir(folder))
    return False


def folders_of_parts(table, names):
    """Returns the folders below a table that announced files are for. The host removes those that it makes when this process reads no more."""
    folders = set()
    for name in names:
        folder = os.path.dirname(name)
        while folder.startswith(table + os.sep):
            folders.add(folder)
            folder = os.path.dirname(folder)
    return folders


def remove(path):
    """Removes a file or folder that may not be there."""
    # guard(delete): a scratch file or folder that the host made under a random name for this run; links are not followed.
    if path and os.path.isdir(path) and not os.path.islink(path):
        shutil.rmtree(path, ignore_errors=True)
    elif path:
        try:
            os.remove(path)
        except OSError:
            pass


def remove_at(folder, name):
    """Removes a file, or a folder with all in it, by its name in an open folder; links are not followed."""
    try:
        # guard(delete): by descriptors, in a folder that the host made under a random name and marked.
        os.unlink(name, dir_fd=folder)
    except OSError:
        for _, folders, files, within in os.fwalk(name, topdown=False, dir_fd=folder):
            for inner in [*files, *folders]:
                if stat.S_ISDIR(os.lstat(inner, dir_fd=within).st_mode):
                    os.rmdir(inner, dir_fd=within)
                else:
                    os.unlink(inner, dir_fd=within)
        os.rmdir(name, dir_fd=folder)


@contextlib.contextmanager
def scratch(options):
    """Opens the folder that the host made for this run. Gives nothing if another folder has its name: it lacks the host's mark."""
    number = None
    try:
        number = os.open(options["scratch"], os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        os.stat(f".xwalk-{options['mark']}", dir_fd=number, follow_symlinks=False)
        found = number
    except (OSError, KeyError):
        found = None
    try:
        yield found
    finally:
        if number is not None:
            os.close(number)


def take_back(options):
    """Removes unfinished output."""
    options = options.get("write", options)
    with scratch(options) as folder, contextlib.suppress(OSError):
        if folder is not None:
            for name in os.listdir(folder):
                remove_at(folder, name)
            # guard(delete): the empty folder that the host made.
            os.rmdir(options["scratch"])


# Where rows go: descriptor 1 itself is given to whatever prints.
OUTPUT = 1
# The socket to the host, for rows in shared memory.
SOCKET = 4


def variable(*names):
    """Returns the first of some variables that says something."""
    return next((os.environ[name] for name in names if os.environ.get(name)), None)


# Variables that hold credentials of stores.
CREDENTIALS = ("AWS_ACCESS_KEY", "AWS_SECRET", "AWS_SESSION", "AWS_PROFILE", "AWS_WEB_IDENTITY", "AWS_CONTAINER",
               "AZURE_STORAGE_ACCOUNT_KEY", "AZURE_STORAGE_KEY", "AZURE_STORAGE_SAS", "AZURE_CLIENT", "GOOGLE_SERVICE",
               "GOOGLE_APPLICATION", "GOOGLE_OAUTH")


def reach_stores(path, storage):
    """Says in the variables of the engines' own library how stores are reached; secrets are there already."""
    scheme, _, place = path.partition("://")
    endpoint = storage.get("endpoint")
    anonymous = storage.get("anonymous") not in (None, "false")
    if anonymous:
        for name in [name for name in os.environ if name.startswith(CREDENTIALS)]:
            del os.environ[name]
    if scheme in ("az", "abfs", "abfss"):
        bucket, _, host = place.partition("/")[0].partition("@")
        account = (host.partition(".")[0] or storage.get("account") or
                   variable("AZURE_STORAGE_ACCOUNT", "AZURE_STORAGE_ACCOUNT_NAME"))
        if account:
            os.environ["AZURE_STORAGE_ACCOUNT_NAME"] = account
        if endpoint:
            os.environ["AZURE_ENDPOINT"] = f"{endpoint.rstrip('/')}/{account}"
        if key := variable("AZURE_STORAGE_ACCOUNT_KEY", "AZURE_STORAGE_KEY"):
            os.environ["AZURE_STORAGE_ACCOUNT_KEY"] = key
    elif scheme == "gs":
        endpoint = endpoint or variable("STORAGE_EMULATOR_HOST")
        if endpoint:
            os.environ["GOOGLE_BASE_URL"] = endpoint
    elif endpoint := endpoint or variable("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL"):
        os.environ["AWS_ENDPOINT"] = endpoint
        os.environ.setdefault("AWS_REGION", os.environ.get("AWS_DEFAULT_REGION", "us-east-1"))
    if endpoint and endpoint.startswith("http://"):
        for store in ("AWS", "AZURE", "GOOGLE"):
            os.environ[f"{store}_ALLOW_HTTP"] = "true"
    if storage.get("region"):
        os.environ["AWS_REGION"] = storage["region"]
    if anonymous:
        os.environ["AWS_SKIP_SIGNATURE"] = "true"
        os.environ["GOOGLE_SKIP_SIGNATURE"] = "true"
        os.environ["AZURE_SKIP_SIGNATURE"] = "true"


def without_pandas():
    """Hides an unneeded package that others import if it is installed, which takes a fifth of a second."""
    from importlib.machinery import PathFinder

    class Finder(PathFinder):
        @classmethod
        def find_spec(cls, name, path=None, target=None):
            return None if name == "pandas" else super().find_spec(name, path, target)

    sys.meta_path[:] = [Finder if finder is PathFinder else finder for finder in sys.meta_path]


def main(name, package, read, write):
    """Runs an engine: `write(options, status)` returns the details of `done`, `read(options, status)` those or Outgoing rows."""
    global OUTPUT
    # Another interpreter can be named by the one variable that all engines share. Links are not followed: that of a
    # virtual environment leads to the interpreter outside, which has other packages.
    other = os.environ.get("XWALK_PYTHON")
    if other and os.path.isabs(other) and os.path.abspath(other) != os.path.abspath(sys.executable) and "XWALK_ENGINE_PYTHON" not in os.environ:
        # guard(execute): the interpreter that the user names in XWALK_PYTHON, by an absolute path.
        os.execve(other, [other, os.path.abspath(sys.argv[0]), *sys.argv[1:]],
                  {**os.environ, "XWALK_ENGINE_PYTHON": "1"})
    import importlib.metadata

    try:
        uses = f"{package} {importlib.metadata.version(package)}"
    except importlib.metadata.PackageNotFoundError:
        uses = None
    if sys.argv[1:] == ["--version"]:
        print(f"{name} {VERSION} ({uses or package + ' is not installed'})")
        return 0 if uses else 1
    verbs = {"read": read, "write": write}
    if len(sys.argv) != 3 or sys.argv[1] not in verbs:
        sys.stderr.write(__doc__)
        return 2

    def stop(*_):
        raise Stopped()

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the host receives it as well, and decides
    OUTPUT = os.dup(1)
    os.dup2(2, 1)
    status = Status()
    options = json.loads(sys.argv[2])
    contract = min(options.get("contract", 1), CONTRACT)
    able = {}
    if contract >= 2:
        able["segments"] = shares_memory(options)
        if sys.argv[1] == "read":
            able["writes"] = others_here(name.removeprefix("xwalk-engine-"))
        status.segments = able["segments"]
    status.say("hello", contract=contract, engine=f"{name} {VERSION}", uses=uses or "", **able)
    try:
        if uses is None:
            raise Failure("missing", f"{package} is not installed for {sys.executable}")
        without_pandas()
        reach_stores(options.get("path") or "", options.get("storage") or {})
        done = verbs[sys.argv[1]](options, status)
        while options.get("waits") and (order := status.next_order()):
            options = order["read"]
            reach_stores(options.get("path") or "", options.get("storage") or {})
            done = read(options, status)
        if isinstance(done, Outgoing):
            done = deliver(status, done, options, write)
        status.say("done", **done)
        code = 0
    except Stopped:
        code = 1
    except BaseException as error:  # foreign panics are no Exception
        code, message, hint = failure_of(error)
        status.say("error", code=code, message=message, hint=hint)
        code = 1
        if not isinstance(error, Failure):
            import traceback

            traceback.print_exc()
    # guard(delete): the folder that the host has made for this run, with links that this engine made.
    remove(options.get("links"))
    if code != 0:
        take_back(options)
    sys.stderr.flush()
    # Foreign threads may still hold rows; nothing of ours is left to flush.
    os._exit(code)


PANIC_HINT = "This is a fault of the package that reads or writes the data; another version of it may work."


def failure_of(error):
    """Returns the code, the message and the hint of what ended an engine."""
    if isinstance(error, Failure):
        return error.code, str(error), error.hint or (PANIC_HINT if is_panic(error.__cause__) else "")
    return code_of(error), reason(error), PANIC_HINT if is_panic(error) else ""


def is_interrupt(error):
    """Returns whether Python's KeyboardInterrupt ended the work, also if it was met while a package was called."""
    met = set()
    while error is not None and id(error) not in met:
        if isinstance(error, KeyboardInterrupt):
            return True
        met.add(id(error))
        error = error.__cause__ or error.__context__
    return False


def panic_in(text):
    """Returns what code in Rust said when it panicked, as an error of a package quotes it; None if it did not."""
    found = re.search(r'panicked with message "((?:[^"\\]|\\.)*)"', text) or re.search(r"panicked at [^\n]*:\n(.*)", text)
    return found[1] if found else None


def is_panic(error):
    return type(error).__name__ == "PanicException" or panic_in(str(error)) is not None


def code_of(error):
    # Other libraries wrap the system's error in their own messages.
    if isinstance(error, OSError) and error.errno or re.search(r"\(os error \d+\)|\[Errno \d+\]", str(error)):
        return "io"
    return "unsupported" if "nsupported" in str(error) or "not supported" in str(error) else "input"


# Longer reasons are cut: an argument of millions of values may be quoted in one.
LONGEST_REASON = 4000


def reason(error):
    """Returns what an error says, in one line, without the places in the package's own build and the way there: they say
    nothing to a user."""
    text = str(error)
    for name, shown in list(SHOWN.items()):
        text = text.replace(name.lstrip("/"), shown.lstrip("/"))
    if is_panic(error):
        what = panic_in(text) or text
        return f"the package failed with a panic: {cut(' '.join(what.split()))}"
    panic_text = re.split(r"^Backtrace:", text, maxsplit=1, flags=re.MULTILINE)[0]
    lines = [re.sub(r", /[^ ,]*\.rs:[0-9:]+", "", line).strip() for line in panic_text.splitlines()]
    return cut(" ".join(line for line in lines if line) or type(error).__name__)


def cut(text):
    return text if len(text) <= LONGEST_REASON else text[:LONGEST_REASON] + "…"
