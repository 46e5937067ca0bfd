"""The questions of one round, with constants of its own, so that no result of an earlier round can
be the answer.

Two sources live through the session, and their settings change: `f` is filtered, `s` is sectioned.
A third one, `w`, wraps `f` and lives for one question.
"""

import random
from dataclasses import dataclass

from . import rows
from .. import files

SEED = 20261128


@dataclass(frozen=True)
class Check:
    """An untimed comparison of what a question found. Its statement runs in a third process, so
    that the peak memory of the session of DuckDB is that of its answers alone."""

    # Commands that show what was found; without any, the answers to the question do.
    commands: tuple
    rows: object
    sql: str


@dataclass(frozen=True)
class Question:
    text: str
    # The commands of dsshell before it, and those whose times are added up.
    before: tuple
    commands: tuple
    # Makes rows of the answers of `commands`.
    rows: object = None
    # The statement of DuckDB with the same rows; None if it has no such question.
    sql: str = None
    # The least ratio, or the most seconds of a question without a peer.
    goal: float = None
    checks: tuple = ()
    after: tuple = ()


IDS = "count(*), sum(id), min(id), max(id)"
AGGREGATES = "@sum.amount, @avg.ratio, @max.created"
# A quotient of doubles in both tools; DuckDB's avg of decimals differs from it in the last digit.
AGGREGATED = "count(*), sum(amount), sum(ratio) / count(*) AS average, max(created)"
COLUMNS = "id first_name last_name city amount ratio created notes".split()
NAMES = "strom dottir muller garcia emile nune oster aker dvora sima zuk ova".split()


def same_objects(source, table):
    """Whether a source has the objects of a table: their number, and the sum, least and greatest of
    the ids."""
    return Check((f"sections {source} with: @sum.id, @min.id, @max.id",), rows.totals,
                 f"SELECT {IDS} FROM {table}")


