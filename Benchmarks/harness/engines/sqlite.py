from .sql import SQLShell


class SQLite(SQLShell):
    """sqlite3's shell: a table in memory, with all values as text."""

    name = "sqlite3"

    def takes(self, work):
        # The shell imports no JSON.
        return work.file.endswith(".csv")

    @staticmethod
    def first_character(key):
        return f"substr({key}, 1, 1)"

    @staticmethod
    def sorted_value(sort, work):
        text = f"nullif({sort.column}, '{work.null}')"
        return f"CAST({text} AS REAL)" if sort.numeric else text

    def _import(self, work, mode, *commands):
        return self.run(mode, ":memory:", f".import --csv {work.file} t", *commands)

    def timed(self, work, title):
        sorting = [
            f"CREATE TABLE s AS SELECT * FROM t ORDER BY {self.order(work, self.sorted_value)};",
            "DROP TABLE t;", "ALTER TABLE s RENAME TO t;",
        ] if work.sorts else []
        return self._import(
            work, "-json", *sorting, self.sections(work), self.object(work, title))

    def description(self, work):
        return self._import(work, "-list", "SELECT count(*) FROM t;")

    def ordered(self, work, columns):
        texts = ", ".join(f"nullif({column}, '{work.null}')" for column in columns)
        names = ", ".join(columns)
        return self._import(
            work, "-csv", ".headers on",
            f"WITH rows({names}) AS (SELECT {texts} FROM t ORDER BY "
            f"{self.whole_order(work, 'rowid')}) SELECT * FROM rows;")

    def idle(self):
        return self.run(":memory:", "")
