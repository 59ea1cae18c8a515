"""The cases, by what they attack."""
from . import budgets, databases, files, names, schemas, servers, types, variants  # noqa: F401
