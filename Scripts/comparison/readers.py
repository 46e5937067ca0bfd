"""Reads files with Python's readers, as rows of dsshell."""

import configparser
import csv
import gzip
import html.parser
import io
import json
import plistlib
import re
from collections import Counter
from dataclasses import dataclass, field

from .cells import Number

csv.field_size_limit(1 << 30)

EXTENSIONS = {
    ".csv": "csv", ".tsv": "tsv", ".tab": "tsv", ".json": "json", ".geojson": "json",
    ".ndjson": "ndjson", ".jsonl": "ndjson", ".xml": "xml", ".rss": "xml", ".atom": "xml",
    ".html": "html", ".htm": "html", ".yaml": "yaml", ".yml": "yaml", ".toml": "toml",
    ".ini": "ini", ".cfg": "ini", ".desktop": "ini", ".service": "ini", ".socket": "ini",
    ".timer": "ini", ".cnf": "ini", ".gitconfig": "ini", ".plist": "plist", ".xlsx": "xlsx",
    ".gz": "gz", ".log": "log",
}


@dataclass
class Expected:
    rows: list
    # Labels for `load` that Python's reader needs too.
    labels: str = ""
    # The keys to compare; all if empty.
    only: list = field(default_factory=list)
    # The texts of each table; those of one are expected in place of rows.
    texts: list = field(default_factory=list)


def format_of(path):
    """The format of a file by its extension; None for others."""
    name = EXTENSIONS.get(path.suffix.lower())
    return name if name != "gz" or format_of(path.with_suffix("")) else None


def read(path, name):
    data = path.read_bytes()
    if name == "gz":
        return READERS[format_of(path.with_suffix(""))](gzip.decompress(data), path)
    return READERS[name](data, path)


def text_of(data):
    for mark, encoding in ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"),
                           (b"\xfe\xff", "utf-16")):
        if data.startswith(mark):
            return data.decode(encoding)
    return data.decode("utf-8")


# Delimited text

def read_csv(data, path):
    text = text_of(data)
    return delimited(text, best_delimiter(text))


def read_tsv(data, path):
    return delimited(text_of(data), "\t")


def best_delimiter(text):
    """The delimiter whose first rows have the same number of fields, and most of them."""
    sample = "".join(text.splitlines(True)[:100])
    scores = {}
    for delimiter in ",;\t|":
        counts = Counter(len(row) for row in csv.reader(io.StringIO(sample), delimiter=delimiter)
                         if row)
        fields, rows = counts.most_common(1)[0] if counts else (1, 0)
        scores[delimiter] = (rows if fields > 1 else 0, fields)
    return max(scores, key=scores.get)


def delimited(text, delimiter):
    try:
        lines = parse(text, delimiter)
    except csv.Error:  # Lines that end with CR alone, or with CR CR LF.
        lines = parse(re.sub("\r+\n|\r", "\n", text), delimiter)
    if not lines:
        raise ValueError("no rows")
    header = keys_of(lines[0])
    rows = []
    for line in lines[1:]:
        row = dict(zip(header, line))
        for key in header[len(line):]:
            row[key] = None
        if len(line) > len(header):
            row[f"{len(line) - len(header)} more"] = line[len(header):]
        rows.append(row)
    return Expected(rows)


def parse(text, delimiter):
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    return [row for row in reader if row]


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


# JSON

def loads(text):
    return json.loads(text, parse_int=Number, parse_float=Number)


def read_json(data, path):
    text = text_of(data)
    try:
        return Expected(document_rows(loads(text)))
    except ValueError:
        decoder = json.JSONDecoder(parse_int=Number, parse_float=Number)
        rows, index = [], 0
        while index < len(text.rstrip()):
            value, index = decoder.raw_decode(text, index)
            index += len(text[index:]) - len(text[index:].lstrip())
            rows.append(value)
        return Expected(rows)


def read_ndjson(data, path):
    return Expected([loads(line) for line in text_of(data).splitlines() if line.strip()])


def document_rows(value):
    """The rows of a document: the elements of a list; those of the only list of records that a
    record holds; or the value itself."""
    if isinstance(value, list):
        return value
    if isinstance(value, dict):
        lists = [item for item in value.values() if isinstance(item, list) and item
                 and all(isinstance(element, dict) for element in item)]
        if len(lists) == 1:
            return lists[0]
    return [value]


# YAML

def text_loader():
    import yaml

    class TextLoader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
        """Reads all scalars as texts, so that the versions of YAML do not matter."""
        yaml_implicit_resolvers = {
            "<": [("tag:yaml.org,2002:merge", re.compile(r"^(?:<<)$"))]}

    def construct(loader, _, node):
        if isinstance(node, yaml.MappingNode):
            return loader.construct_mapping(node, deep=True)
        if isinstance(node, yaml.SequenceNode):
            return loader.construct_sequence(node, deep=True)
        return loader.construct_scalar(node)

    TextLoader.add_multi_constructor("!", construct)
    return TextLoader


def read_yaml(data, path):
    import yaml
    documents = [value for value in yaml.load_all(data, Loader=text_loader()) if value != ""]
    if len(documents) != 1:
        if documents and all(isinstance(value, list) for value in documents):
            return Expected([row for value in documents for row in value])
        return Expected(documents)
    return Expected(document_rows(documents[0]))


# TOML, INI, property lists

def read_toml(data, path):
    import tomllib
    return Expected(document_rows(tomllib.loads(text_of(data), parse_float=Number)))


