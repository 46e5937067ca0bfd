import TestSupport
import Testing

@testable import DataTables

@Suite struct JSONFuzzTests {
  private static let rounds = 500

  @Test(arguments: [UInt64(1), 2, 3, 4])
  func documentsAreReadAsByTheSlowReader(seed: UInt64) throws {
    var texts = JSONTexts(seed: seed)
    for round in 0..<Self.rounds {
      let text = texts.broken(texts.document())
      var request = ReadRequest()
      request.options.limits.depth = texts.random.one(of: [512, 512, 512, 3, 2, 1, 0])
      request.anticipatedKeys = texts.someKeys()
      let window = 1 + texts.random.below(80)
      let found = Outcome(text, isLines: false, request: request, window: window)
      let expected = Outcome(slow: text, depthLimit: request.options.limits.depth)
      if found != expected { report(text, "seed \(seed), round \(round)", found, expected) }
    }
  }

  @Test(arguments: [UInt64(5), 6, 7, 8])
  func linesAreReadAsByTheSlowReader(seed: UInt64) throws {
    var texts = JSONTexts(seed: seed)
    for round in 0..<Self.rounds {
      let text = texts.broken(texts.lines())
      var request = ReadRequest()
      request.options.limits.depth = texts.random.one(of: [512, 512, 512, 3, 2, 1])
      request.anticipatedKeys = texts.someKeys()
      let window = 1 + texts.random.below(80)
      let found = Outcome(text, isLines: true, request: request, window: window)
      let expected = Outcome(slowLines: text, depthLimit: request.options.limits.depth)
      if found != expected { report(text, "seed \(seed), round \(round)", found, expected) }
    }
  }

  private func report(_ text: [UInt8], _ what: String, _ found: Outcome, _ expected: Outcome) {
    Issue.record(
      """
      \(what): \(String(decoding: text, as: UTF8.self).debugDescription)
      found    \(found)
      expected \(expected)
      """)
  }
}

/// The result of reading a text with either reader.
private enum Outcome: Equatable {
  case rows([String], keys: [String], columns: [[String]], rejects: [[Int]])
  case failure(SlowJSON.Failure.Kind, TextPosition)
  case encoding(offset: Int)
  case other(String)

  init(_ text: [UInt8], isLines: Bool, request: ReadRequest, window: Int) {
    let store = MemoryBytes(text)
    do {
      let first = text.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
      let layout: JSONLayout =
        isLines ? .lines : first == UInt8(ascii: "[") ? .elements : .single
      var document = JSONDocument(
        store, layout: layout, request: request, cancellation: Cancellation())
      document.window = window
      document.minChunkSize = 1
      // Like a large text, whose column types are not determined at load.
      if !request.anticipatedKeys.isEmpty { document.exactSize = -1 }
      let loaded = try document.load()
      let table = loaded.table
      // In reverse, so that a reader cannot continue from the previous row.
      let rows = try table.objects(at: (0..<table.count).reversed()).reversed().map(\.json)
      let columns = try table.keys.map { key -> [String] in
        let column = try table.column(ObjectKeyPath(key: key), cancellation: Cancellation())
        guard case .coded(let codes, let values) = column else { return [] }
        return (0..<codes.count).map { values[codes[$0]].json }
      }
      self = .rows(
        rows, keys: table.keys, columns: columns,
        rejects: loaded.report.rejects.map { [$0.line, $0.offset, $0.column] })
    } catch TableError.format(_, .some(let place)) {
      self = .failure(.syntax, place)
    } catch TableError.limit(_, "maxDepth: 2048", .some(let place)) {
      self = .failure(.depth, place)
    } catch TableError.encoding("UTF-8", let offset, _) {
      self = .encoding(offset: offset)
    } catch {
      self = .other("\(error)")
    }
  }

  init(slow text: [UInt8], depthLimit: Int) {
    do {
      let value = try SlowJSON.value(text, depthLimit: depthLimit)
      let rows = if case .array(let elements) = value { elements } else { [value] }
      self.init(rows: rows, rejects: [])
    } catch {
      self.init(error, text)
    }
  }

  init(slowLines text: [UInt8], depthLimit: Int) {
    var rows: [Value] = []
    var rejects: [[Int]] = []
    for (number, line) in Self.lines(of: text).enumerated() {
      let start = line.first { text[$0] != 0x20 && text[$0] != 0x09 }
      guard let start else { continue }
      do {
        rows.append(
          try SlowJSON.value(
            text, start, line.upperBound, depthLimit: depthLimit, isOneLine: true))
      } catch {
        if error.kind != .syntax {
          self.init(error, text)
          return
        }
        rejects.append([number + 1, start, error.offset - start + 1])
      }
    }
    self.init(rows: rows, rejects: rejects)
  }

  private init(rows: [Value], rejects: [[Int]]) {
    var keys: [String] = []
    for case .record(let record) in rows {
      for key in record.keys where !keys.contains(key) { keys.append(key) }
    }
    let columns = keys.map { key in
      rows.map { ObjectKeyPath(key: key).evaluate(on: $0).json }
    }
    self = .rows(rows.map(\.json), keys: keys, columns: columns, rejects: rejects)
  }

  private init(_ failure: SlowJSON.Failure, _ text: [UInt8]) {
    if failure.kind == .encoding {
      self = .encoding(offset: failure.offset)
    } else {
      let lines = Self.lines(of: text)
      let line = lines.lastIndex { $0.lowerBound <= failure.offset } ?? 0
      let column = failure.offset - lines[line].lowerBound + 1
      self = .failure(failure.kind, TextPosition(line: line + 1, column: column))
    }
  }

  /// The lines without their ends (LF, CR LF or CR).
  private static func lines(of text: [UInt8]) -> [Range<Int>] {
    var lines: [Range<Int>] = []
    var start = 0
    var index = 0
    while index < text.count {
      if text[index] == 0x0A || text[index] == 0x0D {
        lines.append(start..<index)
        if text[index] == 0x0D, index + 1 < text.count, text[index + 1] == 0x0A { index += 1 }
        start = index + 1
      }
      index += 1
    }
    return lines + [start..<text.count]
  }
}
