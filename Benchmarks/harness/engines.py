"""How each tool is told to do a work, and how its answer is read.

`timed` is the whole process that is measured: load, sort, list the sections with their sizes, give
one object. `ordered` is not measured: it writes all rows in order, as CSV, equal rows in the order
of the file.
"""

import json
from pathlib import Path

from .works import LETTERS, OTHER


class Dsshell:
    name = "dsshell"

    def __init__(self, program):
        self.program = str(program)

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

    # Printed after the reports of the commands before, and followed by the rows alone.
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


class DuckDB:
    name = "duckdb"

    def __init__(self, program):
        self.program = str(program)

    def _run(self, *options_and_sql):
        # Without the settings of whoever runs this.
        return [self.program, "-init", "/dev/null", *options_and_sql]

    def timed(self, work, title):
        if work.is_json:
            source = f"read_json('{work.file}', format = '{self._layout(work)}')"
        else:
            nulls = f", nullstr = '{work.null}'" if work.null else ""
            source = f"read_csv('{work.file}'{nulls})"
        key = self._title(work)
        order = ", ".join(
            f"{sort.column} {'DESC NULLS LAST' if sort.descending else 'ASC NULLS FIRST'}"
            for sort in work.sorts)
        if order:
            order = f" ORDER BY {order}"
        sequence = {"runs": "1", "groups": "min(rowid)", "fixed": f"title = '{OTHER}', title"}
        # Unsorted rows are numbered as they stand in the file.
        place = "" if order else " ORDER BY rowid"
        return self._run("-json", "-c", (
            f"CREATE TABLE t AS SELECT * FROM {source}{order}; "
            f"SELECT {key} AS title, count(*) AS count FROM t GROUP BY 1 "
            f"ORDER BY {sequence[work.mode]}; "
            f"SELECT * FROM t WHERE {key} = '{title}'{place} LIMIT 1 OFFSET {work.pick[1]};"))

    def description(self, work):
        return self._run("-csv", "-noheader", "-c", (
            f"CREATE TABLE t AS SELECT * FROM read_csv('{work.file}'); SELECT count(*) FROM t;"))

    def count(self, text):
        return int(text)

    @staticmethod
    def _layout(work):
        return "array" if work.is_array else "newline_delimited"

    @staticmethod
    def _title(work):
        key = f"{work.key}[1]" if work.by_first_character else work.key
        if work.mode != "fixed":
            return key
        return (f"CASE WHEN {key} BETWEEN '{LETTERS[0]}' AND '{LETTERS[-1]}' THEN {key} "
                f"ELSE '{OTHER}' END")

    def answer(self, text, work):
        decoder = json.JSONDecoder(parse_int=str, parse_float=str)
        text = text.strip()
        sections, end = decoder.raw_decode(text)
        (record,), _ = decoder.raw_decode(text[end:].strip())
        return [(section["title"], int(section["count"])) for section in sections], record

    def ordered(self, work, columns):
        # Every value as the text it has in the file; only sort keys that are numbers are converted.
        if work.is_json:
            types = ", ".join(f"{column}: 'VARCHAR'" for column in columns)
            source = (f"read_json('{work.file}', format = '{self._layout(work)}', "
                      f"columns = {{{types}}})")
        else:
            source = f"read_csv('{work.file}', all_varchar = true, nullstr = ['', '{work.null}'])"
        order = ", ".join(
            (f"{sort.column}::DOUBLE" if sort.numeric else sort.column)
            + (" DESC NULLS LAST" if sort.descending else " ASC NULLS FIRST")
            for sort in work.sorts)
        title = self._title(work)
        order = {
            "runs": order,
            "groups": f"min(place) OVER (PARTITION BY {title})",
            "fixed": f"{title} = '{OTHER}', {title}",
        }[work.mode]
        # One thread, so that the rows are numbered as they stand in the file.
        return self._run("-c", (
            f"SET threads = 1; COPY (SELECT {', '.join(columns)} FROM "
            f"(SELECT *, row_number() OVER () AS place FROM {source}) "
            f"ORDER BY {order}, place) TO '/dev/stdout' (FORMAT csv, HEADER);"))

    def skip_preface(self, lines):
        pass

    def idle(self):
        return self._run("-c", "")

    def version(self):
        return [self.program, "--version"]


class Polars:
    name = "polars"
    script = str(Path(__file__).with_name("polars_work.py"))

    def __init__(self, python):
        self.python = str(python)

    def _run(self, mode, work, title=None):
        facts = {
            "file": work.file, "key": work.key, "first": work.by_first_character,
            "null": work.null, "row": work.pick[1], "title": title,
            "mode": work.mode, "letters": LETTERS, "other": OTHER,
            "sorts": [[sort.column, sort.descending, sort.numeric] for sort in work.sorts],
        }
        return [self.python, self.script, mode, json.dumps(facts, ensure_ascii=False)]

    def timed(self, work, title):
        return self._run("timed", work, title)

    def description(self, work):
        return [self.python, "-c",
                f"import polars; print(polars.read_csv('{work.file}').height)"]

    def count(self, text):
        return int(text)

    def answer(self, text, work):
        sections, record = text.splitlines()
        return [tuple(section) for section in json.loads(sections)], parsed(record)

    def ordered(self, work, columns):
        return self._run("ordered", work)

    def skip_preface(self, lines):
        pass

    def idle(self):
        return [self.python, "-c", "import polars"]

    def version(self):
        return [self.python, "-c", "import polars; print('polars', polars.__version__)"]


def parsed(text):
    """A record whose numbers are the text they have."""
    return json.loads(text, parse_int=str, parse_float=str)
