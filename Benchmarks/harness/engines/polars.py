import json
from pathlib import Path

from ..works import LETTERS, OTHER
from .records import parsed


class Polars:
    name = "polars"
    script = str(Path(__file__).parent.with_name("polars_work.py"))

    def __init__(self, python):
        self.python = str(python)

    def takes(self, work):
        return True

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
