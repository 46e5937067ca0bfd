"""The measured works and the table of their results."""

import json
import os
import pty
import random
import re
import select
import shutil
import subprocess
import tempfile
import time
from dataclasses import dataclass
from statistics import median

from . import tables, tools
from .. import report, rounds
from ..answers import Disagreement

SMALL = 10
ROWS = {"db-sqlite": 2_000_000, "db-load": 2_000_000, "db-postgres": 3_000_000,
        "db-clickhouse": 3_000_000, "db-changes": 1_000_000, "db-cluster": 100_000_000}
# `--works databases`; the cluster is filled and measured only by its own name.
GROUP = [name for name in ROWS if name != "db-cluster"]
WORKS = list(ROWS)


class Unavailable(Exception):
    """A program or a server that a work needs is missing."""


@dataclass
class Line:
    """Times in seconds, one for each round."""

    work: str
    question: str
    dsshell: list
    peer: str
    other: list
    goal: str

    @property
    def ratio(self):
        return median(own / other for own, other in zip(self.dsshell, self.other))


def measure(name, program, folder, options, say):
    """Returns the lines of a work, and remarks about it."""
    rows = ROWS[name] // (SMALL if options.small else 1)
    return {"db-sqlite": over_sqlite, "db-load": whole_table, "db-postgres": over_postgres,
            "db-clickhouse": over_clickhouse, "db-changes": changes, "db-cluster": cluster}[name](
        name, program, folder, rows, options.pairs, say)


def needs(*programs):
    for program in programs:
        if shutil.which(program) is None:
            raise Unavailable(f"no program {program} found")


def variable(name):
    if name not in os.environ:
        raise Unavailable(f"{name} is not set: eval \"$(Scripts/servers start)\"")
    return os.environ[name]


# The three questions.

ASKED = 10


