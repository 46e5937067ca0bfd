"""One long session of dsshell beside one of DuckDB: what people ask of a loaded table in an hour.

`tools` types into both and reads their timers, `questions` has the questions of a round, `works`
measures and compares.
"""

from .works import NAME, WORK, measure, render, script

__all__ = ["NAME", "WORK", "measure", "render", "script"]
