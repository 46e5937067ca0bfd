import DataTables
import Databases
import TestSupport
import Testing

@testable import ClickHouseDatabase

@Suite struct RowParserTests {
  /// Parses bytes that arrive in pieces.
  private func parse(
    _ bytes: [UInt8], cutAt cuts: [Int] = [], limit: Int = .max
  ) throws(RowParser.Fault) -> [[Value]] {
    var parser = RowParser(zone: .gmt)
    var rows: [[Value]] = []
    var start = 0
    for cut in cuts.sorted() + [bytes.count] {
      parser.append(Array(bytes[start..<cut]))
      start = cut
      while true {
        var batch: [[Value]] = []
        try parser.parse(into: &batch, limit: limit)
        rows += batch
        if batch.count < limit { break }
      }
    }
    try parser.finish()
    return rows
  }

  private func text(_ rows: [[Value]]) -> String {
    rows.map { $0.map(\.exact).joined(separator: " | ") }.joined(separator: "\n")
  }

  /// The strings of a text of string columns, character by character.
  private func slowRows(_ text: String) -> [[Value]] {
    text.split(separator: "\n", omittingEmptySubsequences: false).dropFirst(2).dropLast().map {
      line in
      line.split(separator: "\t", omittingEmptySubsequences: false).map { cell in
        if cell == "\\N" { return .null }
        var result = ""
        var isEscaped = false
        for scalar in cell.unicodeScalars {
          if isEscaped {
            let plain: [Unicode.Scalar: Unicode.Scalar] = [
              "t": "\t", "n": "\n", "r": "\r", "0": "\0", "b": "\u{8}", "f": "\u{c}",
            ]
            result.unicodeScalars.append(plain[scalar] ?? scalar)
            isEscaped = false
          } else if scalar == "\\" {
            isEscaped = true
          } else {
            result.unicodeScalars.append(scalar)
          }
        }
        return .string(result)
      }
    }
  }

  @Test func piecesOfAnySizeGiveTheSameRows() throws {
    let seed = UInt64.random(in: .min ... .max)
    var random = SplitMix64(seed: seed)
    for _ in 0..<200 {
      let columns = 1 + random.below(4)
      var text = (0..<columns).map { "c\($0)" }.joined(separator: "\t") + "\n"
      text += Array(repeating: "Nullable(String)", count: columns).joined(separator: "\t") + "\n"
      for _ in 0..<random.below(20) {
        let cells = (0..<columns).map { _ -> String in
          if random.below(6) == 0 { return "\\N" }
          var bytes: [UInt8] = []
          TabSeparated.escape(Value.hostileText(using: &random).utf8, into: &bytes)
          return String(decoding: bytes, as: UTF8.self)
        }
        text += cells.joined(separator: "\t") + "\n"
      }
      let bytes = Array(text.utf8)
      let cuts = (0..<random.below(10)).map { _ in random.below(bytes.count + 1) }
      let rows = try parse(bytes, cutAt: cuts, limit: 1 + random.below(5))
      #expect(self.text(rows) == self.text(slowRows(text)), "seed \(seed)")
    }
  }

  @Test func damagedBytesAreRowsOrAFault() {
    let seed = UInt64.random(in: .min ... .max)
    var random = SplitMix64(seed: seed)
    let whole = Array(
      """
      id\td\tt\ta\tu\tn\te
      UInt64\tDate\tDateTime('Europe/Paris')\tArray(Array(Nullable(String)))\tTuple(a UInt8, b Map(String, Int8))\tDecimal(9, 2)\tEnum8('a' = 1)
      1\t2020-01-02\t2020-07-02 03:04:05\t[['a\\'b',NULL],[]]\t(1,{'a':1,'b,':2})\t1.50\ta
      18446744073709551615\t0000-00-00\t0000-00-00 00:00:00\t[]\t(0,{})\t-0.01\tb\\tc

      """.utf8)
    #expect((try? parse(whole))?.count == 2)
    let pool = Array("\t\n\\'[](){},N0-: \u{0}aé".utf8) + [0xFF]
    for _ in 0..<20_000 {
      var bytes = whole
      for _ in 0...random.below(4) where !bytes.isEmpty {
        let place = random.below(bytes.count)
        switch random.below(4) {
        case 0: bytes[place] = random.one(of: pool)
        case 1: bytes.remove(at: place)
        case 2: bytes.insert(random.one(of: pool), at: place)
        default: bytes = Array(bytes[..<max(1, place)])
        }
      }
      _ = try? parse(bytes, cutAt: [random.below(bytes.count + 1)], limit: 1)
    }
  }

