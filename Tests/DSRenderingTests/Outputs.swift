import DSInterpreter
import DataTables

/// Outputs like those of commands.
enum Outputs {
  static var sections: Output {
    Output(
      .grid(
        Grid(
          columns: [
            Grid.Column("section"), Grid.Column("title"), Grid.Column("index", key: "indexTitle"),
            Grid.Column("objects", key: "count"),
          ],
          rows: [[0, "A", "A", 2], [1, "B", "B", 1], [10, .null, "", 12]])))
  }

  static var events: Output {
    let columns = [
      Grid.Column("number"), Grid.Column("source", audience: .programs),
      Grid.Column("tree", audience: .people), Grid.Column("event"),
      Grid.Column("counts", audience: .people),
    ]
    return Output(
      .grid(
        Grid(
          columns: columns,
          rows: [
            [1, "letters", "letters", "will", ""],
            [2, "foods", "  foods", "will", ""],
            [3, "foods", "  foods", "finished", "1 section, 12 objects"],
          ], hidesHeader: true)))
  }

  static var load: Output {
    Output(
      .report(
        Report(
          headline: "sales: 10,482 objects, 7 keys, CSV with ';', UTF-8 with BOM, CRLF",
          notes: [
            Report.Note(
              subject: "zip", text: "string: 212 values have leading zeros, first at line 3: 01234"),
            Report.Note(subject: "amount", text: "string: 10,480 numbers, 2 non-numbers"),
            Report.Note(text: "2 rows rejected: line 12 has 8 fields for 7 keys (rejects sales)"),
          ],
          data: Record([("source", "sales"), ("sections", 1), ("objects", 10482)]))))
  }

  static var pie: Output { Output(.object(record(["name": "Pie", "kind": "sweet"]))) }
}
