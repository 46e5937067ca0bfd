"""The readers of Python by format."""

import gzip

from . import documents, markup, tables
from .expected import text_of

EXTENSIONS = {
    ".csv": "csv", ".tsv": "tsv", ".tab": "tsv", ".json": "json", ".geojson": "json",
    ".ndjson": "ndjson", ".jsonl": "ndjson", ".xml": "xml", ".rss": "xml", ".atom": "xml",
    ".html": "html", ".htm": "html", ".yaml": "yaml", ".yml": "yaml", ".toml": "toml",
    ".ini": "ini", ".cfg": "ini", ".desktop": "ini", ".service": "ini", ".socket": "ini",
    ".timer": "ini", ".cnf": "ini", ".gitconfig": "ini", ".plist": "plist", ".xlsx": "xlsx",
    ".gz": "gz", ".log": "log", ".dat": "fixed",
}


def format_of(path):
    """The format of a file by its extension; None for others."""
    name = EXTENSIONS.get(path.suffix.lower())
    return name if name != "gz" or format_of(path.with_suffix("")) else None


def read(path, name, hints=None):
    """The rows of a file. `hints` are the labels that dsshell detected, with which Python reads
    delimited text and sheets too: the cells are compared, and the report shows the labels."""
    data = path.read_bytes()
    if name == "gz":
        name, data = format_of(path.with_suffix("")), gzip.decompress(data)
    if name in ("csv", "tsv"):
        return tables.delimited(text_of(data), name, hints or {})
    if name == "xlsx":
        return tables.read_xlsx(data, hints or {})
    return READERS[name](data)


READERS = {
    "json": documents.read_json, "ndjson": documents.read_ndjson, "yaml": documents.read_yaml,
    "toml": documents.read_toml, "ini": documents.read_ini, "plist": documents.read_plist,
    "xml": markup.read_xml, "html": markup.read_html,
    "log": tables.read_log, "fixed": tables.read_fixed,
}
