"""The formats that are measured: a generated file, and a program of Python that reads it.

Both tools read all rows into memory and print the number of rows and the sum of one key.
"""

import gzip
import json
import plistlib
import random
import zipfile
from dataclasses import dataclass
from xml.sax.saxutils import escape

from .files import FIRST_NAMES, LAST_STEMS, PLACES

KEYS = ["id", "first", "last", "city", "amount", "ratio", "day", "active"]
# `rows` is a list of records whose id is a number or its text.
PRINT = "print(len(rows), sum(int(row['{key}']) for row in rows))"


@dataclass(frozen=True)
class Work:
    name: str
    file: str
    reader: str
    make: object
    code: str
    packages: tuple = ()
    labels: str = ""
    # The key whose values are the ids of the rows.
    key: str = "id"

    def shell(self, program):
        return [program, "--output", "json", "-c",
                f"let t = load {self.file} {self.labels}; sections t with: @sum.{self.key}"]

    def python(self, python):
        return [str(python), "-c", f"path = {self.file!r}\n{self.code}\n{PRINT.format(key=self.key)}"]


def answer(text):
    """The number of rows and the sum."""
    lines = text.splitlines()
    if lines[-1].startswith("["):
        section, = json.loads(lines[-1])
        total, = (value for key, value in section.items() if key.startswith("@sum."))
        return section["count"], int(total)
    count, total = lines[-1].split()
    return int(count), int(total)


def prepare(work, folder, rows, say):
    path = folder / work.file
    if not path.exists():
        say(f"making {work.file}")
        part = path.with_name(work.file + ".part")
        work.make(part, list(people(rows)))
        part.rename(path)
    return path


def people(rows):
    rng = random.Random(20240501)
    for row in range(1, rows + 1):
        yield {
            "id": row, "first": rng.choice(FIRST_NAMES), "last": rng.choice(LAST_STEMS),
            "city": f"{rng.choice(PLACES)}, {rng.choice('NSEW')}",
            "amount": round(rng.random() * 100_000, 2), "ratio": round(0.1 + rng.random(), 6),
            "day": f"20{rng.randrange(10, 26)}-{rng.randrange(1, 13):02}-{rng.randrange(1, 29):02}",
            "active": rng.random() < 0.5,
        }


def scalar(value):
    return str(value).lower() if isinstance(value, bool) else str(value)


def quoted(value):
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else scalar(value)


def write_lines(path, lines):
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(line + "\n" for line in lines)


def write_csv(path, rows, open_file=open):
    with open_file(path, "wt", encoding="utf-8", newline="") as file:
        file.write(",".join(KEYS) + "\n")
        file.writelines(",".join(f'"{value}"' if key == "city" else scalar(value)
                                 for key, value in row.items()) + "\n" for row in rows)


def write_gzip(path, rows):
    write_csv(path, rows, gzip.open)


def write_zip(path, rows):
    inner = path.with_name("people.inner.csv")
    write_csv(inner, rows)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.write(inner, "people.csv")
    inner.unlink()


def write_object(path, rows):
    path.write_text(json.dumps({"version": 1, "people": rows}, ensure_ascii=False),
                    encoding="utf-8")


def write_xml(path, rows):
    write_lines(path, ["<?xml version='1.0' encoding='UTF-8'?>", "<people>"] + [
        f"<person id='{row['id']}'>" + "".join(
            f"<{key}>{escape(scalar(row[key]))}</{key}>" for key in KEYS[1:]) + "</person>"
        for row in rows] + ["</people>"])


def write_html(path, rows):
    write_lines(path, ["<!DOCTYPE html><html><body><table>",
                       "<tr>" + "".join(f"<th>{key}</th>" for key in KEYS) + "</tr>"] + [
        "<tr>" + "".join(f"<td>{escape(scalar(value))}</td>" for value in row.values()) + "</tr>"
        for row in rows] + ["</table></body></html>"])


def write_plist(path, rows):
    path.write_bytes(plistlib.dumps(rows, sort_keys=False))


def write_binary_plist(path, rows):
    path.write_bytes(plistlib.dumps(rows, fmt=plistlib.FMT_BINARY, sort_keys=False))


def write_yaml(path, rows):
    write_lines(path, ["- " + "\n  ".join(
        f"{key}: {quoted(value) if key == 'city' else scalar(value)}"
        for key, value in row.items()) for row in rows])


def write_toml(path, rows):
    write_lines(path, ["[[people]]\n" + "\n".join(
        f"{key} = {value if key == 'day' else quoted(value)}" for key, value in row.items())
        for row in rows])


