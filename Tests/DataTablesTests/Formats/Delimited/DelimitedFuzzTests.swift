import CScan
import TestSupport
import Testing

@testable import DataTables

/// Compares the wide scans, with tiny windows and chunks, with the bytewise reader on random texts.
struct DelimitedFuzzTests {
  private static let pieces = [
    "a", "b", "7", ",", ",", ",", "\n", "\n", "\r\n", "\"", "\"", "\"\"", "\"x\"", "\",\"", "é",
    "漢", " ", "#", "0.5", "\r", "\r\r\n", "\\", "'", "'y'", "\\\"", ",\n",
    " ", "  \"x\"", "                                ",
    "longer than a block of sixty-four bytes, if it comes twice in a row",
  ]

  private func text(_ random: inout SplitMix64) -> [UInt8] {
    let length = Int.random(in: 0...120, using: &random)
    // Half of the texts have no single quotes; most others violate the quoting rules somewhere.
    let pieces = Bool.random(using: &random) ? Self.pieces : Self.pieces.filter { $0 != "\"" }
    return (0..<length).flatMap { _ in Array((pieces.randomElement(using: &random) ?? "").utf8) }
  }

  @Test(arguments: [UInt64(1), 2, 3, 4])
  func everyTextIsReadAsByTheBytewiseReader(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for round in 0..<1_500 {
      let bytes = text(&random)
      var slow = SlowDelimitedReader(columns: Int.random(in: 1...4, using: &random))
      slow.lineEnds = Int.random(in: 0..<4, using: &random) == 0 ? .any : .lf
      slow.quote =
        [UInt8(ascii: "\""), UInt8(ascii: "\""), UInt8(ascii: "'"), nil]
        .randomElement(using: &random) ?? nil
      slow.escape = Int.random(in: 0..<3, using: &random) == 0 ? UInt8(ascii: "\\") : nil
      slow.comment = Int.random(in: 0..<4, using: &random) == 0 ? Array("#".utf8) : []
      slow.skipsSpaces = Int.random(in: 0..<4, using: &random) == 0
      slow.hasTrailingDelimiter = Int.random(in: 0..<5, using: &random) == 0
      let sizes = ScanSizes(
        chunk: Int.random(in: 1...400, using: &random),
        window: Int.random(in: 16...256, using: &random))
      let fast = try Self.read(bytes, as: slow, sizes: sizes)
      #expect(
        fast == slow.read(bytes),
        "seed \(seed), round \(round), \(sizes), \(slow): \(String(decoding: bytes, as: UTF8.self).debugDescription)"
      )
    }
  }

  /// The contents of the table and its index, in the terms of the slow reader.
  static func read(
    _ bytes: [UInt8], as slow: SlowDelimitedReader, sizes: ScanSizes
  ) throws -> SlowDelimitedReader.Outcome {
    var options = ReadOptions()
    options.delimiter = slow.delimiter
    let dialect = slow.dialect
    let store = MemoryBytes(bytes)
    let cancellation = Cancellation()
    let index = try RowIndex(
      store, from: 0, dialect: dialect, columns: slow.columns, limits: options.limits,
      sizes: sizes, cancellation: cancellation)
    let keys = (0..<slow.columns).map { "k\($0)" }
    let table = DelimitedTable(
      store: store, dialect: dialect, shape: Record.Shape(keys), index: index,
      forms: keys.map { _ in CellForm(.string) }, options: options, sizes: sizes)
    var outcome = SlowDelimitedReader.Outcome()
    for chunk in index.chunks {
      outcome.padded += chunk.findings.padded
      outcome.comments += chunk.findings.comments
      for reject in chunk.findings.rejects {
        let text = String(
          decoding: bytes[reject.offset..<reject.offset + reject.length], as: UTF8.self)
        outcome.rejects.append(
          SlowDelimitedReader.Reject(offset: reject.offset, text: text, reason: reject.reason))
      }
    }
    outcome.rows = try table.objects(at: Array(0..<table.count)).map(Self.cells)
    try compareColumns(of: table, with: outcome.rows)
    return outcome
  }

  private static func cells(of object: Value) -> [String?] {
    guard case .record(let record) = object else { return [] }
    return record.values.map { if case .string(let text) = $0 { text } else { nil } }
  }

  private static func trimmed(_ cell: String?) -> String? {
    let inner = (cell ?? "").drop { $0 == " " || $0 == "\t" }
    let text = String(inner.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
    return text.isEmpty ? nil : text
  }

  private static func compareColumns(of table: DelimitedTable, with rows: [[String?]]) throws {
    let paths = table.keys.map { ObjectKeyPath(key: $0) }
    for (place, path) in paths.enumerated() where place % 2 == 0 {
      guard
        case .coded(let codes, let values) = try table.column(path, cancellation: Cancellation())
      else { continue }
      let decoded = (0..<codes.count).map { row -> String? in
        switch values[codes[row]] {
        case .null: nil
        case .string(let text): text
        case let other: other.json
        }
      }
      // Blanks around numbers are not part of them; in such columns, blanks alone are null.
      let isTyped = table.forms[place].type != .string
      #expect(decoded == rows.map { isTyped ? trimmed($0[place]) : $0[place] })
    }
  }
}
