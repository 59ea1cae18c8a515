"""The cases, by what they attack."""
from . import budgets, databases, files, names, schemas, servers, types  # noqa: F401
