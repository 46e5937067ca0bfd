"""Sessions of dsshell and of the clients of the engines, with the times of their own timers."""

import json
import re
import subprocess
from dataclasses import dataclass, field

from . import tables
from ..rounds import Failure

QUESTIONS = ["sections", "object", "index path"]


@dataclass
class Session:
    """The answers of one session of dsshell. For each question: the time of one in seconds, the
    answers, and for each answer the statements that `explain` shows."""

    first_fetch: float
    times: dict = field(default_factory=dict)
    answers: dict = field(default_factory=dict)
    statements: dict = field(default_factory=dict)


@dataclass(frozen=True)
class Picks:
    """The objects and the index paths that are asked for, one after another. The rows are on pages
    that do not follow each other."""

    section: int
    rows: tuple
    identities: tuple


def finish(command, text, environment=None):
    done = subprocess.run(command, input=text, capture_output=True, text=True, env=environment)
    if done.returncode != 0:
        raise Failure(f"failed: {command}\n{done.stderr[-2000:]}")
    return done


def dsshell(program, opened, table, picks):
    """The fetch before the questions determines what is true of the columns."""
    objects = [f"object staff [{picks.section}, {row}]" for row in picks.rows]
    paths = [f"indexPath staff {{id: {identity}}}" for identity in picks.identities]
    lines = [
        f'let db = open "{opened}"',
        f"let staff = fetchedResults db.{table} sort: city, last_name section: city id: id",
        "timer on", "fetch staff", "fetch staff", "sections staff", "explain staff",
        *objects, "explain staff", *paths, "explain staff",
    ]
    done = finish([program, "--output", "json", "-"], "\n".join(lines) + "\n")
    times = [float(time) / 1000 for time in re.findall(r"^([\d.]+) ms$", done.stderr, re.M)]
    results = [json.loads(line) for line in done.stdout.splitlines()][4:]
    session = Session(first_fetch=times[0])
    at = 4
    session.times["sections"] = times[1] + times[2]
    session.answers["sections"] = [[[part["title"], str(part["count"])] for part in results[0]]]
    session.statements["sections"] = [results[1]["statements"]]
    for question, asked in (("object", objects), ("index path", paths)):
        if not asked:
            continue
        known = sum(len(part) for parts in session.statements.values() for part in parts)
        answers, facts = results[at - 2:at - 2 + len(asked)], results[at - 2 + len(asked)]
        session.times[question] = sum(times[at:at + len(asked)]) / len(asked)
        session.answers[question] = [str(answer["id"]) if question == "object" else str(answer[1])
                                     for answer in answers]
        statements = facts["statements"][known:]
        step = len(statements) // len(asked)
        session.statements[question] = [statements[first:first + step]
                                        for first in range(0, len(statements), step)]
        at += len(asked) + 1
    return session


def sqlite(path, statements):
    """The time of each statement in sqlite3's shell, and its rows as texts."""
    script = [".timer on", ".mode tabs"]
    for statement in statements:
        script += [".print ~", statement + ";"]
    text = finish(["sqlite3", "-init", "/dev/null", str(path)], "\n".join(script) + "\n").stdout
    return [(float(re.search(r"^Run Time: real ([\d.]+)", part, re.M)[1]),
             [line.split("\t") for line in part.splitlines()[1:]
              if not line.startswith("Run Time")])
            for part in text.split("~\n")[1:] for part in ["\n" + part]]


def psql(address, statements):
    """The time of each statement by `\\timing`, and its rows as texts."""
    script = ["\\pset fieldsep '\\t'", "\\timing on"]
    for statement in statements:
        script += ["\\echo ~", statement + ";"]
    text = finish(["psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", address],
                  "\n".join(script) + "\n").stdout
    return [(float(re.search(r"^Time: ([\d.]+) ms", part, re.M)[1]) / 1000,
             [line.split("\t") for line in part.splitlines() if not line.startswith("Time: ")])
            for part in text.split("~\n")[1:]]


def clickhouse(shard, statements):
    """The time of each statement by `--time`, and its rows as texts."""
    command = [*tables.client(shard), "--multiquery", "--time"]
    # The rows of all statements follow each other: a row of one word separates them.
    text = ";\n".join(part for statement in statements for part in (statement, "SELECT '~'"))
    done = finish(command, text + ";\n")
    times = [float(line) for line in done.stderr.split()][::2]
    parts = done.stdout.split("~\n")
    return [(time, [line.split("\t") for line in part.splitlines()])
            for time, part in zip(times, parts)]
