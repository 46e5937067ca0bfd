import TestSupport
import Testing

@testable import DataTables

struct LogfmtTests {
  private func read(_ text: String, _ change: (inout ReadOptions) -> Void = { _ in }) throws
    -> LoadedTable
  {
    var options = ReadOptions()
    options.format = "logfmt"
    change(&options)
    return try FormatTable.core.read(
      MemoryBytes(Array(text.utf8)), named: "", options: options)
  }

  private func rows(_ loaded: LoadedTable) throws -> [String] {
    try loaded.table.objects(at: Array(0..<loaded.table.count)).map(\.json)
  }

  @Test func keysAreInOrderOfFirstAppearance() throws {
    let loaded = try read("b=1 a=x\n\nc=true a=\"\" d\na= e=\"x y\"\n")
    #expect(
      try rows(loaded) == [
        #"{"b":1,"a":"x","c":null,"d":null,"e":null}"#,
        #"{"b":null,"a":"","c":true,"d":true,"e":null}"#,
        #"{"b":null,"a":null,"c":null,"d":null,"e":"x y"}"#,
      ])
  }

  @Test(
    arguments: [
      (#"a="x\"y\\z""#, #"x"y\z"#), (#"a="1\n2\t3""#, "1\n2\t3"),
      (#"a="\u00e9\ud83d\ude00""#, "é😀"),
      (#"a="\ud83d x""#, #"\ud83d x"#), (#"a="\q""#, "q"), ("a=x=y", "x=y"), ("a=1 a=two", "two"),
      (#"a="\x41\u12""#, #"A\u12"#),
    ])
  func aValueIsReadAsWritten(text: String, value: String) throws {
    let loaded = try read(text)
    #expect(
      try loaded.table.object(at: 0).json == Value.record(Record([("a", .string(value))])).json)
    let column = try loaded.table.column(ObjectKeyPath(key: "a"), cancellation: Cancellation())
    guard case .coded(let codes, let values) = column else { return }
    #expect(values[codes[0]] == .string(value))
  }

  @Test func malformedLinesAreRejected() throws {
    let loaded = try read("a=1\na=\"x\n=2\na=\"x\"y\na=2\n  a\"b\nb=1\nb=2")
    #expect(loaded.report.rejects.map(\.line) == [2, 3, 4, 6])
    #expect(
      loaded.report.rejects.map(\.reason) == [
        "has an unclosed quote", "has no key before `=`", "has text after a closing quote",
        "begins with a blank and continues the line before",
      ])
    #expect(loaded.report.rejects.map(\.column) == [3, 1, 6, 1])
    #expect(loaded.table.keys == ["a", "b"])
  }

  @Test func keysOfLateLinesAreFoundWithTheirTypes() throws {
    let filler = String(repeating: "level=info msg=\"a b\"\n", count: 60_000)
    let loaded = try read(filler + "late=5\nlate=6 x=abc\n") { $0.types = ["late": .real] }
    #expect(loaded.table.keys == ["level", "msg", "late", "x"])
    #expect(loaded.report.columns.map(\.type) == [.string, .string, .real, .string])
    #expect(
      try loaded.table.object(at: 60_001).json == #"{"level":null,"msg":null,"late":6,"x":"abc"}"#)
  }

  @Test func tooManyKeysAreRejected() throws {
    let hostile = (0..<20_000).map { "k\($0)=1" }.joined(separator: " ")
    let loaded = try read("a=1\n" + hostile + "\nb=2\n")
    #expect(loaded.table.keys == ["a", "b"])
    #expect(loaded.report.rejected == 1)
  }

  @Test func rejectedLinesAddNoKeysAndCostLinearTime() throws {
    // Each rejected line has a new key. Rebuilding 5,000 known keys for each would take minutes.
    let known = (0..<5_000).map { "k\($0)=1" }.joined(separator: " ")
    let rejected = (0..<100_000).map { "n\($0)=1 n\($0)=2 =" }.joined(separator: "\n")
    let kept = String(repeating: "k1=2\n", count: 100_000)
    let loaded = try read(known + "\n" + rejected + "\n" + kept)
    #expect(loaded.table.keys.count == 5_000)
    #expect(loaded.report.rejected == 100_000)
  }

  @Test func aRepeatedNewKeyIsOneKey() throws {
    let line = String(repeating: "k=1 ", count: 20_000)
    #expect(try read(line).table.keys == ["k"])
  }

  @Test func aMisfitOfAKeyAloneIsAtItsLine() throws {
    let loaded = try read("a=1\na\n") { $0.types = ["a": .integer] }
    #expect(loaded.report.rejects.map(\.line) == [2])
    #expect(throws: TableError.self) {
      try read("a=1\na\n") {
        $0.types = ["a": .integer]
        $0.isStrict = true
      }
    }
  }

  @Test(arguments: [UInt64(1), 2, 3])
  func everyLineIsReadAsByASlowReader(seed: UInt64) throws {
    let pieces = [
      "a", "b", "c", "=", "=", " ", " ", "\"", "\\", "x", "é", "\n", "\n", "\r\n", "\t",
    ]
    let keys = ["a", "b", "c"]
    var random = SplitMix64(seed: seed)
    for round in 0..<600 {
      let text = (0..<Int.random(in: 0...60, using: &random)).map { _ in random.one(of: pieces) }
        .joined()
      let fast = try LineReading(
        Array(text.utf8), LogfmtFields(keys: keys), keys: keys,
        sizes: LineReading.randomSizes(&random))
      #expect(
        fast == Self.slow(text, keys), "seed \(seed), round \(round): \(text.debugDescription)")
    }
  }

  private static func slow(_ text: String, _ keys: [String]) -> LineReading {
    var reading = LineReading()
    let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      var line = Array(line)
      if index < lines.count - 1 {
        for _ in 0..<2 where line.last == "\r" { line.removeLast() }
      }
      if line.allSatisfy({ $0 == " " || $0 == "\t" }) { continue }
      if let found = pairs(line) {
        reading.rows.append(keys.map { found[$0] ?? nil })
      } else {
        reading.rejected.append(index + 1)
      }
    }
    return reading
  }

  /// nil for a malformed line.
  private static func pairs(_ line: [Unicode.Scalar]) -> [String: String?]? {
    var found: [String: String?] = [:]
    var rest = line[...]
    func take(_ isPart: (Unicode.Scalar) -> Bool) -> String {
      let part = rest.prefix(while: isPart)
      rest = rest.dropFirst(part.count)
      return part.reduce(into: "") { $0.unicodeScalars.append($1) }
    }
    while true {
      _ = take { $0.value <= 0x20 }
      if rest.isEmpty { return found }
      let key = take { $0.value > 0x20 && $0 != "=" && $0 != "\"" }
      if key.isEmpty || rest.first == "\"" { return nil }
      guard rest.first == "=" else {
        found[key] = .some("true")
        continue
      }
      rest.removeFirst()
      guard rest.first == "\"" else {
        let value = take { $0.value > 0x20 }
        found[key] = .some(value.isEmpty ? nil : value)
        continue
      }
      rest.removeFirst()
      var value = ""
      while let next = rest.first, next != "\"" {
        rest.removeFirst()
        if next == "\\" {
          guard let escaped = rest.popFirst() else { return nil }
          // Only these pieces are letters of escapes.
          value.unicodeScalars.append(escaped == "b" ? "\u{8}" : escaped)
          if escaped == "x" { value = String(value.dropLast()) + "\\x" }
        } else {
          value.unicodeScalars.append(next)
        }
      }
      guard rest.popFirst() != nil, rest.first.map({ $0.value <= 0x20 }) ?? true else { return nil }
      found[key] = .some(value)
    }
  }
}
