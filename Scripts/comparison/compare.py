"""Compares the rows of files."""

import concurrent.futures
from dataclasses import dataclass, field
from pathlib import Path

from . import readers, tables
from .cells import decimal, differing_keys, equal


@dataclass
class Result:
    path: Path
    format: str
    # equal, differs, rejects (some rows), fails, unread (by Python alone), neither (reads the file)
    kind: str = "equal"
    rows: int = 0
    cells: int = 0
    summary: str = ""
    differences: list = field(default_factory=list)
    notes: list = field(default_factory=list)
    # The labels that dsshell detected and Python's reader was given.
    detected: str = ""

    @property
    def is_remarkable(self):
        return self.kind not in ("equal", "neither")

    @property
    def is_fault(self):
        return self.kind in ("differs", "rejects", "fails")


def files(folder, formats):
    for path in sorted(folder.rglob("*") if folder.is_dir() else [folder]):
        hidden = any(part.startswith(".") for part in path.relative_to(folder).parts[:-1])
        if path.is_file() and not path.is_symlink() and not hidden:
            name = readers.format_of(path)
            if name and (formats is None or name in formats):
                yield path


def compare_all(paths, shell, jobs, comparison):
    """The results of `comparison(path, shell)`."""
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        return list(pool.map(lambda path: comparison(path, shell), paths))


def compare(path, shell):
    result = Result(path, readers.format_of(path))
    loaded = shell.load(path)
    result.notes = loaded.notes
    hints = tables.hints_in(loaded.notes)
    result.detected = " ".join(f"{name}: {value}" for name, value in hints.items())
    try:
        expected = readers.read(path, result.format, hints)
    except Exception as error:  # A reader of Python may raise anything for a malformed file.
        result.kind = "neither" if loaded.error else "unread"
        result.summary = f"Python: {type(error).__name__}: {str(error)[:100]}; dsshell: " + (
            loaded.error or f"{loaded.format}, {len(loaded.rows):,} rows")
        return result
    result.rows = len(expected.rows)
    if loaded.error:
        result.kind = "fails"
        result.summary = f"dsshell: {loaded.error}; Python: {len(expected.rows):,} rows"
    elif expected.texts:
        compare_texts(loaded, expected, result)
    else:
        compare_rows(loaded, expected, result)
    return result


def compare_rows(loaded, expected, result):
    shown, wanted = loaded.rows, expected.rows
    if expected.only:
        shown = [{key: row.get(key) for key in expected.only} for row in shown]
    for number, (left, right) in enumerate(zip(shown, wanted)):
        result.cells += len(right) if isinstance(right, (dict, list)) else 1
        if isinstance(left, dict) and isinstance(right, dict):
            for key in differing_keys(left, right):
                result.differences.append(
                    f"row {number} {key!r}: {excerpt(left, key)} != {excerpt(right, key)}")
        elif not equal(left, right):
            result.differences.append(f"row {number}: {left!r:.80} != {right!r:.80}")
    texts = [f"{loaded.format}"]
    if len(shown) != len(wanted):
        texts.append(f"{len(shown):,} rows, Python {len(wanted):,}")
    if loaded.rejected:
        texts.append(f"{loaded.rejected:,} rejected")
    if result.differences:
        texts.append(f"{len(result.differences):,} cells differ")
    result.summary = ", ".join(texts)
    if loaded.rejected:
        result.kind = "rejects"
    elif result.differences or len(shown) != len(wanted):
        result.kind = "differs"


def compare_texts(loaded, expected, result):
    """Compares the texts of the rows with those of the table that has most of them."""
    shown = texts_of(loaded.rows)
    best = max(expected.texts, key=lambda texts: len(normal(texts) & shown))
    wanted = normal(best)
    result.rows, result.cells = len(loaded.rows), len(wanted)
    # A key may join the cells of several header rows.
    keys = " ".join(key for row in loaded.rows[:1] if isinstance(row, dict) for key in row)
    missing = sorted(text for text in wanted - shown if text not in keys)
    result.differences = [f"no cell {text!r:.80}" for text in missing]
    result.summary = f"{loaded.format}, {len(missing):,} of {len(wanted):,} texts missing"
    if missing:
        result.kind = "differs"


def texts_of(rows):
    texts = set()
    for row in rows:
        for key, value in row.items() if isinstance(row, dict) else [("", row)]:
            texts.update((str(key), str(value)))
    return normal(texts)


def normal(texts):
    """Texts without blanks, and numbers in one form."""
    result = set()
    for text in texts:
        number = decimal(text)
        result.add(str(number.normalize()) if number is not None and text.strip() else text.strip())
    return result - {""}


def excerpt(record, key):
    return f"{record[key]!r:.60}" if key in record else "no key"
