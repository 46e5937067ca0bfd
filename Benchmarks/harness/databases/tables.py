"""The table `staff`, from a fixed seed, in each engine."""

import random
import subprocess

from .. import files

TABLE = "staff"
COLUMNS = ["id", "city", "district", "last_name", "first_name", "age", "amount"]
BATCH = 50_000


def write_csv(path, rows):
    """Rows without nulls, whose texts are composed; 20 cities, some 450 last names."""
    rng = random.Random(20261122)
    last = [stem + end for stem in files.LAST_STEMS for end in files.LAST_ENDS] + files.LAST_WHOLE

    def pick(values, count):
        size, draw = len(values), rng.random
        return [values[int(draw() * size)] for _ in range(count)]

    with open(path, "w", encoding="utf-8", newline="") as file:
        for first in range(1, rows + 1, BATCH):
            count = min(BATCH, rows + 1 - first)
            draw = rng.random
            file.write("".join(
                f"{identity},{city},{district},{family},{given},{18 + int(draw() * 50)},"
                f"{draw() * 100_000:.2f}\n"
                for identity, city, district, family, given in zip(
                    range(first, first + count), pick(files.PLACES, count),
                    pick(files.REGIONS, count), pick(last, count),
                    pick(files.FIRST_NAMES, count))))


def csv(folder, rows, say):
    return made(folder / f"staff-{rows}.csv", lambda path: write_csv(path, rows), say)


def made(path, write, say):
    """Writes a file unless it exists; an interrupted run leaves none of this name."""
    if not path.exists():
        say(f"writing {path.name}")
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_name(path.name + ".part")
        part.unlink(missing_ok=True)
        write(part)
        part.rename(path)
    return path


def sqlite(folder, rows, say, mode="delete"):
    """The path of a database with an index on the sort."""
    source = csv(folder, rows, say)

    def write(path):
        run(["sqlite3", "-bail", str(path)], f"""
            PRAGMA journal_mode = {mode};
            CREATE TABLE staff(id INTEGER PRIMARY KEY, city TEXT, district TEXT, last_name TEXT,
              first_name TEXT, age INTEGER, amount REAL);
            .mode csv
            .import '{source}' staff
            CREATE INDEX staff_city ON staff(city, last_name);
            ANALYZE;
            """.replace("\n            ", "\n"))

    return made(folder / f"staff-{rows}-{mode}.db", write, say)


def postgres(address, folder, rows, say):
    """Makes the table unless the server has it, with an index on the sort. The database must have a
    locale that orders texts by their code points, as those of Scripts/servers have."""
    psql = ["psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", address]
    known = run(psql, "SELECT to_regclass('bench.staff') IS NOT NULL").strip()
    if known == "t" and run(psql, "SELECT count(*) FROM bench.staff").strip() == str(rows):
        return
    source = csv(folder, rows, say)
    say("filling bench.staff of PostgreSQL")
    run(psql, f"""
        CREATE SCHEMA IF NOT EXISTS bench;
        DROP TABLE IF EXISTS bench.staff;
        CREATE TABLE bench.staff(id integer PRIMARY KEY, city text NOT NULL,
          district text NOT NULL, last_name text NOT NULL, first_name text NOT NULL,
          age integer NOT NULL, amount double precision NOT NULL);
        \\copy bench.staff FROM '{source}' CSV
        CREATE INDEX ON bench.staff (city, last_name, id);
        VACUUM ANALYZE bench.staff;
        """.replace("\n        ", "\n"))


CLICKHOUSE_COLUMNS = ("id UInt32, city String, district String, last_name String, "
                      "first_name String, age UInt8, amount Float64")


def clickhouse(shards, cluster, folder, rows, say):
    """Makes a Distributed table unless the cluster has it, ordered by the sort on each shard."""
    if count(shards[0], "bench.staff") == rows:
        return
    source = csv(folder, rows, say)
    say("filling bench.staff of ClickHouse")
    distribute(shards, cluster, "staff")
    with open(source, "rb") as file:
        subprocess.run([*client(shards[0]), "--insert_distributed_sync=1", "--query",
                        "INSERT INTO bench.staff FORMAT CSV"], stdin=file, check=True)
    for shard in shards:
        run(client(shard), "OPTIMIZE TABLE bench.staff_rows FINAL")


def cluster_table(shards, cluster, rows, say):
    """Many rows, which the shards make themselves from the numbers of the rows."""
    if count(shards[0], "bench.many") == rows:
        return
    say(f"filling bench.many of ClickHouse: {rows:,} rows")
    distribute(shards, cluster, "many")
    cities, names = (", ".join(f"'{name}'" for name in list)
                     for list in (files.PLACES, files.FIRST_NAMES))
    step = 2_000_000
    for first in range(0, rows, step):
        shard = shards[first // step % len(shards)]
        run(client(shard), f"""
            INSERT INTO bench.many_rows SELECT number,
              [{cities}][1 + intHash32(number) % {len(files.PLACES)}], '',
              concat([{names}][1 + intHash32(number + 7) % {len(files.FIRST_NAMES)}],
                toString(intHash32(number) % 1000)), '', 18 + number % 50, number / 100
            FROM numbers({first}, {min(step, rows - first)})""")


def distribute(shards, cluster, name):
    for shard in shards:
        for statement in [
                "CREATE DATABASE IF NOT EXISTS bench",
                f"DROP TABLE IF EXISTS bench.{name}", f"DROP TABLE IF EXISTS bench.{name}_rows",
                f"CREATE TABLE bench.{name}_rows ({CLICKHOUSE_COLUMNS}) ENGINE = MergeTree "
                "ORDER BY (city, last_name, id)",
                f"CREATE TABLE bench.{name} ({CLICKHOUSE_COLUMNS}) ENGINE = "
                f"Distributed({cluster}, bench, {name}_rows, id)"]:
            run(client(shard), statement)


def count(shard, table):
    done = subprocess.run([*client(shard), "--query", f"SELECT count(*) FROM {table}"],
                          capture_output=True, text=True)
    return int(done.stdout) if done.returncode == 0 else None


def client(shard):
    host, port = shard.rsplit(":", 1)
    return ["clickhouse-client", "--host", host, "--port", port]


def run(command, text):
    done = subprocess.run(command, input=text, capture_output=True, text=True)
    if done.returncode != 0:
        raise subprocess.SubprocessError(f"{command[0]}: {done.stderr.strip()}")
    return done.stdout
