"""Delimited text, columns of fixed width, sheets and logs."""

import csv
import io
import re
from collections import Counter

from .cells import decimal
from .expected import Expected, text_of

csv.field_size_limit(1 << 30)


def best_delimiter(text):
    """The delimiter whose first rows have the same number of fields, and most of them."""
    sample = "\n".join(text.splitlines()[:100])
    scores = {}
    for delimiter in ",;\t|":
        counts = Counter(len(row) for row in csv.reader(io.StringIO(sample), delimiter=delimiter)
                         if row)
        fields, rows = counts.most_common(1)[0] if counts else (1, 0)
        scores[delimiter] = (rows if fields > 1 else 0, fields)
    return max(scores, key=scores.get)


def delimited(text, name, hints):
    lines = text.split("\n")
    header = lines[int(hints["comment line"]) - 1].lstrip("# ") if "comment line" in hints else None
    lines = lines[int(hints.get("skip", 0)):]
    if "line" in hints:
        lines = lines[int(hints["line"]) - 1 - int(hints.get("skip", 0)):]
    if "comment" in hints:
        lines = [line for line in lines if not line.startswith(hints["comment"])]
    text = "\n".join(lines if header is None else [header] + lines)
    delimiter = hints.get("delimiter") or ("\t" if name == "tsv" else best_delimiter(text))
    # In TSV, quotes that do not balance are ordinary characters.
    is_plain = delimiter == "\t" and any(line.count('"') % 2 for line in lines)
    quoting = csv.QUOTE_NONE if is_plain else csv.QUOTE_MINIMAL
    try:
        records = parse(text, delimiter, quoting)
    except csv.Error:  # Lines that end with CR alone, or with CR CR LF.
        records = parse(re.sub("\r+\n|\r", "\n", text), delimiter, quoting)
    if not records:
        raise ValueError("no rows")
    if hints.get("header") == "false":
        header = [f"column{place + 1}" for place in range(max(map(len, records[:100])))]
    else:
        header = keys_of(records.pop(0))
    if "name" in hints:
        header = ["column1"] + header
    rows = []
    for record in records:
        row = dict(zip(header, record))
        for key in header[len(record):]:
            row[key] = None
        if len(record) > len(header):
            row[f"{len(record) - len(header)} more"] = record[len(header):]
        rows.append(row)
    return Expected(rows)


def parse(text, delimiter, quoting):
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, quoting=quoting)
    return [row for row in reader if row]


def hints_in(notes):
    """The labels that a load reports as detected."""
    hints = {}
    for note in notes:
        labels = re.match(r"detected `(.*)`$", note)
        if labels:
            hints |= {name: value.strip('"') for name, value in
                      re.findall(r'(\w+): ("[^"]*"|\S+)', labels[1])}
        line = re.match(r"line ([\d,]+) is the header", note)
        if line:
            hints["line"] = line[1].replace(",", "")
        comment = re.match(r"line ([\d,]+), a comment, is the header", note)
        if comment:
            hints["comment line"] = comment[1].replace(",", "")
        if note.startswith("the first row looks like data;"):
            hints["header"] = "false"
        if "the first field of each row is the row name" in note:
            hints["name"] = True
    if hints.get("delimiter") == "tab":
        hints["delimiter"] = "\t"
    return hints


def keys_of(header):
    """The keys of a header, named as dsshell names empty and repeated ones."""
    keys, seen = [], set()
    for place, name in enumerate(header):
        name = name.strip() or f"column{place + 1}"
        key, number = name, 2
        while key in seen:
            key, number = f"{name}_{number}", number + 1
        seen.add(key)
        keys.append(key)
    return keys


def read_xlsx(data, hints):
    import openpyxl
    book = openpyxl.load_workbook(io.BytesIO(data), data_only=True, read_only=False)
    lines = [list(line) for line in book.worksheets[0].iter_rows(values_only=True)]
    lines = [line for line in lines if any(cell not in (None, "") for cell in line)]
    if not lines:
        raise ValueError("no rows")
    names = [""] * len(lines[0])
    if hints.get("header") != "false":
        names = ["" if cell is None else str(cell).removesuffix(" 00:00:00")
                 for cell in lines.pop(0)]
    header = keys_of(names)
    return Expected([dict(zip(header, line)) for line in lines])


REQUEST = re.compile(
    r'(?P<host>\S+) (?P<ident>\S+) (?P<user>\S+) \[(?P<time>[^]]+)\] "(?P<request>[^"]*)" '
    r'(?P<status>\d{3}) (?P<bytes>\S+)( "(?P<referer>[^"]*)" "(?P<agent>[^"]*)")?\s*')


def read_log(data):
    rows = []
    for line in text_of(data).splitlines():
        match = REQUEST.fullmatch(line)
        if not match:
            raise ValueError("not a log of requests")
        rows.append({"status": match["status"]})
    return Expected(rows, only=["status"])


def read_fixed(data):
    lines = [line.split() for line in text_of(data).splitlines() if line.strip()]
    if len({len(line) for line in lines}) != 1 or len(lines[0]) < 2:
        raise ValueError("not the same number of words in each line")
    header = [f"column{place + 1}" for place in range(len(lines[0]))]
    if all(decimal(word) is None for word in lines[0]):
        header = keys_of(lines.pop(0))
    return Expected([dict(zip(header, line)) for line in lines])