def write_ini(path, rows):
    write_lines(path, [f"[person {row['id']}]\n" + "\n".join(
        f"{key} = {scalar(value)}" for key, value in row.items()) for row in rows])


def write_log(path, rows):
    months = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()
    write_lines(path, [
        f'192.0.2.{row["id"] % 250} - {row["last"].lower()} [{row["day"][8:]}/'
        f'{months[int(row["day"][5:7]) - 1]}/{row["day"][:4]}:10:00:00 +0000] '
        f'"GET /people/{row["id"]} HTTP/1.1" 200 {row["id"]} "-" "Mozilla/5.0"' for row in rows])


def write_logfmt(path, rows):
    write_lines(path, [
        f'time={row["day"]}T10:00:00Z level=info ' + " ".join(
            f"{key}={quoted(row[key]) if key == 'city' else scalar(row[key])}" for key in KEYS)
        for row in rows])


def write_syslog(path, rows):
    write_lines(path, [
        f'{row["day"]} 10:00:00 web{row["id"] % 7} app[{row["id"]}] '
        f'{"INFO" if row["active"] else "WARN"}: {row["first"]} {row["last"]} paid '
        f'{row["amount"]} in {row["city"]}' for row in rows])


# Named groups are written in the same way in both tools.
LINE = (r"(?P<time>\S+ \S+) (?P<host>\S+) (?P<program>\w+)\[(?P<id>\d+)\] "
        r"(?P<level>[A-Z]+): (?P<message>.*)")

WIDTHS = [10, 14, 14, 24, 12, 10, 12, 6]


def write_fixed(path, rows):
    def line(values):
        return "".join(str(value).ljust(width) for value, width in zip(values, WIDTHS)).rstrip()

    write_lines(path, [line(KEYS)] + [line(map(scalar, row.values())) for row in rows])


SHEET = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
TYPES = "http://schemas.openxmlformats.org/package/2006/content-types"
KIND = "application/vnd.openxmlformats-officedocument.spreadsheetml"


def write_xlsx(path, rows):
    """A workbook as spreadsheet programs write it: shared strings, one sheet."""
    strings, places = [], {}

    def cell(value):
        if isinstance(value, bool):
            return f'<c t="b"><v>{int(value)}</v></c>'
        if not isinstance(value, str):
            return f"<c><v>{value}</v></c>"
        place = places.setdefault(value, len(strings))
        if place == len(strings):
            strings.append(value)
        return f'<c t="s"><v>{place}</v></c>'

    lines = ["<row>" + "".join(map(cell, row)) + "</row>"
             for row in [KEYS] + [list(row.values()) for row in rows]]
    parts = {
        "[Content_Types].xml":
            f'<Types xmlns="{TYPES}"><Default Extension="rels" ContentType='
            '"application/vnd.openxmlformats-package.relationships+xml"/>'
            '<Default Extension="xml" ContentType="application/xml"/>'
            f'<Override PartName="/xl/workbook.xml" ContentType="{KIND}.sheet.main+xml"/>'
            f'<Override PartName="/xl/sheet1.xml" ContentType="{KIND}.worksheet+xml"/>'
            f'<Override PartName="/xl/strings.xml" ContentType="{KIND}.sharedStrings+xml"/>'
            '</Types>',
        "_rels/.rels":
            f'<Relationships xmlns="{RELATIONS}"><Relationship Id="r1" '
            f'Type="{OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml":
            f'<workbook xmlns="{SHEET}" xmlns:r="{OFFICE}"><sheets>'
            '<sheet name="People" sheetId="1" r:id="r1"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels":
            f'<Relationships xmlns="{RELATIONS}">'
            f'<Relationship Id="r1" Type="{OFFICE}/worksheet" Target="sheet1.xml"/>'
            f'<Relationship Id="r2" Type="{OFFICE}/sharedStrings" Target="strings.xml"/>'
            '</Relationships>',
        "xl/sheet1.xml":
            f'<worksheet xmlns="{SHEET}"><sheetData>{"".join(lines)}</sheetData></worksheet>',
        "xl/strings.xml":
            f'<sst xmlns="{SHEET}">' + "".join(f"<si><t>{escape(text)}</t></si>"
                                               for text in strings) + "</sst>",
    }
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            archive.writestr(name, '<?xml version="1.0" encoding="UTF-8"?>' + text)


