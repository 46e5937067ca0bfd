"""Asks both tools the questions of each round in turn, and compares all answers."""

from dataclasses import dataclass, field
from statistics import median

from . import rows
from .. import report
from ..answers import Disagreement, is_same
from ..works import Description
from .questions import Question, Round
from .tools import Peer, Shell

NAME = "session"
WORK = Description(NAME, "session.csv")
# Half a unit of the last digit of each timer, for times that it shows as zero.
LEAST_OWN, LEAST_OTHER = 0.000_05, 0.000_5


@dataclass
class Line:
    """The times of a question in seconds, one for each round."""

    # With the constants of the last round.
    question: Question
    dsshell: list = field(default_factory=list)
    other: list = field(default_factory=list)

    @property
    def ratio(self):
        if not self.other:
            return None
        return median(max(other, LEAST_OTHER) / max(own, LEAST_OWN)
                      for own, other in zip(self.dsshell, self.other))

    @property
    def is_met(self):
        goal = self.question.goal
        if goal is None:
            return None
        return self.ratio >= goal if self.other else median(self.dsshell) < goal


@dataclass
class Result:
    lines: dict
    size: int
    # Peak memory in KiB.
    dsshell: int
    other: int


def measure(program, duckdb, folder, pairs, say):
    """The lines of all questions, by their texts, after a warm-up round."""
    shell, peer, judge = Shell(program, folder), *(
        Peer(duckdb, folder, WORK.file) for _ in range(2))
    size = judge.ask("SELECT count(*) FROM t")[1][0][0]
    shell.ask_all(BEGIN)
    lines = {}
    for number in range(pairs + 1):
        say(f"{NAME}: round {number} of {pairs}" if number else f"{NAME}: warm-up round")
        for question in Round(number, size).questions():
            add(lines, question, ask(question, shell, peer, judge), number)
        add(lines, FIRST_TOUCH, first_touch(program, duckdb, folder), number)
    judge.close()
    return Result(lines, size, shell.close(), peer.close())


# Loads the table and touches all its columns.
BEGIN = (f"let t = load {WORK.file}", "describe t", "let f = filtered t where: id >= 1 id: id",
         "let s = sectioned t id: id")


def script(size):
    """The commands of one round over a table of `size` rows, without those that compare."""
    return "\n".join((*BEGIN, *(
        command for question in Round(1, size).questions()
        for command in (*question.before, *question.commands, *question.after))))


def add(lines, question, times, number):
    """Adds the times of a round, unless it is the warm-up round."""
    line = lines.setdefault(question.text, Line(question))
    line.question = question
    if number > 0:
        for time, list_ in zip(times, (line.dsshell, line.other)):
            if time is not None:
                list_.append(time)


def ask(question, shell, peer, judge):
    """The times of both tools; the second one is None if only dsshell has such a question."""
    shell.ask_all(question.before)
    own, answers = shell.ask_all(question.commands)
    other = None
    if question.sql is not None:
        other, expected = peer.ask(question.sql)
        compare(question.text, question.rows(answers), expected)
    for check in question.checks:
        _, expected = judge.ask(check.sql)
        results = shell.ask_all(check.commands)[1] if check.commands else answers
        compare(f"{question.text}, check", check.rows(results), expected)
    shell.ask_all(question.after)
    return own, other


def compare(text, found, expected):
    if len(found) != len(expected):
        raise Disagreement(f"{NAME}, {text}: dsshell has {len(found)} rows, {found!r:.200}, DuckDB "
                           f"{len(expected)}, {expected!r:.200}")
    for number, (row, other) in enumerate(zip(found, expected)):
        if len(row) != len(other) or not all(map(equal, row, other)):
            raise Disagreement(f"{NAME}, {text}: row {number} of dsshell is {row!r:.500}, that of "
                               f"DuckDB {other!r:.500}")


def equal(value, other):
    if value is None or other is None:
        return value is other
    return str(value) == str(other) or is_same(str(value), str(other))


FIRST_TOUCH = Question(
    "first touch of notes", (f"let t = load {WORK.file}",),
    ("let d = distinct t by: notes | fetch", "count d"), rows.distinct_without_null,
    f"SELECT count(DISTINCT notes) FROM '{WORK.file}'", 3)


def first_touch(program, duckdb, folder):
    """Sessions of their own: a column is touched for the first time once only, and a second copy of
    the file would count in the peak memory of the long session."""
    shell, peer = Shell(program, folder), Peer(duckdb, folder)
    times = ask(FIRST_TOUCH, shell, peer, judge=None)
    shell.close()
    peer.close()
    return times


MEMORY_GOAL = 2


def render(result, engines, pairs):
    """The document: one line for each question, then the commands and statements."""
    table = [["question", "dsshell ms", "DuckDB ms", "ratio", "goal", "met"]]
    for text, line in result.lines.items():
        table.append([text, milliseconds(line.dsshell), milliseconds(line.other),
                     report.times(line.ratio), goal(line), met(line.is_met)])
    ratio = result.other / result.dsshell
    table.append(["peak memory of the session, MiB", f"{result.dsshell / 1024:.1f}",
                 f"{result.other / 1024:.1f}", report.times(ratio), f"{MEMORY_GOAL} x",
                 met(ratio >= MEMORY_GOAL)])
    text = [f"{report.date.today().isoformat()}, {report.machine()}; "
            f"{', '.join(map(report.version, engines))}; {result.size:,} rows; {pairs} "
            "alternating rounds after a warm-up round; medians, and medians of the ratios round by "
            "round; a ratio over 1 means that dsshell is faster.", "",
            *report.table(table, texts=1), "", "The questions of the last round:", "", "```sql"]
    for name, line in result.lines.items():
        question = line.question
        before = f", after {'; '.join(question.before)}" if question.before else ""
        text.append(f"-- {name}{before}")
        text += ["; ".join(question.commands)] + ([f"{question.sql};"] if question.sql else [])
    return text + ["```"]


def milliseconds(times):
    return f"{median(times) * 1000:,.1f}" if times else ""


def goal(line):
    value = line.question.goal
    if value is None:
        return ""
    return f"{value:g} x" if line.other else report.seconds(value)


def met(value):
    return {None: "", True: "yes", False: "no"}[value]
