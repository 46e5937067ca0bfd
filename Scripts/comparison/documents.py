"""JSON, YAML, TOML, INI and property lists."""

import configparser
import json
import plistlib
import re

from .cells import Number
from .expected import Expected, text_of


def loads(text):
    return json.loads(text, parse_int=Number, parse_float=Number)


def read_json(data):
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


def read_ndjson(data):
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


def read_yaml(data):
    import yaml
    documents = [value for value in yaml.load_all(data, Loader=text_loader()) if value != ""]
    if len(documents) != 1:
        if documents and all(isinstance(value, list) for value in documents):
            return Expected([row for value in documents for row in value])
        return Expected(documents)
    return Expected(document_rows(documents[0]))


def read_toml(data):
    import tomllib
    return Expected(document_rows(tomllib.loads(text_of(data), parse_float=Number)))


class Joined(dict):
    """Keeps the lines of all values of a key that repeats; configparser would keep the last."""

    def __setitem__(self, key, value):
        if isinstance(value, list) and isinstance(self.get(key), list):
            self[key].extend(value)
        else:
            super().__setitem__(key, value)


def read_ini(data):
    parser = configparser.RawConfigParser(
        strict=False, allow_no_value=True, default_section="\0", dict_type=Joined)
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


def read_plist(data):
    return Expected(document_rows(plistlib.loads(data)))
