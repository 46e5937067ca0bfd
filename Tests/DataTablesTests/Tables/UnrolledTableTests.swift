import DataTables
import TestSupport
import Testing

struct UnrolledTableTests {
  private func record(_ pairs: (String, Value)...) -> Value { .record(Record(pairs)) }

  @Test func theKeysOfAnElementTakeThePlaceOfItsArray() throws {
    let table = try unrolled(
      [
        record(("name", "Ann"), ("orders", [record(("id", 1)), record(("id", 2))]), ("age", 7)),
        record(("name", "Bo"), ("orders", []), ("age", 8)),
      ], "orders")
    #expect(table.keys == ["name", "id", "age"])
    #expect(
      try table.objects(at: [1, 0]).map(\.json) == [
        #"{"name":"Ann","id":2,"age":7}"#, #"{"name":"Ann","id":1,"age":7}"#,
      ])
    #expect(table.rowsWithoutElements == 1)
    #expect(table.hasUniformRows)
  }

  @Test func keysThatParentsHaveTooAreRenamed() throws {
    let table = try unrolled(
      [
        record(
          ("id", 1), ("orders_id", 2),
          ("orders", [record(("id", 3)), record(("orders_id", 4)), 5]))
      ], "orders")
    #expect(table.keys == ["id", "orders_id", "orders", "orders_id_2", "orders_orders_id"])
    #expect(
      try table.objects(at: [0, 1, 2]).map(\.json) == [
        #"{"id":1,"orders_id":2,"orders_id_2":3}"#,
        #"{"id":1,"orders_id":2,"orders_orders_id":4}"#, #"{"id":1,"orders_id":2,"orders":5}"#,
      ])
    #expect(table.renamedKeys.map(\.name) == ["orders_id_2", "orders_orders_id"])
  }

  @Test func anArrayInARecordIsRemovedFromTheRecord() throws {
    let table = try unrolled(
      [
        record(
          ("tags", 0),
          ("customer", record(("name", "Ann"), ("tags", ["a", "b"]))))
      ], "customer.tags")
    #expect(
      try table.objects(at: [0, 1]).map(\.json) == [
        #"{"tags":0,"customer":{"name":"Ann"},"customer_tags_element":"a"}"#,
        #"{"tags":0,"customer":{"name":"Ann"},"customer_tags_element":"b"}"#,
      ])
  }

  @Test func rowsOfObjectsWithoutKeysAreTheElements() throws {
    let table = try unrolled([[1, 2], [3]], "SELF")
    #expect(try table.objects(at: [0, 1, 2]) == [1, 2, 3])
    #expect(table.keys == [])
    #expect(table.hasOtherRows)
  }

  @Test func anUnknownKeyIsAnError() throws {
    #expect(throws: TableError.unknownKey("b", known: ["a"])) {
      try unrolled([record(("a", 1))], "b")
    }
    let table = try unrolled([record(("a", [record(("b", 1))]))], "a")
    #expect(throws: TableError.unknownKey("a", known: ["b"])) {
      try table.column(path("a"), cancellation: Cancellation())
    }
  }

  private func path(_ text: String) throws -> ObjectKeyPath { try ObjectKeyPath(parsing: text) }

  @discardableResult
  private func unrolled(
    _ rows: [Value], _ path: String, keepsEmpty: Bool = false
  ) throws -> UnrolledTable {
    try UnrolledTable(
      ValueTable(rows), .natural(rows.count), by: try self.path(path), keepsEmpty: keepsEmpty)
  }

  /// The rows and all columns, compared with rows that are made one after another.
  @Test(arguments: UInt64(0)..<150)
  func rowsAndColumnsEqualThoseMadeOneByOne(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let isPlain = Bool.random(using: &random)
    let parents = (0..<Int.random(in: 0...8, using: &random)).map { _ in
      Self.parent(isPlain: isPlain, &random)
    }
    let path = try self.path(
      ["orders", "orders", "nested.orders", "nested.orders", "orders.x", "orders.@unionOfArrays"]
        .randomElement(using: &random) ?? "orders")
    let keepsEmpty = Bool.random(using: &random)
    let order = (0..<UInt32(parents.count)).shuffled(using: &random).dropLast(
      Int.random(in: 0...2, using: &random))
    let base = ValueTable(parents)
    guard
      let table = try? UnrolledTable(base, .rows(Array(order)), by: path, keepsEmpty: keepsEmpty)
    else { return }
    let counts = order.map { row in
      let count = path.evaluate(on: parents[Int(row)]).elements.count
      return keepsEmpty ? max(1, count) : count
    }
    #expect(table.count == counts.reduce(0, +), "seed \(seed)")
    let objects = try table.objects(at: Array(0..<table.count))
    #expect(try (0..<table.count).map { try table.object(at: $0) } == objects)
    let origins = zip(order, counts).flatMap { row, count in (0..<count).map { (row, $0) } }
    for (index, object) in objects.enumerated() {
      let (row, element) = origins[index]
      #expect(table.baseRow(of: index) == Int(row))
      try expect(object, isElement: element, of: parents[Int(row)], path, table, seed)
    }
    // The keys, the uniformity and every column are those of the same objects in memory.
    let plain = ValueTable(objects)
    #expect(Set(plain.keys).isSubset(of: table.keys), "seed \(seed)")
    if table.hasUniformRows { #expect(plain.hasUniformRows, "seed \(seed)") }
    if plain.hasOtherRows { #expect(table.hasOtherRows, "seed \(seed)") }
    for key in table.keys + ["nested", "none"] {
      for rest in ["", ".x", ".length", "[0]", ".orders", ".orders.@count"] {
        try expectColumn(try self.path(key + rest), of: table, objects, seed)
      }
    }
  }

  private func expectColumn(
    _ path: ObjectKeyPath, of table: UnrolledTable, _ objects: [Value], _ seed: UInt64
  ) throws {
    let plain = ValueTable(objects)
    do {
      let column = try table.column(path, cancellation: Cancellation())
      let values = (0..<column.count).map { value(column, $0) }
      #expect(values == objects.map { path.evaluate(on: $0) }, "seed \(seed), \(path)")
    } catch TableError.unknownKey where path.steps.count > 1 {
      // Elements that no row shows may lack a deeper key that the values of the rows could have.
      let isUnknown = (try? plain.column(path, cancellation: Cancellation())) == nil
      let isEmpty = objects.allSatisfy { Self.isEmpty(path.evaluate(on: $0)) }
      #expect(isUnknown || isEmpty, "seed \(seed), \(path)")
    } catch TableError.unknownKey {
      #expect(throws: TableError.self, "seed \(seed), \(path)") {
        try plain.column(path, cancellation: Cancellation())
      }
    }
  }

  private static func isEmpty(_ value: Value) -> Bool {
    if case .array(let elements) = value { return elements.allSatisfy(isEmpty) }
    return value.isNull || value == 0
  }

  private func value(_ column: KeyColumn, _ row: Int) -> Value {
    guard case .coded(let codes, let values) = column else { return .null }
    return values[codes[row]]
  }

  private func expect(
    _ object: Value, isElement index: Int, of parent: Value, _ path: ObjectKeyPath,
    _ table: UnrolledTable, _ seed: UInt64
  ) throws {
    let elements = path.evaluate(on: parent).elements
    let element: Value = elements.indices.contains(index) ? elements[index] : .null
    guard case .record(let parentRecord) = parent else {
      if case .record = element { return }
      #expect(object == element, "seed \(seed)")
      return
    }
    guard case .record(let record) = object else {
      Issue.record("seed \(seed): the row of a record is \(object.json)")
      return
    }
    let head = path.description.split(separator: ".").first.map(String.init) ?? ""
    for (key, value) in zip(parentRecord.keys, parentRecord.values) where key != head {
      #expect(record[key] == value, "seed \(seed)")
    }
    if case .record(let own) = element {
      for (key, value) in zip(own.keys, own.values) {
        let name = table.renamedKeys.first { $0.key == key }?.name ?? key
        #expect(record[name] == value, "seed \(seed), \(object.json)")
      }
    } else if !elements.isEmpty {
      #expect(record.values.contains(element), "seed \(seed)")
    }
  }

  private static func parent(isPlain: Bool, _ random: inout SplitMix64) -> Value {
    if !isPlain, Int.random(in: 0..<6, using: &random) == 0 { return element(&random) }
    var pairs: [(String, Value)] = [("id", .integer(Int.random(in: 0...2, using: &random)))]
    if Bool.random(using: &random) { pairs.append(("x", "text")) }
    pairs.append(("orders", array(&random)))
    pairs.append(("nested", .record(Record([("y", 1), ("orders", array(&random))]))))
    if Bool.random(using: &random) { pairs.append(("last", [1])) }
    return .record(Record(pairs))
  }

  private static func array(_ random: inout SplitMix64) -> Value {
    switch Int.random(in: 0..<6, using: &random) {
    case 0: .null
    case 1: element(&random)
    default: .array((0..<Int.random(in: 0...3, using: &random)).map { _ in element(&random) })
    }
  }

  private static func element(_ random: inout SplitMix64) -> Value {
    switch Int.random(in: 0..<6, using: &random) {
    case 0: .integer(Int.random(in: 0...2, using: &random))
    case 1: .string("abc")
    case 2: .null
    case 3: .array([1, "x"])
    case 4: .record(Record([("id", 7), ("x", .string("b")), ("orders", 1)]))
    default: .record(Record([("x", .array(["u", "v"])), ("price", Value(literal: "1.5"))]))
    }
  }
}
