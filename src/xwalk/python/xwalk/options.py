"""What the package's functions take: sources, targets, and the options that they share with the program.

The options stand in the signatures, where `tests/python/options_test.py --update` writes them from the library's own list.
"""

from __future__ import annotations

import os
from functools import wraps
from typing import TYPE_CHECKING, Any, Callable, Protocol, Sequence, TypeVar, Union, cast

from . import _xwalk
from .errors import IoError, UsageError

if TYPE_CHECKING:
    from typing_extensions import Buffer

    from .schema import Schema

Path = Union[str, "os.PathLike[str]"]


class SupportsRead(Protocol):
    """What a stream of bytes to read must have."""

    def read(self, size: int, /) -> Buffer: ...


class SupportsWrite(Protocol):
    """What a stream of bytes to write must have."""

    def write(self, data: bytes, /) -> object: ...


class SupportsArrowSchema(Protocol):
    """What an object that has an Arrow schema speaks: the Arrow PyCapsule protocol."""

    def __arrow_c_schema__(self) -> object: ...


class SupportsArrowStream(Protocol):
    """What an object that has rows of Arrow speaks: the Arrow PyCapsule protocol."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> object: ...


#: What `Schema.read` takes; a data frame, a lazy one or a dataset of pyarrow, too.
SchemaSource = Union["Schema", str, bytes, "os.PathLike[str]", "Sequence[str | os.PathLike[str]]", SupportsArrowSchema,
                     SupportsArrowStream]

#: What each group of options is about.
GROUPS = {
    "source": "What the input is",
    "rows": "Which rows come, and how",
    "output": "What the output is",
    "changes": "How values may change on their way",
    "consent": "What may be lost",
    "work": "How it is done",
    "values": "How rows of YSON and Skiff write values",
}


def usual(value: str, words: str) -> Any:
    """Returns the value that an option has unless it is given."""
    if value == "choice":
        return words.split(" ")[0] or None
    return {"": None, "true": True, "false": False}.get(words, int(words) if words.isdecimal() else words.strip('"'))


_Call = TypeVar("_Call", bound=Callable[..., Any])


def takes_options(call: _Call) -> _Call:
    """Has a function refuse keywords that it does not know with those that may be meant, and tell of its options in its
    help."""
    names = list(call.__kwdefaults__ or ())
    listed = {name: (group, f"{name}={usual(value, words)!r}: {about}")
              for name, group, value, words, about in _xwalk.named_options()}
    positional = call.__code__.co_varnames[:call.__code__.co_argcount]

    @wraps(call)
    def checked(*args: Any, **given: Any) -> Any:
        for name in given:
            if name in names or name in positional:
                continue
            known = "is not known" if name not in listed else f"is none of {call.__qualname__}"
            meant = _xwalk.did_you_mean(name, names)
            raise usage_error(f'the option "{name}" {known}', meant)
        return call(*args, **given)

    if call.__doc__:
        lines = []
        for group, title in GROUPS.items():
            own = [f"        {listed[name][1]}" for name in names if name in listed and listed[name][0] == group]
            lines += [f"    {title}:", *own] if own else []
        checked.__doc__ = call.__doc__.rstrip() + "\n\n" + "\n".join(lines) + "\n"
    return cast(_Call, checked)


def usage_error(message: str, hint: str = "") -> UsageError:
    """Makes an error as the library makes them."""
    error = UsageError(f"error: {message}" + (f"\n  {hint}" if hint else ""))
    error.message, error.hint = message, hint
    return error


def expect_word(what: str, word: str, words: Sequence[str]) -> None:
    """Raises UsageError for a word that is none of some, with those that may be meant."""
    if word not in words:
        raise usage_error(f"expected {what} of {', '.join(words)}, found {word!r}", _xwalk.did_you_mean(word, list(words)))


#: The value of each option unless it is given.
USUAL = {name: usual(value, words) for name, _, value, words, _ in _xwalk.named_options()}


def spelled(options: dict[str, Any]) -> dict[str, Any]:
    """Returns options as the library takes them: lists for single words, text for paths and schemas. What is as it would
    be without a word is not said: the library tells what was asked for from what it may choose."""
    words = dict(options)
    for name in ("select", "partition_by", "follow"):
        if isinstance(words.get(name), str):
            words[name] = [words[name]]
        elif words.get(name) is not None:
            words[name] = list(words[name])
    schema: Any = words.get("schema")
    if isinstance(schema, os.PathLike) or (isinstance(schema, str) and not _xwalk.is_schema_text(schema)):
        try:
            with open(schema, "rb") as file:
                schema = file.read()
        except OSError as error:
            raise IoError(f"schema: expected the text or the file of a schema, found {os.fspath(schema)!r}: {error.strerror}") from error
    elif hasattr(schema, "dump"):
        schema = schema.dump()
    words["schema"] = schema.decode() if isinstance(schema, bytes) else schema
    if isinstance(words.get("rejects"), os.PathLike):
        words["rejects"] = os.fspath(words["rejects"])
    return {name: value for name, value in words.items()
            if value is not None and not (type(value) is type(USUAL.get(name)) and value == USUAL[name])}
