import Testing

@testable import DataTables

struct ValueTableTests {
  private let never = Cancellation()

  private func records(_ pairs: [(String, Value)]...) -> ValueTable {
    ValueTable(pairs.map { .record(Record($0)) })
  }

  private func values(_ table: ValueTable, _ path: String) throws -> [Value] {
    let column = try table.column(ObjectKeyPath(parsing: path), cancellation: never)
    guard case .coded(let codes, let values) = column else { return [] }
    return (0..<codes.count).map { values[codes[$0]] }
  }

  @Test func theKeysAreInTheOrderOfTheirFirstAppearance() {
    let table = records([("b", 1), ("a", 2)], [("c", 3), ("a", 4)])
    #expect(table.keys == ["b", "a", "c"])
    #expect(ValueTable(["Pie", 3]).keys.isEmpty)
  }

  @Test func aColumnKeepsTheTextOfEqualValues() throws {
    let table = ValueTable([Value(literal: "1.5"), Value(literal: "1.50"), Value(literal: "1.5")])
    let rows = ValueTable(table.rows.map { .record(Record([("x", $0)])) })
    guard
      case .coded(let codes, let values) = try rows.column(
        ObjectKeyPath(key: "x"), cancellation: never)
    else {
      Issue.record("the column is not coded")
      return
    }
    #expect(values.count == 2)
    #expect(values[0] == values[1])
    #expect([codes[0], codes[1], codes[2]] == [0, 1, 0])
  }

  @Test func aKeyThatNoObjectHasIsUnknown() {
    let table = records([("name", "Pie"), ("kind", "sweet")])
    #expect(
      throws: TableError.unknownKey("nme", known: ["name", "kind"])
    ) { try table.column(ObjectKeyPath(key: "nme"), cancellation: never) }
  }

  @Test func aDerivedKeyThatAppliesToNoValueIsUnknown() {
    let table = records([("name", "Pie")], [("name", nil)])
    #expect {
      try table.column(ObjectKeyPath(parsing: "name.frstCharacter"), cancellation: never)
    } throws: { error in
      guard case TableError.unknownKey("frstCharacter", let known) = error else { return false }
      return known.contains("firstCharacter")
    }
  }

  @Test func aKeyThatOneObjectHasIsKnown() throws {
    let table = records([("a", 1)], [("b", 2)])
    #expect(try values(table, "b") == [nil, 2])
  }

  @Test func aKeyHiddenByNullsIsKnown() throws {
    let table = records([("name", nil)], [("name", nil)])
    #expect(try values(table, "name.firstCharacter") == [nil, nil])
  }

  @Test func anyKeyOfNoObjectsIsKnown() throws {
    #expect(try values(ValueTable([]), "anything") == [])
  }

  @Test func cancellationEndsDecoding() {
    let canceled = Cancellation()
    canceled.cancel()
    #expect(throws: TableError.cancelled) {
      try records([("a", 1)]).column(ObjectKeyPath(key: "a"), cancellation: canceled)
    }
  }
}
