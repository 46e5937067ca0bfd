"""Reads files with Python's readers, as rows of dsshell."""

import configparser
import csv
import gzip
import io
import json
import plistlib
import re
import sys
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
    ".gz": "gz",
}


@dataclass
class Expected:
    rows: list
    # Labels for `load` that Python's reader needs too.
    labels: str = ""


def format_of(path):
    return EXTENSIONS.get(path.suffix.lower())


def read(path, name):
    data = path.read_bytes()
    if name == "gz":
        inner = format_of(path.with_suffix(""))
        if inner is None:
            raise ValueError("unknown format within gzip")
        return READERS[inner](gzip.decompress(data), path)
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
    lines = [row for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter) if row]
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


READERS = {
    "csv": read_csv, "tsv": read_tsv, "json": read_json, "ndjson": read_ndjson, "yaml": read_yaml,
    "toml": read_toml, "ini": read_ini, "plist": read_plist,
}
