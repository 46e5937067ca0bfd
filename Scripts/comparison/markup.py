"""XML, feeds and HTML."""

import html.parser
from collections import Counter

from .cells import MarkupRecord, MarkupText
from .expected import Expected, text_of


class Element:
    def __init__(self, name, attributes):
        self.name, self.attributes, self.children, self.text = name, attributes, [], ""

    @property
    def is_record(self):
        return bool(self.attributes or self.children)

    def value(self):
        if not self.is_record:
            return MarkupText(self.text)
        pairs = [(key, value) for key, value in self.attributes.items()
                 if key != "xmlns" and not key.startswith("xmlns:")] + [(child.name, child.value())
                                                 for child in self.children]
        if self.text.strip():
            pairs.append(("text", self.text))
        record = MarkupRecord()
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


def read_xml(data):
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


def read_html(data):
    parser = Tables()
    try:
        text = text_of(data)
    except UnicodeDecodeError:
        text = data.decode("windows-1252")
    parser.feed(text)
    if not parser.tables:
        raise ValueError("no table")
    return Expected([], texts=parser.tables)
