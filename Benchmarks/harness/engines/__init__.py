"""The command of each tool for a task, and the parser of its answer.

`timed` is the whole process that is measured: load, sort, list the sections with their sizes, print
one object. `ordered` is not measured: it writes all rows in order, as CSV, equal rows in the order
of the file.
"""

from .dsshell import Dsshell
from .duckdb import DuckDB
from .miller import Miller
from .polars import Polars
from .sqlite import SQLite

__all__ = ["Dsshell", "DuckDB", "Miller", "Polars", "SQLite"]
