"""The cases, by what they attack."""
from . import budgets, databases, files, names, projects, schemas, servers, types, variants  # noqa: F401
