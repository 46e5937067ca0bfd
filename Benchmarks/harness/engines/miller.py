from ..works import LETTERS, OTHER
from .records import two

# Sorts before all numbers, as a missing value must.
LEAST = "-1e300"


class Miller:
    name = "miller"

    def __init__(self, program):
        self.program = str(program)

    def takes(self, work):
        # Its functions do not recognize a JSON null (6.6).
        return work.file.endswith(".csv")

    def _read(self, work, output, *chain):
        verbs = [word for verb in chain if verb for word in ["then", *verb]][1:]
        return [self.program, "--icsv", output, "--from", work.file, *verbs]

    def _sort(self, work):
        """The verbs that sort; the first one creates the keys."""
        numbers = [sort.column for sort in work.sorts if sort.numeric]
        keys = " ".join(
            f"${column}_key = is_string(${column}) || is_empty(${column}) ? {LEAST} : ${column};"
            for column in numbers)
        flags = []
        for sort in work.sorts:
            flag = ("-nr" if sort.descending else "-nf") if sort.numeric else (
                "-r" if sort.descending else "-f")
            flags += [flag, f"{sort.column}_key" if sort.numeric else sort.column]
        drop = ["cut", "-x", "-f", ",".join(f"{column}_key" for column in numbers)]
        return [["put", keys] if keys else None, ["sort", *flags] if flags else None,
                drop if numbers else None]

    @staticmethod
    def _title(work):
        # A string even if it looks like a number.
        return f"string(${work.key})[1:1]" if work.by_first_character else f"${work.key}"

    def _letter(self, work):
        title = self._title(work)
        if work.mode != "fixed":
            return title
        return f'({title} >= "{LETTERS[0]}" && {title} <= "{LETTERS[-1]}" ? {title} : "{OTHER}")'

    def timed(self, work, title):
        return self._read(work, "--ojson", *self._sort(work), ["put", "-q", (
            f"title = {self._letter(work)}; @count[title] += 1; "
            f'if (title == "{title}" && @count[title] == {work.pick[1] + 1}) {{@object = $*}} '
            "end {dump @count; dump @object}")])

    def description(self, work):
        return self._read(work, "--onidx", ["count"])

    def count(self, text):
        return int(text)

    def answer(self, text, work):
        counts, record = two(text)
        sections = [(title, int(count)) for title, count in counts.items()]
        if work.mode == "fixed":
            sections.sort(key=lambda section: (section[0] == OTHER, section[0]))
        return sections, record

    def ordered(self, work, columns):
        order = {
            "runs": self._sort(work),
            "groups": [["group-by", work.key]],
            # Sorts after every letter.
            "fixed": [["put", f'letter = {self._letter(work)}; '
                              f'$letter = letter == "{OTHER}" ? "~" : letter'],
                      ["sort", "-f", "letter"], ["cut", "-x", "-f", "letter"]],
        }[work.mode]
        null = ["put", f'for (key, value in $*) {{if (value == "{work.null}") '
                       '{$[key] = ""}}'] if work.null else None
        return self._read(work, "--ocsv", *order, null)

    def skip_preface(self, lines):
        pass

    def idle(self):
        return [self.program, "-n", "cat"]

    def version(self):
        return [self.program, "--version"]
