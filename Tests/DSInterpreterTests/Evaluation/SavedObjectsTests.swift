import DSInterpreter
import DataTables
import TestSupport
import Testing

/// A load of a saved file returns the objects that were saved.
struct SavedObjectsTests {
  private static let cases = 400

  private func written(_ objects: [Value], _ name: String) throws -> [UInt8] {
    let format = try #require(FormatTable.standard.format(ofFileNamed: name))
    let table = ValueTable(objects)
    let layout = WriteLayout(keys: table.keys, hasOtherObjects: table.hasOtherRows)
    var writer = try #require(format.writing).writer(for: layout, named: name)
    var bytes: [UInt8] = []
    try writer.begin(&bytes)
    try writer.append(objects, to: &bytes)
    try writer.end(&bytes)
    return bytes
  }

  private func read(
    _ bytes: [UInt8], _ name: String, _ options: ReadOptions = ReadOptions()
  ) throws -> [Value] {
    let table = try FormatTable.standard.read(
      MemoryBytes(bytes), named: name, options: options
    ).table
    return try table.objects(at: Array(0..<table.count))
  }

  @Test(arguments: ["a.json", "a.ndjson", "a.yaml", "a.plist"])
  func nestedValuesSurvive(name: String) throws {
    for seed in 1...UInt64(Self.cases) {
      var values = RandomValues(seed: seed)
      values.hasNull = !name.hasSuffix("plist")
      values.hasControls = !name.hasSuffix("plist")
      values.hasDates = name.hasSuffix("yaml") || name.hasSuffix("plist")
      let objects = (0...values.random.below(6)).map { _ in values.record(depth: 3) }
      let bytes = try written(objects, name)
      #expect(
        try read(bytes, name) == objects,
        "seed \(seed): \(String(decoding: bytes, as: UTF8.self))")
    }
  }

  /// Strings of a column keep their type if one of them is nothing but a string.
  @Test(arguments: ["a.csv", "a.tsv", "a.psv"]) func columnsSurvive(name: String) throws {
    for seed in 1...UInt64(Self.cases) {
      var values = RandomValues(seed: seed)
      let objects = values.table()
      let bytes = try written(objects, name)
      var options = ReadOptions()
      options.delimiter = name == "a.tsv" ? 0x09 : name == "a.psv" ? 0x7C : 0x2C
      options.hasHeader = true
      #expect(
        try read(bytes, name, options) == objects,
        "seed \(seed): \(String(decoding: bytes, as: UTF8.self))")
    }
  }

  @Test(arguments: ["a.csv", "a.tsv"]) func columnsAreDetected(name: String) throws {
    for seed in 1...UInt64(Self.cases) {
      var values = RandomValues(seed: seed)
      values.isTame = true
      let objects = values.table()
      let bytes = try written(objects, name)
      #expect(
        try read(bytes, name) == objects,
        "seed \(seed): \(String(decoding: bytes, as: UTF8.self))")
    }
  }
}

/// Values of all types, with strings that formats must escape.
private struct RandomValues {
  var random: SplitMix64
  var hasNull = true
  var hasControls = true
  var hasDates = false
  /// Whether strings have no characters with a meaning in any format.
  var isTame = false

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  private static let tame = [
    "Pie", "two words", "null value", "Zürich", "x1", "a-b", "日本", "Ærø", "e\u{301}t\u{E9}",
  ]
  private static let wild = [
    "", " ", "a,b", "\"", "'", "a\nb", "a\r\nb", "\r", "\t", "#x", "- a", "? a", ": a", "a: b",
    "a #b", "{", "[", "]", "}", "&a", "*a", "!x", "|", ">", "%", "@", "`", "~", "null", "true",
    "no", "1", "1.5", "2024-01-31", "<a>&amp;</a>", "]]>", "\\", "\\n", "\u{2028}", "\u{85}",
    "\u{FEFF}x", "\u{7F}", "\u{1F600}", "=1+1", "<<", ".inf", "0x1F", "---", "...", "a ", " a",
  ]

  mutating func string() -> String {
    if isTame { return random.one(of: Self.tame) }
    if hasControls, random.below(20) == 0 { return "\u{1}\u{1B}" }
    if random.below(40) == 0 { return String(repeating: "long \" ", count: 60) }
    return (0...random.below(3)).map { _ in
      random.one(of: random.below(2) == 0 ? Self.tame : Self.wild)
    }.joined()
  }

  mutating func number() -> Value {
    switch random.below(5) {
    case 0: return .integer(Int(truncatingIfNeeded: random.next()))
    case 1:
      return Value(
        literal: random.one(of: ["1.50", "12345678901234567890", "-0", "1e400", "1E-7", "0.1"]))
    case 2: return .real(Real(Double(random.below(1_000_000)) / 1_000))
    default: return .integer(random.below(100))
    }
  }

  mutating func date() -> Value {
    Value(
      literal: random.one(of: [
        "2024-01-31", "2024-02-29T12:30:45Z", "1999-12-31T23:59:59+02:00", "2012-11-01 10:00",
      ]))
  }

  mutating func value(depth: Int) -> Value {
    switch random.below(depth > 0 ? 9 : 6) {
    case 0 where hasNull: return .null
    case 0, 1: return .bool(random.below(2) == 0)
    case 2: return number()
    case 3 where hasDates: return date()
    case 4 where hasDates: return .data((0..<random.below(9)).map { UInt8($0 * 31 & 0xFF) })
    case 6: return .array((0..<random.below(4)).map { _ in value(depth: depth - 1) })
    case 7, 8: return record(depth: depth - 1)
    default: return .string(string())
    }
  }

  mutating func record(depth: Int) -> Value {
    .record(Record((0...random.below(4)).map { _ in (string(), value(depth: depth)) }))
  }

  /// Rows of at least two columns, each with values of one type and nulls.
  mutating func table() -> [Value] {
    var keys: [String] = []
    while keys.count < 2 + random.below(4) {
      // A line end in a header, or blanks around a key, are read otherwise.
      let key = "k\(keys.count)" + (isTame ? "" : random.one(of: ["", "a,b", "\"", "é", "'", "|"]))
      keys.append(key)
    }
    let kinds = keys.map { _ in random.below(5) }
    return (0...random.below(8)).map { row in
      .record(
        Record(
          zip(keys, kinds).map { key, kind in
            if row > 0, random.below(5) == 0 { return (key, .null) }
            switch kind {
            case 0: return (key, .integer(random.below(1_000)))
            case 1: return (key, .real(Real(Double(random.below(1_000)) + 0.25)))
            case 2: return (key, .bool(random.below(2) == 0))
            case 3: return (key, Value(literal: "2024-01-\(10 + random.below(20))"))
            default: return (key, .string(row == 0 ? "Pie" : string().replacing("\0", with: "")))
            }
          }))
    }
  }
}