def read_ini(data, path):
    parser = configparser.RawConfigParser(
        strict=False, allow_no_value=True, default_section="\0", dict_type=dict)
    parser.optionxform = str
    text = text_of(data)
    named = True
    try:
        parser.read_string(text)
    except configparser.MissingSectionHeaderError:
        named = False
        parser.read_string("[\1]\n" + text)
    rows = []
    for section in parser.sections():
        row = {} if section == "\1" else {"section": section}
        for key, value in parser.items(section):
            row[key] = True if value is None else unquoted(value)
        if row or section != "\1":
            rows.append(row)
    if not rows or not named and len(rows) < 2:
        raise ValueError("no sections")
    if not named and len(rows) > 1 and "section" not in rows[0]:
        rows[0]["section"] = None
    return Expected(rows)


def unquoted(value):
    """A value in quotes without them; configparser keeps them."""
    for quote in "\"'":
        if len(value) > 1 and value[0] == value[-1] == quote and quote not in value[1:-1]:
            return value[1:-1]
    return value.lstrip("\n")


def read_plist(data, path):
    return Expected(document_rows(plistlib.loads(data)))


# XML: the elements that dsshell chooses as rows, with the names as they are written

class Element:
    def __init__(self, name, attributes):
        self.name, self.attributes, self.children, self.text = name, attributes, [], ""

    @property
    def is_record(self):
        return bool(self.attributes or self.children)

    def value(self):
        if not self.is_record:
            return self.text
        pairs = list(self.attributes.items()) + [(child.name, child.value())
                                                 for child in self.children]
        if self.text.strip():
            pairs.append(("text", self.text))
        record = {}
        counts = Counter(key for key, _ in pairs)
        for key, value in pairs:
            if counts[key] > 1:
                record.setdefault(key, []).append(value)
            else:
                record[key] = value
        return record


def parse_xml(data):
    from xml.parsers import expat
    root = Element("", {})
    stack = [root]
    parser = expat.ParserCreate()

    def start(name, attributes):
        element = Element(name, attributes)
        stack[-1].children.append(element)
        stack.append(element)

    def text(string):
        stack[-1].text += string

    parser.StartElementHandler = start
    parser.EndElementHandler = lambda _: stack.pop()
    parser.CharacterDataHandler = text
    parser.Parse(data, True)
    return root


def read_xml(data, path):
    root = parse_xml(data).children[0]
    if root.name in ("rss", "rdf:RDF") or any(
            value == "http://www.w3.org/2005/Atom" for value in root.attributes.values()):
        return feed(root)
    groups = {}
    outer_elements(root, (root.name,), groups)
    if not groups:
        return Expected([root.value()])
    rows = min(groups.values(),
               key=lambda elements: (not any(each.is_record for each in elements), -len(elements)))
    return Expected([row.value() if row.is_record else {row.name: row.text} for row in rows])


def outer_elements(element, path, groups):
    """Collects by path the elements that are repeated in their parent, outside of others."""
    counts = Counter(child.name for child in element.children)
    for child in element.children:
        place = path + (child.name,)
        if counts[child.name] > 1:
            groups.setdefault(place, []).append(child)
        else:
            outer_elements(child, place, groups)


def feed(root):
    """The titles of the items of a feed."""
    items = []

    def find(element):
        for child in element.children:
            if child.name.split(":")[-1] in ("item", "entry"):
                items.append({"title": next((each.text for each in child.children
                                             if each.name == "title"), None)})
            else:
                find(child)

    find(root)
    return Expected(items, only=["title"])


# HTML: the texts of each table

class Tables(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.tables, self.open, self.cells = [], [], []

    def handle_starttag(self, tag, attributes):
        if tag == "table":
            self.open.append(set())
        elif tag in ("td", "th") and self.open:
            self.close_cell()
            self.cells.append("")
        elif tag in ("br", "p", "li", "div") and self.cells:
            self.cells[-1] += " "

    def handle_endtag(self, tag):
        if tag in ("td", "th", "tr", "table"):
            self.close_cell()
        if tag == "table" and self.open:
            self.tables.append(self.open.pop())

    def handle_data(self, data):
        if self.cells:
            self.cells[-1] += data

    def close_cell(self):
        if self.cells and self.open:
            self.open[-1].add(" ".join(self.cells.pop().split()))


def read_html(data, path):
    parser = Tables()
    try:
        text = text_of(data)
    except UnicodeDecodeError:
        text = data.decode("windows-1252")
    parser.feed(text)
    if not parser.tables:
        raise ValueError("no table")
    return Expected([], texts=parser.tables)


# Sheets

def read_xlsx(data, path):
    import openpyxl
    book = openpyxl.load_workbook(io.BytesIO(data), data_only=True, read_only=False)
    lines = [list(line) for line in book.worksheets[0].iter_rows(values_only=True)]
    lines = [line for line in lines if any(cell not in (None, "") for cell in line)]
    if not lines:
        raise ValueError("no rows")
    header = keys_of(["" if cell is None else str(cell) for cell in lines[0]])
    return Expected([dict(zip(header, line)) for line in lines[1:]])


# Logs

REQUEST = re.compile(
    r'(?P<host>\S+) (?P<ident>\S+) (?P<user>\S+) \[(?P<time>[^]]+)\] "(?P<request>[^"]*)" '
    r'(?P<status>\d{3}) (?P<bytes>\S+)( "(?P<referer>[^"]*)" "(?P<agent>[^"]*)")?\s*')


def read_log(data, path):
    rows = []
    for line in text_of(data).splitlines():
        match = REQUEST.fullmatch(line)
        if not match:
            raise ValueError("not a log of requests")
        rows.append({"status": match["status"]})
    return Expected(rows, only=["status"])


READERS = {
    "csv": read_csv, "tsv": read_tsv, "json": read_json, "ndjson": read_ndjson, "yaml": read_yaml,
    "toml": read_toml, "ini": read_ini, "plist": read_plist, "xml": read_xml, "html": read_html,
    "xlsx": read_xlsx, "log": read_log,
}