class Round:
    """The constants of one round, and its questions for a table of `size` rows."""

    def __init__(self, number, size):
        self.number, self.size = number, size
        self.draw = draw = random.Random(SEED + number)
        texts = [note for note in files.NOTES if note]
        # After 12 rounds the texts come again with a number, and the names one character shorter.
        again, at = divmod(number, len(texts))
        self.note = texts[at].split("\n")[-1][-8:].strip() + (f" #{again}" if again else "")
        again, at = divmod(number, len(NAMES))
        self.name = NAMES[at][:-again or None]
        again, at = divmod(number, 9)
        self.digit = 9 - at
        self.pattern = f".*#{self.digit}+[{again % 6}-{again % 6 + 4}]?"
        # Conditions that nearly all rows satisfy, a new one for each question.
        self.starts = iter(draw.sample(range(2, 1_000), 20))
        self.amount = draw.randrange(50_000, 70_000)
        self.city = draw.choice(files.session_cities())
        year = draw.randrange(2015, 2024)
        day = f"-{draw.randrange(1, 13):02}-{draw.randrange(1, 29):02}"
        self.day, self.until = f"{year}{day}", f"{year + 1}{day}"
        self.letter = draw.choice("ABDEFGHJKLMNPRSTVWY")

    def questions(self):
        for part in (self.predicates, self.descriptions, self.wrappers, self.aggregates,
                     self.titles, self.order, self.siblings, self.edits):
            yield from part()

    def filtered(self, text, where, condition, goal=1):
        return Question(
            text, (), (f"set f where: {where}", "fetch f", "count f"), rows.value,
            f"SELECT count(*) FROM t WHERE {condition}", goal,
            (same_objects("f", f"t WHERE {condition}"),))

    def predicates(self):
        yield self.filtered("where: notes CONTAINS", f"notes CONTAINS '{self.note}'",
                            f"contains(notes, '{self.note}')", 2)
        yield self.filtered("where: notes MATCHES", f"notes MATCHES '{self.pattern}'",
                            f"regexp_full_match(notes, '{self.pattern}')", 2)
        both = f"amount > {self.amount} and city == '{self.city}'"
        yield self.filtered("where: amount > and city ==", both, both.replace("==", "="), 2)
        yield self.filtered(
            "where: last_name CONTAINS[cd]", f"last_name CONTAINS[cd] '{self.name}'",
            f"contains(strip_accents(lower(last_name)), '{self.name}')", 20)
        first = next(self.starts)
        yield self.filtered("nulls", f"notes == null and id >= {first}",
                            f"notes IS NULL AND id >= {first}")
        yield self.filtered(
            "dates between", f"created BETWEEN {{'{self.day}', '{self.until}'}}",
            f"created BETWEEN TIMESTAMP '{self.day}' AND TIMESTAMP '{self.until}'")

    def descriptions(self):
        first = next(self.starts)
        table = f"FROM t WHERE id >= {first}"
        # SUMMARIZE estimates the number of distinct values.
        counts = " UNION ALL ".join(
            f"SELECT '{name}' AS name, count(*) - count({name}), count(DISTINCT {name}) {table}"
            for name in COLUMNS)
        yield Question(
            "describe a filtered source", (f"set f where: id >= {first}", "fetch f"),
            ("describe f",), rows.bounds,
            f"SELECT column_name, min, max FROM (SUMMARIZE SELECT * {table})", 2,
            (Check((), rows.nulls_and_distinct, f"SELECT * FROM ({counts}) ORDER BY name"),))

    def wrappers(self):
        first, second, third = (next(self.starts) for _ in range(3))
        yield Question(
            "top 10 since a date", (), (
                f"set f where: created >= '{self.day}'",
                "let w = top f 10 by: amount desc | fetch", "objects w"), rows.objects,
            f"SELECT * FROM t WHERE created >= TIMESTAMP '{self.day}' "
            "ORDER BY amount DESC, id LIMIT 10", 1, after=("drop w",))
        yield self.distinct("distinct values of a key", "last_name", first)
        yield self.distinct("distinct values of two keys", "city, last_name", second)
        outer = f"last_name LIKE '{self.letter}%' AND id >= {third}"
        both = f"(SELECT * FROM t WHERE {outer}) WHERE amount < {self.amount}"
        yield Question(
            "a filter over a filter", (), (
                f"set f where: last_name BEGINSWITH '{self.letter}' and id >= {third}",
                f"let w = filtered f where: amount < {self.amount} | fetch", "count w"), rows.value,
            f"SELECT count(*) FROM {both}", 1, (same_objects("w", both),), ("drop w",))

    def distinct(self, text, keys, first):
        shown = f"(SELECT min(id) AS id FROM t WHERE id >= {first} GROUP BY {keys})"
        return Question(
            text, (), (f"set f where: id >= {first}", f"let w = distinct f by: {keys} | fetch",
                       "count w"), rows.value,
            f"SELECT count(*) FROM (SELECT DISTINCT {keys} FROM t WHERE id >= {first})", 1,
            (same_objects("w", shown),), ("drop w",))

    def aggregates(self):
        asked = (f"sections s with: {AGGREGATES} order: title",)
        for text, key, column, is_timed, goal in (
                ("sections with:, 8 groups", "city.firstCharacter", "city[1]", False, 2),
                ("sections with:, 240 groups", "city", "city", False, 2),
                ("the same and its fetch", "city", "city", True, 1)):
            first = next(self.starts)
            fetch = self.grouped(key, first)
            table = f"FROM t WHERE id >= {first} GROUP BY 1"
            # Sections are in the order of first appearance.
            order = Check(("sections s",), rows.sections,
                          f"SELECT {column}, count(*) {table} ORDER BY min(id)")
            yield Question(
                text, () if is_timed else fetch, (fetch if is_timed else ()) + asked, rows.sections,
                f"SELECT {column} AS title, {AGGREGATED} {table} ORDER BY 1", goal, (order,))

    def grouped(self, key, first):
        return f"set s key: {key} mode: groups sort: null where: id >= {first}", "fetch s"

    def titles(self):
        first, at = next(self.starts), self.draw.randrange(50_000)
        table = f"FROM t WHERE id >= {first} GROUP BY notes"
        yield Question(
            "100,000 titles", (), self.grouped("notes", first), rows.sizes,
            f"SELECT count(*), sum(size) FROM (SELECT notes, count(*) AS size {table})", 2,
            (self.section(at, f"SELECT min(id), count(*) {table} ORDER BY min(id)"),))
        first, at = next(self.starts), self.draw.randrange(110)
        table = f"FROM t WHERE id >= {first} GROUP BY date_trunc('month', created)"
        yield Question(
            "mode: month", (), (
                f"set s key: created mode: month sort: created where: id >= {first}", "fetch s",
                "sections s"), rows.sections,
            "SELECT strftime(month, '%Y-%m'), size FROM (SELECT date_trunc('month', created) AS "
            f"month, count(*) AS size {table}) ORDER BY month", 3,
            (self.section(at, f"SELECT arg_min(id, (created, id)), count(*) {table} "
                          "ORDER BY min(created)"),))

    def section(self, at, ordered):
        """The first object and the size of one of many sections."""
        return Check((f"object s [{at}, 0]", f"count s [{at}]"), rows.first_and_size,
                     f"{ordered} LIMIT 1 OFFSET {at}")

    def order(self):
        first = next(self.starts)
        row, other, third = (self.draw.randrange(self.size // 2) for _ in range(3))
        ordered = f"FROM t WHERE id >= {first} ORDER BY last_name, amount DESC"
        the_id = f"SELECT id {ordered}, id LIMIT 1 OFFSET "
        yield Question(
            "sort: last_name, amount desc", (), (
                f"set s key: null mode: null sort: last_name, amount desc where: id >= {first}",
                "fetch s", f"object s [0, {row}]"), rows.sort_keys,
            f"SELECT last_name, amount {ordered} LIMIT 1 OFFSET {row}", 3, tuple(
                Check((f"object s [0, {at}]",), rows.identity, f"{the_id}{at}")
                for at in (row, other)))
        one = self.draw.randrange(1_000, self.size)
        yield Question(
            "indexPath by value", (), (f"indexPath s {{id: {one}}}",), rows.row_in_section,
            f"WITH the AS (SELECT last_name AS name, amount AS value FROM t WHERE id = {one}) "
            f"SELECT count(*) FROM t, the WHERE id >= {first} AND (last_name < name OR "
            f"(last_name = name AND (amount > value OR (amount = value AND id < {one}))))", 1)
        yield Question("explain", (), (f"explain s [0, {third}]",), checks=(
            Check((), rows.explained, f"SELECT id, id {ordered}, id LIMIT 1 OFFSET {third}"),))

    def siblings(self):
        """The file and the settings of `f` are unchanged: its predicate need not run again."""
        one = self.draw.randrange(1_000, self.size)
        pattern = f".*#{self.digit}[0-9]+"
        yield Question(
            "fetch beside a costly predicate",
            (f"set f where: notes MATCHES '{pattern}'", "fetch f",
             f"set s key: null mode: null sort: null where: id == {one}"), ("fetch s",),
            goal=0.02, checks=(
                Check((), rows.fetched_objects, f"SELECT count(*) FROM t WHERE id = {one}"),
                same_objects("f", f"t WHERE regexp_full_match(notes, '{pattern}')")))

    def edits(self):
        first, one = next(self.starts), self.draw.randrange(1_000, self.size)
        place = f"(SELECT count(*) FROM t WHERE id >= {first} AND id < {one})"
        yield Question(
            "an edit and its diff", (f"set f where: id >= {first}", "fetch f"),
            (f'update t where: id == {one} notes: "changed {self.number}"', "diff f"), checks=(
                Check((), rows.changes, f"SELECT 'update', {place}, {place}"),), after=("undo t",))
