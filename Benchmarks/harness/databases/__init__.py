"""The works over databases: the questions that dsshell answers by statements, asked inside a session.

`tables` makes the tables, `tools` runs sessions and reads their timers, `works` measures.
"""

from .works import GROUP, WORKS, Unavailable, measure, render

__all__ = ["GROUP", "WORKS", "Unavailable", "measure", "render"]
