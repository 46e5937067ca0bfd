"""Edits copies of files, saves them, and compares the bytes and, with Python's readers, the cells."""

import csv
import json
import shutil
import tempfile
from pathlib import Path

from . import readers, tables
from .cells import Number, equal
from .compare import Result

FORMATS = ["csv", "tsv", "json", "ndjson"]
TEXT = "edited, \"x\" é"


def compare(path, shell):
    """A Result whose `kind` is `neither` for a file that is not loaded or has no rows, and `unread`
    for one that Python reads differently before the edit too."""
    result = Result(path, readers.format_of(path))
    loaded = shell.load(path)
    result.rows = len(loaded.rows)
    if loaded.error or not loaded.rows:
        result.kind = "neither"
        result.summary = loaded.error or "no rows"
        return result
    edit = chosen(loaded.rows)
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / path.name
        for check in [check_undo] + ([check_cell] if edit else []):
            shutil.copyfile(path, copy)
            failure = check(path, copy, edit, loaded, shell)
            if failure:
                result.kind, result.summary = failure
                return result
    result.cells = 1 if edit else 0
    return result


class Edit:
    def __init__(self, row, key, old, new):
        self.row, self.key, self.old, self.new = row, key, old, new

    @property
    def value(self):
        """The new value in the language."""
        return self.new if isinstance(self.new, Number) else quoted(self.new)

    @property
    def sizes(self):
        """The most bytes of the old and the new value: a character has up to 6 bytes in UTF-16 or
        with escapes, quotes may be added or removed, and nested values have white space."""
        factor = 40 if isinstance(self.old, (dict, list)) else 6
        return factor * len(quoted(self.old)) + 2, 6 * len(quoted(self.new)) + 2


def chosen(rows):
    """A change of one cell near the middle of the rows, rather of a string or a number; None without
    a record that has one."""
    middle = len(rows) // 2
    order = list(range(middle, len(rows))) + list(range(middle))
    for kinds in str, object:
        for row in (row for row in order if isinstance(rows[row], dict)):
            cells = [(key, value) for key, value in rows[row].items() if isinstance(value, kinds)]
            if cells:
                key, old = cells[len(cells) // 2]
                return Edit(row, key, old, other(old))
    return None


def other(value):
    """Another value of the same type, or a text."""
    if isinstance(value, bool):
        return not value
    return Number("7" if value != "7" else "8") if isinstance(value, Number) else TEXT


def quoted(text):
    return json.dumps(text, ensure_ascii=False)


def check_undo(path, copy, edit, loaded, shell):
    """The bytes after edits, a save, the reversal of all edits, and another save."""
    choices = [["remove t [0, 0]"]]
    if edit:
        update = f"update t [0, {edit.row}] {quoted(edit.key)}: {edit.value}"
        insertion = f"insert t {{{quoted(edit.key)}: {edit.value}}} at: {edit.row}"
        choices = [[update, insertion, "remove t [0, 0]"], [update]]
    for edits in choices:
        shutil.copyfile(path, copy)
        undo = ["undo t"] * len(edits)
        error = shell.run([load(copy)] + edits + ["save t"] + undo + ["save t", *edits, *undo])
        # The rows of a document that is one record cannot be added or removed.
        if "single value" not in error:
            break
    if error:
        return "fails", error
    if copy.read_bytes() != path.read_bytes():
        return "differs", "other bytes after undo"
    return None


def check_cell(path, copy, edit, loaded, shell):
    """The bytes and the cells after the change of one cell."""
    update = f"update t [0, {edit.row}] {quoted(edit.key)}: {edit.value}"
    error = shell.run([load(copy), update, "save t"])
    if error:
        return "fails", error
    old, new = path.read_bytes(), copy.read_bytes()
    start = common(old, new)
    end = common(old[start:][::-1], new[start:][::-1])
    before, after = old[start:len(old) - end], new[start:len(new) - end]
    if len(before) > edit.sizes[0] or len(after) > edit.sizes[1]:
        return "differs", f"{before!r:.60} became {after!r:.60}"
    hints = tables.hints_in(loaded.notes)
    try:
        rows = [readers.read(file, readers.format_of(path), hints).rows for file in (path, copy)]
    except Exception as error:  # A reader of Python may raise anything for a malformed file.
        return "unread", f"Python: {type(error).__name__}: {str(error)[:100]}"
    if edit.row >= len(rows[0]) or not isinstance(rows[0][edit.row], dict) \
            or not equal(edit.old, rows[0][edit.row].get(edit.key)):
        return "unread", "Python reads another cell in the original file"
    changes = differences(*rows)
    if len(rows[0]) != len(rows[1]) or len(changes) != 1:
        return "differs", f"{len(changes)} cells changed for Python"
    was, became = changes[0]
    # Python's reader does not know quotes in a TSV in which they do not balance.
    if isinstance(became, str) and became.startswith('"'):
        became = next(csv.reader([became]))[0]
    if not equal(edit.old, was) or not equal(edit.new, became):
        return "differs", f"{was!r:.60} became {became!r:.60} for Python"
    return None


def differences(old, new):
    """The differing cells of two lists of rows, before and after."""
    changes = []
    for left, right in zip(old, new):
        if left == right:
            continue
        if not isinstance(left, dict) or not isinstance(right, dict) or list(left) != list(right):
            changes.append((left, right))
            continue
        changes += [(left[key], right[key]) for key in left if left[key] != right[key]]
    return changes


def load(path):
    return f"let t = load {quoted(str(path))}"


def common(left, right):
    """The length of the common start of two byte strings."""
    low, high = 0, min(len(left), len(right))
    while low < high:
        middle = (low + high + 1) // 2
        if left[:middle] == right[:middle]:
            low = middle
        else:
            high = middle - 1
    return low