WORKS = [
    Work("csv.gz", "people.csv.gz", "gzip, csv", write_gzip,
         "import csv, gzip\nrows = list(csv.DictReader(gzip.open(path, 'rt', newline='')))"),
    Work("csv.zip", "people.csv.zip", "zipfile, csv", write_zip,
         "import csv, io, zipfile\n"
         "with zipfile.ZipFile(path) as archive, archive.open('people.csv') as file:\n"
         "    rows = list(csv.DictReader(io.TextIOWrapper(file, 'utf-8', newline='')))"),
    Work("json object", "people.json", "json", write_object,
         "import json\nrows = json.load(open(path))['people']"),
    Work("xml", "people.xml", "xml.etree", write_xml,
         "import xml.etree.ElementTree as tree\n"
         "rows = [person.attrib | {child.tag: child.text for child in person}\n"
         "        for person in tree.parse(path).getroot()]"),
    Work("html", "people.html", "html.parser", write_html,
         "import html.parser\n"
         "class Table(html.parser.HTMLParser):\n"
         "    rows, cell = [], False\n"
         "    def handle_starttag(self, tag, attributes):\n"
         "        if tag == 'tr': self.rows.append([])\n"
         "        self.cell = tag in ('td', 'th')\n"
         "    def handle_endtag(self, tag):\n"
         "        self.cell = False\n"
         "    def handle_data(self, data):\n"
         "        if self.cell: self.rows[-1].append(data)\n"
         "table = Table()\ntable.feed(open(path).read())\n"
         "rows = [dict(zip(table.rows[0], row)) for row in table.rows[1:]]"),
    Work("plist", "people.plist", "plistlib", write_plist,
         "import plistlib\nrows = plistlib.load(open(path, 'rb'))"),
    Work("binary plist", "people.binary.plist", "plistlib", write_binary_plist,
         "import plistlib\nrows = plistlib.load(open(path, 'rb'))"),
    Work("yaml", "people.yaml", "PyYAML, CSafeLoader", write_yaml,
         "import yaml\nrows = yaml.load(open(path), Loader=yaml.CSafeLoader)", ("pyyaml",)),
    Work("toml", "people.toml", "tomllib", write_toml,
         "import tomllib\nrows = tomllib.load(open(path, 'rb'))['people']"),
    Work("ini", "people.ini", "configparser", write_ini,
         "import configparser\nparser = configparser.RawConfigParser()\n"
         "parser.read(path, encoding='utf-8')\nrows = [dict(parser[name]) for name in parser.sections()]"),
    Work("log", "people.log", "re", write_log,
         "import re\nline = re.compile(r'(\\S+) (\\S+) (\\S+) \\[([^]]+)\\] \"([^\"]*)\" (\\d+) (\\S+)'\n"
         "                  r' \"([^\"]*)\" \"([^\"]*)\"')\n"
         "keys = 'host ident user time request status bytes referer agent'.split()\n"
         "rows = [dict(zip(keys, line.match(text).groups())) for text in open(path)]",
         key="bytes"),
    Work("log pattern", "people.syslog", "re", write_syslog,
         f"import re\nline = re.compile(r'{LINE}')\n"
         "rows = [line.fullmatch(text.rstrip()).groupdict() for text in open(path)]",
         labels=f"pattern: '{LINE}'"),
    Work("logfmt", "people.logfmt", "re", write_logfmt,
         "import json, re\n"
         r"pair = re.compile(r'([^\s=]+)=(\"(?:[^\"\\]|\\.)*\"|\S*)')" "\n"
         "rows = [{key: json.loads(text) if text[:1] == '\"' else text\n"
         "         for key, text in pair.findall(line)} for line in open(path)]"),
    Work("fixed width", "people.txt", "slices", write_fixed,
         f"from itertools import accumulate\nends = list(accumulate({WIDTHS}))\n"
         "spans = [slice(end - width, end) for end, width in zip(ends, " + str(WIDTHS) + ")]\n"
         "lines = open(path).read().splitlines()\n"
         "keys = [lines[0][span].strip() for span in spans]\n"
         "rows = [{key: line[span].strip() for key, span in zip(keys, spans)} for line in lines[1:]]",
         labels=f"widths: {WIDTHS}"),
    Work("xlsx", "people.xlsx", "openpyxl", write_xlsx,
         "import openpyxl\n"
         "sheet = openpyxl.load_workbook(path, read_only=True).worksheets[0]\n"
         "lines = sheet.iter_rows(values_only=True)\nkeys = next(lines)\n"
         "rows = [dict(zip(keys, line)) for line in lines]", ("openpyxl",)),
]
