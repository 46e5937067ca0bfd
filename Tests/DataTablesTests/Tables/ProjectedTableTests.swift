import DataTables
import TestSupport
import Testing

struct ProjectedTableTests {
  private func path(_ text: String) throws -> ObjectKeyPath { try ObjectKeyPath(parsing: text) }

  private func projected(_ base: any Table, _ columns: [String: String]) throws -> ProjectedTable {
    ProjectedTable(
      base,
      try columns.sorted { $0.key < $1.key }.map {
        ProjectedTable.Column(key: $0.key, path: try path($0.value))
      })
  }

  @Test func anObjectThatLacksAValueHasANull() throws {
    let base = ValueTable([
      .record(Record([("a", 1), ("b", .record(Record([("c", 2)])))])), .record(Record([("a", 3)])),
    ])
    let table = try projected(base, ["x": "a", "y": "b.c"])
    #expect(table.keys == ["x", "y"])
    #expect(
      try table.objects(at: [1, 0]).map(\.json) == [#"{"x":3,"y":null}"#, #"{"x":1,"y":2}"#])
    #expect(throws: TableError.unknownKey("a", known: ["x", "y"])) {
      try table.column(path("a"), cancellation: Cancellation())
    }
  }

  @Test(arguments: UInt64(0)..<200)
  func columnsEqualTheValuesOfTheObjects(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let base = ValueTable(
      (0..<Int.random(in: 0...6, using: &random)).map { _ in
        .record(
          Record([
            ("a", .string(["x", "yz", ""].randomElement(using: &random) ?? "")),
            ("b", .array((0..<Int.random(in: 0...2, using: &random)).map { .integer($0) })),
            (
              "c",
              .record(
                Record([("d", Bool.random(using: &random) ? Value(literal: "1.5") : Value.null)]))
            ),
            (
              "e",
              .array(
                (0..<Int.random(in: 0...2, using: &random)).map { _ in
                  .record(Record([("p", Value(literal: "0.5")), ("q", "t")]))
                })
            ),
          ]))
      })
    let paths = ["a", "a.length", "b", "b.@sum", "c", "c.d", "e", "e.p", "e.@sum.p", "e.q"]
    let columns = Dictionary(
      uniqueKeysWithValues: paths.shuffled(using: &random).prefix(4).enumerated().map {
        ("k\($0)", $1)
      })
    let table = try projected(base, columns)
    let objects = try table.objects(at: Array(0..<table.count))
    for key in table.keys {
      for rest in ["", ".d", ".length", ".rounded", "[0]", ".p", ".@count", ".@max.p"] {
        let path = try path(key + rest)
        guard let column = try? table.column(path, cancellation: Cancellation()) else { continue }
        guard case .coded(let codes, let values) = column else { continue }
        #expect(
          (0..<column.count).map { values[codes[$0]] } == objects.map { path.evaluate(on: $0) },
          "seed \(seed), \(path) of \(columns)")
      }
    }
  }
}
