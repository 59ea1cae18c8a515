"""The options that functions share with the program, and what their values may be.

`_option_types.py` lists the options of each function for type checkers, and `takes_options` shows them in its signature.
"""

from __future__ import annotations

import os
import sys
from functools import wraps
from typing import TYPE_CHECKING, Any, Callable, Iterable, Mapping, Protocol, Sequence, TypeVar, Union, cast

from . import _xwalk
from ._errors import UsageError, io_error

if TYPE_CHECKING:
    from inspect import Signature

    from typing_extensions import Buffer

Path = Union[str, "os.PathLike[str]"]


class SupportsRead(Protocol):
    """A stream of bytes to read."""

    def read(self, size: int, /) -> Buffer: ...


class SupportsWrite(Protocol):
    """A stream of bytes to write."""

    def write(self, data: bytes, /) -> object: ...


class SupportsArrowSchema(Protocol):
    """An object with an Arrow schema, by the Arrow PyCapsule protocol."""

    def __arrow_c_schema__(self) -> object: ...


class SupportsArrowStream(Protocol):
    """An object with Arrow rows, by the Arrow PyCapsule protocol."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> object: ...


class SupportsDump(Protocol):
    """An object that writes a schema, like `Schema`."""

    def dump(self, form: str = "", /) -> str | bytes: ...


#: The titles of the option groups.
GROUPS = {
    "source": "Input",
    "rows": "Rows",
    "output": "Output",
    "changes": "Changes of values",
    "consent": "Accepted losses",
    "work": "Execution",
    "values": "Values in YSON and Skiff",
}


#: The options that most calls use, which signatures and help show first.
COMMON = ("format", "schema", "select", "exclude", "rename", "cast", "limit", "to", "mode", "on_error")


def usual(value: str, accepted: str) -> Any:
    """Returns the default of an option."""
    if value == "choice":
        return accepted.split(" ")[0] or None
    return {"": None, "true": True, "false": False}.get(accepted, int(accepted) if accepted.isdecimal() else accepted.strip('"'))


#: The default of each option.
USUAL = {name: usual(value, accepted) for name, _, value, accepted, _ in _xwalk.named_options()}

_Call = TypeVar("_Call", bound=Callable[..., Any])


class _Shown:
    """The signature for `inspect.signature` and `help`, with each option as a parameter. `inspect` is loaded only then."""

    def __init__(self, call: Callable[..., Any], types: dict[str, Any]) -> None:
        self.__wrapped__ = call
        self._types = types

    @property
    def __signature__(self) -> Signature:
        import inspect

        own = inspect.signature(self.__wrapped__)
        options = [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=USUAL[name],
                                     annotation=getattr(kind, "__forward_arg__", kind)) for name, kind in self._types.items()]
        return own.replace(parameters=[*own.parameters.values()][:-1] + options)


#: How deep the lists and mappings of an argument may be.
_DEPTH = 64
#: Letters around a fault that a message shows.
_AROUND = 20


def expect_text(name: str, value: Any, errors: str = "surrogateescape", depth: int = 0) -> None:
    """Raises UsageError for an argument that has text with half of a surrogate pair, at any depth: no text of another program has
    one. Names of files and columns may have bytes that are not UTF-8, which are such halves in Python; with ``errors="strict"``
    they are refused as well."""
    if isinstance(value, os.PathLike):
        value = os.fspath(value)
    if isinstance(value, str):
        try:
            value.encode("utf-8", errors)
        except UnicodeEncodeError as error:
            found = value[max(0, error.start - _AROUND):error.start + _AROUND]
            is_byte = "\udc80" <= value[error.start] <= "\udcff"
            raise usage_error(f"{name}: expected {'UTF-8' if is_byte else 'text'}, found {found!r}",
                              r'Write a byte of a name as an escape, between quotation marks: "\xFF".' if is_byte else
                              r"Write a character whole, not as half of a surrogate pair: \U0001F600.") from None
    elif isinstance(value, (Mapping, list, tuple)):
        if depth > _DEPTH:
            raise usage_error(f"{name}: expected at most {_DEPTH} levels of lists and mappings, found more")
        for item in (*value.keys(), *value.values()) if isinstance(value, Mapping) else value:
            expect_text(name, item, errors, depth + 1)


def takes_text(call: _Call) -> _Call:
    """Makes a function without options refuse invalid text."""
    own = call.__code__.co_varnames[:call.__code__.co_argcount + call.__code__.co_kwonlyargcount]

    @wraps(call)
    def checked(*args: Any, **given: Any) -> Any:
        for name, value in (*zip(own, args), *given.items()):
            expect_text(name, value)
        return call(*args, **given)

    return cast(_Call, checked)


def takes_options(call: _Call) -> _Call:
    """Makes a function show the options of its ``**options: Unpack[...]``, and refuse others with a suggestion."""
    taken = call.__globals__[call.__annotations__["options"].removeprefix("Unpack[").removesuffix("]")].__annotations__
    groups: dict[str, list[str]] = {title: [] for title in ("Common", *GROUPS.values())}
    listed = {name: ("Common" if name in COMMON else GROUPS[group], about)
              for name, group, _, _, about in _xwalk.named_options() if name in taken}
    titles = [*groups]
    types = {name: taken[name] for name in sorted(
        listed, key=lambda name: (titles.index(listed[name][0]), COMMON.index(name) if name in COMMON else 0))}
    for name in types:
        title, about = listed[name]
        groups[title].append(f"        {name}={USUAL[name]!r}: {about}")
    own = call.__code__.co_varnames[:call.__code__.co_argcount + call.__code__.co_kwonlyargcount]

    @wraps(call)
    def checked(*args: Any, **given: Any) -> Any:
        for name, value in (*zip(own, args), *given.items()):
            expect_text(name, value)
            if name not in types and name not in own:
                text = f'{call.__qualname__} has no option "{name}"' if name in USUAL else f'unknown option "{name}"'
                raise usage_error(text, _xwalk.suggested_option(name, [*own, *types]))
        return call(*args, **given)

    lines = [line for title, shown in groups.items() if shown for line in (f"    {title}:", *shown)]
    checked.__doc__ = (call.__doc__ or "").rstrip() + "\n\n" + "\n".join(lines) + "\n"
    setattr(checked, "__wrapped__", _Shown(call, types))
    return cast(_Call, checked)


def counted(number: int, word: str) -> str:
    """Returns "1 row" or "1,000 rows"."""
    return f"{number:,} {word}{'' if number == 1 else 's'}"


def usage_error(message: str, hint: str = "") -> UsageError:
    """Makes an error like those of the library."""
    error = UsageError(message + (f"\n  {hint}" if hint else ""))
    error.message, error.hint = message, hint
    return error


def expect_word(what: str, word: str, accepted: Sequence[str]) -> None:
    """Raises UsageError if the value is not allowed, and suggests the nearest ones."""
    if word not in accepted:
        raise usage_error(f'{what}: expected {", ".join(accepted)}, found "{word}"', _xwalk.did_you_mean(word, list(accepted)))


def is_of(value: Any, package: str, *names: str) -> bool:
    """Returns true if a value is an instance of a class of a package, or the class itself. The package need not be installed."""
    module = sys.modules.get(package)
    classes = tuple(getattr(module, name) for name in names if hasattr(module, name))
    return isinstance(value, classes) or (isinstance(value, type) and issubclass(value, classes))


def _type_text(kind: Any) -> Any:
    """Returns a type of pyarrow or Polars in the syntax of Arrow, and other values unchanged."""
    if is_of(kind, "pyarrow", "DataType"):
        columns = sys.modules["pyarrow"].schema([("column", kind)])
    elif is_of(kind, "polars", "DataType"):
        columns = sys.modules["polars"].DataFrame(schema={"column": kind})
    else:
        return kind
    return _xwalk.Schema.from_arrow(columns).columns()[0][1]


def schema_of_types(types: Mapping[str, Any]) -> Any:
    """Returns an object with the schema of columns by name, whose types are those of pyarrow or Polars."""
    if types and all(is_of(kind, "pyarrow", "DataType") for kind in types.values()):
        return sys.modules["pyarrow"].schema(list(types.items()))
    if types and all(is_of(kind, "polars", "DataType") for kind in types.values()):
        return sys.modules["polars"].DataFrame(schema=dict(types))
    found = next((kind for kind in types.values() if not is_of(kind, "polars", "DataType")), types)
    raise usage_error(f"expected types of pyarrow or Polars for the columns of a schema, found {found!r}")


def _casts_of(casts: Any) -> Any:
    """Returns the types of paths in a mapping or a schema."""
    if is_of(casts, "pyarrow", "Schema"):
        casts = {field.name if field.name.isidentifier() else quoted(field.name): field.type for field in casts}
    return {path: _type_text(kind) for path, kind in casts.items()} if isinstance(casts, Mapping) else casts


def quoted(name: str) -> str:
    """Returns a name as a step of a path, between quotation marks."""
    import json  # which takes its time to load

    return json.dumps(name, ensure_ascii=False)


def visible(text: str) -> str:
    """Returns text with an escape for each byte that is not UTF-8."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def spelled(options: Mapping[str, Any]) -> dict[str, Any]:
    """Returns options for the library: lists for single values, text for paths and schemas. Options at their default are left
    out, so that the library can tell explicit choices from defaults."""
    given = dict(options)
    for name in ("select", "exclude", "partition_by", "follow"):
        if given.get(name) is not None and not isinstance(given[name], str):
            if not isinstance(given[name], Iterable):
                raise usage_error(f"{name}: expected a text or a list of texts, found {type(given[name]).__name__}")
            given[name] = list(given[name])
    if given.get("cast") is not None:
        given["cast"] = _casts_of(given["cast"])
    schema: Any = given.get("schema")
    if isinstance(schema, Mapping) and not hasattr(schema, "__arrow_c_schema__"):
        schema = schema_of_types(schema)
    if isinstance(schema, os.PathLike) or (isinstance(schema, str) and not _xwalk.is_schema_text(schema)):
        try:
            with open(schema, "rb") as file:
                schema = file.read()
        except OSError as error:
            name = os.fspath(schema)
            text = f'schema: expected the text or the file of a schema, found "{name}": {error.strerror}'
            raise io_error(text, error.errno or 0, name) from error
    elif hasattr(schema, "dump"):
        schema = schema.dump()
    elif hasattr(schema, "__arrow_c_schema__"):  # of pyarrow or Polars: the table schema for these types
        schema = _xwalk.Schema.from_arrow(schema).plan("yt", {})[0].dump()
    given["schema"] = schema.decode() if isinstance(schema, bytes) else schema
    given = {name: os.fspath(value) if isinstance(value, os.PathLike) else value for name, value in given.items()}
    for name, value in given.items():
        expect_text(name, value, "strict")
    return {name: value for name, value in given.items()
            if value is not None and not (type(value) is type(USUAL.get(name)) and value == USUAL[name])}
