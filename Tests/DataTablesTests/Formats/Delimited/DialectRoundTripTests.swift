import TestSupport
import Testing

@testable import DataTables

/// Tables written in random dialects by a slow writer are read back.
struct DialectRoundTripTests {
  private struct Writer {
    var delimiter: Character
    var quote: Character?
    var escape: Character?
    var ends: [String]
    var skipped: Int
    var comment: String?
    var quotesAll: Bool

    init(_ random: inout SplitMix64) {
      delimiter = random.one(of: [",", ";", "\t", "|", ":", "x"])
      quote = random.one(of: ["\"", "\"", "'", nil])
      escape = quote == nil || random.below(3) == 0 ? "\\" : nil
      ends = random.one(of: [["\n"], ["\r\n"], ["\r"], ["\r\r\n"], ["\n", "\r\n", "\r", "\r\r\n"]])
      skipped = random.below(3) == 0 ? random.below(4) : 0
      comment = random.below(3) == 0 ? "##" : nil
      quotesAll = random.below(4) == 0
    }

    private func field(_ cell: String) -> String {
      let special = cell.unicodeScalars.contains {
        Character($0) == delimiter || Character($0) == quote || $0 == "\n" || $0 == "\r"
          || $0 == "#"
      }
      var written = ""
      for scalar in cell.unicodeScalars {
        let character = Character(scalar)
        let isEscaped =
          character == escape || escape != nil && character == quote
          || quote == nil && (character == delimiter || scalar == "\n" || scalar == "\r")
        if isEscaped, let escape {
          written.append(escape)
        } else if character == quote {
          written.append(character)
        }
        written.unicodeScalars.append(scalar)
      }
      guard let quote, special || quotesAll || cell.isEmpty else { return written }
      return "\(quote)\(written)\(quote)"
    }

    func text(_ rows: [[String]], _ random: inout SplitMix64) -> String {
      var text = ""
      for number in 0..<skipped {
        text += "line \(number) \(delimiter) 'and\" more" + random.one(of: ends)
      }
      for row in rows {
        if let comment, random.below(4) == 0 {
          text += comment + " a \"comment" + random.one(of: ends)
        }
        if random.below(6) == 0 { text += random.one(of: ends) }
        text += row.map(field).joined(separator: String(delimiter)) + random.one(of: ends)
      }
      return text
    }

    var options: ReadOptions {
      var options = ReadOptions()
      options.delimiter = delimiter.asciiValue
      options.quote = quote?.asciiValue.map { .character($0) } ?? QuoteCharacter.none
      options.escape = escape?.asciiValue
      options.skippedLines = skipped
      options.commentPrefix = comment
      options.hasHeader = true
      return options
    }
  }

  private static let pieces = [
    "a", "b", "7", ",", ";", "\t", "|", "\"", "'", "\\", "\n", "\r", "\r\n", "é", " ", "#", "x",
    ":",
  ]

  private func cell(_ random: inout SplitMix64, of writer: Writer) -> String {
    let length = random.below(5)
    let cell = (0..<length).map { _ in random.one(of: Self.pieces) }.joined()
    // An escape before CR LF is at the end of its row, so an escaped CR must not come before LF.
    return writer.quote == nil && cell.utf8.contains(0x0D) ? "\n" : cell
  }

  @Test(arguments: [UInt64(1), 2, 3])
  func everyDialectIsReadWithItsOptions(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for round in 0..<400 {
      let writer = Writer(&random)
      let width = 2 + random.below(4)
      let header = (0..<width).map { "k\($0)" }
      // An unquoted empty cell is null; an empty row would be blank.
      let rows = (0..<random.below(40)).map { _ in
        (0..<width).map { $0 == 0 ? "r" : cell(&random, of: writer) }
      }
      let text = writer.text([header] + rows, &random)
      var options = writer.options
      options.types = Dictionary(uniqueKeysWithValues: header.map { ($0, .string) })
      let place: Comment = "seed \(seed), round \(round): \(writer) \(text.debugDescription)"
      let loaded = try FormatTable.core.read(
        MemoryBytes(Array(text.utf8)), named: "t.csv", options: options)
      #expect(loaded.table.keys == header, place)
      #expect(loaded.report.rejected == 0, place)
      let read = try loaded.table.objects(at: Array(0..<loaded.table.count)).map { object in
        guard case .record(let record) = object else { return [String]() }
        return record.values.map { if case .string(let text) = $0 { text } else { "" } }
      }
      #expect(read == rows, place)
    }
  }

  @Test(arguments: [UInt64(11), 12])
  func columnsOfRandomBytesHaveTheValuesOfTheirObjects(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for round in 0..<1_500 {
      let bytes = (0..<random.below(200)).flatMap { _ in Array(random.one(of: Self.pieces).utf8) }
      var options = ReadOptions()
      let characters: [UInt8?] =
        [nil, nil, nil] + Self.pieces.map { $0.utf8.count == 1 ? $0.utf8.first : nil }
      options.delimiter = random.one(of: characters)
      options.escape = random.one(of: characters)
      options.quote = random.one(of: [
        nil, QuoteCharacter.none, .character(random.one(of: characters) ?? 0x22),
      ])
      options.skippedLines = random.one(of: [nil, nil, random.below(5)])
      options.hasHeader = random.one(of: [nil, true, false])
      options.keys = random.one(of: [nil, nil, ["a", "b"], []])
      options.commentPrefix = random.one(of: [nil, nil, "#", ";", "", "\n", "é"])
      do {
        let loaded = try FormatTable.core.read(
          MemoryBytes(bytes), named: random.one(of: ["t.csv", "t.tsv"]), options: options)
        let table = loaded.table
        let place: Comment = "seed \(seed), round \(round): \(options) \(bytes)"
        for path in table.keys.map({ ObjectKeyPath(key: $0) }) {
          let column = try table.column(path, cancellation: Cancellation())
          let objects = try table.objects(at: Array(0..<table.count))
          #expect(column.values == objects.map { path.evaluate(on: $0) }, place)
        }
      } catch is TableError {}
    }
  }
}

extension KeyColumn {
  fileprivate var values: [Value] {
    switch self {
    case .coded(let codes, let values): (0..<codes.count).map { values[codes[$0]] }
    case .keyed(let column): column.keys.map { column.value(of: $0) }
    }
  }
}
