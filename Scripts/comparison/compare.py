"""Compares the rows of files."""

import concurrent.futures
from dataclasses import dataclass, field
from pathlib import Path

from . import readers
from .cells import differing_keys, equal


@dataclass
class Result:
    path: Path
    format: str
    # equal, differs, rejects (equal but for rejected rows), fails, unread (Python fails too)
    kind: str = "equal"
    rows: int = 0
    cells: int = 0
    summary: str = ""
    differences: list = field(default_factory=list)
    notes: list = field(default_factory=list)

    @property
    def is_remarkable(self):
        return self.kind != "equal"

    @property
    def is_fault(self):
        return self.kind in ("differs", "rejects", "fails")


def files(folder, formats):
    for path in sorted(folder.rglob("*") if folder.is_dir() else [folder]):
        if path.is_file() and not path.is_symlink():
            name = readers.format_of(path)
            if name and (formats is None or name in formats):
                yield path


def compare_all(paths, shell, jobs):
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        return list(pool.map(lambda path: compare(path, shell), paths))


def compare(path, shell):
    result = Result(path, readers.format_of(path))
    try:
        expected = readers.read(path, result.format)
    except Exception as error:  # A reader of Python may raise anything for a malformed file.
        loaded = shell.load(path)
        result.kind = "unread"
        result.summary = f"Python: {type(error).__name__}: {str(error)[:100]}; dsshell: " + (
            loaded.error or f"{loaded.format}, {len(loaded.rows):,} rows")
        return result
    loaded = shell.load(path, expected.labels)
    result.notes = loaded.warnings
    result.rows = len(expected.rows)
    if loaded.error:
        result.kind = "fails"
        result.summary = f"dsshell: {loaded.error}; Python: {len(expected.rows):,} rows"
        return result
    compare_rows(loaded, expected, result)
    return result


def compare_rows(loaded, expected, result):
    shown, wanted = loaded.rows, expected.rows
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


def excerpt(record, key):
    return f"{record[key]!r:.60}" if key in record else "no key"
