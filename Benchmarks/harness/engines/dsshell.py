import json

from ..works import OTHER
from .records import parsed


class Dsshell:
    name = "dsshell"

    def __init__(self, program):
        self.program = str(program)

    def takes(self, work):
        return True

    def _commands(self, work):
        nulls = f" nulls: {work.null}" if work.null else ""
        key = work.key + (".firstCharacter" if work.by_first_character else "")
        sorts = ", ".join(
            sort.column + (" desc" if sort.descending else "") for sort in work.sorts)
        sort = f" sort: {sorts}" if sorts else ""
        mode = {"runs": "", "groups": " mode: groups",
                "fixed": f" mode: fixed titles: A...Z empty: hide other: \"{OTHER}\""}[work.mode]
        return (f"let t = load {work.file}{nulls}; "
                f"let s = sectioned t key: {key}{sort}{mode}; fetch s")

    def timed(self, work, title):
        section, row = work.pick
        return [self.program, "--output", "json", "-c",
                f"{self._commands(work)}; sections s; object s [{section}, {row}]"]

    def description(self, work):
        return [self.program, "--output", "json", "-c", f"let t = load {work.file}; describe t"]

    def count(self, text):
        return json.loads(text.splitlines()[0])["objects"]

    def answer(self, text, work):
        *_, sections, record = text.splitlines()
        return ([(section["title"], section["count"]) for section in json.loads(sections)],
                parsed(record))

    # Printed after the reports of the previous commands; only the rows follow it.
    MARK = "the rows follow"

    def ordered(self, work, columns):
        return [self.program, "--output", "json", "-c",
                f'{self._commands(work)}; mode csv; print "{self.MARK}"; objects s']

    def skip_preface(self, lines):
        for line in lines:
            if line.strip().strip('"') == self.MARK:
                return

    def idle(self):
        return [self.program, "-c", ""]

    def version(self):
        return [self.program, "--version"]
