"""Checks that the tools agree on the order of all rows, the sections and the object."""

import csv
import gzip
import hashlib
import io
import json
import subprocess
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation


class Disagreement(Exception):
    pass


BLOCK = 10_000


@dataclass
class Order:
    """Digest of all rows of a tool in order, with the sections and the object."""

    rows: int
    digest: str
    # Intermediate digests, one every BLOCK rows, to locate where two orders differ.
    blocks: list
    sections: list
    # The requested object, every value as its text, null as "".
    record: dict


def read_order(engine, work, folder):
    """Reads all rows as `engine` writes them.

    Values are compared as text without quotes, because tools quote differently.
    """
    columns = header(folder / work.file, work)
    with subprocess.Popen(
            engine.ordered(work, columns), cwd=folder, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE) as process:
        lines = io.TextIOWrapper(process.stdout, encoding="utf-8", newline="")
        engine.skip_preface(lines)
        reader = csv.reader(lines)
        names = next(reader, [])
        absent = [column for column in columns if column not in names]
        if absent:
            raise Disagreement(f"{engine.name} returned no column {', '.join(absent)} for {work.name}")
        places = [names.index(column) for column in columns]
        order = digest_rows(reader, places, columns, work)
    if process.returncode != 0:
        raise Disagreement(f"{engine.name} ended with {process.returncode} on {work.name}")
    return order


def header(path, work):
    """The columns of a file, in order."""
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8") as file:
        start = file.read(1 << 16)
    if not work.is_json:
        return start.splitlines()[0].split(",")
    record, _ = json.JSONDecoder().raw_decode(start[start.index("{"):])
    return list(record)


def digest_rows(reader, places, columns, work):
    digest = hashlib.blake2b(digest_size=8)
    key = places[columns.index(work.key)]
    blocks, sections, record, rows = [], [], None, 0
    section, row = work.pick
    for cells in reader:
        rows += 1
        digest.update("\x1f".join([cells[place] for place in places]).encode() + b"\x1e")
        if rows % BLOCK == 0:
            blocks.append(digest.hexdigest())
        title = work.title(cells[key])
        if not sections or sections[-1][0] != title:
            sections.append([title, 0])
        if len(sections) == section + 1 and sections[-1][1] == row:
            record = {column: cells[place] for column, place in zip(columns, places)}
        sections[-1][1] += 1
    if record is None:
        raise Disagreement(f"{work.name} has no object at {list(work.pick)}")
    return Order(rows, digest.hexdigest(), blocks, [tuple(entry) for entry in sections], record)


def check_order(engine, order, reference_name, reference):
    for fact in ("rows", "sections", "record"):
        mine, theirs = getattr(order, fact), getattr(reference, fact)
        if mine != theirs:
            raise Disagreement(f"{fact}: {engine.name} has {mine}, {reference_name} {theirs}")
    if order.digest != reference.digest:
        same = next((number for number, pair in enumerate(zip(order.blocks, reference.blocks))
                     if pair[0] != pair[1]), len(order.blocks)) * BLOCK
        raise Disagreement(f"the orders of {engine.name} and {reference_name} differ within the "
                           f"{BLOCK:,} sorted rows from row {same:,}")


def check_answer(engine, answer, work, reference):
    """Checks a timed answer. Only dsshell keeps the order of equal rows and the text of values, so
    for the peers only the identifying columns of the object are compared."""
    sections, record = answer
    if sections != reference.sections:
        raise Disagreement(f"{work.name}: sections of {engine.name}: {sections}; "
                           f"expected {reference.sections}")
    exact = engine.name == "dsshell"
    for column in reference.record if exact else work.identifying:
        mine, theirs = record.get(column), reference.record[column]
        mine = "" if mine is None else str(mine)
        if mine != theirs and (exact or not is_same(mine, theirs)):
            raise Disagreement(f"{work.name}: {column} of the object is {mine!r} by "
                               f"{engine.name}, {theirs!r} expected")


def is_same(left, right):
    """Whether two strings are the same number, or the same date and time in GMT."""
    try:
        return Decimal(left) == Decimal(right)
    except InvalidOperation:
        return plain_time(left) == plain_time(right)


def plain_time(text):
    return text.replace("T", " ").removesuffix("Z").removesuffix("+00")