  @Test(arguments: [
    ("a\n", RowParser.Fault.columns), ("a\tb\nInt8\n", .columns), ("a\n1,b\n", .columns),
    ("a\nInt8\n1", .unfinished), ("a\nInt8\n1\t2\n", .cells(row: 0, count: 2, columns: 1)),
    ("a\tb\nInt8\tInt8\n1\t2\n3\n", .cells(row: 1, count: 1, columns: 2)),
    ("a\nInt8\nx\n", .cell(row: 0, column: "a", type: "Int8", text: "x")),
    ("a\nString\n\\x41\n", .cell(row: 0, column: "a", type: "String", text: "\\x41")),
    ("a\nDate\n2020-02-30\n", .cell(row: 0, column: "a", type: "Date", text: "2020-02-30")),
    ("a\nArray(Int8)\n[1,\n", .cell(row: 0, column: "a", type: "Array(Int8)", text: "[1,")),
    ("a\nInt8\n\n", .cell(row: 0, column: "a", type: "Int8", text: "")),
  ])
  func aResultOfAnotherFormIsAFault(text: String, fault: RowParser.Fault) {
    #expect(throws: fault) { try parse(Array(text.utf8)) }
  }

  @Test(arguments: ["Array(", "Nullable(", "Tuple("])
  func aDeepTypeDoesNoHarm(name: String) {
    let depth = 5000
    let type = String(repeating: name, count: depth) + "Int8" + String(repeating: ")", count: depth)
    let cell = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    // Either is right; a deep recursion would end the process.
    _ = try? parse(Array("a\n\(type)\n\(cell)\n".utf8))
  }

  @Test(arguments: [
    ("Europe/Paris", "2024-03-31 01:59:59", "2024-03-31T01:59:59+01:00"),
    ("Europe/Paris", "2024-03-31 03:00:00", "2024-03-31T03:00:00+02:00"),
    ("Europe/Paris", "2024-10-27 01:59:59", "2024-10-27T01:59:59+02:00"),
    // This time is there twice; the first one counts.
    ("Europe/Paris", "2024-10-27 02:30:00", "2024-10-27T02:30:00+02:00"),
    ("Europe/Paris", "2024-10-27 03:00:00", "2024-10-27T03:00:00+01:00"),
    ("Australia/Lord_Howe", "2024-04-07 02:00:00", "2024-04-07T02:00:00+10:30"),
    ("Asia/Kathmandu", "2024-01-01 00:00:00.123", "2024-01-01T00:00:00.123+05:45"),
    ("Europe/Paris", "1900-01-01 00:00:00", "1899-12-31T23:50:39Z"),
    ("UTC", "2024-01-01 00:00:00", "2024-01-01T00:00:00Z"),
  ])
  func aWallTimeGetsItsOffset(zone: String, wall: String, date: String) throws {
    let rows = try parse(Array("a\nDateTime64(3, '\(zone)')\n\(wall)\n".utf8))
    guard case .date(let read)? = rows.first?.first else { throw TestFailure() }
    #expect(read.text == date)
    #expect(Value.date(read) == Value(literal: date))
  }

  @Test func typesOfNewServersAreRead() throws {
    let text = """
      a\tb\tc\td\te\tf
      Bool\tDateTime64(3, 'UTC')\tIPv4\tMap(String, UInt8)\tDate32\tInt256
      true\t2020-01-01 00:00:00.120\t1.2.3.4\t{'a':1,'b,c':2}\t1900-01-01\t-123456789012345678901234567890

      """
    let rows = try parse(Array(text.utf8))
    #expect(
      rows.first?.map(\.exact) == [
        "true", "date 2020-01-01T00:00:00.120Z = 1577836800", "\"1.2.3.4\"",
        "\"{'a':1,'b,c':2}\"", "date 1900-01-01 = -2208988800", "-123456789012345678901234567890",
      ])
  }
}
