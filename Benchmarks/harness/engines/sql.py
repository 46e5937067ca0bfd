"""Base class of the shells of SQL databases."""

from ..works import LETTERS, OTHER
from .records import two


class SQLShell:
    """A program that runs SQL and prints JSON.

    A subclass defines how the text of a value is sorted (`sorted_value`) and how its first
    character is read (`first_character`).
    """

    def __init__(self, program):
        self.program = str(program)

    def takes(self, work):
        return True

    def run(self, *arguments):
        # Without the settings of the user.
        return [self.program, "-init", "/dev/null", *arguments]

    def title(self, work):
        key = self.first_character(work.key) if work.by_first_character else work.key
        if work.mode != "fixed":
            return key
        return (f"CASE WHEN {key} BETWEEN '{LETTERS[0]}' AND '{LETTERS[-1]}' THEN {key} "
                f"ELSE '{OTHER}' END")

    @staticmethod
    def order(work, value):
        return ", ".join(
            value(sort, work)
            + (" DESC NULLS LAST" if sort.descending else " ASC NULLS FIRST")
            for sort in work.sorts)

    def sections(self, work):
        sequence = {"runs": "1", "groups": "min(rowid)", "fixed": f"title = '{OTHER}', title"}
        return (f"SELECT {self.title(work)} AS title, count(*) AS count FROM t GROUP BY 1 "
                f"ORDER BY {sequence[work.mode]};")

    def object(self, work, title):
        # Unsorted rows are numbered in the order of the file.
        place = "" if work.sorts else " ORDER BY rowid"
        return (f"SELECT * FROM t WHERE {self.title(work)} = '{title}'{place} "
                f"LIMIT 1 OFFSET {work.pick[1]};")

    def whole_order(self, work, place):
        """The order of all rows, with equal rows in the order of the file."""
        title = self.title(work)
        first = {
            "runs": self.order(work, self.sorted_value),
            "groups": f"min({place}) OVER (PARTITION BY {title})",
            "fixed": f"{title} = '{OTHER}', {title}",
        }[work.mode]
        return f"{first}, {place}"

    def count(self, text):
        return int(text)

    def answer(self, text, work):
        sections, (record,) = two(text)
        return [(section["title"], int(section["count"])) for section in sections], record

    def skip_preface(self, lines):
        pass

    def version(self):
        return [self.program, "--version"]
