"""Runs a task with polars, in a separate process."""

import json
import sys

import polars as pl


def read(facts, as_text):
    if facts["file"].endswith("json"):
        reader = pl.read_ndjson if facts["file"].endswith(".ndjson") else pl.read_json
        table = reader(facts["file"])
        return table.cast(pl.String) if as_text else table
    return pl.read_csv(
        facts["file"], null_values=facts["null"] or None,
        infer_schema_length=0 if as_text else 10_000)


def title(facts):
    key = pl.col(facts["key"])
    key = key.str.head(1) if facts["first"] else key
    if facts["mode"] == "fixed":
        key = pl.when(key.is_in(facts["letters"])).then(key).otherwise(pl.lit(facts["other"]))
    return key.alias("title")


def sort(table, facts, as_text):
    if facts["mode"] != "runs":
        return arranged(table, facts) if as_text else table
    keys = [
        pl.col(column).cast(pl.Float64) if as_text and numeric else pl.col(column)
        for column, _, numeric in facts["sorts"]]
    descending = [down for _, down, _ in facts["sorts"]]
    # Equal rows keep the order of the file only where the order is compared.
    return table.sort(keys, descending=descending, nulls_last=descending, maintain_order=as_text)


def arranged(table, facts):
    """All rows by section, with the rows of each section in the order of the file."""
    table = table.with_row_index("place")
    if facts["mode"] == "groups":
        sequence = [pl.col("place").min().over(title(facts))]
    else:
        sequence = [title(facts) == facts["other"], title(facts)]
    return table.sort(*sequence, "place").drop("place")


def main(mode, facts):
    as_text = mode == "ordered"
    table = sort(read(facts, as_text), facts, as_text)
    if as_text:
        table.write_csv(sys.stdout.buffer)
        return
    key = title(facts)
    sections = table.group_by(key, maintain_order=True).len()
    if facts["mode"] == "fixed":
        sections = sections.sort(pl.col("title") == facts["other"], "title")
    print(json.dumps(sections.rows(), ensure_ascii=False))
    record = table.filter(key == facts["title"]).row(facts["row"], named=True)
    print(json.dumps(record, ensure_ascii=False, default=str))


main(sys.argv[1], json.loads(sys.argv[2]))
