from .sql import SQLShell


class DuckDB(SQLShell):
    name = "duckdb"

    @staticmethod
    def first_character(key):
        return f"{key}[1]"

    @staticmethod
    def sorted_value(sort, work):
        return f"{sort.column}::DOUBLE" if sort.numeric else sort.column

    def timed(self, work, title):
        if work.is_json:
            source = f"read_json('{work.file}', format = '{self._layout(work)}')"
        else:
            nulls = f", nullstr = '{work.null}'" if work.null else ""
            source = f"read_csv('{work.file}'{nulls})"
        # Values have the types that DuckDB inferred.
        order = self.order(work, lambda sort, _: sort.column)
        order = f" ORDER BY {order}" if order else ""
        return self.run("-json", "-c", (
            f"CREATE TABLE t AS SELECT * FROM {source}{order}; "
            f"{self.sections(work)} {self.object(work, title)}"))

    def description(self, work):
        return self.run("-csv", "-noheader", "-c", (
            f"CREATE TABLE t AS SELECT * FROM read_csv('{work.file}'); SELECT count(*) FROM t;"))

    @staticmethod
    def _layout(work):
        return "array" if work.is_array else "newline_delimited"

    def ordered(self, work, columns):
        # Values keep their text; only numeric sort keys are converted.
        if work.is_json:
            types = ", ".join(f"{column}: 'VARCHAR'" for column in columns)
            source = (f"read_json('{work.file}', format = '{self._layout(work)}', "
                      f"columns = {{{types}}})")
        else:
            source = f"read_csv('{work.file}', all_varchar = true, nullstr = ['', '{work.null}'])"
        # One thread, so that row numbers follow the order of the file.
        return self.run("-c", (
            f"SET threads = 1; COPY (SELECT {', '.join(columns)} FROM "
            f"(SELECT *, row_number() OVER () AS place FROM {source}) "
            f"ORDER BY {self.whole_order(work, 'place')}) TO '/dev/stdout' (FORMAT csv, HEADER);"))

    def idle(self):
        return self.run("-c", "")