def asked(name, program, opened, table, peers, pairs, rows, goal):
    """Asks dsshell and its peers in turn. A peer returns, for each question, its time and its
    answers; it receives the session of dsshell that precedes it."""
    section = 3
    first = tools.dsshell(program, opened, table, tools.Picks(section, (0,), (1,)))
    middle = int(first.answers["sections"][0][section][1]) // 2
    # Pages behind 100,000 rows are read from anchors or backward, by other statements.
    step = max(1, min(middle // 2, 99_000 - middle) // ASKED)
    picks = tools.Picks(
        section, tuple(middle + number * step for number in range(ASKED)),
        tuple(rows * 3 // 5 + number * 1_001 for number in range(ASKED)))
    lines = {(question, peer): ([], []) for question in tools.QUESTIONS for peer in peers}
    fetches = []
    for number in range(pairs + 1):
        session = tools.dsshell(program, opened, table, picks)
        for peer, ask in peers.items():
            for question, (time_, answers) in ask(session, picks).items():
                if answers != session.answers[question]:
                    raise Disagreement(f"{name}, {question}: {peer} answers {answers!r:.200}, "
                                       f"dsshell {session.answers[question]!r:.200}")
                if number > 0:
                    own, other = lines[question, peer]
                    own.append(session.times[question])
                    other.append(time_)
        if number > 0:
            fetches.append(session.first_fetch)
    statements = [f"-- {question}\n" + ";\n".join(session.statements[question][0]) + ";"
                  for question in tools.QUESTIONS]
    return [Line(name, question, own, peer, other, goal)
            for (question, peer), (own, other) in lines.items()], [
        f"{name}: {rows:,} rows; objects from [{section}, {picks.rows[0]}] on, index paths from that "
        f"of {{id: {picks.identities[0]}}} on. The first fetch of a session, which also learns what "
        f"is true of the columns, takes {report.seconds(median(fetches))}.", *statements]


def shown(run):
    """A client that runs the statements that `explain` shows."""
    def ask(session, picks):
        found = {}
        for question in tools.QUESTIONS:
            parts = session.statements[question]
            results = run([statement for part in parts for statement in part])
            # The last statement for each answer has it.
            last = [rows for _, rows in results[len(parts[0]) - 1::len(parts[0])]]
            if question == "object":
                answers = [rows[row % 100][0] for row, rows in zip(picks.rows, last)]
            else:
                answers = last if question == "sections" else [rows[0][0] for rows in last]
            found[question] = sum(time_ for time_, _ in results) / len(parts), answers
        return found
    return ask


def best(path):
    """sqlite3's shell with the best SQL for each question."""
    def ask(session, picks):
        title = session.answers["sections"][0][picks.section][0].replace("'", "''")
        sections = tools.sqlite(
            path, ["SELECT city, count(*) FROM staff GROUP BY city ORDER BY city"])
        objects = tools.sqlite(path, [
            f"SELECT * FROM staff WHERE city = '{title}' ORDER BY last_name, id "
            f"LIMIT 1 OFFSET {row}" for row in picks.rows])
        paths = tools.sqlite(path, [
            "WITH the(city, name) AS (SELECT city, last_name FROM staff "
            f"WHERE id = {identity}) SELECT (SELECT count(*) FROM staff, the "
            "WHERE staff.city = the.city AND last_name < name) + (SELECT count(*) FROM staff, the "
            f"WHERE staff.city = the.city AND last_name = name AND id < {identity})"
            for identity in picks.identities])
        return {question: (sum(time_ for time_, _ in results) / len(results), answers)
                for question, results, answers in (
                    ("sections", sections, [sections[0][1]]),
                    ("object", objects, [rows[0][0] for _, rows in objects]),
                    ("index path", paths, [rows[0][0] for _, rows in paths]))}
    return ask


def over_sqlite(name, program, folder, rows, pairs, say):
    needs("sqlite3")
    path = tables.sqlite(folder, rows, say)
    peers = {"sqlite3, best SQL": best(path),
             "sqlite3, these statements": shown(lambda texts: tools.sqlite(path, texts))}
    return asked(name, program, path, "staff", peers, pairs, rows, "1.3")


def over_postgres(name, program, folder, rows, pairs, say):
    needs("psql")
    address = variable("DSSHELL_TEST_POSTGRES")
    tables.postgres(address, folder, rows, say)
    peers = {"psql": shown(lambda texts: tools.psql(address, texts))}
    return asked(name, program, address, "bench.staff", peers, pairs, rows, "1.2")


def shards():
    return variable("DSSHELL_TEST_CLICKHOUSE_NATIVE").split(",")


def opened_cluster():
    address = variable("DSSHELL_TEST_CLICKHOUSE")
    cluster_name = variable("DSSHELL_TEST_CLICKHOUSE_CLUSTER")
    return f"{address}?cluster={cluster_name}", cluster_name


def over_clickhouse(name, program, folder, rows, pairs, say):
    needs("clickhouse-client")
    address, cluster_name = opened_cluster()
    tables.clickhouse(shards(), cluster_name, folder, rows, say)
    peers = {"clickhouse-client": shown(lambda texts: tools.clickhouse(shards()[0], texts))}
    return asked(name, program, address, "bench.staff", peers, pairs, rows, "1.2")


# A whole table in columns.

def whole_table(name, program, folder, rows, pairs, say):
    needs("sqlite3")
    path = tables.sqlite(folder, rows, say)
    tried = subprocess.run([program, "-c", f"load {path.name} table: staff"], cwd=folder,
                           capture_output=True, text=True)
    if tried.returncode != 0:
        raise Unavailable(tried.stderr.splitlines()[0])
    script = (f"let staff = load {path.name} table: staff; "
              "let cities = sectioned staff key: city sort: city, last_name; fetch cities; "
              "sections cities")
    commands = {
        "dsshell": [program, "--output", "json", "-c", script],
        "sqlite3": [shutil.which("sqlite3"), "-init", "/dev/null", "-cmd", ".output /dev/null", str(path),
                    "SELECT * FROM staff"],
    }
    expected = tools.sqlite(path, [
        "SELECT city, count(*) FROM staff GROUP BY city ORDER BY city"])[0][1]

    def check(tool, text):
        if tool == "dsshell":
            found = [[section["title"], str(section["count"])]
                     for section in json.loads(text.splitlines()[-1])]
            if found != expected:
                raise Disagreement(f"{name}: {found!r:.200}, expected {expected!r:.200}")

    costs = rounds.measure(commands, folder, pairs, check)
    own, other = ([cost.wall for cost in costs[tool]] for tool in commands)
    memory = median(cost.kibibytes for cost in costs["dsshell"])
    return [Line(name, "load, sort, sections", own, "sqlite3 SELECT *", other, "1/3")], [
        f"{name}: {rows:,} rows; whole processes; dsshell used {report.mebibytes(memory)}.",
        f"dsshell -c '{script}'", f"sqlite3 -cmd '.output /dev/null' {path.name} 'SELECT * FROM staff'"]


# Change tracking.

def changes(name, program, folder, rows, pairs, say):
    needs("sqlite3")
    path = folder / "changed.db"
    shutil.copyfile(tables.sqlite(folder, rows, say), path)
    script = folder / "changes.ds"
    script.write_text(
        f'let db = open "{path}"\n'
        "let staff = fetchedResults db.staff sort: city, last_name section: city id: id | fetch\n"
        'watch staff\nprint "ready"\nwait staff timeout: 60s\nprint "done"\n', encoding="utf-8")
    delays, counts = [], set()
    for number in range(pairs + 1):
        delay, count = one_change(program, script, path, rows, number)
        counts.add(count)
        if number > 0:
            delays.append(delay)
    path.unlink()
    if counts != {100}:
        raise Disagreement(f"{name}: {counts} changes were shown instead of 100")
    return [Line(name, "events after the commit", delays, "", [], "200 ms")], [
        f"{name}: {rows:,} rows; another process changes the first name of 100 rows in one "
        "transaction; the time from the end of its COMMIT until the last event is on the terminal."]


def one_change(program, script, path, rows, number):
    """The delay of the events, and their number."""
    own, other = pty.openpty()
    shell = subprocess.Popen([program, "--no-color", str(script)], stdin=subprocess.DEVNULL,
                             stdout=other, stderr=other)
    os.close(other)
    try:
        read_until(own, "ready\r\n")
        # A process of its own, as any other program; it reports when COMMIT has returned.
        writer = subprocess.run(
            ["python3", "-c", WRITER, str(path), str(rows // 100), f"Changed {number}"],
            capture_output=True, text=True, check=True)
        text, end = read_until(own, "done\r\n")
        return end - float(writer.stdout), len(re.findall(r"^staff  (update|move) ", text, re.M))
    finally:
        os.close(own)
        shell.kill()
        shell.wait()


WRITER = """
import sqlite3, sys, time
database = sqlite3.connect(sys.argv[1])
database.execute("UPDATE staff SET first_name = ? WHERE id % ? = 1", (sys.argv[3], int(sys.argv[2])))
database.commit()
print(time.time())
"""


def read_until(descriptor, mark, patience=120):
    """The text up to the mark, and the time when it had arrived."""
    text = b""
    end = time.time() + patience
    while mark.encode() not in text:
        if not select.select([descriptor], [], [], max(0, end - time.time()))[0]:
            raise rounds.Failure(f"no {mark.strip()} after {patience} s: {text.decode()[-500:]}")
        try:
            text += os.read(descriptor, 65_536)
        except OSError as problem:
            raise rounds.Failure(f"the session ended: {text.decode()[-500:]}") from problem
    return text.decode(), time.time()


# A cluster.

LOOKS = 1_000


def cluster(name, program, folder, rows, pairs, say):
    needs("clickhouse-client")
    address, cluster_name = opened_cluster()
    tables.cluster_table(shards(), cluster_name, rows, say)
    own, other, sections = [], [], []
    for number in range(pairs + 1):
        # The page of the first object has those of a screen.
        session = tools.dsshell(program, address, "bench.many", tools.Picks(0, (0,), ()))
        sections = session.answers["sections"][0]
        statements = session.statements["sections"][0] + session.statements["object"][0]
        results = tools.clickhouse(shards()[0], statements)
        if results[0][1] != sections or results[1][1][0][0] != session.answers["object"][0]:
            raise Disagreement(f"{name}: clickhouse-client answers {results!r:.200}")
        if number > 0:
            own.append(session.times["sections"] + session.times["object"])
            other.append(sum(time_ for time_, _ in results))
    say(f"{LOOKS:,} looks at {name}")
    cost, sizes = look(program, address, sections)
    return [Line(name, "first screen", own, "clickhouse-client", other, "1 s more")], [
        f"{name}: {rows:,} rows on {len(shards())} shards. {LOOKS:,} looks at pages of 100 objects, "
        "each second one at the page after a random one, which is read by its keys: "
        f"{report.seconds(cost.wall / LOOKS)} for each, {report.mebibytes(cost.kibibytes)} "
        f"(goal: 150 MB). The random pages begin at up to {max(sizes):,} rows of a section.",
        "-- first screen\n" + ";\n".join(statements) + ";"]


def look(program, address, sections):
    """The cost of a session that looks at random pages, and the numbers of rows before them."""
    choose = random.Random(20261123)
    lines = [f'let db = open "{address}"',
             "let staff = fetchedResults db.bench.many sort: city, last_name section: city id: id "
             "| fetch"]
    starts = []
    for _ in range(LOOKS // 2):
        section = choose.randrange(len(sections))
        row = choose.randrange(max(1, int(sections[section][1]) - 200)) // 100 * 100
        starts.append(row)
        lines += [f"object staff [{section}, {row}]", f"object staff [{section}, {row + 100}]"]
    with tempfile.NamedTemporaryFile("w", suffix=".ds", encoding="utf-8") as script:
        script.write("\n".join(lines) + "\n")
        script.flush()
        cost, text = rounds.run([program, "--output", "json", script.name], os.getcwd())
    found = len(text.splitlines()) - 2
    if found != LOOKS // 2 * 2:
        raise Disagreement(f"{found} objects were shown instead of {LOOKS}")
    return cost, starts


def render(results, program, options):
    """The document: one line for each question, then remarks and statements."""
    header = ["work", "question", "dsshell", "", "time", "ratio", "goal"]
    lines = [header]
    for found, _ in results.values():
        for line in found:
            other = report.seconds(median(line.other)) if line.other else ""
            ratio = report.times(line.ratio) if line.other else ""
            lines.append([line.work, line.question, report.seconds(median(line.dsshell)),
                          line.peer, other, ratio, line.goal])
    text = [f"{report.date.today().isoformat()}, {report.machine()}; {options.pairs} alternating "
            "rounds after a warm-up round; medians, and medians of the ratios round by round"
            + ("; tables of 1/10 of the size" if options.small else "") + ".", "",
            *report.table(lines), ""]
    for _, remarks in results.values():
        remark, *statements = remarks
        text += [remark, ""]
        if statements:
            text += ["```sql", *"\n".join(statements).splitlines(), "```", ""]
    return text[:-1]
