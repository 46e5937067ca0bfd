import TestSupport
import Testing

@testable import DataTables

/// Logs and columns of fixed width to which lines are appended.
struct LogGrowthTests {
  private static let sizes = ScanSizes(exact: 8, sample: 400, chunk: 300, window: 150)

  enum Form: String, CaseIterable, Sendable {
    case logfmt, combined, pattern, fixed

    func fields() throws -> (any LineFields, keys: [String]) {
      switch self {
      case .logfmt: return (LogfmtFields(keys: ["level", "n"]), ["level", "n"])
      case .combined:
        let fields = AccessFields(isCombined: true)
        return (fields, fields.keys)
      case .pattern:
        let pattern = try GroupedPattern(#"(?<level>\w+) (?<n>\d+) (?<message>.*)"#)
        return (PatternFields(pattern: pattern), pattern.names)
      case .fixed: return (FixedFields(division: .widths([6, 4, 9])), ["level", "n", "message"])
      }
    }

    func line(_ random: inout SplitMix64) -> String {
      let level = random.one(of: ["info", "warn", "debug"])
      let number = random.below(50)
      // Malformed lines, continuations and blank lines.
      switch random.below(14) {
      case 0: return self == .fixed ? "\n" : "  at line \(number)\n"
      case 1: return ["\"\n", "a=\"x\n", "[\n"][random.below(3)]
      case 2: return "\n"
      default: break
      }
      switch self {
      case .logfmt:
        let new = random.below(30) == 0 ? " k\(random.below(5))=\(number)" : ""
        return "level=\(level) n=\(number) msg=\"a \\\"b\\\"\"\(new)\n"
      case .combined:
        return "203.0.113.\(number) - - [10/Oct/2000:13:55:\(number % 60) -0700] "
          + "\"GET /\(level) HTTP/1.0\" 20\(number % 7) \(number) \"-\" \"agent \(level)\"\n"
      case .pattern: return "\(level) \(number) é \(level)\n"
      case .fixed:
        return level + String(repeating: " ", count: 6 - level.count) + "\(number + 100) message\n"
      }
    }
  }

  private func load(
    _ text: [UInt8], _ form: Form, anticipating anticipated: [String] = []
  ) throws -> LoadedTable {
    let store = MemoryBytes(text)
    let (fields, keys) = try form.fields()
    let dialect = Dialect(lines: fields, lineEnds: .lf)
    let sample = try TextSample(store, size: 400)
    var layout = TableLayout(dialect: dialect, lineEnds: LineEndSample(sample, dialect: dialect))
    (layout.keys, layout.header) = (keys, .none)
    var request = ReadRequest()
    request.anticipatedKeys = anticipated
    return try DelimitedReader(store, request: request, layout: layout, sizes: Self.sizes).read(
      cancellation: Cancellation())
  }

  private func columns(_ table: any Table) throws -> [[Value]] {
    try table.keys.map { key in
      switch try table.column(ObjectKeyPath(key: key), cancellation: Cancellation()) {
      case .coded(let codes, let values): (0..<codes.count).map { values[codes[$0]] }
      case .keyed(let column): column.keys.map { column.value(of: $0) }
      }
    }
  }

  @Test(arguments: 1...3, Form.allCases)
  func aGrownLogHasTheRowsOfAFreshOne(seed: Int, form: Form) throws {
    var random = SplitMix64(seed: UInt64(seed))
    var text: [UInt8] = []
    for _ in 0..<40 { text += Array(form.line(&random).utf8) }
    var loaded = try load(text, form)
    var grownCount = 0
    for _ in 0..<15 {
      // A line whose end has not arrived was read by a fetch.
      if random.below(4) == 0 {
        let line = Array(form.line(&random).utf8)
        text += line.prefix(line.count / 2)
        loaded = try load(text, form)
        text += line.dropFirst(line.count / 2)
      }
      for _ in 0...random.below(6) { text += Array(form.line(&random).utf8) }
      let fresh = try load(text, form)
      let grown = try TableGrowth.read(
        MemoryBytes(text), after: loaded, request: ReadRequest(), cancellation: Cancellation())
      if grown != nil { grownCount += 1 }
      loaded = grown ?? fresh
      #expect(loaded.table.keys == fresh.table.keys)
      #expect(loaded.report.rows == fresh.report.rows)
      #expect(loaded.report.rejected == fresh.report.rejected)
      #expect(loaded.report.rejects.map(\.line) == fresh.report.rejects.map(\.line))
      #expect(loaded.report.rejects.map(\.reason) == fresh.report.rejects.map(\.reason))
      #expect(loaded.report.continued == fresh.report.continued)
      #expect(loaded.report.padded?.count == fresh.report.padded?.count)
      #expect(try columns(loaded.table) == columns(fresh.table))
      let rows = Array(0..<fresh.table.count)
      #expect(try loaded.table.objects(at: rows) == fresh.table.objects(at: rows))
    }
    #expect(grownCount > 0)
  }

  @Test(arguments: 1...6, Form.allCases)
  func columnsDecodedDuringTheScanEqualThoseDecodedLater(seed: Int, form: Form) throws {
    var random = SplitMix64(seed: UInt64(seed))
    var text: [UInt8] = []
    for _ in 0..<120 { text += Array(form.line(&random).utf8) }
    let later = try load(text, form)
    let keys = later.table.keys.filter { _ in random.below(3) > 0 }
    let during = try load(text, form, anticipating: keys)
    #expect(try columns(during.table) == columns(later.table), "seed \(seed): \(keys)")
  }

  @Test func aLineThatContinuesTheLastRowChangesIt() throws {
    let text = Array(String(repeating: "info 1 a\n", count: 100).utf8)
    let loaded = try load(text, .pattern)
    let longer = text + Array("\tb\n\n c\n".utf8)
    let grown = try #require(
      try TableGrowth.read(
        MemoryBytes(longer), after: loaded, request: ReadRequest(), cancellation: Cancellation()))
    #expect(grown.table.count == 100)
    #expect(
      try grown.table.object(at: 99).json
        == #"{"level":"info","n":1,"message":"a\n\tb\n\n c"}"#)
    #expect(grown.report.continued == 2)
    #expect(grown.report.rejected == 0)
  }

  @Test func aNewKeyInAnAppendedLineReadsTheWholeText() throws {
    let text = Array(String(repeating: "level=info n=1\n", count: 100).utf8)
    let loaded = try load(text, .logfmt)
    func grown(_ text: [UInt8]) throws -> LoadedTable? {
      try TableGrowth.read(
        MemoryBytes(text), after: loaded, request: ReadRequest(), cancellation: Cancellation())
    }
    #expect(try grown(text + Array("level=warn n=2\n".utf8)) != nil)
    #expect(try grown(text + Array("level=warn late=2\n".utf8)) == nil)
  }

  /// A key that was found after the sample is a key like others.
  @Test func aLateKeyDoesNotPreventGrowth() throws {
    let text = Array(
      (String(repeating: "level=info n=1\n", count: 100) + "level=warn late=2\n").utf8)
    let loaded = try load(text, .logfmt)
    #expect(loaded.table.keys == ["level", "n", "late"])
    let longer = text + Array("level=info late=3\n".utf8)
    let grown = try TableGrowth.read(
      MemoryBytes(longer), after: loaded, request: ReadRequest(), cancellation: Cancellation())
    #expect(grown?.table.count == 102)
    #expect(try grown.map { try columns($0.table) } == columns(load(longer, .logfmt).table))
  }
}
